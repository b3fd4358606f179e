"""Tests that a photo was exposed within its bounds. vivid writes into each picture the kernel's tick
at which it was drawn, and its number.
"""

import time
import unittest

from camerabus import NEXT, NOW, CameraBus, messages, no_older_than, past

from programs import Node, v4l2
from stamps import read_stamp

PHOTOS = 200
RATE = 30
INTERVAL = 10**9 // RATE
# vivid stamps the end of a frame 0.9 intervals after its start.
END = INTERVAL * 9 // 10
# Between two ticks of the guest's kernel, nanoseconds.
TICK = 4_000_000
AGE = 0.2
MARKS = messages.TimestampMark
FORMS = {"now": NOW, "next": NEXT, "past": past(0.3), "within": no_older_than(AGE)}


class Exposure(unittest.TestCase):
    def test_bounds(self):
        """The bounds of a photo contain the moment that its picture shows"""
        self.addCleanup(v4l2, "/dev/video0", "--set-ctrl", "timestamp_source=0")
        for source, mark, lead in (
                (1, MARKS.TIMESTAMP_MARK_EXPOSURE_START, 0), (0, MARKS.TIMESTAMP_MARK_FRAME_END, END)):
            v4l2("/dev/video0", "--set-ctrl", f"osd_text_mode=1,brightness=128,timestamp_source={source}")
            with Node(f"cam=v4l2:/dev/video0,320x180@{RATE},format=GREY") as node, CameraBus(node.control) as bus:
                # With this photo the ring of recent frames begins to fill.
                bus.capture(NEXT, keep=False)
                time.sleep(1)
                starts = set()
                for name, form in FORMS.items():
                    with self.subTest(stamp=MARKS.Name(mark), form=name):
                        for _ in range(PHOTOS):
                            starts.add(self.check(bus, form, mark, lead))
                with self.subTest(stamp=MARKS.Name(mark), form="all numbers fit the driver's clock"):
                    # The driver's times are whole microseconds.
                    self.assertLess(max(starts) - min(starts), 2000)

    def check(self, bus, form, mark, lead):
        """Checks a photo. Returns the start of the stream that its stamp and its number give."""
        before = time.monotonic_ns()
        photo = bus.capture(form, keep=False, quality=95)
        after = time.monotonic_ns()
        resolved = photo.resolved
        moment = resolved.timestamp.monotonic_ns - resolved.offset_ns
        milliseconds, number = read_stamp(photo.data)
        self.assertEqual(resolved.timestamp_mark, mark)
        self.assertEqual(resolved.exposure_ns, 0)
        self.assertEqual(resolved.frame_sequence, number + 1)
        # The picture was drawn at this tick. The stream began up to a tick after the tick from which
        # the time in the picture counts.
        start = resolved.timestamp.monotonic_ns - lead - number * INTERVAL
        drawn = start + milliseconds * 1_000_000 - TICK
        self.assertLessEqual(resolved.earliest_start_ns, drawn)
        self.assertLessEqual(drawn, resolved.latest_end_ns)
        self.assertLessEqual(resolved.latest_end_ns, after)
        # The bounds say something: an exposure, a transfer and the driver's error.
        self.assertLess(resolved.latest_end_ns - resolved.earliest_start_ns, 3 * INTERVAL)
        if form is NEXT:
            self.assertLessEqual(before, moment)
            self.assertLessEqual(moment, resolved.earliest_start_ns)
        elif form is FORMS["within"]:
            self.assertLessEqual(before - AGE * 10**9, resolved.earliest_start_ns)
        return start
