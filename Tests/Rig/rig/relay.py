"""A process that forwards TCP connections and treats their bytes as a link does that delays and loses.

It reads one command a line, in JSON, and answers each with a line. It ends with its input.

- `forward` NAME from the address LISTEN to the address TARGET, at the same PORTS.
- `set` NAME: how `up`, to the target, and `down` treat bytes; see `Manner`.
- `hold` NAME, ON: connections stay open, but nothing passes any more until it is switched off.
- `reset` NAME: breaks all open connections.
- `log` NAME, PORT: what passed there since the last question: [connection, "up" or "down", when it came, when it was
  passed on, its bytes]. Moments are nanoseconds of the monotonic clock.
"""

import collections
import ctypes
import heapq
import json
import os
import random
import select
import socket
import struct
import sys
import time

PIECE = 64 << 10  # bytes read at once
HELD = 4 << 20  # bytes of one direction that may be under way
LOGGED = 20_000  # pieces in the log of one port
SEGMENT = 1448  # bytes of a TCP segment on Ethernet
ABSOLUTE = 1  # TFD_TIMER_ABSTIME
_C = ctypes.CDLL(None, use_errno=True)


class Manner:
    """How one direction treats bytes: `delay` and `jitter` (the delay is between delay − jitter and delay + jitter, all
    equally likely) and `timeout` in nanoseconds, and `loss` as a share of segments.

    Lost segments are sent again, as TCP does it: a few at the end of what was sent after the timeout (RTO), and those that
    others follow after a round trip (fast retransmit). All later bytes wait for them.
    """

    def __init__(self, delay=0, jitter=0, loss=0.0, timeout=200_000_000):
        self.delay, self.jitter, self.loss, self.timeout = delay, jitter, loss, timeout

    def pause(self, count, chance):
        """How long so many bytes take, in nanoseconds."""
        segments = -(-count // SEGMENT)
        pause = self.delay + (chance.randint(-self.jitter, self.jitter) if self.jitter else 0)
        if self.loss and chance.random() < 1 - (1 - self.loss) ** segments:
            pause += self.timeout if segments <= 3 else 2 * self.delay
        return max(0, pause)


class Link:
    """What has one name: the connections to one machine."""

    def __init__(self, target):
        self.target = target
        self.manners = {"up": Manner(), "down": Manner()}
        self.is_held = False
        self.connections = set()
        self.logs = {}


class Way:
    """One direction of a connection."""

    def __init__(self, connection, name, source, sink):
        self.connection, self.name, self.source, self.sink = connection, name, source, sink
        self.waiting = collections.deque()  # [due, came, size, the bytes that are left]
        self.count = 0  # of the bytes that wait
        self.last = 0  # when the last of them is due
        self.is_over = False  # the source has ended its side
        self.is_shut = False  # the sink has been told so
        self.is_blocked = False  # the sink takes no more at the moment

    def __lt__(self, _):
        return False  # of two in the heap of timers that are due at the same moment


class Connection:
    """One client's connection."""

    def __init__(self, number, link, port, client, node):
        self.number, self.link, self.port = number, link, port
        self.ends = (client, node)
        self.ways = (Way(self, "up", client, node), Way(self, "down", node, client))


class Relay:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.links = {}
        self._poll = select.epoll()
        self._what = {}  # by descriptor: a function that takes the events
        self._masks = {}
        self._due = []  # a heap of (due, way)
        self._numbers = 0
        self._input = b""
        # A poll's own timeout has milliseconds only.
        self._timer = _C.timerfd_create(time.CLOCK_MONOTONIC, os.O_NONBLOCK | os.O_CLOEXEC)
        self._set = None
        self._watch(self._timer, select.EPOLLIN, lambda _: os.read(self._timer, 8))
        os.set_blocking(0, False)
        self._watch(0, select.EPOLLIN, lambda _: self._read_commands())
        self._is_over = False

    def run(self):
        while not self._is_over:
            self._set_timer()
            for descriptor, events in self._poll.poll():
                if descriptor in self._what:
                    self._what[descriptor](events)
            now = time.monotonic_ns()
            while self._due and self._due[0][0] <= now:
                self._give(heapq.heappop(self._due)[1])

    def _watch(self, descriptor, mask, what=None):
        """Watches a descriptor for these events."""
        old = self._masks.get(descriptor)
        if what:
            self._what[descriptor] = what
        if old is None:
            self._poll.register(descriptor, mask)
        elif old != mask:
            self._poll.modify(descriptor, mask)
        self._masks[descriptor] = mask

    def _forget(self, descriptor):
        self._poll.unregister(descriptor)
        del self._masks[descriptor], self._what[descriptor]

    def _set_timer(self):
        due = self._due[0][0] if self._due else 0
        if due != self._set:
            self._set = due
            # struct itimerspec: an interval, and the moment; 0 stops the timer.
            moment = struct.pack("qqqq", 0, 0, *divmod(due, 10 ** 9))
            _C.timerfd_settime(self._timer, ABSOLUTE, moment, None)

    # Connections

    def _accept(self, listener, link, port):
        client, _ = listener.accept()
        node = socket.socket()
        try:
            # On the bridge this takes no time: it is there, or refuses.
            node.settimeout(5)
            node.connect((link.target, port))
        except OSError:
            node.close()
            return client.close()
        self._numbers += 1
        connection = Connection(self._numbers, link, port, client, node)
        link.connections.add(connection)
        for end in connection.ends:
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end.setblocking(False)
            self._watch(end.fileno(), select.EPOLLET, lambda events, end=end: self._move(connection, end, events))
        self._update(connection)

    def _update(self, connection):
        """Watches what the connection waits for now."""
        if connection not in connection.link.connections:
            return
        for end in connection.ends:
            mask = 0
            for way in connection.ways:
                if way.source is end and not way.is_over and way.count < HELD:
                    mask |= select.EPOLLIN
                if way.sink is end and way.is_blocked:
                    mask |= select.EPOLLOUT
            # The kernel reports a connection's end in any case; EPOLLET makes it do so only once.
            self._watch(end.fileno(), mask or select.EPOLLET)

    def _move(self, connection, end, events):
        if events & (select.EPOLLERR | select.EPOLLHUP) and not events & select.EPOLLIN:
            # Not if both sides have ended well, and bytes are still under way.
            if events & select.EPOLLERR or not all(
                    way.is_over if way.source is end else way.is_shut for way in connection.ways):
                self._break(connection)
            return
        for way in connection.ways:
            if way.source is end and events & select.EPOLLIN and not way.is_over:
                self._take(way)
            if way.sink is end and events & select.EPOLLOUT and way.is_blocked:
                way.is_blocked = False
                self._give(way)

    def _take(self, way):
        try:
            data = way.source.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            return self._break(way.connection)
        now = time.monotonic_ns()
        if data:
            manner = way.connection.link.manners[way.name]
            # TCP keeps the order.
            way.last = max(way.last, now + manner.pause(len(data), self.random))
            way.waiting.append([way.last, now, len(data), data])
            way.count += len(data)
        else:
            way.is_over = True
        if len(way.waiting) <= 1:
            self._schedule(way)
        self._update(way.connection)

    def _schedule(self, way):
        """Goes on with the way when its next bytes are due."""
        if way.waiting:
            heapq.heappush(self._due, (way.waiting[0][0], way))
        elif way.is_over:
            self._give(way)

    def _give(self, way):
        connection = way.connection
        if connection not in connection.link.connections or connection.link.is_held or way.is_blocked:
            return
        try:
            # The log has the moments between which the relay had the bytes, and no more.
            while way.waiting and way.waiting[0][0] <= (now := time.monotonic_ns()):
                piece = way.waiting[0]
                sent = way.sink.send(piece[3])
                way.count -= sent
                piece[3] = piece[3][sent:]
                if not piece[3]:
                    way.waiting.popleft()
                    connection.link.logs[connection.port].append(
                        (connection.number, way.name, piece[1], now, piece[2]))
            if way.waiting:
                self._schedule(way)
            elif way.is_over and not way.is_shut:
                way.is_shut = True
                way.sink.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            way.is_blocked = True
        except OSError:
            return self._break(connection)
        if all(way.is_shut for way in connection.ways):
            return self._end(connection)
        self._update(connection)

    def _break(self, connection):
        """Ends a connection so that both sides see it broken."""
        for end in connection.ends:
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self._end(connection)

    def _end(self, connection):
        connection.link.connections.discard(connection)
        for end in connection.ends:
            self._forget(end.fileno())
            end.close()

    # Commands

    def _read_commands(self):
        data = os.read(0, 1 << 16)
        self._is_over = not data
        *lines, self._input = (self._input + data).split(b"\n")
        for line in lines:
            command = json.loads(line)
            answer = getattr(self, "do_" + command.pop("do"))(**command)
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()

    def do_forward(self, name, listen, target, ports):
        link = self.links[name] = Link(target)
        for port in ports:
            link.logs[port] = collections.deque(maxlen=LOGGED)
            listener = socket.create_server((listen, port))
            listener.setblocking(False)
            self._watch(listener.fileno(), select.EPOLLIN,
                        lambda _, listener=listener, port=port: self._accept(listener, link, port))

    def do_set(self, name, up, down):
        self.links[name].manners = {"up": Manner(**up), "down": Manner(**down)}

    def do_hold(self, name, on):
        link = self.links[name]
        link.is_held = on
        for connection in [] if on else list(link.connections):
            for way in connection.ways:
                self._schedule(way)

    def do_reset(self, name):
        connections = list(self.links[name].connections)
        for connection in connections:
            self._break(connection)
        return len(connections)

    def do_log(self, name, port):
        log = self.links[name].logs[port]
        content = list(log)
        log.clear()
        return content


if __name__ == "__main__":
    Relay(int(sys.argv[1])).run()
