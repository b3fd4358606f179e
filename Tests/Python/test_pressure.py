"""What a node does while its machine is hard pressed, with sensors that the test sets."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path

from camerabus import Code, Monitor, Published, messages
from expecting import present
from live import WithNode
from node import PATIENCE, Node, program

CAMERAS = ["front=synthetic:320x240@30,format=MJPG", "back=synthetic:320x240@30,format=MJPG"]


class Thermometer:
    """A thermal zone in a folder of its own, at which the kernel would switch off at 105 °C."""

    def __init__(self, root: Path):
        self.zone = root / "sys/class/thermal/thermal_zone0"
        self.zone.mkdir(parents=True)
        trips = {"type": "cpu-thermal", "trip_point_0_type": "passive", "trip_point_0_temp": "85000",
                 "trip_point_1_type": "critical", "trip_point_1_temp": "105000"}
        for name, word in trips.items():
            (self.zone / name).write_text(word + "\n")
        self.set(40)

    def set(self, celsius: int) -> None:
        # The node reads either the old file or the new one.
        (self.zone / "new").write_text(f"{celsius * 1000}\n")
        os.replace(self.zone / "new", self.zone / "temp")


class Pressure(WithNode):
    @classmethod
    def setUpClass(cls) -> None:
        """Each test has a node of its own."""

    def setUp(self) -> None:
        root = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.thermometer = Thermometer(root)
        self.node = self.enterContext(Node(*CAMERAS, options=["--pressure", root]))
        super().setUp()

    def level(self, monitor: Monitor, level: messages.PressureLevel.ValueType) -> messages.Pressure:
        """Waits until the pressure has this level."""
        while True:
            notice = present(monitor.next(PATIENCE))
            if isinstance(notice, Published) and notice.event.HasField("pressure"):
                self.assertEqual(notice.event.camera, "_node")
                if notice.event.pressure.level == level:
                    return notice.event.pressure

    def camctl(self, *arguments: str) -> str:
        return subprocess.run([program("camctl"), *arguments, "--node", self.node.control], capture_output=True,
                              text=True, timeout=PATIENCE, check=True).stdout

    def test_previews_are_thinned_and_come_back(self) -> None:
        with self.bus.events() as monitor:
            self.assert_snapshot(monitor)
            self.assertEqual(self.bus.status().pressure.level, messages.PRESSURE_LEVEL_NOMINAL)
            self.assertNotIn("pressure", self.camctl("status"))
            self.thermometer.set(81)
            fair = self.level(monitor, messages.PRESSURE_LEVEL_FAIR)
            self.assertEqual((fair.cause, fair.thinning), ("cpu-thermal is at 81.0 °C", 2))
            self.assertIn("the pressure on the machine is fair: cpu-thermal is at 81.0 °C", self.camctl("status"))
            status = json.loads(self.camctl("status", "--json"))["pressure"]
            self.assertEqual((status["level"], status["thinning"]), ("fair", 2))
            with self.bus.frames("front") as frames:
                # The first ones may have been on their way.
                numbers = [present(frames.next(30)).info.frame_sequence for _ in range(8)][3:]
            self.assertTrue(all(later - earlier >= 2 for earlier, later in zip(numbers, numbers[1:])), numbers)
            self.thermometer.set(40)
            self.assertEqual(self.level(monitor, messages.PRESSURE_LEVEL_NOMINAL).thinning, 1)

    def test_watch_says_why_frames_are_not_published(self) -> None:
        with self.bus.events() as monitor:
            self.assert_snapshot(monitor)
            self.thermometer.set(81)
            self.level(monitor, messages.PRESSURE_LEVEL_FAIR)
            report = self.watch("--json")
            told = json.loads(report)
            self.assertGreaterEqual(told["losses"]["omissions"]["pressure"], 8)
            self.assertGreaterEqual(told["losses"]["notPublished"], 8)
            self.assertEqual(told["pressure"]["level"], "fair")
            self.assertRegex(self.watch(), r"\n\d+ frames left out because of the pressure on the node's machine "
                                           r"\(cpu-thermal is at 81\.0 °C\)\n")
            (front, *_) = self.bus.status().cameras
            counted = {stream.name: stream.thinned_by_pressure for stream in front.streams}
            self.assertGreaterEqual(counted["preview"], 16)
            self.thermometer.set(40)
            self.level(monitor, messages.PRESSURE_LEVEL_NOMINAL)
            self.camctl("configure", "--camera", "front", "--stream", "preview=rate:10")
            self.assertRegex(self.watch(), r"\n\d+ frames left out to keep to the stream's rate of 10/s\n")
            self.camctl("configure", "--camera", "front", "--rate", "15")
            self.assertRegex(self.watch(), r"\n\d+ frames left out to keep to the camera's rate of 15/s\n")
            omissions = json.loads(self.watch("--json"))["losses"]["omissions"]
            self.assertEqual(omissions["pressure"], 0)
            self.assertGreater(omissions["streamRate"] + omissions["cameraRate"], 0)

    def watch(self, *options: str) -> str:
        return self.camctl("watch", "--camera", "front", "--count", "10", *options)

    def test_cameras_are_interrupted_and_those_that_record_last(self) -> None:
        with self.bus.events() as monitor:
            self.assert_snapshot(monitor)
            recording = self.bus.start_recording("front")
            self.thermometer.set(96)
            critical = self.level(monitor, messages.PRESSURE_LEVEL_CRITICAL)
            self.assertIn("96.0 °C", critical.cause)
            while True:  # the sessions are told after the monitors
                notice = present(monitor.next(PATIENCE))
                if isinstance(notice, Published) and notice.event.state.state == messages.SESSION_STATE_INTERRUPTED:
                    break
            front, back = self.bus.status().cameras
            self.assertEqual((front.state, back.state), (messages.SESSION_STATE_RUNNING, messages.SESSION_STATE_INTERRUPTED))
            self.assertEqual(back.interruption, messages.INTERRUPTION_REASON_SYSTEM_PRESSURE)
            self.assertTrue(self.assert_fails(Code.INTERRUPTED, self.bus.capture, camera="back").retryable)
            told = self.camctl("events", "--kind", "pressure", "--since", "1h", "--count", "1")
            self.assertIn("the pressure on the machine is critical: cpu-thermal is at 96.0 °C", told)
            self.thermometer.set(101)
            self.level(monitor, messages.PRESSURE_LEVEL_SHUTDOWN)
            while True:
                notice = present(monitor.next(PATIENCE))
                if isinstance(notice, Published) and notice.event.recording.HasField("finished"):
                    break
            movie = notice.event.recording
            self.assertEqual(movie.request_id, recording.recording)
            self.assertEqual(movie.finished.reason, messages.RecordResult.END_REASON_CAMERA_LOST)
            self.assertGreater(movie.finished.frames, 0)
