"""One trial: its random numbers, its figures and its verdict."""

import random
import statistics


class Trial:
    """What a trial is given, and where it says what it saw."""

    def __init__(self, name, seed, is_short, rounds=None):
        self.name = name
        self.random = random.Random(f"{name} {seed}")
        self.is_short = is_short
        self._rounds = rounds

    def rounds(self, full, short):
        """How often to do it: as the command line says, else by the form asked for."""
        return self._rounds or self.pick(full, short)

    def pick(self, full, short):
        return short if self.is_short else full

    def figure(self, text):
        """Says what was seen."""
        print(f"  {text}", flush=True)

    def chance(self, statistic, those, others, shuffles=2000):
        """How likely `statistic(those, others)` would be as high if it were chance who is one of those."""
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
    """The longest time between two moments in which nothing came."""
    edges = [start, *moments, end]
    return max(later - earlier for earlier, later in zip(edges, edges[1:]))
