"""Every way in which drivers lose a camera, each as a `with` statement. The fault lasts inside the
statement.

Each fault yields what the node must report: the state, the interruption's reason, and words of the
error.
"""

import contextlib

import vivid

DISCONNECTED = ("interrupted", "deviceDisconnected")
STALLED = ("interrupted", "deviceStalled")
FAILED = ("failed", None)


@contextlib.contextmanager
def disconnected(device):
    vivid.press(device, vivid.DISCONNECT)
    yield *DISCONNECTED, "is gone"


@contextlib.contextmanager
def unplugged(device):
    vivid.unbind()
    yield *DISCONNECTED, "no camera is called"
    vivid.bind()


@contextlib.contextmanager
def plugged_in_elsewhere(device):
    # The number stays taken while a program has the device open, so the camera comes back under
    # another number.
    with vivid.opened(device), unplugged(device) as words:
        yield words


@contextlib.contextmanager
def in_use(device):
    with vivid.taken(device):
        yield "interrupted", "deviceInUseByAnotherClient", "python3"


@contextlib.contextmanager
def only_bad_buffers(device):
    with vivid.only_bad_buffers(device):
        yield *STALLED, "were bad"


@contextlib.contextmanager
def all_dropped(device):
    with vivid.opened(device) as descriptor:
        vivid.set_control(descriptor, vivid.DROPPED_PERCENTAGE, 100)
        yield *STALLED, "no frame for"
        vivid.set_control(descriptor, vivid.DROPPED_PERCENTAGE, 0)


@contextlib.contextmanager
def fatal_error(device):
    vivid.press(device, vivid.FATAL_ERROR)
    yield *FAILED, "Input/output error"


@contextlib.contextmanager
def queueing_fails(device):
    vivid.press(device, vivid.QBUF_ERROR)
    yield *FAILED, "VIDIOC_QBUF"


@contextlib.contextmanager
def buffers_fail(device):
    vivid.press(device, vivid.REQBUFS_ERROR, vivid.FATAL_ERROR)
    yield *FAILED, "VIDIOC_REQBUFS"


@contextlib.contextmanager
def start_fails(device):
    vivid.press(device, vivid.STREAMON_ERROR, vivid.FATAL_ERROR)
    yield *FAILED, "VIDIOC_STREAMON"


@contextlib.contextmanager
def feeder_stopped(feeder):
    feeder.pause()
    yield *STALLED, "no frame for"
    feeder.resume()


@contextlib.contextmanager
def feeder_ended(feeder):
    feeder.end()
    yield *STALLED, "no frame for"
    feeder.begin()


OF_VIVID = [disconnected, unplugged, plugged_in_elsewhere, in_use, only_bad_buffers, all_dropped, fatal_error,
            queueing_fails, buffers_fail, start_fails]
OF_LOOPBACK = [feeder_stopped, feeder_ended]
