"""Tests that `movie_frames` survives every file: it ends, and reads no more than the file has."""

from __future__ import annotations

import io
import os
import random
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from camerabus import CameraBusError, MovieFrame, movie_frames

# Numbers of variable length that claim much: 2^56 - 2, 2^49, 2^40 and all ones, which is no number.
HUGE = [b"\x01\xff\xff\xff\xff\xff\xff\xfe", b"\x01\x02" + bytes(6), b"\x01\x00\x01" + bytes(5), b"\x01" + b"\xff" * 7]
HEADS = [b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67", b"\x1f\x43\xb6\x75", b"\xe7", b"\xa0", b"\xa1", b"\x75\xa1", b"\xa6",
         b"\xa5", b"\xec"]


def element(id: bytes, content: bytes) -> bytes:
    return id + (0x10000000 | len(content)).to_bytes(4, "big") + content


def frame(number: int) -> bytes:
    stamp = b"CBFRAME1" + b"".join(value.to_bytes(8, "big") for value in (number, number * 1000, number * 1000 + 7))
    block = element(b"\xa1", b"\x81" + (number % 10).to_bytes(2, "big") + b"\x80" + bytes(50))
    return element(b"\xa0", block + element(b"\x75\xa1", element(b"\xa6", element(b"\xee", b"\4") + element(b"\xa5", stamp))))


def movie() -> bytes:
    """A movie of 30 frames in clusters of 10. The segment is of unknown length, as when a recording is
    cut off.
    """
    clusters = [element(b"\x1f\x43\xb6\x75", element(b"\xe7", bytes([0, cluster])) + b"".join(
        frame(cluster + index) for index in range(10))) for cluster in (0, 10, 20)]
    return (element(b"\x1a\x45\xdf\xa3", b"\x42\x82\x88matroska") + b"\x18\x53\x80\x67\x01" + b"\xff" * 7
            + element(b"\xec", bytes(100)) + b"".join(clusters))


class CarefulFile(io.FileIO):
    """A file that fails the test when it is read too often or too much at once."""

    def __init__(self, path: Any, _: str):
        super().__init__(path)
        self._left = os.path.getsize(path) + 10

    def read(self, count: Any = -1) -> Any:
        assert 0 <= count <= 64, f"{count} bytes are read at once"
        self._left -= 1
        assert self._left > 0, "the file is read without end"
        return super().read(count)


class Movies(unittest.TestCase):
    def setUp(self) -> None:
        self.path = Path(self.enterContext(tempfile.TemporaryDirectory())) / "movie.mkv"
        self.enterContext(mock.patch("camerabus.movie.open", CarefulFile, create=True))

    def frames(self, content: bytes) -> list[MovieFrame]:
        self.path.write_bytes(content)
        return list(movie_frames(self.path))

    def test_a_whole_movie_has_its_frames(self) -> None:
        self.assertEqual(self.frames(movie()), [
            MovieFrame(number, number * 1000, number * 1000 + 7, number) for number in range(30)])

    def test_bytes_behind_a_movie_change_nothing(self) -> None:
        whole = self.frames(movie())
        tails = [b"\xa1\x81", b"\xa1\x80", b"\xa1\x82\0", b"\xa1\x81" * 5, b"\xe7", b"\0", b"\xff", b"\xec\x40", b"\xe7\x88"]
        tails += [head + size for head in HEADS for size in HUGE]
        for tail in tails:
            with self.subTest(tail.hex()):
                self.assertEqual(self.frames(movie() + tail), whole)
                self.assertEqual(self.frames(b"\x1a\x45\xdf\xa3\x80" + tail), [])

    def test_every_cut_has_the_frames_before_it(self) -> None:
        content = movie()
        whole = self.frames(content)
        for length in range(16, len(content), 7):
            cut = self.frames(content[:length])
            self.assertEqual(cut, whole[:len(cut)])

    def test_damaged_files_end_in_frames_or_in_an_error_of_one_line(self) -> None:
        seed = random.randrange(2 ** 32)
        print(f"test_movie: seed {seed}")
        source, content = random.Random(seed), movie()
        for number in range(1500):
            damaged = bytearray(content)
            for _ in range(source.choice([1, 5, 50])):
                place = source.randrange(min(len(damaged), source.choice([200, len(damaged)])))
                if source.random() < 0.5:
                    damaged[place] = source.randrange(256)
                else:
                    claim = source.choice(HEADS) + source.choice(HUGE + [b"\x80", b"\x81", b"\x40\x02"])
                    damaged[place:place + len(claim)] = claim
            del damaged[source.choice([len(damaged), source.randrange(len(damaged))]):]
            with self.subTest(seed=seed, number=number):
                try:
                    self.assertLessEqual(len(self.frames(bytes(damaged))), 30)
                except CameraBusError as error:
                    self.assertEqual(error.field, "path")
                    self.assertTrue(str(error).isprintable(), str(error))


if __name__ == "__main__":
    unittest.main()
