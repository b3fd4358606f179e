"""Where the planes of a raw frame lie among its bytes, without I/O and without numpy.

The planes follow one another without a gap (the specification, "Streams"). Halves are rounded up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from .errors import CameraBusError, Code

COMPRESSED = frozenset({"JPEG", "MJPG"})
_PACKED_422 = frozenset({"YUYV", "UYVY", "YVYU", "VYUY"})
# Formats with chroma in planes of its own: how many such planes, and whether their rows are halved.
_CHROMA = {"NV12": (1, True), "NV21": (1, True), "NV16": (1, False),
           "YU12": (2, True), "YV12": (2, True), "422P": (2, False)}
# Formats of one plane: the components of a pixel, and the bytes of a component.
_PACKED = {
    **dict.fromkeys(("GREY", "BA81", "GBRG", "GRBG", "RGGB"), (1, 1)),
    **dict.fromkeys(("Y10", "Y12", "Y16", "Z16", "RGBP", "BG10", "GB10", "BA10", "RG10", "BG12", "GB12", "BA12", "RG12",
                     "BYR2", "GB16", "GR16", "RG16"), (1, 2)),
    **dict.fromkeys(("RGB3", "BGR3"), (3, 1)),
    **dict.fromkeys(("RGB4", "BGR4", "XR24", "BX24"), (4, 1))}


@dataclass(frozen=True)
class Plane:
    """One plane: samples of `sample_bytes` bytes, least significant byte first."""

    # The first byte.
    offset: int
    # Rows, samples in a row, and the values of a sample if there are several.
    shape: tuple[int, ...]
    # Bytes from one row, sample and value to the next.
    strides: tuple[int, ...]
    sample_bytes: int

    @property
    def sample(self) -> str:
        """The type of a value, as numpy names it."""
        return "u1" if self.sample_bytes == 1 else "<u2"

    @property
    def byte_count(self) -> int:
        return self.shape[0] * self.strides[0]


def layout(pixel_format: str, width: int, height: int, bytes_per_line: int, byte_count: int) -> list[Plane]:
    """The planes of a frame.

    - Raises: `CameraBusError` if the format has no planes or is not known, or if the numbers do not
      fit one another.
    """
    planes = _planes(pixel_format, width, height, bytes_per_line)
    if planes is None:
        remedy = ("is compressed and has no planes: decode it, or use the raw stream of a camera with a raw format"
                  if pixel_format in COMPRESSED else "has planes that this client does not know: read its `data`")
        raise CameraBusError(Code.UNSUPPORTED_FORMAT, f"a {pixel_format} frame {remedy}", "pixel_format")
    fits = width > 0 and height > 0 and all(
        plane.shape[1] * plane.strides[1] <= plane.strides[0] for plane in planes)
    if not fits or sum(plane.byte_count for plane in planes) > byte_count:
        raise CameraBusError(
            Code.CORRUPT, f"{byte_count} bytes are no {width}x{height} frame of {pixel_format} with {bytes_per_line} "
            "bytes a row: read the next frame", retryable=True)
    return planes


def _planes(pixel_format: str, width: int, height: int, line: int) -> Optional[list[Plane]]:
    if pixel_format in _PACKED_422:
        return [_plane(0, height, (width + 1) // 2 * 2, line, 2, 1)]
    if pixel_format in _PACKED:
        return [_plane(0, height, width, line, *_PACKED[pixel_format])]
    if pixel_format not in _CHROMA:
        return None
    count, halves_rows = _CHROMA[pixel_format]
    rows, columns = (height + 1) // 2 if halves_rows else height, (width + 1) // 2
    planes = [_plane(0, height, width, line, 1, 1)]
    for _ in range(count):
        # Interleaved chroma has two values for each sample, and rows as long as those of luma.
        chroma_line, values = ((line + 1) // 2 * 2, 2) if count == 1 else ((line + 1) // 2, 1)
        end = planes[-1].offset + planes[-1].byte_count
        planes.append(_plane(end, rows, columns, chroma_line, values, 1))
    return planes


def _plane(offset: int, rows: int, columns: int, line: int, values: int, sample_bytes: int) -> Plane:
    if values == 1:
        return Plane(offset, (rows, columns), (line, sample_bytes), sample_bytes)
    return Plane(offset, (rows, columns, values), (line, values * sample_bytes, sample_bytes), sample_bytes)
