"""A node and its cameras, as a Python program wants them."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Callable, Mapping, Optional, Sequence, Union

from . import download, messages
from .connection import PATIENCE, Connection
from .controls import Value, to_wire
from .errors import CameraBusError, Code
from .frames import FrameStream
from .monitor import Monitor
from .photo import Capture, Photo
from .tracker import Range
from .when import NOW, When

# How long a node may take to say where it publishes.
ANSWER = 2.0
INLINE_LIMIT = 1 << 20


class CameraBus:
    """Requests to one node. It belongs to the thread that made it; make one for each thread.

    `camera` may be left out everywhere where the node has just one. Durations are seconds. Every method raises
    `CameraBusError`. The endpoints of events and frames are the node's to tell; give them where it cannot know them,
    behind a proxy say.
    """

    def __init__(self, control: str = "tcp://127.0.0.1:5570", *, events: Optional[str] = None,
                 frames: Optional[str] = None, timeout: float = 10.0, patience: float = PATIENCE):
        self._control = control
        self._events = events
        self._frames = frames
        self._timeout = timeout
        self._patience = patience
        self.connection = Connection(control, patience)

    def __enter__(self) -> CameraBus:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    # How it is

    @property
    def epoch(self) -> bytes:
        """Of the node's present start, as the last reply said; empty before the first."""
        return self.connection.epoch

    def status(self, camera: str = "") -> messages.StatusReply:
        """All cameras, or one."""
        return self._ask("status", status=messages.StatusRequest(camera=camera))

    def clock(self, rounds: int = 8) -> tuple[int, int]:
        """What to add to this machine's `time.monotonic_ns()` to get the node's, and by how much it may be wrong."""
        best = (0, 2 ** 63)
        for _ in range(rounds):
            sent = time.monotonic_ns()
            now = self.status().now.monotonic_ns
            received = time.monotonic_ns()
            error = (received - sent + 1) // 2
            if error < best[1]:
                best = (now - (sent + received) // 2, error)
        return best

    def formats(self, camera: str = "") -> list[messages.Format]:
        return list(self._ask("formats", formats=messages.FormatsRequest(camera=camera)).formats)

    # Session

    def start_session(self, camera: str = "", *, pixel_format: str = "", size: Optional[tuple[int, int]] = None,
                      frame_rate: float = 0) -> messages.CameraStatus:
        """Starts the camera, or changes its format; what is not given stays as it is."""
        request = messages.SessionStartRequest(camera=camera, pixel_format=pixel_format, frame_rate=frame_rate)
        if size:
            request.size.width, request.size.height = size
        return self._ask("session", session_start=request)

    def stop_session(self, camera: str = "") -> messages.CameraStatus:
        return self._ask("session", session_stop=messages.SessionStopRequest(camera=camera))

    # Controls

    def controls(self, camera: str = "", ids: Sequence[str] = ()) -> list[messages.Control]:
        """The controls of these ids, or all there are; `controls.from_wire` turns a value into Python's."""
        if ids:
            request = messages.ControlsGetRequest(camera=camera, ids=ids)
            return list(self._ask("controls", controls_get=request).controls)
        return list(self._ask("controls", controls_list=messages.ControlsListRequest(camera=camera)).controls)

    def set_controls(self, settings: Mapping[str, Value], camera: str = "") -> list[messages.Control]:
        """Sets all of them, in this order, or none. Returns them with the values that took effect."""
        request = messages.ControlsSetRequest(camera=camera, settings=[
            messages.ControlsSetRequest.Setting(id=id, value=to_wire(value)) for id, value in settings.items()])
        return list(self._ask("controls", controls_set=request).controls)

    # Photos

    def begin_capture(self, when: When = NOW, camera: str = "", *, quality: int = 0, keep: bool = True,
                      picture: bool = True, inline_limit: int = INLINE_LIMIT, timeout: Optional[float] = None,
                      id: bytes = b"", epoch: bytes = b"") -> Capture:
        """Asks for a photo; several may be under way, each to be waited for with `photo()`."""
        request = messages.CaptureRequest(
            camera=camera, quality=quality, inline_limit=inline_limit if picture else 0, transient=not keep)
        when.put_into(request)
        return Capture(self.connection, request, self._timeout if timeout is None else timeout, picture, id, epoch)

    def capture(self, when: When = NOW, camera: str = "", *, quality: int = 0, keep: bool = True, picture: bool = True,
                inline_limit: int = INLINE_LIMIT, timeout: Optional[float] = None, id: bytes = b"", epoch: bytes = b"",
                on_progress: Optional[Callable[[messages.CaptureProgress], None]] = None) -> Photo:
        """Takes a photo and waits for it.

        With `keep` it is in the node's library; with `picture` it comes with its bytes. In silence the request is sent
        again over a new connection, which never takes a second photo. Where even that brings no answer, the error has
        the `request_id` and `epoch` to go on with: the same call with them as `id` and `epoch` asks for the same photo.
        """
        return self.begin_capture(
            when, camera, quality=quality, keep=keep, picture=picture, inline_limit=inline_limit, timeout=timeout,
            id=id, epoch=epoch).photo(on_progress)

    def cancel(self, request_id: bytes) -> int:
        """Ends a capture that waits for its frame, or a download. Returns a `messages.CancelReply.Outcome`."""
        return self._ask("cancel", cancel=messages.CancelRequest(request=request_id)).outcome

    # Movies

    def start_recording(self, camera: str = "", *, quality: int = 0, maximum_duration: float = 0,
                        maximum_bytes: int = 0, timeout: Optional[float] = None, id: bytes = b"",
                        epoch: bytes = b"") -> messages.RecordStarted:
        """Starts a movie; how it ends is told by an event, and by `stop_recording`."""
        request = messages.RecordStartRequest(
            camera=camera, quality=quality, maximum_duration_ns=round(maximum_duration * 1e9),
            maximum_bytes=maximum_bytes)
        return self._ask("record_started", timeout, id, epoch, record_start=request)

    def stop_recording(self, camera: str = "", *, timeout: Optional[float] = None, id: bytes = b"",
                       epoch: bytes = b"") -> messages.RecordResult:
        """Ends the movie, and waits until its file is whole."""
        return self._ask("record", timeout, id, epoch, record_stop=messages.RecordStopRequest(camera=camera))

    # Library

    def assets(self, camera: str = "", *, limit: int = 0, id: bytes = b"",
               request_id: bytes = b"") -> list[messages.Asset]:
        """What the library holds, newest first: of a camera, the asset of an id, or what was made for a request."""
        request = messages.AssetsRequest(camera=camera, limit=limit, id=id, request_id=request_id)
        return list(self._ask("assets", assets=request).assets)

    def read(self, asset: Union[messages.Asset, bytes],
             on_progress: Optional[download.Progress] = None) -> bytes:
        """An asset's bytes in memory, checked."""
        return download.read(self.connection, asset, on_progress)

    def download(self, asset: Union[messages.Asset, bytes], path: Union[str, Path],
                 on_progress: Optional[download.Progress] = None) -> messages.Asset:
        """An asset as a file, which appears when it is whole; what a failure left is gone on with by the next call."""
        return download.download(self.connection, asset, path, on_progress)

    # Publications

    def events(self, camera: str = "", *, history: bool = False) -> Monitor:
        """Follows the events of all cameras, or one; with `history` also those of before."""
        prefix = f"event/{camera}/" if camera else "event/"
        return Monitor(Connection(self._control, self._patience), self._events_endpoint, prefix, history)

    def replay(self, ranges: Sequence[Range]) -> messages.ReplayReply:
        """Events by their numbers, as far as the node has them. `events()` does this by itself."""
        return self._ask("replay", replay=messages.ReplayRequest(ranges=[
            messages.ReplayRequest.Range(topic=gap.topic, first=gap.first, last=gap.last) for gap in ranges]))

    def frames(self, camera: str = "", stream: str = "preview") -> FrameStream:
        """Frames of a stream: "preview", "full", "raw" or a size such as "320x240"."""
        if not camera:
            names = [camera.name for camera in self.status().cameras]
            if len(names) != 1:
                raise CameraBusError(Code.NO_SUCH_CAMERA, f"name one of the cameras: {', '.join(names)}", "camera")
            camera = names[0]
        topic = f"frame/{camera}/{stream}/"
        return FrameStream(lambda: Connection(self._control, self._patience), self._frames_endpoint, topic)

    def _ask(self, answer: str, timeout: Optional[float] = None, id: bytes = b"", epoch: bytes = b"", **body):
        timeout = self._timeout if timeout is None else timeout
        return self.connection.call(timeout, id=id, epoch=epoch, **body).result(answer)

    def _events_endpoint(self, connection: Connection) -> str:
        if self._events:
            return self._events
        status = _status(connection)
        return reachable(status.events_endpoint, status.events_ipc_endpoint, self._control)

    def _frames_endpoint(self, connection: Connection) -> str:
        if self._frames:
            return self._frames
        status = _status(connection)
        return reachable(status.frames_endpoint, status.frames_ipc_endpoint, self._control)


def _status(connection: Connection) -> messages.StatusReply:
    return connection.call(ANSWER, status=messages.StatusRequest()).result("status")


def reachable(tcp: str, ipc: str, control: str) -> str:
    """Of two endpoints as the node has bound them, the one to use for whoever reaches its control by this one."""
    if control.startswith("ipc://"):
        return ipc or tcp
    bound = re.fullmatch(r"tcp://(.+):(\d+)", tcp)
    reached = re.fullmatch(r"tcp://(.+):(\d+)", control)
    return f"tcp://{reached[1]}:{bound[2]}" if bound and reached else tcp
