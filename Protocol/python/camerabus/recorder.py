"""One recording of a rig, written once for the blocking rig and for the asyncio one."""

from __future__ import annotations

import contextlib
import functools
import os
import time
from typing import Any, Callable, Coroutine, Optional, Sequence

from . import arguments, messages
from .calls import Call
from .client import Client
from .clocks import ClockOffset
from .crew import Crew, Job
from .errors import CameraBusError, Code, invalid, shown
from .recording_follower import Recorded, RecordingFollower, checked
from .rig_link import RigLink
from .rig_recording import RigMovie, RigMovieFrame, RigRecording, RigRecordingPart
from .rig_shot import RigFile, RigOutcome, RigPolicy, RigStep
from .roster import RosterEntry
from .shell import Shell
from .shot_folder import ShotFolder

# How long the nodes may take to get a command, beyond what the network has shown, nanoseconds.
_MARGIN = 50_000_000
# How long the cameras may take to get ready, beyond that, nanoseconds: a file is created for each.
_PREPARATION = 1_000_000_000
# How far ahead a moment of a recording may lie, nanoseconds.
_FARTHEST = 60 * 10 ** 9
# Errors of a stop after which the recording may have ended, or may end, by itself.
_ENDED = {Code.CONFLICT, Code.OUTCOME_UNKNOWN, Code.INTERRUPTED, Code.UNREACHABLE}
_TROUBLES = {
    messages.RecordResult.END_REASON_STORAGE_FULL: "the node's disk is full",
    messages.RecordResult.END_REASON_STORAGE_FAILED: "the node's disk failed",
    messages.RecordResult.END_REASON_CAMERA_LOST: "the camera was lost",
    messages.RecordResult.END_REASON_SOUND_LOST: "no sound came any more",
    messages.RecordResult.END_REASON_NODE_STOPPED: "the node was stopped",
    messages.RecordResult.END_REASON_NODE_KILLED: "the node was killed"}


