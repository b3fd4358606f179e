"""Runs the programs under test, and checks their results with independent programs."""

import contextlib
import json
import os
import re
import subprocess
import tempfile
import threading
from pathlib import Path

PROGRAMS = Path(os.environ["CAMERABUS_PROGRAMS"])
# Seconds until a program counts as hung. It is long because the processor is emulated.
PATIENCE = 240
# The verbs whose answers may take longer there than camctl waits by itself.
PATIENT = {"assets", "cameras", "capture", "configure", "controls", "download", "record", "session", "status"}


def run(*command, **options):
    """Runs a program to its end. Returns its result with the output as text."""
    command = [str(word) for word in command]
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=PATIENCE, **options)


def output_of(*command):
    """The output of a program that must succeed."""
    result = run(*command)
    assert result.returncode == 0, f"{command} ended with {result.returncode}: {result.stderr}"
    return result.stdout


def v4l2(device, *arguments):
    return output_of("v4l2-ctl", "--device", device, *arguments)


class Node:
    """A running `camerad` for a `with` statement: `Node("cam=v4l2:/dev/video0")`."""

    def __init__(self, *cameras, options=(), user=None):
        self.cameras = cameras
        self.options = options
        # The number of the user that runs it, without any group; None for this one.
        self.user = user

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            self.log = stack.enter_context(open(self.folder / "log", "w+"))
            # The guest is always busy.
            arguments = [PROGRAMS / "camerad", *self.options]
            for option, value in {"--library": self.folder / "library", "--pressure": "off"}.items():
                arguments += [] if option in self.options else [option, value]
            for camera in self.cameras:
                arguments += ["--camera", camera]
            for endpoint in ("control", "events", "frames"):
                arguments += [f"--{endpoint}", "tcp://127.0.0.1:0"]
            identity = {}
            if self.user is not None:
                os.chown(self.folder, self.user, self.user)
                identity = {"user": self.user, "group": self.user, "extra_groups": []}
            self.process = subprocess.Popen(
                [str(word) for word in arguments], stdout=subprocess.PIPE, stderr=self.log, text=True, **identity)
            stack.callback(self.stop)
            line = self.process.stdout.readline()
            ready = re.fullmatch(r"camerad: ready control=(\S+) events=(\S+) frames=(\S+)\n", line)
            assert ready, f"camerad said {line!r} and {self.errors()!r}"
            self.control = ready[1]
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self.stack.close()

    def stop(self):
        """Ends the node with SIGTERM, as an operator would, and checks that its status is 0."""
        if self.process.returncode is not None:
            return
        self.process.terminate()
        status = self.process.wait(PATIENCE)
        assert status == 0, f"camerad ended with {status}: {self.errors()!r}"

    def kill(self):
        """Ends the node with SIGKILL. The end of the `with` statement then has nothing to do."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def errors(self):
        self.log.seek(0)
        return self.log.read()

    def opened(self):
        """What the node has open: for each descriptor a path, or a name such as `socket:[4711]`."""
        folder = f"/proc/{self.process.pid}/fd"
        targets = []
        for name in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):  # it was closed after it had been listed
                targets.append(os.readlink(f"{folder}/{name}"))
        return targets

    def command(self, *arguments):
        patience = ["--timeout", f"{PATIENCE // 4}s"] if arguments[0] in PATIENT and "--timeout" not in arguments else []
        return [str(word) for word in (PROGRAMS / "camctl", *arguments, *patience, "--node", self.control)]

    def try_camctl(self, *arguments):
        return run(*self.command(*arguments))

    def camctl(self, *arguments):
        """The output of `camctl`, which must succeed."""
        return output_of(*self.command(*arguments))

    def json(self, *arguments):
        """The objects that `camctl --json` prints."""
        return [json.loads(line) for line in self.camctl(*arguments, "--json").splitlines()]

    @contextlib.contextmanager
    def following(self, *arguments, patience=2 * PATIENCE):
        """`camctl --json` as it runs: a generator of its objects, which ends after `patience` seconds."""
        process = subprocess.Popen(
            self.command(*arguments, "--json"), stdout=subprocess.PIPE, stderr=self.log, text=True)
        deadline = threading.Timer(threading.TIMEOUT_MAX if patience is None else patience, process.kill)
        deadline.daemon = True
        deadline.start()
        try:
            yield (json.loads(line) for line in process.stdout)
        finally:
            deadline.cancel()
            process.terminate()
            process.wait(PATIENCE)


def packets(movies):
    """The total number of packets in movies of the same format."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.writelines(f"file '{movie}'\n" for movie in movies)
        file.flush()
        found = output_of(
            "ffmpeg", "-v", "error", "-f", "concat", "-safe", 0, "-i", file.name, "-c", "copy", "-f", "framecrc", "-")
    return sum(not line.startswith("#") for line in found.splitlines())


def decode(jpeg):
    """A JPEG file as (width, height, pixel(x, y) -> (red, green, blue))."""
    data = subprocess.run(["djpeg", "-pnm", "-rgb", str(jpeg)], capture_output=True, check=True).stdout
    header = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", data)
    width, height = int(header[1]), int(header[2])
    pixels = data[header.end():]
    assert len(pixels) == width * height * 3

    def pixel(x, y):
        return tuple(pixels[(y * width + x) * 3:][:3])

    return width, height, pixel
