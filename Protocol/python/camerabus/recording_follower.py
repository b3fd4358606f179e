"""The end of a recording, from the node's events and, where these are gone, from its library."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Callable, Optional, Protocol

from . import messages
from .errors import CameraBusError, Code
from .monitor import AsyncMonitor
from .tracker import Disconnected, Lost, Notice, Published, Snapshot

# How often to look whether something else ends the waiting, seconds.
_PAUSE = 0.25
# Errors of the library after which asking again can help.
_PASSING = {Code.UNREACHABLE, Code.INTERRUPTED, Code.DEADLINE_EXCEEDED}


class Node(Protocol):
    async def assets(self, *, limit: int = 0, request_id: bytes = b"") -> list[messages.Asset]: ...

    async def status(self) -> messages.StatusReply: ...


@dataclass(frozen=True)
class Recorded:
    """What a recording has become."""

    result: messages.RecordResult
    # Whether only the library was left to ask, which does not know all.
    is_from_library: bool = False


class RecordingFollower:
    """Follows one recording to its end, whatever becomes of events, connections and the node."""

    def __init__(self, node: Node, camera: str, recording: bytes, patience: float, end: Callable[[], Optional[float]]):
        """`end` says when the recording ends at the latest, by `time.monotonic()`; None while nobody knows. A node that is
        silent is waited for until then, and so many seconds of `patience` longer.
        """
        self._node = node
        self._camera = camera
        self._recording = recording
        self._patience = patience
        self._end = end
        # Since when nothing comes from the node; None if it speaks.
        self._silent_since: Optional[float] = None
        # Whether nobody knew of the recording any more. Its end may be published after the status was written and before
        # the library answers, so that is asked twice.
        self._is_doubtful = False

    async def end(self, monitor: AsyncMonitor, is_over: Callable[[], bool]) -> Optional[Recorded]:
        """Waits for the end; None if something else `is_over`.

        - Raises: `CameraBusError`: the reason why there is no movie; OUTCOME_UNKNOWN if neither the node's events nor its
          library know of it; UNREACHABLE if the node stays away.
        """
        while not is_over():
            notice = await monitor.next(_PAUSE)
            if isinstance(notice, Disconnected):
                self._silent_since = time.monotonic()
            elif notice is not None:
                self._silent_since = None
            if recorded := await self._heard(notice):
                return recorded
            self._check_patience()
        return None

    async def _heard(self, notice: Optional[Notice]) -> Optional[Recorded]:
        if isinstance(notice, Published):
            return self._told(notice.event.recording)
        if isinstance(notice, Snapshot):
            return await self._found(notice.status)
        if isinstance(notice, Lost) or notice is None and self._is_doubtful:
            try:
                return await self._found(await self._node.status())
            except CameraBusError as error:
                if error.code not in _PASSING:
                    raise
        return None

    def _told(self, event: messages.RecordEvent) -> Optional[Recorded]:
        if event.request_id != self._recording:
            return None
        if event.HasField("failed"):
            raise CameraBusError.from_wire(event.failed, self._recording)
        return Recorded(checked(event.finished, self._recording)) if event.HasField("finished") else None

    async def _found(self, status: messages.StatusReply) -> Optional[Recorded]:
        """What the library has of a recording that does not run any more: its end is among the forgotten events. None if it
        runs, or if the node does not answer: then an event or another snapshot comes.
        """
        if any(camera.recording.request_id == self._recording for camera in status.cameras):
            return None
        try:
            assets = await self._node.assets(request_id=self._recording, limit=1)
        except CameraBusError as error:
            if error.code in _PASSING:
                return None
            raise
        if not assets and not self._is_doubtful:
            self._is_doubtful = True
            return None
        if not assets:
            raise CameraBusError(
                Code.OUTCOME_UNKNOWN, "neither the node's events nor its library know of this recording any more: the node's "
                "log says what became of it", request_id=self._recording)
        [asset] = assets
        # The library marks nothing else as recovered.
        reason = messages.RecordResult.END_REASON_NODE_KILLED if asset.recovered \
            else messages.RecordResult.END_REASON_UNSPECIFIED
        return Recorded(messages.RecordResult(
            asset=asset, frames=asset.frames, reason=reason, recording=self._recording), is_from_library=True)

    def _check_patience(self) -> None:
        if self._silent_since is None:
            return
        end = self._end()
        if time.monotonic() >= max(self._silent_since, end or 0) + self._patience:
            raise CameraBusError(
                Code.UNREACHABLE, "the node is silent: when it is back, its library has what there is of the movie of "
                f"{self._camera}", request_id=self._recording, retryable=True)


def checked(result: messages.RecordResult, recording: bytes) -> messages.RecordResult:
    """The result of a recording that has left a movie."""
    if not result.HasField("asset"):
        raise CameraBusError(
            Code.FRAME_UNAVAILABLE, "no frame came while it recorded, so there is no movie", request_id=recording)
    return result
