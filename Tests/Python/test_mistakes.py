"""Tests that every mistake of a caller is a `CameraBusError` that says what to do."""

import errno
import functools
import hashlib
import os
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable, Optional
from unittest import mock

import zmq

import camerabus
from camerabus import CameraBus, CameraBusError, Code, OwnWallClock, PhotoSettings, When, messages, movie_frames, value_of
from camerabus.files import FileWriter
from fake import FakeNode
from live import WithNode


def photo_of(data: Optional[bytes]) -> camerabus.Photo:
    """A photo of one file."""
    file = camerabus.PhotoFile("image/jpeg", None, b"", 3, None, data)
    return camerabus.Photo(bytes(16), messages.ResolvedCapture(), (file,))

ASSET = messages.Asset(id=bytes(16), byte_count=3)
PROXY = messages.Asset(id=bytes(16), deferral=messages.DEFERRAL_PENDING)
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
            ("patience", "such as 3", lambda: CameraBus(patience=0)),
            ("camera", "give a name", lambda: bus.status(5)),
            ("camera", "letters", lambda: bus.status("\udc80")),
            ("camera", "leave it out", lambda: bus.status("")),
            ("camera", "leave it out", lambda: bus.capture(camera="")),
            ("camera", "leave it out", lambda: bus.controls("")),
            ("camera", "leave it out", lambda: bus.assets("")),
            ("camera", "leave it out", lambda: bus.events("")),
            ("camera", "leave it out", lambda: bus.frames("")),
            ("camera", "letters", lambda: bus.frames("no camera/s name")),
            ("camera", "letters", lambda: bus.events("a" * 33)),
            ("rounds", "from 1", lambda: bus.clock(0)),
            ("own", "give an OwnWallClock", lambda: bus.clock(own=5)),
            ("stated_error", "above 0", lambda: OwnWallClock(0)),
            ("stated_error", "nanoseconds", lambda: OwnWallClock("5ms")),  # type: ignore[arg-type]
            ("size", "(1280, 720)", lambda: bus.configure(size=1280)),
            ("size", "whole number", lambda: bus.configure(size=("1280", "720"))),
            ("size", "from 1", lambda: bus.configure(size=(-1, 5))),
            ("size", "from 1", lambda: bus.configure(size=(640, 0))),
            ("dimensions", "to 16384", lambda: bus.capture(settings=PhotoSettings(dimensions=(16385, 480)))),
            ("tags", "['garden', 'night']", lambda: bus.capture(settings=PhotoSettings(tags="garden"))),
            ("tags", "give a string", lambda: bus.start_recording(tags=[5])),
            ("name", "give a string", lambda: bus.capture(settings=PhotoSettings(name=5))),  # type: ignore[arg-type]
            ("name", "None for any", lambda: bus.assets(name="")),
            ("add", "give a list", lambda: bus.tag([ASSET], add="garden")),
            ("settings", "PhotoSettings(", lambda: bus.capture(settings="png")),
            ("size", "write one of max", lambda: bus.capture(settings=PhotoSettings(size="big"))),
            ("size", "write one of max", lambda: bus.capture(settings=PhotoSettings(size=True))),  # type: ignore[arg-type]
            ("dimensions", "dimensions is 100: give a width", lambda: bus.capture(settings=PhotoSettings(dimensions=100))),  # type: ignore[arg-type]
            ("streams", "StreamSettings", lambda: bus.configure(streams=["preview"])),
            ("streams", "StreamSettings", lambda: bus.configure(streams=messages.StreamSettings(stream="preview"))),
            ("rotation", "0, 90, 180 or 270", lambda: bus.configure(rotation=45)),
            ("rotation", "0, 90, 180 or 270", lambda: bus.capture(settings=PhotoSettings(rotation=-90))),
            ("preview_rotation", "0, 90, 180 or 270", lambda: bus.configure(preview_rotation=True)),
            ("mode", "give 'photo' or 'video'", lambda: bus.configure(mode="still")),
            ("rates", "finite", lambda: bus.configure(rates=(float("nan"), 30))),
            ("rates", "above 0", lambda: bus.configure(rates=(0, 30))),
            ("rates", "the slowest and the fastest", lambda: bus.configure(rates=(30, 10))),
            ("ids", "['brightness']", lambda: bus.controls(ids="brightness")),
            ("settings", "{'brightness': 140}", lambda: bus.set_controls(["brightness"])),
            ("settings", "a string", lambda: bus.set_controls({5: 5})),
            ("brightness", "a finite number", lambda: bus.set_controls({"brightness": float("nan")})),
            ("brightness", "a number from", lambda: bus.set_controls({"brightness": 2 ** 63})),
            ("value", "control.value", lambda: value_of(NOTHING)),
            ("when", "past(0.2)", lambda: bus.capture(0.2)),
            ("when", "capture(camera='front')", lambda: bus.capture("front")),
            ("when", "NOW", lambda: bus.capture(NOTHING)),
            ("past", "not negative", lambda: library.past(-1)),
            ("past", "such as 0.2", lambda: library.past("0.2s")),  # type: ignore[arg-type]
            ("past", "less than", lambda: library.past(1e300)),
            ("no_older_than", "finite", lambda: library.no_older_than(float("inf"))),
            ("at_wall", "whole number", lambda: library.at_wall(1.5)),  # type: ignore[arg-type]
            ("at_monotonic", "from 0", lambda: library.at_monotonic(-5)),
            ("quality", "from 1 to 100", lambda: bus.capture(settings=PhotoSettings(quality=-1))),
            ("quality", "from 1 to 100", lambda: bus.capture(settings=PhotoSettings(quality=0))),
            ("quality", "from 1 to 100", lambda: bus.capture(settings=PhotoSettings([library.Output("jpeg", quality=101)]))),
            ("quality", "from 1 to 100", lambda: bus.start_recording(quality=0)),
            ("quality", "whole number", lambda: bus.capture(settings=PhotoSettings(quality="best"))),  # type: ignore[arg-type]
            ("timeout", "a number", lambda: bus.capture(timeout="long")),
            ("timeout", "above 0", lambda: bus.capture(timeout=0)),
            ("timeout", "above 0", lambda: bus.delete([ASSET], timeout=0)),
            ("timeout", "not negative", lambda: bus.stop_recording(timeout=-1)),
            ("timeout", "above 0", lambda: bus.final_photo(PROXY, timeout=0)),
            ("timeout", "above 0", lambda: CameraBus(timeout=0)),
            ("term", "above 0", lambda: bus.acquire_lease(term=0)),
            ("term", "not negative", lambda: bus.acquire_lease(term=-1)),
            ("pictures", "from 1 to 100", lambda: list(bus.burst(0))),
            ("pictures", "from 1 to 100", lambda: bus.begin_capture(pictures=101)),
            ("every", "from 1 to 30", lambda: list(bus.burst(2, every=0))),
            ("shots", "1 to 16", lambda: list(bus.bracket([]))),
            ("shots", "1 to 16", lambda: bus.begin_capture(shots=[])),
            ("shots", "1 to 16", lambda: bus.begin_capture(shots=5)),
            ("count", "from 1", lambda: list(bus.time_lapse(0, 1))),
            ("interval", "at least 0.001", lambda: list(bus.time_lapse(2, 0))),
            ("interval", "not negative", lambda: list(bus.time_lapse(2, -1))),
            ("tolerance", "above 0", lambda: bus.capture(settings=PhotoSettings(tolerance=0))),
            ("tolerance", "not negative", lambda: bus.capture(settings=PhotoSettings(tolerance=-0.02))),
            ("id", "16 bytes", lambda: bus.capture(id=b"short")),
            ("epoch", "16 bytes", lambda: bus.begin_capture(epoch="0123456789abcdef")),
            ("request_id", "16 bytes", lambda: bus.cancel("abc")),
            ("maximum_duration", "not negative", lambda: bus.start_recording(maximum_duration=-1)),
            ("maximum_duration", "above 0", lambda: bus.start_recording(maximum_duration=0)),
            ("maximum_bytes", "from 1", lambda: bus.start_recording(maximum_bytes=0)),
            ("maximum_bytes", "whole number", lambda: bus.start_recording(maximum_bytes=1.5)),
            ("segments", "Segments", lambda: bus.start_recording(segments=60)),
            ("segments.duration", "above 0", lambda: bus.start_recording(segments=library.Segments(duration=0))),
            ("segments.maximum_bytes", "from 1", lambda: bus.start_recording(segments=library.Segments(maximum_bytes=0))),
            ("clips", "Clips", lambda: bus.start_recording(clips=5)),
            ("clips.before", "not negative", lambda: bus.start_recording(clips=library.Clips(before=-1))),
            ("clips.subject_areas", "a list", lambda: bus.start_recording(clips=library.Clips(1, 1, "door"))),
            ("on_camera_lost", "'end' or 'pause'", lambda: bus.start_recording(on_camera_lost="wait")),
            ("progress_interval", "above 0", lambda: bus.start_recording(progress_interval=0)),
            ("at_monotonic_ns", "from 1", lambda: bus.trigger_clip(at_monotonic_ns=-1)),
            ("from_monotonic_ns", "from 1", lambda: bus.start_recording(from_monotonic_ns=0)),
            ("until_monotonic_ns", "whole number", lambda: bus.start_recording(until_monotonic_ns=1.5)),
            ("at_monotonic_ns", "from 1", lambda: bus.stop_recording(at_monotonic_ns=-1)),
            ("camera", "give a name", lambda: bus.stop_recording(5)),
            ("limit", "whole number", lambda: bus.assets(limit="all")),
            ("limit", "from 0", lambda: bus.assets(limit=-1)),
            ("limit", "from 1 to 1000", lambda: list(bus.all_assets(limit=0))),
            ("limit", "from 1 to 1000", lambda: list(bus.all_assets(limit=1001))),
            ("asset", "16 bytes", lambda: bus.read("abc")),
            ("path", "path of a file", lambda: bus.download(ASSET, 5)),
            ("ranges", "Range(topic, first, last)", lambda: bus.replay([("event/cam/state/", 1, 2)])),
            ("stream", "preview", lambda: bus.frames("cam", "thumbnail")),
            ("stream", "a string", lambda: bus.frames("cam", 640)),
            ("camera", "give a name", lambda: bus.events(5)),
            ("timeout", "less than", lambda: CameraBus(timeout=1e300)),
            ("control", "Unicode", lambda: CameraBus("ipc:///\ud800")),
            ("past", "a number", lambda: library.past(10 ** 400)),
            ("limit", "from 0", lambda: bus.assets(limit=10 ** 5000)),
            ("rounds", "whole number", lambda: bus.clock(memoryview(b"ab"))),
            ("when", "past(", lambda: bus.capture(10 ** 5000)),
            ("when", "NOW", lambda: bus.capture(When("past_ns", -1))),
            ("on_progress", "a function", lambda: bus.capture(on_progress=5)),
            ("on_progress", "a function", lambda: bus.read(ASSET, on_progress=5)),
            ("path", "path of a file", lambda: list(movie_frames(NOTHING))),
            ("controls_set", "give less", lambda: bus.set_controls({"data": bytes(2 << 20)})),
            ("delete", "give less", lambda: bus.delete([ASSET] * 100_000)),
        ]
        for field, remedy, mistake in mistakes:
            with self.subTest(field=field, remedy=remedy), self.assertRaises(CameraBusError) as caught:
                mistake()
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, field))
            self.assertIn(remedy, caught.exception.message)
            self.assertFalse(caught.exception.retryable)
        self.assertEqual(self.node.requests, [])

    def test_less_than_a_nanosecond_is_a_limit_too(self) -> None:
        refuse = [{"error": messages.Error(code=messages.ERROR_CODE_CONFLICT, message="no")}]
        for kind in ("capture", "record_start", "lease_acquire"):
            self.node.answers[kind] = lambda request: refuse
        uses: list[Callable[[], object]] = [
            lambda: self.bus.capture(settings=PhotoSettings(tolerance=1e-10)), lambda: self.bus.start_recording(maximum_duration=1e-10),
            lambda: self.bus.acquire_lease(term=1e-10)]
        for use in uses:
            with self.assertRaises(CameraBusError) as caught:
                use()
            self.assertEqual(caught.exception.code, Code.CONFLICT)
        [(capture, _)], [(start, _)], [(lease, _)] = (
            self.node.of("capture"), self.node.of("record_start"), self.node.of("lease_acquire"))
        self.assertEqual((capture.capture.tolerance_ns, start.record_start.maximum_duration_ns, lease.lease_acquire.term_ns),
                         (1, 1, 1))

    def test_only_true_and_false_are_boolean(self) -> None:
        bus = self.bus
        uses: list[tuple[str, Callable[[Any], object]]] = [
                ("keep", lambda value: bus.capture(settings=PhotoSettings(keep=value))), ("picture", lambda value: bus.capture(picture=value)),
                ("keep", lambda value: bus.begin_capture(settings=PhotoSettings(keep=value))),
                ("end_recording", lambda value: bus.configure(end_recording=value)),
                ("history", lambda value: bus.events(history=value)),
                ("protected", lambda value: bus.protect([ASSET], value)),
                ("protected", lambda value: bus.assets(protected=value)),
                ("protected", lambda value: list(bus.all_assets(protected=value)))]
        for field, use in uses:
            values: tuple[object, ...] = ("no", 1, [])
            for value in values:
                with self.subTest(field=field, value=value), self.assertRaises(CameraBusError) as caught:
                    use(value)
                self.assertEqual((caught.exception.code, caught.exception.field), (Code.INVALID_ARGUMENT, field))
                self.assertIn("True or False", caught.exception.message)
        self.assertEqual(self.node.requests, [])

    def test_a_message_is_one_line_of_bounded_length_whatever_was_passed(self) -> None:
        asset = messages.Asset(id=bytes(16), camera="cam", path="a/path/of/some/length.jpg", byte_count=3)
        control = messages.Control(id="brightness", value=messages.ControlValue(integer=5))
        for mistake in (
                lambda: self.bus.delete(asset), lambda: value_of(control),  # type: ignore[arg-type]
                lambda: self.bus.protect({"assets": [asset] * 50}), lambda: self.bus.status(b"x" * 10_000),
                lambda: CameraBus("x" * 10_000), lambda: self.bus.capture("long\n" * 1000),
                lambda: self.bus.set_controls({"x\n" * 10_000: float("inf")}), lambda: self.bus.frames("y" * 10_000),
                lambda: self.bus.frames("cam", "x" * 10_000), lambda: list(movie_frames("/x" * 5000)),
                lambda: photo_of(b"x").write("/x" * 5000)):
            with self.assertRaises(CameraBusError) as caught:
                mistake()
            self.assertNotIn("\n", str(caught.exception))
            self.assertLess(len(str(caught.exception)), 400)

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

    def test_an_endpoint_that_cannot_be_connected_to_is_named(self) -> None:
        # A path that is too long for a socket shows only when it is used.
        endpoint = f"ipc:///{'x' * 200}"
        with CameraBus(endpoint) as bus, self.assertRaises(CameraBusError) as caught:
            bus.status()
        self.assertEqual(caught.exception.code, Code.INVALID_ARGUMENT)
        self.assertIn(endpoint[:20], caught.exception.message)
        self.assertIn("give another endpoint", caught.exception.message)


