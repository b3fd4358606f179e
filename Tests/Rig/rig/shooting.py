"""Shots of a rig, and what they say of time beside the truth, which is in the pictures."""

import json
import math
import os
import subprocess
import tempfile
import threading
from fractions import Fraction
from pathlib import Path

import readers
import strips
from camerabus import CameraBus
from harness.record import PATIENCE

from .estimates import SECOND
from .node import PROGRAMS


class Part:
    """What a shot says of one camera: the picture, and when it was taken on the controller's clock, with the bound of that
    moment's error, in nanoseconds.
    """

    def __init__(self, name, file, moment, error):
        self.name, self.file, self.moment, self.error = name, file, moment, error


class Shot:
    """What a shot says: the moment that was asked for, its parts, and by how much they differ at least and at most."""

    def __init__(self, moment, parts, least_skew, most_skew):
        self.moment, self.parts = moment, parts
        self.least_skew, self.most_skew = least_skew, most_skew


class Series:
    """Shots that one `camctl` took: with their folders, the processors' time that it used, in seconds, and its most memory,
    in bytes.
    """

    def __init__(self, shots, seconds, memory):
        self.shots, self.seconds, self.memory = shots, seconds, memory


class RigCaptures:
    """Takes shots by `camctl rig capture`, and many by `camctl rig series`."""

    def __init__(self, members, folder):
        self._members = members
        self._file = folder / "rig.yaml"
        nodes = [{"node": member.control, "name": member.name, "cameras": [{"camera": "cam", "name": member.name}]}
                 for member in members]
        self._file.write_text(json.dumps({"name": "trial", "nodes": nodes}))  # JSON is YAML

    def command(self, folder, patience=PATIENCE):
        return [str(PROGRAMS / "camctl"), "rig", "capture", "--rig", str(self._file), "--output", str(folder), "--json",
                "--timeout", f"{patience}s", "--node-timeout", f"{patience}s"]

    def shot(self, folder):
        """Takes a shot whose pictures go to a folder."""
        done = subprocess.run(
            self.command(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=2 * PATIENCE)
        assert done.returncode == 0, f"camctl rig capture ended with {done.returncode}: {done.stderr}{done.stdout}"
        return self._shot(json.loads(done.stdout), folder)

    def series(self, folder, count, every):
        """Takes so many shots, one every so many seconds."""
        command = [str(PROGRAMS / "camctl"), "rig", "series", "--rig", str(self._file), "--output", str(folder), "--json",
                   "--timeout", f"{PATIENCE}s", "--count", str(count), "--every", f"{every}s"]
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
            with Memory(subprocess.Popen(command, stdout=out, stderr=errors)) as memory:
                _, status, used = os.wait4(memory.process.pid, 0)
                memory.process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            errors.seek(0)
            told = out.read()
            assert status == 0, f"camctl rig series ended with {memory.process.returncode}: {errors.read()}{told}"
        lines = told.splitlines()
        assert len(lines) == count, f"{len(lines)} of {count} shots were told"
        folders = [folder / f"{number:04}" for number in range(1, count + 1)]
        shots = [self._shot(json.loads(line), place) for line, place in zip(lines, folders)]
        return Series(shots, used.ru_utime + used.ru_stime, memory.most)

    def _shot(self, shot, folder):
        assert shot == json.loads((folder / "shot.json").read_text()), "shot.json is another shot"
        parts = [self._part(part, folder) for part in shot["parts"]]
        # One picture has no skew.
        skew = shot.get("skew", {"leastNanoseconds": 0, "mostNanoseconds": 0})
        return Shot(shot["monotonicNanoseconds"], parts, skew["leastNanoseconds"], skew["mostNanoseconds"])

    @staticmethod
    def _part(part, folder):
        picture = part["picture"]
        earliest, latest = picture["earliestStartNanoseconds"], picture["latestStartNanoseconds"]
        (file,) = picture["files"]
        return Part(part["camera"], folder / file["name"], (earliest + latest) / 2, (latest - earliest) / 2)


class Memory:
    """The most memory that a process has used inside a `with` statement. The kernel's own count for a process that has ended has
    that of this program too.
    """

    def __init__(self, process):
        self.process, self.most, self._is_over = process, 0, threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self):
        # A process that has ended, and is not waited for yet, has no such line.
        while not self._is_over.wait(0.05):
            try:
                lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
            except OSError:
                return
            for line in lines:
                if line.startswith("VmHWM:"):
                    self.most = int(line.split()[1]) * 1024

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()


class Camera:
    """A synthetic camera whose frames are exposed at known moments: multiples of its interval and its phase."""

    def __init__(self, rate, phase, options=""):
        self.rate, self.phase, self._options = rate, phase, options

    @property
    def specification(self):
        return f"synthetic:320x240@{self.rate},phase={self.phase}ns{self._options}"

    @property
    def interval(self):
        return SECOND / Fraction(self.rate)

    def moment(self, file):
        """When the picture in a file was taken, on the node's clock in nanoseconds.

        The strip in the picture has the stamp that the camera gave it. The camera's own clock may be wrong by less than half an
        interval: the frame is that of the nearest tick.
        """
        stamp = strips.read_strip(readers.read(file)).monotonic_ns
        tick = round((stamp - self.phase) / self.interval)
        return self.phase + math.ceil(tick * self.interval)


class Untrue(Exception):
    """A shot says something of time that is not true."""


class Losses:
    """Which cameras have lost frames since this was made, as a busy machine makes them. Then the nearest frame to a moment may
    be one that nobody has.
    """

    def __init__(self, members):
        self._old = {member.name: self._count(member) for member in members}

    def include(self, member):
        return self._count(member) > self._old[member.name]

    @staticmethod
    def _count(member):
        with CameraBus(member.control, timeout=PATIENCE) as bus:
            frames = bus.status().cameras[0].frames
        return frames.lost_by_camera + frames.skipped + frames.pool_exhausted


def check_shot(shot, members, cameras, losses, blur=0):
    """Checks what a shot says by its pictures. Returns the true moments, on the controller's clock.

    `blur` is by how many nanoseconds less the controller may have known a clock before the shot than it does after it.
    """
    truths = []
    assert [part.name for part in shot.parts] == [member.name for member in members], "parts are missing"
    for part, member, camera in zip(shot.parts, members, cameras):
        truth = camera.moment(part.file) - member.offset
        if abs(truth - part.moment) > part.error:
            raise Untrue(f"{part.name}: was taken {truth - part.moment} ns after the moment that is said, with ±{part.error} ns")
        # Cameras run freely, so the nearest frame is at most half an interval away.
        if abs(truth - shot.moment) > camera.interval / 2 + part.error + blur and not losses.include(member):
            raise Untrue(f"{part.name}: {truth - shot.moment} ns from the moment of the shot, and that is not the nearest frame")
        truths.append(truth)
    skew = max(truths) - min(truths)
    if not shot.least_skew <= skew <= shot.most_skew:
        raise Untrue(f"the skew is {skew} ns, not between {shot.least_skew} and {shot.most_skew}")
    return truths
