"""Tests shots of several nodes while the wall clock of their machine is changed. Only a guest's clock may be changed."""

import json
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import readers
import strips
from camerabus import CameraBus, CameraBusError, Code, Published, Range, Snapshot, at_monotonic, at_wall, messages
from programs import PATIENCE, PROGRAMS, Node

SECOND = 10 ** 9
CAMERA = "cam=synthetic:320x240@5"
TOPIC = "event/_node/shot/"


def step(seconds):
    """Changes the wall clock as somebody does who sets it."""
    time.clock_settime_ns(time.CLOCK_REALTIME, time.clock_gettime_ns(time.CLOCK_REALTIME) + seconds * SECOND)


class RigShots(unittest.TestCase):
    def nodes(self, *options):
        """Two nodes that take photos, and a client of each."""
        nodes = [self.enterContext(Node(CAMERA, options=options)) for _ in range(2)]
        buses = [self.enterContext(CameraBus(node.control, timeout=PATIENCE)) for node in nodes]
        for bus in buses:
            bus.capture(picture=False)
        return nodes, buses

    def steps(self, bus):
        """What a node has told of each shot, by the shot."""
        told = {}
        for event in bus.replay([Range(TOPIC, 1, 0)]).events:
            shot = messages.Event.FromString(event.payload).shot
            told.setdefault(shot.shot, []).append(shot.WhichOneof("body"))
        return told

    def check_ended(self, buses, *steps):
        """Each node has told these steps of its newest shot, and nothing is reserved."""
        for bus in buses:
            self.assertEqual(list(self.steps(bus).values())[-1], list(steps))
            self.assertFalse(bus.status().cameras[0].HasField("lease"))

    def check_moment(self, stamp, moment, picture):
        """A picture is that of its monotonic stamp, and of the moment. The emulated camera loses frames, but not for seconds."""
        self.assertEqual(strips.read_strip(readers.read(picture)).monotonic_ns, stamp)
        self.assertLess(abs(stamp - moment), SECOND)

    def test_step(self):
        """A wall clock that is changed between prepare and commit changes no picture's moment"""
        _, buses = self.nodes()
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        for seconds in (3, -3):
            with self.subTest(seconds=seconds):
                shot = bytes([seconds & 255] * 16)
                shots = [bus.prepare_shot(shot=shot, holder="rig", term=60) for bus in buses]
                step(seconds)
                self.addCleanup(step, -seconds)
                moment = time.monotonic_ns() + SECOND // 4
                captures = [part.begin_commit(at_monotonic(moment)) for part in shots]
                for number, capture in enumerate(captures):
                    photo = capture.photo()
                    picture = folder / f"{seconds} {number}.jpg"
                    picture.write_bytes(photo.data)
                    self.check_moment(photo.resolved.timestamp.monotonic_ns, moment, picture)
                    self.assertEqual(photo.resolved.offset_ns, photo.resolved.timestamp.monotonic_ns - moment)
                self.check_ended(buses, "prepared", "committed", "completed")

    def test_wall(self):
        """A moment of a wall clock that was changed meanwhile is refused, and the shot may be aborted"""
        _, buses = self.nodes("--clock-error", "5ms")
        shots = [bus.prepare_shot(shot=b"w" * 16, wall_error=0.01, term=60) for bus in buses]
        step(3)
        self.addCleanup(step, -3)
        for shot in shots:
            with self.assertRaises(CameraBusError) as caught:
                shot.begin_commit(at_wall(shot.prepared.now.wall_ns)).photo()
            self.assertEqual((caught.exception.code, caught.exception.reason), (Code.CONFLICT, messages.ERROR_REASON_NO_REFERENCE_CLOCK))
            self.assertIn("was changed", caught.exception.message)
        self.assertEqual([shot.abort() for shot in shots], [True, True])
        self.check_ended(buses, "prepared", "aborted")
        # The clock holds still now.
        shot = buses[0].prepare_shot(wall_error=0.01)
        self.assertLess(abs(shot.begin_commit(at_wall(shot.prepared.now.wall_ns)).photo().resolved.offset_ns), SECOND)

    def test_camctl(self):
        """A rig whose nodes' wall clock is changed while they take a shot takes it whole, and says when"""
        nodes, buses = self.nodes()
        words = [word for node in nodes for word in ("--node", node.control)]
        with buses[0].events() as monitor:
            while not isinstance(monitor.next(PATIENCE), Snapshot):
                pass
            for number, seconds in enumerate((3, -3, 3)):
                with self.subTest(number=number), tempfile.TemporaryDirectory() as folder:
                    command = [PROGRAMS / "camctl", "rig", "capture", *words, "--output", folder, "--json", "--timeout", f"{PATIENCE}s"]
                    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                    while not self.is_prepared(monitor.next(PATIENCE)):
                        self.assertIsNone(process.poll(), "the shot was not prepared")
                    step(seconds)
                    self.addCleanup(step, -seconds)
                    out, errors = process.communicate(timeout=PATIENCE)
                    self.assertEqual(process.returncode, 0, errors + out)
                    self.check_shot(json.loads(out), Path(folder))
                    self.check_ended(buses, "prepared", "committed", "completed")

    @staticmethod
    def is_prepared(notice):
        return isinstance(notice, Published) and notice.event.HasField("shot") and notice.event.shot.HasField("prepared")

    def check_shot(self, shot, folder):
        self.assertEqual((shot["outcome"], len(shot["parts"])), ("complete", 2))
        for part in shot["parts"]:
            picture = part["picture"]
            (file,) = picture["files"]
            stamp = picture["resolved"]["timestamp"]["monotonicNanoseconds"]
            readers.read.cache_clear()
            self.check_moment(stamp, shot["monotonicNanoseconds"], folder / file["name"])
            # All have this machine's monotonic clock, so the moments are known exactly.
            self.assertEqual((picture["earliestStartNanoseconds"], picture["latestStartNanoseconds"]), (stamp, stamp))
