"""One shot of a rig, written once for the blocking rig and for the asyncio one."""

from __future__ import annotations

import contextlib
import functools
import os
import time
import weakref
from typing import Any, AsyncGenerator, Awaitable, Callable, Coroutine, Optional, Sequence

from . import messages
from .client import Client
from .clocks import Bounds
from .common_phase import ReadyCamera, shot_moment
from .crew import Crew, Job
from .errors import CameraBusError, Code
from .photo import AsyncCapture, Photo
from .photo_settings import PhotoSettings
from .prepared_shot import AsyncPreparedShot
from .rig_shot import RigFile, RigOutcome, RigPart, RigPicture, RigPolicy, RigShot, RigStep, skew, start_bounds
from .roster import RosterEntry
from .shell import Shell
from .shot_folder import ShotFolder, described
from .when import at_monotonic

# How long the nodes may take to get a command, beyond what the network has shown, nanoseconds.
_MARGIN = 50_000_000
# How others know a rig that has their camera.
_HOLDER = "rig"


class Firing:
    """Prepares all cameras, and tells all of them the moment if enough are ready; else nothing is taken.

    When it is closed before its end, it aborts what is not committed.
    """

    def __init__(self, crew: Crew, name: Optional[str], survey: Callable[[], Awaitable[list[RosterEntry]]],
                 at: Optional[int], settings: Optional[PhotoSettings], policy: RigPolicy, folder: Optional[str]):
        self._crew = crew
        self._name = name
        self._survey = survey
        self._at = at
        self._settings = settings
        self._policy = policy
        self._path = folder
        self._folder: Optional[ShotFolder] = None
        self._cameras: list[_Camera] = []
        self._shot = os.urandom(16)
        self._moment = self._wall = 0
        # Who takes its parts one by one.
        self.taker: Optional[weakref.ref[object]] = None
        self._began = 0
        # How long before its moment it would have to begin so that all nodes know of it in time, nanoseconds.
        self.lead = 0
        # What it has brought; None before its end.
        self.result: Optional[RigShot] = None

    async def parts(self) -> AsyncGenerator[RigPart, None]:
        """Takes the shot. The part of each camera comes once, as soon as it is known."""
        self._began = time.monotonic_ns()
        if (path := self._path) is not None:
            self._folder = await self._crew.shell.work(lambda: ShotFolder(path))
        is_taken = False
        try:
            self._cameras = [_Camera(entry) for entry in await self._survey()]
            for camera in self._cameras:
                if camera.problem:
                    yield camera.part()
            asked = [camera for camera in self._cameras if not camera.problem]
            async with contextlib.aclosing(self._each(asked, self._prepare)) as prepared:
                async for camera in prepared:
                    if camera.problem:
                        yield camera.part()
            self._choose_moment()
            ready = self._ready
            is_taken = self._policy.allows(len(ready), len(self._cameras))
            if is_taken:
                for camera in ready:
                    camera.note_clock(self._moment)
                async with contextlib.aclosing(self._each(ready, self._take)) as taken:
                    async for camera in taken:
                        yield camera.part()
        finally:
            try:
                await self._abort()
            except BaseException:
                await self._abort()  # what Ctrl-C or a cancellation has left
                raise
        if is_taken:
            await self._read_clocks()
        else:
            for camera in ready:
                yield camera.part()
        shot = self.result = self._judged(is_taken)
        if (folder := self._folder) is not None:
            await self._crew.shell.work(lambda: folder.write_shot(shot))

    async def _abort(self) -> None:
        async with contextlib.aclosing(self._each(self._ready, _abort, to_the_end=True)) as aborted:
            async for _ in aborted:
                pass

    @property
    def _ready(self) -> list[_Camera]:
        """The cameras that are prepared and have not got the moment."""
        return [camera for camera in self._cameras if camera.prepared and not camera.is_committed]

    async def _each(self, cameras: Sequence[_Camera], work: Callable[[_Camera], Coroutine[Any, Any, None]],
                    to_the_end: bool = False) -> AsyncGenerator[_Camera, None]:
        """Does something with all of these cameras at once, and hands out each when it is done."""
        jobs = [Job(camera.lane, functools.partial(work, camera)) for camera in cameras]
        async with contextlib.aclosing(self._crew.each(jobs, to_the_end)) as ended:
            async for index in ended:
                yield cameras[index]

    async def _prepare(self, camera: _Camera) -> None:
        try:
            camera.prepared = await camera.client.prepare_shot(
                camera.entry.node_camera, shot=self._shot, settings=self._settings, holder=_HOLDER)
        except CameraBusError as error:
            camera.fail(RigStep.PREPARE, error)

    def _choose_moment(self) -> None:
        now = time.monotonic_ns()
        round_trip = max((camera.entry.link.round_trip for camera in self._cameras), default=0)
        delay = _MARGIN + 2 * round_trip
        ready = [camera.ready(now) for camera in self._ready]
        self._moment = shot_moment(now, delay, ready) if self._at is None else self._at
        self.lead = now - self._began + delay
        self._wall = time.time_ns() + self._moment - now

    async def _take(self, camera: _Camera) -> None:
        capture: Optional[AsyncCapture] = None
        step = RigStep.TAKE
        try:
            if camera.prepared is None or camera.ahead is None:
                raise CameraBusError(
                    Code.CONFLICT, f"the clock of node {camera.entry.link.node.name} is not known: try again")
            capture = await camera.prepared.begin_commit(at_monotonic(self._moment + camera.ahead))
            camera.is_committed = True
            camera.photo = photo = await capture.photo()
            step = RigStep.KEEP
            camera.files = await self._keep(camera, photo)
            if photo.resolved.calibration_id:
                with contextlib.suppress(CameraBusError):  # without it, the picture is still one
                    camera.calibration = await camera.client.calibration(camera.entry.node_camera)
        except CameraBusError as error:
            camera.fail(step, error)
        except BaseException:
            if capture is not None:
                await camera.client.give_up(capture)
            raise

    async def _keep(self, camera: _Camera, photo: Photo) -> tuple[RigFile, ...]:
        if (folder := self._folder) is None:
            return camera.files
        return await camera.lane.work(lambda: folder.write(photo, camera.entry.name))

    async def _read_clocks(self) -> None:
        """Reads the clocks of the nodes that have taken a picture once more: readings before and after bound a clock best."""
        links = {id(camera.entry.link): camera.entry.link for camera in self._cameras if camera.photo}
        jobs = [Job(link.lane, link.try_clock) for link in links.values()]
        async with contextlib.aclosing(self._crew.each(jobs)) as ended:
            async for _ in ended:
                pass

    def _judged(self, is_taken: bool) -> RigShot:
        parts = tuple(camera.part(self._moment) for camera in self._cameras)
        starts = [
            (part.picture.earliest_start, part.picture.latest_start) for part in parts
            if part.picture and part.picture.earliest_start is not None and part.picture.latest_start is not None]
        is_complete = is_taken and all(part.picture and not part.problem for part in parts)
        outcome = RigOutcome.COMPLETE if is_complete else RigOutcome.INCOMPLETE if is_taken else RigOutcome.ABANDONED
        return RigShot(self._shot, self._name, self._moment, self._wall, outcome, parts, skew(starts))


