"""What a process uses, read from /proc, and programs that are followed while they run."""

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path

PATIENCE = 90  # seconds until something that must happen counts as hung; machines may be busy


def memory_of(pid):
    """The bytes of memory a process holds."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"the process {pid} is gone")


def cpu_seconds_of(pid):
    """The processor time a process has used, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors_of(pid):
    """What a process has open: a path, or words such as `socket:[4711]`, for each descriptor."""
    targets = []
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            targets.append(os.readlink(link))
        except FileNotFoundError:
            pass  # closed since it was listed
    return targets


class MemorySampler:
    """The most memory a process held inside of a `with`, looked at five times a second."""

    def __init__(self, pid):
        self.pid = pid
        self.highest = memory_of(pid)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def _sample(self):
        while not self._ended.wait(0.2):
            self.highest = max(self.highest, memory_of(self.pid))

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()
        self.highest = max(self.highest, memory_of(self.pid))


class Follower:
    """A program that prints JSON objects, followed while it runs: each is kept with the moment it came."""

    def __init__(self, command, log=None):
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=log, text=True)
        self.objects = []
        self._changed = threading.Condition()
        self._is_over = False
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        for line in self.process.stdout:
            item = (time.monotonic(), json.loads(line))
            with self._changed:
                self.objects.append(item)
                self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def wait_for(self, is_wanted, what, start=0, patience=PATIENCE):
        """The first object from the given place on that is wanted, with its moment; waits until it comes."""
        limit = time.monotonic() + patience
        with self._changed:
            while True:
                for item in self.objects[start:]:
                    if is_wanted(item[1]):
                        return item
                start = max(start, len(self.objects))
                assert not self._is_over, f"{self.process.args} ended before {what}"
                assert self._changed.wait(limit - time.monotonic()), f"no {what} in {patience} s"

    def wait_for_count(self, count, patience=PATIENCE):
        """Waits until so many objects have come."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self.objects) >= count or self._is_over, patience)
        assert came and len(self.objects) >= count, f"{len(self.objects)} objects instead of {count}"

    def pause(self):
        self.process.send_signal(signal.SIGSTOP)

    def resume(self):
        self.process.send_signal(signal.SIGCONT)

    def finish(self, patience=PATIENCE):
        """Interrupts the program as Ctrl-C does, and waits for its end; all it said is in `objects` then."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.join(patience)

    def join(self, patience=PATIENCE):
        """Waits for the program's end by itself; its status."""
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
