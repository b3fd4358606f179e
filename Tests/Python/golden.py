"""The golden messages of the protocol: `Protocol/vectors`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PROTOCOL = Path(__file__).resolve().parents[2] / "Protocol"


def vectors(name: str) -> Any:
    """What the file of this name states."""
    return json.loads((PROTOCOL / "vectors" / f"{name}.json").read_text())


def parts_of(vector: dict[str, Any]) -> list[bytes]:
    """The parts of a vector's message."""
    return [bytes.fromhex(part) for part in vector["parts"]]


def messages(name: str) -> list[list[bytes]]:
    """The parts of every message in the file of this name."""
    return [parts_of(vector) for vector in vectors(name)]
