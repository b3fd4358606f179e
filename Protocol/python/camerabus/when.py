"""Which frame a photo should show: the time contract.

Durations are in seconds, moments in nanoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from . import arguments, messages
from .errors import CameraBusError, invalid, shown

# The furthest moment that fits the wire, nanoseconds.
_MOST = 2 ** 63 - 1


@dataclass(frozen=True)
class When:
    """A field of `CaptureRequest.when` and its value; use the constants and functions below."""

    field: Literal["now", "next", "at_monotonic_ns", "at_wall_ns", "past_ns", "no_older_than_ns"]
    value: Union[messages.CaptureRequest.Now, messages.CaptureRequest.Next, int]

    @staticmethod
    def check(when: object) -> When:
        """Returns `when` if it is a moment of this module."""
        if isinstance(when, When):
            return when
        if isinstance(when, (int, float)) and not isinstance(when, bool):
            raise invalid("when", f"{shown(when)} could be a time ago, an age or a moment: write past({shown(when)}) for "
                                  f"the photo of {shown(when)} s ago, or no_older_than({shown(when)})")
        if isinstance(when, str):
            raise invalid("when", f"{shown(when)} is no moment: write capture(camera={shown(when)}) to name a camera")
        raise When._wrong(when)

    @staticmethod
    def _wrong(when: object) -> CameraBusError:
        return invalid("when", f"{shown(when)} is no moment: write NOW, NEXT, past(SECONDS), no_older_than(SECONDS), "
                               "at_monotonic(NANOSECONDS) or at_wall(NANOSECONDS)")

    def put_into(self, request: messages.CaptureRequest) -> None:
        try:
            if isinstance(self.value, int):
                setattr(request, self.field, self.value)
            else:
                getattr(request, self.field).SetInParent()
        except (AttributeError, TypeError, ValueError):  # made by hand
            raise When._wrong(self) from None


NOW = When("now", messages.CaptureRequest.Now())
"""The frame nearest the moment the node reads the request."""

NEXT = When("next", messages.CaptureRequest.Next())
"""The first frame that certainly began its exposure after the node read the request."""


def at_monotonic(nanoseconds: int) -> When:
    """The frame nearest this moment of the node's CLOCK_MONOTONIC (see `StatusReply.now`)."""
    return When("at_monotonic_ns", arguments.whole("at_monotonic", nanoseconds, _MOST))


def at_wall(nanoseconds: int) -> When:
    """The frame nearest this moment of the wall clock, past or future."""
    return When("at_wall_ns", arguments.whole("at_wall", nanoseconds, _MOST))


def past(seconds: float) -> When:
    """The frame nearest this long before the node reads the request."""
    return When("past_ns", arguments.nanoseconds("past", seconds))


def no_older_than(seconds: float) -> When:
    """The newest frame if its exposure certainly began no longer ago than this, else the next."""
    return When("no_older_than_ns", arguments.nanoseconds("no_older_than", seconds))
