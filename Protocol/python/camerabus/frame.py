"""A frame, and its planes as numpy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import messages
from .controls import PointOfInterest, seen_point
from .errors import CameraBusError, Code
from .planes import layout

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Frame:
    """A frame's bytes with its header: `header.frame` has the time of each stage, the size and the
    format.
    """

    header: messages.Header
    data: bytes

    @property
    def info(self) -> messages.FrameHeader:
        return self.header.frame

    @property
    def is_key_picture(self) -> bool:
        """Whether a decoder of "h264" can begin with it. Always false of other streams, whose frames stand for themselves."""
        return self.info.key_picture

    def point_of_interest(self, x: float, y: float, zoom: float = 1.0) -> PointOfInterest:
        """The point that is seen in this frame at these shares of its width and height, to let the camera
        measure there.

        `zoom` counts only if the frame does not say its own.
        """
        return seen_point(x, y, self.info, zoom)

    def planes(self) -> tuple[NDArray[Any], ...]:
        """The planes of a raw frame as numpy arrays; they are views of `data`, without a copy.

        The shape of a plane is `(height, width)`, or `(height, width, components)` where several
        values belong to a pixel: 2 for YUYV (luma, then alternately blue and red) and for the
        chroma of NV12, 3 or 4 for RGB. Bayer frames have one value for each pixel, in the order
        that the pixel format names. Samples of more than 8 bits are `uint16`.

        - Raises: `CameraBusError` if the frame is compressed, if its planes are not known, or if
          numpy is not installed.
        """
        try:
            import numpy
        except ImportError as error:
            raise CameraBusError(
                Code.NOT_INSTALLED, "planes need numpy: pip install 'Protocol/python[numpy]', or read `data`") from error
        info = self.info
        planes = layout(
            info.pixel_format, info.size.width, info.size.height, info.bytes_per_line, len(self.data))
        return tuple(
            numpy.ndarray(plane.shape, plane.sample, self.data, plane.offset, plane.strides) for plane in planes)
