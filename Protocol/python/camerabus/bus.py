"""The blocking client."""

from __future__ import annotations

import threading
import weakref
from typing import Iterator, Optional, Union

from . import arguments, messages
from .blocking import Runner
from .calls import PATIENCE
from .client import Client
from .credentials import Credentials
from .errors import closed, shared
from .facade import blocking, converting, each, iterating
from .frame import Frame
from .frame_count import FrameCount
from .frames import FrameReader
from .monitor import AsyncMonitor
from .photo import AsyncCapture, Photo, Progress
from .position import EventPosition
from .prepared_shot import AsyncPreparedShot
from .shell import when_dropped
from .time_lapse import Shot
from .tracker import Notice
from .when import When

class Capture:
    """A request for photos under way: follow its steps, cancel it by its id, or wait for it."""

    def __init__(self, capture: AsyncCapture, runner: Runner):
        self._capture = capture
        self._runner = runner

    @property
    def id(self) -> bytes:
        return self._capture.id

    @property
    def epoch(self) -> bytes:
        return self._capture.epoch

    def photo(self, on_progress: Optional[Progress] = None) -> Photo:
        """Waits for the photo, the first one of a burst or a bracket, and downloads what was not attached."""
        return self._runner.run(self._capture.photo(on_progress))

    def photos(self, on_progress: Optional[Progress] = None) -> Iterator[Photo]:
        """Waits for all photos of a burst or a bracket. Each is downloaded when you take it."""
        return each(self._capture.photos(on_progress), self._runner)


class PreparedShot:
    """A camera's part of a shot. Commit it at a moment, or abort it. The node keeps its place until its lease ends."""

    def __init__(self, shot: AsyncPreparedShot, runner: Runner):
        self._shot = shot
        self._runner = runner

    @property
    def shot(self) -> bytes:
        return self._shot.shot

    @property
    def prepared(self) -> messages.ShotPrepared:
        return self._shot.prepared

    def begin_commit(self, when: When, *, picture: bool = True, timeout: Optional[float] = None) -> Capture:
        """Takes the photo of the frame nearest `at_monotonic(...)` or `at_wall(...)`, past or up to 10 s ahead, and returns
        when the request is sent.
        """
        return Capture(self._runner.run(self._shot.begin_commit(when, picture=picture, timeout=timeout)), self._runner)

    def abort(self) -> bool:
        """Gives it up, and returns whether it was prepared and not committed."""
        return self._runner.run(self._shot.abort())


