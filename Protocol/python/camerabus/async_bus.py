"""The asyncio client."""

from __future__ import annotations

import asyncio
import weakref
from typing import AsyncIterator, Optional, Union

from . import arguments
from .aio import AsyncioShell
from .calls import PATIENCE
from .client import Client
from .credentials import Credentials
from .errors import closed, shared
from .frame import Frame
from .frame_count import FrameCount
from .frames import FrameReader
from .monitor import AsyncMonitor
from .position import EventPosition
from .shell import when_dropped


class AsyncCameraBus(Client):
    """Sends requests to one node. It belongs to the loop in which it is used; any number of tasks
    may share it, but of more than 12 photos at once some are BUSY.

    You may leave out `camera` if the node has only one; an empty name is an error. Durations are in
    seconds. A request fails when `timeout` is over, or the one that its method was given; a download
    fails after a minute of silence.
    Every method raises `CameraBusError`. The node itself names its endpoints for events and frames.
    Pass `events` and `frames` only if the node cannot know them, for example behind a proxy.
    A node that requires keys is named by `node`, as `camctl nodes list` shows it, or by its endpoint and
    `credentials`.
    """

    def __init__(self, control: str = "tcp://127.0.0.1:5570", *, node: Optional[str] = None,
                 credentials: Optional[Credentials] = None, events: Optional[str] = None, frames: Optional[str] = None,
                 timeout: float = 10.0, patience: float = PATIENCE):
        super().__init__(AsyncioShell(), control, node, credentials, events, frames, timeout, patience)
        self._streams: weakref.WeakSet[Union[AsyncMonitor, AsyncFrameStream]] = weakref.WeakSet()

    def events(self, camera: Optional[str] = None, *, history: bool = False,
               after: Union[None, str, EventPosition] = None) -> AsyncMonitor:
        """Follows the events of all cameras, or of one, from the `async with` or the first `next` on.

        With `history` it also brings earlier events, and with `after` those behind a position.
        """
        monitor = self.monitor(camera, history, self.connection.shell, after)
        self._streams.add(monitor)
        return monitor

    def frames(self, camera: Optional[str] = None, stream: str = "preview") -> AsyncFrameStream:
        """The frames of a stream: "preview", "full", "raw", "h264" or a size such as "320x240".

        Of "h264" every picture comes, from one on that a decoder can begin with (`Frame.is_key_picture`), and up to 60
        wait; after a loss it goes on with the next such picture. Of other streams the newest frame comes.

        It begins with the first use, which raises `CameraBusError` if there is no such camera. The node encodes
        the stream until this is closed, or nothing refers to it any more.
        """
        self.check_stream(camera, stream)
        frames = AsyncFrameStream(self, camera, stream)
        self._streams.add(frames)
        return frames

    async def close(self) -> None:
        """Ends its monitors and streams too. What waits for them or for this fails with CLOSED."""
        self.connection.close()
        for stream in list(self._streams):
            await stream.close()

    async def __aenter__(self) -> AsyncCameraBus:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncFrameStream:
    """Hands out the newest frame each time: `async for frame in bus.frames("front"): …`.

    One task at a time reads it, and may end its wait with `asyncio.wait_for`. It ends when it or its client is
    closed, or when nothing refers to it any more.
    """

    def __init__(self, client: Client, camera: Optional[str], stream: str):
        self._client = client
        self._camera = camera
        self._stream = stream
        self._reader: Optional[FrameReader] = None
        self._changed = asyncio.Event()
        self._is_closed = False
        self._is_read = False

    @property
    def connected(self) -> bool:
        """Whether the node was heard within the last three seconds."""
        return self._reader is not None and self._reader.connected

    @property
    def count(self) -> FrameCount:
        """The counts so far."""
        return self._reader.count if self._reader else FrameCount()

    async def next(self, timeout: float = 3600.0) -> Optional[Frame]:
        """The newest frame if it was not handed out before, else the next one; None if none arrives
        in time.

        - Raises: `CameraBusError` if this was closed, if the node does not have the camera, or if another task
          reads this.
        """
        seconds = arguments.seconds("timeout", timeout)
        if self._is_read:
            raise shared("stream of frames")
        self._is_read = True
        try:
            reader = await self._begin()
            self._changed.clear()
            if not reader.has_news:
                try:
                    await asyncio.wait_for(self._changed.wait(), seconds)
                except asyncio.TimeoutError:
                    return None
            if self._is_closed:
                raise closed("stream of frames")
            return reader.take()
        finally:
            self._is_read = False

    def __aiter__(self) -> AsyncIterator[Frame]:
        return self

    async def __anext__(self) -> Frame:
        while True:
            frame = await self.next()
            if frame:
                return frame

    async def close(self) -> None:
        self._is_closed = True
        self._changed.set()
        if self._reader:
            await asyncio.get_running_loop().run_in_executor(None, self._reader.close)

    async def __aenter__(self) -> AsyncFrameStream:
        await self._begin()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _begin(self) -> FrameReader:
        if self._is_closed:
            raise closed("stream of frames")
        if self._reader is None:
            loop, changed = asyncio.get_running_loop(), self._changed

            def notify() -> None:
                try:
                    loop.call_soon_threadsafe(changed.set)
                except RuntimeError:  # the loop was closed before this stream
                    pass

            topic = await self._client.frame_topic(self._camera, self._stream)
            if self._is_closed:
                raise closed("stream of frames")
            self._reader = FrameReader(self._client.another, self._client.frames_endpoint(topic), topic, notify)
            when_dropped(self, self._reader.stop)
        return self._reader
