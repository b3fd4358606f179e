"""Tests that a suspended camera belongs to other programs, on vivid."""

import unittest

from bars import BARS, check_bars
from monitor import Monitor
from programs import Node, run, v4l2

SIZE = (320, 180)


class Suspension(unittest.TestCase):
    def test_another_program_has_a_suspended_camera(self):
        """A suspended camera is another program's, and comes back in its old format"""
        with Node("cam=v4l2:platform:vivid-000,320x180@10,format=YUYV") as node, Monitor(node) as monitor:
            (before,) = node.json("cameras")
            device = before["device"]["location"]
            stream = ["v4l2-ctl", "--device", device, "--set-fmt-video", "width=640,height=360,pixelformat=NV12",
                      "--stream-mmap", "--stream-count", 3]
            self.assertIn("busy", run(*stream).stderr)
            mark = monitor.mark()
            (suspended,) = node.json("session", "suspend", "--reason", "calibration")
            self.assertEqual((suspended["state"], suspended["interruption"]), ("interrupted", "suspendedByOperator"))
            trouble = monitor.trouble("cam", mark, "calibration")
            self.assertNotIn(device, node.opened())
            self.assertEqual(run(*stream).returncode, 0)
            refused = node.try_camctl("capture", "--output", node.folder / "photo.jpg")
            self.assertEqual(refused.returncode, 75, refused.stderr)
            self.assertIn("calibration", refused.stderr)

            (resumed,) = node.json("session", "resume")
            self.assertEqual((resumed["state"], resumed["format"]), ("running", before["format"]))
            monitor.ready("cam", trouble)
            node.camctl("controls", "set", "osd_text_mode=2")
            node.camctl("capture", "--when", "next", "--output", node.folder / "photo.jpg")
            check_bars(self, node.folder / "photo.jpg", *SIZE, BARS)
            self.assertIn("320/180", v4l2(device, "--get-fmt-video"))
