"""Checks that a list of assets comes to an end. It does no I/O."""

from __future__ import annotations

from . import messages
from .errors import CameraBusError, Code

# How many assets may have the same time of creation. It is given in nanoseconds, so few have it.
AT_ONE_TIME = 10_000


class Listing:
    """Follows the pages of a list. Each must lead on, or else a faulty node would never let it end."""

    def __init__(self) -> None:
        # The last one only, so that a list that gets older for ever takes no memory here.
        self._cursor = b""
        self._time = 2 ** 63
        # The assets that were created at that time.
        self._ids: set[bytes] = set()

    def check(self, page: messages.AssetsReply) -> None:
        """Takes the next page.

        - Raises: `CameraBusError` if its assets do not come after those before, if it has none but
          says that more follow, or if it continues where the page before did.
        """
        for asset in page.assets:
            if asset.created_wall_ns < self._time:
                self._time = asset.created_wall_ns
                self._ids.clear()
            elif asset.created_wall_ns > self._time or asset.id in self._ids or len(self._ids) >= AT_ONE_TIME:
                raise _endless("its assets do not get older")
            self._ids.add(asset.id)
        if page.next:
            if not page.assets:
                raise _endless("a page is empty, but more are to follow")
            if page.next == self._cursor:
                raise _endless("two pages continue at the same place")
            self._cursor = page.next


def _endless(reason: str) -> CameraBusError:
    return CameraBusError(
        Code.CORRUPT, f"the node sends a list without end ({reason}): update the node, or use assets() with filters")
