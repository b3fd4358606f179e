"""Tests that a camera gets another device, and keeps its own if that fails, on vivid."""

import unittest

import vivid
from monitor import Follower
from programs import Node, v4l2

FIRST, SECOND = "platform:vivid-000", "platform:vivid-001"
LONGEST_GAP = 1_000_000_000


class Inputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node(f"cam=v4l2:{FIRST},320x180@30,format=YUYV"))

    def setUp(self):
        self.node.camctl("configure", "--input", FIRST, "--format", "320x180@30,format=YUYV", "--set", "brightness=100")

    def camera(self):
        (camera,) = self.node.json("cameras")
        return camera

    def location(self, identity):
        (location,) = {device["device"]["location"] for device in self.node.json("devices")
                       if device["device"]["identity"] == identity}
        return location

    def width(self):
        """The width of the frames that come now."""
        *_, frame, _ = self.node.json("watch", "--stream", "raw", "--count", 3, "--frames")
        return frame["size"]["width"]

    def test_another_device(self):
        """Another device streams under the camera's name, and its own one returns as it was"""
        (done,) = self.node.json("configure", "--input", SECOND, "--format", "640x360@15,format=YUYV")
        self.assertEqual(done["status"]["device"]["identity"], SECOND)
        self.assertEqual(self.camera()["configuredInput"], FIRST)
        self.assertEqual(self.width(), 640)
        devices = {device["device"]["identity"]: device.get("camera") for device in self.node.json("devices")}
        self.assertEqual((devices[FIRST], devices[SECOND]), (None, "cam"))
        v4l2("/dev/video0", "--set-ctrl", "brightness=1")
        self.node.camctl("configure", "--input", FIRST)
        self.assertEqual(self.camera()["format"]["size"], {"width": 320, "height": 180})
        self.assertNotIn("configuredInput", self.camera())
        self.assertEqual(v4l2("/dev/video0", "--get-ctrl", "brightness").split(), ["brightness:", "100"])
        self.assertEqual(self.width(), 320)

    def assert_stays(self, *arguments):
        """Fails to switch, and checks that the frames go on within a second."""
        with Follower(self.node, "watch", "--stream", "raw", "--frames") as frames:
            failed = self.node.try_camctl("configure", *arguments)
            mark = frames.mark()
            frames.wait(mark, lambda item: "sequence" in item)
            moments = [item["timestamp"]["monotonicNanoseconds"] for item in frames.objects if "sequence" in item]
        self.assertNotEqual(failed.returncode, 0, failed.stdout)
        gap = max(later - earlier for earlier, later in zip(moments, moments[1:]))
        self.assertLess(gap, LONGEST_GAP)
        camera = self.camera()
        self.assertEqual((camera["state"], camera["device"]["identity"]), ("running", FIRST))
        self.assertEqual(camera["format"]["size"], {"width": 320, "height": 180})
        self.assertEqual(v4l2("/dev/video0", "--get-ctrl", "brightness").split(), ["brightness:", "100"])
        return failed.stderr

    def test_a_driver_that_fails(self):
        """If the new device does not start, the old one streams on within a second"""
        vivid.press(self.location(SECOND), vivid.STREAMON_ERROR)
        self.assertIn("configure.input", self.assert_stays("--json", "--input", SECOND))

    def test_a_device_in_use(self):
        """If another program streams from the new device, the old one streams on within a second"""
        location = self.location(SECOND)
        with vivid.opened(location) as descriptor:
            self.assertTrue(vivid.took_buffers(descriptor))
            self.assertIn("deviceBusy", self.assert_stays("--json", "--input", location))

    def test_no_camera(self):
        """What is no camera, or is none that is listed, is not opened"""
        for name in ("/dev/video99", "/etc/passwd", "/dev/null", "synthetic:640x480@30"):
            with self.subTest(name=name):
                self.assertIn("deviceNotFound", self.assert_stays("--json", "--input", name))

    def test_a_device_that_is_gone(self):
        """A camera that has lost its device gets another one"""
        self.addCleanup(vivid.replug)
        vivid.press("/dev/video0", vivid.DISCONNECT)
        (done,) = self.node.json("configure", "--input", SECOND)
        self.assertEqual((done["status"]["state"], done["status"]["device"]["identity"]), ("running", SECOND))
