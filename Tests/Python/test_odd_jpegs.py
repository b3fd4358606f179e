"""Tests that JPEGs of every colour model and subsampling are pictures, as other programs decode them."""

import io
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy
from PIL import Image

from camerabus import CameraBus, PhotoSettings

from node import Node

SIZE = (320, 240)
SAMPLINGS = {"4:1:0": "4x2", "4:4:1": "1x4", "4:2:0 of odd factors": "2x2,1x2,1x2"}


def picture() -> Image.Image:
    y, x = numpy.mgrid[0:SIZE[1], 0:SIZE[0]]
    levels = numpy.stack([x * 255 // SIZE[0], y * 255 // SIZE[1], 255 - x * 255 // SIZE[0]], axis=-1)
    return Image.fromarray(levels.astype(numpy.uint8))


def sampled(factors: str) -> bytes:
    pixels = io.BytesIO()
    picture().save(pixels, "PPM")
    return subprocess.run(
        ["cjpeg", "-quality", "90", "-sample", factors], input=pixels.getvalue(), capture_output=True, check=True).stdout


def saved(image: Image.Image, **options: object) -> bytes:
    data = io.BytesIO()
    image.save(data, "JPEG", quality=90, **options)
    return data.getvalue()


class OddPictures(unittest.TestCase):
    def check(self, jpeg: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "1.jpg").write_bytes(jpeg)
            with Node(f"cam=files:{folder},@10") as node, CameraBus(node.control) as bus:
                photo = bus.capture(settings=PhotoSettings(["png"], keep=False))
                made = numpy.asarray(Image.open(io.BytesIO(photo.data or b"")).convert("RGB")).astype(int)
                wanted = numpy.asarray(Image.open(io.BytesIO(jpeg)).convert("RGB")).astype(int)
                # Decoders interpolate chroma in different ways.
                self.assertLess(numpy.abs(made - wanted).mean(), 4)
                with bus.frames(stream="160x120") as frames:
                    small = numpy.asarray(Image.open(io.BytesIO(next(iter(frames)).data)).convert("RGB")).astype(int)
                self.assertLess(numpy.abs(small - wanted[::2, ::2]).mean(), 8)
                turned = bus.capture(settings=PhotoSettings(rotation=90, keep=False))
                made = numpy.asarray(Image.open(io.BytesIO(turned.data or b"")).convert("RGB")).astype(int)
                self.assertLess(numpy.abs(made - numpy.rot90(wanted, -1)).mean(), 4)

    def test_rgb(self) -> None:
        self.check(saved(picture(), keep_rgb=True, subsampling="4:4:4"))

    def test_print_colours(self) -> None:
        self.check(saved(picture().convert("CMYK")))

    def test_rare_subsamplings(self) -> None:
        for name, factors in SAMPLINGS.items():
            with self.subTest(name):
                self.check(sampled(factors))


if __name__ == "__main__":
    unittest.main()
