"""The control socket: sends requests, waits for replies, and opens a new socket when the node falls
silent.
"""

from __future__ import annotations

import os
import time
from typing import Optional, Sequence

from . import messages
from .arrivals import Refusal
from .calls import KEPT, PATIENCE, Call, Reply, RequestTable
from .credentials import Credentials
from .errors import closed, endless
from .families import is_name, reached
from .framing import write_request
from .greeting import requires_key
from .shell import Dealer, Shell

# By how much a call may be over before the client takes it for stopped, or for busy with something
# else, seconds.
SLACK = 0.1
# How long it then listens, in case a reply has arrived meanwhile, seconds.
LISTENING = 1.0
# How often to look whether the node lets the program in, until something comes, seconds.
GREETING = 0.1
# How long a refused key is shown again, and how long to wait in between, seconds. A node needs a
# moment to notice a key that was just authorized.
REFUSAL_PATIENCE = 1.0
REFUSAL_PAUSE = 0.1

# How many replies that have arrived are taken before the client goes on. A node may send more
# without end.
_AT_ONCE = 1000


class _Hearing:
    """What the socket brings. Apart from the connection, which Python can so drop while the socket is open."""

    def __init__(self, table: RequestTable):
        self._table = table
        # Whether the node has sent far too much, and nothing that could be read since.
        self.is_excessive = False
        # Why what answers is of no use.
        self.refusal: Optional[Refusal] = None
        # When the node first refused the program's key, since it last let the program in.
        self.refused_since: Optional[float] = None
        # Whether the socket has brought nothing yet.
        self.is_new = True

    def take(self, parts: Sequence[bytes]) -> None:
        self.is_excessive = self.is_new = False
        self.refusal = self.refused_since = None
        self._table.take(parts, time.monotonic())

    def pending(self) -> int:
        return self._table.count


