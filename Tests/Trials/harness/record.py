"""A record of things and their times. One thread adds to it, and another waits for things."""

import threading
import time

# Seconds until something that must happen counts as hung. It is long because machines may be busy.
PATIENCE = 90


class Record:
    """Records things: `seen` has (moment, thing) for each, in the order in which they came."""

    def __init__(self, name):
        self.name = name
        self.seen = []
        self._changed = threading.Condition()
        self._end = None  # why nothing more will come

    def add(self, thing):
        with self._changed:
            self.seen.append((time.monotonic(), thing))
            self._changed.notify_all()

    def end(self, reason):
        with self._changed:
            self._end = reason
            self._changed.notify_all()

    def wait_for(self, is_wanted, what, start=0, patience=PATIENCE):
        """Waits for the first wanted thing from the index `start` on. Returns (moment, thing)."""
        limit = time.monotonic() + patience
        with self._changed:
            while True:
                for moment, thing in self.seen[start:]:
                    if is_wanted(thing):
                        return moment, thing
                start = max(start, len(self.seen))
                self._wait(limit, what)

    def wait_until(self, is_so, what, patience=PATIENCE):
        """Waits until the condition holds; checks it again after each thing."""
        limit = time.monotonic() + patience
        with self._changed:
            while not is_so():
                self._wait(limit, what)

    def wait_for_count(self, count, patience=PATIENCE):
        """Waits until this many things have come in total."""
        self.wait_until(lambda: len(self.seen) >= count, f"{count} things", patience)

    def wait_for_more(self, count):
        """Waits until this many more things have come."""
        self.wait_for_count(len(self.seen) + count)

    def between(self, start, end):
        """The moments at which something came, from `start` to `end`."""
        return [moment for moment, _ in self.seen if start <= moment <= end]

    def _wait(self, limit, what):
        assert not self._end, f"{self.name}: no {what}, but {self._end}"
        left = limit - time.monotonic()
        assert left > 0 and self._changed.wait(left), f"{self.name}: no {what} in time, {len(self.seen)} others"
