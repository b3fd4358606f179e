"""Which frame a photo should show: the time contract.

Durations are in seconds, moments in nanoseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from . import messages


@dataclass(frozen=True)
class When:
    """A field of `CaptureRequest.when` and its value; use the constants and functions below."""

    field: str
    value: Union[messages.CaptureRequest.Now, messages.CaptureRequest.Next, int]

    def put_into(self, request: messages.CaptureRequest) -> None:
        if isinstance(self.value, int):
            setattr(request, self.field, self.value)
        else:
            getattr(request, self.field).SetInParent()


NOW = When("now", messages.CaptureRequest.Now())
"""The frame nearest the moment the node reads the request."""

NEXT = When("next", messages.CaptureRequest.Next())
"""The first frame exposed after the node reads the request."""


def at_monotonic(nanoseconds: int) -> When:
    """The frame nearest this moment of the node's CLOCK_MONOTONIC (see `StatusReply.now`)."""
    return When("at_monotonic_ns", nanoseconds)


def at_wall(nanoseconds: int) -> When:
    """The frame nearest this moment of the wall clock, past or future."""
    return When("at_wall_ns", nanoseconds)


def past(seconds: float) -> When:
    """The frame nearest this long before the node reads the request."""
    return When("past_ns", round(seconds * 1e9))


def no_older_than(seconds: float) -> When:
    """The newest frame if it is no older than this, else the next."""
    return When("no_older_than_ns", round(seconds * 1e9))
