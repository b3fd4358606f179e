"""Shots of a rig, and what they say of time beside the truth, which is in the pictures."""

import json
import math
import subprocess
import time
from datetime import datetime, timezone
from fractions import Fraction
from pathlib import Path

import readers
import strips
from camerabus import CameraBus
from harness.record import PATIENCE

from .estimates import SECOND, Follower
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


class SingleCaptures:
    """Takes shots by one `camctl capture` for each node, at a common moment that follows from estimates of the clocks.

    A `with` statement holds the connections for the estimates.
    """

    def __init__(self, members):
        self._members = members

    def __enter__(self):
        self._followers = {member.name: Follower(member) for member in self._members}
        return self

    def __exit__(self, *_):
        for follower in self._followers.values():
            follower.close()

    def shot(self, folder):
        """Takes a shot whose pictures go to a folder."""
        for follower in self._followers.values():
            follower.burst()
        # Until then all programs must have started.
        moment = time.monotonic_ns() + SECOND + SECOND // 10 * len(self._members)
        programs = [(member, self._start(member, moment, folder)) for member in self._members]
        try:
            reports = [(member, self._report(member, program)) for member, program in programs]
        finally:
            for _, program in programs:
                program.kill()
                program.communicate()
        for follower in self._followers.values():
            follower.burst()
        parts = [self._part(member, report) for member, report in reports]
        earliest, latest = [part.moment - part.error for part in parts], [part.moment + part.error for part in parts]
        return Shot(moment, parts, max(0, max(earliest) - min(latest)), max(latest) - min(earliest))

    def _start(self, member, moment, folder):
        follower = self._followers[member.name]
        node = moment + follower.offset(moment).middle
        # On the node's own wall clock, whatever it shows.
        reading = follower.readings[-1]
        wall = datetime.fromtimestamp((node + reading.wall - reading.answered) / 1e9, timezone.utc)
        return subprocess.Popen(
            [str(PROGRAMS / "camctl"), "capture", "--node", member.control, "--when", f"at:{wall:%Y-%m-%dT%H:%M:%S.%f}Z",
             "--output", str(folder / f"{member.name}.jpg"), "--json", "--timeout", f"{PATIENCE}s"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    @staticmethod
    def _report(member, program):
        out, errors = program.communicate(timeout=2 * PATIENCE)
        assert program.returncode == 0, f"{member.name}: camctl capture ended with {program.returncode}: {errors}"
        return json.loads(out)

    def _part(self, member, report):
        resolved = report["resolved"]
        assert resolved["exposure"]["timestampMark"] == "exposureStart", resolved
        stamp = resolved["timestamp"]["monotonicNanoseconds"]
        follower = self._followers[member.name]
        # The offset is known by the controller's clock, and where that is now follows from the offset.
        offset = follower.offset(stamp - follower.offset(follower.readings[-1].received).middle)
        return Part(member.name, Path(report["file"]), stamp - offset.middle, offset.error)


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


def check_shot(shot, members, cameras, losses):
    """Checks what a shot says by its pictures. Returns the true moments, on the controller's clock."""
    truths = []
    assert [part.name for part in shot.parts] == [member.name for member in members], "parts are missing"
    for part, member, camera in zip(shot.parts, members, cameras):
        truth = camera.moment(part.file) - member.offset
        if abs(truth - part.moment) > part.error:
            raise Untrue(f"{part.name}: was taken {truth - part.moment} ns after the moment that is said, with ±{part.error} ns")
        # Cameras run freely, so the nearest frame is at most half an interval away.
        if abs(truth - shot.moment) > camera.interval / 2 + part.error and not losses.include(member):
            raise Untrue(f"{part.name}: {truth - shot.moment} ns from the moment of the shot, and that is not the nearest frame")
        truths.append(truth)
    skew = max(truths) - min(truths)
    if not shot.least_skew <= skew <= shot.most_skew:
        raise Untrue(f"the skew is {skew} ns, not between {shot.least_skew} and {shot.most_skew}")
    return truths
