"""The messages of a shot as JSON: the same keys and units as in Swift, where times are nanoseconds."""

from __future__ import annotations

import math
import re
from typing import Any, Optional, Union

from . import messages
from .controls import PointOfInterest, from_wire

Json = dict[str, Any]
FrameTime = Union[messages.ResolvedCapture, messages.MovieFrameTime]


def present(values: Json) -> Json:
    """The same without what is not known."""
    return {key: value for key, value in values.items() if value is not None}


def camel_case(name: str) -> str:
    """"exposureStart" of EXPOSURE_START."""
    return re.sub("_(.)", lambda match: match[1].upper(), name.lower())


def number(value: float) -> Any:
    """A number of JSON, which has no infinity."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return int(value) if abs(value) < 2 ** 53 and value == int(value) else value


def resolved_json(resolved: messages.ResolvedCapture) -> Json:
    """The frame of a photo that is the only one of its request."""
    facts = resolved.facts
    return present({
        "picture": 1,
        "frameSequence": resolved.frame_sequence,
        **frame_time_json(resolved),
        "offsetNanoseconds": resolved.offset_ns,
        "size": _size(resolved.size),
        "orientation": {"rotation": resolved.orientation.rotation, "isMirrored": resolved.orientation.mirrored},
        "isPassthrough": resolved.passthrough,
        "quality": resolved.quality or None,
        "startNanoseconds": resolved.start_ns,
        "facts": present({
            **{name: number(getattr(facts, name)) for name in ("gain", "focus", "kelvin", "zoom") if facts.HasField(name)},
            "colorRange": word(messages.ColorRange, "COLOR_RANGE_", facts.color_range),
            "colorMatrix": word(messages.ColorMatrix, "COLOR_MATRIX_", facts.color_matrix),
            "isLitByFlash": facts.flash if facts.HasField("flash") else None}),
        "calibrationID": resolved.calibration_id or None,
        "deviceTime": _device_time(resolved.device_time) if resolved.HasField("device_time") else None,
        "gapNanoseconds": resolved.gap_ns,
        "prioritization": word(messages.PhotoPrioritization, "PHOTO_PRIORITIZATION_", resolved.prioritization) or "speed",
        "mergedFrames": max(1, resolved.merged_frames),
        "shot": _bracket_shot(resolved.shot) if resolved.HasField("shot") else None,
        "flash": _basis(resolved.flash) if resolved.flash else None})


def frame_time_json(frame: FrameTime) -> Json:
    """When a frame was taken, by its node's clocks."""
    return {
        "timestamp": present({
            "monotonicNanoseconds": frame.timestamp.monotonic_ns, "wallNanoseconds": frame.timestamp.wall_ns,
            "wallErrorNanoseconds": frame.timestamp.wall_error_ns or None}),
        "exposure": present({
            "earliestStartNanoseconds": frame.earliest_start_ns, "latestEndNanoseconds": frame.latest_end_ns,
            "durationNanoseconds": frame.exposure_ns or None,
            "timestampMark": word(messages.TimestampMark, "TIMESTAMP_MARK_", frame.timestamp_mark) or "unknown"})}


def calibration_json(calibration: messages.Calibration) -> Json:
    return {
        "id": calibration.id, "size": _size(calibration.size), "cameraMatrix": _numbers(calibration.camera_matrix),
        "distortionModel": calibration.distortion_model, "distortion": _numbers(calibration.distortion),
        "rectification": _numbers(calibration.rectification), "projection": _numbers(calibration.projection)}


def _numbers(values: Any) -> list[Any]:
    return [number(value) for value in values]


def _size(size: messages.Size) -> Json:
    return {"width": size.width, "height": size.height}


def word(enumeration: Any, prefix: str, value: int) -> Optional[str]:
    """The word for a value; None if it is not specified, or that of a newer node."""
    if value == 0 or value not in enumeration.values():
        return None
    return camel_case(enumeration.Name(value).removeprefix(prefix))


def _basis(basis: int) -> str:
    return word(messages.ControlEffect.Basis, "BASIS_", basis) or "unknown"


def _device_time(time: messages.DeviceTime) -> Json:
    return {
        "ticks": time.ticks, "monotonicNanoseconds": time.monotonic_ns, "errorNanoseconds": time.error_ns,
        "basis": word(messages.DeviceTime.Basis, "BASIS_", time.basis) or "unknown"}


def _bracket_shot(shot: messages.ResolvedShot) -> Json:
    return {
        "index": shot.index, "count": shot.count, "evidence": _basis(shot.evidence),
        "settings": [
            {"id": setting.id, "value": _value(setting.value)} for setting in shot.settings
            if setting.value.WhichOneof("value")]}


def _value(value: messages.ControlValue) -> Any:
    known = from_wire(value)
    if isinstance(known, PointOfInterest):
        return {"x": number(known.x), "y": number(known.y)}
    if isinstance(known, bytes):
        return {"hex": known.hex()}
    return number(known) if isinstance(known, float) else known
