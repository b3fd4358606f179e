"""What bringing cameras to a common phase has come to. Durations are in nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .clocks import Bounds
from .errors import CameraBusError
from .rig_shot import bounds_json, problem_json
from .wire_json import Json, number, present


@dataclass(frozen=True)
class CameraPhase:
    """When a camera's frames come, beside those of the rig's first camera that runs."""

    # What its node calls it.
    camera: str
    # How much later they come, by their timestamps, between minus and plus half a frame interval, nanoseconds.
    phase: Bounds
    # How fast that grows: millionths, which are microseconds a second. What the clocks of the machines differ by is in it.
    drift: float

    def json(self) -> Json:
        """With the keys of `camctl rig status --json`."""
        return {"camera": self.camera, "phase": bounds_json(self.phase), "driftPPM": number(self.drift)}


@dataclass
class RigAlignmentPart:
    """One camera's part."""

    # What the camera is called in the rig; the node's name where its cameras are not known.
    camera: str
    # Its node's name in the rig.
    node: str
    # What the node calls it; None if that is not known.
    node_camera: Optional[str]
    # How far its frames were from the common phase before, by their timestamps, and how far they are now: nanoseconds. None
    # if that is not known.
    before: Optional[Bounds] = None
    after: Optional[Bounds] = None
    # How fast its phase moves away from the reference's: millionths, which are microseconds a second. What the clocks of the
    # machines differ by is in it.
    drift: Optional[float] = None
    # How often its stream was begun again.
    restarts: int = 0
    # Whether its frames certainly have the common phase, within the tolerance.
    is_aligned: bool = False
    # Why they do not.
    problem: Optional[CameraBusError] = None

    def json(self) -> Json:
        return present({
            "camera": self.camera, "node": self.node, "nodeCamera": self.node_camera, "before": bounds_json(self.before),
            "after": bounds_json(self.after), "driftPPM": None if self.drift is None else number(self.drift),
            "restarts": self.restarts, "isAligned": self.is_aligned, "problem": problem_json(self.problem)})


@dataclass(frozen=True)
class RigAlignment:
    """What bringing the cameras of a rig to a common phase has come to."""

    # The rig's name; None if it has none.
    rig: Optional[str]
    # How far each camera's frames may lie from the common phase, nanoseconds.
    tolerance: int
    # The camera whose phase the others get; None if there is none that runs.
    reference: Optional[str]
    # The part of each camera, in the order of the rig.
    parts: tuple[RigAlignmentPart, ...]

    @property
    def is_complete(self) -> bool:
        """Whether all cameras have the common phase."""
        return bool(self.parts) and all(part.is_aligned for part in self.parts)

    def json(self) -> Json:
        """With the keys of `camctl rig align --json`."""
        return present({
            "rig": self.rig, "toleranceNanoseconds": self.tolerance, "reference": self.reference,
            "parts": [part.json() for part in self.parts]})
