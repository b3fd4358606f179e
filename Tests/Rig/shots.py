"""When each picture of a shot was taken is said truly, and so is the skew of the rig

The pictures say when they were taken.
"""

import shutil

from harness.processes import cpu_seconds_of
from harness.trial import percentile
from rig.links import MANNERS, MS
from rig.rig import Rig
from rig.shooting import Camera, Losses, RigCaptures, Untrue, check_shot
from rig.space import FILES

RATE = 10


def take(trial, manner, rig, cameras, count):
    """Takes shots over links of one manner and checks them."""
    rig.set_links(manner)
    offsets, errors, skews, widths = [], [], [], []
    shooter = RigCaptures(rig.members, FILES)
    for number in range(count):
        folder = FILES / f"shot {manner.name} {number}"
        losses = Losses(rig.members)
        shot = shooter.shot(folder)
        truths = check_shot(shot, rig.members, cameras, losses)
        shutil.rmtree(folder)
        for member in rig.members if manner.breaks else []:
            member.reset_link()
        offsets += [abs(truth - shot.moment) for truth in truths]
        errors += [part.error for part in shot.parts]
        skews.append(max(truths) - min(truths))
        widths.append(shot.most_skew - shot.least_skew)
    half = max(camera.interval for camera in cameras) / 2
    trial.figure(
        f"{manner.name}: {count} shots; off by {percentile(offsets, 0.5) / MS:.1f} ms (median, half an interval is {float(half) / MS:.1f}),"
        f"\n    said with ±{percentile(errors, 0.5) / MS:.2f} ms (median, most {max(errors) / MS:.2f}); "
        f"skew {min(skews) / MS:.1f} to {max(skews) / MS:.1f} ms, said within {max(widths) / MS:.2f} ms")


def refuse(rig, cameras):
    """Takes a shot with a camera whose stamps are wrong by 20 ms. The check must notice that, and that the skew is wrong too.
    Returns what it says.
    """
    folder = FILES / "shot of a wrong clock"
    losses, said = Losses(rig.members), []
    shot = RigCaptures(rig.members, FILES).shot(folder)
    for more in (0, 25 * MS):
        # With larger errors the moments are true, and the skew still is not.
        for part in shot.parts:
            part.error += more
        try:
            check_shot(shot, rig.members, cameras, losses)
        except Untrue as error:
            said.append(error)
            continue
        raise AssertionError("a camera whose clock is wrong by 20 ms was not noticed")
    return said


def run(trial, chosen):
    count = chosen.nodes or trial.pick(20, 3)
    interval = 10 ** 9 // RATE
    cameras = [Camera(RATE, trial.random.randrange(interval)) for _ in range(count)]
    with Rig(count, lambda number: cameras[number].specification, trial.random) as rig:
        for name in trial.pick(list(MANNERS), ["jitter"]):
            take(trial, MANNERS[name], rig, cameras, trial.rounds(50, 2))
        trial.figure(f"the relay used {cpu_seconds_of(rig.relay.pid):.1f} s of a processor")
    cameras = [Camera(RATE, 0), Camera(RATE, 0, ",clock_offset=20ms")]
    with Rig(2, lambda number: cameras[number].specification, trial.random) as rig:
        rig.set_links(MANNERS["short"])
        for said in refuse(rig, cameras):
            trial.figure(f"noticed: {said}")
