"""Finds nodes that announce themselves by multicast DNS (`camerad --announce`).

What a node says is a claim, which anybody in the network can make: the keys that this user has give trust.
"""

from __future__ import annotations

import enum
import hashlib
import ipaddress
import queue
import time
from dataclasses import dataclass
from typing import Any, Optional

from . import arguments
from .credentials import known_nodes
from .errors import CameraBusError, Code

_TYPE = "_camerabus._tcp.local."
_MOST_NODES = 256
_MOST_ENDPOINTS = 16
# The most entries of a TXT record that are read.
_MOST_ENTRIES = 32
# How long one service may keep the others waiting, seconds.
_TURN = 0.2


class Trust(enum.Enum):
    """What this user's keys say of a candidate."""

    # It claims the key of a node that this user knows.
    TRUSTED = "trusted"
    # It has the endpoint or the name of a node that this user knows, and not its key.
    WRONG_KEY = "wrongKey"
    # This user has no key for it.
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class NodeCandidate:
    """A node that announces itself. Only a connection proves what it says of its key."""

    # One line of at most 64 printable characters.
    name: str
    # The control endpoints, at least one.
    endpoints: tuple[str, ...]
    # The version of the protocol and the release of CameraBus; None if it says none.
    protocol_version: Optional[int]
    release: Optional[str]
    # The SHA-256 digest of its public key in hexadecimal; None if it says none.
    fingerprint: Optional[str]
    # Whether it needs a key; None if it does not say so.
    needs_key: Optional[bool]
    trust: Trust
    # This user's name for the node that `trust` speaks of.
    known_as: Optional[str] = None


@dataclass(frozen=True)
class Announcement:
    """What the TXT record of a node says. What is missing, too long or wrong counts as not said."""

    name: Optional[str] = None
    protocol_version: Optional[int] = None
    release: Optional[str] = None
    fingerprint: Optional[str] = None
    needs_key: Optional[bool] = None

    @classmethod
    def read(cls, record: bytes) -> Announcement:
        values: dict[str, str] = {}
        place, count = 0, 0
        while place < len(record) and count < _MOST_ENTRIES:
            entry = record[place + 1:place + 1 + record[place]]
            place, count = place + 1 + record[place], count + 1
            key, separator, value = entry.partition(b"=")
            try:
                # The first one counts (RFC 6763, section 6.4).
                if separator:
                    values.setdefault(key.decode().lower(), value.decode())
            except UnicodeDecodeError:
                continue
        protocol, digits = values.get("protocol", ""), values.get("key", "").lower()
        has_key = len(digits) == 64 and all(digit in "0123456789abcdef" for digit in digits)
        is_number = protocol.isascii() and protocol.isdigit() and int(protocol[:6]) < 65536 and len(protocol) < 6
        return cls(
            _printable(values.get("name"), 64), int(protocol) if is_number else None, _printable(values.get("release"), 32),
            digits if has_key else None, True if has_key else False if values.get("key") == "none" else None)


def _printable(text: Optional[str], most: int) -> Optional[str]:
    return text if text and len(text) <= most and text.isprintable() and not text.isspace() else None


def fingerprint(key: str) -> str:
    """The SHA-256 digest of a public key of 40 characters, as nodes announce it."""
    import zmq.utils.z85

    return hashlib.sha256(zmq.utils.z85.decode(key)).hexdigest()


def discover(timeout: float = 2.0, count: Optional[int] = None) -> list[NodeCandidate]:
    """Looks for nodes for `timeout` seconds, or until there are `count` of them, and connects to none.

    It asks over IPv4 and needs no Avahi on this machine, but the package zeroconf. It blocks: in asyncio
    call it by `asyncio.to_thread`. At most 256 nodes are listed, by their names.
    """
    limit = arguments.timeout("timeout", timeout)
    wanted = None if count is None else arguments.whole("count", count, _MOST_NODES, 1)
    try:
        import zeroconf  # type: ignore[import-not-found]
    except ImportError as error:
        raise CameraBusError(
            Code.NOT_INSTALLED, "discovery needs zeroconf: pip install 'Protocol/python[discovery]'") from error
    known = {name: (control, fingerprint(key)) for name, (control, key) in known_nodes().items()}
    try:
        network: Any = zeroconf.Zeroconf()
    except OSError as error:
        raise CameraBusError(
            Code.UNREACHABLE, f"multicast DNS does not work on this machine ({error.strerror}): connect it to a network") from error
    try:
        return _Search(zeroconf, network, known).run(time.monotonic() + limit, wanted)
    finally:
        network.close()


