"""Clients that send each request several times with the same id, over connections that may break.
"""

import hashlib
import os
import random
import threading
import time

import zmq
from camerabus import messages
from camerabus.framing import read_reply, write_request

from .record import PATIENCE

SENDINGS = 4
SPREAD = 0.4  # seconds over which the sendings of a request are spread, before and after its answer
LAST = 0.2  # seconds to wait for the answer to the last sending
# Seconds without an answer after which a request is sent again, because cuts took all its answers.
SILENCE = 1.0


class Ask:
    """One request, with its sendings and the replies to them."""

    def __init__(self, chance, delay=0.0, **body):
        self.id = os.urandom(16)
        self.body = body
        start = time.monotonic() + delay
        self.sendings = [start, *sorted(start + chance.uniform(0, SPREAD) for _ in range(chance.randrange(SENDINGS)))]
        self.sent_at = start
        self.gives_up = start + PATIENCE
        self.sent = 0
        self.finals = []  # the final replies, as bytes
        self.result = None
        self.pictures = set()  # the hashes of the pictures that came

    @property
    def is_transient(self):
        return "capture" in self.body and self.body["capture"].transient

    @property
    def is_answered(self):
        """Whether the answer is complete.

        A transient photo also needs its picture, which a repetition brings again.
        """
        return bool(self.finals) and not (self.is_transient and self.result.HasField("capture") and not self.pictures)

    @property
    def due(self):
        """When to act next: send the request, send it again, or stop waiting."""
        if self.sendings:
            return self.sendings[0]
        if not self.is_answered:
            return self.sent_at + SILENCE
        return self.sent_at + (LAST if len(self.finals) < self.sent else 0)


class Client(threading.Thread):
    """Sends the requests that `asks` yields.

    It takes the next one whenever fewer than `unanswered` wait for an answer.
    """

    def __init__(self, control, epoch, asks, unanswered):
        super().__init__(daemon=True)
        self._control, self._epoch = control, epoch
        self._asks, self._unanswered = asks, unanswered
        self._under_way = {}
        self._has_more = True
        self.done = []
        self.failure = None

    def run(self):
        try:
            with zmq.Context.instance().socket(zmq.DEALER) as socket:
                socket.setsockopt(zmq.LINGER, 0)
                socket.setsockopt(zmq.RECONNECT_IVL, 20)
                socket.connect(self._control)
                while self._has_more or self._under_way:
                    self._turn(socket)
        except Exception as error:  # noqa: BLE001 - reported to the thread that waits for this one
            self.failure = error

    def _turn(self, socket):
        while self._has_more and sum(not ask.is_answered for ask in self._under_way.values()) < self._unanswered:
            ask = next(self._asks, None)
            self._has_more = ask is not None
            if ask:
                self._under_way[ask.id] = ask
        for ask in list(self._under_way.values()):
            if ask.due <= time.monotonic():
                if ask.sendings or not ask.is_answered:
                    self._send(socket, ask)
                else:
                    self.done.append(self._under_way.pop(ask.id))
        if self._under_way:
            next_due = min(ask.due for ask in self._under_way.values())
            if socket.poll(max(0, (next_due - time.monotonic()) * 1000)):
                self._receive(socket)

    def _send(self, socket, ask):
        ask.sendings = ask.sendings[1:]
        ask.sent_at = time.monotonic()
        remaining = ask.gives_up - ask.sent_at
        assert remaining > 0, f"no answer to {ask.id.hex()}, which was sent {ask.sent} times"
        request = messages.Request(id=ask.id, remaining_ns=round(remaining * 1e9), **ask.body)
        if ask.sent:
            request.epoch = self._epoch
        ask.sent += 1
        socket.send_multipart(write_request(request), zmq.DONTWAIT)

    def _receive(self, socket):
        parts = socket.recv_multipart()
        reply, attachment = read_reply(parts)
        ask = self._under_way.get(reply.id)
        if not ask:
            return
        if attachment is not None:
            ask.pictures.add(hashlib.sha256(attachment).digest())
        if reply.final:
            ask.finals.append(parts[1])
            ask.result = reply


def independent(chance):
    """A random number generator for another thread; the same seed gives the same numbers."""
    return random.Random(chance.random())
