"""Tests that every mistake of a caller is a `CameraBusError` that says what to do."""

import errno
import hashlib
import os
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable
from unittest import mock

import zmq

import camerabus
from camerabus import CameraBus, CameraBusError, Code, messages, value_of
from fake import FakeNode
from live import WithNode

ASSET = messages.Asset(id=bytes(16), byte_count=3)
NOTHING: Any = None


class Arguments(unittest.TestCase):
    """Nothing is sent for a wrong argument: the fake node would not answer."""

    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())
        self.bus: Any = self.enterContext(CameraBus(self.node.control, timeout=1))

    def test_a_wrong_argument_is_named_with_what_to_write(self) -> None:
        bus, library = self.bus, camerabus
        mistakes: list[tuple[str, str, Callable[[], object]]] = [
            ("control", "tcp://HOST:PORT", lambda: CameraBus("127.0.0.1:5570")),
            ("control", "tcp://HOST:PORT", lambda: CameraBus("tcp://127.0.0.1")),
            ("control", "tcp://HOST:PORT", lambda: CameraBus("tcp://127.0.0.1:99999")),
            ("control", "tcp://HOST:PORT", lambda: CameraBus(NOTHING)),
            ("events", "tcp://HOST:PORT", lambda: CameraBus(events="5571")),
            ("frames", "tcp://HOST:PORT", lambda: CameraBus(frames="http://127.0.0.1:5572")),
            ("timeout", "not negative", lambda: CameraBus(timeout=-1)),
            ("patience", "a number", lambda: CameraBus(patience=NOTHING)),
            ("camera", "a string", lambda: bus.status(5)),
            ("camera", "Unicode", lambda: bus.status("\udc80")),
            ("rounds", "from 1", lambda: bus.clock(0)),
            ("camera", "a string", lambda: bus.formats(NOTHING)),
            ("size", "(1280, 720)", lambda: bus.start_session(size=1280)),
            ("size", "whole number", lambda: bus.start_session(size=("1280", "720"))),
            ("size", "from 0", lambda: bus.start_session(size=(-1, 5))),
            ("frame_rate", "not negative", lambda: bus.start_session(frame_rate=float("nan"))),
            ("ids", "['brightness']", lambda: bus.controls(ids="brightness")),
            ("settings", "{'brightness': 140}", lambda: bus.set_controls(["brightness"])),
            ("settings", "a string", lambda: bus.set_controls({5: 5})),
            ("brightness", "a whole number", lambda: bus.set_controls({"brightness": 1.5})),
            ("brightness", "a number from", lambda: bus.set_controls({"brightness": 2 ** 63})),
            ("value", "control.value", lambda: value_of(NOTHING)),
            ("when", "past(0.2)", lambda: bus.capture(0.2)),
            ("when", "capture(camera='front')", lambda: bus.capture("front")),
            ("when", "NOW", lambda: bus.capture(NOTHING)),
            ("past", "not negative", lambda: library.past(-1)),
            ("past", "a number", lambda: library.past("1 s")),  # type: ignore[arg-type]
            ("past", "less than", lambda: library.past(1e300)),
            ("no_older_than", "not negative", lambda: library.no_older_than(float("inf"))),
            ("at_wall", "whole number", lambda: library.at_wall(1.5)),  # type: ignore[arg-type]
            ("at_monotonic", "from 0", lambda: library.at_monotonic(-5)),
            ("quality", "from 0", lambda: bus.capture(quality=-1)),
            ("quality", "whole number", lambda: bus.capture(quality="best")),
            ("timeout", "a number", lambda: bus.capture(timeout="long")),
            ("id", "16 bytes", lambda: bus.capture(id=b"short")),
            ("epoch", "16 bytes", lambda: bus.begin_capture(epoch="0123456789abcdef")),
            ("request_id", "16 bytes", lambda: bus.cancel("abc")),
            ("maximum_duration", "not negative", lambda: bus.start_recording(maximum_duration=-1)),
            ("maximum_bytes", "whole number", lambda: bus.start_recording(maximum_bytes=1.5)),
            ("camera", "a string", lambda: bus.stop_recording(5)),
            ("limit", "whole number", lambda: bus.assets(limit="all")),
            ("asset", "16 bytes", lambda: bus.read("abc")),
            ("path", "path of a file", lambda: bus.download(ASSET, 5)),
            ("ranges", "Range(topic, first, last)", lambda: bus.replay([("event/cam/state/", 1, 2)])),
            ("stream", "preview", lambda: bus.frames("cam", "thumbnail")),
            ("stream", "a string", lambda: bus.frames("cam", 640)),
            ("camera", "a string", lambda: bus.events(5)),
            ("timeout", "not negative", lambda: self.enterContext(bus.events()).next(-1)),
        ]
        for field, remedy, mistake in mistakes:
            with self.subTest(field=field, remedy=remedy), self.assertRaises(CameraBusError) as caught:
                mistake()
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, field))
            self.assertIn(remedy, caught.exception.message)
            self.assertFalse(caught.exception.retryable)
        self.assertEqual(self.node.requests, [])

    def test_a_frame_without_planes_says_why(self) -> None:
        header = messages.Header(frame=messages.FrameHeader(pixel_format="JPEG"))
        with self.assertRaises(CameraBusError) as caught:
            camerabus.Frame(header, b"").planes()
        self.assertEqual(caught.exception.code, Code.UNSUPPORTED_FORMAT)
        self.assertIn("raw stream", caught.exception.message)


