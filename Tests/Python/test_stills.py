"""Tests photos of the largest size with a running node, as an independent program decodes them."""

import subprocess
import unittest

from camerabus import NEXT, NOW, CameraBus, CameraBusError, Code, PhotoSettings, messages, past
from expecting import present
from live import WithNode
from node import Node

MAXIMUM = messages.PHOTO_SIZE_MAXIMUM


def decoded(jpeg: bytes) -> tuple[int, int, float]:
    """The size and the mean of the luma of a JPEG, as djpeg reads it."""
    grey = subprocess.run(["djpeg", "-grayscale"], input=jpeg, capture_output=True, check=True).stdout
    magic, size, _, samples = grey.split(b"\n", 3)
    width, height = (int(side) for side in size.split())
    assert magic == b"P5" and len(samples) == width * height
    return width, height, sum(samples[::7]) / len(samples[::7])


class Stills(WithNode):
    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(
            "cam=synthetic:640x360@30,format=YUYV,caption=off,warmup=8", "fixed=synthetic:640x360@30,stills=stream",
            "full=synthetic:3840x2160@10,format=MJPG"))

    def setUp(self) -> None:
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=30))

    def test_the_photo_is_large_and_settled_and_the_stream_goes_on(self) -> None:
        sizes = {(picture.size.width, picture.switches_format) for picture in self.bus.capabilities("cam").pictures}
        self.assertEqual(sizes, {(640, False), (3840, True)})
        before = self.bus.status("cam").cameras[0]
        with self.bus.frames("cam", "preview") as frames:
            present(frames.next(30))
            photo = self.bus.capture(NOW, "cam", settings=PhotoSettings(size=MAXIMUM))
            self.assertGreater(photo.resolved.gap_ns, 0)
            # All that came before the gap, and then a frame of the stream that goes on.
            end = photo.resolved.timestamp.monotonic_ns
            while (frame := present(frames.next(30))).info.timestamp.monotonic_ns < end:
                self.assertEqual(frame.info.size.width, 640)
            self.assertEqual(frame.info.size.width, 640)
            for _ in range(12):  # the stream, too, begins with darker frames
                present(frames.next(30))
        small = self.bus.capture(NEXT, "cam")
        after = self.bus.status("cam").cameras[0]
        self.assertEqual(after.format, before.format)
        self.assertEqual(after.configuration, before.configuration)
        width, height, brightness = decoded(present(photo.data))
        self.assertEqual((width, height), (3840, 2160))
        # The first frames after a start are darker, the last of them by a ninth.
        self.assertAlmostEqual(brightness, decoded(present(small.data))[2], delta=3)

    def test_everybody_is_told(self) -> None:
        with self.bus.events() as events:
            present(events.next(30))
            self.bus.capture(NOW, "cam", settings=PhotoSettings(size=MAXIMUM))
            told: list[messages.Readiness.ValueType] = []
            changing = messages.READINESS_NOT_READY_CHANGING_FORMAT
            while changing not in told or told[-1] != messages.READINESS_READY:
                notice = present(events.next(30))
                event = getattr(notice, "event", None)
                if event is not None and event.HasField("state"):
                    told.append(event.state.readiness)

    def test_what_it_cannot_be_had_for(self) -> None:
        with self.assertRaises(CameraBusError) as caught:
            self.bus.capture(past(0.1), "cam", settings=PhotoSettings(size=MAXIMUM))
        self.assertEqual((caught.exception.code, caught.exception.field), (Code.FRAME_UNAVAILABLE, "capture.when"))
        self.bus.start_recording("cam")
        self.see_frames("cam", 3)
        try:
            with self.assertRaises(CameraBusError) as caught:
                self.bus.capture(NOW, "cam", settings=PhotoSettings(size=MAXIMUM))
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.CONFLICT, "capture.size"))
        finally:
            self.bus.stop_recording("cam")

    def test_where_the_stream_is_the_largest_or_is_to_be(self) -> None:
        for camera, width in (("fixed", 640), ("full", 3840)):
            photo = self.bus.capture(NOW, camera, settings=PhotoSettings(size=MAXIMUM))
            self.assertEqual((photo.resolved.size.width, photo.resolved.gap_ns), (width, 0))


if __name__ == "__main__":
    unittest.main()
