"""This machine's wall clock, and how wrong it may be."""

from __future__ import annotations

import ctypes
import os
import time
from typing import Callable, Optional

from . import messages
from .clocks import WallClock
from .errors import invalid, shown

_UNSYNCHRONIZED = 16_000_000  # as a bound, in microseconds: the kernel's NTP_PHASE_LIMIT
# Programs that compute the kernel's bound of the clock's error, by the 15 bytes that the kernel keeps of their names.
_COMPUTING = {"chronyd": messages.WALL_CLOCK_SOURCE_CHRONYD, "ntpd": messages.WALL_CLOCK_SOURCE_NTPD}
# systemd-timesyncd and linuxptp: they write zero as the bound, or leave the bound to others.
_WRITING_ZERO = {"systemd-timesyn", "phc2sys", "ptp4l"}
_OPTIONS_WITH_VALUES = "fFlLPtu"  # of chronyd


class _Timex(ctypes.Structure):
    """The kernel's `struct timex`, whose end is of no interest here."""

    _fields_ = [
        ("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long), ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long), ("status", ctypes.c_int), ("rest", ctypes.c_long * 40)]


def _kernel_bound() -> int:
    """The kernel's bound of the clock's error in microseconds, or -1 while the clock is not synchronized."""
    clock = _Timex()
    if ctypes.CDLL(None).adjtimex(ctypes.byref(clock)) < 0 or clock.maxerror >= _UNSYNCHRONIZED:
        return -1
    return int(clock.maxerror)


class OwnWallClock:
    """This machine's wall clock, with the bound of its error that the program which keeps it computes.

    chronyd and ntpd give theirs to the kernel. Others, such as systemd-timesyncd and linuxptp, write zero there, so that
    nobody knows it unless a person states it. A node finds the bound of its clock in the same way.
    """

    def __init__(self, stated_error: Optional[int] = None, *, root: str = "",
                 kernel_bound: Callable[[], int] = _kernel_bound) -> None:
        """`stated_error` is by how much the clock may be wrong at most, in nanoseconds, as somebody states who knows.

        `root` stands in front of /proc, and `kernel_bound` returns the kernel's bound; they are there for tests.
        """
        if stated_error is not None and (type(stated_error) is not int or stated_error <= 0):
            raise invalid("stated_error", f"stated_error is {shown(stated_error)}: give a number of nanoseconds above 0, or None")
        self._stated, self._root, self._kernel_bound = stated_error, root, kernel_bound
        self._kernel = -1
        self._keeper: Optional[int] = None

    def read(self) -> Optional[WallClock]:
        """What the clock shows now; None where nobody knows how wrong it may be.

        Read it with each reading of a node's clock, because a clock can be set. If the kernel's bound was written since the
        last call, it looks in /proc for who has written it, which takes some milliseconds.
        """
        if self._stated is None:
            self._look()
        if self.source is None:
            return None
        bound = self._kernel * 1000 if self._stated is None else self._stated
        before = time.monotonic_ns()
        wall = time.time_ns()
        between = time.monotonic_ns() - before  # the wall clock was read somewhere in between
        return WallClock(wall - before - between // 2, bound + (between + 1) // 2)

    @property
    def source(self) -> Optional[int]:
        """Who says how wrong the clock may be, one of `messages.WALL_CLOCK_SOURCE_…`, as of the last `read`; None if nobody does."""
        if self._stated is not None:
            return messages.WALL_CLOCK_SOURCE_OPERATOR
        return self._keeper if self._kernel > 0 else None

    def _look(self) -> None:
        kernel, old = self._kernel_bound(), self._kernel
        self._kernel = kernel
        # The kernel lets it grow; if it is less than before, somebody has written it.
        if kernel >= 0 and (old < 0 or kernel < old):
            self._keeper = _keeper(self._root)


def _keeper(root: str) -> Optional[int]:
    """The program that computes the kernel's bound; None if one runs that might have written zero instead."""
    found: Optional[int] = None
    for number in sorted((name for name in _names(f"{root}/proc") if name.isdecimal()), key=int):
        name = _text(f"{root}/proc/{number}/comm").strip()
        if name not in _COMPUTING and name not in _WRITING_ZERO:
            continue
        words = _text(f"{root}/proc/{number}/cmdline").split("\0")
        # OpenNTPD has the name of the other ntpd. The titles of its processes tell them apart: "ntpd: ntp engine".
        if name in _WRITING_ZERO or name == "ntpd" and words[0].startswith("ntpd: "):
            return None
        if found is None and not (name == "chronyd" and _leaves_the_clock_alone(words)):
            found = _COMPUTING[name]
    return found


def _leaves_the_clock_alone(words: list[str]) -> bool:
    """Whether it is a chronyd with the option -x, as in containers: another program keeps the clock, perhaps outside."""
    for word in words[1:]:
        for letter in word[1:] if word.startswith("-") else "":
            if letter in _OPTIONS_WITH_VALUES:
                break
            if letter == "x":
                return True
    return False


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _text(path: str) -> str:
    """The beginning of one of the kernel's texts; empty if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(1 << 16).decode("utf-8", "replace")
    except OSError:
        return ""
