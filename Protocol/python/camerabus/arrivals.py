"""Ends connections over which far more arrives than is read.

libzmq keeps the parts of a message until the last one has come, and whole messages until they are
read. It bounds the length of a part and the number of whole messages, but not their sum. So a
thread compares what has arrived over each connection with what was read of it, also while the
program does something else. It sleeps while nothing arrives.
"""

from __future__ import annotations

import contextlib
import ctypes
import enum
import errno
import fcntl
import math
import os
import select
import socket
import struct
import termios
import threading
import time
import uuid
from collections import deque
from typing import Any, Callable, Deque, Iterable, Optional

import zmq

# How long to let messages arrive before they are counted, seconds.
INTERVAL = 0.1
# What CURVE adds to each part: the name of a command, a nonce, a checksum and a byte of flags.
ENCRYPTION = 33
# By how much the process may grow, beyond the limit of a connection, while messages arrive over it
# and none is read, bytes. Parts without bytes take 32 times as much memory as on the wire. Over
# ipc, where the system counts no bytes, this is the only bound.
GROWTH = 512 << 20
# The place of `tcpi_bytes_received` in Linux's `struct tcp_info`.
_RECEIVED = 128


class Refusal(enum.Enum):
    """Why what answers at an endpoint is of no use to this program."""

    # It is no ROUTER, or does not speak ZeroMQ, or has another key than the node.
    FOREIGN = enum.auto()
    # One side requires keys and the other has none.
    MISMATCH = enum.auto()
    # The node does not know the program's key.
    KEY_UNKNOWN = enum.auto()


class Arrivals:
    """What has arrived over the connection of a socket, and how much of it was read.

    `limit` returns how many bytes may wait.
    """

    def __init__(self, limit: Callable[[], int], is_encrypted: bool = False):
        self._limit = limit
        self._extra = ENCRYPTION if is_encrypted else 0
        self._lock = threading.Lock()
        self._read = 0
        self._has_read = False
        self._growth = 0
        # Whether nothing was read between the last two measurements.
        self.waits = False
        # Whether the connection was ended for what came over it, and nothing was read since.
        self.is_excessive = False
        # Set when the peer accepted the connection and did not let this program in.
        self.refusal: Optional[Refusal] = None

    def read(self, parts: Iterable[bytes]) -> None:
        """A message was read."""
        sizes = (len(part) + self._extra for part in parts)
        count = sum(size + (9 if size > 255 else 2) for size in sizes)
        with self._lock:
            self._read += count
            self._has_read = True
            self.waits = False
            self.is_excessive = False
            self._growth = 0

    def begin(self, taken: Optional[int]) -> None:
        """A connection was made, over which this many bytes have arrived; None if they are not counted."""
        with self._lock:
            self._read = taken or 0

    def exceeds(self, taken: Optional[int], growth: int) -> bool:
        """Whether more waits than may, when this many bytes have arrived."""
        with self._lock:
            self._growth += max(0, growth) if self.waits else 0
            self.waits = not self._has_read
            self._has_read = False
            if taken is not None:
                # Messages of the connection before may have been read after this one began.
                self._read = min(self._read, taken)
            limit = self._limit()
            exceeds = (taken or 0) - self._read > limit or self._growth > limit + GROWTH
            self.is_excessive |= exceeds
            return exceeds


class _Connection:
    """A socket's connection. The descriptor is one of its own, because libzmq may close the other at
    any moment.
    """

    def __init__(self, descriptor: int):
        self.descriptor = os.dup(descriptor)
        try:
            self._socket = socket.socket(fileno=self.descriptor)
        except OSError:  # it has ended, and something else has its number
            os.close(self.descriptor)
            raise

    @property
    def taken(self) -> Optional[int]:
        """The bytes that libzmq has received; None for ipc."""
        try:
            info = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED + 8)
            waiting = fcntl.ioctl(self.descriptor, termios.FIONREAD, struct.pack("i", 0))
        except OSError:
            return None
        if len(info) < _RECEIVED + 8:
            return None
        received: int = struct.unpack_from("Q", info, _RECEIVED)[0]
        unread: int = struct.unpack("i", waiting)[0]
        return max(0, received - unread)

    def end(self) -> None:
        """Ends the connection, and drops what libzmq has yet to receive. It then connects again."""
        # This resets a TCP connection, also if the peer only sends. An address of the family
        # AF_UNSPEC is one that Python cannot write.
        nobody = struct.pack("H14x", socket.AF_UNSPEC)
        if ctypes.CDLL(None).connect(self.descriptor, nobody, len(nobody)) != 0:
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._socket.close()


class _Watched:
    """A socket with its monitor, and with its connection if it has one."""

    def __init__(self, monitor: zmq.Socket[bytes], arrivals: Arrivals):
        self.monitor = monitor
        self.arrivals = arrivals
        self.connection: Optional[_Connection] = None
        # Whether the peer has accepted the connection and not greeted yet.
        self.is_greeting = False


