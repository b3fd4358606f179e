"""Checks movies with ffmpeg and ffprobe."""

import json
import subprocess
from datetime import datetime

from .processes import PATIENCE


class Movie:
    """A movie in the library.

    Checks that every frame decodes and that the number of frames is the one the node reports.
    """

    def __init__(self, node, asset):
        self.asset = asset
        self.path = node.library / asset.path
        facts = json.loads(output_of(
            "ffprobe", "-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "json", "-show_entries",
            "stream=nb_read_frames:format=duration:format_tags=creation_time:packet=pts_time", self.path))
        times = [float(packet["pts_time"]) for packet in facts["packets"]]
        start = datetime.fromisoformat(facts["format"]["tags"]["creation_time"].replace("Z", "+00:00")).timestamp()
        self.end = start + times[-1]
        self.sound_end = start + self._sound_end()
        decoded = int(facts["streams"][0]["nb_read_frames"])
        assert decoded == len(times) == asset.frames, f"{asset.path} has {decoded} frames instead of {asset.frames}"
        assert float(facts["format"]["duration"]) >= times[-1], f"{asset.path} does not say how long it is"
        complaints = output_of("ffmpeg", "-v", "error", "-xerror", "-i", self.path, "-f", "null", "-")
        assert not complaints, f"ffmpeg says of {asset.path}: {complaints}"

    def _sound_end(self):
        """The end of its sound, in seconds since its first picture; 0 if it has none."""
        packets = json.loads(output_of(
            "ffprobe", "-v", "error", "-select_streams", "a", "-show_entries", "packet=pts_time,duration_time", "-of", "json",
            self.path)).get("packets")
        return float(packets[-1]["pts_time"]) + float(packets[-1].get("duration_time", 0)) if packets else 0


def output_of(*command):
    """Runs a program that must succeed. Returns its output, including errors."""
    result = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
    assert result.returncode == 0, f"{command} ended with {result.returncode}: {result.stdout}"
    return result.stdout
