"""The link delays, loses, holds and breaks connections as it is told, and says the truth of it"""

import hashlib
import selectors
import socket
import threading
import time

from harness.processes import cpu_seconds_of
from rig.links import MANNERS, MS, Manner, Relay

PORT = 5570


class Pair:
    """Both ends of a connection through a link of its own."""

    def __init__(self, relay, name, number):
        self.relay, self.name, self._address = relay, name, f"127.77.0.{number}"
        self._listener = socket.create_server((f"127.78.0.{number}", PORT))
        relay.forward(name, self._address, f"127.78.0.{number}", [PORT])
        self.connect()

    def connect(self):
        self.client = socket.create_connection((self._address, PORT), 60)
        self.node, _ = self._listener.accept()
        self.node.settimeout(60)

    def exchange(self):
        """Sends a few bytes forth and back. Returns how long each way took, in nanoseconds."""
        moments = [time.monotonic_ns()]
        for source, sink in ((self.client, self.node), (self.node, self.client)):
            source.sendall(b"ping")
            assert sink.recv(4, socket.MSG_WAITALL) == b"ping"
            moments.append(time.monotonic_ns())
        return moments[1] - moments[0], moments[2] - moments[1]

    def passages(self):
        return self.relay.passages(self.name, PORT)


def check_delays(trial, pair, manner):
    """Checks that no way is faster than it should be, that some are as fast, and that the log agrees."""
    pair.relay.set(pair.name, manner)
    pair.passages()
    ways = [pair.exchange() for _ in range(trial.pick(200, 40))]
    passages = pair.passages()
    assert len(passages) == 2 * len(ways)
    for index, (name, told) in enumerate((("up", manner.up), ("down", manner.down))):
        seen = [way[index] for way in ways]
        logged = [passage.delay for passage in passages if passage.way == name]
        least = told["delay"] - told.get("jitter", 0)
        assert min(logged) >= least, f"{manner.name} {name}: {min(logged)} ns"
        assert min(seen) <= least + 2 * told.get("jitter", 0) + 2 * MS, f"{manner.name} {name}: {min(seen)} ns"
        # The log has the time in the relay, and that is nearly all.
        assert all(log <= whole for log, whole in zip(logged, seen)), "the log says more than there was"
        trial.figure(f"{manner.name} {name}: {min(seen) / MS:.2f} to {max(seen) / MS:.2f} ms, "
                     f"in the relay {min(logged) / MS:.2f} to {max(logged) / MS:.2f} ms")


def check_loss(trial, pair):
    """Checks that a lost segment takes a timeout more, and that as many are lost as should be."""
    pair.relay.set(pair.name, Manner("half lost", {"delay": MS, "loss": 0.5, "timeout": 50 * MS}))
    count = trial.pick(200, 40)
    lost = sum(way > 51 * MS for _ in range(count) for way in pair.exchange())
    # Without errors this holds but once in a billion cases (six standard deviations).
    assert abs(lost - count) <= 6 * (2 * count * 0.25) ** 0.5, f"{lost} of {2 * count} lost"
    trial.figure(f"half lost: {lost} of {2 * count} came later by a timeout")


def check_bytes(trial, pair):
    """Checks that many bytes arrive as they were sent, also where nobody takes them for a while, and then the end."""
    pair.relay.set(pair.name, MANNERS["jitter"])
    data = trial.random.randbytes(trial.pick(64, 16) << 20)
    thread = threading.Thread(target=lambda: (pair.client.sendall(data), pair.client.shutdown(socket.SHUT_WR)))
    thread.start()
    digest, count = hashlib.sha256(), 0
    while piece := pair.node.recv(1 << 20):
        digest.update(piece)
        count += len(piece)
    thread.join()
    assert (count, digest.digest()) == (len(data), hashlib.sha256(data).digest()), f"{count} of {len(data)} bytes"
    pair.node.sendall(b"end")
    pair.node.shutdown(socket.SHUT_WR)
    assert pair.client.recv(9, socket.MSG_WAITALL) == b"end"
    pair.connect()


def check_hold_and_reset(relay, pair, other):
    for one in (pair, other):
        relay.set(one.name, Manner("none", {}))
        one.exchange()
    relay.hold(pair.name, True)
    pair.client.sendall(b"late")
    for _ in range(20):
        other.exchange()
    with selectors.DefaultSelector() as selector:
        selector.register(pair.node, selectors.EVENT_READ)
        assert not selector.select(0), "bytes came through a link that holds them"
    relay.hold(pair.name, False)
    assert pair.node.recv(4, socket.MSG_WAITALL) == b"late"
    assert relay.reset(pair.name) == 1
    for end in (pair.client, pair.node):
        try:
            end.recv(1)
        except ConnectionResetError:
            continue
        raise AssertionError("the connection ended well, but it should break")
    other.exchange()
    pair.connect()
    pair.exchange()


def run(trial, _):
    with Relay(trial.random.randrange(1 << 32)) as relay:
        pair, other = Pair(relay, "one", 1), Pair(relay, "two", 2)
        for name in ("short", "jitter", "asymmetric"):
            check_delays(trial, pair, MANNERS[name])
        check_loss(trial, pair)
        check_bytes(trial, pair)
        check_hold_and_reset(relay, pair, other)
        trial.figure(f"the relay used {cpu_seconds_of(relay.pid):.2f} s of a processor")
