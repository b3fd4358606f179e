"""A thousand captures, each sent one to four times over connections that are cut at random: each is taken once."""

import collections
import hashlib
import math
import os
import threading
import time

import zmq
from camerabus import CameraBus, Published, messages
from camerabus.framing import read_reply, write_request

from harness.link import FINISH, RESET, Link
from harness.node import Node
from harness.record import PATIENCE
from harness.watching import EventWatcher

CLIENTS = 4
SENDINGS = 4
UNDER_WAY = 4  # of one client; together no more than may wait for a frame
SPREAD = 0.4  # seconds over which a request's sendings are spread, before and after its answer
LAST = 0.2  # seconds in which the answer to the last sending may come
SILENCE = 1.0  # seconds without an answer after which it is sent again, because the cuts took all there was


def run(trial):
    count = trial.rounds(1000, 200)

    def plan():
        return int(math.exp(trial.random.uniform(math.log(50), math.log(40_000)))), trial.random.choice([RESET, FINISH])

    with (Node("cam=synthetic:640x360@60") as node, EventWatcher(node.control) as monitor, Link() as link,
          CameraBus(node.control) as bus):
        monitor.wait_for(bool, "snapshot")
        control = link.forward(node.control, plan)
        epoch = bus.connection.call(5, status=messages.StatusRequest()).epoch
        clients = [Client(control, epoch, trial, count // CLIENTS) for _ in range(CLIENTS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        asked = [ask for client in clients for ask in client.done]
        failures = [client.failure for client in clients if client.failure]
        assert not failures, failures
        last = bus.capture(picture=False)
        monitor.wait_for(lambda notice: ends(notice) == last.request_id, "the end of the last capture")
        check(trial, asked, node, bus, [notice for _, notice in monitor.seen], last.request_id)
        cuts = [connection for connection in link.connections if connection.ended_by == "cut"]
        trial.figure(f"{len(cuts)} cuts of {len(link.connections)} connections")


def check(trial, asked, node, bus, notices, last):
    ids = {ask.id for ask in asked}
    sendings = collections.Counter(min(ask.sent, SENDINGS + 1) for ask in asked)
    answers = sum(len(ask.finals) for ask in asked)
    trial.figure(
        f"{len(ids)} ids, sent {sum(ask.sent for ask in asked)} times: once {sendings[1]}, twice {sendings[2]}, "
        f"3 times {sendings[3]}, 4 times {sendings[4]}, more often, for the cuts took them, {sendings[SENDINGS + 1]}")
    unequal = [ask for ask in asked if len(set(ask.finals)) != 1]
    trial.figure(
        f"{answers} final replies, {sum(len(ask.finals) > 1 for ask in asked)} ids had more than one, "
        f"{len(unequal)} had unequal ones")
    assert not unequal, f"unequal answers to {unequal[0].id.hex()}"
    for ask in asked:
        assert ask.result.HasField("capture"), f"a capture was answered {ask.result}"

    steps = [notice.event.capture for notice in notices
             if isinstance(notice, Published) and notice.event.HasField("capture")]
    steps = [step for step in steps if step.request_id != last]
    exposures = collections.Counter(
        step.request_id for step in steps if step.progress.step == messages.CaptureProgress.STEP_DID_CAPTURE)
    completions = collections.Counter(step.request_id for step in steps if step.HasField("completed"))
    trial.figure(f"{exposures.total()} exposures, {completions.total()} completed")
    assert exposures == completions == collections.Counter(ids), "exposures are not the distinct ids"

    kept = {ask.id for ask in asked if not ask.is_transient}
    assets = {}
    for id in kept:
        found = bus.assets(request_id=id)
        assert len(found) == 1, f"{len(found)} assets for {id.hex()}"
        assets[id] = found[0]
    files = list(node.library.rglob("*.jpg"))
    trial.figure(f"{len(assets)} assets for {len(kept)} ids that were to be kept, {len(files)} files")
    assert len(files) == len(kept) + 1
    for ask in asked:
        if ask.is_transient:
            assert ask.pictures == {ask.result.capture.sha256}, "a transient photo came without its picture"
        else:
            asset = assets[ask.id]
            assert asset == ask.result.capture.asset, "the index and the answer differ"
            assert hashlib.sha256((node.library / asset.path).read_bytes()).digest() == asset.sha256


def ends(notice):
    """The id of the request whose capture this notice ends."""
    if isinstance(notice, Published) and notice.event.capture.WhichOneof("body") in ("completed", "failed"):
        return notice.event.capture.request_id
    return None


class Ask:
    """One capture, with what was sent and what came."""

    def __init__(self, random):
        self.id = os.urandom(16)
        self.is_transient = random.random() < 0.1
        self.request = messages.CaptureRequest(
            now=messages.CaptureRequest.Now(), transient=self.is_transient,
            inline_limit=1 << 20 if self.is_transient else 0)
        now = time.monotonic()
        self.sendings = [now, *sorted(now + random.uniform(0, SPREAD) for _ in range(random.randrange(SENDINGS)))]
        self.sent_at = now
        self.gives_up = now + PATIENCE
        self.sent = 0
        self.finals = []
        self.result = None
        self.pictures = set()

    @property
    def is_answered(self):
        """A transient photo's picture comes again with the answer, to who asks again."""
        return bool(self.finals) and not (self.is_transient and self.result.HasField("capture") and not self.pictures)

    @property
    def due(self):
        """When there is something to do: to send it, to send it again, or to be content."""
        if self.sendings:
            return self.sendings[0]
        if not self.is_answered:
            return self.sent_at + SILENCE
        return self.sent_at + (LAST if len(self.finals) < self.sent else 0)


class Client(threading.Thread):
    """Sends its captures and repeats them, with the same ids over whatever connection there is."""

    def __init__(self, control, epoch, trial, count):
        super().__init__(daemon=True)
        self.control, self.epoch, self.left = control, epoch, count
        self.random = type(trial.random)(trial.random.random())
        self.under_way = {}
        self.done = []
        self.failure = None

    def run(self):
        try:
            with zmq.Context.instance().socket(zmq.DEALER) as socket:
                socket.setsockopt(zmq.LINGER, 0)
                socket.setsockopt(zmq.RECONNECT_IVL, 20)
                socket.connect(self.control)
                while self.left or self.under_way:
                    self._turn(socket)
        except Exception as error:  # noqa: BLE001 - told to who waits for this thread
            self.failure = error

    def _turn(self, socket):
        while self.left and len(self.under_way) < UNDER_WAY:
            self.left -= 1
            ask = Ask(self.random)
            self.under_way[ask.id] = ask
        for ask in list(self.under_way.values()):
            if ask.due <= time.monotonic():
                if ask.sendings or not ask.is_answered:
                    self._send(socket, ask)
                else:
                    self.done.append(self.under_way.pop(ask.id))
        if self.under_way:
            next_due = min(ask.due for ask in self.under_way.values())
            if socket.poll(max(0, (next_due - time.monotonic()) * 1000)):
                self._receive(socket)

    def _send(self, socket, ask):
        ask.sendings = ask.sendings[1:]
        ask.sent_at = time.monotonic()
        remaining = ask.gives_up - ask.sent_at
        assert remaining > 0, f"no answer to {ask.id.hex()}, which was sent {ask.sent} times"
        request = messages.Request(id=ask.id, remaining_ns=round(remaining * 1e9), capture=ask.request)
        if ask.sent:
            request.epoch = self.epoch
        ask.sent += 1
        socket.send_multipart(write_request(request), zmq.DONTWAIT)

    def _receive(self, socket):
        parts = socket.recv_multipart()
        reply, attachment = read_reply(parts)
        ask = self.under_way.get(reply.id)
        if not ask:
            return
        if attachment is not None:
            ask.pictures.add(hashlib.sha256(attachment).digest())
        if reply.final:
            ask.finals.append(parts[1])
            ask.result = reply
