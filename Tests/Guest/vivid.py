"""The faults that the vivid driver can be given, and the hands of other programs on its device."""

import contextlib
import fcntl
import os
import struct
import threading
from pathlib import Path

from programs import PATIENCE

DRIVER = Path("/sys/bus/platform/drivers/vivid")
VIDIOC_REQBUFS = 0xC0145608
VIDIOC_S_CTRL = 0xC008561C
BUFFER_TYPE_VIDEO_CAPTURE, MEMORY_MMAP = 1, 1

# Vivid's controls by their numbers; all but the first are buttons, and do one thing once.
DROPPED_PERCENTAGE = 0x00F0F040
DISCONNECT = 0x00F0F041
BUFFER_FLAG_ERROR = 0x00F0F042
REQBUFS_ERROR = 0x00F0F043
QBUF_ERROR = 0x00F0F044
STREAMON_ERROR = 0x00F0F045
FATAL_ERROR = 0x00F0F046


def unbind():
    """Unplugs both of vivid's cameras."""
    (DRIVER / "unbind").write_text("vivid.0")


def bind():
    """Plugs them in again, each under the first number that is free."""
    (DRIVER / "bind").write_text("vivid.0")


@contextlib.contextmanager
def opened(device):
    descriptor = os.open(device, os.O_RDWR)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def set_control(descriptor, control, value):
    fcntl.ioctl(descriptor, VIDIOC_S_CTRL, bytearray(struct.pack("=Ii", control, value)))


def press(device, *buttons):
    with opened(device) as descriptor:
        for button in buttons:
            set_control(descriptor, button, 1)


@contextlib.contextmanager
def only_bad_buffers(device):
    """Has every buffer flagged as bad."""
    ended = threading.Event()

    def flag():
        # The button is for one buffer: it is pressed more often than there are any.
        while not ended.wait(0.02):
            set_control(descriptor, BUFFER_FLAG_ERROR, 1)

    with opened(device) as descriptor:
        thread = threading.Thread(target=flag)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join(PATIENCE)


@contextlib.contextmanager
def taken(device):
    """Has the device for itself, as a program that streams: taken in the moment in which a failing stream leaves it."""
    with opened(device) as descriptor:
        set_control(descriptor, FATAL_ERROR, 1)
        while not took_buffers(descriptor):
            pass
        yield


def took_buffers(descriptor):
    request = bytearray(struct.pack("=IIIII", 2, BUFFER_TYPE_VIDEO_CAPTURE, MEMORY_MMAP, 0, 0))
    try:
        fcntl.ioctl(descriptor, VIDIOC_REQBUFS, request)
        return True
    except OSError:
        return False
