"""Tests that format and controls change together or not at all, on vivid."""

import unittest

import vivid
from programs import Node, decode, v4l2


class Configure(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node("cam=v4l2:/dev/video0,320x180@10,format=YUYV"))

    def setUp(self):
        self.node.camctl("configure", "--format", "320x180@10,format=YUYV", "--set", "brightness=128")

    def state(self):
        (camera,) = self.node.json("cameras")
        return camera["state"], camera["format"], v4l2("/dev/video0", "--get-ctrl", "brightness,contrast")

    def photo(self):
        path = self.node.folder / "photo.jpg"
        self.node.camctl("capture", "--when", "next", "--output", path, "--overwrite")
        width, height, _ = decode(path)
        return {"width": width, "height": height}

    def test_a_preset(self):
        """A preset takes the best format, with a rate of the range and the controls"""
        formats = self.node.json("formats")
        best = max((format["size"] for format in formats if format["size"]["width"] <= 640 and format["size"]["height"] <= 480),
                   key=lambda size: size["width"] * size["height"])
        (done,) = self.node.json("configure", "--preset", "medium", "--rate", "5-10", "--set", "brightness=100")
        self.assertEqual(done["status"]["format"]["size"], best)
        self.assertTrue(5 <= done["status"]["format"]["frameRate"] <= 10)
        self.assertEqual([control["value"] for control in done["controls"]], [100])
        self.assertEqual(v4l2("/dev/video0", "--get-ctrl", "brightness").split(), ["brightness:", "100"])
        self.assertEqual(self.photo(), best)

    def test_a_driver_that_fails(self):
        """If the driver does not start in the new format, the old format and values hold again"""
        before = self.state()
        vivid.press("/dev/video0", vivid.STREAMON_ERROR)
        failed = self.node.try_camctl("configure", "--format", "640x360", "--set", "contrast=7", "--set", "brightness=9")
        self.assertNotEqual(failed.returncode, 0, failed.stdout)
        self.assertEqual(self.state(), before)
        self.assertEqual(self.photo(), {"width": 320, "height": 180})

    def test_a_mistake(self):
        """A format or a control that the camera does not have changes nothing"""
        before = self.state()
        for mistake in (["--preset", "hd3840x2160", "--format", "320x180"], ["--set", "nonsense=1"], ["--format", "15x15"],
                        ["--rate", "900-1000"]):
            with self.subTest(mistake=mistake):
                failed = self.node.try_camctl("configure", "--set", "brightness=9", *mistake)
                self.assertNotEqual(failed.returncode, 0, failed.stdout)
                self.assertEqual(self.state(), before)
