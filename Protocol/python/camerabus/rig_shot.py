"""What a shot of a rig has brought. All moments are those of this machine's clocks, in nanoseconds."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from typing import Optional, Sequence

from . import arguments, messages
from .clocks import Bounds, ClockOffset
from .errors import CameraBusError, invalid, shown
from .photo import Photo
from .wire_json import FrameTime, Json, calibration_json, camel_case, present, resolved_json


@dataclass(frozen=True)
class RigPolicy:
    """How many cameras of a rig have to be ready, so that a shot is taken: `ALL`, `ANY` or `at_least(3)`."""

    # At least so many; None for all.
    least: Optional[int]

    @staticmethod
    def check(policy: object) -> RigPolicy:
        if not isinstance(policy, RigPolicy):
            raise invalid("policy", f"policy is {shown(policy)}: give ALL, ANY or at_least(NUMBER)")
        return policy

    def allows(self, ready: int, total: int) -> bool:
        """Whether so many ready cameras of all are enough."""
        return ready > 0 and ready >= (total if self.least is None else self.least)


ALL = RigPolicy(None)
"""All cameras, or nothing is taken."""

ANY = RigPolicy(1)
"""Every camera that can: at least one."""


def at_least(count: int) -> RigPolicy:
    """At least so many cameras."""
    return RigPolicy(arguments.whole("policy", count, 2 ** 32 - 1, 1))


class RigOutcome(enum.Enum):
    """How a shot or a recording ended."""

    # Every camera took its picture, or has its movie.
    COMPLETE = "complete"
    # Some did, and the others say why not.
    INCOMPLETE = "incomplete"
    # Too few were ready, so nothing was taken.
    ABANDONED = "abandoned"


class RigStep(enum.Enum):
    """The steps of a shot or a recording."""

    # The node does not answer.
    CONNECT = "connect"
    # The camera was not ready, or could not start its movie.
    PREPARE = "prepare"
    # It was ready, and took nothing, or its movie ended before its time.
    TAKE = "take"
    # It took the picture or the movie, which could not be kept here.
    KEEP = "keep"


@dataclass(frozen=True)
class RigFile:
    """A file of a picture, or that of a movie."""

    # Its name in the folder of the shot or the recording; None if it was not written.
    name: Optional[str]
    # Such as "image/jpeg".
    media_type: str
    byte_count: int
    sha256: bytes

    def json(self) -> Json:
        return present({
            "name": self.name, "mediaType": self.media_type, "byteCount": self.byte_count, "sha256": self.sha256.hex()})


@dataclass(frozen=True)
class RigPicture:
    """A picture of a shot. The times are None in a part that comes before its shot is complete, because the clocks are read
    once more at its end, and in the result if a clock was changed meanwhile.
    """

    # With the bytes, the frame by the node's clocks, and the id of the request as the node's library names it.
    photo: Photo
    # Its files, the first one first.
    files: tuple[RigFile, ...]
    # The camera's calibration; None if it has none.
    calibration: Optional[messages.Calibration] = None
    # When its exposure began, at the earliest and at the latest: nanoseconds of this machine's `time.monotonic_ns()`.
    earliest_start: Optional[int] = None
    latest_start: Optional[int] = None
    # The beginning of its exposure minus the moment of the shot, nanoseconds.
    offset: Optional[Bounds] = None
    # How far the node's clock was ahead of this machine's.
    clock: Optional[ClockOffset] = None

    def json(self) -> Json:
        return present({
            "requestID": self.photo.request_id.hex(), "resolved": resolved_json(self.photo.resolved),
            "earliestStartNanoseconds": self.earliest_start, "latestStartNanoseconds": self.latest_start,
            "offset": bounds_json(self.offset), "clock": bounds_json(self.clock), "files": [file.json() for file in self.files],
            "calibration": calibration_json(self.calibration) if self.calibration else None})


@dataclass(frozen=True)
class RigPart:
    """One camera's part of a shot."""

    # What the camera is called in the rig; the node's name where its cameras are not known.
    camera: str
    # Its node's name in the rig.
    node: str
    # What the node calls it; None if that is not known.
    node_camera: Optional[str]
    # Where it is, in metres along the rig's axes; None if the rig does not say that.
    position: Optional[tuple[float, float, float]]
    # What it took; None if it took nothing.
    picture: Optional[RigPicture]
    # What went wrong, and at which step.
    problem: Optional[CameraBusError]
    failed_step: Optional[RigStep]

    def json(self) -> Json:
        return present({
            "camera": self.camera, "node": self.node, "nodeCamera": self.node_camera,
            "position": dict(zip("xyz", self.position)) if self.position else None,
            "picture": self.picture.json() if self.picture else None, "problem": problem_json(self.problem),
            "failedStep": self.failed_step.value if self.failed_step else None})


