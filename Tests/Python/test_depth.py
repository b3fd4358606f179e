"""Depth: the map has exactly the distances of the depth camera's frame that is nearest to the photo, and the matte follows
from them."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy
import PIL.Image

import readers
from camerabus import (
    NEXT, NOW, AsyncCameraBus, CameraBus, CameraBusError, Code, Depth, DepthPicture, Photo, PhotoSettings, When,
    at_monotonic, messages, no_older_than, past,
)
from expecting import present
from node import PATIENCE, Node, program
from photo_files import raw
from raw_pictures import samples
from readers import Picture

CAMERAS = ("cam=synthetic:160x120@30,format=MJPG,depth=tof", "tof=synthetic:200x150@17,format=Z16,phase=7ms")
INTERVAL = 1e9 / 17
# The synthetic camera's distances are in this range, and some are unknown.
NEAR, FAR = 0.75, 2.5


def matte_of(distances: Picture) -> Picture:
    """255 where they are known and within the matte."""
    return numpy.where((distances >= 1000 * NEAR) & (distances <= 1000 * FAR) & (distances > 0), 255, 0)


class DepthTest(unittest.TestCase):
    node: Node

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(*CAMERAS))

    def setUp(self) -> None:
        self.bus = self.enterContext(CameraBus(self.node.control, timeout=30))
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def frame(self, depth: DepthPicture) -> Picture:
        """The distances of the frame that the answer names, from the ring of its camera."""
        moment = at_monotonic(depth.resolved.timestamp.monotonic_ns)
        photo = self.bus.capture(moment, "tof", settings=PhotoSettings("raw"))
        self.assertEqual(photo.resolved.frame_sequence, depth.resolved.frame_sequence)
        return samples(*raw(photo))


class Pairs(DepthTest):
    def files(self, depth: DepthPicture) -> tuple[Path, Path]:
        """The map and the matte, written."""
        paths = self.folder / "map.png", self.folder / "matte.png"
        depth.map.write(paths[0], overwrite=True)
        present(depth.matte).write(paths[1], overwrite=True)
        return paths

    def test_every_distance_of_the_nearest_frame_is_in_the_map(self) -> None:
        moments: list[When] = [NOW, NEXT, past(0.2), no_older_than(0.05)]
        moments += [past(random.uniform(0, 0.4)) for _ in range(16)]
        for when in moments:
            with self.subTest(when):
                photo = self.bus.capture(when, "cam", settings=PhotoSettings(depth=Depth(matte=(NEAR, FAR))))
                depth = present(photo.depth)
                expected = self.frame(depth)
                self.assertGreater(len(numpy.unique(expected)), 5)
                for path, numbers, bits in zip(self.files(depth), (expected, matte_of(expected)), (16, 8)):
                    with PIL.Image.open(path) as image:
                        numpy.testing.assert_array_equal(numpy.array(image).astype(numpy.int32), numbers)
                    self.assertEqual(path.read_bytes()[24:26], bytes([bits, 0]), "its bits, and grey")
                self.assertEqual(set(numpy.unique(matte_of(expected))), {0, 255})
                self.assertEqual(depth.camera, "tof")
                self.assertEqual(
                    depth.difference_ns, depth.resolved.timestamp.monotonic_ns - photo.resolved.timestamp.monotonic_ns)
                self.assertLessEqual(abs(depth.difference_ns), INTERVAL)
                files = [(depth.map, messages.ASSET_PART_DEPTH), (present(depth.matte), messages.ASSET_PART_MATTE)]
                for file, part in files:
                    asset = present(file.asset)
                    self.assertEqual((asset.part, asset.camera, asset.request_id), (part, "tof", photo.request_id))
                kept = {asset.id for asset in self.bus.all_assets(request_id=photo.request_id)}
                self.assertEqual(kept, {present(file.asset).id for file in (*photo.files, *(file for file, _ in files))})

    def test_the_files_say_what_their_numbers_mean(self) -> None:
        paths = self.files(present(self.bus.capture(camera="cam", settings=PhotoSettings(depth=Depth(matte=(NEAR, FAR)))).depth))
        texts = []
        for path in paths:
            with PIL.Image.open(path) as image:
                texts.append({key: text for key, text in image.info.items() if str(key).startswith("Depth")})
        self.assertEqual(texts[0], {"DepthUnit": "metre", "DepthScale": "0.001"})
        self.assertEqual(texts[1], {"DepthUnit": "metre", "DepthNear": "0.75", "DepthFar": "2.5"})

    def test_distances_are_turned_but_not_scaled(self) -> None:
        photo = self.bus.capture(camera="cam", settings=PhotoSettings(rotation=90, mirrored=True, dimensions=(60, 80), depth=Depth(matte=(NEAR, FAR))))
        depth = present(photo.depth)
        expected = readers.turned(self.frame(depth), 90, True)
        for path, numbers in zip(self.files(depth), (expected, matte_of(expected))):
            with PIL.Image.open(path) as image:
                numpy.testing.assert_array_equal(numpy.array(image).astype(numpy.int32), numbers)

    def test_each_picture_of_a_burst_and_of_a_bracket_has_its_own(self) -> None:
        photos = list(self.bus.burst(8, camera="cam", settings=PhotoSettings(depth=Depth())))
        photos += self.bus.bracket([-1, 1], camera="cam", settings=PhotoSettings(depth=Depth()))
        for photo in photos:
            depth = present(photo.depth)
            self.assertIsNone(depth.matte)
            self.assertEqual(
                depth.difference_ns, depth.resolved.timestamp.monotonic_ns - photo.resolved.timestamp.monotonic_ns)
            self.assertLessEqual(abs(depth.difference_ns), INTERVAL)
        self.assertEqual(len(photos), 10)

    def test_a_photo_without_depth_has_none(self) -> None:
        self.assertIsNone(self.bus.capture(camera="cam").depth)

    def test_what_depth_cannot_be(self) -> None:
        for matte in ((1.0, 1.0), (2, 1), (-1, 1), (0, 65.536), (float("nan"), 1), (1,), "ab", 3):
            with self.subTest(matte), self.assertRaises(CameraBusError) as caught:
                self.bus.capture(camera="cam", settings=PhotoSettings(depth=Depth(matte)))  # type: ignore[arg-type]
            self.assertEqual(caught.exception.code, Code.INVALID_ARGUMENT)
        for camera, settings in (("cam", PhotoSettings(depth=Depth(), keep=False)), ("tof", PhotoSettings(depth=Depth())),
                                 ("cam", PhotoSettings(depth=Depth(), size="max"))):
            with self.subTest(settings), self.assertRaises(CameraBusError) as caught:
                self.bus.capture(camera=camera, settings=settings)
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, "capture.depth"))

    def test_the_capabilities_name_the_depth_camera(self) -> None:
        self.assertEqual(self.bus.capabilities("cam").depth_camera, "tof")
        self.assertEqual(self.bus.capabilities("tof").depth_camera, "")

    def test_the_asyncio_client_has_the_same(self) -> None:
        async def capture(control: str) -> Photo:
            async with AsyncCameraBus(control, timeout=30) as bus:
                return await bus.capture(camera="cam", settings=PhotoSettings(depth=Depth(matte=(NEAR, FAR))))

        depth = present(asyncio.run(capture(self.node.control)).depth)
        expected = self.frame(depth)
        with PIL.Image.open(self.files(depth)[0]) as image:
            numpy.testing.assert_array_equal(numpy.array(image).astype(numpy.int32), expected)


class OnTheCommandLine(DepthTest):
    def camctl(self, *arguments: object, status: int = 0) -> list[str]:
        """The lines that camctl prints: on stdout if it succeeds."""
        result = subprocess.run(
            [program("camctl"), *map(str, arguments), "--camera", "cam"], env={**os.environ, "CAMERABUS_NODE": self.node.control},
            capture_output=True, timeout=PATIENCE, check=False, text=True)
        self.assertEqual(result.returncode, status, result.stderr)
        return (result.stderr if status else result.stdout).splitlines()

    def test_the_files_lie_beside_the_photo(self) -> None:
        photo = self.folder / "still.jpg"
        lines = self.camctl("capture", "--depth", "--matte", f"{NEAR}-{FAR}", "--output", photo)
        names = ["still.jpg", "still.depth.png", "still.matte.png"]
        self.assertEqual([line.partition(": ")[0] for line in lines], [str(self.folder / name) for name in names])
        for line in lines[1:]:
            self.assertRegex(line, r": 200x150, [0-9.]+ KiB, of tof, [0-9.]+ (ms|us) (before|after) the photo$")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), sorted(names))
        numpy.testing.assert_array_equal(
            readers.read(self.folder / names[2]), matte_of(readers.read(self.folder / names[1])))

    def test_nothing_is_replaced_unless_asked_for(self) -> None:
        there = self.folder / "still.depth.png"
        there.write_text("mine")
        words = self.camctl("capture", "--depth", "--output", self.folder / "still.jpg", status=1)
        self.assertRegex(words[0], "still.depth.png exists")
        self.assertEqual(list(self.folder.iterdir()), [there], "no photo was taken")
        self.camctl("capture", "--depth", "--overwrite", "--output", self.folder / "still.jpg")
        self.assertEqual(readers.read(there).shape, (150, 200))

    def test_json_says_the_difference(self) -> None:
        [line] = self.camctl("capture", "--depth", "--json", "--output", self.folder)
        photo = json.loads(line)
        depth = photo["depth"]
        times = [part["resolved"]["timestamp"]["monotonicNanoseconds"] for part in (depth, photo)]
        self.assertEqual(depth["differenceNanoseconds"], times[0] - times[1])
        self.assertEqual(depth["camera"], "tof")
        self.assertEqual(depth["map"]["asset"]["part"], "depth")
        self.assertNotIn("matte", depth)
        self.assertEqual(depth["map"]["file"], photo["file"].removesuffix(".jpg") + ".depth.png")
        self.assertEqual(readers.read(Path(depth["map"]["file"])).shape, (150, 200))

    def test_a_burst_has_files_beside_each_photo(self) -> None:
        self.camctl("capture", "--burst", 3, "--depth", "--matte", "1-2", "--output", self.folder / "b%d.jpg")
        expected = [f"b{number}.{end}" for number in (1, 2, 3) for end in ("depth.png", "jpg", "matte.png")]
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), expected)

    def test_mistakes_are_told(self) -> None:
        for arguments in (["--matte", "1-2"], ["--depth", "--matte", "2-1"], ["--depth", "--matte", "1"],
                          ["--depth", "--transient"], ["--depth", "--size", "max"], ["--depth", "--output", "-"]):
            with self.subTest(arguments):
                self.camctl("capture", *arguments, status=64)

    def test_the_list_says_what_is_depth(self) -> None:
        self.camctl("capture", "--depth", "--matte", "1-2", "--output", self.folder)
        result = subprocess.run(
            [program("camctl"), "assets", "--camera", "tof"], env={**os.environ, "CAMERABUS_NODE": self.node.control},
            capture_output=True, timeout=PATIENCE, check=True, text=True)
        rows = result.stdout.splitlines()[1:3]
        self.assertEqual({part for row in rows for part in ("depth", "matte") if f"  {part}  " in row}, {"depth", "matte"})
        self.assertIn("depth camera  ", "\n".join(self.camctl("capabilities")))


if __name__ == "__main__":
    unittest.main()
