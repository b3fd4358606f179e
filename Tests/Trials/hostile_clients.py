"""Hostile clients attack a node in every known way at once. Honest ones lose no more than those of a
node that nobody attacks, and the node takes little memory and gives it back.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from harness.control import Control
from harness.movies import CAMERA, record
from harness.node import Node
from harness.photographer import Photographer
from harness.processes import UseSampler
from harness.trial import longest_pause, megabytes
from harness.watching import EventWatcher

CAM = "cam=synthetic:640x360@30"
MOST = 300 << 20
LEFT = 30 << 20
# The answers that a node keeps for clients that ask again, and for how long.
ANSWERS = 16 << 20
KEEPING = 120
SUBSCRIBERS = 2
# How long an honest client may wait, beside what the machine makes all clients wait.
LONGEST_PAUSE = 3.0


def run(trial):
    rounds = trial.rounds(5, 1)
    seconds = trial.pick(20, 10)
    with contextlib.ExitStack() as stack:
        ipc = stack.enter_context(tempfile.TemporaryDirectory(prefix="camerabus-trial-"))
        node = stack.enter_context(Node(CAM, CAMERA, options=["--ipc", ipc]))
        asset = record(node, 4_000_000)
        subscribers = [
            stack.enter_context(node.follow("watch", "--camera", "cam", "--frames")) for _ in range(SUBSCRIBERS)]
        control = Control(stack, CAM, subscribers=SUBSCRIBERS, pause=0.1)
        monitor = stack.enter_context(EventWatcher(node.control))
        photographer = stack.enter_context(Photographer(node.control, "cam", pause=0.1, patience=5))
        monitor.wait_for_snapshot()
        photographer.wait_for_count(20)
        for subscriber in subscribers:
            subscriber.wait_for_count(30)
        # The first attack fills caches and pools that stay.
        attack(trial, node, ipc, asset, 2)
        before = settled(node, 0)
        for number in range(rounds):
            start = time.monotonic()
            with UseSampler(node.pid) as sampler:
                what = attack(trial, node, ipc, asset, seconds)
            end = time.monotonic()
            left = settled(node, before + LEFT)
            pauses = [longest_pause(watched.between(start, end), start, end) for watched in [*subscribers, photographer]]
            trial.figure(
                f"round {number + 1}: {what}; memory {megabytes(before)}, {megabytes(sampler.memory)} at most, "
                f"{megabytes(left)} afterwards; {sampler.descriptors} descriptors and {sampler.threads} threads at most; "
                f"longest pauses "
                f"{pauses[0]:.2f} s and {pauses[1]:.2f} s of frames, {pauses[2]:.2f} s of photos, "
                f"{control.longest_pause(start, end):.2f} s of anything without attackers; "
                f"{' and '.join(str(missing(subscriber)) for subscriber in subscribers)} frames missing so far")
            assert sampler.memory < MOST, f"the node took {megabytes(sampler.memory)}"
            assert left - before < LEFT + ANSWERS, f"the node kept {megabytes(left - before)}"
            assert max(pauses) < control.allowed_pause(LONGEST_PAUSE, start, end), (
                f"an honest client waited {max(pauses):.1f} s")
        kept = memory_without_answers(node, before + LEFT) - before
        trial.figure(f"kept when the answers are forgotten: {megabytes(kept)}")
        assert kept < LEFT, f"the node kept {megabytes(kept)}"
        photographer.stop()
        assert len(photographer.failures) <= len(control.photographer.failures), (
            f"a photo failed: {photographer.failures[0]}")
        allowed = control.allowed_losses()
        for subscriber in subscribers:
            subscriber.finish()
            losses = subscriber.seen[-1][1]["losses"]
            trial.figure(f"a subscriber lost {losses['lostOnBus']} frames on the bus; {allowed} may happen by chance")
            assert losses["lostOnBus"] <= allowed, f"a subscriber lost {losses}"
        trial.figure(photographer.account())


def missing(subscriber):
    """How many of the camera's frames a subscriber did not get, for whatever reason, since its first."""
    frames = [frame["sequence"] for _, frame in subscriber.seen]
    return frames[-1] - frames[0] + 1 - len(frames)


def attack(trial, node, ipc, asset, seconds):
    """Runs the attackers. Returns what they have done."""
    result = subprocess.run(
        [sys.executable, Path(__file__).parent / "harness" / "attackers.py", str(trial.random.randrange(1 << 32)),
         str(seconds), node.control, node.events, node.frames, ipc, asset.id.hex()],
        capture_output=True, text=True, timeout=seconds + 60)
    assert result.returncode == 0, f"the attackers ended with {result.returncode}: {result.stderr[-2000:]}"
    return result.stdout.strip()


def settled(node, enough):
    """The node's memory when it no longer falls. A busy machine takes longer to free it."""
    lowest, since = node.memory(), time.monotonic()
    while time.monotonic() - since < (3 if lowest < enough else 10):
        time.sleep(0.2)
        memory = node.memory()
        if memory < lowest - (1 << 20):
            lowest, since = memory, time.monotonic()
    return lowest


def memory_without_answers(node, enough):
    """The node's memory when it is small enough, or when the node has forgotten the attackers' answers."""
    end = time.monotonic() + KEEPING + 30
    while (memory := node.memory()) >= enough and time.monotonic() < end:
        time.sleep(1)
    return memory
