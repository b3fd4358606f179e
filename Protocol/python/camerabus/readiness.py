"""Whether a camera can take a photo now, by the node's state and by what this client has under way. It does no I/O."""

from __future__ import annotations

import enum
from typing import Optional, Sequence

from . import messages, output
from .calls import Call

# How many photos of a camera one client may have that wait or are being encoded, and how many in
# all.
_UNMADE = 12
_UNDER_WAY = 24


class Readiness(enum.IntEnum):
    """Whether a camera can take and keep a photo now, and if not, what it waits for. The values above 0 are the
    protocol's.
    """

    # The photo would change the camera's controls or format, and another client has the camera's
    # lease, or this client's lease has ended.
    NOT_READY_LEASED = -1
    # A newer node says something that this client does not know.
    UNKNOWN = 0
    # The session is stopped, interrupted or failed.
    SESSION_NOT_RUNNING = 1
    READY = 2
    # Not for a moment: the session starts, or a request is on its way to the node.
    NOT_READY_MOMENTARILY = 3
    # As many photos wait for their frame as the node allows, or as it allows this client.
    NOT_READY_WAITING_FOR_CAPTURE = 4
    # As many pictures are being encoded or stored as the node allows, or as it allows this client.
    NOT_READY_WAITING_FOR_PROCESSING = 5
    # The node's disk is full. A photo with keep=False is taken all the same.
    NOT_READY_STORAGE_FULL = 6
    # No picture can be made of the frames in the camera's format, until it gets another.
    NOT_READY_UNSUPPORTED_FORMAT = 7
    # The node's library cannot be written. A photo with keep=False is taken all the same.
    NOT_READY_STORAGE_FAILED = 8
    # The camera takes a photo of the largest size in another format, for some seconds at most.
    NOT_READY_CHANGING_FORMAT = 9


class OwnLease:
    """A lease under which this client works."""

    def __init__(self, id: bytes):
        self.id = id
        # Whether the node has said since that the camera is leased, so that a state without a lease
        # means its end.
        self.is_told = False


def combined(camera: messages.CameraStatus, calls: Sequence[Call], lease: Optional[OwnLease],
             changes_camera: bool) -> Readiness:
    """Combines the state of a camera with the photos that this client has under way, and with its lease."""
    is_leased = camera.HasField("lease")
    if lease and is_leased:
        lease.is_told = True
    readiness = _readiness(camera, [
        call for call in calls if call.photo is not None and call.photo.camera in ("", camera.name)])
    is_open = is_leased or not lease.is_told if lease else not is_leased
    if readiness is Readiness.READY and changes_camera and not is_open:
        return Readiness.NOT_READY_LEASED
    return readiness


def _readiness(camera: messages.CameraStatus, photos: Sequence[Call]) -> Readiness:
    try:
        published = Readiness(max(0, camera.readiness))
    except ValueError:
        published = Readiness.UNKNOWN
    if published is not Readiness.READY:
        return published
    if sum(call.photo is not None and call.processed < output.all_files(call.photo) for call in photos) >= _UNMADE:
        return Readiness.NOT_READY_WAITING_FOR_CAPTURE
    if len(photos) >= _UNDER_WAY:
        return Readiness.NOT_READY_WAITING_FOR_PROCESSING
    return published if all(call.is_answered for call in photos) else Readiness.NOT_READY_MOMENTARILY
