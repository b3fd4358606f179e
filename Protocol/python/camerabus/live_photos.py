"""The movies that photos can have around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from . import arguments, messages
from .errors import invalid, shown


@dataclass(frozen=True)
class LivePhotos:
    """While a camera has them, its node codes every frame and keeps those of the last moments."""

    # Seconds of the movie before the photo's frame and after it, at most 5 each, and not both 0. It begins with a picture
    # that needs no other one, so up to a second earlier.
    before: float = 1.5
    after: float = 1.5
    # Whether it has the sound of the camera's microphone, or of the one that is named.
    sound: Union[bool, str] = False


def to_wire(value: object) -> messages.LivePhotoSettings:
    """True stands for `LivePhotos()`, and False switches them off."""
    if arguments.is_boolean(value):
        if not value:
            return messages.LivePhotoSettings()
        value = LivePhotos()
    if not isinstance(value, LivePhotos):
        raise invalid("live_photos", f"live_photos is {shown(value)}: give True, LivePhotos(before=2, after=1), or False")
    before = arguments.nanoseconds("live_photos.before", value.before)
    after = arguments.nanoseconds("live_photos.after", value.after)
    if not before and not after:
        raise invalid("live_photos", "live_photos has a movie of no length: give False to switch them off")
    sound = value.sound
    named = not arguments.is_boolean(sound)
    return messages.LivePhotoSettings(
        before_ns=before, after_ns=after, sound=True if named else bool(sound),
        microphone=arguments.microphone(arguments.text("live_photos.sound", sound)) if named else "")
