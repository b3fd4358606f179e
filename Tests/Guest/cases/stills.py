"""Tests of photos that are larger than the stream, on vivid, as djpeg reads them."""

import subprocess
import unittest

from programs import PATIENCE, Node, v4l2


def luma(path):
    """The size and the samples of a JPEG in grey, as djpeg reads it."""
    grey = subprocess.run(["djpeg", "-grayscale", str(path)], capture_output=True, check=True, timeout=PATIENCE).stdout
    _, size, _, samples = grey.split(b"\n", 3)
    width, height = (int(side) for side in size.split())
    return width, height, samples


class Stills(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=2,test_pattern=0")
        cls.node = cls.enterClassContext(Node("cam=v4l2:/dev/video0,320x180@10,format=YUYV"))

    def status(self):
        (camera,) = self.node.json("status")[0]["cameras"]
        return camera

    def test_a_photo_in_another_format(self):
        """vivid gives a large photo, and streams on in its own format with its own controls"""
        pictures = self.node.json("capabilities")[0]["pictures"]
        (largest,) = [picture["size"] for picture in pictures
                      if picture["switchesFormat"] and picture["mediaType"] == "image/jpeg"]
        self.assertGreater(largest["width"], 320)
        self.node.camctl("controls", "set", "brightness=150")
        # vivid keeps it for the cases that come after this one.
        self.addCleanup(self.node.camctl, "controls", "reset", "brightness")
        before = self.status()
        path = self.node.folder / "large.jpg"
        (photo,) = self.node.json("capture", "--size", "max", "--output", path)
        width, height, samples = luma(path)
        self.assertEqual((width, height), (largest["width"], largest["height"]))
        self.assertGreater(photo["resolved"]["gapNanoseconds"], 0)
        self.node.camctl("watch", "--count", 3)
        after = self.status()
        for name in ("format", "configuration"):
            self.assertEqual(after[name], before[name])
        self.assertEqual(self.node.json("controls", "get", "brightness")[0]["value"], 150)
        small = self.node.folder / "small.jpg"
        self.node.camctl("capture", "--output", small)
        *_, few = luma(small)
        # The same scene: bars of the same brightness.
        self.assertAlmostEqual(sum(samples) / len(samples), sum(few) / len(few), delta=6)

    def test_a_movie_is_not_cut(self):
        """While vivid records there is no other format"""
        self.node.camctl("record", "start")
        self.node.camctl("watch", "--count", 3)
        refused = self.node.try_camctl("capture", "--size", "max", "--output", self.node.folder / "no.jpg")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("would end its movie", refused.stderr)
        self.node.camctl("record", "stop")
