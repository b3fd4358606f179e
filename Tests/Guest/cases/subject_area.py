"""Tests that a change of the scene is told once, on vivid."""

import unittest

from monitor import Monitor
from programs import Node, v4l2

BLACK, WHITE = 5, 6  # of vivid's control test_pattern
THRESHOLD = 0.4


def is_change(event):
    return event["type"] == "subjectArea" and event


class SubjectArea(unittest.TestCase):
    def setUp(self):
        self.addCleanup(v4l2, "/dev/video0", "--set-ctrl", "test_pattern=0")

    def test_a_change_of_the_scene(self):
        """Another test pattern is one event, and the moving text in a pattern is none"""
        with Node("cam=v4l2:/dev/video0,320x180@10,format=YUYV") as node, Monitor(node) as monitor:
            (done,) = node.json("configure", "--subject-area", THRESHOLD)
            self.assertEqual(done["status"]["subjectAreaThreshold"], THRESHOLD)
            changes = 0
            # The first patterns may pass before the node has looked twice at one.
            while not self.events(monitor):
                changes += 1
                v4l2("/dev/video0", "--set-ctrl", f"test_pattern={BLACK if changes % 2 else WHITE}")
                self.let_pass(node, 20)
            self.let_pass(node, 20)
            (event,) = self.events(monitor)
            self.assertEqual(event["camera"], "cam")
            self.assertEqual(event["subjectArea"]["threshold"], THRESHOLD)
            self.assertGreaterEqual(event["subjectArea"]["change"], THRESHOLD)

            mark = monitor.mark()
            v4l2("/dev/video0", "--set-ctrl", f"test_pattern={WHITE if changes % 2 else BLACK}")
            monitor.wait(mark, is_change)
            self.let_pass(node, 20)
            self.assertEqual(len(self.events(monitor)), 2)
            node.camctl("configure", "--subject-area", "off")
            v4l2("/dev/video0", "--set-ctrl", f"test_pattern={BLACK if changes % 2 else WHITE}")
            self.let_pass(node, 20)
            self.assertEqual(len(self.events(monitor)), 2)
            self.assertEqual(monitor.missed(), [])

    def let_pass(self, node, frames):
        node.camctl("watch", "--stream", "raw", "--count", frames)

    def events(self, monitor):
        with monitor.news:
            return [event for event in monitor.objects if is_change(event)]
