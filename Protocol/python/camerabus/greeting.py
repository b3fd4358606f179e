"""Asks what answers at an endpoint whether it requires a key.

libzmq's own handshake does not always tell: a node with keys that has read the greeting of a client
without closes the connection, often before it has sent its own.
"""

from __future__ import annotations

import re
import socket
import time

# How long to wait for the greeting, seconds.
PATIENCE = 1.0
# The beginning of a greeting, up to the version (RFC 37): the other side then sends the rest of its
# own.
_GREETING = b"\xff\0\0\0\0\0\0\0\1\x7f\x03"
# Where the name of the mechanism is in a greeting.
_MECHANISM = slice(12, 32)


def requires_key(endpoint: str) -> bool:
    """Whether a program that speaks ZeroMQ and requires CURVE answers at a tcp endpoint."""
    address = re.fullmatch(r"tcp://\[?([^\]]+)\]?:(\d+)", endpoint)
    if not address:
        return False
    deadline = time.monotonic() + PATIENCE
    answer = b""
    try:
        with socket.create_connection((address[1], int(address[2])), PATIENCE) as peer:
            peer.sendall(_GREETING)
            while len(answer) < _MECHANISM.stop and (left := deadline - time.monotonic()) > 0:
                peer.settimeout(left)
                piece = peer.recv(64)
                if not piece:
                    break
                answer += piece
    except OSError:
        return False
    return answer[_MECHANISM].rstrip(b"\0") == b"CURVE"
