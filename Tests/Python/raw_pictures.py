"""Reads raw files of photos by their `layout` alone, with numpy, in other words than the node's."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from camerabus import messages
from readers import Picture

# The bits of a sample of each format of sensors.
BITS = {"GREY": 8, "RGGB": 8, "BA81": 8, "GBRG": 8, "GRBG": 8,
        "Y10": 10, "RG10": 10, "BG10": 10, "GB10": 10, "BA10": 10,
        "Y12": 12, "RG12": 12, "BG12": 12, "GB12": 12, "BA12": 12, "pRCC": 12,
        "Y16": 16, "Z16": 16, "RG16": 16, "BYR2": 16, "GB16": 16, "GR16": 16}
# The colours of each square of four samples, row by row.
PATTERNS = {"RGGB": "RGGB", "BA81": "BGGR", "GBRG": "GBRG", "GRBG": "GRBG",
            "RG10": "RGGB", "BG10": "BGGR", "GB10": "GBRG", "BA10": "GRBG",
            "RG12": "RGGB", "BG12": "BGGR", "GB12": "GBRG", "BA12": "GRBG", "pRCC": "RGGB",
            "RG16": "RGGB", "BYR2": "BGGR", "GB16": "GBRG", "GR16": "GRBG"}


def samples(layout: messages.RawLayout, data: bytes) -> Picture:
    """The numbers of a Bayer sensor, of grey or of distances."""
    rows = _rows(data, layout.size.height, layout.bytes_per_line)
    width = layout.size.width
    if layout.pixel_format == "pRCC":
        # Two samples in three bytes: the highest eight bits of each, then the lowest four of both.
        groups = rows[:, :width // 2 * 3].reshape(len(rows), -1, 3).astype(numpy.int32)
        pairs = groups[..., :2] << 4 | numpy.stack([groups[..., 2] & 15, groups[..., 2] >> 4], axis=-1)
        return pairs.reshape(len(rows), width)
    if BITS[layout.pixel_format] == 8:
        return rows[:, :width].astype(numpy.int32)
    return rows[:, :2 * width].copy().view("<u2").astype(numpy.int32)


def colors(layout: messages.RawLayout, data: bytes) -> Picture:
    """Red, green and blue of RGB, BGR, or luma and chroma."""
    width, height, line = layout.size.width, layout.size.height, layout.bytes_per_line
    rows = _rows(data, height, line)
    name = layout.pixel_format
    if name in ("RGB3", "BGR3"):
        pixels = rows[:, :3 * width].reshape(height, width, 3).astype(numpy.int32)
        return pixels if name == "RGB3" else pixels[..., ::-1]
    if name in ("YUYV", "UYVY"):
        order = (0, 1, 3) if name == "YUYV" else (1, 0, 2)
        luma = rows[:, order[0]:2 * width:2]
        blue, red = (rows[:, start:2 * width:4].repeat(2, axis=1) for start in order[1:])
    else:
        luma = rows[:, :width]
        rest = data[height * line:]
        if name == "NV12":
            pairs = _rows(rest, height // 2, line)[:, :width]
            blue, red = (_doubled(pairs[:, start::2]) for start in (0, 1))
        else:
            assert name == "YU12", name
            planes = (rest, rest[height // 2 * (line // 2):])
            blue, red = (_doubled(_rows(plane, height // 2, line // 2)[:, :width // 2]) for plane in planes)
    return _converted(layout, luma, blue, red)


def _rows(data: bytes, height: int, line: int) -> NDArray[numpy.uint8]:
    return numpy.frombuffer(data, numpy.uint8, height * line).reshape(height, line)


def _doubled(plane: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    return plane.repeat(2, axis=0).repeat(2, axis=1)


def _converted(layout: messages.RawLayout, *planes: NDArray[numpy.uint8]) -> Picture:
    """The definition of the ITU-R's recommendations, solved for red, green and blue."""
    luma, blue, red = (plane.astype(float) for plane in planes)
    assert layout.color_matrix == messages.COLOR_MATRIX_BT601
    if layout.color_range == messages.COLOR_RANGE_LIMITED:
        luma, chroma = (luma - 16) * 255 / 219, 255 / 224
    else:
        assert layout.color_range == messages.COLOR_RANGE_FULL
        chroma = 1.0
    r = luma + 1.402 * (red - 128) * chroma
    b = luma + 1.772 * (blue - 128) * chroma
    g = (luma - 0.299 * r - 0.114 * b) / 0.587
    return numpy.stack([r, g, b], axis=-1).round().clip(0, 255).astype(numpy.int32)


def stretched(numbers: Picture, bits: int) -> Picture:
    """Numbers of 10 to 16 bits as 16 bits, of which the lowest repeat the highest."""
    return numbers << (16 - bits) | numbers >> (2 * bits - 16)


def without_mosaic(numbers: Picture, pattern: str) -> Picture:
    """The three colours of a Bayer mosaic: a missing one is the mean of its nearest samples."""
    height, width = numbers.shape
    # Beyond the edges the samples are mirrored, so that each has its own colour.
    around = numpy.pad(numbers, 1, mode="reflect").astype(float)
    place = numpy.add.outer(numpy.arange(-1, height + 1) % 2 * 2, numpy.arange(-1, width + 1) % 2)
    result = numpy.empty((height, width, 3))
    for channel, color in enumerate("RGB"):
        has_color = numpy.isin(place, [index for index, letter in enumerate(pattern) if letter == color])
        sums, counts = numpy.zeros((2, height, width))
        for y in range(3):
            for x in range(3):
                part = (slice(y, y + height), slice(x, x + width))
                sums += around[part] * has_color[part]
                counts += has_color[part]
        own = has_color[1:-1, 1:-1]
        result[..., channel] = numpy.where(own, numbers, sums / counts)
    return numpy.floor(result + 0.5).astype(numpy.int32)
