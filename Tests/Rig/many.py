"""What is said of the shots of many nodes is true, and firing more of them costs the controller no more for each"""

import shutil
from fractions import Fraction

from harness.trial import megabytes, percentile
from rig.links import MANNERS, MS
from rig.rig import Rig
from rig.shooting import Camera, Losses, RigCaptures, check_shot
from rig.space import FILES

RATE = 5
# How many shots one `camctl` takes, and the seconds from one to the next: none, where the machine is slower.
PIECE, EVERY = 10, 0.5
# While many nodes are busy, a clock is read less well before a shot than after it, in nanoseconds.
BLUR = 30 * MS
# How much more than for a tenth of the nodes the controller may need for each node.
MOST = 2


def measure(trial, members):
    """How much the controller uses for a shot of so many nodes."""
    series = RigCaptures(members, FILES).series(FILES / "cost", PIECE, EVERY)
    shutil.rmtree(FILES / "cost")
    seconds = series.seconds / PIECE
    trial.figure(f"{len(members)} nodes: {seconds * 1e3:.1f} ms of the controller's processor for a shot, with its start "
                 f"({seconds / len(members) * 1e3:.1f} ms for each node); at most {megabytes(series.memory)}")
    return seconds / len(members)


def shoot(trial, rig, cameras, count):
    """Takes shots with all nodes, and checks them."""
    offsets, errors, skews, widths = [], [], [], []
    captures = RigCaptures(rig.members, FILES)
    for begun in range(0, count, PIECE):
        losses = Losses(rig.members)
        folder = FILES / f"shots from {begun}"
        for shot in captures.series(folder, min(PIECE, count - begun), EVERY).shots:
            truths = check_shot(shot, rig.members, cameras, losses, BLUR)
            offsets += [abs(truth - shot.moment) for truth in truths]
            errors += [part.error for part in shot.parts]
            skews.append(max(truths) - min(truths))
            widths.append(shot.most_skew - shot.least_skew)
        shutil.rmtree(folder)
        if (begun + PIECE) % 50 == 0:
            trial.figure(f"{begun + PIECE} shots")
    half = Fraction(10 ** 9, 2 * RATE)
    trial.figure(
        f"{count} shots of {len(cameras)} nodes, {len(offsets)} pictures: each moment and each skew within what is said;\n"
        f"    off by {percentile(offsets, 0.5) / MS:.1f} ms (median, 95 %: {percentile(offsets, 0.95) / MS:.1f}, half an interval is "
        f"{float(half) / MS:.0f}), said with ±{percentile(errors, 0.5) / MS:.2f} ms (median, most {max(errors) / MS:.2f});\n"
        f"    skew {min(skews) / MS:.1f} to {max(skews) / MS:.1f} ms, said within {max(widths) / MS:.2f} ms")


def run(trial, chosen):
    count = chosen.nodes or trial.pick(100, 10)
    cameras = [Camera(RATE, trial.random.randrange(10 ** 9 // RATE)) for _ in range(count)]
    with Rig(count, lambda number: cameras[number].specification, trial.random) as rig:
        rig.set_links(MANNERS["short"])
        costs = [measure(trial, rig.members[:size]) for size in (1, 10, 100) if size <= count]
        assert costs[-1] <= MOST * costs[-2], f"{costs[-1] / costs[-2]:.1f} times as much for each node of ten times as many"
        shoot(trial, rig, cameras, trial.rounds(200, 4))
