"""Tests that a camera that nobody uses is closed and comes back on demand, on vivid."""

import unittest

import vivid
from bars import BARS, check_bars
from monitor import Follower, Monitor
from programs import Node, run, v4l2

SIZE = (320, 180)


class Idle(unittest.TestCase):
    def idle(self, node, monitor):
        """The state of the camera when it is idle. It has run before, so that this is not missed."""
        (photo,) = node.json("capture", "--output", node.folder / "first.jpg")
        moment = photo["resolved"]["timestamp"]["monotonicNanoseconds"]
        return monitor.state("cam", 0, lambda status: status["state"] == "idle"
                             and status["since"]["monotonicNanoseconds"] > moment)

    def test_a_camera_that_nobody_uses(self):
        """An idle camera is another program's, and a photo starts it in its old format"""
        with Node("cam=v4l2:platform:vivid-000,320x180@10,format=YUYV,idle=500ms") as node, Monitor(node) as monitor:
            idle = self.idle(node, monitor)
            self.assertEqual(idle["readiness"], "ready")
            device = idle["device"]["location"]
            self.assertNotIn(device, node.opened())
            stream = ["v4l2-ctl", "--device", device, "--set-fmt-video", "width=640,height=360,pixelformat=NV12",
                      "--stream-mmap", "--stream-count", 3]
            self.assertEqual(run(*stream).returncode, 0)
            node.camctl("controls", "set", "osd_text_mode=2")

            mark = monitor.mark()
            (photo,) = node.json("capture", "--output", node.folder / "photo.jpg")
            self.assertGreater(photo["resolved"]["startNanoseconds"], 0)
            self.assertGreater(photo["resolved"]["offsetNanoseconds"], 0)
            check_bars(self, node.folder / "photo.jpg", *SIZE, BARS)
            self.assertIn("320/180", v4l2(device, "--get-fmt-video"))
            for state in ("starting", "running", "idle"):
                monitor.state("cam", mark, lambda status, state=state: status["state"] == state)

            mark = monitor.mark()
            with Follower(node, "watch", "--frames"):
                monitor.state("cam", mark, lambda status: status["state"] == "running")
            monitor.state("cam", mark, lambda status: status["state"] == "idle")

    def test_another_program_has_it(self):
        """If another program has an idle camera, the photo says so, and the camera is interrupted"""
        with Node("cam=v4l2:platform:vivid-000,320x180@10,format=YUYV,idle=500ms") as node, Monitor(node) as monitor:
            idle = self.idle(node, monitor)
            mark = monitor.mark()
            with vivid.streaming(idle["device"]["location"]):
                refused = node.try_camctl("capture", "--output", node.folder / "photo.jpg")
                self.assertNotEqual(refused.returncode, 0)
                trouble = monitor.trouble("cam", mark)
                self.assertEqual(trouble["interruption"], "deviceInUseByAnotherClient")
            monitor.ready("cam", trouble)