class AsyncRunningRigRecording:
    """Movies that the cameras of a rig record together. They go on without this, until their end or until they are stopped."""

    def __init__(self, crew: Crew, name: Optional[str], links: Sequence[RigLink], check: Callable[[], None]):
        """`check` raises an error while the connections of the cameras are in use."""
        self._crew = crew
        self._name = name
        self._links = links
        self._check = check
        self._cameras: list[_Camera] = []
        self._begin = self._wall = 0
        self._end: Optional[int] = None
        self._outcome = RigOutcome.INCOMPLETE

    @property
    def state(self) -> RigRecording:
        """What is known so far: which cameras record, and which do not and why. With the outcome ABANDONED none does."""
        parts = tuple(camera.part(self._begin, self._end) for camera in self._cameras)
        return RigRecording(self._name, self._begin, self._end, self._wall, self._outcome, parts).lined_up()

    async def begin(self, entries: Sequence[RosterEntry], at: Optional[int], duration: Optional[int],
                    movie: messages.RecordStartRequest, policy: RigPolicy) -> None:
        """Begins a movie of this kind on all cameras; if too few are ready, what has begun to wait for its moment leaves nothing."""
        self._cameras = [_Camera(entry) for entry in entries]
        asked = [camera for camera in self._cameras if not camera.problem]
        now = time.monotonic_ns()
        interval = max((camera.interval for camera in asked), default=0)
        self._begin = now + self._delay + 2 * interval + _PREPARATION if at is None else at
        self._end = None if duration is None else self._begin + duration
        self._wall = time.time_ns() + self._begin - now
        is_kept = False
        try:
            await self._each(asked, functools.partial(self._start, movie=movie))
            is_kept = policy.allows(len(self._started), len(self._cameras))
        finally:
            if not is_kept:
                self._outcome = RigOutcome.ABANDONED
                try:
                    await self._give_up()
                except BaseException:
                    await self._give_up()  # what Ctrl-C or a cancellation has left
                    raise

    async def stop(self, at: Optional[int] = None) -> None:
        """Ends all movies at one moment, each with the frame nearest to it.

        `at` is the moment, nanoseconds of this machine's `time.monotonic_ns()`, at most a minute ahead; None is as soon as
        all nodes can know of it. It returns when the nodes were told, and `finish` waits for the end. A node that does not
        get this records on until its end.
        """
        if at is not None:
            check_moment(at)
        self._check()
        end = time.monotonic_ns() + self._delay if at is None else at
        self._end = end if self._end is None else min(self._end, end)
        await self._each(self._started, functools.partial(self._tell_stop, end=end))

    async def finish(self, folder: Optional[arguments.Path] = None) -> RigRecording:
        """Waits for the end of all movies, and fetches them.

        The movies are written to `folder`, a new one or one that is empty, named by camera, and `recording.json` with them.
        Without it they stay in the libraries of their nodes. A node that is silent is waited for until the movies' end, and
        for the rig's `timeout` after that.

        Ctrl-C, or cancelling the task that waits, ends the waiting; the cameras record on, and this may be called again.

        - Raises: `CameraBusError` for a folder that cannot be written, and CONFLICT while a shot of this rig is under way.
          What goes wrong with a camera is in its part.
        """
        path = None if folder is None else arguments.path("folder", folder)
        self._check()
        return await self.finish_in(None if path is None else await self._crew.shell.work(lambda: ShotFolder(path)))

    async def finish_in(self, folder: Optional[ShotFolder]) -> RigRecording:
        if self._outcome is not RigOutcome.ABANDONED:
            # Readings before and after a moment bound a clock best.
            await self._crew.sleep(max(0, self._begin - time.monotonic_ns()) / 1e9)
            started = self._started
            links = {id(camera.entry.link): camera.entry.link for camera in started}
            await self._do([Job(link.lane, link.try_clock) for link in links.values()])
            for camera in started:
                camera.clock_at_begin = camera.entry.link.offset(self._begin)
            await self._each(started, functools.partial(self._finish, folder=folder))
            is_complete = all(camera.recorded and not camera.problem for camera in self._cameras)
            self._outcome = RigOutcome.COMPLETE if is_complete else RigOutcome.INCOMPLETE
        recording = self.state
        if folder is not None:
            await self._crew.shell.work(lambda: folder.write_recording(recording))
        return recording

    @property
    def _started(self) -> list[_Camera]:
        return [camera for camera in self._cameras if camera.is_started]

    @property
    def _delay(self) -> int:
        """How long it may take until all nodes know something, nanoseconds."""
        return _MARGIN + 2 * max((link.round_trip for link in self._links), default=0)

    async def _each(self, cameras: Sequence[_Camera], work: Callable[[_Camera], Coroutine[Any, Any, None]],
                    to_the_end: bool = False) -> None:
        """Does something with all of these cameras at once."""
        await self._do([Job(camera.lane, functools.partial(work, camera)) for camera in cameras], to_the_end)

    async def _do(self, jobs: Sequence[Job], to_the_end: bool = False) -> None:
        async with contextlib.aclosing(self._crew.each(jobs, to_the_end)) as ended:
            async for _ in ended:
                pass

    async def _start(self, camera: _Camera, movie: messages.RecordStartRequest) -> None:
        try:
            clock = camera.known_clock(self._begin)
            camera.changes = camera.entry.link.changes
            request = messages.RecordStartRequest(
                camera=camera.entry.node_camera or "", from_monotonic_ns=self._begin + clock.middle,
                until_monotonic_ns=0 if self._end is None else self._end + clock.middle)
            request.MergeFrom(movie)
            await camera.client.start_movie(request, id=camera.recording)
            camera.is_started = True
        except CameraBusError as error:
            camera.fail(RigStep.PREPARE, error)
            if error.code is Code.UNREACHABLE:  # it may have begun
                await camera.tell_stop()
        except BaseException:
            await camera.tell_stop()
            raise

    async def _give_up(self) -> None:
        """Stops what has begun. Before its moment that leaves nothing."""
        await self._each(self._started, _give_up, to_the_end=True)

    async def _tell_stop(self, camera: _Camera, end: int) -> None:
        clock = camera.entry.link.offset(end)
        ahead = max(0, end - time.monotonic_ns()) / 1e9
        camera.stopping = await camera.client.connection.call(
            camera.stop(end + clock.middle if clock else 0), camera.entry.link.timeout + ahead)

    async def _finish(self, camera: _Camera, folder: Optional[ShotFolder]) -> None:
        link = camera.entry.link
        camera.problem = camera.failed_step = None  # of an earlier call
        step = RigStep.TAKE
        try:
            camera.recorded = recorded = await self._recorded(camera)
            result = recorded.result
            # As soon as the movie has ended, because downloads take long. Its node may be ending too, so a clock that
            # does not answer is no failure.
            if result.HasField("last"):
                with contextlib.suppress(CameraBusError):
                    await link.read_clock(camera.client)
                now = link.offset(time.monotonic_ns())
                camera.clock_at_end = link.offset(result.last.timestamp.monotonic_ns - now.middle) if now else None
            step = RigStep.KEEP
            if folder is not None:
                name = folder.movie_name(result.asset, camera.entry.name)
                await camera.client.download(result.asset, os.path.join(folder.path, name))
                camera.files = (_described(result.asset, name),)
            if trouble := _trouble(result.reason):
                camera.fail(RigStep.TAKE, CameraBusError(Code.INTERRUPTED, f"the movie ended before its time: {trouble}"))
        except CameraBusError as error:
            camera.fail(step, error)

    async def _recorded(self, camera: _Camera) -> Recorded:
        """Waits for the end of a camera's movie: for the answer if it was told to stop, which may happen meanwhile, or else
        for the event.
        """
        if camera.recorded is not None:
            return camera.recorded
        patience = camera.entry.link.timeout
        if camera.stopping is None:
            recorded = await self._follow(camera, patience, lambda: camera.stopping is not None)
            if recorded is not None:
                return recorded
        if camera.stopping is not None:
            try:
                reply = await camera.client.connection.result("record", camera.stopping)
                return Recorded(checked(reply.record, camera.recording))
            except CameraBusError as error:
                if error.code not in _ENDED:
                    raise
                if error.code is Code.UNREACHABLE:
                    patience = 0  # it was waited for
        recorded = await self._follow(camera, patience, lambda: False)
        assert recorded is not None
        return recorded

    async def _follow(self, camera: _Camera, patience: float, is_over: Callable[[], bool]) -> Optional[Recorded]:
        monitor = camera.client.recording_monitor(camera.entry.node_camera or "")
        follower = RecordingFollower(
            camera.client, camera.entry.name, camera.recording, patience,
            lambda: None if self._end is None else self._end / 1e9)
        try:
            return await follower.end(monitor, is_over)
        finally:
            await monitor.close()


