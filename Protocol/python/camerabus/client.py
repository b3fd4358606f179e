"""Every request to a node, written once for the blocking client and for the asyncio one."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import re
import time
from collections.abc import Mapping
from typing import (
    AsyncGenerator, AsyncIterator, Awaitable, Callable, Concatenate, Optional, ParamSpec, Sequence, TypeVar, Union)

from . import arguments, bracket, download, messages, movie_settings, output, photo_settings, prepared_shot
from .arguments import callback, flag, identifier, identifier_or_none, limit, nanoseconds, text, whole
from .bracket import BracketShot
from .calls import PATIENCE
from .clocks import ClockEstimate, ClockOffset, ClockReading
from .connection import Connection
from .controls import Value, to_wire
from .credentials import Credentials, known_node
from .errors import CameraBusError, Code, invalid, shown, unfit
from .final_photo import ProxyFollower
from .framing import MAXIMUM_PART, Topic
from .listing import Listing
from .live_photos import LivePhotos
from .live_photos import to_wire as live_photos_to_wire
from .monitor import AsyncMonitor
from .movie_settings import Clips, Segments
from .photo import AsyncCapture, Photo, Progress
from .photo_settings import PhotoSettings
from .position import EventPosition
from .prepared_shot import AsyncPreparedShot
from .readiness import OwnLease, Readiness, combined
from .shell import Elements, Shell
from .time_lapse import Shot, shots
from .tracker import Range
from .wall_clock import OwnWallClock
from .when import NEXT, NOW, When

P = ParamSpec("P")
UpkeepProgress = Callable[[messages.LibraryProgress], None]
T = TypeVar("T")

# How long a node may take to name its endpoints for events and frames, seconds.
ANSWER = 2.0
INLINE_LIMIT = 1 << 20
# How many assets are listed at a time, unless the caller says it, and at most.
_LISTED, _PAGE = 100, 1000
_RATES = "the slowest and the fastest, such as (10, 30)"
# How long a node may need for the next step of files that take long to make, seconds.
_STEP = 120.0
# The frames a second of a slow camera, by which a burst is waited for.
_SLOWEST = 5
# How long a shot of a bracket may take on a slow camera, seconds: some thirty frames.
_SHOT = 3
# The longest request, bytes: what the connection adds to it fits into the part that a node takes.
_LARGEST = MAXIMUM_PART - 1024
# How far ahead a recording's end may lie, in seconds.
_STOP_AHEAD = 60
# How long the node may look after its library, unless the caller says it: almost a day, in seconds.
_UPKEEP = 86_000.0
_WORD, _MOMENT, _LONG = 2 ** 32 - 1, 2 ** 63 - 1, 2 ** 64 - 1


def _series(method: Callable[Concatenate[Client, P], AsyncGenerator[T, None]]
            ) -> Callable[Concatenate[Client, P], Elements[T]]:
    """The same method, whose elements come as the shell hands them out."""

    @functools.wraps(method)
    def call(self: Client, /, *args: P.args, **options: P.kwargs) -> Elements[T]:
        return self.connection.shell.series(method(self, *args, **options))

    return call


class Client:
    """Sends requests to one node; how it waits for answers is up to the shell."""

    def __init__(self, shell: Shell, control: str, node: Optional[str], credentials: Optional[Credentials],
                 events: Optional[str], frames: Optional[str], timeout: float, patience: float):
        if node is not None:
            control, credentials = known_node(text("node", node))
        if credentials is not None and not isinstance(credentials, Credentials):
            raise invalid("credentials", f"credentials is {shown(credentials)}: give Credentials")
        self._credentials = credentials
        self._control = arguments.endpoint("control", control)
        self._events = events if events is None else arguments.endpoint("events", events)
        self._frames = frames if frames is None else arguments.endpoint("frames", frames)
        self._timeout = arguments.timeout("timeout", timeout)
        self._patience = arguments.seconds("patience", patience)
        if not self._patience:  # doubled, it would stay 0, and the requests would never pause
            raise invalid("patience", "patience is 0: give the seconds after which a request is sent again, such as 3")
        # The leases under which requests are made, by camera.
        self._leases: dict[str, OwnLease] = {}
        self.connection = Connection(shell, self._control, self._credentials, self._patience)

    # Status

    @property
    def epoch(self) -> bytes:
        """The node's epoch in the last reply; empty before the first reply."""
        return self.connection.epoch

    async def status(self, camera: Optional[str] = None) -> messages.StatusReply:
        """The status of all cameras, or of one."""
        request = messages.StatusRequest(camera=arguments.camera(camera))
        status = (await self._ask("status", messages.Request(status=request))).status
        if request.camera and [camera.name for camera in status.cameras] != [request.camera]:
            raise unfit()
        return status

    async def readiness(self, camera: Union[None, str, messages.CameraStatus] = None, *,
                        changes_camera: bool = False) -> Readiness:
        """Whether the camera can take a photo now: the node's state, and what it cannot say because it differs from
        client to client.

        That is how many photos this client has under way, of which 12 may wait or be encoded and 24 be there in all,
        and with `changes_camera` the camera's lease: a flash, a bracket and a photo of the largest size change the
        controls or the format. (A photo of the largest size is taken all the same if the stream has that size.)
        `camera` may also be a state from `status` or an event. The node is not asked then.

        A photo may be BUSY all the same: if other programs use the same key, if others have so many photos under way
        that each client gets only one, or if too many deferred photos wait.
        """
        flag("changes_camera", changes_camera)
        asked = list(self._leases.values())
        state = camera if isinstance(camera, messages.CameraStatus) else await self._camera(camera)
        lease = self._lease(state.name)
        if lease in asked and state is not camera:
            lease.is_told = True
        return combined(state, await self.connection.captures(), lease, changes_camera)

    async def _camera(self, camera: Optional[str]) -> messages.CameraStatus:
        """The state of a camera, or of the node's only one."""
        cameras = (await self.status(camera)).cameras
        if len(cameras) != 1:
            names = ", ".join(camera.name for camera in cameras)
            raise CameraBusError(
                Code.NO_SUCH_CAMERA, f"name one of the cameras: {names}" if names else
                "the node has no camera: plug one in, or name one in its configuration", "camera")
        return cameras[0]

    async def read_clock(self) -> ClockReading:
        """What the node's clocks show now."""
        sent = time.monotonic_ns()
        clock = (await self._ask("clock", messages.Request(clock=messages.ClockRequest()))).clock
        received = time.monotonic_ns()
        moment = clock.answered
        if not (0 <= clock.read_monotonic_ns <= moment.monotonic_ns and moment.wall_error_ns >= 0
                and len(clock.clock_id.encode()) <= 128 and clock.HasField("answered")):
            raise unfit()  # no clock shows that
        return ClockReading(
            sent, received, clock.read_monotonic_ns, moment.monotonic_ns, moment.wall_ns,
            moment.wall_error_ns if moment.wall_error_ns > 0 else None, clock.wall_source, clock.clock_id)

    async def clock(self, rounds: int = 8, own: Optional[OwnWallClock] = None) -> ClockOffset:
        """How far the node's clock is ahead of this machine's `time.monotonic_ns()` now.

        It is found by a burst of readings, and by the wall clocks of both machines if their errors have bounds. `own` is this
        machine's; without it the bound is the one that the program computes which keeps the clock. To follow a clock, give
        what `read_clock` and `OwnWallClock.read` return to a `ClockEstimate`.
        """
        if own is not None and not isinstance(own, OwnWallClock):
            raise invalid("own", f"own is {shown(own)}: give an OwnWallClock, or None")
        estimate, own = ClockEstimate(), own or OwnWallClock()
        for _ in range(whole("rounds", rounds, _WORD, least=1)):
            reading = await self.read_clock()
            estimate.add(reading, own.read())
        offset = estimate.at(reading.received)
        if offset is None:
            raise CameraBusError(
                Code.INTERNAL, "the node's clock showed more time than passed here: try again, and if that stays, look "
                "at the clocks of both machines")
        return offset

    async def formats(self, camera: Optional[str] = None) -> list[messages.Format]:
        """The formats that the camera offers."""
        request = messages.FormatsRequest(camera=arguments.camera(camera))
        return list((await self._ask("formats", messages.Request(formats=request))).formats.formats)

    async def devices(self) -> list[messages.MachineDevice]:
        """All cameras of the node's machine, whether the node has them or not.

        The node opens each for a moment.
        """
        return list((await self._ask("devices", messages.Request(devices=messages.DevicesRequest()))).devices.devices)

    async def microphones(self) -> messages.MicrophonesReply:
        """The node's `microphones` that this client may use, and the `devices` of its machine that could be some."""
        return (await self._ask("microphones", messages.Request(microphones=messages.MicrophonesRequest()))).microphones

    # Session

    async def start_session(self, camera: Optional[str] = None, *,
                            at_monotonic_ns: Optional[int] = None) -> messages.CameraStatus:
        """Starts the camera in the format that it has, which `configure` changes.

        With `at_monotonic_ns`, a moment of the node's monotonic clock at most 3 s ahead, its stream begins then; one that
        runs ends, and begins again.
        """
        request = messages.SessionStartRequest(
            camera=arguments.camera(camera), at_monotonic_ns=_moment("at_monotonic_ns", at_monotonic_ns))
        status = (await self._ask("session", messages.Request(session_start=request))).session
        return _session(status, request.camera, messages.SESSION_STATE_STOPPED)

    async def stop_session(self, camera: Optional[str] = None) -> messages.CameraStatus:
        """Stops the camera. If it records, this waits until the movie is complete."""
        request = messages.SessionStopRequest(camera=arguments.camera(camera))
        status = (await self._ask("session", messages.Request(session_stop=request))).session
        return _session(status, request.camera, messages.SESSION_STATE_RUNNING)

    async def configure(self, camera: Optional[str] = None, *, input: str = "", mode: str = "", preset: str = "",
                        pixel_format: str = "",
                        size: Optional[tuple[int, int]] = None, rates: Optional[tuple[float, float]] = None,
                        rotation: Optional[int] = None, mirrored: Optional[bool] = None,
                        preview_rotation: Optional[int] = None, preview_mirrored: Optional[bool] = None,
                        streams: Sequence[messages.StreamSettings] = (),
                        controls: Optional[Mapping[str, Value]] = None, subject_area: Optional[float] = None,
                        live_photos: Union[None, bool, LivePhotos] = None,
                        end_recording: bool = False,
                        find_effect: Optional[bool] = None) -> messages.ConfigureReply:
        """Changes the camera's input, format, controls, rates and orientations: all of it, or nothing.

        What is left out stays as it is. `input` is the identity or location of a device that `devices` lists, or
        `CameraStatus.configured_input`: it takes the place of the present one, with its own format and controls. `preset` is one of photo, high, medium, low, hd1280x720, hd1920x1080,
        hd3840x2160 and inputPriority; pixel format, size and rates come before it. `mode`, 'photo' or 'video', stands
        for the preset photo or high if neither a preset nor a format is given. The camera takes its fastest rate within
        `rates`, or a faster one, which the node thins out. Photos and movies are turned by `rotation` (0, 90, 180 or 270
        degrees clockwise) and then mirrored, encoded streams by `preview_rotation` and `preview_mirrored`.
        `streams` says how streams are sent: `StreamSettings(stream="preview", maximum_rate=5, quality=60)`, or not:
        `StreamSettings(stream="full", enabled=False)`.
        When the part `subject_area` of the picture looks different, 0 to 1, there is an event; 0 asks for none.
        With `live_photos` photos can have a movie around them (`PhotoSettings.live`): True for 1.5 s on either side, or
        LivePhotos(before=2, after=1, sound=True); False for no longer.
        `find_effect` is that of `set_controls`.
        While the camera records, another format or orientation of its pictures is a CONFLICT unless `end_recording` lets
        it end the movie.
        """
        name = re.sub("([a-z])([A-Z])", r"\1_\2", text("preset", preset)).upper() or "UNSPECIFIED"
        if f"PRESET_{name}" not in messages.Preset.keys():
            raise invalid("preset", f"preset is {shown(preset)}: give one such as 'high' or 'hd1280x720'")
        if not isinstance(mode, str) or mode not in ("", "photo", "video"):
            raise invalid("mode", f"mode is {shown(mode)}: give 'photo' or 'video'")
        request = messages.ConfigureRequest(
            camera=arguments.camera(camera), input=text("input", input), preset=messages.Preset.Value(f"PRESET_{name}"),
            mode=messages.Mode.Value(f"MODE_{mode.upper() or 'UNSPECIFIED'}"),
            pixel_format=text("pixel_format", pixel_format), end_recording=flag("end_recording", end_recording))
        if size is not None:
            request.size.CopyFrom(arguments.size("size", size))
        if rates is not None:
            slowest, fastest = (arguments.rate("rates", rate) for rate in arguments.pair("rates", rates, _RATES))
            if slowest > fastest:
                raise invalid("rates", f"rates is {shown(rates)}: give {_RATES}")
            request.minimum_rate, request.maximum_rate = slowest, fastest
        _turn(request.capture, "rotation", rotation, "mirrored", mirrored)
        _turn(request.preview, "preview_rotation", preview_rotation, "preview_mirrored", preview_mirrored)
        if subject_area is not None:
            request.subject_area = arguments.real("subject_area", subject_area)
        if live_photos is not None:
            request.live_photos.CopyFrom(live_photos_to_wire(live_photos))
        if not isinstance(streams, (list, tuple)) or not all(isinstance(each, messages.StreamSettings) for each in streams):
            raise invalid("streams", f"streams is {shown(streams)}: give a list of StreamSettings")
        request.streams.extend(streams)
        request.settings.extend(_settings("controls", {} if controls is None else controls))
        if find_effect is not None:
            request.find_effect = flag("find_effect", find_effect)
        reply = (await self._ask("configure", messages.Request(configure=request))).configure
        if request.camera and reply.camera.name != request.camera \
                or [control.id for control in reply.controls] != [setting.id for setting in request.settings]:
            raise unfit()
        return reply

    async def forget(self, camera: Optional[str] = None) -> messages.CameraStatus:
        """Forgets what clients have changed of the camera (`CameraStatus.remembered`).

        The camera stays as it is until its node starts again, which starts it as it is configured.
        """
        request = messages.ConfigureRequest(camera=arguments.camera(camera), forget=True)
        reply = (await self._ask("configure", messages.Request(configure=request))).configure
        if request.camera and reply.camera.name != request.camera:
            raise unfit()
        return reply.camera

    async def suspend_session(self, camera: Optional[str] = None, *, reason: str = "") -> messages.CameraStatus:
        """Closes the camera until `resume_session` or `stop_session`, so that another program may have it.

        Meanwhile the session is interrupted (SUSPENDED_BY_OPERATOR), and `reason` tells others why:
        at most 200 bytes on one line. If it records, this waits until the movie is complete.
        """
        request = messages.SessionSuspendRequest(camera=arguments.camera(camera), reason=text("reason", reason))
        status = (await self._ask("session", messages.Request(session_suspend=request))).session
        return _session(status, request.camera, messages.SESSION_STATE_RUNNING)

    async def resume_session(self, camera: Optional[str] = None) -> messages.CameraStatus:
        """Ends a suspension, and nothing else.

        If the camera cannot be started, the status says why, and the node tries again by itself.
        """
        request = messages.SessionResumeRequest(camera=arguments.camera(camera))
        status = (await self._ask("session", messages.Request(session_resume=request))).session
        return _session(status, request.camera, messages.SESSION_STATE_STOPPED)

    # Lease

    async def acquire_lease(self, camera: Optional[str] = None, *, holder: str = "", term: float = 10) -> messages.LeaseReply:
        """Takes the camera's configuration and controls for this client alone.

        Until `release_lease`, all that this client asks of the camera is under the lease. Every
        request renews it, `renew_lease` too; it ends when the node gets none for `term` seconds. Others know
        the client as `holder`, which is the name of its key if it is empty.
        """
        request = messages.LeaseAcquireRequest(
            camera=arguments.camera(camera), holder=text("holder", holder), term_ns=limit("term", term))
        id = os.urandom(16)
        try:
            reply = (await self._ask("lease", messages.Request(lease_acquire=request), id=id)).lease
            if len(reply.id) != 16 or not reply.HasField("lease") or request.camera not in ("", reply.camera):
                raise unfit()
            self._use(reply.camera, reply.id)
            return reply
        except BaseException as error:
            # The reply may be on its way. A new lease has the id of this request; any other stays.
            if not isinstance(error, CameraBusError) or error.code is Code.UNREACHABLE:
                await self._give_up_lease(request.camera, id)
            raise

    async def _give_up_lease(self, camera: str, id: bytes) -> None:
        self._leases = {name: lease for name, lease in self._leases.items() if lease.id != id}
        release = messages.LeaseReleaseRequest(camera=camera)
        with contextlib.suppress(CameraBusError):  # a closed connection sends nothing
            await self.connection.tell(messages.Request(lease=id, lease_release=release))

    def use_lease(self, camera: Optional[str], lease: Optional[bytes]) -> None:
        """Puts what this client asks of the camera under a lease that another holds and has told the id of, or under none."""
        name = arguments.camera(camera)
        if lease is None:
            self._leases.pop(name, None)
        else:
            self._use(name, identifier("lease", lease))

    def _use(self, camera: str, lease: bytes) -> None:
        if camera not in self._leases or self._leases[camera].id != lease:
            self._leases[camera] = OwnLease(lease)

    async def renew_lease(self, camera: Optional[str] = None) -> messages.LeaseReply:
        """Renews the lease. CONFLICT means that it has ended."""
        request = messages.LeaseRenewRequest(camera=arguments.camera(camera))
        return (await self._ask("lease", messages.Request(lease_renew=request))).lease

    async def release_lease(self, camera: Optional[str] = None, *, force: bool = False) -> None:
        """Ends the camera's lease; with `force`, which needs the role controller, also another client's."""
        request = messages.LeaseReleaseRequest(camera=arguments.camera(camera), force=flag("force", force))
        reply = (await self._ask("lease", messages.Request(lease_release=request))).lease
        self._leases.pop(reply.camera, None)
        self._leases.pop(request.camera, None)

    # Controls

    async def controls(self, camera: Optional[str] = None, ids: Sequence[str] = ()) -> list[messages.Control]:
        """The controls with these ids, or all controls.

        `value_of` converts their values.
        """
        names = [text("ids", name) for name in arguments.several("ids", ids, "['brightness']")]
        camera = arguments.camera(camera)
        if names:
            request = messages.Request(controls_get=messages.ControlsGetRequest(camera=camera, ids=names))
        else:
            request = messages.Request(controls_list=messages.ControlsListRequest(camera=camera))
        controls = list((await self._ask("controls", request)).controls.controls)
        if names and [control.id for control in controls] != names:
            raise unfit()
        return controls

    async def set_controls(self, settings: Mapping[str, Value], camera: Optional[str] = None, *,
                           find_effect: Optional[bool] = None, ramp_rate: Optional[float] = None) -> messages.ControlsReply:
        """Sets all of these controls, in this order, or none.

        The reply has them with the values that took effect, and in `effect` the first frame that shows the change.
        `find_effect` says whether to look for it; None looks if one of the controls is known to shape the picture.
        The answer comes when the frame is found, or 16 frames later. A value of None presses a button; for any other
        control the node refuses it with INVALID_ARGUMENT.
        `ramp_rate` moves zoom, which must be among the settings, smoothly, by so many doublings a second, at most 64.
        The answer comes at once; `ramping_to` of the control says where it will end. `stop_ramp`, another change of
        the zoom, and a change of the configuration end it earlier, and so does the end of a lease.
        """
        request = messages.ControlsSetRequest(camera=arguments.camera(camera), settings=_settings("settings", settings))
        if find_effect is not None:
            request.find_effect = flag("find_effect", find_effect)
        if ramp_rate is not None:
            request.ramp_rate = arguments.real("ramp_rate", ramp_rate)
        reply = (await self._ask("controls", messages.Request(controls_set=request))).controls
        if [control.id for control in reply.controls] != [setting.id for setting in request.settings]:
            raise unfit()
        return reply

    async def stop_ramp(self, camera: Optional[str] = None) -> None:
        """Ends a ramp of the zoom where it stands."""
        request = messages.ControlsSetRequest(camera=arguments.camera(camera), stop_ramp=True)
        await self._ask("controls", messages.Request(controls_set=request))

    async def capabilities(self, camera: Optional[str] = None) -> messages.Capabilities:
        """What the camera can do now."""
        request = messages.CapabilitiesRequest(camera=arguments.camera(camera))
        return (await self._ask("capabilities", messages.Request(capabilities=request))).capabilities

    async def calibration(self, camera: Optional[str] = None) -> messages.Calibration:
        """The calibration that the node is configured with; UNSUPPORTED if it has none."""
        request = messages.CalibrationRequest(camera=arguments.camera(camera))
        return (await self._ask("calibration", messages.Request(calibration=request))).calibration

    # Photos

    async def begin_capture(self, when: When = NOW, camera: Optional[str] = None, *,
                            settings: Optional[PhotoSettings] = None, pictures: int = 1, every: int = 1,
                            shots: Optional[Sequence[BracketShot]] = None, picture: bool = True,
                            inline_limit: int = INLINE_LIMIT, timeout: Optional[float] = None, id: bytes = b"",
                            epoch: bytes = b"") -> AsyncCapture:
        """Asks for a photo, or for several `pictures` in a row, and returns when the request is sent.

        Several may be under way; wait for each with `photo()`, and for those of a burst or of the `shots` of a
        bracket with `photos()`.
        """
        request = photo_settings.to_wire(settings)
        request.camera = arguments.camera(camera)
        pictures, every = whole("pictures", pictures, 100, 1), whole("every", every, 30, 1)
        if (pictures, every) != (1, 1):
            request.burst.pictures = pictures
            request.burst.every = every
        if shots is not None:
            request.bracket.shots.extend(bracket.to_wire(shots))
        attached = whole("inline_limit", inline_limit, _WORD)
        # Several files are downloaded.
        request.inline_limit = attached if flag("picture", picture) and not output.several(request) else 0
        When.check(when).put_into(request)
        wait = self._seconds(timeout)
        if timeout is None:
            wait += (pictures - 1) * every / _SLOWEST + len(request.bracket.shots) * _SHOT
        call = await self.connection.call(self._request(messages.Request(capture=request), id, epoch), wait)
        if output.takes_long(request):
            call.step_timeout = max(wait, _STEP)
        return AsyncCapture(self.connection, call, picture)

    async def capture(self, when: When = NOW, camera: Optional[str] = None, *,
                      settings: Optional[PhotoSettings] = None, picture: bool = True, inline_limit: int = INLINE_LIMIT,
                      timeout: Optional[float] = None, id: bytes = b"", epoch: bytes = b"",
                      on_progress: Optional[Progress] = None) -> Photo:
        """Takes a photo and waits for it: one JPEG, unless `settings` ask for something else.

        With `picture` the result has the picture's bytes. If the node does not
        answer, the request is sent again over a new connection, which never takes a second photo. If there is still
        no answer, the error has the `request_id` and the `epoch`. Pass them as `id` and `epoch` to the same call to
        ask for the same photo again. Ctrl-C, or cancelling the task that waits, cancels the photo.

        A picture that is too long for the answer is downloaded within the same `timeout`. It has
        256 MiB at most; `download` fetches longer assets.
        """
        callback("on_progress", on_progress)
        capture = await self.begin_capture(
            when, camera, settings=settings, picture=picture, inline_limit=inline_limit, timeout=timeout, id=id, epoch=epoch)
        async with self._cancelling(capture):
            return await capture.photo(on_progress)

    @_series
    async def burst(self, pictures: int, when: When = NOW, camera: Optional[str] = None, *, every: int = 1,
                    settings: Optional[PhotoSettings] = None, picture: bool = True, timeout: Optional[float] = None,
                    on_progress: Optional[Progress] = None) -> AsyncGenerator[Photo, None]:
        """Takes pictures of frames that follow each other, or of one in `every` so many, under one request.

        A frame that is lost has no picture: `resolved.frame_sequence` shows the gap. If not all pictures can be
        taken, the error says how many files are in the library. Each photo is downloaded when you take it.
        """
        callback("on_progress", on_progress)
        capture = await self.begin_capture(
            when, camera, settings=settings, pictures=pictures, every=every, picture=picture, timeout=timeout)
        async with self._cancelling(capture):
            async for photo in capture.each(on_progress):
                yield photo

    @_series
    async def bracket(self, shots: Sequence[BracketShot], when: When = NEXT, camera: Optional[str] = None, *,
                      settings: Optional[PhotoSettings] = None, picture: bool = True, timeout: Optional[float] = None,
                      on_progress: Optional[Progress] = None) -> AsyncGenerator[Photo, None]:
        """Takes a picture for each shot, with other settings of the controls, under one request.

        A shot is a number of EV by which the picture is brighter than it would have been, `Exposure(0.004)`, or
        controls with their values such as {"brightness": 140}. Each frame is proven to have been taken with its shot:
        `resolved.shot` says with what, and how that is known. At the end, also after an error, the controls are as
        they were before. Each photo is downloaded when you take it.
        """
        callback("on_progress", on_progress)
        bracket.to_wire(shots)  # none would be a photo
        capture = await self.begin_capture(
            when, camera, settings=settings, shots=shots, picture=picture, timeout=timeout)
        async with self._cancelling(capture):
            async for photo in capture.each(on_progress):
                yield photo

    async def prepare_shot(self, camera: Optional[str] = None, *, shot: bytes = b"",
                           settings: Optional[PhotoSettings] = None, wall_error: Optional[float] = None,
                           holder: str = "", term: float = 10) -> AsyncPreparedShot:
        """Prepares a photo of a moment that is chosen later, when all cameras of a rig are ready.

        The node keeps a place for it under this client's lease of the camera, or under a new one that ends with the
        shot, or when the node hears nothing under it for `term` seconds. `shot` names it on all cameras.
        `wall_error` is for a moment of the wall clock: how wrong that may be at most, in seconds.
        """
        request = prepared_shot.to_wire(
            identifier_or_none("shot", shot), settings, arguments.camera(camera), wall_error, holder, term)
        id = os.urandom(16)
        try:
            reply = await self._ask("shot_prepared", messages.Request(shot_prepare=request), id=id)
            return AsyncPreparedShot(self.connection, request, reply.shot_prepared, self._seconds)
        except BaseException as error:
            # The reply may be on its way.
            if not isinstance(error, CameraBusError) or error.code is Code.UNREACHABLE:
                with contextlib.suppress(CameraBusError):  # a closed connection sends nothing
                    await self.connection.tell(prepared_shot.give_up(request, id))
            raise

    @contextlib.asynccontextmanager
    async def _cancelling(self, capture: AsyncCapture) -> AsyncIterator[None]:
        """Cancels the capture if waiting for it is."""
        try:
            yield
        except (asyncio.CancelledError, KeyboardInterrupt):
            await self.give_up(capture)
            raise

    async def give_up(self, capture: AsyncCapture) -> None:
        """Cancels a capture without waiting for what comes of that."""
        with contextlib.suppress(CameraBusError):  # a closed connection sends nothing
            await self.connection.tell(messages.Request(cancel=messages.CancelRequest(request=capture.id)))

    @_series
    async def time_lapse(self, count: int, interval: float, when: When = NOW, camera: Optional[str] = None, *,
                         settings: Optional[PhotoSettings] = None, picture: bool = True,
                         timeout: Optional[float] = None) -> AsyncGenerator[Shot, None]:
        """Takes so many photos at equal intervals, each of the frame nearest to its moment on the node's clock.

        The moments are counted from the frame of the first photo, which `when` names. A photo that cannot be taken
        has its error in its shot, and the series goes on. It ends with an error that further photos would have too,
        or if the first photo fails. Each photo is asked for when you take it: who is slower than the interval misses
        photos.
        """
        number = whole("count", count, _MOMENT, 1)
        pause = nanoseconds("interval", interval)
        if not 10 ** 6 <= pause <= _MOMENT // number:
            raise invalid("interval", f"interval is {shown(interval)}: give the seconds from one photo to the next, at "
                                      f"least 0.001 and at most {_MOMENT // number // 10 ** 9} for {number} photos")
        wait = self._seconds(timeout)

        async def take(when: When, lead: float) -> tuple[Photo, float]:
            reached: list[float] = []

            def note(progress: messages.CaptureProgress) -> None:
                if progress.step == messages.CaptureProgress.STEP_DID_CAPTURE:
                    reached.append(time.monotonic())

            photo = await self.capture(
                when, camera, settings=settings, picture=picture, timeout=wait + lead, on_progress=note)
            return photo, reached[0] if reached else time.monotonic()

        async for shot in shots(self.connection.shell, number, pause, when, take):
            yield shot

    async def final_photo(self, photo: Union[Photo, messages.Asset], *, picture: bool = True,
                          timeout: float = 3600.0) -> Photo:
        """Waits for the files in whose place a proxy stands, and fetches them.

        It takes a photo that was taken with `PhotoSettings.deferred`, or the proxy's asset. The files may have been made long
        before, and lost events, a broken connection and a restart of the node do no harm. They are in the order of
        `outputs`. Where the node has forgotten its event they are in the order in which they were made, and `resolved`
        is empty. A photo that is no proxy is final already, and returned as it is.

        - Raises: `CameraBusError`: NO_SUCH_ASSET if the proxy was deleted, and so needs no files; ENCODING_FAILED or
          another code if they cannot be made; DEADLINE_EXCEEDED if they are not made within `timeout`. They may still
          come then, and this may be called again.
        """
        if isinstance(photo, Photo):
            if photo.asset is None or not photo.is_proxy:
                return photo
            photo = photo.asset
        follower = ProxyFollower(self.connection, self, photo, arguments.timeout("timeout", timeout), self._timeout)
        flag("picture", picture)
        await self.status()  # a node that is away is told at once
        # The camera may have gone while its photos are finished.
        monitor = self._monitor("", f"event/{photo.camera}/deferred/", True, self.connection.shell)
        try:
            return await follower.photo(monitor, picture)
        finally:
            await monitor.close()

    async def cancel(self, request_id: bytes) -> messages.CancelReply.Outcome.ValueType:
        """Cancels a capture that waits for its frame, or a download.

        Returns a `messages.CancelReply.Outcome`.
        """
        request = messages.CancelRequest(request=identifier("request_id", request_id))
        return (await self._ask("cancel", messages.Request(cancel=request))).cancel.outcome

    # Movies

    async def start_recording(self, camera: Optional[str] = None, *, codec: str = "", container: str = "",
                              quality: Optional[int] = None, bit_rate: Optional[int] = None,
                              key_interval: Optional[float] = None, segments: Optional[Segments] = None,
                              clips: Optional[Clips] = None, on_camera_lost: str = "",
                              progress_interval: Optional[float] = None, maximum_duration: Optional[float] = None,
                              maximum_bytes: Optional[int] = None, from_monotonic_ns: Optional[int] = None,
                              until_monotonic_ns: Optional[int] = None, name: str = "", tags: Sequence[str] = (),
                              sound: Union[bool, str] = False,
                              sound_codec: str = "", sound_bit_rate: Optional[int] = None, sound_required: bool = False,
                              timeout: Optional[float] = None, id: bytes = b"",
                              epoch: bytes = b"") -> messages.RecordStarted:
        """Starts a movie: the camera's JPEGs in Matroska, unless you say otherwise.

        `codec` is 'mjpeg' or 'h264', and `container` 'matroska' or 'mp4'; one of them stands for what goes with it.
        `quality` is 1 to 100 where the node encodes. H.264 may have a `bit_rate` instead, in bits a second, and has a
        picture that needs no other one every `key_interval` seconds, or every second. `name` and `tags` are those of
        `PhotoSettings`; the file has the name as its title.

        With `sound` it has the sound of the camera's microphone, or of the one that is named; `microphones` lists them.
        `sound_codec` is 'aac' or 'opus', or as it goes with the container. While no sound comes the movie is silent; with
        `sound_required` it is not started then, and ends.

        An event reports how it ends, and so does the result of `stop_recording`. The first and the last frame are those
        nearest two moments of the node's monotonic clock, if you name them: `from_monotonic_ns`, at most a minute ahead,
        and `until_monotonic_ns`. Then this returns when the camera is ready, before the first frame; if that has passed
        already, the code is FRAME_UNAVAILABLE and the reason LATE.

        With `segments` the recording goes on in one file after the other, and with `clips` it makes one around each trigger.
        When the camera is lost it ends, or with `on_camera_lost` "pause" waits for it. An event tells how far it is every
        `progress_interval` seconds, 0.1 to an hour.
        """
        request = movie_settings.request(
            codec, container, quality, bit_rate, key_interval, name, tags, sound, sound_codec, sound_bit_rate, sound_required)
        request.MergeFrom(messages.RecordStartRequest(
            camera=arguments.camera(camera),
            segments=movie_settings.segments(segments), clips=movie_settings.clips(clips),
            on_camera_lost=messages.CameraLostPolicy.Value(arguments.choice(
                "on_camera_lost", on_camera_lost, "CAMERA_LOST_POLICY", messages.CameraLostPolicy.keys())),
            progress_interval_ns=0 if progress_interval is None else limit("progress_interval", progress_interval),
            maximum_duration_ns=0 if maximum_duration is None else limit("maximum_duration", maximum_duration),
            maximum_bytes=0 if maximum_bytes is None else whole("maximum_bytes", maximum_bytes, _LONG, least=1),
            from_monotonic_ns=_moment("from_monotonic_ns", from_monotonic_ns),
            until_monotonic_ns=_moment("until_monotonic_ns", until_monotonic_ns)))
        return await self.start_movie(request, timeout, id, epoch)

    async def start_movie(self, request: messages.RecordStartRequest, timeout: Optional[float] = None, id: bytes = b"",
                          epoch: bytes = b"") -> messages.RecordStarted:
        """Starts a movie by the request for it: `start_recording` makes one."""
        message = messages.Request(record_start=request)
        started = (await self._ask("record_started", message, timeout, id, epoch)).record_started
        if started.recording != message.id or request.camera not in ("", started.camera):
            raise unfit(message.id, self.epoch)
        return started

    async def stop_recording(self, camera: Optional[str] = None, *, recording: bytes = b"",
                             at_monotonic_ns: Optional[int] = None, timeout: Optional[float] = None, id: bytes = b"",
                             epoch: bytes = b"") -> messages.RecordResult:
        """Ends the movie, and waits until its file is complete.

        With `recording`, the id from `start_recording`, it ends no other movie. With `at_monotonic_ns`, a moment of the
        node's monotonic clock at most a minute ahead, the last frame is the one nearest to it; if that has passed, it is
        the newest one. Without a `timeout` this waits a minute longer then.
        """
        request = messages.RecordStopRequest(
            camera=arguments.camera(camera), recording=identifier_or_none("recording", recording),
            at_monotonic_ns=_moment("at_monotonic_ns", at_monotonic_ns))
        message = messages.Request(record_stop=request)
        ahead = _STOP_AHEAD if request.at_monotonic_ns and timeout is None else 0
        result = (await self._ask("record", message, self._seconds(timeout) + ahead, id, epoch)).record
        if request.recording not in (b"", result.recording) or (
                result.HasField("asset") and request.camera not in ("", result.asset.camera)):
            raise unfit(message.id, self.epoch)
        return result

    async def pause_recording(self, camera: Optional[str] = None, *, recording: bytes = b"", timeout: Optional[float] = None,
                              id: bytes = b"", epoch: bytes = b"") -> messages.RecordingStatus:
        """Pauses the camera's movie, of any client: no time passes in it, and no frame counts as missing.

        With `recording`, the id from `start_recording`, it pauses no other movie.
        """
        message = messages.Request(record_pause=messages.RecordPauseRequest(
            camera=arguments.camera(camera), recording=identifier_or_none("recording", recording)))
        return await self._recording(message, recording, timeout, id, epoch)

    async def resume_recording(self, camera: Optional[str] = None, *, recording: bytes = b"",
                               timeout: Optional[float] = None, id: bytes = b"",
                               epoch: bytes = b"") -> messages.RecordingStatus:
        """Lets a paused movie go on. While its camera is lost this is a CONFLICT: it goes on when the camera is back."""
        message = messages.Request(record_resume=messages.RecordResumeRequest(
            camera=arguments.camera(camera), recording=identifier_or_none("recording", recording)))
        return await self._recording(message, recording, timeout, id, epoch)

    async def trigger_clip(self, camera: Optional[str] = None, *, recording: bytes = b"",
                           at_monotonic_ns: Optional[int] = None, timeout: Optional[float] = None, id: bytes = b"",
                           epoch: bytes = b"") -> messages.RecordingStatus:
        """Makes a clip of what is around now, with a recording in `clips`; a clip under way lasts longer.

        With `at_monotonic_ns` it is around that moment of the node's monotonic clock: at most a minute ahead and at most
        `Clips.before` ago, else the code is FRAME_UNAVAILABLE and the reason LATE.
        """
        message = messages.Request(record_trigger=messages.RecordTriggerRequest(
            camera=arguments.camera(camera), recording=identifier_or_none("recording", recording),
            at_monotonic_ns=_moment("at_monotonic_ns", at_monotonic_ns)))
        return await self._recording(message, recording, timeout, id, epoch)

    async def _recording(self, message: messages.Request, recording: bytes, timeout: Optional[float], id: bytes,
                         epoch: bytes) -> messages.RecordingStatus:
        status = (await self._ask("recording", message, timeout, id, epoch)).recording
        if recording not in (b"", status.request_id):
            raise unfit(message.id, self.epoch)
        return status

    # Library

    async def assets(self, camera: Optional[str] = None, *, limit: int = _LISTED, id: bytes = b"", request_id: bytes = b"",
                     kind: messages.AssetKind.ValueType = messages.ASSET_KIND_UNSPECIFIED, since_ns: int = 0,
                     until_ns: int = 0, protected: Optional[bool] = None,
                     deferral: Union[str, messages.Deferral.ValueType] = messages.DEFERRAL_UNSPECIFIED,
                     name: Optional[str] = None, tags: Sequence[str] = ()) -> list[messages.Asset]:
        """The newest assets in the library, newest first: at most `limit`. Above 1000 it takes more than one request.

        Each parameter leaves fewer assets: a camera, the beginning of an asset's id, the id of the
        request that made it, photos or movies, a time in nanoseconds since 1970, protection, what has become of
        the final photo of a proxy ("pending", "done" or "failed"), exactly this name, or all of these tags.
        """
        request = _assets(camera, id, request_id, kind, since_ns, until_ns, protected, deferral, name, tags)
        whole("limit", limit, _LONG)
        listing, assets = Listing(), list[messages.Asset]()
        while len(assets) < limit:
            request.limit = min(limit - len(assets), _PAGE)
            page = await self._page(request, listing)
            assets += page.assets
            if not page.next:
                break
        return assets

    @_series
    async def all_assets(self, camera: Optional[str] = None, *, limit: int = _LISTED, id: bytes = b"",
                         request_id: bytes = b"",
                         kind: messages.AssetKind.ValueType = messages.ASSET_KIND_UNSPECIFIED, since_ns: int = 0,
                         until_ns: int = 0, protected: Optional[bool] = None,
                         deferral: Union[str, messages.Deferral.ValueType] = messages.DEFERRAL_UNSPECIFIED,
                         name: Optional[str] = None, tags: Sequence[str] = ()
                         ) -> AsyncGenerator[messages.Asset, None]:
        """All assets in the library, newest first. They are fetched page by page while you take them.

        `limit` is the size of a page, at most 1000; the other parameters are those of `assets`.
        """
        request = _assets(camera, id, request_id, kind, since_ns, until_ns, protected, deferral, name, tags)
        request.limit = whole("limit", limit, _PAGE, least=1)
        listing = Listing()
        while True:
            page = await self._page(request, listing)
            for asset in page.assets:
                yield asset
            if not page.next:
                return

    async def _page(self, request: messages.AssetsRequest, listing: Listing) -> messages.AssetsReply:
        """The next page of the list, which has no asset of another id, request, deferral or name, and none without
        the tags."""
        page = (await self._ask("assets", messages.Request(assets=request))).assets
        if any(not asset.id.startswith(request.id) or request.request_id not in (b"", asset.request_id)
               or request.deferral not in (messages.DEFERRAL_UNSPECIFIED, asset.deferral)
               or request.name not in ("", asset.name) or not set(request.tags) <= set(asset.tags)
               for asset in page.assets):
            raise unfit()
        listing.check(page)
        request.page = page.next
        return page

    async def delete(self, assets: Sequence[Union[messages.Asset, bytes]], *, timeout: Optional[float] = None,
                     id: bytes = b"", epoch: bytes = b"") -> list[messages.AssetResult]:
        """Deletes 1 to 256 assets for good, and returns what became of each.

        A result has the asset as it was, or the error: a protected asset is not deleted.
        """
        request = messages.DeleteRequest(assets=_ids(assets))
        reply = await self._ask("delete", messages.Request(delete=request), timeout, id, epoch)
        return _changes(reply.delete.results, request.assets)

    async def protect(self, assets: Sequence[Union[messages.Asset, bytes]], protected: bool = True, *,
                      timeout: Optional[float] = None, id: bytes = b"",
                      epoch: bytes = b"") -> list[messages.AssetResult]:
        """Protects 1 to 256 assets from deletion, or ends their protection.

        Returns what became of each: the asset as it is now, or the error.
        """
        request = messages.ProtectRequest(assets=_ids(assets), protected=flag("protected", protected))
        reply = await self._ask("protect", messages.Request(protect=request), timeout, id, epoch)
        return _changes(reply.protect.results, request.assets, request.protected)

    async def tag(self, assets: Sequence[Union[messages.Asset, bytes]], *, name: Optional[str] = None,
                  add: Sequence[str] = (), remove: Sequence[str] = (), timeout: Optional[float] = None,
                  id: bytes = b"", epoch: bytes = b"") -> list[messages.AssetResult]:
        """Changes the names and tags of 1 to 256 assets, and not their files.

        All get the `name`, if it is not None; an empty one takes their names away. They get the tags of `add` and lose
        those of `remove`. Returns what became of each: the asset as it is now, or the error: INVALID_ARGUMENT for one
        that would have more than 32 tags.
        """
        request = messages.TagRequest(
            assets=_ids(assets), add=arguments.words("add", add), remove=arguments.words("remove", remove))
        if name is not None:
            request.name = text("name", name)
        results = (await self._ask("tag", messages.Request(tag=request), timeout, id, epoch)).tag.results
        for asset in (result.asset for result in results if result.HasField("asset")):
            if (name not in (None, asset.name) or not set(request.add) <= set(asset.tags)
                    or set(request.remove) & set(asset.tags)):
                raise unfit()
        return _changes(results, request.assets)

    async def verify(self, camera: Optional[str] = None, *, tags: Sequence[str] = (), since_ns: int = 0,
                     timeout: float = _UPKEEP, on_progress: Optional[UpkeepProgress] = None, id: bytes = b"",
                     epoch: bytes = b"") -> messages.LibraryVerifyReply:
        """Has the node read the files of assets and compare them with what was stored.

        Of all assets, or of those of a camera, with all of these tags, and from a moment on, in nanoseconds since
        1970. `on_progress` is called at the beginning and at most four times a second. Returns how many are intact,
        missing and changed, and the newest of those that are not intact.
        """
        request = messages.LibraryVerifyRequest(
            camera=arguments.camera(camera), tags=arguments.words("tags", tags),
            since_wall_ns=whole("since_ns", since_ns, _MOMENT))
        reply = await self._upkeep(messages.Request(library_verify=request), timeout, on_progress, id, epoch)
        return reply.library_verify

    async def repair(self, *, drop_missing: bool = False, timeout: float = _UPKEEP,
                     on_progress: Optional[UpkeepProgress] = None, id: bytes = b"",
                     epoch: bytes = b"") -> messages.LibraryRepairReply:
        """Lists files that the index of the library does not know, and finds missing ones under other paths.

        Movies that were set aside are tried again. No file is deleted or overwritten. With `drop_missing`, assets
        whose files are gone are no longer listed, unless they are protected.
        """
        request = messages.LibraryRepairRequest(drop_missing=flag("drop_missing", drop_missing))
        reply = await self._upkeep(messages.Request(library_repair=request), timeout, on_progress, id, epoch)
        return reply.library_repair

    async def _upkeep(self, request: messages.Request, timeout: float, on_progress: Optional[UpkeepProgress],
                      id: bytes, epoch: bytes) -> messages.Reply:
        """Long work of the node, which is cancelled if the caller stops waiting."""
        callback("on_progress", on_progress)
        kind = request.WhichOneof("body") or ""
        call = await self.connection.call(self._request(request, id, epoch), self._seconds(timeout))
        try:
            while not (reply := await self.connection.next(call)).message.final:
                if on_progress and reply.body == "library_progress":
                    on_progress(reply.message.library_progress)
            return call.expect(kind, reply)
        finally:
            if not call.is_final:
                self.connection.forget(call)
                with contextlib.suppress(CameraBusError):
                    await self.connection.tell(messages.Request(cancel=messages.CancelRequest(request=call.id)))

    async def read(self, asset: Union[messages.Asset, bytes],
                   on_progress: Optional[download.Progress] = None) -> bytes:
        """Downloads an asset into memory, which takes as many bytes as the asset has, and checks it."""
        return await download.read(self.connection, asset, callback("on_progress", on_progress))

    async def download(self, asset: Union[messages.Asset, bytes], path: arguments.Path,
                       on_progress: Optional[download.Progress] = None, *,
                       overwrite: bool = False) -> messages.Asset:
        """Downloads an asset to a file, which appears when it is complete.

        A file that exists is FILE_EXISTS, unless `overwrite` lets it be replaced; it then keeps its
        permissions and owner. A link is followed. A device or a pipe is written to as the bytes
        come, and a pipe without a reader is waited for. After a failure the next call resumes, also
        one of another program.
        """
        return await download.download(
            self.connection, asset, path, callback("on_progress", on_progress),
            overwrite=flag("overwrite", overwrite))

    # Publications

    async def replay(self, ranges: Sequence[Range]) -> messages.ReplayReply:
        """Asks for events by their numbers.

        The node may no longer have them all. `events()` does this by itself.
        """
        if not isinstance(ranges, (list, tuple)) or not all(isinstance(gap, Range) for gap in ranges):
            raise invalid("ranges", f"ranges is {shown(ranges)}: give a list of Range(topic, first, last)")
        request = messages.ReplayRequest(ranges=[
            messages.ReplayRequest.Range(
                topic=text("topic", gap.topic), first=whole("first", gap.first, _LONG),
                last=whole("last", gap.last, _LONG)) for gap in ranges])
        return (await self._ask("replay", messages.Request(replay=request))).replay

    def monitor(self, camera: Optional[str], history: bool, shell: Shell,
                after: Union[None, str, EventPosition] = None) -> AsyncMonitor:
        """Follows the events of all cameras, or of one; over a connection of its own."""
        name = arguments.camera(camera)
        return self._monitor(name, f"event/{name}/" if name else "event/", flag("history", history), shell, after)

    def recording_monitor(self, camera: str) -> AsyncMonitor:
        """Follows the recordings of a camera, also of one that has gone, from the oldest event that the node keeps."""
        return self._monitor("", f"event/{camera}/recording/", True, self.connection.shell)

    def _monitor(self, name: str, prefix: str, history: bool, shell: Shell,
                 after: Union[None, str, EventPosition] = None) -> AsyncMonitor:
        """Follows the events of topics with this prefix, after a check that the node has the camera."""
        is_checked = not name
        if after is not None and history:
            raise invalid("after", "after and history say where to begin: leave one out")
        if after is not None and not isinstance(after, EventPosition):
            after = EventPosition.parse(after)

        async def endpoint(connection: Connection) -> str:
            nonlocal is_checked
            if self._events and is_checked:
                return self._events
            status = await _status(connection, name)
            is_checked = True
            return self._events or reachable(status.events_endpoint, status.events_ipc_endpoint, connection.reached)

        return AsyncMonitor(self.another(shell), endpoint, prefix, history, after)

    def check_stream(self, camera: Optional[str], stream: str) -> None:
        """Raises an error for names that no camera or no stream can have."""
        text("stream", stream)
        if Topic.parse(f"frame/{arguments.camera(camera) or 'any'}/{stream}/") is None:
            raise invalid("stream", f"{shown(stream)} is no stream: write 'preview', 'full', 'raw', 'h264' or a size such as "
                                    "'320x240'")

    async def frame_topic(self, camera: Optional[str], stream: str) -> str:
        """The topic of a stream, after a check that the node has the camera."""
        self.check_stream(camera, stream)
        return f"frame/{(await self._camera(camera)).name}/{stream}/"

    def frames_endpoint(self, topic: str) -> Callable[[Connection], Awaitable[str]]:
        """Asks the node where it publishes frames."""
        camera = topic.split("/")[1]

        async def endpoint(connection: Connection) -> str:
            if self._frames:
                return self._frames
            status = await _status(connection, camera)
            return reachable(status.frames_endpoint, status.frames_ipc_endpoint, connection.reached)

        return endpoint

    def another(self, shell: Shell) -> Connection:
        """Another connection to the same node."""
        return Connection(shell, self._control, self._credentials, self._patience)

    async def _ask(self, answer: str, request: messages.Request, timeout: Optional[float] = None, id: bytes = b"",
                   epoch: bytes = b"") -> messages.Reply:
        return await self.connection.ask(answer, self._request(request, id, epoch), self._seconds(timeout))

    def _request(self, request: messages.Request, id: bytes, epoch: bytes) -> messages.Request:
        request.id = identifier_or_none("id", id)
        request.epoch = identifier_or_none("epoch", epoch)
        if self._leases:
            body = getattr(request, request.WhichOneof("body") or "", None)
            capture = getattr(body, "capture", None)  # of a shot
            lease = self._lease(getattr(body, "camera", getattr(capture, "camera", None)))
            request.lease = lease.id if lease else b""
        if request.ByteSize() > _LARGEST:
            kind = request.WhichOneof("body") or ""
            raise invalid(kind, f"{kind} takes {request.ByteSize()} bytes: give less, a request has {_LARGEST} at most")
        return request

    def _lease(self, camera: Optional[str]) -> Optional[OwnLease]:
        """The lease of a request for `camera`: one without a name is for the node's only camera."""
        if camera is None:
            return None
        if not camera and len(self._leases) == 1:
            return next(iter(self._leases.values()))
        return self._leases.get(camera) or self._leases.get("")

    def _seconds(self, timeout: Optional[float]) -> float:
        return self._timeout if timeout is None else arguments.timeout("timeout", timeout)


