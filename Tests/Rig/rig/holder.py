"""Holds the namespaces of one machine of a rig: holder.py OFFSET, in nanoseconds.

The machine's monotonic clock is ahead of this one by the offset. It prints `ready`, or `without a clock: REASON` where there
are no time namespaces, and ends with its input, so that nothing is left of a harness that was killed.
"""

import sys
from pathlib import Path

from space import NEW_NETWORK, NEW_TIME, unshare


def clock_of_its_own(offset):
    """Makes a time namespace for processes that enter it later. Returns why there is none."""
    seconds, nanoseconds = divmod(offset, 10 ** 9)
    try:
        unshare(NEW_TIME)
        # Processes cannot see these numbers: the file tells only those of the namespace of its reader.
        Path("/proc/self/timens_offsets").write_text(
            f"monotonic {seconds} {nanoseconds}\nboottime {seconds} {nanoseconds}\n")
    except OSError as error:
        return str(error)
    return None


def main():
    unshare(NEW_NETWORK)
    reason = clock_of_its_own(int(sys.argv[1]))
    print(f"without a clock: {reason}" if reason else "ready", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
