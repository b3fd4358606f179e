"""Movies of a rig that were recorded together line up by what is said of them, within one frame

The pictures say when they were taken.
"""

import itertools
import shutil

import readers
from harness.trial import percentile
from rig.links import MANNERS, MS
from rig.recording import RigRecordings
from rig.rig import Rig
from rig.shooting import Camera, Losses
from rig.space import FILES

RATE = 20
SECONDS = 3


def record(trial, manner, rig, cameras, number):
    """Records movies over links of one manner and checks them."""
    rig.set_links(manner)
    folder = FILES / f"movies {number}"
    losses = Losses(rig.members)
    recording = RigRecordings(rig.members, FILES).record(folder, SECONDS)
    offsets, errors, apart = [], [], []
    for movie, member, camera in zip(recording.movies, rig.members, cameras):
        truths = [camera.moment(picture) - member.offset for picture in movie.pictures]
        movie.truths = truths
        assert len(truths) == movie.frames, f"{movie.name} has {len(truths)} frames, and {movie.frames} are said"
        for frame, truth, moment in ((movie.first, truths[0], recording.begin), (movie.last, truths[-1], recording.end)):
            assert frame.earliest <= truth <= frame.latest, (
                f"{movie.name}: {truth} is not between {frame.earliest} and {frame.latest}")
            # Cameras run freely, so the nearest frame is at most half an interval away.
            error = (frame.latest - frame.earliest) / 2
            assert abs(truth - moment) <= camera.interval / 2 + error or losses.include(member), (
                f"{movie.name}: {truth - moment} ns from the moment")
            offsets.append(abs(truth - moment))
            errors.append(error)
    starts = [movie.truths[0] for movie in recording.movies]
    assert recording.least_skew <= max(starts) - min(starts) <= recording.most_skew, "the skew is not true"
    for one, other in itertools.combinations(recording.movies, 2):
        for truth, shown in zip(one.truths, one.times):
            # What a player shows of the other one at the same time.
            nearest = min(range(len(other.times)), key=lambda place: abs(other.times[place] + other.delay - shown - one.delay))
            if abs(other.times[nearest] + other.delay - shown - one.delay) > cameras[0].interval / 2:
                continue  # one of them has not begun yet, has ended, or has lost a frame
            apart.append(abs(other.truths[nearest] - truth))
    assert apart, "no two frames are shown together"
    widest = max(movie.delay_error for movie in recording.movies)
    assert max(apart) <= cameras[0].interval, f"frames that are shown together were taken {max(apart)} ns apart"
    assert max(apart) <= cameras[0].interval / 2 + widest + 2 * MS, f"{max(apart)} ns apart, and delays are said to ±{widest} ns"
    shutil.rmtree(folder)
    readers.read.cache_clear()  # of pictures by their files
    return offsets, errors, apart


def run(trial, chosen):
    count = chosen.nodes or trial.pick(4, 2)
    interval = 10 ** 9 // RATE
    cameras = [Camera(RATE, trial.random.randrange(interval)) for _ in range(count)]
    with Rig(count, lambda number: cameras[number].specification, trial.random) as rig:
        for name in trial.pick(list(MANNERS), ["jitter"]):
            rounds = trial.rounds(3, 1)
            results = [record(trial, MANNERS[name], rig, cameras, number) for number in range(rounds)]
            offsets, errors, apart = (list(itertools.chain(*part)) for part in zip(*results))
            trial.figure(
                f"{name}: {rounds} times {count} movies of {SECONDS} s; begin and end {percentile(offsets, 0.5) / MS:.1f} ms from the "
                f"moments (median, half an interval is {interval / 2 / MS:.1f}),\n    said with ±{percentile(errors, 0.5) / MS:.2f} ms "
                f"(median, most {max(errors) / MS:.2f}); {len(apart)} pairs of frames shown together, "
                f"{percentile(apart, 0.5) / MS:.1f} ms apart (median, most {max(apart) / MS:.1f})")
