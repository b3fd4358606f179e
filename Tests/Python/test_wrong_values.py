"""Feeds wrong values to every parameter of everything that is public: each is a `CameraBusError` with a remedy.

Functions and parameters are found by `inspect`, so a new one is tested without a change here, unless it needs a
value that `RIGHT` does not have.
"""

import inspect
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Awaitable, Callable, Iterator, Optional

import numpy

import camerabus
from camerabus import AsyncCameraBus, CameraBus, CameraBusError, Code, messages
from expecting import present
from fake import FakeNode

ASSET = messages.Asset(id=bytes(16), camera="cam", byte_count=3, deferral=messages.DEFERRAL_PENDING)
# Right values of the parameters that must be given.
RIGHT: dict[str, Any] = {
    "settings": {"brightness": 1}, "shots": [0], "count": 2, "interval": 1, "pictures": 2, "asset": ASSET, "assets": [ASSET],
    "photo": ASSET, "request_id": bytes(16), "ranges": [], "lease": bytes(16), "camera": "cam", "seconds": 1,
    "nanoseconds": 1, "x": 0.5, "y": 0.5, "value": messages.ControlValue(integer=1), "when": camerabus.NOW,
    "key_file": "/nowhere", "node_key_file": "/nowhere", "secret_key": "x", "node_key": "x",
}


class Hostile:
    """Fails at whatever is done with it."""

    def fail(self, *_: object) -> Any:
        raise RuntimeError("do not touch me")

    __repr__ = __str__ = __eq__ = __hash__ = __bool__ = __len__ = __iter__ = __index__ = __float__ = fail
    __getitem__ = __contains__ = __lt__ = __gt__ = __le__ = __ge__ = __fspath__ = __add__ = __sub__ = fail


# Values that no parameter takes.
NEVER: list[Any] = [
    object(), Hostile(), float("nan"), float("-inf"), 10 ** 400, -10 ** 5000, complex(1, 2), numpy.array([[1.5, 2.5]]),
    numpy.array([90, 90]), memoryview(b"abc"), {1, 2}, [object()], [Hostile()], {5: 5}, {"x": object()}, ...,
    messages.Preset, ValueError("x"), [[]], numpy.datetime64("nat"),
]
# Values that some parameters take and others do not.
SOMETIMES: list[Any] = [
    None, "", "x", "\udc80", type, range(0), iter([]), "no camera/s name", "x\0y", "x" * 10_000, b"", b"x", bytes(16), bytes(17), bytearray(16), 5, -1, 0, 1, 2.5, 1e300,
    float("inf"), 2 ** 63, 2 ** 64, True, False, [], [None], [5], [b"x"], ["x"], [2.5], (), (1, 2), (1, 2, 3), ("1", "2"),
    (float("nan"), 1), {}, {"x": None}, {"x": {}}, {"x": [1.5]}, {"x": ["y"]}, {"x": 2 ** 70}, [{}], [{"x": "\udc80"}], lambda: None,
    numpy.float64("nan"), numpy.int64(-5), numpy.bool_(True), numpy.zeros(2), numpy.zeros((2, 2)), ASSET, [ASSET], messages.Asset(),
    messages.StreamSettings(stream="preview"), [messages.StreamSettings(stream="\ud7ff")], camerabus.NOW, camerabus.When(5, 5),  # type: ignore[arg-type]
    camerabus.When([], None), camerabus.Output(5), camerabus.Output([], quality="x", reencode=None), [camerabus.Output("jpeg", quality=-1)],  # type: ignore[arg-type]
    camerabus.Depth(matte=5), camerabus.Depth(matte=("a", "b")), camerabus.Depth(matte=(1, 0)), camerabus.Exposure("x"),  # type: ignore[arg-type]
    [camerabus.Exposure(-1)], [camerabus.Exposure(Hostile())], camerabus.PointOfInterest("a", None),  # type: ignore[arg-type]
    {"x": camerabus.PointOfInterest("a", Hostile())}, [camerabus.Range(5, "a", None)], [camerabus.Range("\udc80", -1, 2 ** 70)],  # type: ignore[arg-type]
    messages.Orientation(), messages.CameraStatus(name="cam"), Path("/nowhere/x"),
]

Call = Callable[..., Any]


def parameters(function: Call) -> list[inspect.Parameter]:
    return [each for each in inspect.signature(function).parameters.values()
            if each.name != "self" and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]


def public(owner: type) -> Iterator[str]:
    """The names of its public methods."""
    for name, _ in inspect.getmembers(owner, callable):
        if not name.startswith("_") and not isinstance(inspect.getattr_static(owner, name), property):
            yield name


def photo() -> camerabus.Photo:
    file = camerabus.PhotoFile("image/jpeg", None, b"", 3, None, b"abc")
    return camerabus.Photo(bytes(16), messages.ResolvedCapture(), (file,))


# What only other parts of the clients call.
PARTS = ("close", "another", "monitor", "frames_endpoint", "frame_topic", "check_stream", "give_up", "recording_monitor",
         "start_movie")


