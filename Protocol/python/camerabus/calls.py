"""Requests under way: when to send them again, and which reply belongs to which. It does no I/O."""

from __future__ import annotations

import os
from collections import deque
from typing import Deque, NamedTuple, Optional, Sequence

from . import messages
from .arrivals import Refusal
from .credentials import Credentials
from .errors import CameraBusError, Code
from .framing import Malformed, read_reply

# The kept kinds of the specification: the node keeps the answers to these requests, so that it does
# not carry out a repetition.
KEPT = frozenset({"capture", "record_start", "record_stop", "record_pause", "record_resume", "record_trigger", "delete",
                  "protect", "tag", "shot_prepare", "shot_commit", "library_repair"})
# How long a call waits for a sign of life before it is sent again, seconds. Doubles each time.
PATIENCE = 3.0
LONGEST_PATIENCE = 30.0
# The client waits this much longer than the time it states to the node, so that the node's answer
# comes first, seconds.
GRACE = 0.3


class Reply(NamedTuple):
    """A reply with its attachment."""

    message: messages.Reply
    attachment: Optional[bytes]

    @property
    def body(self) -> str:
        return self.message.WhichOneof("body") or ""


class Silence(Exception):
    """A call that is not repeated got no answer in time."""


class Call:
    """A request under way, and the replies that came for it."""

    def __init__(self, request: messages.Request, timeout: float, repeat: bool, pause: float, epoch: bytes, now: float):
        self._repeat = repeat
        self._pause = pause
        self._inbox: Deque[Reply] = deque()
        self.request = request
        self.timeout = timeout
        # How long to wait from each reply for the next one, seconds; None to wait no longer for that.
        self.step_timeout: Optional[float] = None
        self.gives_up = now + timeout + GRACE
        self.repeat_at = now + pause
        # The epoch of the node to which the request was sent; empty if it is not known.
        self.epoch = request.epoch or epoch
        self.is_final = False
        # Whether the node has answered, so that what it publishes counts the call.
        self.is_answered = False
        # How many files of a photo were made.
        self.processed = 0
        # The photo that it takes; None for another request.
        self.photo = request.capture if request.HasField("capture") else None

    @property
    def id(self) -> bytes:
        return self.request.id

    @property
    def kind(self) -> str:
        return self.request.WhichOneof("body") or ""

    def take_photo(self, photo: messages.CaptureRequest) -> None:
        """It takes a photo that was described before."""
        self.photo = photo

    @property
    def has_news(self) -> bool:
        return bool(self._inbox)

    def deliver(self, reply: Reply, now: float) -> None:
        if reply.body != "error":
            # Errors are excluded, because they may come from a node that does not know the request.
            self.epoch = reply.message.epoch
        self.repeat_at = now + self._pause
        if self.step_timeout is not None:
            self.gives_up = max(self.gives_up, now + self.step_timeout + GRACE)
        self.is_final = reply.message.final
        self.is_answered = True
        self.processed += reply.message.capture_progress.step == messages.CaptureProgress.STEP_DID_PROCESS
        self._inbox.append(reply)

    def next(self) -> Reply:
        """The oldest reply that was not taken yet.

        - Raises: `CameraBusError` if it is an error, or of a kind that this client does not know.
        """
        reply = self._inbox.popleft()
        if reply.message.final and reply.body == "error":
            raise CameraBusError.from_wire(reply.message.error, self.id, self.epoch)
        if reply.message.final and not reply.body:
            raise self._error(Code.NODE_IS_NEWER, "the node answers with what this client does not know: update it")
        return reply

    def expect(self, body: str, reply: Reply) -> messages.Reply:
        """The reply's message, if it has this body."""
        if reply.body != body:
            raise self._error(
                Code.NODE_IS_NEWER, f"the node answers {self.kind} with {reply.body}, not {body}: update this client")
        return reply.message

    def again(self, now: float) -> messages.Request:
        """The request to send after silence.

        Waits longer each time, because the connection may only be slow.
        """
        if not self._repeat:
            raise Silence
        self._pause = min(self._pause * 2, LONGEST_PATIENCE)
        self.repeat_at = now + self._pause
        self.request.epoch = self.epoch
        self.request.remaining_ns = max(1, round((self.gives_up - GRACE - now) * 1e9))
        return self.request

    def unanswered(self, endpoint: str, refusal: Optional[Refusal] = None,
                   credentials: Optional[Credentials] = None) -> CameraBusError:
        if self.kind in KEPT:
            return self._error(
                Code.UNREACHABLE, f"what became of the request is not known, {endpoint} is silent: send it again with "
                "the same id, epoch and settings, or look into assets()")
        if refusal is Refusal.KEY_UNKNOWN and credentials:
            return self._error(
                Code.NOT_AUTHORIZED, f"the node at {endpoint} does not know the key of this program, or no more: let "
                f"its owner run camctl keys authorize NAME {'-- ' if credentials.public_key.startswith('-') else ''}"
                f"'{credentials.public_key}' (with --role, if it shall do less than all)")
        if refusal is Refusal.KEY_UNKNOWN:
            return self._error(
                Code.NOT_AUTHORIZED, f"the node at {endpoint} does not let this user in: ask its owner")
        if refusal is Refusal.MISMATCH and not credentials:
            return self._error(
                Code.KEY_REQUIRED, f"the node at {endpoint} requires a key: ask its owner for an invitation "
                "(camctl keys invite NAME); the owner makes one too, with the node's --library or --keys if they are not "
                "the default ones, or uses the node over ipc")
        if refusal is Refusal.MISMATCH:
            return self._error(
                Code.WRONG_NODE, f"the node at {endpoint} has no keys, so it is not known to be the right one: ask "
                "its owner to start it with --keys")
        if refusal is Refusal.FOREIGN and credentials:
            return self._error(
                Code.WRONG_NODE, f"what answers at {endpoint} is no control endpoint of a node with the key that this "
                "program knows: if the port is right and the node was set up anew, ask its owner for another invitation")
        if refusal is Refusal.FOREIGN:
            return self._error(
                Code.UNREACHABLE, f"what answers at {endpoint} is no camera node's control endpoint: the first line "
                "that camerad prints names it as control=...", retryable=True)
        return self._error(Code.UNREACHABLE, f"no answer from {endpoint}: does the node run there?", retryable=True)

    def _error(self, code: Code, message: str, retryable: bool = False) -> CameraBusError:
        return CameraBusError(code, message, "", retryable, self.id, self.epoch)


