"""A real `camerad` that trials start, kill and start again."""

import contextlib
import json
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from .processes import Follower, cpu_seconds_of, descriptors_of, memory_of
from .record import PATIENCE

REPOSITORY = Path(__file__).resolve().parents[3]
PROGRAMS = Path(os.environ.get("CAMERABUS_PROGRAMS") or REPOSITORY / ".build" / "release")
READY = re.compile(r"camerad: ready control=(\S+) events=(\S+) frames=(\S+)\n")


class Node:
    """A node for a `with` statement: `Node("cam=synthetic:640x360@30")`.

    It takes free ports at its first start and keeps them, as it keeps its library, whenever it starts again.
    """

    def __init__(self, *cameras, options=(), library=None):
        self.cameras = cameras
        self.options = options
        self.control = self.events = self.frames = "tcp://127.0.0.1:0"
        self.library = library
        self.process = None

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="camerabus-trial-")))
            self.library = self.library or self.folder / "library"
            self.log = stack.enter_context(open(self.folder / "log", "w+"))
            stack.callback(self._end)
            self.start()
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def _end(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)

    def start(self):
        """Starts it and waits for its ready line; the moment that came."""
        command = [PROGRAMS / "camerad", "--library", self.library, *self.options]
        for camera in self.cameras:
            command += ["--camera", camera]
        for name in ("control", "events", "frames"):
            command += [f"--{name}", getattr(self, name)]
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        moment = time.monotonic()
        ready = READY.fullmatch(line)
        assert ready, f"camerad said {line!r} and {self.errors()!r}"
        self.control, self.events, self.frames = ready.groups()
        return moment

    def kill(self):
        """Ends it as a power cut does: it can do nothing about it."""
        self.process.send_signal(signal.SIGKILL)
        assert self.process.wait(PATIENCE) == -signal.SIGKILL, f"camerad had ended: {self.errors()!r}"
        self.process.stdout.close()

    def stop(self):
        """Ends it as an operator does: it must obey, and say that all is well."""
        self.process.terminate()
        status = self.process.wait(PATIENCE)
        self.process.stdout.close()
        assert status == 0, f"camerad ended with {status}: {self.errors()!r}"

    def errors(self):
        self.log.flush()
        return (self.folder / "log").read_text()

    @property
    def pid(self):
        return self.process.pid

    def memory(self):
        return memory_of(self.pid)

    def cpu_seconds(self):
        return cpu_seconds_of(self.pid)

    def descriptors(self):
        return descriptors_of(self.pid)

    def opened(self, path):
        """How often it has this file of its library open."""
        return self.descriptors().count(str(self.library / path))

    def wait_for(self, is_so, what, patience=PATIENCE):
        """Waits for what only a look at the process shows."""
        limit = time.monotonic() + patience
        while not is_so():
            assert time.monotonic() < limit, f"no {what} in {patience} s"
            time.sleep(0.1)

    # The Swift client

    def command(self, *arguments, control=None):
        return [PROGRAMS / "camctl", *arguments, "--node", control or self.control, "--json"]

    def camctl(self, *arguments, control=None):
        """The objects that `camctl --json` prints, which must succeed."""
        command = [str(word) for word in self.command(*arguments, control=control)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0, f"{command} ended with {result.returncode}: {result.stderr}"
        return [json.loads(line) for line in result.stdout.splitlines()]

    def follow(self, *arguments, control=None):
        """`camctl --json` while it runs."""
        return Follower(self.command(*arguments, control=control), self.log)

    def status(self):
        return self.camctl("status")[0]
