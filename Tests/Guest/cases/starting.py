"""Tests that a camera starts as it is configured and as clients left it, on vivid, whose driver keeps what it is given."""

import random
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import vivid
from monitor import Monitor
from programs import Node, v4l2

DEVICE = "/dev/video0"


def values(*names):
    lines = v4l2(DEVICE, "--get-ctrl", ",".join(names)).splitlines()
    return [line.partition(": ")[2].split()[0] for line in lines]


class Starting(unittest.TestCase):
    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        usual = "brightness=128,contrast=128,hue=0,saturation=128,boolean=1,menu=3"
        v4l2(DEVICE, "--set-ctrl", usual)
        # The driver keeps what it was given, for the cases that follow too.
        self.addCleanup(v4l2, DEVICE, "--set-ctrl", usual)

    def node(self, *keys, remember=True):
        lines = ["cameras:", "  cam:", f"    source: v4l2:{DEVICE},640x360@10,format=YUYV", f"    remember: {remember}",
                 *(f"    {key}" for key in keys)]
        file = self.folder / "camerad.yaml"
        file.write_text("\n".join(lines) + "\n")
        return Node(options=["--config", file, "--library", self.folder / "library"])

    def camera(self, node):
        (camera,) = node.json("cameras")
        return camera

    def test_configuration(self):
        """A driver gets the controls of the configuration, and what it does not take is in the status"""
        keys = ["controls: {brightness: 33, menu: menu item 4, saturation: 900, nothing: 1, boolean: off}",
                "preset: hd3840x2160", "streams: {preview: {quality: 20}}", "capture: {rotation: 90}"]
        with self.node(*keys) as node:
            camera = self.camera(node)
            self.assertEqual(camera["state"], "running")
            self.assertEqual(sorted(refusal["setting"] for refusal in camera["refusals"]), ["nothing", "saturation"] if
                             camera["format"]["size"]["width"] == 3840 else ["nothing", "preset", "saturation"])
            self.assertEqual(values("brightness", "menu", "saturation", "boolean"), ["33", "4", "128", "0"])
            self.assertEqual(camera["configuration"]["capture"]["rotation"], 90)
            (photo,) = node.json("capture", "--output", self.folder / "photo.jpg")
            self.assertEqual(photo["resolved"]["orientation"]["rotation"], 90)

    def test_restart(self):
        """What clients have set is there again after a kill, though another program has changed it meanwhile"""
        with self.node("controls: {hue: 5}") as node:
            node.camctl("configure", "--format", "320x180@15", "--set", "brightness=77", "--preview-rotate", "180")
            node.camctl("controls", "set", "contrast=66")
            node.kill()
        v4l2(DEVICE, "--set-ctrl", "brightness=1,contrast=2,hue=3")
        with self.node("controls: {hue: 5}") as node:
            self.assertEqual(values("brightness", "contrast", "hue"), ["77", "66", "5"])
            camera = self.camera(node)
            self.assertEqual(camera["format"]["size"], {"width": 320, "height": 180})
            self.assertEqual(camera["configuration"]["preview"]["rotation"], 180)
            node.camctl("configure", "--forget")
        with self.node("controls: {hue: 5}") as node:
            self.assertEqual(self.camera(node)["format"]["size"], {"width": 640, "height": 360})
            # Nobody wants another one of the driver.
            self.assertEqual(values("brightness", "hue"), ["77", "5"])

    def test_replug(self):
        """A camera that is plugged in again gets both, and what it refuses is in the status until it takes it"""
        with self.node("controls: {hue: 5}") as node, Monitor(node) as monitor:
            node.camctl("controls", "set", "brightness=77")
            mark = monitor.mark()
            vivid.unbind()
            monitor.state("cam", mark, lambda state: state["state"] == "interrupted")
            vivid.bind()
            monitor.state("cam", mark, lambda state: state["state"] == "running")
            self.assertEqual(values("brightness", "hue"), ["77", "5"])
            self.assertEqual(self.camera(node)["refusals"], [])

    def test_cut_off(self):
        """A change of two controls that a kill cuts off is whole or undone in the driver too"""
        seed = random.SystemRandom().randrange(1 << 32)
        choose = random.Random(seed)
        before = ["128", "128"]
        for number in range(8):
            with self.node() as node:
                after = [str(choose.randrange(256)), str(choose.randrange(256))]
                change = subprocess.Popen(
                    node.command("controls", "set", f"brightness={after[0]}", f"contrast={after[1]}"),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(choose.uniform(0, 1.5))
                node.kill()
                change.terminate()
                change.wait()
            with self.node() as node:
                now = values("brightness", "contrast")
                self.assertIn(now, (before, after), f"seed {seed}, round {number}")
                before = now
                node.camctl("configure", "--forget")
