"""Tests photos of vivid's test pattern in its formats and sizes, and of v4l2loopback's own JPEGs.
"""

import unittest

import readers
from bars import BARS, GREY_BARS, check_bars, developed
from camerabus import NEXT, CameraBus, PhotoSettings
from jpegs import without_facts
from loopback import feeding
from photo_files import raw, write
from programs import PATIENCE, Node, v4l2
from raw_pictures import PATTERNS, expected_picture, samples

# libv4lconvert converts RGBP. The formats behind it are delivered as the driver has them.
FORMATS = ["YUYV", "UYVY", "NV12", "YU12", "GREY", "RGB3", "BGR3", "RGBP", "BA81", "BA10", "RG12", "GB16", "Y10", "Y16"]
GREYS = {"GREY", "Y10", "Y12", "Y16", "Y16-BE"}
SIZES = [(640, 360), (1280, 720)]
# One for each way in which a file's samples are made of the driver's.
FILES = ["YUYV", "NV12", "422P", "RGB3", "GREY", "Y10", "Y12", "Y16", "Y16-BE", "BA81", "RG10", "GB12", "GR16"]
# In which the emulated processor also makes files that take long.
SLOW_FILES = {"NV12", "RG10"}


def bars(format):
    """Vivid's bars as photos of this format have them."""
    return GREY_BARS if format in GREYS else developed(BARS) if format in PATTERNS else BARS


class Photos(unittest.TestCase):
    def setUp(self):
        # Show the bars without text and with unchanged colours.
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=2,brightness=128,contrast=128,saturation=128,hue=0")

    def test_colours(self):
        """A photo has the test pattern's size and colours"""
        for format in FORMATS:
            for width, height in SIZES:
                with self.subTest(format=format, size=f"{width}x{height}"):
                    with Node(f"cam=v4l2:/dev/video0,{width}x{height}@10,format={format}") as node:
                        photo = node.folder / "photo.jpg"
                        node.camctl("capture", "--output", photo)
                        check_bars(self, photo, width, height, bars(format))

    def test_files(self):
        """Other people's programs find the driver's samples in each file of a photo"""
        for format in FILES:
            with self.subTest(format=format), Node(f"cam=v4l2:/dev/video0,320x180@10,format={format}") as node:
                outputs = ["jpeg", "png", "tiff", "raw"]
                outputs += (["dng"] if format in PATTERNS else []) + (["avif", "heic"] if format in SLOW_FILES else [])
                with CameraBus(node.control, timeout=PATIENCE) as bus:
                    photo = bus.capture(NEXT, settings=PhotoSettings(outputs, quality=95))
                paths = write(photo, node.folder, "photo")
                layout, data = raw(photo)
                self.assertEqual(layout.pixel_format, format)
                expected, rounding = expected_picture(layout, data)
                for ending in ("png", "tiff"):
                    self.assertLessEqual(readers.difference(readers.read(paths[ending]), expected), rounding, ending)
                if "dng" in paths:
                    self.assertEqual(readers.difference(readers.read(paths["dng"]), samples(layout, data)), 0)
                check_bars(self, paths["jpg"], 320, 180, bars(format))
                eight_bits = expected >> (8 if expected.max() > 255 else 0)
                for ending in sorted({"avif", "heic"} & paths.keys()):
                    # The middle of the bars.
                    found, sharp = (image[10:120, 20::40] for image in (readers.read(paths[ending]), eight_bits))
                    self.assertLessEqual(readers.difference(found, sharp), 3, ending)
                self.assertEqual(readers.complaints(path for ending, path in paths.items() if ending != "raw"), [])
                for ending in sorted({"tiff", "dng"} & paths.keys()):
                    readers.check_tiff(paths[ending])

    def test_passthrough(self):
        """A photo from an MJPEG camera is the camera's own JPEG, byte for byte but for the facts"""
        with feeding("/dev/video9", 640, 360) as images:
            with Node("cam=v4l2:/dev/video9,format=MJPG") as node:
                photo = node.folder / "photo.jpg"
                node.camctl("capture", "--output", photo)
                self.assertTrue(without_facts(photo.read_bytes()) in images, "it is another picture")
