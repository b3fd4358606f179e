"""Tests that a hot machine interrupts its cameras, those that record last, on vivid."""

import contextlib
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from monitor import Monitor
from programs import Node, packets

SPEC = "v4l2:{},320x180@10,format=YUYV"


def level_of(event, level):
    return event["type"] == "pressure" and event["pressure"]["level"] == level


class Pressure(unittest.TestCase):
    def setUp(self):
        self.root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        zone = self.root / "sys/class/thermal/thermal_zone0"
        zone.mkdir(parents=True)
        for name, word in {"type": "soc", "trip_point_0_type": "critical", "trip_point_0_temp": "100000"}.items():
            (zone / name).write_text(word)
        self.temperature = zone / "temp"
        self.set(40)

    def set(self, celsius):
        new = self.root / "new"
        new.write_text(str(celsius * 1000))
        os.replace(new, self.temperature)

    def test_a_hot_machine(self):
        """Both cameras are closed in turn, the movie plays, and both come back by themselves"""
        cameras = ["front=" + SPEC.format("/dev/video0"), "back=" + SPEC.format("/dev/video1")]
        with Node(*cameras, options=["--pressure", self.root]) as node, Monitor(node) as monitor:
            devices = {camera["name"]: camera["device"]["location"] for camera in node.json("cameras")}
            (recording,) = node.json("record", "start", "--camera", "front")
            node.camctl("watch", "--camera", "front", "--stream", "raw", "--count", 5)
            self.set(91)
            trouble = monitor.trouble("back", 0, "91.0 °C")
            self.assertEqual(trouble["interruption"], "systemPressure")
            self.assertEqual(self.opened(node), [devices["front"]])
            self.assertEqual(node.json("status")[0]["pressure"]["level"], "critical")
            self.set(96)
            hot = monitor.trouble("front", 0, "96.0 °C")
            self.assertEqual(hot["interruption"], "systemPressure")
            (end,) = monitor.ends(recording["id"])
            self.assertEqual(end["movie"]["reason"], "cameraLost")
            movie = node.folder / "library" / end["movie"]["asset"]["path"]
            self.assertEqual(packets([movie]), end["movie"]["frames"])
            self.assertEqual(self.opened(node), [])
            self.set(40)
            monitor.ready("back", trouble)
            monitor.ready("front", hot)
            monitor.wait(0, lambda event: level_of(event, "nominal"))
            self.assertEqual(self.opened(node), sorted(devices.values()))

    def opened(self, node):
        """The cameras that the node has open."""
        return sorted({path for path in node.opened() if path.startswith("/dev/video")})

    def test_a_busy_processor(self):
        """Programs wait for the processor: the status shows it, and raises no level for that"""
        with Node("cam=" + SPEC.format("/dev/video0"), options=["--pressure", "on"]) as node, Monitor(node) as monitor:
            with contextlib.ExitStack() as load:
                for _ in range(3 * os.cpu_count()):
                    busy = load.enter_context(subprocess.Popen(["sh", "-c", "while :; do :; done"]))
                    load.callback(busy.kill)
                # The kernel's average over ten seconds follows after some of them.
                while (told := self.waiting_for_processor(node)) < 0.5:
                    pass
            self.assertAlmostEqual(told, self.kernels_share(), delta=0.3)
            # On a slow machine the node itself may be too late for its frames.
            causes = [item["pressure"].get("cause", "") for item in monitor.objects if item["type"] == "pressure"]
            self.assertFalse([cause for cause in causes if "programs wait" in cause], causes)

    def waiting_for_processor(self, node):
        return node.json("status")[0]["pressure"]["waiting"]["cpu"]

    def kernels_share(self):
        words = Path("/proc/pressure/cpu").read_text().split()
        return float(words[1].removeprefix("avg10=")) / 100
