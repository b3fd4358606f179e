"""Opens the files of photos with other people's programs, for every pixel format of the synthetic camera."""

from __future__ import annotations

import itertools
import unittest
from pathlib import Path

import numpy

import readers
from camerabus import CameraBus, CameraBusError, Code, Photo, PhotoSettings
from expecting import present
from node import Node
from photo_files import BARS, ENDINGS, GREY_BARS, PICTURES, ending, raw, write
from raw_pictures import BITS, colors, expected_picture, samples
from readers import Picture, difference
from strips import read_strip

SIZE = (160, 120)
MOSAICS = ("RGGB", "RG10", "RG12", "pRCC", "RG16")
GREYS = ("GREY", "Y10", "Y12", "Y16")
COLORS = ("YUYV", "UYVY", "NV12", "YU12", "RGB3", "BGR3")
# Nothing but raw files is made of the last one.
FORMATS = ("MJPG", *COLORS, *MOSAICS, *GREYS, "Z16", "RGBP")


class EveryFormat(unittest.TestCase):
    """One photo in each pixel format, with all files that can be made of it."""

    photos: dict[str, Photo]
    paths: dict[str, dict[str, Path]]
    outputs: dict[str, list[str]]
    device_formats: set[str]
    bus: CameraBus

    @classmethod
    def setUpClass(cls) -> None:
        node = cls.enterClassContext(Node(*(
            f"{name}=synthetic:{SIZE[0]}x{SIZE[1]}@30,format={name},caption=off,quality=98" for name in FORMATS)))
        bus = cls.bus = cls.enterClassContext(CameraBus(node.control, timeout=60))
        cls.outputs, cls.photos, cls.paths = {}, {}, {}
        for name in FORMATS:
            kinds = bus.capabilities(name).pictures
            cls.outputs[name] = [ENDINGS[kind.media_type] for kind in kinds if not kind.switches_format]
            formats = [output.replace("jpg", "jpeg") for output in cls.outputs[name]]
            cls.photos[name] = bus.capture(camera=name, settings=PhotoSettings(formats, quality=95))
            cls.paths[name] = write(cls.photos[name], node.folder, name)
        cls.device_formats = {format.pixel_format for format in bus.capabilities(FORMATS[0]).formats}

    def picture(self, name: str, ending: str) -> Picture:
        return readers.read(self.paths[name][ending])

    def samples(self, name: str) -> Picture:
        return samples(*raw(self.photos[name]))

    def test_no_format_is_left_out(self) -> None:
        self.assertEqual(self.device_formats, set(FORMATS))
        for name in FORMATS:
            with self.subTest(name):
                expected = {"raw"}
                if name != "RGBP":
                    expected |= {*PICTURES, *(["dng"] if name in MOSAICS else [])}
                self.assertEqual(set(self.outputs[name]), expected)
                self.assertEqual([ending(file) for file in self.photos[name].files], self.outputs[name])

    def test_files_that_cannot_be_made_are_refused(self) -> None:
        for name, output in (*(("RGBP", output) for output in ("jpeg", "png", "tiff", "dng", "avif", "heic")),
                             ("RGB3", "dng"), ("MJPG", "dng"), ("Y16", "dng"), ("Z16", "dng")):
            with self.subTest(name, output=output), self.assertRaises(CameraBusError) as caught:
                self.bus.capture(camera=name, settings=PhotoSettings(["raw", output]))
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.UNSUPPORTED_FORMAT, "capture.outputs"))

    def test_no_reader_complains(self) -> None:
        paths = [path for paths in self.paths.values() for path in paths.values() if path.suffix != ".raw"]
        self.assertEqual(readers.complaints(paths), [])
        for path in paths:
            with self.subTest(path.name):
                if path.suffix in (".tiff", ".dng"):
                    readers.check_tiff(path)
                picture = readers.read(path)
                self.assertEqual(picture.shape[:2], SIZE[::-1])

    def test_all_files_of_a_photo_show_the_frame_of_the_answer(self) -> None:
        for name in FORMATS[:-1]:
            resolved = self.photos[name].resolved
            expected = (resolved.frame_sequence, resolved.timestamp.monotonic_ns)
            for output in self.outputs[name]:
                with self.subTest(name, output=output):
                    if output == "raw":
                        if name == "MJPG":
                            continue
                        picture = self.samples(name) if name in BITS else colors(*raw(self.photos[name]))
                    else:
                        picture = self.picture(name, output)
                    # White is the largest number in the strip, whose last cell may be black.
                    self.assertEqual(read_strip(picture, int(picture[SIZE[1] // 2:].max())), expected)

    def test_a_heic_is_of_the_profile_that_its_brand_promises(self) -> None:
        # GREY is left out: the node writes it as monochrome, in the profile of range extensions.
        paths = [self.paths[name]["heic"] for name in FORMATS if name not in ("GREY", "RGBP")]
        for path, file in readers.facts(paths).items():
            with self.subTest(path.name):
                main, main_still_picture = 1, 3
                self.assertEqual(file["QuickTime:MajorBrand"], "heic")
                self.assertIn(file["QuickTime:GeneralProfileIDC"], (main, main_still_picture))

    def test_the_bars_have_their_colors(self) -> None:
        width = SIZE[0] // len(BARS)
        for name in (*COLORS, *MOSAICS, *GREYS, "MJPG"):
            for output in PICTURES:
                with self.subTest(name, output=output):
                    picture = self.picture(name, output)
                    if output in ("png", "tiff") and BITS.get(name, 8) > 8:
                        picture = picture >> 8
                    # The middle of each bar, far from the edges that chroma and a mosaic's colours blur.
                    middle = picture[10:40, width // 2::width]
                    if name in GREYS:
                        expected = GREY_BARS if middle.ndim == 2 else GREY_BARS[:, None]
                    else:
                        expected = BARS
                    self.assertLessEqual(difference(middle, expected), 3)

    def test_distances_have_the_colors_of_the_specification(self) -> None:
        """Red at 0.25 m, and 48 degrees of hue more with every doubling; black is unknown"""
        distances = self.samples("Z16")[25, 10::20]
        hues = 48 * numpy.log2(distances.clip(1) / 250)
        self.assertGreater(hues[:-1].min(), 0)
        self.assertLess(hues.max(), 240)
        expected = numpy.stack([(2 - abs(hues - primary) / 60).clip(0, 1) * 255 for primary in (0, 120, 240)], axis=-1)
        expected[distances == 0] = 0
        for output in ("jpg", "avif", "heic"):
            with self.subTest(output):
                # A value of the palette is a degree of hue, which is up to 4 of 255 in a colour.
                self.assertLessEqual(difference(self.picture("Z16", output)[10:40, 10::20], expected), 3 + 4)

    def test_pictures_without_loss_are_exact(self) -> None:
        for name, output in itertools.product((*COLORS, *MOSAICS, *GREYS, "Z16"), ("png", "tiff")):
            with self.subTest(name, output=output):
                expected, rounding = expected_picture(*raw(self.photos[name]))
                self.assertLessEqual(difference(self.picture(name, output), expected), rounding)

    def test_a_png_says_how_many_bits_the_camera_has(self) -> None:
        names = (*GREYS, *MOSAICS, "Z16", "RGB3")
        found = readers.facts(self.paths[name]["png"] for name in names)
        for name in names:
            with self.subTest(name):
                file, bits = found[self.paths[name]["png"]], BITS.get(name, 8)
                depth, channels = 16 if bits > 8 else 8, 1 if name in (*GREYS, "Z16") else 3
                self.assertEqual(file["PNG:BitDepth"], depth)
                if name in MOSAICS:
                    # Colours on a curve are none of the camera's numbers.
                    self.assertNotIn("PNG:SignificantBits", file)
                    continue
                # It says so where the file has more bits.
                said = str(file.get("PNG:SignificantBits", " ".join([str(depth)] * channels)))
                self.assertEqual(said, " ".join([str(bits)] * channels))

    def test_a_dng_has_the_samples_of_the_sensor(self) -> None:
        for name in MOSAICS:
            with self.subTest(name):
                self.assertEqual(difference(self.picture(name, "dng"), self.samples(name)), 0)

    def test_the_jpeg_of_a_camera_is_its_own(self) -> None:
        path = self.paths["MJPG"]["raw"].with_suffix(".own.jpg")
        layout, data = raw(self.photos["MJPG"])
        path.write_bytes(data)
        self.assertEqual((layout.pixel_format, layout.bytes_per_line), ("MJPG", 0))
        own = readers.read(path)
        self.assertEqual(difference(self.picture("MJPG", "jpg"), own), 0)
        for output in ("png", "tiff"):
            self.assertEqual(difference(self.picture("MJPG", output), own), 0)

    def test_the_bytes_of_rgb565_are_the_bars(self) -> None:
        layout, data = raw(self.photos["RGBP"])
        words = numpy.frombuffer(data, "<u2").reshape(layout.size.height, layout.bytes_per_line // 2)
        found = numpy.stack([words >> 11 << 3, (words >> 5 & 63) << 2, (words & 31) << 3], axis=-1).astype(numpy.int32)
        self.assertLess(difference(found[10:40, 10:SIZE[0]:20], BARS), 8)


if __name__ == "__main__":
    unittest.main()
