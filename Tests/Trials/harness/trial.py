"""One trial: its random numbers and its figures."""

import random
import statistics
import traceback
from pathlib import Path


class Trial:
    """The parameters of a trial, and the methods by which it reports figures."""

    def __init__(self, name, seed, is_short, rounds=None):
        self.name = name
        self.random = random.Random(f"{name} {seed}")
        self.is_short = is_short
        self._rounds = rounds

    def rounds(self, full, short):
        """How many rounds to run: the number on the command line, else by the full or short form.
        """
        return self._rounds or self.pick(full, short)

    def pick(self, full, short):
        return short if self.is_short else full

    def figure(self, text):
        """Prints what was seen."""
        print(f"  {text}", flush=True)

    def chance(self, statistic, those, others, shuffles=2000):
        """How likely `statistic(those, others)` is at least as high if values are assigned to both
        groups at random.
        """
        seen = statistic(those, others)
        everyone = [*those, *others]
        hits = 0
        for _ in range(shuffles):
            self.random.shuffle(everyone)
            hits += statistic(everyone[:len(those)], everyone[len(those):]) >= seen
        return hits / shuffles


def percentile(values, share):
    """The value that this share of all values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def ratio_of_medians(those, others):
    return statistics.median(those) / statistics.median(others)


def megabytes(count):
    return f"{count / 1e6:.1f} MB"


def longest_pause(moments, start, end):
    """The longest pause between two arrivals, from `start` to `end`."""
    edges = [start, *moments, end]
    return max(later - earlier for earlier, later in zip(edges, edges[1:]))


def reason_of(error):
    """The error in one line, with the lines of the trials that raised it."""
    places = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return f"{' > '.join(places[1:])}: {type(error).__name__}: {' '.join(str(error).split())}"
