"""The rigs that programs use: the blocking one and the asyncio one."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Iterator, Optional

from . import arguments
from .aio import AsyncioCrew
from .blocking import BlockingCrew, Runner, run
from .errors import CameraBusError
from .facade import blocking, converting, each, iterating
from .photo_settings import PhotoSettings
from .recorder import AsyncRunningRigRecording
from .rig import RigDescription
from .rig_client import PRESENCE, AsyncRigCapture, RigClient
from .rig_recording import RigRecording
from .rig_shot import ALL, RigPart, RigPolicy, RigShot
from .wall_clock import OwnWallClock


class RigCapture:
    """A shot under way. Take the part of each camera as it comes, `for part in capture`, or wait for the whole with
    `result()`.

    It begins with either of them. `close()` ends it early, as it ends when nothing refers to it any more: what is not
    committed is aborted.
    """

    def __init__(self, capture: AsyncRigCapture, runner: Runner):
        self._capture = capture
        self._runner = runner
        self._parts = each(capture, runner)

    def __iter__(self) -> Iterator[RigPart]:
        return self

    def __next__(self) -> RigPart:
        return next(self._parts)

    def result(self) -> RigShot:
        """Waits for the end, and returns all parts with their times.

        - Raises: `CameraBusError` for a folder that cannot be written, and if this or the rig was closed.
        """
        return self._runner.run(self._capture.result())

    def close(self) -> None:
        with contextlib.suppress(CameraBusError):  # a rig that was closed has ended it
            self._runner.run(self._capture.aclose())


class RunningRigRecording:
    """Movies that the cameras of a rig record together. They go on without this, until their end or until they are stopped."""

    def __init__(self, recording: AsyncRunningRigRecording, runner: Runner):
        self._client = recording
        self._runner = runner

    stop = blocking(AsyncRunningRigRecording.stop)
    finish = blocking(AsyncRunningRigRecording.finish)

    @property
    def state(self) -> RigRecording:
        """What is known so far: which cameras record, and which do not and why. With the outcome ABANDONED none does."""
        return self._client.state


class Rig:
    """Many nodes and their cameras as one: it fires them together, and says of each picture when it was taken by this
    machine's clock, with the bound of that.

    `rig` is a `RigDescription`, the path of a rig's file, its contents as a dictionary, or a list of endpoints and names.
    It connects with the first use. A node that is gone ends nothing but its own part. `timeout` is how long a request may
    take, in seconds, and `presence` how long a node may take to be there. `own` is this machine's wall clock, which bounds
    the offsets of nodes whose wall clocks have a bound too.

    One thread at a time uses it. Threads of its own work for several cameras at once.

    - Raises: `CameraBusError` for a mistake in the rig, a node that this user does not know, and a key that cannot be read.
    """

    def __init__(self, rig: object, *, timeout: float = 10.0, presence: float = PRESENCE,
                 own: Optional[OwnWallClock] = None):
        self._runner = Runner("rig", keeps_thread=False)
        self._client = RigClient(BlockingCrew(self._runner.shell), rig, timeout, presence, own)

    status = blocking(RigClient.status)
    readiness = blocking(RigClient.readiness)
    clocks = blocking(RigClient.clocks)
    capture = blocking(RigClient.capture)
    align = blocking(RigClient.align)
    record = blocking(RigClient.record)
    start_recording = converting(RigClient.start_recording, RunningRigRecording, RunningRigRecording)
    series = iterating(RigClient.series, Iterator[RigShot])

    @property
    def description(self) -> RigDescription:
        """The nodes and cameras of the rig."""
        return self._client.description

    def shoot(self, at: Optional[int] = None, *, settings: Optional[PhotoSettings] = None, policy: RigPolicy = ALL,
              folder: Optional[arguments.Path] = None) -> RigCapture:
        """Takes a picture with all cameras at one moment, as `capture` does, and hands out the part of each camera as it
        comes: `for part in rig.shoot(): …`.
        """
        return RigCapture(self._client.shoot(at, settings=settings, policy=policy, folder=folder), self._runner)

    def close(self) -> None:
        """Ends all connections, and a shot that is under way. Cameras that record go on. What waits in another thread fails with CLOSED."""
        self._runner.close(lambda: run(self._client.end()))

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncRig(RigClient):
    """Many nodes and their cameras as one, as `Rig`, in asyncio. It belongs to the loop in which it is used."""

    def __init__(self, rig: object, *, timeout: float = 10.0, presence: float = PRESENCE,
                 own: Optional[OwnWallClock] = None):
        self._tasks = AsyncioCrew()
        self._is_settled = asyncio.Event()
        super().__init__(self._tasks, rig, timeout, presence, own)

    def _check_free(self) -> None:
        """One loop does everything, so cameras may take shots while they record."""
        self._check_open()

    async def _await_end_of_dropped(self) -> bool:
        if self._taker is None or self._taker() is not None:
            return False
        await self._await_end()
        return True

    async def _await_end(self) -> None:
        self._is_settled.clear()
        await self._is_settled.wait()

    def _settle(self) -> None:
        self._is_settled.set()

    async def close(self) -> None:
        """Ends all connections, and a shot that is under way. Cameras that record go on. What waits in another task fails with CLOSED."""
        self._is_closed = True
        self._tasks.end()
        while self._is_working or self._starting:
            await self._await_end()
        await self.end()

    async def __aenter__(self) -> AsyncRig:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
