"""What is made of the depth camera's frame that goes with a photo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from . import messages
from .arguments import finite
from .errors import invalid, shown

# The largest distance that Z16 can say, metres.
_FARTHEST = 65.535


@dataclass(frozen=True)
class Depth:
    """A map of the distances, and perhaps a matte that shows what is within two of them, in metres."""

    matte: Optional[tuple[float, float]] = None


def depth_to_wire(depth: Depth) -> messages.CaptureRequest.Depth:
    if not isinstance(depth, Depth):
        raise invalid("depth", f"depth is {shown(depth)}: give Depth() or Depth(matte=(0.3, 1.2))")
    if depth.matte is None:
        return messages.CaptureRequest.Depth()
    try:
        near, far = (finite("matte", end) for end in depth.matte)
    except (TypeError, ValueError):
        raise invalid("matte", f"matte is {shown(depth.matte)}: give two distances, such as (0.3, 1.2)") from None
    if not 0 <= near < far <= _FARTHEST:
        raise invalid("matte", f"matte is {shown(depth.matte)}: give two distances from 0 to {_FARTHEST} metres, the "
                               "nearer one first")
    return messages.CaptureRequest.Depth(matte=messages.CaptureRequest.Matte(near_m=near, far_m=far))