async def _abort(camera: _Camera) -> None:
    if camera.prepared is not None:
        with contextlib.suppress(CameraBusError):  # it ends by itself
            await camera.prepared.abort()
        camera.prepared = None


class _Camera:
    """A camera, and how far it has come."""

    def __init__(self, entry: RosterEntry):
        self.entry = entry
        self.problem = entry.problem
        self.failed_step = RigStep.CONNECT if entry.problem else None
        self.prepared: Optional[AsyncPreparedShot] = None
        # How far its node's clock is ahead, about, nanoseconds; and how often a clock had changed by then.
        self.ahead: Optional[int] = None
        self._changes = 0
        # Whether it was told the moment.
        self.is_committed = False
        self.photo: Optional[Photo] = None
        self.files: tuple[RigFile, ...] = ()
        self.calibration: Optional[messages.Calibration] = None

    @property
    def lane(self) -> Shell:
        return self.entry.lane

    @property
    def client(self) -> Client:
        return self.entry.client

    def fail(self, step: RigStep, error: CameraBusError) -> None:
        self.failed_step, self.problem = step, error

    def ready(self, now: int) -> ReadyCamera:
        """What matters of it for the moment of the shot."""
        prepared = self.prepared.prepared if self.prepared else messages.ShotPrepared()
        if not prepared.HasField("newest"):
            return ReadyCamera(None, None, prepared.interval_ns)
        clock = self.entry.link.offset(now)
        frame = prepared.newest.monotonic_ns - clock.middle if clock else None
        return ReadyCamera(frame, prepared.ring_ns, prepared.interval_ns)

    def note_clock(self, moment: int) -> None:
        offset = self.entry.link.offset(moment)
        self.ahead = offset.middle if offset else None
        self._changes = self.entry.link.changes

    def part(self, moment: Optional[int] = None) -> RigPart:
        """Its part so far; with the moment of the shot, also when its picture was taken."""
        entry = self.entry
        return RigPart(
            entry.name, entry.link.node.name, entry.node_camera, entry.position, self._picture(moment), self.problem,
            self.failed_step)

    def _picture(self, moment: Optional[int]) -> Optional[RigPicture]:
        photo = self.photo
        if photo is None:
            return None
        files = self.files or tuple(described(file) for file in photo.all_files)
        link = self.entry.link
        # Where a clock was changed since it was asked for, nobody knows when it was.
        clock = link.offset(moment) if moment is not None and link.changes == self._changes else None
        start = start_bounds(photo.resolved)
        if moment is None or clock is None or start is None:
            return RigPicture(photo, files, self.calibration, clock=clock)
        earliest, latest = start[0] - clock.most, start[1] - clock.least
        return RigPicture(
            photo, files, self.calibration, earliest, latest, Bounds(earliest - moment, latest - moment), clock)
