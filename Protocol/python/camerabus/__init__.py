"""A small CameraBus client in Python, written from the protocol's specification alone."""

from . import messages
from .bus import CameraBus
from .controls import from_wire as value_of
from .errors import CameraBusError, Code
from .frames import Frame, FrameCount, FrameStream
from .monitor import Monitor
from .photo import Capture, Photo
from .tracker import Disconnected, Lost, Notice, Published, Range, Reconnected, Restarted, Snapshot
from .when import NEXT, NOW, When, at_monotonic, at_wall, no_older_than, past

__all__ = [
    "CameraBus", "CameraBusError", "Capture", "Code", "Disconnected", "Frame", "FrameCount", "FrameStream", "Lost",
    "Monitor", "NEXT", "NOW", "Notice", "Photo", "Published", "Range", "Reconnected", "Restarted", "Snapshot", "When",
    "at_monotonic", "at_wall", "messages", "no_older_than", "past", "value_of",
]
