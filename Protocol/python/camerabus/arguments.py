"""Checks the arguments of the client's methods before anything is sent."""

from __future__ import annotations

import contextlib
import math
import operator
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any, Callable, Optional, Sequence, TypeVar, Union

from . import messages
from .errors import CameraBusError, invalid, shown

# The longest duration that fits the wire, nanoseconds.
_MOST = 2 ** 63 - 1
# The largest side of a picture, pixels.
_SIDE = 16_384

_CAMERA = re.compile("[A-Za-z0-9_-]{1,32}")
_ENDPOINT = re.compile(r"ipc://.+|tcp://(\[[^\[\]/ ]+\]|[^\[\]/: ]+):(?P<port>[0-9]{1,5})")

# Its name before and since numpy 2.
_NUMPY_BOOLS = {("numpy", "bool_"), ("numpy", "bool")}

Path = Union[str, os.PathLike[str]]
F = TypeVar("F", bound=Callable[..., Any])


def endpoint(field: str, value: object) -> str:
    """An endpoint to connect to."""
    match = _ENDPOINT.fullmatch(text(field, value)) if isinstance(value, str) else None
    if not match or (match["port"] and not 0 < int(match["port"]) < 65536):
        raise invalid(field, f"{shown(value)} is no endpoint: write 'tcp://HOST:PORT', such as 'tcp://127.0.0.1:5570', or "
                             "'ipc://PATH'")
    return match[0]


def text(field: str, value: object) -> str:
    """A name or an id, which may be empty."""
    if not isinstance(value, str):
        raise invalid(field, f"{field} is {shown(value)}: give a string")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise invalid(field, f"{field} is {shown(value)}, which is no text: give characters of Unicode") from None
    return value


def camera(value: Optional[str]) -> str:
    """A name that a camera can have; empty if none is given."""
    if value is None:
        return ""
    if not isinstance(value, str) or _CAMERA.fullmatch(value) is None:
        raise invalid("camera", f"camera is {shown(value)}: give a name of 1 to 32 letters, digits, - and _, such as "
                                "'front', or leave it out")
    return value


def microphone(value: str) -> str:
    """A name that a microphone can have."""
    if _CAMERA.fullmatch(value) is None:
        raise invalid("sound", f"sound is {shown(value)}: give the name of a microphone, of 1 to 32 letters, digits, - and _, "
                               "or True for the camera's")
    return value


def whole(field: str, value: object, most: int, least: int = 0) -> int:
    """A whole number."""
    try:
        number = operator.index(None if is_boolean(value) else value)  # type: ignore[arg-type]
    except Exception:  # the value's own, such as an array of several numbers
        raise invalid(field, f"{field} is {shown(value)}: give a whole number") from None
    if not least <= number <= most:
        raise invalid(field, f"{field} is {shown(number)}: give a number from {least} to {most}")
    return number


def flag(field: str, value: object) -> bool:
    """True or False. Nothing else, because a text such as "no" would count as true."""
    if not is_boolean(value):
        raise invalid(field, f"{field} is {shown(value)}: give True or False")
    return bool(value)


def is_boolean(value: object) -> bool:
    """Whether it is a bool, also one of numpy, which need not be installed."""
    return isinstance(value, bool) or (type(value).__module__, type(value).__name__) in _NUMPY_BOOLS


def callback(field: str, value: Optional[F]) -> Optional[F]:
    """A function to call, or None."""
    if value is not None and not callable(value):
        raise invalid(field, f"{field} is {shown(value)}: give a function")
    return value


def real(field: str, value: object) -> float:
    """A number of at least 0."""
    number = finite(field, value)
    if number < 0:
        raise invalid(field, f"{field} is {number}: give a number that is not negative")
    return number


def finite(field: str, value: object) -> float:
    """Any number that is one."""
    if is_boolean(value) or isinstance(value, (str, bytes)) or not hasattr(value, "__float__"):
        raise invalid(field, f"{field} is {shown(value)}: give a number")
    try:
        number = float(value.__float__())
    except Exception:  # the value's own, such as 10**400, or an array of several numbers
        raise invalid(field, f"{field} is {shown(value)}: give a number") from None
    if not math.isfinite(number):
        raise invalid(field, f"{field} is {number}: give a finite number")
    return number


