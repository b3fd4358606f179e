"""Tests two cameras in one node, and that the node encodes only for subscribers."""

import unittest

from programs import Node

CAMERAS = {"left": "v4l2:/dev/video0,640x360@10,format=YUYV", "right": "v4l2:/dev/video1,320x180@10,format=NV12"}


class TwoCameras(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node(*(f"{name}={spec}" for name, spec in CAMERAS.items())))

    def status(self, name):
        (camera,) = (camera for camera in self.node.json("cameras") if camera["name"] == name)
        return camera

    def encoded(self, name):
        return sum(stream["encoded"] for stream in self.status(name)["streams"])

    def test_status(self):
        """Status shows both cameras running in their formats"""
        for name, size in (("left", (640, 360)), ("right", (320, 180))):
            with self.subTest(camera=name):
                camera = self.status(name)
                self.assertEqual(camera["state"], "running")
                self.assertEqual(camera["format"]["size"], {"width": size[0], "height": size[1]})

    def test_idle(self):
        """Nothing is encoded without a subscriber, and with one only the frames that it receives"""
        before = self.encoded("left")
        delivered = self.status("left")["frames"]["delivered"]
        *_, report = self.node.json("watch", "--camera", "right", "--count", 10)
        self.assertEqual(report["frames"], 10)
        self.assertEqual(self.encoded("left"), before)
        self.assertGreater(self.status("left")["frames"]["delivered"], delivered)
        # The end of the subscription may reach the node some frames after the last counted one.
        self.assertTrue(10 <= self.encoded("right") <= 20, self.encoded("right"))

    def test_watch(self):
        """Both cameras can be watched at once"""
        with self.node.following("watch", "--camera", "left", "--count", 10) as left:
            *_, right = self.node.json("watch", "--camera", "right", "--count", 10)
            *_, left = left
        for report in (left, right):
            self.assertEqual(report["frames"], 10)
            self.assertGreater(report["framesPerSecond"], 0)

    def test_events(self):
        """Events of both cameras are printed as JSON, one per line"""
        with self.node.following("events") as events:
            next(events)
            for name in CAMERAS:
                self.node.camctl("capture", "--camera", name, "--output", self.node.folder / f"{name}.jpg")
            waiting = set(CAMERAS)
            for event in events:
                if event["type"] == "capture" and event["step"] == "completed":
                    waiting.discard(event["camera"])
                if not waiting:
                    break

    def test_controls(self):
        """Setting a control of one camera does not change the other camera"""
        self.node.camctl("controls", "set", "hue=11", "--camera", "left")
        for name, hue in (("left", 11), ("right", 0)):
            (control,) = self.node.json("controls", "get", "hue", "--camera", name)
            self.assertEqual(control["value"], hue)
