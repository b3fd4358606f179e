"""The files of photos in tests, and what the synthetic camera's pictures show."""

from __future__ import annotations

from pathlib import Path

import numpy

from camerabus import Photo, PhotoFile, messages
from expecting import present

ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/tiff": "tiff", "image/x-adobe-dng": "dng", "image/avif": "avif",
           "image/heic": "heic", "image/x-raw": "raw"}
PICTURES = ("jpg", "png", "tiff", "avif", "heic")

# The 75 % colour bars from left to right, and their luma.
BARS = numpy.array([(191, 191, 191), (191, 191, 0), (0, 191, 191), (0, 191, 0),
                    (191, 0, 191), (191, 0, 0), (0, 0, 191), (0, 0, 0)])
GREY_BARS = (BARS @ (0.299, 0.587, 0.114)).round()


def ending(file: PhotoFile) -> str:
    return ENDINGS[file.media_type]


def write(photo: Photo, folder: Path, name: str) -> dict[str, Path]:
    """Writes the photo's files, and returns them by their endings."""
    paths = {ending(file): folder / f"{name}.{ending(file)}" for file in photo.files}
    for file in photo.files:
        file.write(paths[ending(file)])
    return paths


def raw(photo: Photo) -> tuple[messages.RawLayout, bytes]:
    """The layout and the bytes of the photo's raw file."""
    [file] = [file for file in photo.files if file.media_type == "image/x-raw"]
    return present(file.layout), present(file.data)