class Connection:
    """Requests to a node's control endpoint."""

    def __init__(self, shell: Shell, endpoint: str, credentials: Optional[Credentials] = None,
                 patience: float = PATIENCE):
        self.shell = shell
        self.endpoint = endpoint
        # The endpoint, or an address of its name.
        self.reached = endpoint
        self.credentials = credentials
        self.patience = patience
        self._table = RequestTable()
        self._hearing = _Hearing(self._table)
        self._dealer: Optional[Dealer] = None
        self._is_closed = False
        # Whether what answers, and is no node, was asked whether it requires keys.
        self._has_probed = False
        # When the socket was last opened instead of a silent one.
        self._renewed = 0.0

    @property
    def epoch(self) -> bytes:
        """The node's epoch in the last reply; empty before the first reply."""
        return self._table.epoch

    async def call(self, request: messages.Request, timeout: float, *, repeat: bool = True, pause: float = 0) -> Call:
        """Sends a request.

        With the id and the epoch of an earlier request it is a repetition of that request. After
        `pause` seconds of silence the connection sends the request again, unless `repeat` is false.
        """
        if request.WhichOneof("body") in KEPT and not self.epoch:
            # A repetition must name the epoch; otherwise a restarted node would carry it out a
            # second time.
            asked = time.monotonic()
            await self.ask("status", messages.Request(status=messages.StatusRequest()), timeout)
            timeout = max(0.0, timeout - (time.monotonic() - asked))
        call = self._table.begin(request, timeout, repeat, pause or self.patience, time.monotonic())
        await self._send(call.request)
        return call

    async def tell(self, request: messages.Request) -> None:
        """Sends a request without waiting for a reply."""
        request.id = os.urandom(16)
        await self._send(request)

    async def ask(self, body: str, request: messages.Request, timeout: float) -> messages.Reply:
        """Sends a request and waits for its final reply, which has this body."""
        return await self.result(body, await self.call(request, timeout))

    async def result(self, body: str, call: Call) -> messages.Reply:
        """Waits for the final reply, which has this body; ignores progress."""
        while True:
            reply = await self.next(call)
            if reply.message.final:
                return call.expect(body, reply)

    async def next(self, call: Call) -> Reply:
        """Waits for the next reply: any number of progress replies, and then the final one.

        - Raises: `CameraBusError` if it is an error, or if none arrives in time.
        """
        self._table.follow(call)
        try:
            while not call.has_news:
                await self._wait_for(call)
        except BaseException:
            self._table.forget(call)
            raise
        return call.next()

    def forget(self, call: Call) -> None:
        """Ignores further replies to this call."""
        self._table.forget(call)

    async def captures(self) -> list[Call]:
        """The photos under way, after all replies that have arrived."""
        for _ in range(_AT_ONCE):
            if not self._dealer or not await self._dealer.wait(0):
                break
        return self._table.captures(time.monotonic())

    def close(self) -> None:
        self._is_closed = True
        if self._dealer:
            self._dealer.close(linger=200)
            self._dealer = None

    async def _wait_for(self, call: Call) -> None:
        """Waits for messages, or repeats or gives up a call that has waited too long."""
        now = time.monotonic()
        if now >= call.gives_up:
            if now >= call.gives_up + SLACK and await self._listen(call):
                return
            if self._hearing.is_excessive and call.kind not in KEPT:
                raise endless()
            raise call.unanswered(self.endpoint, self._hearing.refusal, self.credentials)
        wait = max(0.0, min(call.gives_up, call.repeat_at) - now)
        if await (await self._open()).wait(min(wait, GREETING) if self._hearing.is_new else wait) or call.has_news:
            return
        if self._dealer:
            self._hearing.is_excessive |= self._dealer.is_excessive
            self._hearing.refusal = await self._refused(self._dealer.refusal) or self._hearing.refusal
            refusal = self._hearing.refusal
            if refusal in (Refusal.MISMATCH, Refusal.KEY_UNKNOWN) and call.kind not in KEPT:
                if refusal is Refusal.KEY_UNKNOWN and self.credentials and await self._try_again(now):
                    return
                # Waiting does not change it. The next call tries again over a new socket.
                error = call.unanswered(self.endpoint, refusal, self.credentials)
                self._renew(now)
                self._hearing.refusal = None
                raise error
        now = time.monotonic()
        if call.repeat_at <= now < call.gives_up:
            if max(self._table.heard, self._renewed) < now - self.patience:
                self._renew(now)
            await self._send(call.again(now))

    async def _try_again(self, now: float) -> bool:
        """Shows a refused key again over a new socket, unless the node has refused it for long."""
        hearing = self._hearing
        hearing.refused_since = now if hearing.refused_since is None else hearing.refused_since
        if now - hearing.refused_since >= REFUSAL_PATIENCE:
            hearing.refused_since = None
            return False
        self._renew(now)
        # Only what the new socket hears counts.
        hearing.refusal = None
        await self.shell.sleep(REFUSAL_PAUSE)
        for request in self._table.harmless:
            await self._send(request)
        return True

    async def _refused(self, refusal: Optional[Refusal]) -> Optional[Refusal]:
        """Why what answers is of no use. A program that seems to be no node may be one with keys."""
        if refusal is not Refusal.FOREIGN or self.credentials or self._has_probed:
            return refusal
        self._has_probed = True
        return Refusal.MISMATCH if await self.shell.work(lambda: requires_key(self.endpoint)) else refusal

    async def _listen(self, call: Call) -> bool:
        """Reads what has arrived while nobody read. Returns whether a reply to this call is among it."""
        end = time.monotonic() + LISTENING
        while not call.has_news and (left := end - time.monotonic()) > 0:
            await (await self._open()).wait(left)
        return call.has_news

    async def _send(self, request: messages.Request) -> None:
        await (await self._open()).send(write_request(request))

    async def _open(self) -> Dealer:
        if self._dealer is None and is_name(self.endpoint):
            self.reached = await self.shell.work(lambda: reached(self.endpoint))
        if self._is_closed:
            raise closed("CameraBus")
        if self._dealer is None:
            self._hearing.is_new = True
            self._has_probed = False
            self._dealer = self.shell.dealer(self.reached, self.credentials, self._hearing.take, self._hearing.pending)
        return self._dealer

    def _renew(self, now: float) -> None:
        """Lets the next request open a new socket, because a dead connection may look alive for
        minutes.
        """
        self._renewed = now
        if self._dealer:
            self._dealer.close(linger=0)
            self._dealer = None
