"""A real `camerad` that trials start, kill and restart."""

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
PROGRAMS = Path(os.environ.get("CAMERABUS_PROGRAMS") or REPOSITORY / ".build" / "optimised" / "release")
READY = re.compile(r"camerad: ready control=(\S+) events=(\S+) frames=(\S+)(?: ipc=\S+)?\n")


class Node:
    """A node for a `with` statement: `Node("cam=synthetic:640x360@30")`.

    It takes free ports at its first start. It keeps the ports and its library when it restarts.
    """

    def __init__(self, *cameras, options=(), library=None, has_terminal=True):
        self.cameras = cameras
        self.options = options
        # A node with a terminal ends when that hangs up; a service reads its configuration again.
        self._has_terminal = has_terminal
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
        """Starts the node and waits for its ready line.

        Returns the moment at which that line came.
        """
        # Where the trials run under nohup, the node would ignore SIGHUP too.
        command = ["env", "--default-signal=HUP", PROGRAMS / "camerad", "--library", self.library, "--pressure", "off", *self.options]
        for camera in self.cameras:
            command += ["--camera", camera]
        for name in ("control", "events", "frames"):
            command += [f"--{name}", getattr(self, name)]
        self.process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE, stderr=self.log, text=True,
            start_new_session=not self._has_terminal)
        line = self.process.stdout.readline()
        moment = time.monotonic()
        ready = READY.fullmatch(line)
        assert ready, f"camerad said {line!r} and {self.errors()!r}"
        self.control, self.events, self.frames = ready.groups()
        return moment

    def kill(self):
        """Kills the node with SIGKILL, so that it can do nothing more."""
        self.process.send_signal(signal.SIGKILL)
        assert self.process.wait(PATIENCE) == -signal.SIGKILL, f"camerad had ended: {self.errors()!r}"
        self.process.stdout.close()

    def stop(self):
        """Ends the node with SIGTERM, as an operator does, and checks that its status is 0."""
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
        """How often the node has this file of its library open."""
        return self.descriptors().count(str(self.library / path))

    def wait_for(self, is_so, what, patience=PATIENCE):
        """Polls until the condition holds, for conditions that no event reports."""
        limit = time.monotonic() + patience
        while not is_so():
            assert time.monotonic() < limit, f"no {what} in {patience} s"
            time.sleep(0.1)

    # The Swift client

    def command(self, *arguments, control=None):
        return [PROGRAMS / "camctl", *arguments, "--node", control or self.control, "--json"]

    def camctl(self, *arguments, control=None):
        """Runs `camctl --json`, which must succeed. Returns the objects that it prints."""
        command = [str(word) for word in self.command(*arguments, control=control)]
        result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert result.returncode == 0, f"{command} ended with {result.returncode}: {result.stderr}"
        return [json.loads(line) for line in result.stdout.splitlines()]

    def follow(self, *arguments, control=None):
        """Starts `camctl --json` and follows its output."""
        return Follower(self.command(*arguments, control=control), self.log)

    def status(self):
        return self.camctl("status")[0]
