"""Tests photos of vivid's test pattern in its formats and sizes, and of v4l2loopback's own JPEGs.
"""

import unittest

from bars import BARS, GREY_BARS, check_bars
from programs import Node, v4l2
from loopback import feeding

# libv4lconvert converts RGBP. The formats behind it are delivered as the driver has them.
FORMATS = ["YUYV", "UYVY", "NV12", "YU12", "GREY", "RGB3", "BGR3", "RGBP", "BA81", "BA10", "RG12", "GB16", "Y10", "Y16"]
GREYS = {"GREY", "Y10", "Y16"}
SIZES = [(640, 360), (1280, 720)]


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
                        check_bars(self, photo, width, height, GREY_BARS if format in GREYS else BARS)

    def test_passthrough(self):
        """A photo from an MJPEG camera is the camera's own JPEG, byte for byte"""
        with feeding("/dev/video9", 640, 360) as images:
            with Node("cam=v4l2:/dev/video9,format=MJPG") as node:
                photo = node.folder / "photo.jpg"
                node.camctl("capture", "--output", photo)
                self.assertIn(photo.read_bytes(), images)
