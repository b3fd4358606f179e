"""When the frames of cameras come, and at which moment those of several are nearest. It does no I/O.

Moments are nanoseconds of this machine's `time.monotonic_ns()`, and durations are nanoseconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Optional, Sequence

from . import messages
from .clocks import Bounds, ClockOffset

# By how much intervals may differ that count as the same: a thousandth.
_TOLERANCE = 0.001


@dataclass(frozen=True)
class Rhythm:
    """When a camera's frames come."""

    # By its node's clock.
    pace: messages.FramePace
    # How far that is ahead of this machine's.
    clock: ClockOffset

    @property
    def frame(self) -> int:
        """When a frame is due: the middle of what is possible."""
        return self.pace.newest.monotonic_ns - self.clock.middle


def is_usable(pace: messages.FramePace) -> bool:
    """Whether these are numbers that a line through moments can have."""
    return math.isfinite(pace.interval_ns) and pace.interval_ns > 0 and math.isfinite(pace.deviation_ns) \
        and pace.deviation_ns >= 0


def _interval_error(pace: messages.FramePace) -> float:
    """How far its interval may be wrong: three times the standard error of the slope of a line through so many stamps."""
    return 3 * pace.deviation_ns * math.sqrt(12 / max(2, pace.frames) ** 3)


@dataclass(frozen=True)
class Place:
    """Where a camera's frames are beside another one's."""

    # How much later they come, by their timestamps.
    bounds: Bounds
    # How fast that grows, in millionths.
    drift: float


@dataclass(frozen=True)
class CommonPhase:
    """The phases of cameras whose frames come at the same interval. A phase is a moment on a circle as long as that."""

    interval: float

    def has(self, other: float, error: float = 0) -> bool:
        """Whether frames at another interval keep a common phase for a while.

        `error` is how far the difference of the two may be wrong."""
        return abs(other - self.interval) <= self.interval * _TOLERANCE + error

    def has_pace(self, camera: messages.FramePace, reference: messages.FramePace) -> bool:
        """Whether a camera has the interval of another one, as far as their stamps tell it."""
        return self.has(camera.interval_ns, _interval_error(camera) + _interval_error(reference))

    def distance(self, moment: int, other: int) -> int:
        """How far a moment lies behind the nearest of those that are whole intervals from another one: from minus half an
        interval to half of it.
        """
        apart = float(moment - other)
        return _rounded(apart - _rounded(apart / self.interval) * self.interval)

    def next(self, moment: int, start: int) -> int:
        """The first moment that is not before `start` and whole intervals from another one."""
        missing = float(start - moment)
        # A rounded nanosecond may lie before it.
        return max(moment + _rounded(math.ceil(missing / self.interval) * self.interval), start)

    def best(self, frames: Sequence[int], start: int) -> Optional[int]:
        """The moment from `start` on, within one interval, whose largest distance to the nearest frame of any of the cameras
        is least. `frames` has a moment of a frame of each; without any it is None.
        """
        phases = sorted(self.next(frame, start) for frame in frames)
        if not phases:
            return None
        whole = int(self.interval)
        # All phases lie outside of the largest gap between neighbours. The middle of the rest is best.
        gap, begin, end = phases[0] + whole - phases[-1], phases[0], phases[-1]
        for one, other in zip(phases, phases[1:]):
            if other - one > gap:
                gap, begin, end = other - one, other, one + whole
        return self.next(begin + (end - begin) // 2, start)

    def place(self, camera: Rhythm, reference: Rhythm) -> Place:
        """How far a camera's frames are from the reference's, and how fast that changes."""
        if camera is reference:
            return Place(Bounds(0, 0), 0.0)
        middle = self.distance(camera.frame, reference.frame)
        # A line through jittering stamps is not known better than by their mean error.
        noise = sum(pace.deviation_ns / math.sqrt(max(1, pace.frames)) for pace in (camera.pace, reference.pace))
        error = camera.clock.error + reference.clock.error + math.ceil(noise)
        drift = (camera.pace.interval_ns - reference.pace.interval_ns) / reference.pace.interval_ns * 1e6
        return Place(Bounds(middle - error, middle + error), drift)


@dataclass(frozen=True)
class ReadyCamera:
    """What matters of a camera that is ready when the moment of a shot is chosen."""

    # When it took a frame; None if that is not known.
    frame: Optional[int]
    # How far back its frames reach that the node keeps; None while there are none.
    reach: Optional[int]
    # From one frame to the next; 0 if that is not known.
    interval: int


def shot_moment(now: int, delay: int, cameras: Sequence[ReadyCamera]) -> int:
    """The moment of a shot that nobody has chosen: the present, if all nodes keep its frames until they know of it, so
    `delay` later; else as soon as all know of it. Within one frame interval it is the moment that is nearest to frames of all
    cameras, if they have the same rate.
    """
    interval = max((camera.interval for camera in cameras), default=0)
    is_kept = all((camera.reach or 0) >= delay + interval for camera in cameras)
    start = now - interval if is_kept else now + delay + interval
    frames = [camera.frame for camera in cameras if camera.frame is not None]
    common = CommonPhase(float(interval))
    if interval and len(frames) == len(cameras) and all(common.has(camera.interval) for camera in cameras):
        best = common.best(frames, start)
        return start if best is None else best
    return now if is_kept else start


def _rounded(number: float) -> int:
    """The nearest whole number; of two, the one that is further from 0."""
    return math.floor(number + 0.5) if number >= 0 else math.ceil(number - 0.5)
