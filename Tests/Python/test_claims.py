"""Holds what files of sensors' pictures claim about their colours against their numbers, with other people's programs."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path

import numpy

import readers
from camerabus import CameraBus, CameraBusError, Code, PhotoSettings
from node import Node
from photo_files import PICTURES, write
from readers import Picture

SIZE = (160, 120)
BLACK = 64
# The wall of a scene is grey, between a dark corner and a white one, or beside a red door.
WALL = 128


def light(code: float) -> float:
    """The share of light that is a code of sRGB (IEC 61966-2-1)."""
    value = code / 255
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def sensor(code: float) -> int:
    """The sample of a sensor of 10 bits whose black is 64."""
    return round(BLACK + light(code) * (1023 - BLACK))


def scene(door: tuple[int, int, int]) -> bytes:
    """A raw frame of a wall with a door and a black and a white edge, by a sensor with RGGB."""
    colors = numpy.full((SIZE[1], SIZE[0], 3), sensor(WALL), "<u2")
    colors[:, 100:140] = [sensor(code) for code in door]
    colors[:, 140:150], colors[:, 150:] = sensor(0), 1023
    mosaic = colors[..., 1].copy()
    mosaic[::2, ::2], mosaic[1::2, 1::2] = colors[::2, ::2, 0], colors[1::2, 1::2, 2]
    return mosaic.tobytes()


def developed(path: Path) -> Picture:
    """A DNG as dcraw develops it with the white balance of the camera, by a curve that it is told."""
    # 2.4 and 12.92 are sRGB's curve; -W leaves the brightness as it is.
    return readers.portable(readers.run("dcraw", "-w", "-W", "-g", "2.4", "12.92", "-c", path))


class Claims(unittest.TestCase):
    """Two photos of one wall, with a red and with a blue door."""

    DOORS = ((200, 20, 20), (20, 20, 200))
    paths: list[dict[str, Path]]

    @classmethod
    def setUpClass(cls) -> None:
        folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        for index, door in enumerate(cls.DOORS):
            (folder / f"{index}.raw").write_bytes(scene(door))
        cameras = [f"cam{index}=files:{folder}/{index}.raw,160x120@10,format=RG10,black={BLACK}/1023" for index in range(2)]
        node = cls.enterClassContext(Node(*cameras))
        bus = cls.enterClassContext(CameraBus(node.control, timeout=60))
        outputs = ["jpeg", "png", "tiff", "dng", "avif", "heic"]
        cls.paths = [write(bus.capture(camera=f"cam{index}", settings=PhotoSettings(outputs, quality=98)), node.folder, f"wall{index}")
                     for index in range(2)]

    def wall(self, picture: Picture) -> Picture:
        return picture[20:100, 10:90].reshape(-1, 3)

    def test_grey_of_the_scene_is_the_same_grey_in_every_file(self) -> None:
        for index, ending in ((index, ending) for index in range(2) for ending in PICTURES):
            with self.subTest(index, ending=ending):
                picture = readers.read(self.paths[index][ending])
                picture = picture >> 8 if picture.max() > 255 else picture
                self.assertLessEqual(numpy.abs(self.wall(picture) - WALL).max(), 2)
                # A covered sensor is black, and a full one is white.
                self.assertLessEqual(picture[20:100, 144:146].max(), 4)
                self.assertGreaterEqual(picture[20:100, 154:156].min(), 251)

    def test_the_same_wall_develops_to_the_same_grey(self) -> None:
        walls = [self.wall(developed(self.paths[index]["dng"])) for index in range(2)]
        for wall in walls:
            self.assertLessEqual(numpy.abs(wall - WALL).max(), 2)

    def test_files_say_what_their_colors_are(self) -> None:
        found = readers.facts(path for paths in self.paths for path in paths.values())
        for path, file in found.items():
            with self.subTest(path.name):
                uncalibrated = 65535
                self.assertEqual(file["ExifIFD:ColorSpace"], uncalibrated if path.suffix == ".dng" else 1)
                if path.suffix == ".dng":
                    self.assertEqual((file["IFD0:AsShotNeutral"], file["IFD0:BlackLevel"]), ("1 1 1", BLACK))
                    self.assertEqual((file["IFD0:WhiteLevel"], file["IFD0:BaselineExposure"]), (1023, 0))
                if path.suffix == ".png":
                    self.assertIn("PNG:SRGBRendering", file)
                    self.assertNotIn("PNG:Gamma", file)


class Numbers(unittest.TestCase):
    """Grey and distances have the camera's numbers, which no colour space explains."""

    def test_numbers_are_not_called_srgb(self) -> None:
        formats = ("Y16", "Z16", "GREY", "RGB3")
        with (Node(*(f"{name}=synthetic:160x120@30,format={name}" for name in formats)) as node,
              CameraBus(node.control, timeout=60) as bus):
            for name in formats:
                photo = bus.capture(camera=name, settings=PhotoSettings(["png", "tiff"]))
                for path, file in readers.facts(write(photo, node.folder, name).values()).items():
                    with self.subTest(path.name):
                        self.assertEqual(file["ExifIFD:ColorSpace"], 1 if name == "RGB3" else 65535)
                        self.assertEqual("PNG:SRGBRendering" in file, name == "RGB3" and path.suffix == ".png")

    def test_a_format_without_a_mosaic_has_no_raw_colors(self) -> None:
        with Node("cam=synthetic:160x120@30,format=Y16,black=4096/65535") as node, CameraBus(node.control, timeout=60) as bus:
            with self.assertRaises(CameraBusError) as caught:
                bus.capture(camera="cam", settings=PhotoSettings(["dng"]))
            self.assertEqual(caught.exception.code, Code.UNSUPPORTED_FORMAT)


if __name__ == "__main__":
    unittest.main()
