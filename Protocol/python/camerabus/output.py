"""The files that the answer to a request for photos has."""

from __future__ import annotations

from . import messages

# The files that are made at once; others may take seconds.
_FAST = {messages.PHOTO_FORMAT_JPEG, messages.PHOTO_FORMAT_RAW}


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
    """Whether the files come one after another, or they or the movie may take seconds to make."""
    return several(request) or request.live or not request.deferred and any(
        output.format not in _FAST for output in request.outputs)
