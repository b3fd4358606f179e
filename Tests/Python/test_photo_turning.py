"""Turned, tagged and cropped photos, as other people's programs show them."""

from __future__ import annotations

import unittest
from pathlib import Path

import numpy

import readers
from camerabus import NEXT, CameraBus, Photo, PhotoSettings
from node import Node
from photo_files import raw, write
from raw_pictures import colors, samples
from readers import Picture, difference, turned
from strips import read_strip

ORIENTATIONS = [(rotation, mirrored) for rotation in (0, 90, 180, 270) for mirrored in (False, True)]
# How a viewer has to turn the pixels, as EXIF counts: 6 is by 90 degrees clockwise, and 5 is mirrored after that, so
# that rows become columns.
TAGS = dict(zip(ORIENTATIONS, (1, 2, 6, 5, 3, 4, 8, 7)))
OUTPUTS = ("jpeg", "png", "tiff", "heic", "raw")
# The quality makes a difference of a few numbers at the edges of the bars, and chroma one of many.
EDGES = 0.12


class Turning(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        # 4:4:4, so that colours end where bars end; 16 pixels more than a square, so that sides matter.
        cls.node = cls.enterClassContext(Node(
            "rgb=synthetic:160x144@30,format=RGB3,caption=off", "bayer=synthetic:160x144@30,format=RG12,caption=off",
            "own=synthetic:160x144@30,format=MJPG,caption=off", "checkers=synthetic:320x180@30,format=RGB3,caption=off",
            "large=synthetic:320x180@30,format=MJPG,caption=off",
            "bayer_large=synthetic:320x180@30,format=RG12,caption=off"))

    def setUp(self) -> None:
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=60))

    def write(self, photo: Photo) -> dict[str, Path]:
        return write(photo, self.node.folder, photo.request_id.hex())

    def assert_similar(self, found: Picture, expected: Picture) -> None:
        """The same picture but for what a file without all details loses."""
        self.assertEqual(found.shape, expected.shape)
        self.assertLess((abs(found - expected).max(axis=2) > 12).mean(), EDGES)
        self.assertLess(abs(found - expected).mean(), 4)

    def test_all_orientations_by_pixels(self) -> None:
        for rotation, mirrored in ORIENTATIONS:
            photo = self.bus.capture(NEXT, "rgb", settings=PhotoSettings(OUTPUTS, quality=95, rotation=rotation, mirrored=mirrored))
            paths = self.write(photo)
            expected = turned(colors(*raw(photo)), rotation, mirrored)
            tags = readers.facts(paths[ending] for ending in ("jpg", "png", "tiff", "heic"))
            self.assertEqual((photo.resolved.size.height, photo.resolved.size.width), expected.shape[:2])
            for ending in ("jpg", "png", "tiff", "heic"):
                with self.subTest(rotation=rotation, mirrored=mirrored, ending=ending):
                    picture = readers.read(paths[ending])
                    if ending in ("png", "tiff"):
                        self.assertEqual(difference(picture, expected), 0)
                    else:
                        self.assert_similar(picture, expected)
                    # A viewer must not turn it again.
                    self.assertEqual(tags[paths[ending]].get("IFD0:Orientation", 1), 1)

    def test_all_orientations_by_a_tag(self) -> None:
        for rotation, mirrored in ORIENTATIONS:
            photo = self.bus.capture(NEXT, "rgb", settings=PhotoSettings(OUTPUTS, quality=95, rotation=rotation, mirrored=mirrored, tag=True))
            paths = self.write(photo)
            upright = colors(*raw(photo))
            expected = turned(upright, rotation, mirrored)
            tags = readers.facts(paths[ending] for ending in ("jpg", "png", "tiff"))
            for ending in ("jpg", "png", "tiff", "heic"):
                with self.subTest(rotation=rotation, mirrored=mirrored, ending=ending):
                    if ending == "heic":
                        # Its readers ignore the tag, so its pixels are turned.
                        self.assert_similar(readers.read(paths[ending]), expected)
                        continue
                    self.assertEqual(tags[paths[ending]].get("IFD0:Orientation", 1), TAGS[rotation, mirrored])
                    if ending == "jpg":
                        self.assert_similar(readers.read(paths[ending]), upright)
                        self.assert_similar(readers.shown(paths[ending]), expected)
                    else:
                        self.assertEqual(difference(readers.stored(paths[ending]), upright), 0)
                        self.assertEqual(difference(readers.shown(paths[ending]), expected), 0)

    def test_a_dng_is_always_turned_by_its_tag(self) -> None:
        for (rotation, mirrored), tag in TAGS.items():
            with self.subTest(rotation=rotation, mirrored=mirrored):
                photo = self.bus.capture(NEXT, "bayer", settings=PhotoSettings(["dng", "raw"], rotation=rotation, mirrored=mirrored))
                path = self.write(photo)["dng"]
                mosaic = samples(*raw(photo))
                self.assertEqual(readers.facts([path])[path]["IFD0:Orientation"], tag)
                stored = readers.portable(readers.run("dcraw", "-D", "-4", "-t", "0", "-c", path))
                self.assertEqual(difference(stored, mosaic), 0)
                self.assertEqual(difference(readers.read(path), turned(mosaic, rotation, mirrored)), 0)

    def test_the_jpeg_of_a_camera_keeps_its_blocks_with_a_tag(self) -> None:
        for rotation, mirrored in ORIENTATIONS:
            with self.subTest(rotation=rotation, mirrored=mirrored):
                photo = self.bus.capture(NEXT, "own", settings=PhotoSettings(["jpeg", "raw"], rotation=rotation, mirrored=mirrored, tag=True))
                path = self.write(photo)["jpg"]
                own = path.with_suffix(".own.jpg")
                own.write_bytes(raw(photo)[1])
                self.assertTrue(photo.resolved.passthrough)
                picture = readers.read(own)
                self.assertEqual(difference(readers.read(path), picture), 0)
                # Pillow decodes with another transform.
                self.assertLess(difference(readers.shown(path), turned(picture, rotation, mirrored)), 8)

    def test_a_crop_is_in_the_middle_and_squares_stay_squares(self) -> None:
        self.bus.set_controls({"test_pattern": 4}, "checkers", find_effect=True)
        for (width, height), rotation in (((90, 120), 0), ((120, 90), 90), ((200, 50), 0), ((100, 100), 270)):
            photo = self.bus.capture(
                NEXT, "checkers", settings=PhotoSettings(OUTPUTS, quality=95, dimensions=(width, height), rotation=rotation))
            whole = turned(colors(*raw(photo)), rotation, False)
            paths = self.write(photo)
            self.assertEqual((photo.resolved.size.width, photo.resolved.size.height), (width, height))
            # One scale for both sides, by which the picture just covers the crop.
            scale = max(width / whole.shape[1], height / whole.shape[0])
            rows, columns = (
                whole.shape[axis] / 2 + (numpy.arange(side) + 0.5 - side / 2) / scale for axis, side in ((0, height), (1, width)))
            expected = whole[rows.astype(int)][:, columns.astype(int)]
            # Pixels on the edge of a square, or beside it, are a mixture.
            reach = 1 / scale
            near = [whole[(rows + y).astype(int).clip(0, whole.shape[0] - 1)][:, (columns + x).astype(int).clip(
                0, whole.shape[1] - 1)] for y in (-reach, 0, reach) for x in (-reach, 0, reach)]
            is_even = numpy.ptp(near, axis=0).max(axis=2) == 0
            self.assertGreater(is_even.mean(), 0.5)
            for ending in ("jpg", "png", "tiff", "heic"):
                with self.subTest(f"{width}x{height}", rotation=rotation, ending=ending):
                    picture = readers.read(paths[ending])
                    self.assertEqual(picture.shape, (height, width, 3))
                    wrong = abs(picture - expected).max(axis=2) > (0 if ending in ("png", "tiff") else 40)
                    self.assertEqual((wrong & is_even).sum(), 0)

    def test_the_preview_in_a_jpeg_is_turned_and_cropped_as_its_picture(self) -> None:
        for camera in ("large", "bayer_large"):
            for number, (rotation, mirrored, tag, dimensions) in enumerate((
                    (0, False, False, None), (90, True, False, None), (270, False, True, None), (0, False, False, (200, 100)),
                    (90, False, False, (120, 170)), (90, False, True, (120, 170)))):
                with self.subTest(camera, rotation=rotation, mirrored=mirrored, tag=tag, dimensions=dimensions):
                    path, preview = (self.node.folder / f"{camera}{number}{name}.jpg" for name in ("", ".preview"))
                    photo = self.bus.capture(
                        NEXT, camera, settings=PhotoSettings(rotation=rotation, mirrored=mirrored, tag=tag, dimensions=dimensions, quality=95))
                    photo.write(path)
                    preview.write_bytes(readers.run("exiftool", "-b", "-ThumbnailImage", path))
                    picture, small = readers.read(path), readers.read(preview)
                    self.assertEqual(max(small.shape[:2]), 160)
                    rows, columns = (((numpy.arange(after) + 0.5) * before / after).astype(int)
                                     for after, before in zip(small.shape, picture.shape[:2]))
                    self.assertLess(abs(small - picture[rows][:, columns]).mean(), 10)

    def test_a_smaller_picture_keeps_its_strip(self) -> None:
        photo = self.bus.capture(NEXT, "checkers", settings=PhotoSettings(["png", "jpeg"], dimensions=(160, 90)))
        for path in self.write(photo).values():
            with self.subTest(path.suffix):
                self.assertEqual(read_strip(readers.read(path)).number, photo.resolved.frame_sequence)


if __name__ == "__main__":
    unittest.main()
