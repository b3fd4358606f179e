"""When each picture of a shot was taken is said truly, and so is the skew of the rig

A shot is taken by `shot(folder)`, which returns what the rig says of it: see `Shot`. The pictures say when they were taken.
"""

from harness.processes import cpu_seconds_of
from harness.trial import percentile
from rig.links import MANNERS, MS
from rig.rig import Rig
from rig.shooting import Camera, SingleCaptures, Untrue, check_shot
from rig.space import FILES

RATE = 10


def take(trial, name, rig, cameras, count):
    """Takes shots and checks them."""
    offsets, errors, skews, widths = [], [], [], []
    with SingleCaptures(rig.members) as captures:
        for number in range(count):
            folder = FILES / f"shot {name} {number}"
            folder.mkdir()
            shot = captures.shot(folder)
            truths = check_shot(shot, rig.members, cameras)
            offsets += [abs(truth - shot.moment) for truth in truths]
            errors += [part.error for part in shot.parts]
            skews.append(max(truths) - min(truths))
            widths.append(shot.most_skew - shot.least_skew)
    half = max(camera.interval for camera in cameras) / 2
    trial.figure(
        f"{name}: {count} shots; off by {percentile(offsets, 0.5) / MS:.1f} ms (median, half an interval is {float(half) / MS:.1f}), "
        f"said with ±{percentile(errors, 0.5) / MS:.2f} ms (median, most {max(errors) / MS:.2f}); "
        f"skew {min(skews) / MS:.1f} to {max(skews) / MS:.1f} ms, said within {max(widths) / MS:.2f} ms")


def refuse(rig, cameras):
    """The check must notice a camera whose stamps are wrong by more than the bound."""
    folder = FILES / "shot of a wrong clock"
    folder.mkdir()
    with SingleCaptures(rig.members) as captures:
        shot = captures.shot(folder)
    try:
        check_shot(shot, rig.members, cameras)
    except Untrue as error:
        return error
    raise AssertionError("a camera whose clock is wrong by 20 ms was not noticed")


def run(trial, chosen):
    count = chosen.nodes or trial.pick(20, 3)
    interval = 10 ** 9 // RATE
    cameras = [Camera(RATE, trial.random.randrange(interval)) for _ in range(count)]
    with Rig(count, lambda number: cameras[number].specification, trial.random) as rig:
        for name in trial.pick(list(MANNERS), ["jitter"]):
            rig.set_links(MANNERS[name])
            take(trial, MANNERS[name].name, rig, cameras, trial.rounds(50, 2))
        trial.figure(f"the relay used {cpu_seconds_of(rig.relay.pid):.1f} s of a processor")
    cameras = [Camera(RATE, 0), Camera(RATE, 0, ",clock_offset=20ms")]
    with Rig(2, lambda number: cameras[number].specification, trial.random) as rig:
        rig.set_links(MANNERS["short"])
        trial.figure(f"noticed: {refuse(rig, cameras)}")
