"""A shot of a rig takes at most twice as long as a photo of one of its nodes, from the command to the pictures on the disk

All nodes share this machine's processors, which those of a real rig do not: what they use of them more than one node is
allowed for. As many commands at once, of one node each, show how long the same pictures take without a rig.
"""

import os
import shutil
import statistics
import subprocess
import time
from pathlib import Path

from harness.processes import cpu_seconds_of
from harness.record import PATIENCE
from rig.node import PORTS, PROGRAMS
from rig.rig import Rig
from rig.shooting import RigCaptures
from rig.space import FILES

CAMERA = "synthetic:1920x1080@{rate}"
RATE = 20
# How many times as long as a photo of one node a shot may take.
MOST = 2


def processes_of(pid):
    """A process and those that it has started."""
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from processes_of(int(child))


class Camera:
    """A node without a link before it: `control` is its own endpoint."""

    def __init__(self, member):
        self.name, self.process = member.name, member.node.process
        self.control = f"tcp://{member.node.machine.address}:{PORTS[0]}"

    def used(self):
        return sum(cpu_seconds_of(process) for process in processes_of(self.process.pid))

    def capture(self, folder):
        return [str(PROGRAMS / "camctl"), "capture", "--node", self.control, "--output", str(folder / f"{self.name}.jpg")]


def measure(cameras, commands, count):
    """Runs commands at the same time until their pictures are on the disk. Returns how long they took, and how much of the
    processors' time the nodes used meanwhile, in seconds.
    """
    folder = FILES / "pictures"
    folder.mkdir()
    used, start = sum(camera.used() for camera in cameras), time.monotonic()
    processes = [subprocess.Popen(command(folder), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) for command in commands]
    for process in processes:
        _, errors = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, f"camctl ended with {process.returncode}: {errors}"
    took = time.monotonic() - start
    used = sum(camera.used() for camera in cameras) - used
    assert len(list(folder.rglob("*.jpg"))) == count
    shutil.rmtree(folder)
    return took, used


def run(trial, chosen):
    count, rounds = chosen.nodes or trial.pick(8, 3), trial.rounds(20, 3)
    camera = CAMERA.format(rate=RATE)
    with Rig(count, lambda number: f"{camera},phase={trial.random.randrange(10 ** 9 // RATE)}ns", trial.random) as rig:
        cameras = [Camera(member) for member in rig.members]
        captures = RigCaptures(cameras, FILES)
        kinds = {
            "one node": lambda: ([trial.random.choice(cameras).capture], 1),
            "each node by itself, at once": lambda: ([camera.capture for camera in cameras], count),
            "the rig": lambda: ([lambda folder: captures.command(folder / "shot")], count)}
        seen = {kind: [] for kind in kinds}
        for _ in range(rounds):
            for kind in trial.random.sample(list(kinds), len(kinds)):
                seen[kind].append(measure(cameras, *kinds[kind]()))
    medians, work = {}, {}
    for kind, times in seen.items():
        medians[kind] = statistics.median(took for took, _ in times)
        work[kind] = statistics.mean(used for _, used in times)
        trial.figure(f"{kind}: {medians[kind] * 1e3:.0f} ms (median of {rounds}, least {min(times)[0] * 1e3:.0f}); "
                     f"the nodes used {work[kind] * 1e3:.0f} ms of the processors meanwhile")
    one, each, all = medians.values()
    trial.figure(f"{count} nodes: the rig takes {all / one:.2f} times as long as one node, and {all / each:.2f} times as long as each by itself")
    shared = (work["the rig"] - work["one node"]) / len(os.sched_getaffinity(0))
    assert all <= MOST * one + shared, f"a shot takes {all / one:.2f} times as long as a photo, and {shared * 1e3:.0f} ms are the processors'"