class Closed(unittest.TestCase):
    def test_a_closed_client_says_so(self) -> None:
        with FakeNode() as node:
            bus = CameraBus(node.control)
            monitor = bus.events()
            bus.close()
            monitor.close()
            for use in (bus.status, bus.capture, bus.assets, bus.frames, lambda: bus.read(bytes(16)), monitor.next,
                        lambda: next(iter(monitor))):
                with self.subTest(use), self.assertRaises(CameraBusError) as caught:
                    use()
                self.assertEqual(caught.exception.code, Code.CLOSED)
            bus.close()  # a second time does nothing
            monitor.close()


class Sockets(unittest.TestCase):
    def test_a_client_without_room_for_a_socket_says_what_to_close(self) -> None:
        with FakeNode() as node, CameraBus(node.control) as bus:
            refusal = mock.patch.object(
                zmq.Context, "socket", side_effect=zmq.ZMQError(errno.EMFILE, "Too many open files"))
            with refusal, self.assertRaises(CameraBusError) as caught:
                bus.status()
            self.assertEqual((caught.exception.code, caught.exception.retryable), (Code.BUSY, True))
            self.assertIn("close clients", caught.exception.message)


class Files(unittest.TestCase):
    """A file that cannot be written is an error like any other, and nothing of the user's is lost."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.photo = camerabus.Photo(bytes(16), messages.ResolvedCapture(), None, b"", 3, b"abc")
        node = self.enterContext(FakeNode())
        content = b"abc"
        asset = messages.Asset(id=bytes(16), byte_count=3, sha256=hashlib.sha256(content).digest())
        node.answers["download"] = lambda request: [
            {"chunk": messages.DownloadChunk(offset=0, total=3), "attachment": content},
            {"download": messages.DownloadResult(asset=asset)}]
        self.bus = self.enterContext(CameraBus(node.control))

    def test_a_path_that_cannot_be_written_is_an_error_with_a_remedy(self) -> None:
        (self.folder / "file").write_bytes(b"")
        for path, remedy in ((self.folder / "nowhere" / "x.jpg", "make its folder first"),
                             (self.folder, "name a file in it"),
                             (self.folder / "file" / "x.jpg", "not a folder"),
                             (Path("/proc/nothing"), "folder"), (self.folder / ("x" * 300), "another file")):
            for write in (lambda: self.photo.write(path), lambda: self.bus.download(bytes(16), path)):
                with self.subTest(path), self.assertRaises(CameraBusError) as caught:
                    write()
                self.assertEqual(caught.exception.field, "path")
                self.assertIn(caught.exception.code, (Code.STORAGE_FAILED, Code.PERMISSION_DENIED))
                self.assertIn(remedy, caught.exception.message)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["file"])

    def test_a_full_disk_is_named(self) -> None:
        full = self.folder / "full"
        try:
            os.mknod(full, 0o666 | 0o020000, os.makedev(1, 7))
            full.open("wb").close()
        except OSError as error:
            self.assertIn(error.errno, (errno.EPERM, errno.EACCES))
            self.skipTest("only root can make a device here")
        for write in (lambda: self.photo.write(full), lambda: self.bus.download(bytes(16), full)):
            with self.assertRaises(CameraBusError) as caught:
                write()
            self.assertEqual(caught.exception.code, Code.STORAGE_FULL)
        self.assertTrue(full.is_char_device(), "the device is gone")

    def test_a_download_follows_links_keeps_modes_and_writes_into_a_pipe(self) -> None:
        target, link, pipe = self.folder / "target", self.folder / "link", self.folder / "pipe"
        target.write_bytes(b"old")
        target.chmod(0o640)
        link.symlink_to(target)
        os.mkfifo(pipe)
        self.bus.download(bytes(16), link)
        self.assertEqual((target.read_bytes(), target.stat().st_mode & 0o777), (b"abc", 0o640))
        self.assertTrue(link.is_symlink())
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.bus.download(bytes(16), pipe)
        self.assertEqual(os.read(reader, 100), b"abc")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"target", "link", "pipe"})

    def test_a_photo_without_its_picture_cannot_be_written(self) -> None:
        empty = camerabus.Photo(bytes(16), messages.ResolvedCapture(), None, b"", 3, None)
        with self.assertRaises(CameraBusError) as caught:
            empty.write(self.folder / "x")
        self.assertIn("download its asset", caught.exception.message)


class AtTheNode(WithNode):
    def test_frames_and_events_of_a_camera_that_is_not_there_fail(self) -> None:
        for camera in ("nope", "no camera/s name"):
            self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.frames, camera, field="camera")
        with self.bus.events("nope") as monitor:
            self.assert_fails(Code.NO_SUCH_CAMERA, monitor.next, 30)

    def test_a_closed_stream_of_frames_says_so(self) -> None:
        frames = self.bus.frames("front")
        frames.close()
        self.assert_fails(Code.CLOSED, frames.next)
        self.assert_fails(Code.CLOSED, lambda: next(iter(frames)))

    def test_frames_of_a_node_that_does_not_run_are_unreachable(self) -> None:
        with CameraBus("ipc:///nowhere/at-all", timeout=0.1) as bus:
            self.assert_fails(Code.UNREACHABLE, bus.frames, "front")


if __name__ == "__main__":
    unittest.main()
