"""Tests that format and controls change together or not at all, on vivid."""

import unittest

import vivid
from programs import Node, decode, v4l2


def since(camera):
    """When the camera last started; its wall clock may differ by nanoseconds each time."""
    return camera["since"]["monotonicNanoseconds"]


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

    def test_a_lower_rate(self):
        """Frames are thinned out to a lower rate, and the driver's stream goes on"""
        (start,) = self.node.json("status")
        (before,) = start["cameras"]
        (done,) = self.node.json("configure", "--rate", "1-4")
        status = done["status"]
        self.assertEqual((status["format"]["frameRate"], status["format"]["deviceFrameRate"]), (4, 10))
        self.assertEqual(since(status), since(before))
        frames = self.node.json("watch", "--stream", "raw", "--frames", "--count", "6")
        stamps = [(frame["sequence"], frame["timestamp"]["monotonicNanoseconds"]) for frame in frames if "sequence" in frame]
        self.assertGreater(stamps[0][0], 1)
        for (first, early), (second, late) in zip(stamps[1:], stamps[2:]):
            self.assertGreaterEqual(second - first, 2)
            self.assertGreaterEqual(late - early, 190_000_000)
        (raised,) = self.node.json("configure", "--rate", "1-10")
        self.assertEqual(since(raised["status"]), since(before))
        self.assertEqual(raised["status"]["format"]["frameRate"], 10)
        (end,) = self.node.json("status")
        (after,) = end["cameras"]
        counts = {name: after["frames"][name] - before["frames"][name] for name in after["frames"]}
        self.assertGreater(counts["thinned"], 0)
        # However slow the machine is, no frame counts twice: one that was left out is not lost too.
        seconds = (end["now"]["monotonicNanoseconds"] - start["now"]["monotonicNanoseconds"]) / 1e9
        self.assertLessEqual(sum(counts.values()), 10 * seconds + 3, counts)

    def test_orientation(self):
        """Photos are turned without another start of the driver"""
        (before,) = self.node.json("cameras")
        try:
            (done,) = self.node.json("configure", "--rotate", "90", "--mirror")
            self.assertEqual(done["status"]["configuration"]["capture"], {"rotation": 90, "isMirrored": True})
            self.assertEqual(self.photo(), {"width": 180, "height": 320})
        finally:
            (done,) = self.node.json("configure", "--rotate", "0", "--no-mirror")
        self.assertEqual(since(done["status"]), since(before))

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
