"""Tests pairs of a colour camera and a depth camera: vivid, and a USB camera in software that sends distances, because vivid
and v4l2loopback have no Z16.
"""

import contextlib
import unittest

import numpy
import readers
from camerabus import NEXT, CameraBus, CameraBusError, Code, Depth, PhotoSettings, past
from programs import PATIENCE, Node
from usb_camera import DISTANCES, HEIGHT, RATE, WIDTH, USBCamera

NEAR, FAR = 0.5, 20.0
INTERVAL = 10**9 // RATE


def distances(number):
    """Those of a frame: its number in the first one, where all others are less or are not known."""
    picture = 1 + (numpy.arange(WIDTH * HEIGHT, dtype=numpy.uint32) * 7919 + 131 * number) % 39_999
    picture[5::11] = 0
    picture[0] = 40_000 + number
    return picture.astype("<u2")


class Pairs(unittest.TestCase):
    def setUp(self):
        self.plugged = self.enterContext(contextlib.ExitStack())
        camera = self.plugged.enter_context(USBCamera(DISTANCES, lambda number: distances(number).tobytes()))
        self.node = self.enterContext(Node(
            "cam=v4l2:/dev/video0,320x180@10,format=YUYV,depth=tof",
            f"tof=v4l2:{camera.device()},{WIDTH}x{HEIGHT}@{RATE},format=Z16"))
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=PATIENCE))

    def read(self, file):
        path = self.node.folder / "distances.png"
        file.write(path, overwrite=True)
        readers.read.cache_clear()
        return readers.read(path)

    def test_distances(self):
        """Each photo of vivid has the nearest distances of a USB camera, exactly as they were sent"""
        self.assertEqual(self.bus.capabilities("cam").depth_camera, "tof")
        for when in (NEXT, NEXT, past(0.2), past(0.4)):
            with self.subTest(when=when.field, value=when.value):
                photo = self.bus.capture(when, "cam", settings=PhotoSettings(depth=Depth(matte=(NEAR, FAR))))
                depth = photo.depth
                self.assertEqual(
                    depth.difference_ns, depth.resolved.timestamp.monotonic_ns - photo.resolved.timestamp.monotonic_ns)
                # The guest's processor is emulated, so frames may come late.
                self.assertLess(abs(depth.difference_ns), 3 * INTERVAL)
                shown = self.read(depth.map)
                sent = distances(int(shown[0, 0]) - 40_000).reshape(HEIGHT, WIDTH).astype(numpy.int32)
                numpy.testing.assert_array_equal(shown, sent)
                expected = numpy.where((sent >= 1000 * NEAR) & (sent <= 1000 * FAR), 255, 0)
                numpy.testing.assert_array_equal(self.read(depth.matte), expected)

    def test_unplugged(self):
        """A photo with depth is refused while the depth camera is unplugged, and one without is not"""
        self.plugged.close()
        codes = []
        while Code.DEVICE_NOT_FOUND not in codes:
            try:
                # Until the node knows, a photo waits for its distances and fails with what happens then.
                self.bus.capture(NEXT, "cam", settings=PhotoSettings(depth=Depth()), timeout=5)
            except CameraBusError as error:
                self.assertIn("tof", str(error))
                codes.append(error.code)
        self.assertIsNone(self.bus.capture(NEXT, "cam").depth)
