"""Checks the arguments of the client's methods before anything is sent."""

from __future__ import annotations

import math
import os
import re
from typing import Union

from .errors import invalid

# The longest duration that fits the wire, nanoseconds.
_MOST = 2 ** 63 - 1

_ENDPOINT = re.compile(r"ipc://.+|tcp://(\[[^\[\]/ ]+\]|[^\[\]/: ]+):(?P<port>[0-9]{1,5})")

Path = Union[str, "os.PathLike[str]"]


def endpoint(field: str, value: object) -> str:
    """An endpoint to connect to."""
    match = _ENDPOINT.fullmatch(value) if isinstance(value, str) else None
    if not match or (match["port"] and not 0 < int(match["port"]) < 65536):
        raise invalid(field, f"{value!r} is no endpoint: write 'tcp://HOST:PORT', such as 'tcp://127.0.0.1:5570', or "
                             "'ipc://PATH'")
    return match[0]


def text(field: str, value: object) -> str:
    """A name or an id, which may be empty."""
    if not isinstance(value, str):
        raise invalid(field, f"{field} is {value!r}: give a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise invalid(field, f"{field} is {value!r}, which is no text: give characters of Unicode") from None
    return value


def whole(field: str, value: object, most: int, least: int = 0) -> int:
    """A whole number."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise invalid(field, f"{field} is {value!r}: give a whole number")
    number = int(value.__index__())
    if not least <= number <= most:
        raise invalid(field, f"{field} is {number}: give a number from {least} to {most}")
    return number


def real(field: str, value: object) -> float:
    """A number of at least 0."""
    if isinstance(value, (bool, str, bytes)) or not hasattr(value, "__float__"):
        raise invalid(field, f"{field} is {value!r}: give a number")
    number = float(value.__float__())
    if not (math.isfinite(number) and number >= 0):
        raise invalid(field, f"{field} is {number}: give a number that is not negative")
    return number


def nanoseconds(field: str, seconds: object) -> int:
    """A duration in seconds, as the wire has it."""
    value = real(field, seconds) * 1e9
    if value > _MOST:
        raise invalid(field, f"{field} is {seconds} seconds: give less than {_MOST // 10 ** 9}")
    return round(value)


def identifier(field: str, value: object) -> bytes:
    """The id of a request or an asset: 16 bytes."""
    if not isinstance(value, (bytes, bytearray)) or len(value) != 16:
        raise invalid(field, f"{field} is {value!r}: give the 16 bytes of an id")
    return bytes(value)


def identifier_or_none(field: str, value: object) -> bytes:
    """An id, or empty bytes if there is none."""
    return b"" if isinstance(value, (bytes, bytearray)) and not value else identifier(field, value)


def prefix(field: str, value: object) -> bytes:
    """The beginning of an id, up to 16 bytes."""
    if not isinstance(value, (bytes, bytearray)) or len(value) > 16:
        raise invalid(field, f"{field} is {value!r}: give up to 16 bytes")
    return bytes(value)


def path(field: str, value: object) -> str:
    """The path of a file."""
    if isinstance(value, (str, os.PathLike)):
        name = os.fspath(value)
        if isinstance(name, str) and name:
            return name
    raise invalid(field, f"{field} is {value!r}: give the path of a file")
