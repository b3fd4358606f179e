"""Tests of controls with a meaning and of the first frame that a change affects, on vivid."""

import json
import subprocess
import time
import unittest

from programs import PATIENCE, PROGRAMS, Node, output_of, v4l2


class Meanings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node("cam=v4l2:/dev/video0,320x180@10,format=YUYV"))

    def controls_set(self, *settings):
        """The controls that were set, and the effect."""
        *controls, effect = self.node.json("controls", "set", *settings)
        return controls, effect["effect"]

    def brightness(self, movie):
        """How bright the middle of each frame of a movie is, as ffmpeg decodes it."""
        data = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", str(movie), "-vf", "crop=160:90,scale=1:1:flags=area", "-pix_fmt", "gray", "-f", "rawvideo",
             "-fps_mode", "passthrough", "-"], capture_output=True, check=True, timeout=PATIENCE).stdout
        return list(data)

    def test_brightness(self):
        """The frame that is named is the first one of a movie that is brighter, by its pixels"""
        for value in (40, 200, 90):
            movie = self.node.folder / f"{value}.mkv"
            self.node.camctl("record", "start")
            _, effect = self.controls_set(f"brightness={value}")
            self.assertEqual(effect["basis"], "picture", effect)
            self.node.camctl("watch", "--count", 3)
            self.node.camctl("record", "stop", "--output", movie)
            listed = output_of(PROGRAMS / "camctl", "frames", movie, "--json").splitlines()
            numbers = [json.loads(line)["sequence"] for line in listed]
            light = self.brightness(movie)
            self.assertEqual(len(light), len(numbers))
            steps = [number for number, old, new in zip(numbers[1:], light, light[1:]) if abs(new - old) > 3]
            self.assertEqual(steps, [effect["effectiveFrame"]], (light, numbers, effect))

    def test_a_change_of_nothing(self):
        """A value that the camera has already is in every frame"""
        self.controls_set("brightness=77")
        _, effect = self.controls_set("brightness=77")
        self.assertEqual(effect["basis"], "unchanged", effect)

    def test_gain(self):
        """A share of the range switches the automatic gain off"""
        v4l2("/dev/video0", "--set-ctrl", "gain_automatic=1")
        self.node.camctl("controls", "set", "--no-effect", "exposure.gain=0.5")
        controls = v4l2("/dev/video0", "--get-ctrl", "gain,gain_automatic").split()
        self.assertEqual(controls[-1], "0", controls)
        (gain,) = self.node.json("controls", "get", "exposure.gain")
        self.assertAlmostEqual(gain["value"], 0.5, delta=gain["range"]["step"])

    def gain(self):
        return int(v4l2("/dev/video0", "--get-ctrl", "gain").split()[-1])

    def test_a_locked_exposure(self):
        """It holds the gain that the automatic has now, and not the last one that was set by hand"""
        v4l2("/dev/video0", "--set-ctrl", "gain_automatic=0")
        v4l2("/dev/video0", "--set-ctrl", f"gain={(self.gain() + 128) % 256}")
        self.assertIn("locked", self.node.camctl("controls", "get", "exposure.mode"))
        self.node.camctl("controls", "set", "exposure.mode=auto")
        # vivid's automatic gain counts seconds.
        start, before = time.monotonic(), self.gain()
        self.node.camctl("controls", "set", "exposure.mode=locked")
        held, passed = self.gain(), time.monotonic() - start
        self.assertLessEqual((held - before) % 256, passed + 1)
        # Some seconds of its 10 frames a second.
        self.node.camctl("watch", "--count", 30)
        self.assertEqual(self.gain(), held)
        controls = v4l2("/dev/video0", "--get-ctrl", "gain_automatic").split()
        self.assertEqual(controls[-1], "0", controls)

    def test_capabilities(self):
        """What vivid cannot do is said beforehand, and refused"""
        (able,) = self.node.json("capabilities")
        names = [control["id"] for control in able["controls"]]
        self.assertIn("exposure.gain", names)
        self.assertNotIn("focus.position", names)
        self.assertFalse(able["saysFacts"])
        failed = self.node.try_camctl("controls", "set", "focus.position=0.5")
        self.assertNotEqual(failed.returncode, 0, failed.stdout)


if __name__ == "__main__":
    unittest.main()
