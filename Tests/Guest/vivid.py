"""Injects faults into the vivid driver, and uses its devices as another program would."""

import contextlib
import fcntl
import os
import struct
import subprocess
import threading
from pathlib import Path

from programs import PATIENCE

DRIVER = Path("/sys/bus/platform/drivers/vivid")
VIDIOC_REQBUFS = 0xC0145608
VIDIOC_S_CTRL = 0xC008561C
BUFFER_TYPE_VIDEO_CAPTURE, MEMORY_MMAP = 1, 1

# The numbers of vivid's controls. All except the first are buttons, which cause one fault each
# time.
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
    """Plugs both cameras in again, each under the first free number."""
    (DRIVER / "bind").write_text("vivid.0")


def replug():
    """Plugs both cameras in again, so that they get their first numbers back."""
    unbind()
    bind()


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
    """Makes vivid flag every buffer as bad."""
    ended = threading.Event()

    def flag():
        # Each press flags one buffer, so press more often than buffers come.
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
    """Takes the device for itself, as a streaming program does, at the moment when a failing stream
    releases it.
    """
    with opened(device) as descriptor:
        set_control(descriptor, FATAL_ERROR, 1)
        while not took_buffers(descriptor):
            pass
        yield


@contextlib.contextmanager
def streaming(device):
    """Streams from the device with another program."""
    process = subprocess.Popen(
        ["v4l2-ctl", "--device", device, "--stream-mmap", "--verbose"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        # It prints a line for every buffer, so with the first line it streams.
        next(line for line in process.stderr if "dqbuf" in line)
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def took_buffers(descriptor):
    request = bytearray(struct.pack("=IIIII", 2, BUFFER_TYPE_VIDEO_CAPTURE, MEMORY_MMAP, 0, 0))
    try:
        fcntl.ioctl(descriptor, VIDIOC_REQBUFS, request)
        return True
    except OSError:
        return False


# As the guest's first program loads it.
PARAMETERS = ("n_devs=2", "node_types=0x1,0x1", "num_inputs=1,1", "input_types=0,0")


def load(*parameters):
    """Loads the driver anew. No program may have its devices open."""
    subprocess.run(["rmmod", "vivid"], check=True)
    # The modules are in the first file system, which only the first program sees.
    subprocess.run(["insmod", "/proc/1/root/modules/vivid.ko", *parameters], check=True)


@contextlib.contextmanager
def per_plane():
    """Only one camera, `/dev/video0`, which hands out each plane in a buffer of its own."""
    load("n_devs=1", "node_types=0x1", "num_inputs=1", "input_types=0", "multiplanar=2")
    try:
        yield "/dev/video0"
    finally:
        load(*PARAMETERS)
