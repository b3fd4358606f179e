"""Everything that a rig does, written once for the blocking rig and for the asyncio one."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
import time
import weakref
from dataclasses import dataclass
from typing import Any, AsyncGenerator, Callable, Coroutine, Optional, Sequence, TypeVar, Union

from . import arguments, messages, movie_settings, photo_settings
from .aligner import Aligner
from .clocks import ClockOffset, WallClock
from .common_phase import CommonPhase, Rhythm, is_usable
from .crew import Crew, Job
from .errors import CameraBusError, Code, closed, invalid, shown
from .firing import Firing
from .photo_settings import PhotoSettings
from .readiness import Readiness, combined
from .recorder import AsyncRunningRigRecording, check_moment
from .rig import NODES, RigDescription
from .rig_alignment import CameraPhase, RigAlignment
from .rig_link import RigLink
from .rig_recording import RigRecording
from .rig_shot import ALL, RigPart, RigPolicy, RigShot
from .roster import RosterEntry, roster
from .shell import Elements
from .shot_folder import ShotFolder
from .wall_clock import OwnWallClock

T = TypeVar("T")

# How long a node may take to be there, seconds.
PRESENCE = 3.0
# How far ahead the moment of a shot may lie, nanoseconds: so long a camera stays prepared.
_FARTHEST = 10 ** 10
# At most so long before its moment a shot of a series is prepared, nanoseconds.
_LONGEST_LEAD = 8 * 10 ** 9
_MOST_SHOTS = 9999


@dataclass(frozen=True)
class RigNodeStatus:
    """How a node of a rig is."""

    # What it is called in the rig.
    name: str
    # Its state, with its cameras of the rig; None if it does not answer.
    status: Optional[messages.StatusReply]
    # How far its clock is ahead of this machine's, nanoseconds.
    clock: Optional[ClockOffset]
    # Why it does not answer.
    problem: Optional[CameraBusError]
    # When the frames of its cameras come, beside those of the rig's first camera that runs: of those with the same rate.
    phases: tuple[CameraPhase, ...] = ()


@dataclass(frozen=True)
class RigClock:
    """The clock of a node of a rig."""

    # What the node is called in the rig.
    node: str
    # How far it is ahead of this machine's `time.monotonic_ns()` now, nanoseconds; None if the node does not answer.
    offset: Optional[ClockOffset]
    # Whether the node's clock or this machine's was changed since it was read before.
    is_changed: bool
    # Why it could not be read.
    problem: Optional[CameraBusError]


@dataclass(frozen=True)
class RigObstacle:
    """A camera, or a node with its cameras, that cannot take part in a shot now."""

    # What the camera is called in the rig; None where the cameras of the node are not known.
    camera: Optional[str]
    # Its node's name in the rig.
    node: str
    # What its readiness is; None if the node does not say that.
    readiness: Optional[Readiness]
    # Why, and what to do.
    why: str


@dataclass(frozen=True)
class RigReadiness:
    """Whether a shot would be taken now."""

    is_ready: bool
    # How many cameras are ready, and how many there are in the rig.
    ready: int
    cameras: int
    # The others.
    in_the_way: tuple[RigObstacle, ...]


class AsyncRigCapture:
    """A shot under way. Take the part of each camera as it comes, `async for part in capture`, or wait for the whole with
    `result()`.

    It begins with either of them. `aclose()` ends it early, as it ends when nothing refers to it any more: what is not
    committed is aborted.
    """

    def __init__(self, firing: Firing, parts: Elements[RigPart]):
        self._firing = firing
        self._parts = parts

    def __aiter__(self) -> AsyncRigCapture:
        return self

    async def __anext__(self) -> RigPart:
        return await self._parts.__anext__()

    async def result(self) -> RigShot:
        """Waits for the end, and returns all parts with their times.

        - Raises: `CameraBusError` for a folder that cannot be written, and if this or the rig was closed.
        """
        async for _ in self:
            pass
        return result_of(self._firing)

    async def aclose(self) -> None:
        await self._parts.aclose()


def result_of(firing: Firing) -> RigShot:
    if firing.result is None:
        raise closed("shot")
    return firing.result


class RigClient:
    """Fires the cameras of many nodes together; how it waits for them is up to the crew."""

    def __init__(self, crew: Crew, rig: object, timeout: float, presence: float, own: Optional[OwnWallClock]):
        description = rig if isinstance(rig, RigDescription) else RigDescription.read(rig)  # type: ignore[arg-type]
        if not 0 < len(description.nodes) <= NODES:
            raise invalid("rig", f"a rig has 1 to {NODES} nodes, not {len(description.nodes)}: name its nodes")
        if own is not None and not isinstance(own, OwnWallClock):
            raise invalid("own", f"own is {shown(own)}: give an OwnWallClock, or None")
        wall = _SharedWallClock(own or OwnWallClock())
        waits = arguments.timeout("timeout", timeout), arguments.timeout("presence", presence)
        self._crew = crew
        self._description = description
        self._links = [RigLink(node, crew, wall.read, *waits) for node in description.nodes]
        # The shot that is under way, and whether somebody waits for its next part.
        self._under_way: Optional[AsyncGenerator[RigPart, None]] = None
        self._is_working = False
        # How many recordings are being started.
        self._starting = 0
        # Who takes its parts, as long as there is one; None for a shot that is waited for as a whole.
        self._taker: Optional[weakref.ref[object]] = None
        self._is_closed = False

    @property
    def description(self) -> RigDescription:
        """The nodes and cameras of the rig."""
        return self._description

    async def status(self) -> tuple[RigNodeStatus, ...]:
        """How all nodes and cameras are, as far as they answer, in the order of the rig."""
        found = await self._look()
        now = time.monotonic_ns()
        return _with_phases([
            RigNodeStatus(link.node.name, None, None, status) if isinstance(status, CameraBusError)
            else RigNodeStatus(link.node.name, status, link.offset(now), None)
            for link, status in zip(self._links, found)])

    async def readiness(self, policy: RigPolicy = ALL) -> RigReadiness:
        """Whether a shot would be taken now, and which cameras are in the way.

        `policy` says how many cameras are enough. One that another program has under a lease is in the way too.
        """
        RigPolicy.check(policy)
        entries = await self._survey()
        obstacles = tuple(obstacle for obstacle in map(_obstacle, entries) if obstacle)
        ready = len(entries) - len(obstacles)
        return RigReadiness(policy.allows(ready, len(entries)), ready, len(entries), obstacles)

    async def clocks(self) -> tuple[RigClock, ...]:
        """Reads the clocks of all nodes, and says how far they are ahead of this machine's."""
        before = [link.changes for link in self._links]

        async def read(link: RigLink) -> None:
            await link.read_clock()

        found = await self._ask(read)
        now = time.monotonic_ns()
        return tuple(
            RigClock(link.node.name, None if isinstance(result, CameraBusError) else link.offset(now),
                     link.changes != changes, result)
            for link, changes, result in zip(self._links, before, found))

    async def capture(self, at: Optional[int] = None, *, settings: Optional[PhotoSettings] = None,
                      policy: RigPolicy = ALL, folder: Optional[arguments.Path] = None) -> RigShot:
        """Takes a picture with all cameras at one moment, and waits for all of them.

        First every camera prepares; if enough are ready, all get the moment, and otherwise none takes anything. The nodes'
        clocks are read before and after. Cameras that run freely show their frame nearest the moment, so half a frame
        interval away from it at most: the result says what each has shown, and how well that is known. A node that dies
        ends its own part alone.

        `at` is the moment, nanoseconds of this machine's `time.monotonic_ns()`, at most 10 s ahead; None is now, or as soon
        as all nodes can know of it if a node does not keep its frames of now until then. Within one frame interval it is
        the moment that is nearest to frames of all cameras, if they have the same rate. With a `PhotoSettings.tolerance`,
        a camera's part fails if its frame lies further from the moment. `policy` is `ALL`, `at_least(NUMBER)` or `ANY`. The
        pictures are written to `folder`, a new one or one that is empty, and `shot.json` with them; without it they are in
        memory alone.

        Ctrl-C, or cancelling the task that waits, aborts what is not committed.

        - Raises: `CameraBusError` for a mistake in the arguments, for a folder that cannot be written, and CONFLICT while
          another shot of this rig is under way. What goes wrong with a camera is in its part.
        """
        return await self._taken(self._firing(at, settings, policy, folder))

    def shoot(self, at: Optional[int] = None, *, settings: Optional[PhotoSettings] = None, policy: RigPolicy = ALL,
              folder: Optional[arguments.Path] = None) -> AsyncRigCapture:
        """Takes a picture with all cameras at one moment, as `capture` does, and hands out the part of each camera as it
        comes.
        """
        firing = self._firing(at, settings, policy, folder)
        capture = AsyncRigCapture(firing, self._crew.shell.series(self._parts(firing)))
        firing.taker = weakref.ref(capture)
        return capture

    def series(self, *, every: float, count: int, settings: Optional[PhotoSettings] = None, policy: RigPolicy = ALL,
               folder: Optional[arguments.Path] = None) -> Elements[RigShot]:
        """Takes so many shots, `every` so many seconds one.

        The moments are counted from the first shot's. One that comes too late for its moment is taken as soon as it can
        be, and the others keep theirs. In `folder` each shot has a folder of its own, 0001 and so on. A shot that some or
        all cameras missed does not end the series.
        """
        pause = arguments.limit("every", every)
        number = arguments.whole("count", count, _MOST_SHOTS, 1)
        path = None if folder is None else arguments.path("folder", folder)
        self._firing(None, settings, policy, path)  # checks them
        return self._crew.shell.series(self._series(pause, number, settings, policy, path))

    async def _series(self, pause: int, count: int, settings: Optional[PhotoSettings], policy: RigPolicy,
                      folder: Optional[str]) -> AsyncGenerator[RigShot, None]:
        first, lead = 0, 0
        for number in range(1, count + 1):
            at = first + (number - 1) * pause if number > 1 else None
            if at is not None:
                await self._crew.sleep(max(0, at - lead - time.monotonic_ns()) / 1e9)
                at = at if time.monotonic_ns() < at else None
            firing = self._firing(at, settings, policy, None if folder is None else f"{folder}/{number:04}")
            shot = await self._taken(firing)
            if number == 1:
                # The next ones are prepared as long before their moments as this one has taken.
                first, lead = shot.moment, min(firing.lead, _LONGEST_LEAD)
            yield shot

    async def align(self, tolerance: float = 0.001, tries: int = 6) -> RigAlignment:
        """Brings the frames of cameras that run freely to a common phase: that of the first camera which runs.

        What was achieved is measured, and what a device does not do is said. The phases move apart again by the drift of the
        cameras. Streams are interrupted meanwhile; a camera that records is left alone.

        `tolerance` is how far the frames of a camera may lie from the common phase, in seconds, and `tries` how often a
        stream is begun again at most, up to 100 times.

        - Raises: `CameraBusError` for a mistake in the arguments, and CONFLICT while a shot of this rig is under way. What
          goes wrong with a camera is in its part.
        """
        limit, most = arguments.limit("tolerance", tolerance), arguments.whole("tries", tries, 100)
        self._check_free()
        return await Aligner(self._crew, self._description.name, await self._survey(), limit, most).align()

    async def start_recording(self, at: Optional[int] = None, *, duration: Optional[float] = None, codec: str = "",
                              container: str = "", quality: Optional[int] = None, bit_rate: Optional[int] = None,
                              key_interval: Optional[float] = None,
                              name: str = "", tags: Sequence[str] = (), sound: Union[bool, str] = False,
                              policy: RigPolicy = ALL) -> AsyncRunningRigRecording:
        """Starts a movie with all cameras at one moment.

        Every camera gets ready before the moment; if too few do, none records, and what has begun to wait leaves nothing:
        `state` then has the outcome ABANDONED. Cameras that run freely begin and end with the frame nearest the moments, so
        half a frame interval away from them at most. The movies go on when this program ends, until their end or until
        they are stopped.

        `at` is the moment of the first frames, nanoseconds of this machine's `time.monotonic_ns()`, at most a minute ahead;
        None is as soon as all cameras can be ready. `duration` is how long to record, in seconds; None is until `stop`.
        The movies are of the kind that `CameraBus.start_recording` makes of the same arguments: JPEGs in Matroska, unless
        you say otherwise. `policy` is `ALL`, `at_least(NUMBER)` or `ANY`.

        Ctrl-C, or cancelling the task that waits, stops what has begun.

        - Raises: `CameraBusError` for a mistake in the arguments, and CONFLICT while a shot of this rig is under way. What
          goes wrong with a camera is in its part.
        """
        length = None if duration is None else arguments.limit("duration", duration)
        movie = movie_settings.request(codec, container, quality, bit_rate, key_interval, name, tags, sound)
        self._check_recording(at, policy)
        recording = AsyncRunningRigRecording(self._crew, self._description.name, self._links, self._check_free)
        self._starting += 1
        try:
            await recording.begin(await self._survey(), at, length, movie, policy)
        finally:
            self._starting -= 1
            self._settle()
        return recording

    async def record(self, duration: float, at: Optional[int] = None, *, codec: str = "", container: str = "",
                     quality: Optional[int] = None, bit_rate: Optional[int] = None, key_interval: Optional[float] = None,
                     name: str = "", tags: Sequence[str] = (), sound: Union[bool, str] = False,
                     policy: RigPolicy = ALL, folder: Optional[arguments.Path] = None) -> RigRecording:
        """Records a movie of so many seconds with all cameras: `start_recording`, and `finish` of what it returns.

        The movies are written to `folder`, a new one or one that is empty, named by camera, and `recording.json` with them.
        Without it they stay in the libraries of their nodes. Ctrl-C, or cancelling the task that waits, stops what has begun
        until all cameras are ready; later the cameras record on until their end.

        - Raises: As `start_recording`, and for a folder that cannot be written.
        """
        path = None if folder is None else arguments.path("folder", folder)
        arguments.limit("duration", duration)
        movie_settings.request(codec, container, quality, bit_rate, key_interval, name, tags, sound)
        self._check_recording(at, policy)
        made = None if path is None else await self._crew.shell.work(lambda: ShotFolder(path))
        running = await self.start_recording(
            at, duration=duration, codec=codec, container=container, quality=quality, bit_rate=bit_rate,
            key_interval=key_interval, name=name, tags=tags, sound=sound, policy=policy)
        return await running.finish_in(made)

    def _check_recording(self, at: Optional[int], policy: RigPolicy) -> None:
        if at is not None:
            check_moment(at)
        RigPolicy.check(policy)
        self._check_free()

    def _check_free(self) -> None:
        """Raises an error while a shot is under way, whose threads use the connections of the cameras."""
        self._check_open()
        if self._under_way is not None:
            raise CameraBusError(
                Code.CONFLICT, "a shot of this rig is under way: take all of its parts first, or close it")

    def _firing(self, at: Optional[int], settings: Optional[PhotoSettings], policy: RigPolicy,
                folder: Optional[arguments.Path]) -> Firing:
        if at is not None:
            check_moment(at, _FARTHEST, "500_000_000", "at most 10 s ahead, and wait until a later moment is near")
        photo_settings.to_wire(settings)
        return Firing(self._crew, self._description.name, self._survey, at, settings, RigPolicy.check(policy),
                      None if folder is None else arguments.path("folder", folder))

    async def _taken(self, firing: Firing) -> RigShot:
        async with contextlib.aclosing(self._parts(firing)) as parts:
            async for _ in parts:
                pass
        return result_of(firing)

    async def _parts(self, firing: Firing) -> AsyncGenerator[RigPart, None]:
        """The parts of a shot, while no other is under way."""
        self._check_open()
        while self._under_way is not None:
            if not await self._await_end_of_dropped():
                raise CameraBusError(
                    Code.CONFLICT, "another shot of this rig is under way: take all of its parts first, or close it")
        self._taker = firing.taker
        self._under_way = parts = firing.parts()
        self._is_working = True
        try:
            async with contextlib.aclosing(parts):
                async for part in parts:
                    self._is_working = False
                    try:
                        yield part
                    finally:
                        self._is_working = True
        finally:
            self._under_way, self._is_working = None, False
            self._settle()
        if firing.result is None:
            self._check_open()

    async def _survey(self) -> list[RosterEntry]:
        return roster(self._description, self._links, await self._look())

    async def _look(self) -> list[Union[messages.StatusReply, CameraBusError]]:
        async def look(link: RigLink) -> messages.StatusReply:
            status = await link.status()
            await link.read_clock()
            return status

        return await self._ask(look)

    async def _ask(self, body: Callable[[RigLink], Coroutine[Any, Any, T]]) -> list[Union[T, CameraBusError]]:
        """Does something with all nodes at once. Returns what came of it, in the order of the rig."""
        self._check_open()
        results: dict[int, Union[T, CameraBusError]] = {}

        def job(index: int, link: RigLink) -> Job:
            async def work() -> None:
                try:
                    results[index] = await body(link)
                except CameraBusError as error:
                    results[index] = error

            return Job(link.lane, work)

        jobs = [job(index, link) for index, link in enumerate(self._links)]
        async with contextlib.aclosing(self._crew.each(jobs)) as ended:
            async for _ in ended:
                pass
        return [results[index] for index in range(len(jobs))]

    def _check_open(self) -> None:
        if self._is_closed:
            raise closed("rig")

    async def _await_end_of_dropped(self) -> bool:
        """Waits for the end of the shot under way if nobody takes its parts any more. Returns whether that is so."""
        return False

    def _settle(self) -> None:
        """A shot, or the start of a recording, has ended."""

    async def end(self) -> None:
        """Ends a shot that nobody works at now, and all connections."""
        self._is_closed = True
        if self._under_way is not None:
            await self._under_way.aclose()
        for link in self._links:
            link.close()


