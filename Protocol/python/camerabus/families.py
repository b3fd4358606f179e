"""Finds by which of its addresses a name reaches a node.

libzmq knows the first address of one family only, and a name may have addresses of IPv4 and IPv6.
"""

from __future__ import annotations

import re
import socket

# How long one address may take to answer, seconds.
PATIENCE = 1.0
_NAME = re.compile(r"tcp://([^\[\]]*[^\[\]0-9.][^\[\]]*):(\d+)")


def is_name(endpoint: str) -> bool:
    """Whether the endpoint's host is a name, which may have several addresses."""
    return _NAME.fullmatch(endpoint) is not None


def reached(endpoint: str) -> str:
    """The endpoint, or one of the IPv6 addresses of its name, if only that answers. It may take seconds."""
    match = _NAME.fullmatch(endpoint)
    if not match:
        return endpoint
    try:
        addresses = socket.getaddrinfo(match[1], int(match[2]), type=socket.SOCK_STREAM)
    except OSError:
        return endpoint
    others = [address for family, _, _, _, address in addresses if family == socket.AF_INET6]
    hosts = [socket.getnameinfo(address, socket.NI_NUMERICHOST | socket.NI_NUMERICSERV)[0] for address in others]
    if hosts and len(hosts) < len(addresses) and _answers(match[1], int(match[2]), socket.AF_INET):
        return endpoint
    for host in hosts:
        if len(hosts) == len(addresses) == 1 or _answers(host, int(match[2]), socket.AF_INET6):
            return f"tcp://[{host}]:{match[2]}"
    return endpoint


def _answers(host: str, port: int, family: int) -> bool:
    try:
        addresses = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM)
        with socket.socket(family, socket.SOCK_STREAM) as peer:
            peer.settimeout(PATIENCE)
            peer.connect(addresses[0][4])
            return True
    except OSError:
        return False
