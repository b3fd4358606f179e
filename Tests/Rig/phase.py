"""Cameras that run freely are brought to a common phase, and then a rig's shots are taken at nearly one moment

Each camera's interval is wrong by some millionths, so that they drift apart again. The pictures say when they were taken.
"""

import json
import shutil
import subprocess
from fractions import Fraction

import readers
import strips
from harness.record import PATIENCE
from harness.trial import percentile
from rig.links import MANNERS, MS
from rig.node import PROGRAMS
from rig.rig import Rig
from rig.shooting import Losses, RigCaptures, check_shot
from rig.space import FILES

RATE = 20
# By how many millionths a camera's interval may be wrong: its rate has three decimals.
DRIFTS = (-50, 0, 50)
# How far the frames of a rig on a short link may be from a common phase, and how well that is known there. A rig that is
# within it at its second try stops: with three cameras that is chance.
ALIGNED, KNOWN = 1 * MS, 4 * MS


class FreeCamera:
    """A synthetic camera whose frames begin with its stream, and come so many millionths too fast."""

    def __init__(self, drift):
        self.rate = Fraction(RATE * (1_000_000 + drift), 1_000_000)

    @property
    def specification(self):
        return f"synthetic:320x240@{float(self.rate):.3f},free=on"

    @property
    def interval(self):
        return 10 ** 9 / self.rate

    def moment(self, file):
        """When the picture in a file was taken, on the node's clock in nanoseconds: its clock is right."""
        return strips.read_strip(readers.read(file)).monotonic_ns


def align(captures, tolerance):
    """Aligns the cameras. Returns what is said of it."""
    command = captures.command(FILES)
    command[2:3] = ["align"]
    at = command.index("--output")
    del command[at:at + 2]
    done = subprocess.run(
        [*command, "--tolerance", f"{tolerance}ns", "--tries", "20"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=2 * PATIENCE)
    assert done.returncode == 0, f"camctl rig align ended with {done.returncode}: {done.stderr}{done.stdout}"
    return json.loads(done.stdout)


def shoot(rig, cameras, captures, count, name):
    """Takes shots. Returns how far pictures were from the moments, and how far those of a shot were apart."""
    offsets, skews = [], []
    for number in range(count):
        folder = FILES / f"{name} {number}"
        losses = Losses(rig.members)
        shot = captures.shot(folder)
        truths = check_shot(shot, rig.members, cameras, losses)
        shutil.rmtree(folder)
        offsets += [abs(truth - shot.moment) for truth in truths]
        skews.append(max(truths) - min(truths))
    readers.read.cache_clear()  # of pictures by their files
    return offsets, skews


def run(trial, chosen):
    count, rounds = chosen.nodes or trial.pick(12, 3), trial.rounds(20, 3)
    drifts = [trial.random.choice(DRIFTS) for _ in range(count)]
    cameras = [FreeCamera(drift) for drift in drifts]
    with Rig(count, lambda number: cameras[number].specification, trial.random) as rig:
        rig.set_links(MANNERS["short"])
        captures = RigCaptures(rig.members, FILES)
        before, skews = shoot(rig, cameras, captures, rounds, "free")
        trial.figure(f"{count} free cameras: off by {percentile(before, 0.5) / MS:.2f} ms (median), apart by {percentile(skews, 0.5) / MS:.1f}")
        alignment = align(captures, KNOWN)
        starts = [part["restarts"] for part in alignment["parts"]]
        drift = max(abs(part["driftPPM"] - (drifts[0] - own)) for part, own in zip(alignment["parts"], drifts))
        trial.figure(f"aligned after {max(starts)} starts of a stream at most, {sum(starts)} in all; drifts are said to {drift:.1f} ppm")
        assert drift < 15, f"a drift is wrong by {drift} ppm"
        after, skews = shoot(rig, cameras, captures, rounds, "aligned")
        trial.figure(f"{count} aligned cameras: off by {percentile(after, 0.5) / MS:.2f} ms (median, most {max(after) / MS:.2f}), "
                     f"apart by {percentile(skews, 0.5) / MS:.2f} (most {max(skews) / MS:.2f})")
        assert percentile(after, 0.5) <= trial.pick(ALIGNED, KNOWN / 2), "the cameras are not aligned"
