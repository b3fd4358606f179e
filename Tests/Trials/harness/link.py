"""A bad link between clients and a node: slow, delayed, silent, or cut at any byte."""

import collections
import selectors
import socket
import struct
import threading
import time

from .record import PATIENCE

RESET = "reset"  # the other side sees that the connection broke
FINISH = "finish"  # the other side sees a normal end of the connection

BUFFER = 64 << 10  # bytes of one direction that the link may hold
PIECE = 16 << 10  # bytes taken from one connection before the next one has its turn


class Rate:
    """Limits the bytes a second that all connections of a link share in one direction."""

    def __init__(self, bytes_per_second=None):
        self.bytes_per_second = bytes_per_second
        self._credit = 0.0
        self._refilled = time.monotonic()

    def allowance(self, now):
        """How many bytes may pass now."""
        if self.bytes_per_second is None:
            return PIECE
        earned = (now - self._refilled) * self.bytes_per_second
        self._credit = min(PIECE, self._credit + earned)
        self._refilled = now
        # Very small pieces would cost more than they carry.
        return int(self._credit) if self._credit >= PIECE / 4 else 0

    def spend(self, count):
        self._credit -= count

    def pause(self):
        """How long to wait until bytes may pass again, seconds."""
        return max(0.0005, (PIECE / 4 - self._credit) / self.bytes_per_second)


class Direction:
    """One direction of a connection."""

    def __init__(self, source, sink, rate, name):
        self.source, self.sink, self.rate, self.name = source, sink, rate, name
        self.count = 0
        self.is_over = False  # the source has ended its side
        self.is_shut = False  # the sink has been told so
        self.waiting = collections.deque()  # [the moment at which they are due, bytes]
        self.waiting_count = 0


class Connection:
    """One client's connection.

    `ended_by` is None while it lasts, then `client`, `node` or `cut`.
    """

    def __init__(self, target, client, node, link, cut_after, how):
        self.target, self.client, self.node = target, client, node
        self.directions = (
            Direction(client, node, link.up, "client"), Direction(node, client, link.down, "node"))
        self.opened = time.monotonic()
        self.ended_by = None
        self.cut_after, self.how = cut_after, how

    @property
    def up(self):
        return self.directions[0].count

    @property
    def down(self):
        return self.directions[1].count


