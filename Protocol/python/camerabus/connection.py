"""The control socket: sends requests, receives replies, and opens a new socket when the node falls
silent.
"""

from __future__ import annotations

import math
import os
import time
from collections import deque
from typing import Deque, Iterator, Optional

import zmq

from . import messages
from .errors import CameraBusError, Code
from .framing import MAXIMUM_PART, Malformed, read_reply, write_request

# The node keeps the answers to these requests, so that it does not carry out a repetition.
KEPT = frozenset({"capture", "record_start", "record_stop"})
# How long a call waits for a sign of life before it is sent again, seconds. Doubles each time.
PATIENCE = 3.0
LONGEST_PATIENCE = 30.0
# The client waits this much longer than the time it states to the node, so that the node's answer
# comes first.
GRACE = 2.0


class Reply:
    """A reply with its attachment."""

    def __init__(self, message: messages.Reply, attachment: Optional[bytes]):
        self.message = message
        self.attachment = attachment


class Silence(Exception):
    """A call that is not repeated got no answer in time."""


class Call:
    """A request under way.

    There may be several; waiting for one of them also receives replies for the others.
    """

    def __init__(self, connection: Connection, request: messages.Request, timeout: float, repeat: bool,
                 pause: float):
        self._connection = connection
        self._request = request
        self._repeat = repeat
        self._inbox: Deque[Reply] = deque()
        self._pause = pause
        self.timeout = timeout
        self.gives_up = time.monotonic() + timeout + GRACE
        self.repeat_at = time.monotonic() + self._pause
        # The epoch of the node to which the request was sent; empty if it is not known.
        self.epoch = request.epoch or connection.epoch
        self.final: Optional[messages.Reply] = None

    @property
    def id(self) -> bytes:
        return self._request.id

    @property
    def kind(self) -> str:
        return self._request.WhichOneof("body")

    def replies(self) -> Iterator[Reply]:
        """Yields the progress replies and then the final one, as they arrive.

        - Raises: `CameraBusError` if the final reply is an error, or if none arrives in time.
        """
        while True:
            while not self._inbox:
                self._connection.wait_for(self)
            reply = self._inbox.popleft()
            if reply.message.final and reply.message.WhichOneof("body") == "error":
                raise CameraBusError.from_wire(reply.message.error, self.id, self.epoch)
            if reply.message.final and reply.message.WhichOneof("body") is None:
                raise self._error(Code.NODE_IS_NEWER, "the node answers with what this client does not know: update it")
            yield reply
            if reply.message.final:
                return

    def result(self, body: str):
        """Waits for the final reply and returns its body of this name; ignores progress."""
        for reply in self.replies():
            pass
        return self.body_of(reply, body)

    def body_of(self, reply: Reply, body: str):
        if reply.message.WhichOneof("body") != body:
            found = reply.message.WhichOneof("body")
            raise self._error(Code.NODE_IS_NEWER, f"the node answers {self.kind} with {found}, not {body}")
        return getattr(reply.message, body)

    def send(self, again: bool = False) -> None:
        if again:
            self._request.epoch = self.epoch
            self._request.remaining_ns = max(1, round((self.gives_up - GRACE - time.monotonic()) * 1e9))
        self._connection.send(self._request)

    def send_again(self) -> None:
        """Repeats the request after silence.

        Waits longer each time, because the connection may only be slow.
        """
        if not self._repeat:
            raise Silence
        self._pause = min(self._pause * 2, LONGEST_PATIENCE)
        self.repeat_at = time.monotonic() + self._pause
        self.send(again=True)

    def deliver(self, reply: Reply) -> None:
        if reply.message.WhichOneof("body") != "error":
            # Errors are excluded, because they may come from a node that does not know the request.
            self.epoch = reply.message.epoch
        self.repeat_at = time.monotonic() + self._pause
        self._inbox.append(reply)
        if reply.message.final:
            self.final = reply.message

    def unanswered(self) -> CameraBusError:
        where = self._connection.endpoint
        if self.kind in KEPT:
            return self._error(
                Code.UNREACHABLE, f"what became of the request is not known, {where} is silent: send it again with the "
                "same id, epoch and settings, or look into the assets made for it")
        return self._error(Code.UNREACHABLE, f"no answer from {where}: does the node run there?", retryable=True)

    def _error(self, code: Code, message: str, retryable: bool = False) -> CameraBusError:
        return CameraBusError(code, message, "", retryable, self.id, self.epoch)


class Connection:
    """A DEALER to a node's control endpoint. It belongs to the thread that made it."""

    def __init__(self, endpoint: str, patience: float = PATIENCE):
        self.endpoint = endpoint
        self.patience = patience
        # The node's epoch in the last reply.
        self.epoch = b""
        # When the last message arrived, by the client's monotonic clock.
        self.heard = 0.0
        self._calls: dict[bytes, Call] = {}
        self._socket = self._open()

    def call(self, timeout: float, *, id: bytes = b"", epoch: bytes = b"", repeat: bool = True,
             pause: float = 0, **body) -> Call:
        """Sends a request with one body, which is given by name: `call(5, status=StatusRequest())`.

        With the `id` and `epoch` of an earlier request it is a repetition of that request. After
        `pause` seconds of silence the connection sends the request again, unless `repeat` is false.
        """
        kind = next(iter(body))
        if kind in KEPT and not self.epoch:
            # A repetition must name the epoch; otherwise a restarted node would carry it out a
            # second time.
            self.call(timeout, status=messages.StatusRequest()).result("status")
        request = messages.Request(
            id=id or os.urandom(16), epoch=epoch, remaining_ns=max(1, round(timeout * 1e9)), **body)
        call = Call(self, request, timeout, repeat, pause or self.patience)
        self._calls[call.id] = call
        call.send()
        return call

    def tell(self, **body) -> None:
        """Sends a request without waiting for a reply."""
        self.send(messages.Request(id=os.urandom(16), **body))

    def send(self, request: messages.Request) -> None:
        try:
            self._socket.send_multipart(write_request(request), zmq.DONTWAIT)
        except zmq.Again:
            pass  # the queue is full because the node is gone; the silence will show it

    def wait_for(self, call: Call) -> None:
        """Receives one message, or repeats or gives up a call that has waited too long."""
        now = time.monotonic()
        if now >= call.gives_up:
            self.forget(call)
            raise call.unanswered()
        until = min(call.gives_up, call.repeat_at)
        if self._socket.poll(max(0, math.ceil((until - now) * 1000))):
            self._receive()
        elif time.monotonic() >= call.repeat_at:
            if self.heard < time.monotonic() - self.patience:
                self._renew()
            call.send_again()

    def forget(self, call: Call) -> None:
        self._calls.pop(call.id, None)

    def close(self) -> None:
        self._socket.close(linger=200)

    def _receive(self) -> None:
        parts = self._socket.recv_multipart()
        self.heard = time.monotonic()
        try:
            message, attachment = read_reply(parts)
        except Malformed:
            return
        self.epoch = message.epoch
        call = self._calls.get(message.id)
        if call:
            call.deliver(Reply(message, attachment))
            if message.final:
                self.forget(call)

    def _open(self) -> zmq.Socket:
        socket: zmq.Socket = zmq.Context.instance().socket(zmq.DEALER)
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.MAXMSGSIZE, MAXIMUM_PART)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, 1000)
        socket.connect(self.endpoint)
        return socket

    def _renew(self) -> None:
        """Opens a new socket, because a dead connection may look alive for minutes."""
        self._socket.close(linger=0)
        self._socket = self._open()