class WrongValues(unittest.IsolatedAsyncioTestCase):
    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        no = messages.Error(code=messages.ERROR_CODE_UNSUPPORTED, message="no")
        kinds = [field.name for field in messages.Request.DESCRIPTOR.oneofs_by_name["body"].fields]
        self.node.answers = {kind: lambda request: [{"error": no}] for kind in kinds}
        self.node.answers["status"] = lambda request: [{"status": self.node.status()}]
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)  # some values are names of files
        self.tested: set[str] = set()
        self.asked: list[messages.Request] = []
        # Asks the node for something, over the connection of the client under test.
        self.flush: Optional[Callable[[], Awaitable[object]]] = None

    def right(self, name: str, function: str) -> Any:
        if name == "path":
            return self.folder / "new"
        self.assertIn(name, RIGHT, f"{function} has a new parameter: give RIGHT a value for {name}")
        return RIGHT[name]

    async def check(self, name: str, function: Call) -> None:
        """Gives each parameter each wrong value, and the others right ones."""
        self.tested.add(name)
        given = {each.name: self.right(each.name, name) for each in parameters(function) if each.default is each.empty}
        for parameter in parameters(function):
            await self.await_idle()
            for value in NEVER:
                with self.subTest(function=name, parameter=parameter.name, value=type(value).__name__):
                    error = await self.failure(function, {**given, parameter.name: value})
                    self.assertEqual(present(error).code, Code.INVALID_ARGUMENT, error)
                    self.check_message(error)
            await self.await_idle()
            self.assertEqual(self.asked, [], f"{name}, {parameter.name}")
            for value in SOMETIMES:
                with self.subTest(function=name, parameter=parameter.name, value=type(value).__name__):
                    self.check_message(await self.failure(function, {**given, parameter.name: value}))

    async def await_idle(self) -> None:
        """Waits until the node has all requests so far, which are then `asked`."""
        if self.flush:
            await self.flush()
        self.asked = [request for request, _ in self.node.requests if request.WhichOneof("body") != "status"]
        self.node.requests.clear()

    def check_message(self, error: Optional[CameraBusError]) -> None:
        if error is None:
            return
        self.assertEqual(error.message, error.message.strip())
        self.assertNotIn("\n", str(error))
        self.assertLess(len(error.message), 500)
        if error.code is Code.INVALID_ARGUMENT:
            self.assertTrue(error.field, error)
            self.assertRegex(error.message, ": |give|write|name")

    async def failure(self, function: Call, arguments: dict[str, Any]) -> Optional[CameraBusError]:
        """The error; None if there is none. Any other exception fails the test."""
        result: Any = None
        try:
            result = function(**arguments)
            if inspect.isawaitable(result):
                result = await result
            if isinstance(result, (AsyncCameraBus, camerabus.AsyncMonitor, camerabus.AsyncFrameStream)):
                await result.close()
            elif isinstance(result, (CameraBus, camerabus.Monitor, camerabus.FrameStream)):
                result.close()
            elif hasattr(result, "__anext__"):
                [each async for each in result]
            elif hasattr(result, "__next__"):
                list(result)
        except CameraBusError as error:
            return error
        return None

    async def test_the_blocking_client(self) -> None:
        with CameraBus(self.node.control, timeout=5) as bus:
            async def status() -> None:
                bus.status()

            self.flush = status
            for name in public(CameraBus):
                if name != "close":
                    await self.check(f"CameraBus.{name}", getattr(bus, name))
        self.assertIn("CameraBus.burst", self.tested)

    async def test_the_asyncio_client(self) -> None:
        async with AsyncCameraBus(self.node.control, timeout=5) as bus:
            self.flush = bus.status
            for name in public(AsyncCameraBus):
                if name not in PARTS:
                    await self.check(f"AsyncCameraBus.{name}", getattr(bus, name))
        self.assertIn("AsyncCameraBus.burst", self.tested)
        names = {name.partition(".")[2] for name in self.tested}
        self.assertLessEqual(set(public(CameraBus)) - {"close"}, names)

    async def test_functions_constructors_and_values(self) -> None:
        frame = camerabus.Frame(messages.Header(), b"")
        uses: dict[str, Call] = {
            name: getattr(camerabus, name) for name in camerabus.__all__
            if inspect.isfunction(getattr(camerabus, name)) or name in ("CameraBus", "AsyncCameraBus", "Credentials")}
        uses |= {"Credentials.from_files": camerabus.Credentials.from_files, "Photo.write": photo().write,
                 "PhotoFile.write": photo().files[0].write, "Photo.point_of_interest": photo().point_of_interest,
                 "Frame.point_of_interest": frame.point_of_interest}
        self.assertGreater(len(uses), 12)
        for name, use in uses.items():
            await self.check(name, use)

    async def test_captures_monitors_and_streams(self) -> None:
        with CameraBus(self.node.control, timeout=5) as bus:
            capture, monitor, frames = bus.begin_capture(), bus.events(), bus.frames()
            uses: list[tuple[str, Call]] = [("Capture.photo", capture.photo), ("Capture.photos", capture.photos),
                                            ("Monitor.next", monitor.next), ("FrameStream.next", frames.next)]
            for name, use in uses:
                await self.check_next(name, use)
        async with AsyncCameraBus(self.node.control, timeout=5) as other:
            begun = await other.begin_capture()
            uses = [("AsyncCapture.photo", begun.photo), ("AsyncCapture.photos", begun.photos),
                    ("AsyncMonitor.next", other.events().next), ("AsyncFrameStream.next", other.frames().next)]
            for name, use in uses:
                await self.check_next(name, use)

    async def check_next(self, name: str, use: Call) -> None:
        [parameter] = parameters(use)
        for value in NEVER:
            with self.subTest(function=name, value=type(value).__name__):
                error = await self.failure(use, {parameter.name: value})
                self.assertIsNotNone(error, "nothing was wrong")
                if error and not (callable(value) and parameter.name == "on_progress"):
                    self.assertEqual((error.code, error.field), (Code.INVALID_ARGUMENT, parameter.name))


if __name__ == "__main__":
    unittest.main()
