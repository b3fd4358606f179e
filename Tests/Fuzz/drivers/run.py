"""Gives a node cameras whose drivers answer anything, beside a good camera.

    run.py DRIVER OPENINGS    (CAMERABUS_PROGRAMS: the folder of camerad; CAMERABUS_SEED repeats a run)

First a node has cameras that stream until their drivers do not return from a call: each of them must say so, and
the good camera must go on. Then rounds of a few seconds follow each other until so many cameras have been opened. In
each the node must not crash or grow, the good camera must go on, and SIGTERM must end the node within five seconds.
"""

import contextlib
import mmap
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from camerabus import CameraBus

CAMERAS = 60
# By driver.c, these stream and then hang in VIDIOC_DQBUF, VIDIOC_QBUF and VIDIOC_DQEVENT.
HANGING = range(2001, 2004)
LONGEST_END = 5.0
# Between two frames of the good camera, on a machine that does other things too.
LONGEST_GAP = 1.0
MOST_GROWTH = 50 << 20


def memory(process: int) -> int:
    text = Path(f"/proc/{process}/status").read_text()
    return int(present(re.search(r"RssAnon:\s+(\d+) kB", text))[1]) << 10


def present(match: "re.Match[str] | None") -> "re.Match[str]":
    assert match
    return match


@contextlib.contextmanager
def running(driver: str, seed: int, folder: Path, bad: Iterable[int]) -> Iterator["Running"]:
    """A node with a good camera and bad ones, which must end within five seconds of SIGTERM."""
    cameras = [word for number in bad for word in ("--camera", f"bad{number}=v4l2:/dev/video{number}")]
    command = [str(Path(os.environ["CAMERABUS_PROGRAMS"]) / "camerad"), "--keep-trying", "--pressure", "off",
               "--library", str(folder / "library"), "--camera", "good=synthetic:160x120@30", *cameras]
    for endpoint in ("control", "events", "frames"):
        command += [f"--{endpoint}", "tcp://127.0.0.1:0"]
    environment = {**os.environ, "LD_PRELOAD": driver, "FUZZ_SEED": str(seed), "FUZZ_COUNT": str(folder / "count")}
    with open(folder / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True)
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"ready control=(\S+)", line)
    assert found, f"the node ended with {process.wait()}: {(folder / 'log').read_text()[-2000:]}"
    node = Running(process, found[1])
    yield node
    process.terminate()
    asked = time.monotonic()
    try:
        status = process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError("SIGTERM did not end the node within a minute") from None
    node.end = time.monotonic() - asked
    process.stdout.close()
    assert status == 0, f"the node ended with {status}: {(folder / 'log').read_text()[-2000:]}"
    assert node.end <= LONGEST_END, f"the node took {node.end:.1f} s to end: {(folder / 'log').read_text()[-1500:]}"
    assert node.gap <= LONGEST_GAP, f"the good camera had no frame for {node.gap:.2f} s"


@dataclass
class Running:
    process: "subprocess.Popen[str]"
    control: str
    gap: float = 0
    end: float = 0

    def follow(self, is_over: Callable[[CameraBus], bool]) -> None:
        """Follows the good camera's frames, and notes the longest gap."""
        last = 0
        with CameraBus(self.control, timeout=30) as bus, bus.frames("good", stream="raw") as frames:
            threading.Thread(target=self._close_at_end, args=[bus], daemon=True).start()
            for frame in frames:
                moment = frame.info.timestamp.monotonic_ns
                self.gap = max(self.gap, (moment - last) / 1e9 if last else 0)
                last = moment
                if is_over(bus):
                    break

    def _close_at_end(self, bus: CameraBus) -> None:
        self.process.wait()
        bus.close()


def hang(driver: str, seed: int, folder: Path) -> str:
    """Waits until each of the cameras that hang says so. Each has streamed before."""
    began = time.monotonic()
    with running(driver, seed, folder, HANGING) as node:
        streamed: set[str] = set()

        def have_all_stalled(bus: CameraBus) -> bool:
            states = {camera.name: camera for camera in bus.status().cameras if camera.name != "good"}
            streamed.update(name for name, camera in states.items() if camera.frames.delivered)
            passed = time.monotonic() - began
            assert passed < 60, f"after a minute: {states}"
            return all("does not come back" in str(camera) for camera in states.values())

        node.follow(have_all_stalled)
        assert len(streamed) == len(HANGING), f"only {streamed} have streamed"
    return f"after {time.monotonic() - began:.1f} s, longest gap {node.gap * 1000:.0f} ms"


def play(driver: str, seed: int, choice: random.Random, folder: Path) -> str:
    length, early = choice.uniform(0.2, 12), 0
    with running(driver, seed, folder, range(1000, 1000 + CAMERAS)) as node:
        began = time.monotonic()

        def is_over(_: CameraBus) -> bool:
            nonlocal early
            passed = time.monotonic() - began
            if passed > 2 and not early:
                early = memory(node.process.pid)
            return passed > length

        node.follow(is_over)
        growth = memory(node.process.pid) - early if early else 0
    assert growth <= MOST_GROWTH, f"the node grew by {growth >> 20} MiB"
    return (f"{length:.1f} s, longest gap {node.gap * 1000:.0f} ms, grew by {growth >> 10} KiB, "
            f"ended in {node.end * 1000:.0f} ms")


def main(driver: str, wanted: int) -> None:
    seed = int(os.environ.get("CAMERABUS_SEED") or random.randrange(1 << 32))
    print(f"CAMERABUS_SEED={seed} repeats this run", flush=True)
    choice = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "count").write_bytes(bytes(8))
        with open(folder / "count", "r+b") as file, mmap.mmap(file.fileno(), 8) as count:
            print(f"hanging drivers say so: {hang(driver, seed, folder)}", flush=True)
            rounds = 0
            while (opened := int.from_bytes(count[:8], "little")) < wanted:
                said = play(driver, seed + rounds, choice, folder)
                rounds += 1
                print(f"round {rounds}: {opened} cameras before; {said}", flush=True)
        print(f"{opened} cameras in {rounds} rounds")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