class Movies(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def failure(self, path: Path) -> CameraBusError:
        with self.assertRaises(CameraBusError) as caught:
            list(movie_frames(path))
        self.assertEqual(caught.exception.field, "path")
        return caught.exception

    def test_a_file_that_cannot_be_read_is_an_error_with_a_remedy(self) -> None:
        self.assertIn("another file", self.failure(self.folder / "nothing").message)
        self.assertIn("name a file in it", self.failure(self.folder).message)
        self.assertIn("another file", self.failure(self.folder / "with\0").message)
        with mock.patch("builtins.open", side_effect=PermissionError(errno.EACCES, "Permission denied")):
            secret = self.folder / "secret"
            secret.touch()
            error = self.failure(secret)
        self.assertEqual(error.code, Code.PERMISSION_DENIED)
        self.assertIn("you may read", error.message)

    def test_what_is_no_movie_is_refused(self) -> None:
        photo, empty, pipe = self.folder / "photo.jpg", self.folder / "empty", self.folder / "pipe"
        photo.write_bytes(b"\xff\xd8\xff\xe0 a picture")
        empty.touch()
        os.mkfifo(pipe)  # it would wait for a writer
        for path in (photo, empty, pipe):
            error = self.failure(path)
            self.assertEqual(error.code, Code.INVALID_ARGUMENT)
            self.assertIn("give a movie", error.message)

    def test_sizes_that_a_file_claims_are_not_believed(self) -> None:
        """An element that claims more bytes than the file has is where the file was cut off."""
        path = self.folder / "movie.mkv"
        header, block = b"\x1a\x45\xdf\xa3\x80", b"\xa1\x84\x81\0\0\0"
        stamp = b"\xa5\xa0" + b"CBFRAME1" + bytes(23) + b"\1"
        huge = b"\x01\x7f\xff\xff\xff\xff\xff\xff"
        for element in (b"\xe7", b"\xa1", b"\xa5", b"\xec"):  # time of a cluster, block, addition, void
            with self.subTest(element):
                path.write_bytes(header + block + stamp + element + huge + b"rest")
                self.assertEqual([frame.wall_ns for frame in movie_frames(path)], [1])
        for short in (b"\xa1\x80", b"\xe7\x89" + bytes(9), b"\xa5\x81\0"):
            with self.subTest(short):
                path.write_bytes(header + short + block + stamp)
                self.assertEqual([frame.milliseconds for frame in movie_frames(path)], [0])


class Files(unittest.TestCase):
    """A file that cannot be written is an error like any other, and nothing of the user's is lost."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.photo = photo_of(b"abc")
        node = self.enterContext(FakeNode())
        content = b"abc"
        asset = messages.Asset(id=bytes(16), byte_count=3, sha256=hashlib.sha256(content).digest())
        node.answers["download"] = lambda request: [
            {"chunk": messages.DownloadChunk(offset=0, total=3), "attachment": content},
            {"download": messages.DownloadResult(asset=asset)}]
        self.bus = self.enterContext(CameraBus(node.control))
        self.writes: list[Callable[..., object]] = [
            self.photo.write, functools.partial(self.bus.download, bytes(16))]

    def test_a_path_that_cannot_be_written_is_an_error_with_a_remedy(self) -> None:
        (self.folder / "file").write_bytes(b"")
        for path, remedy in ((self.folder / "nowhere" / "x.jpg", "make its folder first"),
                             (self.folder, "name a file in it"),
                             (self.folder / "file" / "x.jpg", "not a folder"),
                             (Path("/proc/nothing"), "folder"), (self.folder / ("x" * 300), "another file")):
            for write in self.writes:
                with self.subTest(path), self.assertRaises(CameraBusError) as caught:
                    write(path)
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
        for write in self.writes:
            with self.assertRaises(CameraBusError) as caught:
                write(full)
            self.assertEqual(caught.exception.code, Code.STORAGE_FULL)
        self.assertTrue(full.is_char_device(), "the device is gone")

    def test_a_file_that_exists_is_replaced_on_request_only(self) -> None:
        file, link = self.folder / "file", self.folder / "link"
        link.symlink_to(file)
        for write in self.writes:
            file.write_bytes(b"mine")
            for path in (file, link):
                with self.assertRaises(CameraBusError) as caught:
                    write(path)
                self.assertEqual((caught.exception.code, caught.exception.field), (Code.FILE_EXISTS, "path"))
                self.assertIn("overwrite=True", caught.exception.message)
            self.assertEqual(file.read_bytes(), b"mine")
            write(file, overwrite=True)
            self.assertEqual(file.read_bytes(), b"abc")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"file", "link"})

    def test_a_file_that_appears_meanwhile_is_not_replaced(self) -> None:
        file = self.folder / "file"

        def appear(received: int, total: int) -> None:
            file.write_bytes(b"mine")

        with self.assertRaises(CameraBusError) as caught:
            self.bus.download(bytes(16), file, appear)
        self.assertEqual(caught.exception.code, Code.FILE_EXISTS)
        self.assertEqual(file.read_bytes(), b"mine")

    def test_a_part_that_leads_to_another_file_is_not_written_to(self) -> None:
        file, part, other = self.folder / "file", self.folder / "file.camerabus.part", self.folder / "other"
        other.write_bytes(b"mine")

        def give_away() -> None:
            part.touch()
            os.chown(part, 1234, 1234)

        traps: dict[str, Callable[[], object]] = {
            "link": lambda: part.symlink_to(other), "link to nothing": lambda: part.symlink_to(self.folder / "new"),
            "hard link": lambda: part.hardlink_to(other), "folder": part.mkdir, "pipe": lambda: os.mkfifo(part)}
        if os.geteuid() == 0:
            traps["another user's"] = give_away
        for name, trap in traps.items():
            for write in self.writes:
                trap()
                with self.subTest(name), self.assertRaises(CameraBusError) as caught:
                    write(file)
                self.assertIn("'file.camerabus.part' is", caught.exception.message)
                self.assertIn("remove it", caught.exception.message)
                self.assertEqual(other.read_bytes(), b"mine")
                self.assertEqual({path.name for path in self.folder.iterdir()}, {"other", "file.camerabus.part"})
                part.rmdir() if name == "folder" else part.unlink()

    def test_a_file_that_is_replaced_keeps_its_owner_and_no_special_bits(self) -> None:
        file, part = self.folder / "file", self.folder / "file.camerabus.part"
        owner = 1234 if os.geteuid() == 0 else os.geteuid()
        for write in self.writes:
            for special in (0o4000, 0o2000, 0o1000, 0o7000):
                file.write_bytes(b"mine")
                os.chown(file, owner, -1)
                file.chmod(0o751 | special)
                write(file, overwrite=True)
                status = file.stat()
                self.assertEqual((file.read_bytes(), status.st_uid), (b"abc", owner))
                self.assertEqual(oct(status.st_mode & 0o7777), "0o751")
                file.unlink()
                part.touch()
                part.chmod(0o644 | special)
                write(file)
                self.assertEqual(oct(file.stat().st_mode & 0o7777), "0o644")
                file.unlink()

    def test_one_writer_at_a_time_has_a_file(self) -> None:
        writer = FileWriter(str(self.folder / "file"), overwrite=False)
        self.addCleanup(writer.close)
        for write in self.writes:
            with self.assertRaises(CameraBusError) as caught:
                write(self.folder / "file")
            self.assertEqual(caught.exception.code, Code.CONFLICT)

    def test_a_photo_waits_for_the_reader_of_a_pipe(self) -> None:
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        for write in self.writes:
            with ThreadPoolExecutor() as threads:
                read = threads.submit(pipe.read_bytes)
                write(pipe)
                self.assertEqual(read.result(), b"abc")

    def test_a_download_follows_links_keeps_modes_and_writes_into_a_pipe(self) -> None:
        target, link, pipe = self.folder / "target", self.folder / "link", self.folder / "pipe"
        target.write_bytes(b"old")
        target.chmod(0o640)
        link.symlink_to(target)
        os.mkfifo(pipe)
        self.bus.download(bytes(16), link, overwrite=True)
        self.assertEqual((target.read_bytes(), target.stat().st_mode & 0o777), (b"abc", 0o640))
        self.assertTrue(link.is_symlink())
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        self.bus.download(bytes(16), pipe)
        self.assertEqual(os.read(reader, 100), b"abc")
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"target", "link", "pipe"})

    def test_a_photo_without_its_picture_cannot_be_written(self) -> None:
        empty = photo_of(None)
        with self.assertRaises(CameraBusError) as caught:
            empty.write(self.folder / "x")
        self.assertIn("download its asset", caught.exception.message)


class AtTheNode(WithNode):
    def test_frames_and_events_of_a_camera_that_is_not_there_fail(self) -> None:
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.frames, "nope", field="status.camera")
        self.assert_fails(Code.NO_SUCH_CAMERA, self.bus.events, "nope", field="status.camera")

    def test_a_monitor_does_not_wait_for_less_than_nothing(self) -> None:
        with self.bus.events() as monitor:
            self.assert_fails(Code.INVALID_ARGUMENT, monitor.next, -1, field="timeout")

    def test_an_error_says_to_a_program_which_cause_it_has(self) -> None:
        self.bus.stop_session("front")
        try:
            with self.assertRaises(CameraBusError) as caught:
                self.bus.capture(camera="front")
        finally:
            self.bus.start_session("front")
        self.assertEqual((caught.exception.reason, caught.exception.camera),
                         (messages.ERROR_REASON_SESSION_STOPPED, "front"))

    def test_a_closed_stream_of_frames_says_so(self) -> None:
        frames = self.bus.frames("front")
        frames.close()
        self.assert_fails(Code.CLOSED, frames.next)
        self.assert_fails(Code.CLOSED, lambda: next(iter(frames)))

    def test_streams_may_be_closed_as_soon_as_they_are_opened(self) -> None:
        for _ in range(500):
            self.bus.frames("front").close()

    def test_frames_of_a_node_that_does_not_run_are_unreachable(self) -> None:
        with CameraBus("ipc:///nowhere/at-all", timeout=0.1) as bus:
            self.assert_fails(Code.UNREACHABLE, bus.frames, "front")


if __name__ == "__main__":
    unittest.main()
