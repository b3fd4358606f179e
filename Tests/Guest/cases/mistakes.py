"""Cameras that cannot be had: what the node says of them, and that it says it in one line."""

import contextlib
import subprocess
import unittest

from camerabus import PATIENCE, Node


@contextlib.contextmanager
def streaming(device):
    """Another program that streams from the device."""
    process = subprocess.Popen(
        ["v4l2-ctl", "--device", device, "--stream-mmap", "--verbose"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        # It speaks of every buffer: with the first it streams.
        next(line for line in process.stderr if "dqbuf" in line)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


class Mistakes(unittest.TestCase):
    def check(self, spec, words, prefix=()):
        """The camera's status says the words, and a capture fails with them in one line."""
        with Node(f"cam={spec}", prefix=prefix) as node:
            (camera,) = node.json("cameras")
            self.assertNotEqual(camera["state"], "running")
            result = node.try_camctl("capture", "--output", node.folder / "photo.jpg")
            self.assertNotEqual(result.returncode, 0)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            for word in words:
                self.assertIn(word, result.stderr)

    def test_missing(self):
        """a missing device is named"""
        self.check("v4l2:/dev/video7", ["/dev/video7"])

    def test_busy(self):
        """a device that another program streams from is called busy"""
        with streaming("/dev/video0"):
            self.check("v4l2:/dev/video0,640x360@10,format=YUYV", ["/dev/video0", "another program"])

    def test_permission(self):
        """a device without permission names the remedy"""
        nobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
        self.check("v4l2:/dev/video0", ["/dev/video0", "permission"], prefix=nobody)

    def test_format(self):
        """an unknown format is refused with what there is"""
        self.check("v4l2:/dev/video0,640x360@10,format=H264", ["H264", "YUYV"])
