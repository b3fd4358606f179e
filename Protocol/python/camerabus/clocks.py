"""The clocks of other machines: what exchanges with a node prove of its clock."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Optional

from . import messages

# By how much two clocks drift apart at most: one nanosecond in so many.
DRIFT = 10_000
# How many bounds are kept on each side. One that others imply is never kept.
KEPT = 256


@dataclass(frozen=True)
class ClockReading:
    """What a node's clocks showed between two moments of this machine's clock, in nanoseconds."""

    # When the request was sent and the answer was there, by `time.monotonic_ns()`.
    sent: int
    received: int
    # When the node read the request and wrote its answer, by its monotonic clock.
    read: int
    answered: int
    # The node's wall clock when it wrote its answer, and the bound of that clock's error; None if nobody knows it.
    wall: int
    wall_error: Optional[int] = None
    # Who says so.
    wall_source: int = messages.WALL_CLOCK_SOURCE_UNSPECIFIED
    # Names the node's monotonic clock; empty if the node does not know it.
    clock_id: str = ""


@dataclass(frozen=True)
class Bounds:
    """A duration of which only bounds are known: two numbers of nanoseconds."""

    least: int
    most: int

    @property
    def middle(self) -> int:
        return (self.least + self.most) // 2

    @property
    def error(self) -> int:
        """How wrong the middle may be."""
        return self.most - self.middle


@dataclass(frozen=True)
class ClockOffset(Bounds):
    """What must be added to this machine's `time.monotonic_ns()` to get the node's clock: between two numbers of nanoseconds."""


@dataclass(frozen=True)
class WallClock:
    """This machine's wall clock, in nanoseconds: what must be added to `time.monotonic_ns()` to get it, and by how much it may be wrong."""

    offset: int
    error: int


class _Bounds:
    """Numbers below which something stays, each at its moment; at other moments, by its distance in time above it."""

    def __init__(self) -> None:
        self._known: list[tuple[int, int]] = []

    def at(self, moment: int) -> Optional[int]:
        return min((bound + _drift(moment - known) for known, bound in self._known), default=None)

    def add(self, moment: int, bound: int) -> None:
        if self.imply(moment, bound):
            return
        needed = [(known, old) for known, old in self._known if old < bound + _drift(known - moment)]
        self._known = needed[1 - KEPT:] + [(moment, bound)]

    def imply(self, moment: int, bound: int) -> bool:
        present = self.at(moment)
        return present is not None and present <= bound

    def exclude(self, moment: int, least: int) -> bool:
        """Whether the number cannot be as large as this."""
        present = self.at(moment)
        return present is not None and present < least


def _drift(duration: int) -> int:
    return -(-abs(duration) // DRIFT)


class ClockEstimate:
    """What all readings of a node's clock together say of it, at any moment.

    Each reading bounds the offset, whatever the network did; a bound holds at another moment when it is widened by the
    drift. It does no I/O.
    """

    def __init__(self, own_clock_id: Optional[str] = None):
        """`own_clock_id` names this machine's clock; None reads it from /proc."""
        self._own_clock_id = clock_id() if own_clock_id is None else own_clock_id
        self._clock_id = ""
        self._forget()

    def _forget(self) -> None:
        # Of the offset, and of its negative.
        self._above, self._below = _Bounds(), _Bounds()
        self.wall_is_wrong = False

    def add(self, reading: ClockReading, own: Optional[WallClock] = None) -> bool:
        """Takes a reading, and what the wall clocks say if both have a bound.

        False means that a clock was changed; what was known before is forgotten then. `wall_is_wrong` says whether the
        wall clocks contradict the readings, and do not count.
        """
        most, least = reading.read - reading.sent, reading.answered - reading.received
        is_first = self.at(reading.sent) is None
        is_possible = least <= most and (is_first or reading.clock_id == self._clock_id and self._allow(reading, least, most))
        if not is_possible:
            self._forget()
        self._clock_id = reading.clock_id
        if least <= most:
            self._take(reading, least, most)
            if own is not None and reading.wall_error is not None:
                middle, error = own.offset - (reading.wall - reading.answered), own.error + reading.wall_error
                self.wall_is_wrong = not self._allow(reading, middle - error, middle + error)
                if not self.wall_is_wrong:
                    self._take(reading, middle - error, middle + error)
        return is_possible

    # The node read the request after `sent`, so what its clock showed less `sent` is at least the offset at `sent`. In the
    # same way the answer bounds the offset at `received`.

    def _allow(self, reading: ClockReading, least: int, most: int) -> bool:
        return not (self._above.exclude(reading.received, least) or self._below.exclude(reading.sent, -most))

    def _take(self, reading: ClockReading, least: int, most: int) -> None:
        self._above.add(reading.sent, most)
        self._below.add(reading.received, -least)

    def at(self, moment: int) -> Optional[ClockOffset]:
        """The offset at a moment of this machine's clock, past or future; None before the first reading."""
        most, least = self._above.at(moment), self._below.at(moment)
        if most is None or least is None:
            return None
        if self._clock_id and self._clock_id == self._own_clock_id and -least <= 0 <= most:
            return ClockOffset(0, 0)  # it is the same clock
        return ClockOffset(-least, most)


@dataclass(frozen=True)
class EstimatedTime:
    """A moment of a node, in nanoseconds of this machine's `time.monotonic_ns()`."""

    # The middle of the bounds.
    moment: int
    # By how much it may be wrong; None while the node's clock is not known, or contradicts what arrives. Then `moment`
    # is when the event arrived.
    error: Optional[int]

    @classmethod
    def of(cls, time: int, arrived: int, clock: ClockEstimate) -> EstimatedTime:
        """When something happened by the node's clock that arrived at a moment of this machine's.

        It cannot have happened after it arrived, which is one more bound.
        """
        near = clock.at(arrived)
        offset = clock.at(min(time - near.middle, arrived)) if near else None
        if offset is None:
            return cls(arrived, None)
        earliest, latest = time - offset.most, min(time - offset.least, arrived)
        if earliest > latest:
            return cls(arrived, None)
        bounds = ClockOffset(earliest, latest)
        return cls(bounds.middle, bounds.error)


def clock_id() -> str:
    """Names this machine's monotonic clock as nodes name theirs; empty where /proc does not tell."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            boot = file.read().strip()
    except (OSError, ValueError):
        return ""
    try:
        space = os.stat("/proc/self/ns/time")
    except FileNotFoundError:
        return boot  # a kernel without time namespaces
    except OSError:
        return ""
    return f"{boot}:{space.st_dev}:{space.st_ino}"