def nanoseconds(field: str, seconds: object) -> int:
    """A duration in seconds, as the wire has it."""
    if isinstance(seconds, str):
        raise invalid(field, f"{field} is {shown(seconds)}: give a number of seconds, such as 0.2")
    value = real(field, seconds) * 1e9
    if value > _MOST:
        raise invalid(field, f"{field} is {shown(seconds)} seconds: give less than {_MOST // 10 ** 9}")
    return round(value)


def seconds(field: str, value: object) -> float:
    """A duration to wait, or 0 to look only."""
    return nanoseconds(field, value) / 1e9


def timeout(field: str, value: object) -> float:
    """A time limit in seconds."""
    return limit(field, value) / 1e9


def limit(field: str, seconds: object) -> int:
    """A limit of time in seconds, as the wire has it, where 0 would be no limit."""
    if nanoseconds(field, seconds):
        return nanoseconds(field, seconds)
    if not finite(field, seconds):
        raise invalid(field, f"{field} is {shown(seconds)}: give seconds above 0")
    return 1


def rate(field: str, value: object) -> float:
    """Frames a second."""
    if not (number := real(field, value)):
        raise invalid(field, f"{field} is {shown(value)}: give frames a second, above 0")
    return number


def quality(value: object) -> int:
    """The quality of a JPEG; 0 leaves it to the node."""
    return 0 if value is None else whole("quality", value, 100, least=1)


def choice(field: str, value: object, prefix: str, names: Sequence[str]) -> str:
    """The name on the wire of a value such as 'h264'; an empty one leaves it to the node."""
    if isinstance(value, str) and (name := f"{prefix}_{value.upper() or 'UNSPECIFIED'}") in names:
        return name
    known = [name.removeprefix(f"{prefix}_").lower() for name in names]
    words = " or ".join(repr(name) for name in known if name != "unspecified")
    raise invalid(field, f"{field} is {shown(value)}: give {words}")


def rotation(field: str, value: object) -> int:
    """A number of quarter turns, in degrees."""
    with contextlib.suppress(CameraBusError):
        if (degrees := whole(field, value, 270)) % 90 == 0:
            return degrees
    raise invalid(field, f"{field} is {shown(value)}: give the degrees clockwise: 0, 90, 180 or 270")


def pair(field: str, value: object, example: str) -> tuple[object, object]:
    """Two values."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise invalid(field, f"{field} is {shown(value)}: give {example}")
    return value[0], value[1]


def several(field: str, value: object, example: str) -> list[object]:
    """A list of values, or what can be made one. A text is none, because it would become its letters."""
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        with contextlib.suppress(Exception):  # the value's own
            return list(value)
    raise invalid(field, f"{field} is {shown(value)}: give a list, such as {example}")


def words(field: str, value: object) -> list[str]:
    """A list of texts, such as tags."""
    return [text(field, one) for one in several(field, value, "['garden', 'night']")]


def word(field: str, value: object, numbers: Mapping[str, int]) -> int:
    """A word, or the protocol's number for one."""
    if isinstance(value, str) and value in numbers:
        return numbers[value]
    with contextlib.suppress(CameraBusError):
        return whole(field, value, max(numbers.values()))
    raise invalid(field, f"{field} is {shown(value)}: write one of {', '.join(numbers)}, or leave it out")


def size(field: str, value: object) -> messages.Size:
    """A size in pixels."""
    width, height = pair(field, value, "a width and a height, such as (1280, 720)")
    return messages.Size(width=whole(field, width, _SIDE, least=1), height=whole(field, height, _SIDE, least=1))


def identifier(field: str, value: object) -> bytes:
    """The id of a request or an asset: 16 bytes."""
    if not isinstance(value, (bytes, bytearray)) or len(value) != 16:
        raise invalid(field, f"{field} is {shown(value)}: give the 16 bytes of an id")
    return bytes(value)


def identifier_or_none(field: str, value: object) -> bytes:
    """An id, or empty bytes if there is none."""
    return b"" if isinstance(value, (bytes, bytearray)) and not value else identifier(field, value)


def prefix(field: str, value: object) -> bytes:
    """The beginning of an id, up to 16 bytes."""
    if not isinstance(value, (bytes, bytearray)) or len(value) > 16:
        raise invalid(field, f"{field} is {shown(value)}: give up to 16 bytes")
    return bytes(value)


def path(field: str, value: object) -> str:
    """The path of a file."""
    with contextlib.suppress(Exception):  # the value's own too
        name = os.fspath(value)  # type: ignore[call-overload]
        if isinstance(name, str) and name:
            return name
    raise invalid(field, f"{field} is {shown(value)}: give the path of a file")