async def _give_up(camera: _Camera) -> None:
    with contextlib.suppress(CameraBusError):
        await camera.client.stop_recording(camera.entry.node_camera, recording=camera.recording)
    camera.is_started = False


class _Camera:
    """A camera, and how far its movie has come."""

    def __init__(self, entry: RosterEntry):
        self.entry = entry
        self.problem = entry.problem
        self.failed_step = RigStep.CONNECT if entry.problem else None
        # The id of the request that begins its movie, and so names it.
        self.recording = os.urandom(16)
        self.is_started = False
        # How often its node's clock had changed before.
        self.changes = 0
        # The request to stop, of which the answer is not awaited yet.
        self.stopping: Optional[Call] = None
        self.recorded: Optional[Recorded] = None
        self.files: tuple[RigFile, ...] = ()
        # How far its node's clock was ahead at the first and at the last frame.
        self.clock_at_begin: Optional[ClockOffset] = None
        self.clock_at_end: Optional[ClockOffset] = None

    @property
    def lane(self) -> Shell:
        return self.entry.lane

    @property
    def client(self) -> Client:
        return self.entry.client

    @property
    def interval(self) -> int:
        """From one frame to the next, nanoseconds; 0 if that is not known."""
        rate = self.entry.status.format.frame_rate if self.entry.status else 0
        return round(1e9 / rate) if rate > 0 else 0

    def known_clock(self, moment: int) -> ClockOffset:
        clock = self.entry.link.offset(moment)
        if clock is None:
            raise CameraBusError(Code.CONFLICT, f"the clock of node {self.entry.link.node.name} is not known: try again")
        return clock

    def fail(self, step: RigStep, error: CameraBusError) -> None:
        self.failed_step, self.problem = step, error

    def stop(self, at: int) -> messages.Request:
        return messages.Request(record_stop=messages.RecordStopRequest(
            camera=self.entry.node_camera or "", recording=self.recording, at_monotonic_ns=at))

    async def tell_stop(self) -> None:
        """Stops the movie, which may not have begun, without waiting for what comes of that."""
        with contextlib.suppress(CameraBusError):  # a closed connection sends nothing
            await self.client.connection.tell(self.stop(0))

    def part(self, begin: int, end: Optional[int]) -> RigRecordingPart:
        entry = self.entry
        return RigRecordingPart(
            entry.name, entry.link.node.name, entry.node_camera, entry.position, self._movie(begin, end), self.problem,
            self.failed_step)

    def _movie(self, begin: int, end: Optional[int]) -> Optional[RigMovie]:
        if self.recorded is None:
            return None
        result = self.recorded.result
        # Where a clock was changed meanwhile, nobody knows when it was.
        is_known = self.entry.link.changes == self.changes
        first = RigMovieFrame.judged(result.first, begin, self.clock_at_begin if is_known else None) \
            if result.HasField("first") else None
        last = RigMovieFrame.judged(result.last, end, self.clock_at_end if is_known else None) \
            if result.HasField("last") else None
        dropped = None if self.recorded.is_from_library else result.dropped
        return RigMovie(self.recording, result.asset, result.frames, dropped, result.reason, first, last,
                        self.files or (_described(result.asset),))


def _described(asset: messages.Asset, name: Optional[str] = None) -> RigFile:
    return RigFile(name, asset.media_type, asset.byte_count, asset.sha256)


def _trouble(reason: messages.RecordResult.EndReason.ValueType) -> Optional[str]:
    """Why a movie ended before its time; None if it did not, or if that is not known."""
    if reason in (messages.RecordResult.END_REASON_UNSPECIFIED, messages.RecordResult.END_REASON_STOPPED,
                  messages.RecordResult.END_REASON_LIMIT_REACHED):
        return None
    return _TROUBLES.get(reason, "its node says why, and this client does not know that: update it")


def check_moment(at: object, farthest: int = _FARTHEST, sample: str = "1_000_000_000", most: str = "at most a minute ahead") -> None:
    """Raises an error for what is no moment of a recording, or further ahead than what is asked for allows."""
    try:
        moment = arguments.whole("at", at, 2 ** 63 - 1)
    except CameraBusError:
        raise invalid("at", f"at is {shown(at)}: give nanoseconds of this machine's clock, such as "
                            f"time.monotonic_ns() + {sample}, or leave it out") from None
    ahead = moment - time.monotonic_ns()
    if ahead > farthest:
        raise invalid("at", f"at lies {ahead / 1e9:.0f} s ahead: give nanoseconds of time.monotonic_ns(), {most}")