class _Search:
    """A search. zeroconf tells on its own thread which services come and go."""

    def __init__(self, zeroconf: Any, network: Any, known: dict[str, tuple[str, str]]) -> None:
        self._zeroconf, self._network, self._known = zeroconf, network, known
        self._news: queue.SimpleQueue[tuple[str, bool]] = queue.SimpleQueue()
        # The services that are asked for, in this order, and those that are nodes.
        self._asked: dict[str, None] = {}
        self._nodes: dict[str, NodeCandidate] = {}
        zeroconf.ServiceBrowser(network, _TYPE, handlers=[self._hear])

    def _hear(self, *, name: str, state_change: Any, **_: object) -> None:
        self._news.put((name, state_change is not self._zeroconf.ServiceStateChange.Removed))

    def run(self, end: float, count: Optional[int]) -> list[NodeCandidate]:
        while True:
            left = end - time.monotonic()
            if left <= 0 or (count is not None and len(self._nodes) >= count):
                return sorted(self._nodes.values(), key=lambda node: (node.name, node.endpoints))
            # One that does not answer has a turn, and then goes to the end.
            if self._asked and self._news.empty():
                self._ask(next(iter(self._asked)), min(left, _TURN))
            else:
                try:
                    self._take(*self._news.get(timeout=left))
                except queue.Empty:
                    continue

    def _take(self, name: str, is_there: bool) -> None:
        if not is_there:
            self._asked.pop(name, None)
            self._nodes.pop(name, None)
        elif name in self._nodes or name in self._asked or len(self._nodes) + len(self._asked) < _MOST_NODES:
            self._ask(name, 0)

    def _ask(self, name: str, patience: float) -> None:
        """Takes a service as it is known, or as it answers within so many seconds."""
        self._asked.pop(name, None)
        try:
            info = self._zeroconf.ServiceInfo(_TYPE, name)
            if not info.load_from_cache(self._network) and not (patience and info.request(self._network, patience * 1000)):
                self._asked[name] = None
                return
            addresses = info.parsed_addresses(self._zeroconf.IPVersion.V4Only)
            node = self._candidate(name[:-len(_TYPE) - 1], info.text or b"", addresses, info.port or 0)
        except self._zeroconf.Error:
            # It has no name that a service can have.
            node = None
        if node:
            self._nodes[name] = node
        else:
            self._nodes.pop(name, None)

    def _candidate(self, service: str, record: bytes, addresses: list[str], port: int) -> Optional[NodeCandidate]:
        endpoints = tuple(sorted(f"tcp://{address}:{port}" for address in set(addresses) if _is_reachable(address)))
        if not endpoints or not 0 < port < 65536:
            return None
        said = Announcement.read(record)
        trust, known_as = self._judge(said, endpoints)
        return NodeCandidate(
            said.name or _printable(service, 63) or "?", endpoints[:_MOST_ENDPOINTS], said.protocol_version, said.release,
            said.fingerprint, said.needs_key, trust, known_as)

    def _judge(self, said: Announcement, endpoints: tuple[str, ...]) -> tuple[Trust, Optional[str]]:
        for name, (_, digest) in sorted(self._known.items()):
            if said.fingerprint == digest:
                return Trust.TRUSTED, name
        for name, (control, _) in sorted(self._known.items()):
            if control in endpoints or name == said.name:
                return Trust.WRONG_KEY, name
        return Trust.UNKNOWN, None


def _is_reachable(address: str) -> bool:
    """Whether another machine can have this address of IPv4."""
    first = ipaddress.IPv4Address(address).packed[0]
    return 0 < first < 224 and first != 127
