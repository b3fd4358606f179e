"""What a photo is to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Union

from . import arguments, messages
from .arguments import flag, quality
from .depth import Depth, depth_to_wire
from .errors import invalid, shown

_FORMATS = {
    name.removeprefix("PHOTO_FORMAT_").lower(): number
    for name, number in messages.PhotoFormat.items() if number != messages.PHOTO_FORMAT_UNSPECIFIED}
_PRIORITIES = {
    "speed": messages.PHOTO_PRIORITIZATION_UNSPECIFIED, "balanced": messages.PHOTO_PRIORITIZATION_BALANCED,
    "quality": messages.PHOTO_PRIORITIZATION_QUALITY}
_FLASHES = {
    "off": messages.FLASH_MODE_UNSPECIFIED, "on": messages.FLASH_MODE_ON, "auto": messages.FLASH_MODE_AUTO}
_SIZES = {"max": messages.PHOTO_SIZE_MAXIMUM}


@dataclass(frozen=True)
class Output:
    """A file that a photo is to become: "jpeg", "png", "tiff", "dng", "avif", "heic" or "raw"."""

    format: str
    # 1 to 100 for files that lose detail; None is that of the photo.
    quality: Optional[int] = None
    # The camera's own JPEG is encoded again too.
    reencode: bool = False


Outputs = Union[str, Output, Sequence[Union[str, Output]]]


@dataclass(frozen=True)
class PhotoSettings:
    """What a photo is to be. Without arguments it is one JPEG as the camera is configured."""

    # The files of the same picture, each format once; the first one is `Photo.data`. None is one JPEG.
    outputs: Outputs = ()
    # "max", or PHOTO_SIZE_MAXIMUM, for the largest that the camera has, for which it may change its format.
    size: Union[str, messages.PhotoSize.ValueType] = messages.PHOTO_SIZE_UNSPECIFIED
    # 1 to 100 for files that lose detail, where the node encodes them; None leaves it to the node.
    quality: Optional[int] = None
    # "speed", "balanced" for the sharpest of three frames, or "quality" to merge up to four, for less noise.
    priority: str = "speed"
    # "off", "on", or "auto" to fire it if the scene is dark; `resolved.flash` says how it is known that it lit the frame.
    flash: str = "off"
    # How the picture is turned, if in another way than the camera is configured.
    rotation: Optional[int] = None
    mirrored: Optional[bool] = None
    # The file says how it is to be turned, and its pixels stay.
    tag: bool = False
    # The size to which the turned picture is scaled and cropped.
    dimensions: Optional[tuple[int, int]] = None
    # Takes the nearest frame of the depth camera too, for `Photo.depth`.
    depth: Optional[Depth] = None
    # Also makes a movie of what is around the frame, for `Photo.movie`: a live photo. The camera needs `live_photos` of
    # `configure`. The photo is finished when its movie is in the library.
    live: bool = False
    # The photo is a proxy, a JPEG of the frame of the moment, and `final_photo` has the files, which are made later.
    deferred: bool = False
    # The node keeps the photo in its library.
    keep: bool = True
    # How far the frame may lie from the moment asked for, in seconds: if the nearest one is further away, the error is
    # FRAME_UNAVAILABLE, and nothing is taken. For NOW, `past`, `at_monotonic` and `at_wall`.
    tolerance: Optional[float] = None
    # A title of its assets for people, one line of at most 128 characters, and words by which `assets` finds them: at
    # most 32, each of at most 64 characters and without a comma. The files say both.
    name: str = ""
    tags: Sequence[str] = ()


def to_wire(settings: Optional[PhotoSettings]) -> messages.CaptureRequest:
    """A request for such a photo."""
    chosen = PhotoSettings() if settings is None else settings
    if not isinstance(chosen, PhotoSettings):
        raise invalid("settings", f"settings is {shown(settings)}: give PhotoSettings(...), such as "
                                  "PhotoSettings(outputs=['dng', 'jpeg'])")
    request = messages.CaptureRequest(
        outputs=_outputs(chosen.outputs), quality=quality(chosen.quality), transient=not flag("keep", chosen.keep),
        size=messages.PhotoSize.ValueType(arguments.word("size", chosen.size, _SIZES)),
        prioritization=_priority(chosen.priority), flash=_flash(chosen.flash),
        orientation_tag=flag("tag", chosen.tag), deferred=flag("deferred", chosen.deferred),
        live=flag("live", chosen.live),
        name=arguments.text("name", chosen.name), tags=arguments.words("tags", chosen.tags))
    if chosen.rotation is not None:
        request.orientation.rotation = arguments.rotation("rotation", chosen.rotation)
    if chosen.mirrored is not None:
        request.orientation.mirrored = flag("mirrored", chosen.mirrored)
    if chosen.dimensions is not None:
        request.dimensions.CopyFrom(arguments.size("dimensions", chosen.dimensions))
    if chosen.depth is not None:
        request.depth.CopyFrom(depth_to_wire(chosen.depth))
    if chosen.tolerance is not None:
        request.tolerance_ns = arguments.limit("tolerance", chosen.tolerance)
    return request


def _outputs(outputs: Outputs) -> list[messages.CaptureRequest.Output]:
    chosen = [outputs] if isinstance(outputs, (str, Output)) else arguments.several("outputs", outputs, "['dng', 'jpeg']")
    return [_one(output) for output in chosen]


def _one(output: object) -> messages.CaptureRequest.Output:
    chosen = Output(output) if isinstance(output, str) else output
    if not isinstance(chosen, Output) or not isinstance(chosen.format, str) or chosen.format not in _FORMATS:
        raise invalid("outputs", f"{shown(output)} is no format of photos: write one of {', '.join(_FORMATS)}")
    return messages.CaptureRequest.Output(
        format=_FORMATS[chosen.format], quality=quality(chosen.quality), reencode=flag("reencode", chosen.reencode))


def _priority(priority: str) -> messages.PhotoPrioritization.ValueType:
    if not isinstance(priority, str) or priority not in _PRIORITIES:
        raise invalid("priority", f"priority is {shown(priority)}: write one of {', '.join(_PRIORITIES)}")
    return _PRIORITIES[priority]


def _flash(flash: str) -> messages.FlashMode.ValueType:
    if not isinstance(flash, str) or flash not in _FLASHES:
        raise invalid("flash", f"flash is {shown(flash)}: write one of {', '.join(_FLASHES)}")
    return _FLASHES[flash]
