"""Compares movies of H.264 with what other programs decode of them, and reads damaged ones."""

from __future__ import annotations

import contextlib
import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Iterator
from unittest import mock

import numpy

from camerabus import CameraBus, CameraBusError, Code, Frame, messages, movie_frames
from live import WithNode
from strips import Strip, read_strip
from test_movie import CarefulFile

SIZE = {"front": (640, 480), "back": (320, 240)}


def strips(path: Path, camera: str) -> Iterator[Strip]:
    """What each picture of a movie shows of its frame."""
    width, height = SIZE[camera]
    command = ["ffmpeg", "-v", "fatal", "-i", str(path), "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    pictures = numpy.frombuffer(pixels, numpy.uint8).reshape((-1, height, width, 3))
    return (read_strip(picture.astype(numpy.int32)) for picture in pictures)


class Videos(WithNode):
    def setUp(self) -> None:
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def record(self, camera: str, container: str, **options: object) -> Path:
        recording = self.bus.start_recording(camera, codec="h264", container=container, **options).recording  # type: ignore[arg-type]
        self.see_frames(camera, 40)
        result = self.bus.stop_recording(camera, recording=recording)
        path = self.folder / f"{camera}.{container}"
        self.bus.download(result.asset, path)
        self.assertEqual(len(list(movie_frames(path))), result.frames)
        return path

    def test_each_picture_shows_the_frame_that_the_file_says(self) -> None:
        for camera in SIZE:
            for container in ("mp4", "matroska"):
                with self.subTest(camera=camera, container=container):
                    path = self.record(camera, container)
                    told = [(frame.sequence, frame.monotonic_ns) for frame in movie_frames(path)]
                    self.assertGreater(len(told), 5)
                    self.assertEqual(list(strips(path, camera)), told)

    def test_a_bit_rate_and_a_key_interval(self) -> None:
        path = self.record("front", "mp4", bit_rate=400_000, key_interval=0.2)
        command = ["ffprobe", "-v", "error", "-show_entries", "packet=flags,pts_time", "-of", "csv=p=0", str(path)]
        packets = [line.split(",") for line in subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()]
        key, keys = 0.0, 0
        for moment, flags, *_ in packets:
            if flags.startswith("K"):
                key, keys = float(moment), keys + 1
            # Half an interval more. A busy machine may lose frames, also the one that should have been a key picture.
            self.assertLess(float(moment) - key, 0.2 + 0.02)
        self.assertGreater(keys, 3)

    def test_what_no_movie_can_be(self) -> None:
        for options, field in (({"codec": "hevc"}, "codec"), ({"container": "avi"}, "container"), ({"codec": 7}, "codec"),
                               ({"codec": "mjpeg", "container": "mp4"}, "record_start.container"),
                               ({"bit_rate": 9999, "codec": "h264"}, "bit_rate"), ({"key_interval": 0}, "key_interval"),
                               ({"key_interval": 61.0, "codec": "h264"}, "record_start.key_interval_ns")):
            with self.subTest(**options):
                self.assert_fails(Code.INVALID_ARGUMENT, self.bus.start_recording, "front", field=field, **options)

    def test_damaged_files_end_in_frames_or_in_an_error_of_one_line(self) -> None:
        content = self.record("back", "mp4").read_bytes()
        seed = random.randrange(2 ** 32)
        print(f"test_video: seed {seed}")
        chance = random.Random(seed)
        path = self.folder / "damaged.mp4"
        whole = {frame.sequence for frame in movie_frames(self.folder / "back.mp4")}
        for _ in range(200):
            damaged = bytearray(content[:chance.randrange(len(content) + 1)])
            cuts_alone = chance.random() < 0.3
            for _ in range(0 if cuts_alone else chance.randrange(8)):
                if damaged:
                    damaged[chance.randrange(min(len(damaged), 4000))] = chance.choice((0, 1, 0xFF, chance.randrange(256)))
            path.write_bytes(damaged)
            with mock.patch("camerabus.movie.open", Patient, create=True):
                try:
                    frames = list(movie_frames(path))
                except CameraBusError as error:
                    self.assertEqual(len(str(error).splitlines()), 1)
                else:
                    if cuts_alone:
                        self.assertLessEqual({frame.sequence for frame in frames}, whole)


class Stream(WithNode):
    def setUp(self) -> None:
        super().setUp()
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def check(self, camera: str, frames: list[Frame]) -> None:
        """The pictures can be decoded one after the other, and each shows the frame that its header says."""
        path = self.folder / "stream.h264"
        path.write_bytes(b"".join(frame.data for frame in frames))
        self.assertEqual({frame.info.pixel_format for frame in frames}, {"H264"})
        told = [(frame.info.frame_sequence, frame.info.timestamp.monotonic_ns) for frame in frames]
        self.assertEqual(list(strips(path, camera)), told)

    def status(self, camera: str) -> messages.StreamStatus:
        (status,) = (each for each in self.bus.status(camera).cameras[0].streams if each.name == "h264")
        return status

    def settings(self, camera: str) -> list[messages.StreamSettings]:
        return list(self.bus.status(camera).cameras[0].configuration.streams)

    def test_each_subscriber_gets_pictures_from_one_on_that_a_decoder_can_begin_with(self) -> None:
        for camera in SIZE:
            with self.subTest(camera=camera), contextlib.ExitStack() as stack:
                for _ in range(3):  # each comes in the middle of what the others get
                    stream = stack.enter_context(self.bus.frames(camera, "h264"))
                    frames = [stream.next(30) for _ in range(25)]
                    got = [frame for frame in frames if frame is not None]
                    self.assertEqual(len(got), 25)
                    self.assertTrue(got[0].is_key_picture)
                    self.check(camera, got)

    def test_a_reader_that_falls_behind_goes_on_with_a_key_picture(self) -> None:
        with self.bus.frames("back", "h264") as stream:
            first = stream.next(30)
            assert first is not None
            self.see_frames("back", 150)
            frames = [first]
            while len(frames) < 90:
                frame = stream.next(30)
                assert frame is not None
                frames.append(frame)
            # Of the topic: frames that were not coded have no number there.
            numbers = [frame.header.sequence for frame in frames]
            gaps = [index for index in range(1, 90) if numbers[index] != numbers[index - 1] + 1]
            self.assertTrue(gaps)
            self.assertGreater(stream.count.passed_over, 0)
            for index in gaps:
                self.assertTrue(frames[index].is_key_picture)
            self.check("back", frames)

    def test_one_encoder_serves_subscribers_and_a_movie(self) -> None:
        with contextlib.ExitStack() as stack:
            buses = [stack.enter_context(CameraBus(self.node.control, timeout=30)) for _ in range(10)]
            streams = [stack.enter_context(bus.frames("front", "h264")) for bus in buses]
            for stream in streams:
                self.assertIsNotNone(stream.next(30))
            recording = self.bus.start_recording("front", codec="h264").recording
            self.see_frames("front", 30)
            coded = self.status("front").encoded
            counters = self.bus.status("front").cameras[0].frames
            self.see_frames("front", 60)
            after = self.bus.status("front").cameras[0].frames
            self.assertLessEqual(self.status("front").encoded - coded, after.delivered - counters.delivered + 3)
            self.assertEqual(self.status("front").encoder, "libx264")
            self.assertEqual(self.status("front").subscribers, 10)
            result = self.bus.stop_recording("front", recording=recording)
            self.assertGreater(result.frames, 10)
        while (status := self.status("front")).encoder or status.subscribers:
            self.see_frames("front", 1)
        rested = self.status("front").encoded
        self.see_frames("front", 20)
        self.assertEqual(self.status("front").encoded, rested, "nothing is coded for nobody")

    def test_settings_of_the_stream(self) -> None:
        settings = messages.StreamSettings(stream="h264", bit_rate=200_000, key_interval_ns=300_000_000, maximum_rate=15)
        settings.bound.width = settings.bound.height = 160
        self.bus.configure("front", streams=[settings])
        self.assertEqual(self.settings("front"), [settings])
        with self.bus.frames("front", "h264") as stream:
            frames = [frame for frame in (stream.next(30) for _ in range(30)) if frame is not None]
        self.assertEqual({(frame.info.size.width, frame.info.size.height) for frame in frames}, {(160, 120)})
        keys = [index for index, frame in enumerate(frames) if frame.is_key_picture]
        self.assertLess(max(later - earlier for earlier, later in zip(keys, keys[1:])), 10)
        seconds = (frames[-1].info.timestamp.monotonic_ns - frames[0].info.timestamp.monotonic_ns) / 1e9
        self.assertLess(29 / seconds, 15.5)
        for field, value in (("bit_rate", 1), ("key_interval_ns", 1), ("bit_rate", 10 ** 10)):
            wrong = messages.StreamSettings(stream="h264")
            setattr(wrong, field, value)
            self.assert_fails(Code.INVALID_ARGUMENT, self.bus.configure, "front", streams=[wrong], field=f"configure.streams[0].{field}")
        wrong = messages.StreamSettings(stream="preview", bit_rate=200_000)
        self.assert_fails(Code.INVALID_ARGUMENT, self.bus.configure, "front", streams=[wrong], field="configure.streams[0].bit_rate")
        none = messages.StreamSettings(stream="h264", bit_rate=0, key_interval_ns=0, maximum_rate=0)
        none.bound.width = 0
        self.bus.configure("front", streams=[none])
        self.assertEqual(self.settings("front"), [])


class Patient(CarefulFile):
    """Reads a fragment's table at once."""

    def read(self, count: Any = -1) -> Any:
        assert 0 <= count <= 1 << 16, f"{count} bytes are read at once"
        self._left -= 1
        assert self._left > 0, "the file is read without end"
        return super(CarefulFile, self).read(count)


if __name__ == "__main__":
    unittest.main()
