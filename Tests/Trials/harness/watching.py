"""Records the notices and frames of the Python client, each on its own thread, with their moments
of arrival.
"""

import threading

import zmq
from camerabus import CameraBus, Snapshot
from camerabus.framing import read_publication

from .record import PATIENCE, Record


class Watcher(Record):
    """Records what a client receives inside a `with` statement."""

    def __init__(self, name):
        super().__init__(name)
        self._is_over = False
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _open(self):
        """Returns an object with `next(timeout)` and `close()`.

        It is called on the thread that uses the object.
        """
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
        except Exception as error:  # noqa: BLE001 - reported to the thread that waits
            self.end(f"{type(error).__name__}: {error}")

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over = True
        self._thread.join(PATIENCE)


class EventWatcher(Watcher):
    """Records a monitor's notices."""

    def __init__(self, control, **endpoints):
        super().__init__("Python monitor")
        self._control, self._endpoints = control, endpoints

    def _open(self):
        bus = CameraBus(self._control, **self._endpoints)
        return bus.events()

    def wait_for_snapshot(self):
        """Waits for the snapshot: from then on the monitor misses no event."""
        self.wait_for(lambda notice: isinstance(notice, Snapshot), "snapshot")


class FrameWatcher(Watcher):
    """Records the headers of a stream's frames."""

    def __init__(self, control, camera, stream="preview", **endpoints):
        super().__init__("Python subscriber")
        self._control, self._endpoints = control, endpoints
        self._camera, self._stream = camera, stream

    def _open(self):
        bus = CameraBus(self._control, **self._endpoints)
        return Headers(bus.frames(self._camera, self._stream))


class Headers:
    """Removes the frames' bytes, which would fill this program's memory."""

    def __init__(self, stream):
        self._stream = stream
        self.close = stream.close

    def next(self, timeout):
        frame = self._stream.next(timeout)
        return frame and frame.header


class HeartbeatWatcher(Watcher):
    """Records the heartbeats of the events socket, to check a monitor's list of events."""

    def __init__(self, events):
        super().__init__("heartbeats")
        self._events = events

    def _open(self):
        return Heartbeats(self._events)

    def last_numbers(self):
        """The last number of each topic that heartbeats named: {epoch in hexadecimal: {topic:
        number}}.
        """
        return {
            beat.header.epoch.hex(): {topic.topic: topic.last_sequence for topic in beat.heartbeat.topics}
            for _, beat in list(self.seen)}


class Heartbeats:
    """A bare subscription that does not use the client."""

    def __init__(self, events):
        self._socket = zmq.Context.instance().socket(zmq.SUB)
        self._socket.setsockopt(zmq.SUBSCRIBE, b"heartbeat/")
        self._socket.connect(events)
        self.close = self._socket.close

    def next(self, timeout):
        return read_publication(self._socket.recv_multipart()) if self._socket.poll(timeout * 1000) else None
