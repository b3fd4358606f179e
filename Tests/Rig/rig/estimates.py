"""What the Python client says of a node's clock, beside the truth."""

import time

from camerabus import CameraBus, ClockEstimate
from harness.record import PATIENCE

from .links import MS

SECOND = 10 ** 9
BURST = 8
FIELDS = ["sent", "read", "answered", "wall", "received"]


def ideal(exchanges):
    """The width of the interval that follows if nothing but the link took time. Each exchange is (up, down): passages."""
    return sum(min(passages[way][-1].passed - passages[way][0].came for passages in exchanges) for way in (0, 1))


def turns(passages):
    """The exchanges of one connection whose client asks again when it has the answer: (up, down) for each."""
    groups = []
    for passage in sorted(passages, key=lambda passage: passage.came):
        if groups and groups[-1][0].way == passage.way:
            groups[-1].append(passage)
        else:
            groups.append([passage])
    while groups and groups[-1][0].way == "up":
        groups.pop()
    return list(zip(groups[-2::-2], groups[::-2]))[::-1]


def passages_of(reading, passages):
    """What passed during a reading: (up, down)."""
    inside = [passage for passage in passages if reading.sent <= passage.came and passage.passed <= reading.received]
    ways = [[passage for passage in inside if passage.way == way] for way in ("up", "down")]
    assert all(ways), "the link has not seen the exchange"
    return ways


class Follower:
    """The Python client's estimate of a node's clock, beside the truth."""

    def __init__(self, member):
        self._member, self._bus = member, CameraBus(member.control, timeout=PATIENCE)
        self._bus.status()  # the connection is there
        member.passages()
        self.readings, self._exchanges = [], []
        self._estimate = ClockEstimate()

    def close(self):
        self._bus.close()

    def offset(self, moment):
        """What is known of the offset at a moment of the controller's clock."""
        return self._estimate.at(moment)

    def burst(self):
        """Takes a burst of readings. What is said of the clock must be true after each, at any moment."""
        readings = []
        for _ in range(BURST):
            reading = self._bus.read_clock()
            assert self._estimate.add(reading), f"{self._member.name}: a clock was changed"
            for moment in (reading.sent, reading.received, reading.sent - 10 * SECOND, reading.received + 60 * SECOND):
                offset = self._estimate.at(moment)
                check_truth(self._member, offset.least, offset.most)
            readings.append(reading)
            self.own_wall = time.time_ns() - time.monotonic_ns()
        passages = self._member.passages()
        self._exchanges += [passages_of(reading, passages) for reading in readings]
        self.readings += readings

    def result(self):
        """The width of what is known, that of the ideal estimator, and all as the golden file has it."""
        moment = self.readings[-1].received
        offset, least = self._estimate.at(moment), ideal(self._exchanges)
        return offset.most - offset.least, least, {
            "truth": self._member.offset, "own_wall": self.own_wall, "ideal": least, "at": moment, "least": offset.least, "most": offset.most,
            "exchanges": [[getattr(reading, field) for field in FIELDS] for reading in self.readings]}


def check_truth(member, least, most):
    """Checks that the true offset of the node's clock lies between two numbers."""
    assert least <= member.offset <= most, \
        f"{member.name}: {member.offset} ns is the truth, {(member.offset - least) / MS} ms above the least and " \
        f"{(most - member.offset) / MS} ms below the most that was said"
