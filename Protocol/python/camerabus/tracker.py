"""Tracks a node's events for a monitor: snapshot, sequence numbers, gaps and restarts.

It does no I/O: it takes publications, says which events to ask for, and returns events in order.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Deque, Optional, Union

from . import messages
from .errors import invalid
from .framing import Malformed, Publication, Topic, read_publication
from .position import EventPosition

# The most publications that are kept before a snapshot, and the most bytes of them and of the events
# that are held until those before them come. What is beyond that counts as missing.
KEPT = 1024
KEPT_BYTES = 16 << 20
# How many bytes more replayed events may take.
REPLAYED_BYTES = 4 << 20
# What an event takes in memory in addition to its bytes, about.
OVERHEAD = 1024
# The most topics that are followed: many more than a node has.
TOPICS = 4096


@dataclass(frozen=True)
class Snapshot:
    """The complete state, at the beginning and after each restart.

    Events that it includes never come after it.
    """

    epoch: bytes
    status: messages.StatusReply


@dataclass(frozen=True)
class Published:
    """An event, in its topic's order.

    `replayed` means that it was lost on the bus and requested again.
    """

    epoch: bytes
    topic: str
    sequence: int
    event: messages.Event
    replayed: bool


@dataclass(frozen=True)
class Lost:
    """Events `first` to `last` of a topic are gone for good."""

    epoch: bytes
    topic: str
    first: int
    last: int


@dataclass(frozen=True)
class Restarted:
    """The node has restarted.

    Events that it published just before, and that did not arrive, are lost.
    """

    previous: bytes
    epoch: bytes


@dataclass(frozen=True)
class Disconnected:
    """Nothing has arrived from the node for three seconds."""


@dataclass(frozen=True)
class Reconnected:
    """Messages arrive from the node again. The events missed in the meantime follow."""


Notice = Union[Snapshot, Published, Lost, Restarted, Disconnected, Reconnected]


@dataclass(frozen=True)
class Range:
    """Events `first` to `last` of a topic."""

    topic: str
    first: int
    last: int


class EventTracker:
    """Follows the topics that begin with `prefix`.

    With `history` it also delivers the events from before the snapshot that the node still has, with `after` those
    behind a position.
    """

    def __init__(self, prefix: str = "event/", history: bool = False, after: Optional[EventPosition] = None):
        self.prefix = prefix
        self.epoch = b""
        # True until the node's status has arrived: at the beginning, and after a message with
        # another epoch.
        self.needs_snapshot = True
        self._history = history
        self._topics: dict[str, _Topic] = {}
        self._budget = _Budget()
        # Publications that arrived before the snapshot. If there are too many, the oldest show as a
        # gap.
        self._kept: Deque[Publication] = deque()
        self._kept_bytes = 0
        # A snapshot that waits for the events before it.
        self._waiting: Optional[Snapshot] = None
        # Whether the first snapshot is still to come to a reader that goes on in the same start of the node.
        self._goes_on = after is not None
        if after is not None:
            self.epoch = after.epoch
            for topic, number in after.numbers.items():
                if self._follows(topic):
                    self._topics[topic] = _Topic(after.epoch, topic, number, False, self._budget)

    def take(self, publication: Publication) -> list[Notice]:
        """Takes an event or a heartbeat."""
        if self.needs_snapshot or publication.header.epoch != self.epoch:
            self._keep(publication)
            self.needs_snapshot = True
            return []
        self._note(publication)
        return self._advance()

    def take_snapshot(self, status: messages.StatusReply, epoch: bytes) -> list[Notice]:
        """Takes the node's status, and the epoch of its reply.

        - Raises: `CameraBusError` if the reader's position lies behind the node's last events.
        """
        if self._goes_on and epoch == self.epoch:
            self._check_position(status)
            self._waiting = Snapshot(epoch, status)
            for told in status.topics:
                known = self._topic(told.topic) if self._follows(told.topic) else None
                if known:
                    known.snapshot = told.last_sequence
                    known.newest = max(known.newest, told.last_sequence)
        self._goes_on = False
        self.needs_snapshot = False
        kept, self._kept, self._kept_bytes = self._kept, deque(), 0
        for publication in kept:
            if publication.header.epoch == self.epoch:
                self._note(publication)
        if epoch == self.epoch:
            return self._advance()
        notices = self._abandon()
        if self.epoch:
            notices.append(Restarted(self.epoch, epoch))
        history = self._history or bool(self.epoch)
        self.epoch = epoch
        self._waiting = Snapshot(epoch, status)
        for topic in status.topics:
            if self._follows(topic.topic) and len(self._topics) < TOPICS:
                self._topics[topic.topic] = _Topic(
                    epoch, topic.topic, topic.last_sequence, history, self._budget)
        for publication in kept:
            if publication.header.epoch == epoch:
                self._note(publication)
        return notices + self._advance()

    def missing(self) -> list[Range]:
        """The events to ask the node for."""
        if self.needs_snapshot:
            return []
        return [Range(topic.text, *gap) for topic in self._topics.values() for gap in topic.gaps()]

    def take_replay(self, asked: list[Range], replay: messages.ReplayReply, epoch: bytes) -> list[Notice]:
        """Takes the reply to a replay of these ranges.

        Events that the node no longer has become `Lost`.
        """
        came = False
        if epoch == self.epoch:
            for replayed in replay.events:
                publication = _read(replayed)
                if publication and publication.header.epoch == epoch and self._follows(publication.topic.text):
                    came = self._note(publication, replayed=True) or came
        if not (replay.more and came):  # `more` without anything new would make us ask forever
            for gap in asked:
                if gap.topic in self._topics:
                    self._topics[gap.topic].give_up(gap.first, gap.last)
        return self._advance()

    def _check_position(self, status: messages.StatusReply) -> None:
        published = {topic.topic: topic.last_sequence for topic in status.topics}
        for text, topic in sorted(self._topics.items()):
            if topic.last > published.get(text, 0):
                raise invalid("after", f"the position names event {topic.last} of {text[6:-1]}, and the node has published "
                                       f"{published.get(text, 0)} since this start: give one that this node's events led to")

    def _follows(self, text: str) -> bool:
        topic = Topic.parse(text)
        return topic is not None and topic.kind == "event" and text.startswith(self.prefix)

    def _keep(self, publication: Publication) -> None:
        self._kept.append(publication)
        self._kept_bytes += _size(publication)
        while len(self._kept) > KEPT or self._kept_bytes > KEPT_BYTES:
            self._kept_bytes -= _size(self._kept.popleft())

    def _topic(self, text: str) -> Optional[_Topic]:
        if text not in self._topics and len(self._topics) < TOPICS:
            self._topics[text] = _Topic(self.epoch, text, 0, False, self._budget)
        return self._topics.get(text)

    def _note(self, publication: Publication, replayed: bool = False) -> bool:
        """Records a publication. Returns whether it brought anything new."""
        if publication.event is not None:
            known = self._topic(publication.topic.text)
            return known is not None and known.hold(publication, replayed)
        for topic in publication.heartbeat.topics if publication.heartbeat else ():
            if self._follows(topic.topic):
                known = self._topic(topic.topic)
                if known:
                    known.newest = max(known.newest, topic.last_sequence)
        return False

    def _advance(self) -> list[Notice]:
        notices: list[Notice] = []
        if self._waiting:
            for topic in self._topics.values():
                notices += topic.deliver(topic.snapshot)
            if all(topic.last >= topic.snapshot for topic in self._topics.values()):
                notices.append(self._waiting)
                self._waiting = None
        if not self._waiting:
            for topic in self._topics.values():
                notices += topic.deliver()
        return notices

    def _abandon(self) -> list[Notice]:
        """Ends an epoch: events that are still missing will never arrive."""
        notices: list[Notice] = []
        for topic in self._topics.values():
            topic.give_up(topic.last + 1, topic.newest)
        if self._topics:
            notices = self._advance()
        self._topics = {}
        self._budget = _Budget()
        self._waiting = None
        return notices


@dataclass
class _Budget:
    """The bytes of all events that are held."""

    held: int = 0


class _Topic:
    def __init__(self, epoch: bytes, text: str, snapshot: int, history: bool, budget: _Budget):
        self.epoch = epoch
        self.text = text
        # The last number that the snapshot includes.
        self.snapshot = snapshot
        # The last number that was delivered or lost.
        self.last = 0 if history else snapshot
        # The highest number that the node is known to have published.
        self.newest = snapshot
        self._held: dict[int, Published] = {}
        self._sizes: dict[int, int] = {}
        self._budget = budget
        self._gone: list[tuple[int, int]] = []

    def hold(self, publication: Publication, replayed: bool) -> bool:
        """Holds an event until its turn, if there is room. Returns whether it brought anything new."""
        number, size = publication.header.sequence, _size(publication)
        self.newest = max(self.newest, number)
        if number <= self.last or number in self._held or publication.event is None:
            return False
        # Replayed events come before held ones, so they get room that others do not have.
        if self._budget.held + size > KEPT_BYTES + (REPLAYED_BYTES if replayed else 0):
            return False
        self._held[number] = Published(self.epoch, self.text, number, publication.event, replayed)
        self._sizes[number] = size
        self._budget.held += size
        return True

    def gaps(self) -> list[tuple[int, int]]:
        """Ranges of events that have not arrived and are not given up."""
        return self._without(self.last + 1, self.newest)

    def give_up(self, first: int, last: int) -> None:
        self._gone = sorted(self._gone + self._without(max(first, self.last + 1), last))

    def deliver(self, through: Optional[int] = None) -> list[Notice]:
        """The notices that are now in order, up to a number."""
        notices: list[Notice] = []
        while through is None or self.last < through:
            number = self.last + 1
            if number in self._held:
                published = self._held.pop(number)
                self._budget.held -= self._sizes.pop(number)
                self.last = number
                # An event of an unknown kind, from a newer node, counts but is not delivered.
                if published.event.WhichOneof("body"):
                    notices.append(published)
            elif self._gone and self._gone[0][0] == number:
                first, self.last = self._gone.pop(0)
                notices.append(Lost(self.epoch, self.text, first, self.last))
            else:
                break
        return notices

    def _without(self, first: int, last: int) -> list[tuple[int, int]]:
        known = [(number, number) for number in self._held] + self._gone
        gaps = []
        for start, end in sorted(known):
            if end < first or start > last:
                continue
            if start > first:
                gaps.append((first, start - 1))
            first = end + 1
        if first <= last:
            gaps.append((first, last))
        return gaps


def _size(publication: Publication) -> int:
    message = publication.event or publication.heartbeat
    return OVERHEAD + (message.ByteSize() if message is not None else 0)


def _read(replayed: messages.Replayed) -> Optional[Publication]:
    try:
        publication = read_publication([replayed.topic.encode(), replayed.header, replayed.payload])
    except Malformed:
        return None
    return publication if publication and publication.event is not None else None
