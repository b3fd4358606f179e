"""Reads the files of photos with other people's programs.

Pictures are arrays of rows, columns and, if there are several, colours. A program that complains fails
the test, even if it can read the file.
"""

from __future__ import annotations

import functools
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy
import PIL.Image
import PIL.ImageOps
import PIL.TiffImagePlugin
from numpy.typing import NDArray

from expecting import present
from node import PATIENCE

Picture = NDArray[numpy.int32]

BITS_PER_SAMPLE = 258  # TIFF's entry


def run(*command: object) -> bytes:
    """The output of a program that must succeed and write nothing on stderr."""
    result = subprocess.run([str(word) for word in command], capture_output=True, timeout=PATIENCE, check=False)
    assert result.returncode == 0 and not result.stderr, f"{command} ended with {result.returncode}: {result.stderr!r}"
    return result.stdout


@functools.cache
def read(path: Path) -> Picture:
    """The picture in a file, as its ending says. A DNG is its mosaic, turned as its tag says."""
    ending = path.suffix.removeprefix(".")
    if ending in ("png", "tiff"):
        return _still(path)
    if ending in ("avif", "heic"):
        program = ["avifdec", "--depth", "8"] if ending == "avif" else ["heif-convert"]
        with tempfile.TemporaryDirectory() as folder:
            png = Path(folder) / "picture.png"
            run(*program, path, png)
            return _still(png)
    # With -D and -4 dcraw writes the sensor's values as they are.
    command = {"jpg": ["djpeg", "-strict", "-dct", "int", "-pnm"], "dng": ["dcraw", "-D", "-4", "-c"]}[ending]
    return portable(run(*command, path))


def portable(data: bytes) -> Picture:
    """A picture in the form of the netpbm programs."""
    header = re.match(rb"P([56])\s+(\d+)\s+(\d+)\s+(\d+)\s", data)
    assert header, data[:20]
    kind, width, height, most = map(int, header.groups())
    samples = numpy.frombuffer(data[header.end():], ">u2" if most > 255 else "u1").astype(numpy.int32)
    return samples.reshape((height, width) if kind == 5 else (height, width, 3))


def _still(path: Path) -> Picture:
    with PIL.Image.open(path) as image:
        # The depth of a PNG is in its first chunk.
        depth = path.read_bytes()[24] if image.format == "PNG" else 0
        if isinstance(image, PIL.TiffImagePlugin.TiffImageFile):
            depth = image.tag_v2[BITS_PER_SAMPLE][0]
        if image.mode != "RGB" or depth == 8:
            return numpy.array(image).astype(numpy.int32)
    # Pillow drops the low bytes of red, green and blue with 16 bits.
    return _by_ffmpeg(path, "rgb48be")


def stored(path: Path) -> Picture:
    """The colours of a picture of 8 bits as they are in the file, whatever it says of their orientation."""
    return _by_ffmpeg(path, "rgb24")


def shown(path: Path) -> Picture:
    """The picture as a viewer that follows the orientation's tag shows it."""
    with PIL.Image.open(path) as image:
        image.load()
        # Pillow turns a TIFF when it loads it.
        upright = image if image.format == "TIFF" else present(PIL.ImageOps.exif_transpose(image))
        return numpy.array(upright).astype(numpy.int32)


def _by_ffmpeg(path: Path, pixels: str) -> Picture:
    return portable(run(
        "ffmpeg", "-v", "error", "-noautorotate", "-i", path, "-f", "image2pipe", "-c:v", "ppm", "-pix_fmt", pixels, "-"))


def facts(paths: Iterable[Path]) -> dict[Path, dict[str, Any]]:
    """What exiftool finds in each file: values by `GROUP:NAME`, as numbers where they are numbers."""
    found = json.loads(run("exiftool", "-q", "-json", "-G1", "-n", "-a", *paths))
    return {Path(file["SourceFile"]): file for file in found}


def complaints(paths: Iterable[Path]) -> list[str]:
    """What exiftool's checks of the files' structure find."""
    found = json.loads(run("exiftool", "-q", "-json", "-a", "-validate", "-warning", "-error", *paths))
    return [f"{file}" for file in found if file.get("Validate") != "OK" or file.keys() & {"Warning", "Error"}]


def check_tiff(path: Path) -> None:
    """Lets libtiff read all of a file's directories: it warns of entries that it does not expect."""
    run("tiffinfo", path)


def turned(picture: Picture, rotation: int, mirrored: bool) -> Picture:
    """Rotated clockwise, and then mirrored so that left and right change places."""
    rotated = numpy.rot90(picture, -rotation // 90)
    return numpy.fliplr(rotated) if mirrored else rotated


def difference(one: Picture, other: Any) -> int:
    """The largest difference of two numbers at the same place."""
    return int(abs(one - other).max())
