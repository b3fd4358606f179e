"""An MJPEG camera whose every image is known: JPEG files written into a v4l2loopback device at a steady rate."""

import contextlib
import fcntl
import os
import struct
import tempfile
import threading
from pathlib import Path

from camerabus import output_of

VIDIOC_S_FMT = 0xC0D05605
BUFFER_TYPE_VIDEO_OUTPUT = 2
FIELD_NONE = 1
RATE = 10


@contextlib.contextmanager
def feeding(device, width, height):
    """Feeds ten images over and over; gives the list of them."""
    images = test_images(width, height, 10)
    with open(device, "wb", buffering=0) as sink:
        # struct v4l2_format with its v4l2_pix_format, 208 bytes.
        fcntl.ioctl(sink, VIDIOC_S_FMT, bytearray(struct.pack(
            "=I4xII4sIII180x", BUFFER_TYPE_VIDEO_OUTPUT, width, height, b"MJPG", FIELD_NONE, 0, width * height * 2)))
        # Only what has been written to can be captured from.
        os.write(sink.fileno(), images[0])
        stop = threading.Event()
        feeder = threading.Thread(target=feed, args=(sink, images, stop))
        feeder.start()
        try:
            yield images
        finally:
            stop.set()
            feeder.join()


def feed(sink, images, stop):
    index = 0
    while not stop.wait(1 / RATE):
        os.write(sink.fileno(), images[index % len(images)])
        index += 1


def test_images(width, height, count):
    with tempfile.TemporaryDirectory() as folder:
        output_of(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc=size={width}x{height}:rate={RATE}",
            "-frames:v", count, "-c:v", "mjpeg", Path(folder, "%d.jpg"))
        return [path.read_bytes() for path in Path(folder).iterdir()]
