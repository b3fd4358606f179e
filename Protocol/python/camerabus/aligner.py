"""Brings the frames of cameras that run freely to a common phase; for the blocking rig and for the asyncio one."""

from __future__ import annotations

import contextlib
import functools
import time
from typing import Any, Callable, Coroutine, Optional, Sequence

from . import messages
from .client import Client
from .common_phase import CommonPhase, Rhythm, is_usable
from .crew import Crew, Job
from .errors import CameraBusError, Code
from .frames import LARGEST, QUEUE, WAITING
from .rig_alignment import RigAlignment, RigAlignmentPart
from .roster import RosterEntry
from .shell import Shell
from .subscription import Subscription

# How far ahead the streams begin, nanoseconds: a device has to be opened until then.
_AHEAD = 1_500_000_000
# Of how many frames a phase is judged.
_FRAMES = 24


class Aligner:
    """Begins the streams of cameras again until their frames come at the same time as those of the first camera that runs.

    A camera's phase is decided by the moment at which its stream begins, and by how long the device takes from there, which
    is learned from one beginning for the next.
    """

    def __init__(self, crew: Crew, name: Optional[str], entries: Sequence[RosterEntry], tolerance: int, tries: int):
        self._crew = crew
        self._name = name
        self._tolerance = tolerance
        self._tries = tries
        self._cameras = [_Camera(entry) for entry in entries]

    async def align(self) -> RigAlignment:
        await self._measure()
        reference = next((camera for camera in self._cameras if camera.rhythm), None)
        if reference is None or reference.rhythm is None:
            return self._result(None)
        phase = CommonPhase(reference.rhythm.pace.interval_ns)
        for camera in self._running:
            interval = camera.known.pace.interval_ns
            if not phase.has_pace(camera.known.pace, reference.rhythm.pace):
                camera.part.problem = CameraBusError(
                    Code.CONFLICT, f"its frames come every {interval / 1e6:g} ms, and those of {reference.part.camera} every "
                    f"{phase.interval / 1e6:g} ms: give both the same rate")
        for left in reversed(range(self._tries + 1)):
            if reference.part.problem:
                break
            for camera in self._running:
                camera.judge(reference.known, phase, self._tolerance)
            wrong = [camera for camera in self._running if camera.is_wrong(self._tolerance)]
            if not left or not wrong:
                break
            await self._restart(wrong, reference.known, phase)
            await self._measure()
        for camera in self._cameras:
            camera.explain(self._tolerance)
        return self._result(reference.part.camera)

    @property
    def _running(self) -> list[_Camera]:
        """The cameras of which it is known when their frames come."""
        return [camera for camera in self._cameras if camera.rhythm and not camera.part.problem]

    async def _measure(self) -> None:
        await self._each([camera for camera in self._cameras if not camera.part.problem], _measure)

    async def _restart(self, cameras: Sequence[_Camera], reference: Rhythm, phase: CommonPhase) -> None:
        due = phase.next(reference.frame, time.monotonic_ns() + _AHEAD)
        for camera in cameras:
            camera.start = due - (camera.lag or 0)
            camera.part.restarts += 1
        await self._each(cameras, _begin)

    async def _each(self, cameras: Sequence[_Camera], work: Callable[[_Camera], Coroutine[Any, Any, None]]) -> None:
        """Does something with all of these cameras at once. What goes wrong with one is in its part."""
        async def attempt(camera: _Camera) -> None:
            try:
                await work(camera)
            except CameraBusError as error:
                camera.part.problem = error

        jobs = [Job(camera.lane, functools.partial(attempt, camera)) for camera in cameras]
        async with contextlib.aclosing(self._crew.each(jobs)) as ended:
            async for _ in ended:
                pass

    def _result(self, reference: Optional[str]) -> RigAlignment:
        return RigAlignment(self._name, self._tolerance, reference, tuple(camera.part for camera in self._cameras))


class _Camera:
    """A camera, and how far it is from the common phase."""

    def __init__(self, entry: RosterEntry):
        self.entry = entry
        self.part = RigAlignmentPart(entry.name, entry.link.node.name, entry.node_camera, problem=entry.problem)
        self.rhythm: Optional[Rhythm] = None
        # When its stream began last, by this machine's clock; and how long its device takes from there to a frame, on the
        # circle of the phase.
        self.start: Optional[int] = None
        self.lag: Optional[int] = None

    @property
    def lane(self) -> Shell:
        return self.entry.lane

    @property
    def client(self) -> Client:
        return self.entry.client

    @property
    def known(self) -> Rhythm:
        assert self.rhythm is not None
        return self.rhythm

    def judge(self, reference: Rhythm, phase: CommonPhase, tolerance: int) -> None:
        """Says how far it is from the reference."""
        place = phase.place(self.known, reference)
        part = self.part
        part.before = part.before or place.bounds
        part.after, part.drift = place.bounds, place.drift
        part.is_aligned = max(place.bounds.most, -place.bounds.least) <= tolerance
        if self.start is not None:
            self.lag = phase.distance(self.known.frame, self.start)

    def is_wrong(self, tolerance: int) -> bool:
        """Whether another beginning can help: with what the bounds leave open it cannot."""
        after = self.part.after
        return not self.part.is_aligned and after is not None and abs(after.middle) > tolerance / 8

    def explain(self, tolerance: int) -> None:
        part = self.part
        if part.is_aligned or part.problem:
            return
        if part.after is not None and part.after.error > tolerance:
            why = f"nobody knows its phase so exactly: its node's clock is known within {part.after.error / 1e6:g} ms"
        else:
            why = ("the device does not begin its frames at the same time after each start: "
                   f"{part.restarts} tries were not enough")
        part.problem = CameraBusError(Code.CONFLICT, why)


async def _measure(camera: _Camera) -> None:
    """Reads the camera's phase, when enough frames have come, and its node's clock."""
    client, link = camera.client, camera.entry.link
    topic = await client.frame_topic(camera.entry.node_camera, "preview")
    endpoint = client.frames_endpoint(topic)
    # A camera that is idle begins to stream.
    subscription = Subscription(
        client.connection.shell, lambda: endpoint(client.connection), client.connection.credentials, [topic, "heartbeat/"],
        QUEUE, LARGEST, WAITING)
    try:
        missing, end = 0, time.monotonic() + link.timeout
        while (left := end - time.monotonic()) > 0:
            parts = await subscription.receive(left)
            if parts is None or not parts[0].startswith(topic.encode()):
                continue
            end = time.monotonic() + link.timeout
            missing -= 1
            if missing > 0:
                continue
            [status] = (await client.status(camera.entry.node_camera)).cameras
            missing = _FRAMES - status.pace.frames
            if missing > 0 or not is_usable(status.pace):
                continue
            await link.read_clock(client)
            clock = link.offset(time.monotonic_ns())
            if clock is None:
                raise CameraBusError(Code.CONFLICT, f"the clock of node {link.node.name} is not known: try again")
            camera.rhythm = Rhythm(status.pace, clock)
            return
    finally:
        subscription.close()
    raise CameraBusError(
        Code.FRAME_UNAVAILABLE, "the camera sends no frames of its preview: look at its session, and whether the stream is on")


async def _begin(camera: _Camera) -> None:
    assert camera.start is not None
    try:
        await camera.client.start_session(
            camera.entry.node_camera, at_monotonic_ns=camera.start + camera.known.clock.middle)
    except CameraBusError as error:
        if error.reason != messages.ERROR_REASON_LATE:  # it runs, and the next try is earlier
            raise