class _SharedWallClock:
    """This machine's wall clock, which the threads of several nodes read."""

    def __init__(self, clock: OwnWallClock):
        self._clock = clock
        self._lock = threading.Lock()

    def read(self) -> Optional[WallClock]:
        with self._lock:
            return self._clock.read()


def _with_phases(nodes: Sequence[RigNodeStatus]) -> tuple[RigNodeStatus, ...]:
    """Says of all cameras when their frames come."""
    reference: Optional[Rhythm] = None
    found = []
    for node in nodes:
        phases = []
        for camera in node.status.cameras if node.status else ():
            if node.clock is None or not is_usable(camera.pace):
                continue
            rhythm = Rhythm(camera.pace, node.clock)
            reference = reference or rhythm
            common = CommonPhase(reference.pace.interval_ns)
            if common.has_pace(camera.pace, reference.pace):
                place = common.place(rhythm, reference)
                phases.append(CameraPhase(camera.name, place.bounds, place.drift))
        found.append(dataclasses.replace(node, phases=tuple(phases)))
    return tuple(found)


_WHYS = {
    Readiness.UNKNOWN: "its node says what this client does not know: update it",
    Readiness.SESSION_NOT_RUNNING: "its session is not running: start it",
    Readiness.NOT_READY_MOMENTARILY: "its session is starting: wait a moment",
    Readiness.NOT_READY_WAITING_FOR_CAPTURE: "too many photos wait for their frame: wait a moment",
    Readiness.NOT_READY_WAITING_FOR_PROCESSING: "too many pictures are being made: wait a moment",
    Readiness.NOT_READY_STORAGE_FULL: "the disk of its node is full: make room there, or pass PhotoSettings(keep=False)",
    Readiness.NOT_READY_UNSUPPORTED_FORMAT: "no picture can be made of its format: configure another one",
    Readiness.NOT_READY_STORAGE_FAILED: "the library of its node cannot be written: look at its folder, or pass "
                                        "PhotoSettings(keep=False)",
    Readiness.NOT_READY_CHANGING_FORMAT: "it changes its format for another photo: wait a moment",
}


def _obstacle(entry: RosterEntry) -> Optional[RigObstacle]:
    """What is in the way of a camera's part in a shot."""
    node = entry.link.node.name
    camera = None if entry.node_camera is None else entry.name
    if entry.problem is not None:
        return RigObstacle(camera, node, None, entry.problem.message)
    status = entry.status
    if status is None:
        return RigObstacle(
            camera, node, None, f"the node has no camera {entry.node_camera}: plug it in, or correct the rig")
    # A shot takes the camera's lease.
    readiness = combined(status, (), None, changes_camera=True)
    if readiness is Readiness.READY:
        return None
    if readiness is Readiness.NOT_READY_LEASED:
        why = f"{shown(status.lease.holder) if status.lease.holder else 'another program'} has it: wait until it is released"
    elif status.HasField("error"):
        why = status.error.message
    else:
        why = _WHYS[readiness]
    return RigObstacle(camera, node, readiness, why)
