"""Converts the values of controls between Python and the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Sequence, Union

from . import messages
from .arguments import finite, text, whole
from .errors import invalid, one_line, shown

_MOST = 2 ** 63 - 1

Value = Union[bool, int, float, str, bytes, Sequence[int], None]


def to_wire(value: Value, id: str = "value") -> messages.ControlValue:
    """Converts a Python value. `id` is the control's, for the error.

    None is an empty value, which presses a button. The node refuses it for any other control.
    """
    id = one_line(id)
    if isinstance(value, bool):
        return messages.ControlValue(boolean=value)
    if isinstance(value, int):
        return messages.ControlValue(integer=whole(id, value, _MOST, -_MOST - 1))
    if isinstance(value, float):
        return messages.ControlValue(number=finite(id, value))
    if isinstance(value, str):
        return messages.ControlValue(string=text(id, value))
    if isinstance(value, (bytes, bytearray)):
        return messages.ControlValue(bytes=bytes(value))
    if value is None:
        return messages.ControlValue()
    if not isinstance(value, Iterable):
        raise invalid(id, f"{id} is {shown(value)}: give a number, a bool, a string, bytes, a list of numbers, or "
                          "None to press a button")
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
    result: Value = getattr(value, kind)
    return result