class Link:
    """Forwards TCP connections inside a `with` statement: `link.forward(node.control)` is the
    endpoint for clients.

    The settings may be changed at any time: `up.bytes_per_second` and `down.bytes_per_second`;
    `delay` in seconds; and `is_dead`, with which connections stay open but nothing passes.
    """

    def __init__(self, bytes_per_second=None, delay=0.0):
        self.up, self.down = Rate(bytes_per_second), Rate(bytes_per_second)
        self.delay = delay
        self.is_dead = False
        self.connections = []  # all connections, including ended ones
        self._open = []
        self._selector = selectors.DefaultSelector()
        self._lock = threading.Lock()
        self._moved = threading.Condition(self._lock)
        self._is_closed = False
        self._waker, wakened = socket.socketpair()
        self._waker.setblocking(False)
        wakened.setblocking(False)
        self._selector.register(wakened, selectors.EVENT_READ, "wake")
        self._listeners = []
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_closed = True
        self._wake()
        self._thread.join()

    def forward(self, endpoint, plan=None):
        """Forwards to a node's endpoint. Returns the endpoint that clients connect to.

        `plan()` is called for each connection. It returns the number of bytes in both directions
        after which the connection is cut, and how; or None if it is not cut.
        """
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.setblocking(False)
        with self._lock:
            self._listeners.append(listener)
            self._selector.register(listener, selectors.EVENT_READ, (endpoint, plan))
        self._wake()
        return f"tcp://127.0.0.1:{listener.getsockname()[1]}"

    def cut(self, how=RESET):
        """Cuts all open connections."""
        with self._lock:
            for connection in list(self._open):
                self._end(connection, "cut", how)

    def count(self, endpoint):
        """The bytes that have gone to and from a node's endpoint."""
        return sum(connection.up + connection.down for connection in self.connections if connection.target == endpoint)

    def wait_for_bytes(self, endpoint, count, patience=PATIENCE):
        """Waits until this many bytes have gone to and from a node's endpoint."""
        with self._moved:
            assert self._moved.wait_for(lambda: self.count(endpoint) >= count, patience), f"less than {count} bytes came"

    # The thread of the link

    def _wake(self):
        try:
            self._waker.send(b"!")
        except BlockingIOError:
            pass  # the thread is already awake

    def _run(self):
        turn = 0
        while not self._is_closed:
            with self._lock:
                timeout = self._set_interests(time.monotonic())
            ready = self._selector.select(timeout)
            with self._lock:
                turn += 1
                # Begin with another connection each time, because they share a small rate.
                first = turn % max(1, len(ready))
                for key, mask in ready[first:] + ready[:first]:
                    if key.data == "wake":
                        key.fileobj.recv(4096)
                    elif isinstance(key.data, Connection):
                        self._move(key.data, key.fileobj, mask)
                    else:
                        self._accept(key.fileobj, *key.data)
                self._moved.notify_all()
        with self._lock:
            for connection in list(self._open):
                self._end(connection, None, FINISH)
            for listener in self._listeners:
                listener.close()
            self._selector.close()

    def _set_interests(self, now):
        """Watches the sockets that can go on. Returns how long until another one can."""
        timeout = None
        for connection in self._open:
            masks = {connection.client: 0, connection.node: 0}
            for direction in connection.directions:
                if self.is_dead:
                    timeout = 0.05
                    continue
                if not direction.is_over and direction.waiting_count < self._room():
                    if direction.rate.allowance(now):
                        masks[direction.source] |= selectors.EVENT_READ
                    else:
                        timeout = min(timeout or 1, direction.rate.pause())
                if direction.waiting:
                    due = direction.waiting[0][0] - now
                    if due <= 0:
                        masks[direction.sink] |= selectors.EVENT_WRITE
                    else:
                        timeout = min(timeout or 1, due)
            for end, mask in masks.items():
                self._watch(end, mask, connection)
        return timeout

    def _room(self):
        return max(BUFFER, int(self.delay * (self.down.bytes_per_second or 0)) + BUFFER)

    def _watch(self, end, mask, connection):
        try:
            key = self._selector.get_key(end)
        except KeyError:
            key = None
        if key and not mask:
            self._selector.unregister(end)
        elif key and key.events != mask:
            self._selector.modify(end, mask, connection)
        elif not key and mask:
            self._selector.register(end, mask, connection)

    def _accept(self, listener, endpoint, plan):
        try:
            client, _ = listener.accept()
        except BlockingIOError:
            return
        node = socket.socket()
        node.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        node.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
        try:
            host, _, port = endpoint.removeprefix("tcp://").rpartition(":")
            node.connect((host, int(port)))
        except OSError:
            node.close()
            return client.close()
        for end in (client, node):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end.setblocking(False)
        cut_after, how = (plan and plan()) or (None, None)
        connection = Connection(endpoint, client, node, self, cut_after, how)
        self.connections.append(connection)
        self._open.append(connection)

    def _move(self, connection, end, mask):
        if connection not in self._open:
            return  # it ended in this turn
        for direction in connection.directions:
            try:
                if mask & selectors.EVENT_READ and direction.source is end:
                    self._take(connection, direction)
                if mask & selectors.EVENT_WRITE and direction.sink is end:
                    self._give(direction)
            except OSError:
                return self._end(connection, "node" if end is connection.node else "client", RESET)
            if connection not in self._open:
                return
        if all(direction.is_shut for direction in connection.directions):
            self._end(connection, connection.ended_by, FINISH)

    def _take(self, connection, direction):
        now = time.monotonic()
        count = min(direction.rate.allowance(now), PIECE)
        if connection.cut_after is not None:
            count = min(count, connection.cut_after - connection.up - connection.down)
        if count <= 0:
            return
        data = direction.source.recv(count)
        if not data:
            direction.is_over = True
            connection.ended_by = connection.ended_by or direction.name
            return self._give(direction)
        direction.rate.spend(len(data))
        direction.count += len(data)
        direction.waiting.append([now + self.delay, data])
        direction.waiting_count += len(data)
        if not self.delay:
            self._give(direction)
        if connection.cut_after is not None and connection.up + connection.down >= connection.cut_after:
            self._end(connection, "cut", connection.how)

    def _give(self, direction):
        while direction.waiting and direction.waiting[0][0] <= time.monotonic():
            item = direction.waiting[0]
            try:
                sent = direction.sink.send(item[1])
            except BlockingIOError:
                return
            direction.waiting_count -= sent
            if sent < len(item[1]):
                item[1] = item[1][sent:]
                return
            direction.waiting.popleft()
        if direction.is_over and not direction.waiting and not direction.is_shut:
            direction.is_shut = True
            direction.sink.shutdown(socket.SHUT_WR)

    def _end(self, connection, who, how):
        connection.ended_by = connection.ended_by or who
        self._open.remove(connection)
        for end in (connection.client, connection.node):
            self._watch(end, 0, connection)
            if how == RESET:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            end.close()