class _Watch:
    """The thread."""

    def __init__(self) -> None:
        self.process = os.getpid()
        self._jobs: Deque[Callable[[], None]] = deque()
        self._wake = os.eventfd(0, os.EFD_CLOEXEC | os.EFD_NONBLOCK)
        self._inputs = select.epoll()
        self._poller = zmq.Poller()
        self._poller.register(self._wake, zmq.POLLIN)
        self._poller.register(self._inputs.fileno(), zmq.POLLIN)
        self._watched: dict[Arrivals, _Watched] = {}
        self._active: set[int] = set()
        self._measure_at: Optional[float] = None
        self._memory: Optional[int] = None
        threading.Thread(target=self._run, name="camerabus arrivals", daemon=True).start()

    def do(self, job: Callable[[], None]) -> None:
        self._jobs.append(job)
        os.eventfd_write(self._wake, 1)

    def add(self, monitor: zmq.Socket[bytes], arrivals: Arrivals) -> None:
        self._watched[arrivals] = _Watched(monitor, arrivals)
        self._poller.register(monitor, zmq.POLLIN)

    def remove(self, arrivals: Arrivals) -> None:
        watched = self._watched.pop(arrivals, None)
        if watched:
            self._disconnect(watched)
            self._poller.unregister(watched.monitor)
            watched.monitor.close()

    def _run(self) -> None:
        while True:
            try:
                self._turn()
            except zmq.ZMQError:  # the program has ended the context, and with it all sockets
                for arrivals in list(self._watched):
                    self.remove(arrivals)

    def _turn(self) -> None:
        wait = None if self._measure_at is None else math.ceil(max(0.0, self._measure_at - time.monotonic()) * 1000)
        ready = dict(self._poller.poll(wait))
        if self._wake in ready:
            os.eventfd_read(self._wake)
            while self._jobs:
                self._jobs.popleft()()
        for watched in list(self._watched.values()):
            if watched.monitor in ready:
                self._observe(watched)
        if self._inputs.fileno() in ready:
            self._take_input()
        if self._measure_at is not None and time.monotonic() >= self._measure_at:
            self._measure()

    def _observe(self, watched: _Watched) -> None:
        while watched.monitor.poll(0):
            event, value = struct.unpack("=hi", watched.monitor.recv_multipart()[0])
            if event == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                watched.is_greeting = False
                watched.arrivals.refusal = None
                continue
            if event == zmq.EVENT_HANDSHAKE_FAILED_AUTH:
                watched.is_greeting = False
                watched.arrivals.refusal = Refusal.KEY_UNKNOWN
                continue
            if event == zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL:
                watched.is_greeting = False
                is_mismatch = value == zmq.PROTOCOL_ERROR_ZMTP_MECHANISM_MISMATCH
                watched.arrivals.refusal = Refusal.MISMATCH if is_mismatch else Refusal.FOREIGN
                continue
            if event == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL:
                # A node that is stopped is silent too: the system accepts connections for it.
                watched.is_greeting &= value != errno.ETIMEDOUT
                continue
            self._disconnect(watched)
            if watched.is_greeting:
                watched.arrivals.refusal = Refusal.FOREIGN
            watched.is_greeting = event == zmq.EVENT_CONNECTED
            if event != zmq.EVENT_CONNECTED:
                continue
            try:
                watched.connection = _Connection(value)
            except OSError:
                continue  # it has ended already
            watched.arrivals.begin(watched.connection.taken)
            self._inputs.register(watched.connection.descriptor, select.EPOLLIN | select.EPOLLONESHOT)

    def _disconnect(self, watched: _Watched) -> None:
        if watched.connection:
            self._active.discard(watched.connection.descriptor)
            self._inputs.unregister(watched.connection.descriptor)
            watched.connection.close()
            watched.connection = None

    def _take_input(self) -> None:
        self._active.update(descriptor for descriptor, _ in self._inputs.poll(0))
        if self._measure_at is None:
            self._schedule()

    def _schedule(self) -> None:
        self._measure_at = time.monotonic() + INTERVAL
        self._memory = _memory() if any(arrivals.waits for arrivals in self._watched) else None

    def _measure(self) -> None:
        self._measure_at = None
        growth = 0 if self._memory is None else _memory() - self._memory
        active, self._active = self._active, set()
        for watched in self._watched.values():
            connection = watched.connection
            if connection is None or connection.descriptor not in active:
                continue
            if watched.arrivals.exceeds(connection.taken, growth):
                connection.end()
            elif watched.arrivals.waits:
                self._inputs.modify(connection.descriptor, select.EPOLLIN | select.EPOLLONESHOT)
            else:
                # Messages are read. Waiting for the next one would wake the thread for each.
                self._active.add(connection.descriptor)
        if self._active:
            self._schedule()


def _memory() -> int:
    """The bytes that the process has in the machine's memory."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


_lock = threading.Lock()
_current: Optional[_Watch] = None


def _watch() -> _Watch:
    """The watch of this process. A forked process has another, because it has no other threads."""
    global _current
    with _lock:
        if _current is None or _current.process != os.getpid():
            _current = _Watch()
        return _current


def watch(watched: zmq.Socket[Any], limit: Callable[[], int], is_encrypted: bool) -> Arrivals:
    """Watches the connection of a socket that is about to connect."""
    arrivals = Arrivals(limit, is_encrypted)
    endpoint = f"inproc://{uuid.uuid4()}"
    monitor: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.PAIR)
    # Without a limit, and connected before there is an event: libzmq would wait otherwise, and the
    # program with it.
    monitor.setsockopt(zmq.RCVHWM, 0)
    monitor.setsockopt(zmq.LINGER, 0)
    try:
        watched.monitor(endpoint, zmq.EVENT_CONNECTED | zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_SUCCEEDED
                        | zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL | zmq.EVENT_HANDSHAKE_FAILED_AUTH
                        | zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL)
        monitor.connect(endpoint)
    except zmq.ZMQError:
        monitor.close()
        raise
    current = _watch()
    current.do(lambda: current.add(monitor, arrivals))
    return arrivals


def forget(watched: zmq.Socket[Any], arrivals: Arrivals) -> None:
    """Call it before the socket is closed."""
    watched.monitor(None, 0)
    # Without the lock, because Python may drop a client, and so call this, while its thread has the lock.
    current = _current
    if current is not None and current.process == os.getpid():
        current.do(lambda: current.remove(arrivals))
