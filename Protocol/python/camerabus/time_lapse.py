"""Photos at equal intervals, each at its planned moment on the node's clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import AsyncIterator, Awaitable, Callable, Optional

from .errors import CameraBusError, Code, invalid
from .photo import Photo
from .shell import Shell
from .when import When, at_monotonic

# A photo is asked for so many seconds before its moment, so that an idle camera is awake by then.
LEAD = 5.0
# How long to wait before a camera in trouble is asked again, seconds.
_PAUSE = 0.5

# Errors that further photos would have too.
_ENDS = {
    Code.CANCELLED, Code.CLOSED, Code.FORBIDDEN, Code.NOT_AUTHORIZED, Code.KEY_REQUIRED, Code.WRONG_NODE,
    Code.INVALID_ARGUMENT, Code.UNSUPPORTED, Code.UNSUPPORTED_FORMAT, Code.NO_SUCH_CAMERA}
# Errors after which there may be a photo all the same, or the frame of the moment has certainly gone.
_FINAL = {Code.UNREACHABLE, Code.OUTCOME_UNKNOWN, Code.FRAME_UNAVAILABLE}


@dataclass(frozen=True)
class Shot:
    """One planned photo: `photo`, or the `error` why there is none."""

    # From 1.
    number: int
    # The planned moment on the node's CLOCK_MONOTONIC; None for the first, from whose frame the others are counted.
    monotonic_ns: Optional[int]
    photo: Optional[Photo]
    error: Optional[CameraBusError]


# Takes a photo, and says when the node had its frame, by this machine's clock: the picture may take long to come.
# It waits so many seconds longer than its time.
Take = Callable[[When, float], Awaitable[tuple[Photo, float]]]


async def shots(shell: Shell, count: int, interval_ns: int, when: When, take: Take) -> AsyncIterator[Shot]:
    photo, reached = await take(when, 0)
    base, last = photo.resolved.timestamp.monotonic_ns, 1
    yield Shot(1, None, photo, None)
    for number in range(2, count + 1):
        moment = base + (number - 1) * interval_ns
        # About when the moment is there, rather too late.
        expected = reached + (number - last) * interval_ns / 1e9
        await _sleep(shell, expected - LEAD)
        try:
            photo, reached = await _photo(shell, moment, expected, take)
        except CameraBusError as error:
            if error.code in _ENDS:
                raise
            yield Shot(number, moment, None, error)
        else:
            last = number
            yield Shot(number, moment, photo, None)


async def _photo(shell: Shell, moment: int, expected: float, take: Take) -> tuple[Photo, float]:
    """Asks again until the moment while the node has certainly taken no photo."""
    while True:
        try:
            return await take(at_monotonic(moment), LEAD)
        except CameraBusError as error:
            if error.code is Code.INVALID_ARGUMENT and error.field.endswith("when"):
                raise invalid("when", "the clock of the node's machine has begun anew, so the series cannot go on: "
                                      "begin another one") from error
            if error.code in _ENDS or error.code in _FINAL or time.monotonic() >= expected:
                raise
        await _sleep(shell, min(time.monotonic() + _PAUSE, expected))


async def _sleep(shell: Shell, until: float) -> None:
    if (rest := until - time.monotonic()) > 0:
        await shell.sleep(rest)
