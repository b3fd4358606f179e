"""The Python client's monitor and stream of frames, each on a thread of its own, with the moment that each thing came."""

import threading

import zmq
from camerabus import CameraBus
from camerabus.framing import read_publication

from .record import PATIENCE, Record


class Watcher(Record):
    """What came from a client while a `with` statement runs."""

    def __init__(self, name):
        super().__init__(name)
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
                    self.add(thing)
            source.close()
            self.end("it was told to end")
        except Exception as error:  # noqa: BLE001 - told to who waits
            self.end(f"{type(error).__name__}: {error}")

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over = True
        self._thread.join(PATIENCE)


class EventWatcher(Watcher):
    """A monitor's notices."""

    def __init__(self, control, **endpoints):
        super().__init__("Python monitor")
        self._control, self._endpoints = control, endpoints

    def _open(self):
        with CameraBus(self._control, **self._endpoints) as bus:
            return bus.events()


class FrameWatcher(Watcher):
    """The headers of a stream's frames."""

    def __init__(self, control, camera, stream="preview", **endpoints):
        super().__init__("Python subscriber")
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


class HeartbeatWatcher(Watcher):
    """The heartbeats of the events socket, by which a monitor's list is judged."""

    def __init__(self, events):
        super().__init__("heartbeats")
        self._events = events

    def _open(self):
        return Heartbeats(self._events)

    def last_numbers(self):
        """The last number of each topic that was told in each epoch: {epoch in hexadecimal: {topic: number}}."""
        return {
            beat.header.epoch.hex(): {topic.topic: topic.last_sequence for topic in beat.heartbeat.topics}
            for _, beat in list(self.seen)}


class Heartbeats:
    """A bare subscription, which knows nothing of clients."""

    def __init__(self, events):
        self._socket = zmq.Context.instance().socket(zmq.SUB)
        self._socket.setsockopt(zmq.SUBSCRIBE, b"heartbeat/")
        self._socket.connect(events)
        self.close = self._socket.close

    def next(self, timeout):
        return read_publication(self._socket.recv_multipart()) if self._socket.poll(timeout * 1000) else None