@dataclass(frozen=True)
class RigShot:
    """What a shot of a rig has brought."""

    # Names it on all nodes: 16 bytes.
    shot: bytes
    # The rig's name; None if it has none.
    rig: Optional[str]
    # The moment that was asked of all cameras: nanoseconds of this machine's `time.monotonic_ns()`.
    moment: int
    # The same moment by this machine's wall clock, nanoseconds since 1970. How wrong that clock is is not known here.
    wall: int
    outcome: RigOutcome
    # The part of each camera, in the order of the rig.
    parts: tuple[RigPart, ...]
    # How far the beginnings of the exposures lie apart, nanoseconds; None for fewer than two pictures of which that is known.
    skew: Optional[Bounds]

    @property
    def missing(self) -> tuple[RigPart, ...]:
        """The parts without a picture."""
        return tuple(part for part in self.parts if part.picture is None)

    def json(self) -> Json:
        """The contents of `shot.json`: the same keys and units as those of the shots of `camctl rig` and of Swift."""
        return present({
            "shot": self.shot.hex(), "rig": self.rig, "monotonicNanoseconds": self.moment, "wallNanoseconds": self.wall,
            "outcome": self.outcome.value, "parts": [part.json() for part in self.parts], "skew": bounds_json(self.skew)})

    def to_json(self) -> str:
        """The text of `shot.json`."""
        return json_text(self.json())


def start_bounds(frame: FrameTime) -> Optional[tuple[int, int]]:
    """When its exposure began by the node's clock, as far as its stamp proves it."""
    if not frame.HasField("timestamp"):
        return None
    if frame.timestamp_mark == messages.TIMESTAMP_MARK_EXPOSURE_START:
        return frame.timestamp.monotonic_ns, frame.timestamp.monotonic_ns
    earliest = frame.earliest_start_ns
    return earliest, max(earliest, frame.latest_end_ns - frame.exposure_ns)


def skew(starts: Sequence[tuple[int, int]]) -> Optional[Bounds]:
    """How far moments lie apart of which only the earliest and the latest time are known."""
    if len(starts) < 2:
        return None
    least = max(earliest for earliest, _ in starts) - min(latest for _, latest in starts)
    # The latest end of one and the earliest start of another one: that of the two of each that lie furthest out.
    ends = sorted(range(len(starts)), key=lambda index: -starts[index][1])[:2]
    beginnings = sorted(range(len(starts)), key=lambda index: starts[index][0])[:2]
    most = max(starts[end][1] - starts[start][0] for end in ends for start in beginnings if start != end)
    return Bounds(max(0, least), max(0, most))


def bounds_json(bounds: Optional[Bounds]) -> Optional[Json]:
    return None if bounds is None else {"leastNanoseconds": bounds.least, "mostNanoseconds": bounds.most}


def problem_json(problem: Optional[CameraBusError]) -> Optional[Json]:
    return None if problem is None else {"code": camel_case(problem.code.name), "message": problem.message}


def json_text(value: Json) -> str:
    """The text of a file that describes a shot or a recording, as Swift writes it."""
    return json.dumps(value, indent=2, sort_keys=True, separators=(",", " : "), ensure_ascii=False, allow_nan=False) + "\n"
