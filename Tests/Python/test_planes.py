"""Tests the numpy view of raw frames: every format's shapes, no copies, and pixels of live frames."""

import sys
import unittest
from typing import Any
from unittest import mock

import numpy

from camerabus import CameraBus, CameraBusError, Code, Frame, messages, value_of
from camerabus.arguments import flag, whole
from camerabus.controls import to_wire
from camerabus.planes import layout
from expecting import present
from node import Node


def raw(pixel_format: str, width: int, height: int, bytes_per_line: int, data: bytes) -> Frame:
    info = messages.FrameHeader(pixel_format=pixel_format, bytes_per_line=bytes_per_line)
    info.size.width, info.size.height = width, height
    return Frame(messages.Header(frame=info), data)


class Numbers(unittest.TestCase):
    def test_numbers_and_bools_of_numpy_count_as_those_of_python(self) -> None:
        values: list[tuple[Any, object]] = [
            (numpy.int64(5), 5), (numpy.uint8(5), 5), (numpy.float32(0.5), 0.5), (numpy.bool_(True), True),
            (numpy.array([1, 2]), [1, 2]), ([numpy.int16(3)], [3])]
        for value, expected in values:
            self.assertEqual(value_of(to_wire(value)), expected)
            self.assertIs(type(value_of(to_wire(value))), type(expected))
        self.assertIs(flag("keep", numpy.bool_(False)), False)
        with self.assertRaises(CameraBusError):
            whole("limit", numpy.bool_(True), 5)


class Planes(unittest.TestCase):
    def test_each_format_has_its_planes(self) -> None:
        for pixel_format, line, count, shapes in (
                ("GREY", 5, 15, [(3, 5)]), ("RGGB", 5, 15, [(3, 5)]), ("RG10", 10, 30, [(3, 5)]),
                ("BA12", 10, 30, [(3, 5)]), ("GR16", 10, 30, [(3, 5)]),
                ("Z16", 10, 30, [(3, 5)]), ("Y16", 10, 30, [(3, 5)]), ("YUYV", 12, 36, [(3, 6, 2)]),
                ("NV12", 5, 27, [(3, 5), (2, 3, 2)]), ("NV16", 5, 33, [(3, 5), (3, 3, 2)]),
                ("YU12", 5, 27, [(3, 5), (2, 3), (2, 3)]), ("422P", 5, 33, [(3, 5), (3, 3), (3, 3)]),
                ("RGB3", 15, 45, [(3, 5, 3)]), ("XR24", 20, 60, [(3, 5, 4)])):
            with self.subTest(pixel_format):
                data = bytes(range(count))
                planes = raw(pixel_format, 5, 3, line, data).planes()
                self.assertEqual([plane.shape for plane in planes], shapes)
                self.assertEqual(b"".join(plane.tobytes() for plane in planes), data)

    def test_padding_is_stepped_over_and_nothing_is_copied(self) -> None:
        data = bytes([1, 0, 2, 0, 99, 99, 3, 0, 4, 1, 99, 99])
        [plane] = raw("Z16", 2, 2, 6, data).planes()
        self.assertEqual(plane.tolist(), [[1, 2], [3, 260]])
        self.assertEqual(plane.strides, (6, 2))
        self.assertTrue(numpy.shares_memory(plane, numpy.frombuffer(data, numpy.uint8)))
        self.assertFalse(plane.flags.writeable)

    def test_numbers_that_do_not_fit_are_refused_instead_of_read_past_the_end(self) -> None:
        for numbers in ((4, 2, 4, 7), (4, 2, 3, 100), (0, 2, 4, 8), (4, 0, 4, 8), (2 ** 31, 2 ** 31, 2 ** 31, 8)):
            with self.subTest(numbers), self.assertRaises(CameraBusError) as caught:
                layout("GREY", *numbers)
            self.assertEqual(caught.exception.code, Code.CORRUPT)
        for pixel_format in ("MJPG", "JPEG", "H264", ""):
            with self.subTest(pixel_format), self.assertRaises(CameraBusError) as caught:
                layout(pixel_format, 4, 2, 4, 8)
            self.assertEqual(caught.exception.code, Code.UNSUPPORTED_FORMAT)

    def test_without_numpy_the_error_says_what_to_install(self) -> None:
        with mock.patch.dict(sys.modules, {"numpy": None}), self.assertRaises(CameraBusError) as caught:
            raw("GREY", 2, 2, 2, bytes(4)).planes()
        self.assertEqual(caught.exception.code, Code.NOT_INSTALLED)
        self.assertIn("pip install 'Protocol/python[numpy]'", caught.exception.message)


class LiveFrames(unittest.TestCase):
    def test_the_planes_of_every_raw_format_of_the_synthetic_camera_hold_its_picture(self) -> None:
        formats = ("YUYV", "NV12", "GREY", "RGGB", "RG10", "RG12", "RG16", "Y12", "Z16")
        cameras = [f"{name.lower()}=synthetic:320x240@30,format={name}" for name in formats]
        with Node(*cameras) as node, CameraBus(node.control, timeout=30) as bus:
            for name in formats:
                with self.subTest(name), bus.frames(name.lower(), "raw") as frames:
                    frame = present(frames.next(30))
                    first = frame.planes()[0]
                    self.assertEqual((frame.info.pixel_format, first.shape[:2]), (name, (240, 320)))
                    self.assertEqual(sum(plane.nbytes for plane in frame.planes()), len(frame.data))
                    self.assertGreater(first.max(), first.min(), "the picture is empty")


if __name__ == "__main__":
    unittest.main()
