"""Converts the values of controls between Python and the wire."""

from __future__ import annotations

from typing import Sequence, Union

from . import messages

Value = Union[bool, int, str, bytes, Sequence[int], None]


def to_wire(value: Value) -> messages.ControlValue:
    """Converts a Python value. None presses a button."""
    if isinstance(value, bool):
        return messages.ControlValue(boolean=value)
    if isinstance(value, int):
        return messages.ControlValue(integer=value)
    if isinstance(value, str):
        return messages.ControlValue(string=value)
    if isinstance(value, (bytes, bytearray)):
        return messages.ControlValue(bytes=bytes(value))
    if value is None:
        return messages.ControlValue(integer=0)
    return messages.ControlValue(array=messages.ControlValue.Array(elements=value))


def from_wire(value: messages.ControlValue) -> Value:
    """Converts to a Python value.

    None means no value: a button, or a control that can only be written.
    """
    kind = value.WhichOneof("value")
    if kind is None:
        return None
    if kind == "array":
        return list(value.array.elements)
    return getattr(value, kind)
