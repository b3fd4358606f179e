"""Photos of vivid's test pattern in its formats and sizes, and the camera's own JPEGs from v4l2loopback."""

import unittest

from camerabus import Node, decode, v4l2
from loopback import feeding

# Vivid's 75 % colour bars from left to right.
BARS = [(191, 191, 191), (191, 191, 0), (0, 191, 191), (0, 191, 0),
        (191, 0, 191), (191, 0, 0), (0, 0, 191), (0, 0, 0)]
# The same as vivid's grey format has them: Rec. 709 luma.
GREY_BARS = [(luma, luma, luma) for luma in (190, 176, 149, 136, 54, 40, 13, 0)]

# The last two are for libv4lconvert to convert.
FORMATS = ["YUYV", "UYVY", "NV12", "YU12", "GREY", "RGB3", "BGR3", "RGBP", "BA81"]
SIZES = [(640, 360), (1280, 720)]


class Photos(unittest.TestCase):
    def setUp(self):
        # No text over the bars, and their colours as they are.
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=2,brightness=128,contrast=128,saturation=128,hue=0")

    def test_colours(self):
        """a photo has the test pattern's size and colours"""
        for format in FORMATS:
            for width, height in SIZES:
                with self.subTest(format=format, size=f"{width}x{height}"):
                    with Node(f"cam=v4l2:/dev/video0,{width}x{height}@10,format={format}") as node:
                        photo = node.folder / "photo.jpg"
                        node.camctl("capture", "--output", photo)
                        self.check(photo, width, height, GREY_BARS if format == "GREY" else BARS)

    def check(self, photo, width, height, bars):
        actual_width, actual_height, pixel = decode(photo)
        self.assertEqual((actual_width, actual_height), (width, height))
        bar = width // len(bars)
        for index, expected in enumerate(bars):
            # Off the edges, where chroma subsampling blends the neighbours.
            for x in range(index * bar + bar // 4, (index + 1) * bar - bar // 4, bar // 8):
                for y in (8, height // 2, height - 9):
                    actual = pixel(x, y)
                    distance = max(abs(a - b) for a, b in zip(actual, expected))
                    self.assertLessEqual(distance, 10, f"{actual} for {expected} at {x},{y}")

    def test_passthrough(self):
        """a photo from an MJPEG camera is the camera's own, byte for byte"""
        with feeding("/dev/video9", 640, 360) as images:
            with Node("cam=v4l2:/dev/video9,format=MJPG") as node:
                photo = node.folder / "photo.jpg"
                node.camctl("capture", "--output", photo)
                self.assertIn(photo.read_bytes(), images)
