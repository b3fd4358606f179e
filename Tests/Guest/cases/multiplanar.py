"""Tests a camera with the multi-planar API, as most systems on a chip have it, on vivid."""

import unittest

import vivid
from bars import BARS, check_bars
from programs import PATIENCE, Node, packets, v4l2

SIZE = (320, 180)
# What frames are, by the driver's format. The planes of those with an M have buffers of their own.
FORMATS = {"NM12": "NV12", "NM21": "NV21", "NM16": "NV16", "YM12": "YU12", "YM21": "YV12", "YM16": "422P",
           "NV12": "NV12", "YUYV": "YUYV", "RGB3": "RGB3", "RGBP": "RGB3"}


class Multiplanar(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.device = cls.enterClassContext(vivid.per_plane())
        cls.node = cls.enterClassContext(Node(f"cam=v4l2:{cls.device},320x180@10"))
        cls.node.camctl("controls", "set", "osd_text_mode=2")

    def camera(self):
        (camera,) = self.node.json("cameras")
        return camera

    def state(self, event):
        return event["status"]["state"] if event["type"] == "state" else None

    def check_photo(self, *arguments):
        path = self.node.folder / "photo.jpg"
        self.node.camctl("capture", "--when", "next", "--output", path, "--overwrite", *arguments)
        check_bars(self, path, *SIZE, BARS)

    def test_formats(self):
        """Every way to lay out planes shows the test pattern [multi-planar]"""
        self.assertIn("Video Capture Multiplanar", v4l2(self.device, "--info"))
        usable = {format["pixelFormat"] for format in self.node.json("formats") if "problem" not in format}
        self.assertEqual(set(FORMATS) - usable, set())
        for format, frames in FORMATS.items():
            with self.subTest(format=format):
                self.node.camctl("configure", "--format", f"320x180@10,format={format}")
                said = self.camera()["format"]
                self.assertEqual((said["devicePixelFormat"], said["pixelFormat"]), (format, frames))
                self.check_photo()

    def test_sizes(self):
        """Rows that a driver pads come without their padding, and other sizes work [multi-planar]"""
        for size in ("640x360", "1280x720", "320x180"):
            with self.subTest(size=size):
                self.node.camctl("configure", "--format", f"{size}@10,format=NM12")
                *_, report = self.node.json("watch", "--stream", "full", "--count", 3)
                self.assertEqual(report["frames"], 3)

    def test_movie(self):
        """A movie has all frames that the node reports [multi-planar]"""
        self.node.camctl("configure", "--format", "320x180@10,format=NM12")
        movie = self.node.folder / "movie.mkv"
        *_, result = self.node.json("record", "--duration", 3, "--output", movie)
        self.assertEqual(packets([movie]), result["frames"])
        self.assertGreater(result["frames"], 10)

    def test_unplugged(self):
        """A camera that is unplugged comes back [multi-planar]"""
        self.node.camctl("configure", "--format", "320x180@10,format=NM12")
        with self.node.following("events", "--camera", "cam") as events:
            next(events)
            vivid.unbind()
            next(event for event in events if self.state(event) not in (None, "running"))
            vivid.bind()
            next(event for event in events if self.state(event) == "running")
        self.assertEqual(self.camera()["format"]["devicePixelFormat"], "NM12")
        self.node.camctl("controls", "set", "osd_text_mode=2", "--timeout", PATIENCE)
        self.check_photo()
