"""Tests phases and movies of a rig with the cameras of a driver, whose frames begin with their streams."""

import json
import subprocess
import unittest

from camerabus import NEXT, CameraBus, movie_frames
from programs import PATIENCE, PROGRAMS, Node

MS = 1_000_000
RATE = 5
# The driver's clock ticks every 4 ms, and the emulated processor is late.
TOLERANCE = 40 * MS


def pace(bus, camera):
    """How the camera's frames follow each other, which is known after some of them."""
    while True:
        (status,) = bus.status(camera).cameras
        if status.HasField("pace"):
            return status.pace
        bus.capture(camera=camera, when=NEXT, picture=False)


class RigPhase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.node = cls.enterClassContext(Node(*(f"cam{number}=v4l2:/dev/video{number},320x180@{RATE},format=YUYV" for number in (0, 1))))
        with CameraBus(cls.node.control, timeout=PATIENCE) as bus:
            for camera in ("cam0", "cam1"):
                bus.capture(camera=camera, picture=False)

    def rig(self, verb, *words):
        done = subprocess.run(
            [PROGRAMS / "camctl", "rig", verb, "--node", self.node.control, "--json", "--timeout", f"{PATIENCE}s", *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def test_align(self):
        """Two cameras of a driver get a common phase, within what its clock and the guest allow"""
        with CameraBus(self.node.control, timeout=PATIENCE) as bus:
            # Half an interval apart.
            first = pace(bus, "cam0")
            moment = first.newest.monotonic_ns + round(first.interval_ns * 10.5)
            bus.start_session("cam1", at_monotonic_ns=moment)
        alignment = self.rig("align", "--tolerance", f"{TOLERANCE}ns", "--tries", "8")
        self.assertEqual([part["isAligned"] for part in alignment["parts"]], [True, True], alignment)
        self.assertGreater(abs(alignment["parts"][1]["before"]["leastNanoseconds"]), TOLERANCE)
        self.assertGreater(alignment["parts"][1]["restarts"], 0)

    def test_record(self):
        """Movies of two cameras of a driver begin and end with the frames nearest two moments"""
        folder = self.node.folder / "take"
        recording = self.rig("record", "--duration", "4s", "--output", folder)
        interval = 10 ** 9 // RATE
        for part in recording["parts"]:
            movie = part["movie"]
            frames = list(movie_frames(folder / movie["files"][0]["name"]))
            self.assertEqual(len(frames), movie["frames"])
            for frame, said, moment in (
                    (frames[0], movie["first"], "fromMonotonicNanoseconds"), (frames[-1], movie["last"], "untilMonotonicNanoseconds")):
                self.assertEqual(frame.monotonic_ns, said["time"]["timestamp"]["monotonicNanoseconds"])
                # The guest's slow processor loses frames.
                self.assertLess(abs(frame.monotonic_ns - recording[moment]), interval * (movie["dropped"] + 2))
