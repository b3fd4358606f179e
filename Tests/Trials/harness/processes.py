"""Reads what a process uses from /proc, and follows the output of programs while they run."""

import json
import os
import signal
import subprocess
import threading
from pathlib import Path

from .record import PATIENCE, Record


def memory_of(pid):
    """The resident memory of a process, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"the process {pid} is gone")


def cpu_seconds_of(pid):
    """The processor time a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors_of(pid):
    """The open descriptors of a process: for each a path, or a name such as `socket:[4711]`."""
    targets = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            targets.append(os.readlink(link))
        except FileNotFoundError:
            pass  # it was closed after it had been listed
    return targets


def threads_of(pid):
    return len(list(Path(f"/proc/{pid}/task").iterdir()))


class UseSampler:
    """Measures the most memory, descriptors and threads of a process inside a `with` statement, five
    times a second.
    """

    def __init__(self, pid):
        self.pid = pid
        self.memory = self.descriptors = self.threads = 0
        self._look()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def _sample(self):
        while not self._ended.wait(0.2):
            self._look()

    def _look(self):
        self.memory = max(self.memory, memory_of(self.pid))
        self.descriptors = max(self.descriptors, len(descriptors_of(self.pid)))
        self.threads = max(self.threads, threads_of(self.pid))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        self._look()


class Follower(Record):
    """Starts a program that prints JSON objects, and records them while it runs."""

    def __init__(self, command, log=None):
        super().__init__(" ".join(str(word) for word in command[:2]))
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=log, text=True)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        for line in self.process.stdout:
            self.add(json.loads(line))
        self.end("it ended")

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def finish(self, patience=PATIENCE):
        """Interrupts the program as Ctrl-C does, and waits for its end.

        Then `seen` has all its output.
        """
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.join(patience)

    def join(self, patience=PATIENCE):
        """Waits until the program ends by itself, and returns its status."""
        status = self.process.wait(patience)
        self._thread.join(patience)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.join()
