"""Tests that a photo was exposed within its bounds.

vivid takes the time, draws the picture, and hands it out. It writes into the picture the frame's
number and the kernel's time in ticks since the start of the stream.
"""

import os
import statistics
import time
import unittest
from dataclasses import dataclass

from camerabus import NEXT, NOW, CameraBus, PhotoSettings, at_monotonic, messages, no_older_than, past

from programs import Node, v4l2
from stamps import read_stamp

PHOTOS = int(os.environ["CAMERABUS_PHOTOS"])
RATE = 30
INTERVAL = 10**9 // RATE
# vivid stamps the end of a frame 0.9 intervals after its start.
END = INTERVAL * 9 // 10
AGE = 200_000_000
MARKS = messages.TimestampMark
FORMS = {"now": NOW, "next": NEXT, "past": past(0.3), "within": no_older_than(AGE / 1e9)}


@dataclass
class Shot:
    """A photo, and what is known of it without its bounds."""

    form: str
    # By the client's clock, which is the node's.
    before: int
    after: int
    resolved: messages.ResolvedCapture
    # The start of the exposure by the driver's clock.
    start: int
    # In the picture: the kernel's ticks since the start of the stream, nanoseconds.
    ticks: int
    number: int


class Exposure(unittest.TestCase):
    def test_bounds(self):
        """The bounds of a photo contain the moment that its picture shows"""
        self.addCleanup(v4l2, "/dev/video0", "--set-ctrl", "timestamp_source=0")
        for source, mark, lead in (
                (1, MARKS.TIMESTAMP_MARK_EXPOSURE_START, 0), (0, MARKS.TIMESTAMP_MARK_FRAME_END, END)):
            with self.subTest(stamp=MARKS.Name(mark)):
                shots = self.take(source, lead)
                # The driver's clock and the clock in the picture agree, so each stamp is that of its
                # picture. A busy guest counts some ticks late, so a few pictures may differ by more.
                begun = statistics.median(shot.start - shot.ticks for shot in shots)
                near = [shot for shot in shots if abs(shot.start - shot.ticks - begun) < INTERVAL // 2]
                self.assertGreater(len(near), len(shots) * 9 // 10)
                for shot in shots:
                    self.check(shot, mark)
                # The bounds say something.
                widths = [shot.resolved.latest_end_ns - shot.resolved.earliest_start_ns for shot in shots]
                self.assertLess(statistics.median(widths), 3 * INTERVAL)

    def take(self, source, lead):
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=1,brightness=128,contrast=128,saturation=128,hue=0")
        v4l2("/dev/video0", "--set-ctrl", f"timestamp_source={source}")
        with Node(f"cam=v4l2:/dev/video0,320x180@{RATE},format=GREY") as node, CameraBus(node.control) as bus:
            # A second after this photo the ring of recent frames is full.
            begun = bus.capture(NEXT, settings=PhotoSettings(keep=False)).resolved.timestamp.monotonic_ns
            bus.capture(at_monotonic(begun + 10**9), settings=PhotoSettings(keep=False))
            shots = []
            for form, when in FORMS.items():
                for _ in range(PHOTOS):
                    before = time.monotonic_ns()
                    photo = bus.capture(when, settings=PhotoSettings(keep=False, quality=95))
                    after = time.monotonic_ns()
                    milliseconds, number = read_stamp(photo.data)
                    start = photo.resolved.timestamp.monotonic_ns - lead
                    shots.append(Shot(form, before, after, photo.resolved, start, milliseconds * 10**6, number))
            return shots

    def check(self, shot, mark):
        resolved = shot.resolved
        moment = resolved.timestamp.monotonic_ns - resolved.offset_ns
        self.assertEqual((resolved.timestamp_mark, resolved.exposure_ns), (mark, 0))
        # vivid may give two frames the same number.
        self.assertLess(shot.number, resolved.frame_sequence)
        self.assertLessEqual(resolved.earliest_start_ns, shot.start)
        self.assertLessEqual(shot.start, resolved.latest_end_ns)
        self.assertLessEqual(resolved.latest_end_ns, shot.after)
        if shot.form == "next":
            self.assertLessEqual(shot.before, moment)
            self.assertLessEqual(moment, shot.start)
        elif shot.form == "within":
            self.assertLessEqual(shot.before - AGE, shot.start)
