"""The files that a photo is to become."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Union

from . import arguments, messages
from .arguments import flag, quality
from .errors import invalid, shown

_FORMATS = {
    name.removeprefix("PHOTO_FORMAT_").lower(): number
    for name, number in messages.PhotoFormat.items() if number != messages.PHOTO_FORMAT_UNSPECIFIED}
_PRIORITIES = {
    "speed": messages.PHOTO_PRIORITIZATION_UNSPECIFIED, "balanced": messages.PHOTO_PRIORITIZATION_BALANCED,
    "quality": messages.PHOTO_PRIORITIZATION_QUALITY}
_FLASHES = {
    "off": messages.FLASH_MODE_UNSPECIFIED, "on": messages.FLASH_MODE_ON, "auto": messages.FLASH_MODE_AUTO}
# The files that are made at once; others may take seconds.
_FAST = {messages.PHOTO_FORMAT_JPEG, messages.PHOTO_FORMAT_RAW}


@dataclass(frozen=True)
class Output:
    """A file that a photo is to become: "jpeg", "png", "tiff", "dng", "avif", "heic" or "raw"."""

    format: str
    # 1 to 100 for files that lose detail; None is that of the photo.
    quality: Optional[int] = None
    # The camera's own JPEG is encoded again too.
    reencode: bool = False


Outputs = Union[str, Output, Sequence[Union[str, Output]]]


def to_wire(outputs: Outputs) -> list[messages.CaptureRequest.Output]:
    """The outputs of a request; none is one JPEG."""
    chosen = [outputs] if isinstance(outputs, (str, Output)) else arguments.several("outputs", outputs, "['dng', 'jpeg']")
    return [_one(output) for output in chosen]


def _one(output: object) -> messages.CaptureRequest.Output:
    chosen = Output(output) if isinstance(output, str) else output
    if not isinstance(chosen, Output) or not isinstance(chosen.format, str) or chosen.format not in _FORMATS:
        raise invalid("outputs", f"{shown(output)} is no format of photos: write one of {', '.join(_FORMATS)}")
    return messages.CaptureRequest.Output(
        format=_FORMATS[chosen.format], quality=quality(chosen.quality), reencode=flag("reencode", chosen.reencode))


def priority_to_wire(priority: str) -> messages.PhotoPrioritization.ValueType:
    if not isinstance(priority, str) or priority not in _PRIORITIES:
        raise invalid("priority", f"priority is {shown(priority)}: write one of {', '.join(_PRIORITIES)}")
    return _PRIORITIES[priority]


def flash_to_wire(flash: str) -> messages.FlashMode.ValueType:
    if not isinstance(flash, str) or flash not in _FLASHES:
        raise invalid("flash", f"flash is {shown(flash)}: write one of {', '.join(_FLASHES)}")
    return _FLASHES[flash]


def pictures(request: messages.CaptureRequest) -> int:
    """How many pictures the request is for."""
    return max(1, request.burst.pictures, len(request.bracket.shots))


def files(request: messages.CaptureRequest) -> int:
    """How many files of each picture the answer has. What is made later comes later."""
    return 1 if request.deferred else max(1, len(request.outputs))


def all_files(request: messages.CaptureRequest) -> int:
    """How many files the answer has in all, those of the depth camera included."""
    depth = (2 if request.depth.HasField("matte") else 1) if request.HasField("depth") else 0
    return pictures(request) * (files(request) + depth)


def several(request: messages.CaptureRequest) -> bool:
    """Whether the answer has several files."""
    return pictures(request) * files(request) > 1 or request.HasField("depth")


def takes_long(request: messages.CaptureRequest) -> bool:
    """Whether the files come one after another, or may take seconds to make."""
    return several(request) or not request.deferred and any(
        output.format not in _FAST for output in request.outputs)
