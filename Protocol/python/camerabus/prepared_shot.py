"""A camera's part of a shot: it is ready to take a photo of a moment that is chosen later."""

from __future__ import annotations

import os
import time
from typing import Callable, Optional

from . import arguments, messages, output, photo_settings
from .connection import Connection
from .errors import invalid, unfit
from .photo import AsyncCapture
from .photo_settings import PhotoSettings
from .when import When

# The longest photo that comes with the answer, bytes; longer ones are downloaded.
_INLINE = 1 << 20
# How long a node may need for the next of the files that take long to make, seconds.
_STEP = 120.0
# After how long a silence a commit is sent again, seconds: while the node still has the frames of its moment.
_REPEAT = 0.5


def to_wire(shot: bytes, settings: Optional[PhotoSettings], camera: str, wall_error: Optional[float], holder: str,
            term: float) -> messages.ShotPrepareRequest:
    capture = photo_settings.to_wire(settings)
    capture.camera = camera
    capture.inline_limit = 0 if output.several(capture) else _INLINE
    return messages.ShotPrepareRequest(
        shot=shot or os.urandom(16), capture=capture,
        wall_error_ns=0 if wall_error is None else arguments.limit("wall_error", wall_error),
        holder=arguments.text("holder", holder), term_ns=arguments.limit("term", term))


class AsyncPreparedShot:
    """Commit it at a moment, or abort it. The node keeps its place until its lease ends."""

    def __init__(self, connection: Connection, request: messages.ShotPrepareRequest, prepared: messages.ShotPrepared,
                 seconds: Callable[[Optional[float]], float]):
        if len(prepared.lease) != 16 or not prepared.HasField("now") or request.capture.camera not in ("", prepared.camera):
            raise unfit()
        self._connection = connection
        self._capture = request.capture
        self._seconds = seconds
        self.shot = request.shot
        self._received = time.monotonic_ns()
        # The camera's name, the lease, the node's clocks, its newest frame, its interval, and how far back its ring reaches.
        self.prepared = prepared

    async def begin_commit(self, when: When, *, picture: bool = True, timeout: Optional[float] = None) -> AsyncCapture:
        """Takes the photo of the frame nearest `at_monotonic(...)` or `at_wall(...)`, past or up to 10 s ahead, and returns
        when the request is sent.
        """
        moment = When.check(when)
        commit = messages.ShotCommitRequest(camera=self.prepared.camera, shot=self.shot)
        if moment.field == "at_monotonic_ns" and isinstance(moment.value, int):
            commit.at_monotonic_ns = moment.value
        elif moment.field == "at_wall_ns" and isinstance(moment.value, int):
            commit.at_wall_ns = moment.value
        else:
            raise invalid("when", "a shot is of a certain moment: write at_monotonic(NANOSECONDS) or at_wall(NANOSECONDS)")
        wait = self._seconds(timeout) + self._lead(commit)
        call = await self._connection.call(
            messages.Request(lease=self.prepared.lease, shot_commit=commit), wait, pause=_REPEAT)
        call.take_photo(self._capture)
        if output.takes_long(self._capture):
            call.step_timeout = max(wait, _STEP)
        return AsyncCapture(self._connection, call, arguments.flag("picture", picture))

    def _lead(self, commit: messages.ShotCommitRequest) -> float:
        """How far the moment lies ahead, in seconds, by the node's clocks: this machine's may show something else."""
        now = self.prepared.now
        ahead = commit.at_wall_ns - now.wall_ns if commit.HasField("at_wall_ns") else commit.at_monotonic_ns - now.monotonic_ns
        return min(max(0.0, (ahead - (time.monotonic_ns() - self._received)) / 1e9), 10.0)

    async def abort(self) -> bool:
        """Gives it up, and returns whether it was prepared and not committed."""
        request = messages.ShotAbortRequest(camera=self.prepared.camera, shot=self.shot)
        reply = await self._connection.ask(
            "shot_abort", messages.Request(lease=self.prepared.lease, shot_abort=request), self._seconds(None))
        return reply.shot_abort.aborted


def give_up(request: messages.ShotPrepareRequest, id: bytes) -> messages.Request:
    """The request that ends a shot whose answer is lost: a lease that it has taken has the id of its request."""
    abort = messages.ShotAbortRequest(camera=request.capture.camera, shot=request.shot)
    return messages.Request(lease=id, shot_abort=abort)