def _assets(camera: Optional[str], id: bytes, request_id: bytes, kind: messages.AssetKind.ValueType,
            since_ns: int, until_ns: int, protected: Optional[bool],
            deferral: Union[str, messages.Deferral.ValueType], name: Optional[str],
            tags: Sequence[str]) -> messages.AssetsRequest:
    request = messages.AssetsRequest(
        camera=arguments.camera(camera), id=arguments.prefix("id", id),
        request_id=identifier_or_none("request_id", request_id), since_wall_ns=whole("since_ns", since_ns, _MOMENT),
        until_wall_ns=whole("until_ns", until_ns, _MOMENT), tags=arguments.words("tags", tags))
    if name is not None:
        request.name = text("name", name)
        if not name:
            raise invalid("name", "name is empty: give a name, or None for any")
    # Photos, movies or both; a number, because the generated type takes no other.
    request.kind = messages.AssetKind.ValueType(whole("kind", kind, 2))
    request.deferral = messages.Deferral.ValueType(arguments.word("deferral", deferral, _DEFERRALS))
    if protected is not None:
        request.protected = flag("protected", protected)
    return request


def _ids(assets: Sequence[Union[messages.Asset, bytes]]) -> list[bytes]:
    if not isinstance(assets, (list, tuple)):
        raise invalid("assets", f"assets is {shown(assets)}: give a list of assets or ids")
    return [download.id_of(asset) for asset in assets]