class CameraBus:
    """Sends requests to one node. It belongs to the first thread that sends a request with it; make one for each thread.

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
        self._runner = Runner("CameraBus", keeps_thread=True)
        self._client = Client(self._runner.shell, control, node, credentials, events, frames, timeout, patience)
        self._streams: weakref.WeakSet[Union[Monitor, FrameStream]] = weakref.WeakSet()

    status = blocking(Client.status)
    readiness = blocking(Client.readiness)
    clock = blocking(Client.clock)
    read_clock = blocking(Client.read_clock)
    formats = blocking(Client.formats)
    devices = blocking(Client.devices)
    microphones = blocking(Client.microphones)
    start_session = blocking(Client.start_session)
    stop_session = blocking(Client.stop_session)
    configure = blocking(Client.configure)
    forget = blocking(Client.forget)
    suspend_session = blocking(Client.suspend_session)
    resume_session = blocking(Client.resume_session)
    acquire_lease = blocking(Client.acquire_lease)
    renew_lease = blocking(Client.renew_lease)
    release_lease = blocking(Client.release_lease)
    controls = blocking(Client.controls)
    set_controls = blocking(Client.set_controls)
    stop_ramp = blocking(Client.stop_ramp)
    capabilities = blocking(Client.capabilities)
    calibration = blocking(Client.calibration)
    begin_capture = converting(Client.begin_capture, Capture, Capture)
    capture = blocking(Client.capture)
    prepare_shot = converting(Client.prepare_shot, PreparedShot, PreparedShot)
    burst = iterating(Client.burst, Iterator[Photo])
    bracket = iterating(Client.bracket, Iterator[Photo])
    time_lapse = iterating(Client.time_lapse, Iterator[Shot])
    final_photo = blocking(Client.final_photo)
    cancel = blocking(Client.cancel)
    start_recording = blocking(Client.start_recording)
    stop_recording = blocking(Client.stop_recording)
    pause_recording = blocking(Client.pause_recording)
    resume_recording = blocking(Client.resume_recording)
    trigger_clip = blocking(Client.trigger_clip)
    assets = blocking(Client.assets)
    all_assets = iterating(Client.all_assets, Iterator[messages.Asset])
    delete = blocking(Client.delete)
    protect = blocking(Client.protect)
    tag = blocking(Client.tag)
    verify = blocking(Client.verify)
    repair = blocking(Client.repair)
    read = blocking(Client.read)
    download = blocking(Client.download)
    replay = blocking(Client.replay)

    @property
    def epoch(self) -> bytes:
        """The node's epoch in the last reply; empty before the first reply."""
        return self._client.epoch

    def use_lease(self, camera: Optional[str], lease: Optional[bytes]) -> None:
        """Puts what this client asks of the camera under a lease that another holds and has told the id of, or under none."""
        self._client.use_lease(camera, lease)

    def events(self, camera: Optional[str] = None, *, history: bool = False,
               after: Union[None, str, EventPosition] = None) -> Monitor:
        """Follows the events of all cameras, or of one, from now on: nothing that happens after this is missed.

        With `history` it also brings earlier events, and with `after` those behind a position. If the node does not
        answer, it begins when the node is there.

        - Raises: `CameraBusError` if the node does not have the camera, or has not come to the position.
        """
        runner = Runner("monitor", keeps_thread=False)
        stream = Monitor(self._client.monitor(camera, history, runner.shell, after), runner)
        self._streams.add(stream)
        self._runner.run(stream.begin())
        return stream

    def frames(self, camera: Optional[str] = None, stream: str = "preview") -> FrameStream:
        """The frames of a stream: "preview", "full", "raw", "h264" or a size such as "320x240".

        Of "h264" every picture comes, from one on that a decoder can begin with (`Frame.is_key_picture`), and up to 60
        wait; after a loss it goes on with the next such picture. Of other streams the newest frame comes.

        The node encodes it until this is closed, or nothing refers to it any more.
        """
        frames = FrameStream(self._client, self._runner.run(self._client.frame_topic(camera, stream)))
        self._streams.add(frames)
        return frames

    def close(self) -> None:
        """Ends its monitors and streams too. Whatever uses them or this, also in other threads, fails with CLOSED."""
        for stream in list(self._streams):
            stream.close()
        self._runner.close(self._client.connection.close)

    def __enter__(self) -> CameraBus:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Monitor:
    """Hands out a node's notices in order: `for notice in bus.events(): …`.

    One thread at a time reads it. It goes on after lost connections and restarts of the node. It ends
    when it or its client is closed, or when nothing refers to it any more.
    """

    def __init__(self, monitor: AsyncMonitor, runner: Runner):
        self._monitor = monitor
        self._runner = runner

    async def begin(self) -> None:
        """Subscribes; `CameraBus.events` does it."""
        try:
            self._runner.run(self._monitor.begin())
        except BaseException:
            self.close()
            raise

    @property
    def unreadable(self) -> int:
        """How many publications could not be read. They show as gaps and are replayed."""
        return self._monitor.unreadable

    def next(self, timeout: float = 3600.0) -> Optional[Notice]:
        """The next notice, or None if there is none in time.

        A request to the node can add some seconds.

        - Raises: `CameraBusError` if there is no such camera, or if this was closed.
        """
        return self._runner.run(self._monitor.next(timeout))

    def __iter__(self) -> Iterator[Notice]:
        while True:
            notice = self.next()
            if notice is not None:
                yield notice

    def close(self) -> None:
        self._runner.close(self._monitor.end)

    def __enter__(self) -> Monitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class FrameStream:
    """Hands out the newest frame each time: `for frame in bus.frames("front"): …`."""

    def __init__(self, client: Client, topic: str):
        self._changed = changed = threading.Condition()
        self._is_closed = False
        self._is_read = False

        def notify() -> None:
            with changed:
                changed.notify_all()

        self._notify = notify
        self._reader = FrameReader(client.another, client.frames_endpoint(topic), topic, notify)
        when_dropped(self, self._reader.stop)

    @property
    def topic(self) -> str:
        return self._reader.topic

    @property
    def connected(self) -> bool:
        """Whether the node was heard within the last three seconds."""
        return self._reader.connected

    @property
    def count(self) -> FrameCount:
        """The counts so far."""
        return self._reader.count

    def next(self, timeout: float = 3600.0) -> Optional[Frame]:
        """The newest frame if it was not handed out before, else the next one; None if none arrives
        in time.

        - Raises: `CameraBusError` if this was closed, if the node no longer has the camera, or if no
          JPEG can be made of the camera's frames.
        """
        seconds = min(arguments.seconds("timeout", timeout), threading.TIMEOUT_MAX)
        with self._changed:
            if self._is_read:
                raise shared("stream of frames")
            self._is_read = True
            try:
                self._changed.wait_for(lambda: self._is_closed or self._reader.has_news, seconds)
            finally:
                self._is_read = False
        if self._is_closed:
            raise closed("stream of frames")
        return self._reader.take()

    def __iter__(self) -> Iterator[Frame]:
        while True:
            frame = self.next()
            if frame:
                yield frame

    def close(self) -> None:
        self._is_closed = True
        self._reader.close()
        self._notify()

    def __enter__(self) -> FrameStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
