"""The Python client's monitor and stream of frames, each on a thread of its own, with the moment that each thing came."""

import threading
import time

from camerabus import CameraBus

from .processes import PATIENCE


class Watcher:
    """What came, as (moment, thing), collected by a thread while a `with` statement runs."""

    def __init__(self):
        self.seen = []
        self._changed = threading.Condition()
        self._failure = None
        self._is_over = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _open(self):
        """Something with `next(timeout)` and `close()`; made on the thread that uses it."""
        raise NotImplementedError

    def _run(self):
        try:
            source = self._open()
            while not self._is_over:
                thing = source.next(0.5)
                if thing is not None:
                    with self._changed:
                        self.seen.append((time.monotonic(), thing))
                        self._changed.notify_all()
            source.close()
        except Exception as error:  # noqa: BLE001 - told to who waits
            with self._changed:
                self._failure = error
                self._changed.notify_all()

    def wait_for(self, is_wanted, what, start=0, patience=PATIENCE):
        """The first (moment, thing) from the given place on that is wanted; waits until it comes."""
        limit = time.monotonic() + patience
        with self._changed:
            while True:
                for moment, thing in self.seen[start:]:
                    if is_wanted(thing):
                        return moment, thing
                start = max(start, len(self.seen))
                if self._failure:
                    raise self._failure
                assert self._changed.wait(limit - time.monotonic()), f"no {what} in {patience} s"

    def between(self, start, end):
        """The moments between two moments at which something came."""
        return [moment for moment, _ in self.seen if start <= moment <= end]

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over = True
        self._thread.join(PATIENCE)


class EventWatcher(Watcher):
    """A monitor's notices."""

    def __init__(self, control, **options):
        super().__init__()
        self._control, self._options = control, options

    def _open(self):
        with CameraBus(self._control) as bus:
            return bus.events(**self._options)


class FrameWatcher(Watcher):
    """The headers of a stream's frames."""

    def __init__(self, control, camera, stream="preview", **endpoints):
        super().__init__()
        self._control, self._endpoints = control, endpoints
        self._camera, self._stream = camera, stream

    def _open(self):
        with CameraBus(self._control, **self._endpoints) as bus:
            return Headers(bus.frames(self._camera, self._stream))


class Headers:
    """Frames without their bytes, which would fill this program's memory."""

    def __init__(self, stream):
        self._stream = stream
        self.close = stream.close

    def next(self, timeout):
        frame = self._stream.next(timeout)
        return frame and frame.header
