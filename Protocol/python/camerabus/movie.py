"""The numbers and exact times of a movie's frames, read from the file."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass
from typing import BinaryIO, Iterator, Union

# Elements of Matroska.
SEGMENT, CLUSTER, CLUSTER_TIME, BLOCK_GROUP, BLOCK = 0x18538067, 0x1F43B675, 0xE7, 0xA0, 0xA1
ADDITIONS, MORE, ADDITIONAL = 0x75A1, 0xA6, 0xA5
FOLDERS = {SEGMENT, CLUSTER, BLOCK_GROUP, ADDITIONS, MORE}
STAMP = struct.Struct(">8sQqq")


@dataclass(frozen=True)
class MovieFrame:
    """A frame of a movie. `sequence` and `monotonic_ns` are those of its `FrameHeader` on the bus."""

    sequence: int
    monotonic_ns: int
    wall_ns: int
    # The time at which players show it, since the beginning of the movie.
    milliseconds: int


def movie_frames(path: Union[str, os.PathLike[str]]) -> Iterator[MovieFrame]:
    """The frames of a movie that a node recorded, in their order.

    Frames without a number are left out, such as those of other programs. A file that is cut off has
    the frames before the cut.
    """
    cluster = milliseconds = 0
    with open(path, "rb") as file:
        for element, size in _elements(file):
            if element == CLUSTER_TIME:
                cluster = int.from_bytes(file.read(size), "big")
            elif element == BLOCK:
                # The number of the track takes one byte, as a movie has only one.
                (relative,) = struct.unpack(">xh", file.read(3).ljust(3, b"\0"))
                milliseconds = cluster + relative
                file.seek(size - 3, os.SEEK_CUR)
            elif element == ADDITIONAL and size == STAMP.size:
                mark, sequence, monotonic, wall = STAMP.unpack(file.read(size).ljust(size, b"\0"))
                if mark == b"CBFRAME1":
                    yield MovieFrame(sequence, monotonic, wall, milliseconds)
            elif element not in FOLDERS:
                file.seek(size, os.SEEK_CUR)


def _elements(file: BinaryIO) -> Iterator[tuple[int, int]]:
    """Each element with the number of its bytes, which the caller reads or passes over. The
    elements inside of a folder follow it.
    """
    while head := file.read(1):
        element = int.from_bytes(head + file.read(_more(head)), "big")
        first = file.read(1)
        if not first or not first[0] or not head[0]:
            return
        more = _more(first)
        size = int.from_bytes(first + file.read(more), "big") & ((1 << 7 * (more + 1)) - 1)
        yield element, size


def _more(head: bytes) -> int:
    """How many bytes of a number of variable length follow its first byte."""
    return 8 - head[0].bit_length()
