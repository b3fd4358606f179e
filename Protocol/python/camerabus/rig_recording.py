"""What a recording of a rig has brought. All moments are those of this machine's clocks, in nanoseconds."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Optional, Sequence

from . import messages
from .clocks import Bounds, ClockOffset
from .errors import CameraBusError
from .rig_shot import RigFile, RigOutcome, RigStep, bounds_json, json_text, problem_json, skew, start_bounds
from .wire_json import Json, frame_time_json, present, word


@dataclass(frozen=True)
class RigMovieFrame:
    """When a frame of a movie was taken."""

    # By its node's clocks. The first one's is the tag `CAMERABUS_MONOTONIC_NS` of the file.
    time: messages.MovieFrameTime
    # When its exposure began, at the earliest and at the latest: nanoseconds of this machine's `time.monotonic_ns()`. None
    # if a clock was changed meanwhile.
    earliest_start: Optional[int] = None
    latest_start: Optional[int] = None
    # The beginning of its exposure minus the moment that was asked for, nanoseconds; None without such a moment.
    offset: Optional[Bounds] = None
    # How far its node's clock was ahead of this machine's then.
    clock: Optional[ClockOffset] = None

    @classmethod
    def judged(cls, time: messages.MovieFrameTime, moment: Optional[int], clock: Optional[ClockOffset]) -> RigMovieFrame:
        """`moment` is the one that it is nearest to, and None if nobody has named one."""
        start = start_bounds(time)
        if clock is None or start is None:
            return cls(time, clock=clock)
        earliest, latest = start[0] - clock.most, start[1] - clock.least
        offset = None if moment is None else Bounds(earliest - moment, latest - moment)
        return cls(time, earliest, latest, offset, clock)

    def json(self) -> Json:
        return present({
            "time": frame_time_json(self.time), "earliestStartNanoseconds": self.earliest_start,
            "latestStartNanoseconds": self.latest_start, "offset": bounds_json(self.offset),
            "clock": bounds_json(self.clock)})


@dataclass(frozen=True)
class RigMovie:
    """A movie of a recording."""

    # Names it in the node's library: the id of the request that began it.
    recording: bytes
    # The movie in the node's library.
    asset: messages.Asset
    # Frames in it.
    frames: int
    # Frames that are missing between its first and its last one; None if that is not known.
    dropped: Optional[int]
    # Why it ended; 0 if that is not known.
    reason: messages.RecordResult.EndReason.ValueType
    # Its first and its last frame; None where the node was killed meanwhile.
    first: Optional[RigMovieFrame]
    last: Optional[RigMovieFrame]
    # Its file here; of one that was not fetched, what the library has.
    files: tuple[RigFile, ...]
    # How much later than the rig's earliest movie it begins, nanoseconds: a player that shows all movies together begins
    # this one so much later. None where that is not known.
    delay: Optional[Bounds] = None

    def json(self) -> Json:
        return present({
            "recordingID": self.recording.hex(), "frames": self.frames, "dropped": self.dropped,
            "reason": word(messages.RecordResult.EndReason, "END_REASON_", self.reason),
            "first": self.first.json() if self.first else None, "last": self.last.json() if self.last else None,
            "delay": bounds_json(self.delay), "files": [file.json() for file in self.files]})


@dataclass(frozen=True)
class RigRecordingPart:
    """One camera's part of a recording."""

    # What the camera is called in the rig; the node's name where its cameras are not known.
    camera: str
    # Its node's name in the rig.
    node: str
    # What the node calls it; None if that is not known.
    node_camera: Optional[str]
    # Where it is, in metres along the rig's axes; None if the rig does not say that.
    position: Optional[tuple[float, float, float]]
    # What it recorded; None if it recorded nothing, or has not ended.
    movie: Optional[RigMovie]
    # Why there is no movie here, or why it is not as it was wanted; and at which step it failed.
    problem: Optional[CameraBusError]
    failed_step: Optional[RigStep]

    def json(self) -> Json:
        return present({
            "camera": self.camera, "node": self.node, "nodeCamera": self.node_camera,
            "position": dict(zip("xyz", self.position)) if self.position else None,
            "movie": self.movie.json() if self.movie else None, "problem": problem_json(self.problem),
            "failedStep": self.failed_step.value if self.failed_step else None})


@dataclass(frozen=True)
class RigRecording:
    """What a recording of a rig has brought: a movie of each camera, and how they are lined up."""

    # The rig's name; None if it has none.
    rig: Optional[str]
    # The moment of the first frames that was asked of all cameras: nanoseconds of this machine's `time.monotonic_ns()`.
    begin: int
    # That of the last frames; None if nobody has named one.
    end: Optional[int]
    # `begin` by this machine's wall clock, nanoseconds since 1970. How wrong that clock is is not known here.
    wall: int
    outcome: RigOutcome
    # The part of each camera, in the order of the rig.
    parts: tuple[RigRecordingPart, ...]
    # How far the beginnings of the movies lie apart, nanoseconds; None for fewer than two movies of which that is known.
    skew: Optional[Bounds] = None

    @property
    def missing(self) -> tuple[RigRecordingPart, ...]:
        """The parts without a movie."""
        return tuple(part for part in self.parts if part.movie is None)

    def json(self) -> Json:
        """The contents of `recording.json`: the same keys and units as those of `camctl rig record` and of Swift."""
        return present({
            "rig": self.rig, "fromMonotonicNanoseconds": self.begin, "untilMonotonicNanoseconds": self.end,
            "fromWallNanoseconds": self.wall, "outcome": self.outcome.value, "parts": [part.json() for part in self.parts],
            "skew": bounds_json(self.skew)})

    def to_json(self) -> str:
        """The text of `recording.json`."""
        return json_text(self.json())

    def lined_up(self) -> RigRecording:
        """The same, which says of each movie how much later than the earliest one it begins, and how far all lie apart."""
        starts = [_start(part.movie) for part in self.parts]
        known = [start for start in starts if start]
        if not known:
            return self
        # Of two moments that are known by bounds only, the one with the earlier middle.
        first = min((index for index, start in enumerate(starts) if start), key=lambda index: sum(starts[index] or ()))
        parts = [
            dataclasses.replace(part, movie=dataclasses.replace(part.movie, delay=_delay(starts, index, first)))
            if part.movie else part for index, part in enumerate(self.parts)]
        return dataclasses.replace(self, parts=tuple(parts), skew=skew(known))


def _start(movie: Optional[RigMovie]) -> Optional[tuple[int, int]]:
    first = movie.first if movie else None
    if first is None or first.earliest_start is None or first.latest_start is None:
        return None
    return first.earliest_start, first.latest_start


def _delay(starts: Sequence[Optional[tuple[int, int]]], index: int, first: int) -> Optional[Bounds]:
    start, reference = starts[index], starts[first]
    if start is None or reference is None:
        return None
    return Bounds(0, 0) if index == first else Bounds(start[0] - reference[1], start[1] - reference[0])
