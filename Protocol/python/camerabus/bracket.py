"""What each picture of a bracket is taken with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Sequence, Union

from . import controls, messages
from .arguments import finite, nanoseconds, text
from .controls import Value
from .errors import invalid, shown

_MOST = 16


@dataclass(frozen=True)
class Exposure:
    """How long each pixel is exposed, in seconds."""

    seconds: float


# A number is a step in EV, a dictionary sets controls.
BracketShot = Union[int, float, Exposure, Mapping[str, Value]]


def to_wire(shots: Sequence[BracketShot]) -> list[messages.CaptureRequest.Shot]:
    """The shots of a request."""
    if not isinstance(shots, (list, tuple)) or not 1 <= len(shots) <= _MOST:
        raise invalid("shots", f"shots is {shown(shots)}: give 1 to {_MOST}, such as [-2, 0, 2]")
    return [_one(shot) for shot in shots]


def _one(shot: BracketShot) -> messages.CaptureRequest.Shot:
    if isinstance(shot, Exposure):
        return messages.CaptureRequest.Shot(exposure_ns=nanoseconds("exposure", shot.seconds))
    if isinstance(shot, Mapping):
        settings = [messages.ControlsSetRequest.Setting(id=text("shots", id), value=controls.to_wire(value, id))
                    for id, value in shot.items()]
        return messages.CaptureRequest.Shot(settings=messages.CaptureRequest.Settings(settings=settings))
    return messages.CaptureRequest.Shot(ev=finite("shots", shot))
