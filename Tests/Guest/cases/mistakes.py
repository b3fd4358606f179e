"""Tests cameras that cannot be opened: the node's messages, and how it gets the camera later."""

import contextlib
import tempfile
import unittest
from pathlib import Path

import vivid
from programs import PROGRAMS, Node, run

NOBODY = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]


class Mistakes(unittest.TestCase):
    def check(self, spec, *words, prefix=()):
        """Checks that the node does not start, and says why in one line that contains the words."""
        endpoints = [f"--{name}=tcp://127.0.0.1:0" for name in ("control", "events", "frames")]
        with tempfile.TemporaryDirectory() as library:
            Path(library).chmod(0o777)
            # Without the warning of a folder that everybody can read.
            result = run(
                *prefix, PROGRAMS / "camerad", "-q", "--camera", f"cam={spec}", "--library", library, *endpoints)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Acamerad: .*\n\Z")
        for word in words:
            self.assertIn(word, result.stderr)

    def test_missing(self):
        """The message names a missing device"""
        self.check("v4l2:/dev/video7", "/dev/video7")

    def test_busy(self):
        """The message names a busy device and the program that streams from it"""
        with vivid.streaming("/dev/video0"):
            self.check("v4l2:/dev/video0,640x360@10,format=YUYV", "/dev/video0", "v4l2-ctl")

    def test_busy_with_another_user(self):
        """The message says how to find a program that the node may not see"""
        device = Path("/dev/video0")
        self.addCleanup(device.chmod, device.stat().st_mode & 0o777)
        device.chmod(0o666)
        with vivid.streaming(str(device)):
            self.check(
                f"v4l2:{device},640x360@10,format=YUYV", "a program of another user", f"sudo fuser -v {device}",
                prefix=NOBODY)

    def test_permission(self):
        """The message names a device without permission and says what to do"""
        self.check("v4l2:/dev/video0", "/dev/video0", "permission", prefix=NOBODY)

    def test_format(self):
        """An unsupported format is refused with a list of the device's formats"""
        self.check("v4l2:/dev/video0,640x360@10,format=H264", "H264", "YUYV")

    def test_not_a_camera(self):
        """The message names a device that is no camera"""
        self.check("v4l2:/dev/null", "/dev/null")

    def test_recovery(self):
        """A node that keeps trying gets the camera when the other program ends"""
        with contextlib.ExitStack() as other:
            other.enter_context(vivid.streaming("/dev/video0"))
            node = self.enterContext(
                Node("cam=v4l2:/dev/video0,640x360@10,format=YUYV", options=["--keep-trying"]))
            with node.following("events") as events:
                (camera,) = next(events)["node"]["cameras"]
                self.assertEqual(camera["interruption"], "deviceInUseByAnotherClient")
                other.close()
                next(event for event in events if event["type"] == "state" and event["status"]["state"] == "running")
            node.camctl("capture", "--output", node.folder / "photo.jpg")