class RequestTable:
    """The calls of one connection, by the ids of their requests."""

    def __init__(self) -> None:
        # The node's epoch in the last reply.
        self.epoch = b""
        # When the last message arrived, by the client's monotonic clock.
        self.heard = 0.0
        self._calls: dict[bytes, Call] = {}

    @property
    def count(self) -> int:
        """How many calls wait for their final reply."""
        return len(self._calls)

    def captures(self, now: float) -> list[Call]:
        """The photos under way: without a final reply, and not given up."""
        return [call for call in self._calls.values() if call.photo is not None and now < call.gives_up]

    @property
    def harmless(self) -> list[messages.Request]:
        """The requests that may be sent again at any time, because they change nothing."""
        return [call.request for call in self._calls.values() if call.kind not in KEPT]

    def begin(self, request: messages.Request, timeout: float, repeat: bool, pause: float, now: float) -> Call:
        """Adds a request that has a body, and perhaps the id and the epoch of an earlier one."""
        request.id = request.id or os.urandom(16)
        request.remaining_ns = max(1, round(timeout * 1e9))
        call = Call(request, timeout, repeat, pause, self.epoch, now)
        self.follow(call)
        return call

    def follow(self, call: Call) -> None:
        """Delivers replies to this call until its final one."""
        if not call.is_final:
            self._calls[call.id] = call

    def forget(self, call: Call) -> None:
        self._calls.pop(call.id, None)

    def take(self, parts: Sequence[bytes], now: float) -> None:
        """Takes what the socket received."""
        self.heard = now
        try:
            reply = Reply(*read_reply(parts))
        except Malformed:
            return
        self.epoch = reply.message.epoch
        call = self._calls.get(reply.message.id)
        if call:
            call.deliver(reply, now)
            if reply.message.final:
                self.forget(call)