def _changes(results: Sequence[messages.AssetResult], ids: Sequence[bytes],
             protected: Optional[bool] = None) -> list[messages.AssetResult]:
    """The results, if they stand for these assets and the protection that was asked for."""
    done = [result for result in results if result.HasField("asset")]
    if ([result.id for result in results] != list(ids)
            or any(result.asset.id != result.id for result in done)
            or any(protected not in (None, result.asset.protected) for result in done)):
        raise unfit()
    return list(results)


def _moment(field: str, moment: Optional[int]) -> int:
    """A moment of a node's monotonic clock, as requests say it: 0 for none."""
    return 0 if moment is None else whole(field, moment, _MOMENT, least=1)


def _settings(field: str, settings: Mapping[str, Value]) -> list[messages.ControlsSetRequest.Setting]:
    if not isinstance(settings, Mapping):
        raise invalid(field, f"{field} is {shown(settings)}: give a dictionary, such as {{'brightness': 140}}")
    return [messages.ControlsSetRequest.Setting(id=text(field, id), value=to_wire(value, id)) for id, value in settings.items()]


_DEFERRALS = {
    "pending": messages.DEFERRAL_PENDING, "done": messages.DEFERRAL_DONE, "failed": messages.DEFERRAL_FAILED}


def _turn(turn: messages.ConfigureRequest.Turn, rotation_field: str, rotation: Optional[int],
          mirrored_field: str, mirrored: Optional[bool]) -> None:
    if rotation is not None:
        turn.rotation = arguments.rotation(rotation_field, rotation)
    if mirrored is not None:
        turn.mirrored = flag(mirrored_field, mirrored)


def _session(status: messages.CameraStatus, camera: str,
             opposite: messages.SessionState.ValueType) -> messages.CameraStatus:
    """The status, if it is of this camera and does not say the opposite of what was asked."""
    if camera not in ("", status.name) or status.state == opposite:
        raise unfit()
    return status


async def _status(connection: Connection, camera: str) -> messages.StatusReply:
    request = messages.Request(status=messages.StatusRequest(camera=camera))
    return (await connection.ask("status", request, ANSWER)).status


def reachable(tcp: str, ipc: str, control: str) -> str:
    """Chooses the endpoint to use for a client that reaches the node by `control`.

    `tcp` and `ipc` are the endpoints that the node has bound. In the tcp one the host is replaced
    by that of `control`.
    """
    if control.startswith("ipc://"):
        return ipc or tcp
    bound = re.fullmatch(r"tcp://(.+):(\d+)", tcp)
    reached = re.fullmatch(r"tcp://(.+):(\d+)", control)
    return f"tcp://{reached[1]}:{bound[2]}" if bound and reached else tcp
