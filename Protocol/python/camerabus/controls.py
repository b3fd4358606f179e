"""Converts the values of controls between Python and the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Optional, Sequence, Union

from . import messages
from .arguments import finite, is_boolean, text, whole
from .errors import invalid, one_line, shown

_MOST = 2 ** 63 - 1


class PointOfInterest(NamedTuple):
    """Where in its picture a camera measures: the value of the control `point_of_interest`.

    It is a share of the camera's whole picture, as it is before the node turns it and without a zoom:
    0, 0 is the top left corner, 1, 1 the bottom right one. So it stays the same however previews are
    turned.
    """

    x: float
    y: float


def point_of_interest(
        x: float, y: float, orientation: Optional[messages.Orientation] = None, zoom: float = 1.0) -> PointOfInterest:
    """The point that is seen in a picture, at these shares of its width and height.

    `orientation` is that of the frame or the resolved capture, and `zoom` its `facts.zoom`.
    """
    if orientation is not None and not isinstance(orientation, messages.Orientation):
        raise invalid("orientation", f"orientation is {shown(orientation)}: give that of a frame or of a resolved capture")
    x, y, zoom = finite("x", x), finite("y", y), max(finite("zoom", zoom), 1.0)
    rotation = orientation.rotation if orientation is not None else 0
    if orientation is not None and orientation.mirrored:
        x = 1 - x
    if rotation == 90:
        x, y = y, 1 - x
    elif rotation == 180:
        x, y = 1 - x, 1 - y
    elif rotation == 270:
        x, y = 1 - y, x
    return PointOfInterest(0.5 + (x - 0.5) / zoom, 0.5 + (y - 0.5) / zoom)


def seen_point(
        x: float, y: float, picture: Union[messages.FrameHeader, messages.ResolvedCapture], zoom: float) -> PointOfInterest:
    """The point that is seen in a picture. `zoom` counts only if the picture does not say its own."""
    if picture.facts.HasField("zoom"):
        zoom = picture.facts.zoom
    return point_of_interest(x, y, picture.orientation, zoom)


Value = Union[bool, int, float, str, bytes, PointOfInterest, Sequence[int], None]


def to_wire(value: Value, id: str = "value") -> messages.ControlValue:
    """Converts a Python value. `id` is the control's, for the error.

    None is an empty value, which presses a button. The node refuses it for any other control.
    """
    id = one_line(id)
    if is_boolean(value):
        return messages.ControlValue(boolean=bool(value))
    if isinstance(value, int) or hasattr(value, "__index__") and not hasattr(value, "__len__"):
        return messages.ControlValue(integer=whole(id, value, _MOST, -_MOST - 1))
    if isinstance(value, float) or hasattr(value, "__float__") and not hasattr(value, "__len__"):
        return messages.ControlValue(number=finite(id, value))
    if isinstance(value, str):
        return messages.ControlValue(string=text(id, value))
    if isinstance(value, (bytes, bytearray)):
        return messages.ControlValue(bytes=bytes(value))
    if value is None:
        return messages.ControlValue()
    if isinstance(value, PointOfInterest):
        return messages.ControlValue(point=messages.ControlValue.Point(x=finite(id, value.x), y=finite(id, value.y)))
    if not isinstance(value, Iterable):
        raise invalid(id, f"{id} is {shown(value)}: give a number, a bool, a string, bytes, a list of numbers, a "
                          "PointOfInterest, or None to press a button")
    value = list(value)
    if any(isinstance(element, float) for element in value):
        raise invalid(id, f"{id} is {shown(value)}: the elements of a list are whole numbers, and a point is a "
                          "PointOfInterest(x, y)")
    elements = [whole(id, element, _MOST, -_MOST - 1) for element in value]
    return messages.ControlValue(array=messages.ControlValue.Array(elements=elements))


def from_wire(value: messages.ControlValue) -> Value:
    """Converts to a Python value.

    None means no value: a button, or a control that can only be written.
    """
    if not isinstance(value, messages.ControlValue):
        raise invalid("value", f"{shown(value)} is no control's value: give `control.value`")
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "array":
        return list(value.array.elements)
    if kind == "point":
        return PointOfInterest(value.point.x, value.point.y)
    result: Value = getattr(value, kind)
    return result
