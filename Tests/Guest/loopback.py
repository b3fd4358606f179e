"""A camera with known pictures: it writes JPEG files, or the pictures of a video, into a v4l2loopback device at
a steady rate.
"""

import contextlib
import fcntl
import os
import struct
import tempfile
import threading
from pathlib import Path

from programs import output_of

VIDIOC_S_FMT = 0xC0D05605
BUFFER_TYPE_VIDEO_OUTPUT = 2
FIELD_NONE = 1
RATE = 10


@contextlib.contextmanager
def feeding(device, width, height):
    """Feeds ten images in a loop and yields the list of them."""
    feeder = Feeder(device, width, height, test_images(width, height, 10))
    try:
        yield feeder.images
    finally:
        feeder.end()


class Feeder:
    """Writes images into a loopback device until it is ended. It can be paused."""

    def __init__(self, device, width, height, images, pixel_format=b"MJPG"):
        self.device, self.width, self.height, self.pixel_format = device, width, height, pixel_format
        self.images = images
        self.may_feed = threading.Event()
        self.may_feed.set()
        self.begin()

    def begin(self):
        self.sink = open(self.device, "wb", buffering=0)
        # struct v4l2_format with its v4l2_pix_format, 208 bytes.
        fcntl.ioctl(self.sink, VIDIOC_S_FMT, bytearray(struct.pack(
            "=I4xII4sIII180x", BUFFER_TYPE_VIDEO_OUTPUT, self.width, self.height, self.pixel_format, FIELD_NONE, 0,
            self.width * self.height * 2)))
        # A program can capture from the device only after something has been written to it.
        os.write(self.sink.fileno(), self.images[0])
        self.is_ended = threading.Event()
        self.thread = threading.Thread(target=self.feed)
        self.thread.start()

    def feed(self):
        index = 0
        while not self.is_ended.wait(1 / RATE):
            self.may_feed.wait()
            os.write(self.sink.fileno(), self.images[index % len(self.images)])
            index += 1

    def pause(self):
        self.may_feed.clear()

    def resume(self):
        self.may_feed.set()

    def end(self):
        self.is_ended.set()
        self.resume()
        self.thread.join()
        self.sink.close()


def test_images(width, height, count):
    with tempfile.TemporaryDirectory() as folder:
        output_of(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc=size={width}x{height}:rate={RATE}",
            "-frames:v", count, "-c:v", "mjpeg", Path(folder, "%d.jpg"))
        return [path.read_bytes() for path in Path(folder).iterdir()]


def video(width, height, count, key_every, codec="h264"):
    """The pictures of a video, each another byte stream (Annex B). A key picture has the parameters, and begins each
    `key_every` pictures.
    """
    encoder = {"h264": "x264", "hevc": "x265"}[codec]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"video.{codec}")
        output_of(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", f"testsrc=size={width}x{height}:rate={RATE},noise=alls=4:allf=t",
            "-frames:v", count, "-pix_fmt", "yuv420p", "-c:v", f"lib{encoder}", "-preset", "ultrafast", f"-{encoder}-params",
            f"keyint={key_every}:min-keyint={key_every}:scenecut=0:bframes=0:repeat-headers=1:log-level=none", path)
        sizes = output_of("ffprobe", "-v", "error", "-show_entries", "packet=size", "-of", "csv=p=0", path).split()
        data, pictures = path.read_bytes(), []
        for size in sizes:
            pictures.append(data[:int(size.strip(","))])
            data = data[int(size.strip(",")):]
        assert not data and len(pictures) == count
        return pictures


def padded(image, size):
    """The same JPEG with at least this many bytes: it is filled up with comment segments, which
    readers skip.
    """
    comment = b"\xff\xfe" + struct.pack(">H", 65_535) + bytes(65_533)
    return image[:2] + comment * (size // len(comment) + 1) + image[2:]
