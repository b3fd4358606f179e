"""Reads and writes the parts of ZeroMQ messages, without I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, Optional, Sequence, TypeVar, Union

from google.protobuf.message import DecodeError, Message

from . import messages

SIGNATURE = b"CB1"
MAXIMUM_PART = 1 << 20

M = TypeVar("M", bound=Message)

_TOPIC = re.compile(
    r"heartbeat/"
    r"|(?P<frame>frame)/(?P<sender>[A-Za-z0-9_-]{1,32})/(?P<stream>preview|full|raw|h264|[1-9]\d{1,3}x[1-9]\d{1,3})/"
    r"|(?P<event>event)/(?P<camera>[A-Za-z0-9_-]{1,32})/"
    r"(?P<kind>state|control|capture|deferred|recording|capabilities|subject_area|keys|devices|pressure|shot|library|sound)/",
    re.ASCII)


class Malformed(ValueError):
    """The parts are not a message of this protocol."""


class Topic(NamedTuple):
    """A parsed topic.

    `name` is the stream or the kind of event; `camera` and `name` are empty for heartbeats.
    """

    text: str
    kind: str
    camera: str = ""
    name: str = ""

    @classmethod
    def parse(cls, text: Union[str, bytes]) -> Optional[Topic]:
        """Returns None for a topic that this version does not know; ignore its messages."""
        if isinstance(text, bytes):
            try:
                text = text.decode("ascii")
            except UnicodeDecodeError:
                return None
        match = _TOPIC.fullmatch(text)
        if not match:
            return None
        if match["event"]:
            return cls(text, "event", match["camera"], match["kind"])
        if not match["frame"]:
            return cls(text, "heartbeat")
        stream = match["stream"]
        if "x" in stream and not all(16 <= int(side) <= 8192 for side in stream.split("x")):
            return None
        return cls(text, "frame", match["sender"], stream)


@dataclass(frozen=True)
class Publication:
    """A message of the events or frames socket.

    Exactly one of `event`, `heartbeat` and `frame` is set.
    """

    topic: Topic
    header: messages.Header
    event: Optional[messages.Event] = None
    heartbeat: Optional[messages.Heartbeat] = None
    frame: Optional[bytes] = None


def write_request(request: messages.Request) -> list[bytes]:
    return [SIGNATURE, request.SerializeToString()]


def read_request(parts: Sequence[bytes]) -> messages.Request:
    """For nodes: the tests use it in a fake node."""
    return _read_signed(parts, messages.Request())


def write_reply(reply: messages.Reply, attachment: Optional[bytes] = None) -> list[bytes]:
    """For nodes: the tests use it in a fake node."""
    return [SIGNATURE, reply.SerializeToString()] + ([] if attachment is None else [attachment])


def read_reply(parts: Sequence[bytes]) -> tuple[messages.Reply, Optional[bytes]]:
    return _read_signed(parts, messages.Reply()), parts[2] if len(parts) > 2 else None


def write_publication(topic: str, header: messages.Header, payload: Union[Message, bytes]) -> list[bytes]:
    """For nodes: the tests use it in a fake node."""
    content = payload if isinstance(payload, bytes) else payload.SerializeToString()
    return [topic.encode(), header.SerializeToString(), content]


def read_publication(parts: Sequence[bytes]) -> Optional[Publication]:
    """Returns None if this version does not know the topic."""
    topic = Topic.parse(parts[0]) if parts else None
    if topic is None:
        return None
    if len(parts) < 3:
        raise Malformed(f"{topic.text} has {len(parts)} parts instead of 3")
    header = _read(parts[1], messages.Header())
    if topic.kind == "event":
        return Publication(topic, header, event=_read(parts[2], messages.Event()))
    if topic.kind == "heartbeat":
        return Publication(topic, header, heartbeat=_read(parts[2], messages.Heartbeat()))
    return Publication(topic, header, frame=parts[2])


def _read_signed(parts: Sequence[bytes], message: M) -> M:
    if len(parts) < 2 or parts[0] != SIGNATURE:
        raise Malformed("not CB1 and a message")
    return _read(parts[1], message)


def _read(data: bytes, message: M) -> M:
    try:
        length = message.ParseFromString(data)
    except DecodeError as error:
        raise Malformed(str(error)) from error
    # Protobuf only warns of bytes behind a stray mark of an end.
    if length != len(data):
        raise Malformed("not all bytes belong to the message")
    return message
