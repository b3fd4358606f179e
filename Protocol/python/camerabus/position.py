"""How far a program has come in a node's events, to go on there later."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from . import messages
from .errors import invalid, shown
from .framing import Topic

# The most cameras and kinds that a position names.
_MOST = 4096
_LARGEST = 2 ** 64 - 2
_ENTRY = re.compile(r"(?P<camera>[A-Za-z0-9_-]{1,32})/(?P<kind>[A-Za-z_]{1,40})=(?P<number>[0-9]{1,20})")


@dataclass
class EventPosition:
    """A start of a node, and the number of the last event that was read of each topic.

    A node counts the events of each topic by themselves, and from 1 after each start. Topics that a position does not
    name count as 0: nothing of them was read. Begin with `EventPosition.of(snapshot.epoch, snapshot.status)`, and set
    `numbers[topic]` to the number of what was read. As text it is `EPOCH:front/capture=12,front/state=3`.
    """

    epoch: bytes
    numbers: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, epoch: bytes, status: messages.StatusReply) -> EventPosition:
        """The last events that a status includes."""
        return cls(epoch, {topic.topic: topic.last_sequence for topic in status.topics[:_MOST] if _is_event(topic.topic)})

    @classmethod
    def parse(cls, text: object) -> EventPosition:
        """Reads the text form.

        - Raises: `CameraBusError` for anything else.
        """
        epoch, _, rest = text.partition(":") if isinstance(text, str) else ("", "", "")
        entries = [_ENTRY.fullmatch(entry) for entry in rest.split(",")] if rest else []
        numbers = {}
        for entry in entries[:_MOST]:
            # Kinds may also be written as the JSON of camctl names them: subjectArea.
            kind = re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", entry["kind"]) if entry else ""
            topic = f"event/{entry['camera']}/{kind}/" if entry else ""
            if entry is None or not _is_event(topic) or int(entry["number"]) > _LARGEST or topic in numbers:
                raise _mistake(text)
            numbers[topic] = int(entry["number"])
        if not re.fullmatch("[0-9a-fA-F]{32}", epoch) or len(entries) > _MOST:
            raise _mistake(text)
        return cls(bytes.fromhex(epoch), numbers)

    def __str__(self) -> str:
        numbers = ",".join(f"{topic[6:-1]}={number}" for topic, number in sorted(self.numbers.items()))
        return f"{self.epoch.hex()}:{numbers}" if numbers else self.epoch.hex()


def _is_event(text: str) -> bool:
    topic = Topic.parse(text)
    return topic is not None and topic.kind == "event"


def _mistake(text: object) -> Exception:
    return invalid("after", f"{shown(text)} is no position: give EPOCH:CAMERA/KIND=N,…, as EventPosition prints it")
