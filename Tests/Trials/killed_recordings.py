"""A node that is killed while it records saves each movie at its next start, except the last second."""

import hashlib
import statistics
import time

from camerabus import CameraBus, Published
from camerabus.errors import Code

from harness.movie import Movie
from harness.node import Node
from harness.processes import PATIENCE
from harness.watching import EventWatcher

# Large pictures (each fills a Matroska cluster), pictures that are far too small for that, and very
# few pictures.
CAMERAS = ["cam=synthetic:1280x720@30", "small=synthetic:160x120@60,format=YUYV", "slow=synthetic:640x480@2"]
# From one frame to the next, seconds.
INTERVALS = {"cam": 1 / 30, "small": 1 / 60, "slow": 1 / 2}
# One microphone for all of them, which is never quite right.
MICROPHONE = "desk=synthetic:drift=150ppm"
QUALITY = 20
KINDS = [("mjpeg", "matroska"), ("h264", "mp4"), ("h264", "matroska")]
LONGEST = 5.0  # the longest recording, seconds
LAST = 1.0  # seconds of a movie that may be missing
LATE = 0.7  # seconds that its sound may end before its pictures: a piece is in the file with the next picture


def run(trial):
    with Node(*CAMERAS, options=["--microphone", MICROPHONE]) as node, EventWatcher(node.control) as monitor:
        outcomes = [kill_once(trial, node, monitor) for _ in range(trial.rounds(20, 4))]
        tell(trial, "killed", outcomes)
        # No recording had a second end.
        ends = [end.request_id for end in ends_in(monitor)]
        count = sum(len(outcome.movies) for outcome in outcomes)
        assert len(ends) == len(set(ends)) == count, f"{len(ends)} ends of {count} recordings"

        more = [kill_often(trial, node) for _ in range(trial.rounds(10, 2))]
        tell(trial, "killed while it stopped, and again while it saved", more)
        ends = [end.request_id for end in ends_in(monitor)]
        assert len(ends) == len(set(ends)), "a recording had several ends"
        check_library(node, [movie for outcome in outcomes + more for movie in outcome.movies if movie])


class Outcome:
    """Checks the movies that were saved after a kill, and keeps the results."""

    def __init__(self, node, begun, moment, ready):
        self.ready = ready
        recordings = [recording for recording, _ in begun]
        self.movies = [saved(node, recording) for recording in recordings]
        self.losses = [
            moment - (movie.end if movie else recording.started.wall_ns / 1e9)
            for recording, movie in zip(recordings, self.movies)]
        for recording, loss in zip(recordings, self.losses):
            # Until its next frame is due, nothing is missing.
            assert loss <= LAST + INTERVALS[recording.camera], f"{loss:.2f} s of {recording.camera}'s movie are lost"
        self.sounds = [movie.end - movie.sound_end for movie, (_, has_sound) in zip(self.movies, begun) if movie and has_sound]
        assert max(self.sounds, default=0) <= LATE, f"sound ends {max(self.sounds):.2f} s before the pictures"
        left = list((node.library / ".incoming").iterdir())
        assert not left, f"the start left {left}"


def kill_once(trial, node, monitor):
    recordings = record(trial, node)
    moment = time.time()
    node.kill()
    outcome = Outcome(node, recordings, moment, start(node))
    for (recording, _), movie in zip(recordings, outcome.movies):
        check_end(monitor, recording, movie)
        assert not movie or movie.asset.recovered, movie.asset
    return outcome


def kill_often(trial, node):
    """Terminates the node, kills it soon after, and kills its next start too."""
    recordings = record(trial, node)
    moment = time.time()
    node.process.terminate()
    time.sleep(trial.random.uniform(0, 0.1))
    node.process.kill()  # if it has not ended by itself
    node.process.wait(PATIENCE)
    start(node)
    time.sleep(trial.random.uniform(0, 0.1))
    node.kill()
    return Outcome(node, recordings, moment, start(node))


def record(trial, node):
    """Starts recordings with all cameras, most of them with sound, and waits for a random time.

    Returns each with whether it has sound.
    """
    with CameraBus(node.control) as bus:
        recordings = []
        for camera in CAMERAS:
            codec, container = trial.random.choice(KINDS)
            sound = trial.random.choice(["aac", "opus", ""])
            recordings.append((bus.start_recording(
                camera.partition("=")[0], codec=codec, container=container, quality=QUALITY, sound=bool(sound), sound_codec=sound),
                bool(sound)))
    time.sleep(trial.random.uniform(0, LONGEST))
    return recordings


def start(node):
    """Starts the node. Returns how long it took until it was ready, seconds."""
    before = time.monotonic()
    return node.start() - before


def tell(trial, what, outcomes):
    movies = [movie for outcome in outcomes for movie in outcome.movies]
    losses = [loss for outcome in outcomes for loss in outcome.losses]
    trial.figure(
        f"{len(outcomes)} times {what}: {len(movies)} recordings, {len(movies) - movies.count(None)} movies with "
        f"{sum(movie.asset.frames for movie in movies if movie)} frames, {movies.count(None)} without; every frame decodes; "
        f"lost at most {max(losses):.2f} s, in the median {statistics.median(losses):.2f} s; "
        f"sound ends at most {max(end for outcome in outcomes for end in [0, *outcome.sounds]):.2f} s before the pictures; "
        f"ready after at most {max(outcome.ready for outcome in outcomes):.2f} s")


def saved(node, recording):
    """The movie of a recording, which the next start must have saved; None if it had no frame."""
    with CameraBus(node.control, timeout=PATIENCE) as bus:
        assets = bus.assets(request_id=recording.recording)
    if not assets:
        return None
    assert len(assets) == 1, f"one recording has made {len(assets)} movies"
    assert assets[0].camera == recording.camera, assets[0]
    return Movie(node, assets[0])


def check_end(monitor, recording, movie):
    """Checks that the restarted node reports the recording's end with the same movie."""
    _, notice = monitor.wait_for(
        lambda notice: is_end(notice) and notice.event.recording.request_id == recording.recording,
        f"end of {recording.camera}'s recording")
    end = notice.event.recording
    if movie:
        result = end.finished
        assert result.reason == result.END_REASON_NODE_KILLED and result.asset == movie.asset, end
    else:
        assert end.failed.code == Code.FRAME_UNAVAILABLE, end


def is_end(notice):
    return isinstance(notice, Published) and (
        notice.event.recording.HasField("finished") or notice.event.recording.HasField("failed"))


def ends_in(monitor):
    return [notice.event.recording for _, notice in monitor.seen if is_end(notice)]


def check_library(node, movies):
    """Checks that the library has each movie once, with the right hash."""
    with CameraBus(node.control) as bus:
        assets = bus.assets(limit=1000)
    assert sorted(asset.id for asset in assets) == sorted(movie.asset.id for movie in movies)
    for movie in movies:
        assert hashlib.sha256(movie.path.read_bytes()).digest() == movie.asset.sha256, movie.path
