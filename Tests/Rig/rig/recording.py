"""Movies of a rig, and what is said of them."""

import json
import subprocess

from camerabus import movie_frames
from harness.record import PATIENCE

from .shooting import RigCaptures


class Frame:
    """When a frame of a movie was taken on the controller's clock: between these, in nanoseconds."""

    def __init__(self, said):
        self.earliest, self.latest = said["earliestStartNanoseconds"], said["latestStartNanoseconds"]


class Movie:
    """A movie, and what is said of it. `times` are those at which players show its frames, since its beginning, and `pictures`
    its frames as files.
    """

    def __init__(self, part, folder):
        said = part["movie"]
        (file,) = said["files"]
        self.name, self.frames = part["camera"], said["frames"]
        self.first, self.last = Frame(said["first"]), Frame(said["last"])
        least, most = said["delay"]["leastNanoseconds"], said["delay"]["mostNanoseconds"]
        self.delay, self.delay_error = (least + most) / 2, (most - least) / 2
        path = folder / file["name"]
        self.times = [frame.milliseconds * 1_000_000 for frame in movie_frames(path)]
        pictures = folder / f"{self.name} pictures"
        pictures.mkdir()
        subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-c", "copy", "-f", "image2", pictures / "%06d.jpg"],
            check=True, timeout=PATIENCE)
        self.pictures = sorted(pictures.iterdir())


class Recording:
    """What is said of movies that were recorded together: the moments of their beginning and their end, and how far the
    beginnings are apart at least and at most.
    """

    def __init__(self, said, folder):
        self.begin, self.end = said["fromMonotonicNanoseconds"], said["untilMonotonicNanoseconds"]
        self.movies = [Movie(part, folder) for part in said["parts"]]
        self.least_skew, self.most_skew = said["skew"]["leastNanoseconds"], said["skew"]["mostNanoseconds"]


class RigRecordings(RigCaptures):
    """Records by `camctl rig record`."""

    def record(self, folder, seconds):
        command = self.command(folder)
        command[2] = "record"
        done = subprocess.run(
            [*command, "--duration", f"{seconds}s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            timeout=2 * PATIENCE + seconds)
        assert done.returncode == 0, f"camctl rig record ended with {done.returncode}: {done.stderr}{done.stdout}"
        said = json.loads(done.stdout)
        assert said == json.loads((folder / "recording.json").read_text()), "recording.json is another recording"
        return Recording(said, folder)
