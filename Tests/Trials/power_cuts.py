"""If the power is cut during a recording, the next start saves the movie, except the last seconds."""

import statistics
import time

from camerabus import CameraBus

from harness.disk import CAN_BE_MADE, Disk
from harness.movie import Movie
from harness.node import Node
from harness.processes import PATIENCE

CAMERA = "cam=synthetic:1280x720@30"
LONGEST = 8.0  # the longest recording, seconds
# Seconds of a movie that may be missing: one second, and the time that the disk takes to write.
LAST = 3.0


def run(trial):
    if not CAN_BE_MADE:
        return trial.figure("skipped, because only root can mount a disk")
    losses = []
    for _ in range(trial.rounds(10, 2)):
        with Disk(megabytes=200) as disk:
            with Node(CAMERA, library=disk.path / "library") as node, CameraBus(node.control) as bus:
                photo = bus.capture(picture=False).asset
                codec, container = trial.random.choice([("mjpeg", "matroska"), ("h264", "mp4"), ("h264", "matroska")])
                recording = bus.start_recording(codec=codec, container=container)
                time.sleep(trial.random.uniform(0, LONGEST))
                moment = disk.cut_power()
                node.kill()
            with disk.survivor() as survivor, Node(CAMERA, library=survivor / "library") as node:
                losses.append(moment - end_of_movie(node, recording))
                with CameraBus(node.control) as bus:
                    assert photo in bus.assets(), "a photo that was acknowledged is lost"
    trial.figure(
        f"{len(losses)} power cuts: every photo is there, every movie plays; lost at most {max(losses):.2f} s, "
        f"in the median {statistics.median(losses):.2f} s")
    assert max(losses) <= LAST, f"{max(losses):.2f} s of a movie are lost"


def end_of_movie(node, recording):
    """The moment of the last saved frame, or of the recording's start if there is none, in seconds
    since 1970.
    """
    with CameraBus(node.control, timeout=PATIENCE) as bus:
        assets = bus.assets(request_id=recording.recording)
    if not assets:
        return recording.started.wall_ns / 1e9
    assert assets[0].recovered, assets[0]
    return Movie(node, assets[0]).end
