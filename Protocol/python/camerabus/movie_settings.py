"""What kind of movie a recording makes, and what files it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Union

from . import arguments, messages
from .errors import invalid, shown

_LONG = 2 ** 64 - 1


@dataclass(frozen=True)
class Segments:
    """One file after the other, without a frame missing between two. At least one of the first two is not None."""

    # How long each file is, in seconds: 1 second to a day; None for any length.
    duration: Optional[float] = None
    # So many bytes end a file, at least 1 MiB; None for any size.
    maximum_bytes: Optional[int] = None
    # Whether files end at whole multiples of the duration since 1970 by the node's wall clock.
    by_wall_clock: bool = False

    @property
    def message(self) -> messages.SegmentSettings:
        return messages.SegmentSettings(
            duration_ns=0 if self.duration is None else arguments.limit("segments.duration", self.duration),
            bytes=0 if self.maximum_bytes is None else arguments.whole(
                "segments.maximum_bytes", self.maximum_bytes, _LONG, least=1),
            wall_clock=arguments.flag("segments.by_wall_clock", self.by_wall_clock))


@dataclass(frozen=True)
class Clips:
    """A file around each trigger: `trigger_clip`, or a change of the subject area of one of some cameras. Not both of the
    first two are 0.
    """

    # Seconds before the trigger, at most 60. A clip begins with a picture that needs no other one.
    before: float = 0
    # Seconds after the last trigger, at most an hour.
    after: float = 0
    # Cameras of the node whose changes of the subject area are triggers too.
    subject_areas: Sequence[str] = ()

    @property
    def message(self) -> messages.ClipSettings:
        return messages.ClipSettings(
            before_ns=arguments.nanoseconds("clips.before", self.before),
            after_ns=arguments.nanoseconds("clips.after", self.after),
            subject_areas=[
                arguments.camera(arguments.text("clips.subject_areas", name))
                for name in arguments.several("clips.subject_areas", self.subject_areas, "('door', 'yard')")])


def segments(value: Optional[Segments]) -> Optional[messages.SegmentSettings]:
    if value is None:
        return None
    if not isinstance(value, Segments):
        raise invalid("segments", f"segments is {shown(value)}: give Segments(duration=60)")
    return value.message


def clips(value: Optional[Clips]) -> Optional[messages.ClipSettings]:
    if value is None:
        return None
    if not isinstance(value, Clips):
        raise invalid("clips", f"clips is {shown(value)}: give Clips(before=5, after=5)")
    return value.message


def request(codec: str = "", container: str = "", quality: Optional[int] = None, bit_rate: Optional[int] = None,
            key_interval: Optional[float] = None, name: str = "", tags: Sequence[str] = (), sound: Union[bool, str] = False,
            sound_codec: str = "", sound_bit_rate: Optional[int] = None,
            sound_required: bool = False) -> messages.RecordStartRequest:
    """The request for a movie of this kind, of no camera yet."""
    return messages.RecordStartRequest(
        codec=messages.VideoCodec.Value(arguments.choice("codec", codec, "VIDEO_CODEC", messages.VideoCodec.keys())),
        container=messages.MovieContainer.Value(
            arguments.choice("container", container, "MOVIE_CONTAINER", messages.MovieContainer.keys())),
        quality=arguments.quality(quality),
        bit_rate=0 if bit_rate is None else arguments.whole("bit_rate", bit_rate, 10 ** 9, least=10_000),
        key_interval_ns=0 if key_interval is None else arguments.limit("key_interval", key_interval),
        name=arguments.text("name", name), tags=arguments.words("tags", tags),
        sound=_sound(sound, sound_codec, sound_bit_rate, sound_required))


def _sound(sound: Union[bool, str], codec: str, bit_rate: Optional[int], required: bool) -> Optional[messages.SoundSettings]:
    """What a movie shall have of sound; None for a movie without."""
    settings = messages.SoundSettings(
        codec=messages.SoundCodec.Value(arguments.choice("sound_codec", codec, "SOUND_CODEC", messages.SoundCodec.keys())),
        bit_rate=0 if bit_rate is None else arguments.whole("sound_bit_rate", bit_rate, 512_000, least=6_000),
        required=arguments.flag("sound_required", required))
    if isinstance(sound, str):
        settings.microphone = arguments.microphone(sound)
    elif not arguments.flag("sound", sound):
        if settings != messages.SoundSettings():
            raise invalid("sound", "a movie without sound has no codec and no bit rate of it: give sound=True too")
        return None
    return settings
