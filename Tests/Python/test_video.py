"""Compares movies of H.264 with what other programs decode of them, and reads damaged ones."""

from __future__ import annotations

import random
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Iterator
from unittest import mock

import numpy

from camerabus import CameraBusError, Code, movie_frames
from live import WithNode
from strips import Strip, read_strip
from test_movie import CarefulFile

SIZE = {"front": (640, 480), "back": (320, 240)}


def strips(path: Path, camera: str) -> Iterator[Strip]:
    """What each picture of a movie shows of its frame."""
    width, height = SIZE[camera]
    command = ["ffmpeg", "-v", "fatal", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    pixels = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    pictures = numpy.frombuffer(pixels, numpy.uint8).reshape((-1, height, width, 3))
    return (read_strip(picture) for picture in pictures)


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
                    self.assertGreater(len(told), 20)
                    self.assertEqual(list(strips(path, camera)), told)

    def test_a_bit_rate_and_a_key_interval(self) -> None:
        path = self.record("front", "mp4", bit_rate=400_000, key_interval=0.2)
        command = ["ffprobe", "-v", "error", "-show_entries", "packet=flags,pts_time", "-of", "csv=p=0", path]
        packets = [line.split(",") for line in subprocess.run(
            command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()]
        keys = [float(time) for time, flags, *_ in packets if flags.startswith("K")]
        gaps = [later - earlier for earlier, later in zip(keys, keys[1:])]
        self.assertGreater(len(gaps), 3)
        # A frame of a busy machine may be lost.
        self.assertLess(max(gaps), 0.5)

    def test_what_no_movie_can_be(self) -> None:
        for options, field in (({"codec": "hevc"}, "codec"), ({"container": "avi"}, "container"), ({"codec": 7}, "codec"),
                               ({"codec": "mjpeg", "container": "mp4"}, "record_start.container"),
                               ({"bit_rate": 9999, "codec": "h264"}, "bit_rate"), ({"key_interval": 0}, "key_interval"),
                               ({"key_interval": 61.0, "codec": "h264"}, "record_start.key_interval_ns")):
            with self.subTest(**options):  # type: ignore[arg-type]
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


class Patient(CarefulFile):
    """Reads a fragment's table at once."""

    def read(self, count: int = -1) -> bytes:
        assert 0 <= count <= 1 << 16, f"{count} bytes are read at once"
        self._left -= 1
        assert self._left > 0, "the file is read without end"
        return super(CarefulFile, self).read(count)


if __name__ == "__main__":
    unittest.main()
