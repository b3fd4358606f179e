"""Tests of the zoom that the node makes of vivid, which has none, by the pixels of photos and of a movie."""

import subprocess
import unittest

from programs import PATIENCE, Node, v4l2


class Zoom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # A scene without any motion: each picture can be told from any other.
        v4l2("/dev/video0", "--set-ctrl", "osd_text_mode=2,test_pattern=0")
        cls.node = cls.enterClassContext(Node("cam=v4l2:/dev/video0,320x180@10,format=YUYV"))

    def luma(self, source, *filters):
        """The luma of all pictures in a file, as ffmpeg decodes them and scales what it has cropped."""
        data = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(source), "-vf", ",".join([*filters, "format=gray"]), "-f", "rawvideo", "-fps_mode",
             "passthrough", "-"], capture_output=True, check=True, timeout=PATIENCE).stdout
        return [data[start:start + 320 * 180] for start in range(0, len(data), 320 * 180)]

    def difference(self, one, other):
        self.assertEqual((len(one), len(other)), (320 * 180, 320 * 180))
        return sum(abs(a - b) for a, b in zip(one, other)) / len(one)

    def photo(self, name):
        path = self.node.folder / f"{name}.jpg"
        self.node.camctl("capture", "--quality", 100, "--output", path)
        return path

    def test_photos(self):
        """A photo at zoom 2 is the middle of one at zoom 1, enlarged"""
        self.node.camctl("controls", "set", "zoom=1")
        whole = self.photo("whole")
        *_, effect = self.node.json("controls", "set", "zoom=2")
        self.assertEqual(effect["effect"]["basis"], "metadata")
        (zoomed,) = self.luma(self.photo("zoomed"))
        (expected,) = self.luma(whole, "crop=160:90:80:45:exact=1", "scale=320:180:flags=bilinear+accurate_rnd")
        self.assertLess(self.difference(zoomed, expected), 1.5)
        self.assertGreater(self.difference(zoomed, self.luma(whole)[0]), 10)

    def test_movie(self):
        """A movie is zoomed smoothly, and ends at the target"""
        self.node.camctl("controls", "set", "zoom=1")
        movie = self.node.folder / "zoom.mkv"
        self.node.camctl("record", "start")
        (zoom,) = self.node.json("controls", "set", "zoom=4", "--ramp", 2)
        self.assertEqual(zoom["rampingTo"], 4)
        while "rampingTo" in self.node.json("controls", "get", "zoom")[0]:
            self.node.camctl("watch", "--count", 1)
        self.node.camctl("watch", "--count", 3)
        self.node.camctl("record", "stop", "--output", movie)
        pictures = self.luma(movie)
        (last,) = self.luma(self.photo("last"))
        self.assertLess(self.difference(pictures[-1], last), 2)
        steps = [self.difference(one, other) for one, other in zip(pictures, pictures[1:])]
        self.assertGreater(sum(step > 1 for step in steps), 5, steps)


if __name__ == "__main__":
    unittest.main()
