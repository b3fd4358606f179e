"""Machines of a rig: each has a network, an address and a monotonic clock of its own."""

import contextlib
import itertools
import subprocess
import sys
import time
from pathlib import Path

from harness.record import PATIENCE

from .space import Forbidden, run

BRIDGE = "rig"
# How far a clock is ahead, at most, in nanoseconds: twelve days. It cannot be before the machine's start.
FAR = 10 ** 15


# The interfaces of a machine that has ended may stay for a moment.
_NUMBERS = itertools.count()


@contextlib.contextmanager
def network():
    """The switch that connects all machines with this process's network."""
    run("ip", "link", "add", BRIDGE, "type", "bridge", "forward_delay", "0")
    try:
        run("ip", "addr", "add", "10.77.255.254/16", "dev", BRIDGE)
        run("ip", "link", "set", BRIDGE, "up")
        yield
    finally:
        run("ip", "link", "delete", BRIDGE)


def some_offset(chance):
    """A random offset for the clock of a machine."""
    return chance.randrange(-time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 2, FAR)


class Machine:
    """A machine for a `with` statement. `offset` is by how much its clock is ahead of ours, in nanoseconds; nothing that
    runs on it can know that.
    """

    def __init__(self, number, offset):
        assert 0 <= number < 200 * 250, "a rig has at most 50000 machines"
        self.offset = offset
        self.address = f"10.77.{number // 200}.{number % 200 + 1}"
        self._name = f"machine{next(_NUMBERS)}"

    def __enter__(self):
        holder = Path(__file__).with_name("holder.py")
        self._holder = subprocess.Popen(
            [sys.executable, "-E", "-S", str(holder), str(self.offset)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        try:
            said = self._holder.stdout.readline().strip()
            if said != "ready":
                raise Forbidden(f"no clocks of their own for the machines here ({said})")
            run("ip", "-batch", "-", text=f"link add {self._name} type veth peer name eth0 netns {self._holder.pid}\n"
                f"link set {self._name} master {BRIDGE} up\n")
            run(*self.command("ip", "-batch", "-"), text=f"link set lo up\naddr add {self.address}/16 dev eth0\nlink set eth0 up\n")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._holder.stdin.close()
        self._holder.stdout.close()
        self._holder.wait(PATIENCE)

    @property
    def pid(self):
        return self._holder.pid

    def command(self, *words):
        """The command that runs another one on this machine. Its process has the same id, and is killed with ours."""
        place = f"/proc/{self._holder.pid}/ns"
        return ["nsenter", f"--net={place}/net", f"--time={place}/time_for_children", "--",
                "setpriv", "--pdeathsig", "KILL", "--", *map(str, words)]
