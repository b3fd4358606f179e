"""Puts what comes from several nodes into one order by time. It does no I/O."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Deque, Generic, Optional, TypeVar

T = TypeVar("T")

# About how many elements are held in all, and the fewest and the most of a lane.
_TOTAL, _FEWEST, _MOST = 8192, 16, 1024
_NEVER = -2 ** 63


@dataclass
class _Held(Generic[T]):
    element: T
    time: int


class EventMerge(Generic[T]):
    """Each lane's elements stay in their order. Times are nanoseconds of this machine's clock.

    An element is held back until the window is over, counted from its time, so that one of another lane that happened
    before it and took longer to arrive still comes first. An element of an earlier time than one that was handed out
    is late.
    """

    def __init__(self, lanes: int, window: int, beginning: int = _NEVER, total: int = _TOTAL):
        """Nothing is handed out before `beginning`, unless all lanes have begun or one is full."""
        # A lane alone is in order.
        self._window = window if lanes > 1 else 0
        self.limit = max(_FEWEST, min(_MOST, total // max(1, lanes)))
        self._lanes: list[Deque[_Held[T]]] = [deque() for _ in range(lanes)]
        self._latest = _NEVER
        self._unsettled = set(range(lanes))
        self._beginning = beginning

    def is_full(self, lane: int) -> bool:
        return len(self._lanes[lane]) >= self.limit

    def add(self, element: T, lane: int, time: int, arrived: int) -> None:
        """Takes an element. Its time counts as that of its arrival if it is later than that."""
        self._lanes[lane].append(_Held(element, min(time, arrived)))

    def settle(self, lane: int) -> None:
        """Notes that what the lane has of the past was added."""
        self._unsettled.discard(lane)

    @property
    def due(self) -> Optional[int]:
        """When `next` has something if nothing else comes; None while it holds nothing."""
        first = self._first()
        if first is None:
            return None
        due = self._lanes[first][0].time + self._window
        is_beginning = self._unsettled and not any(map(self.is_full, range(len(self._lanes))))
        return max(due, self._beginning) if is_beginning else due

    def next(self, now: int) -> Optional[tuple[T, int, bool]]:
        """The next element whose time has come, its lane, and whether it is late."""
        due, first = self.due, self._first()
        if due is None or first is None or due > now:
            return None
        held = self._lanes[first].popleft()
        is_late = held.time < self._latest
        self._latest = max(self._latest, held.time)
        return held.element, first, is_late

    def _first(self) -> Optional[int]:
        lanes = [(held[0].time, lane) for lane, held in enumerate(self._lanes) if held]
        return min(lanes)[1] if lanes else None
