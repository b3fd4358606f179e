"""A movie of 20 MB arrives complete over a link of 4 MB/s that is cut five times; previews go on."""

import contextlib
import hashlib
import subprocess
import time

from camerabus import CameraBus

from harness.control import Control
from harness.link import FINISH, RESET, Link
from harness.movies import CAMERA, record
from harness.node import Node
from harness.record import PATIENCE
from harness.trial import longest_pause, megabytes
from harness.watching import FrameWatcher

SIZE = 20_000_000
BYTES_PER_SECOND = 4_000_000
CUTS = 5
CHUNK = 256 << 10  # a connection that carried fewer bytes was not part of the download
FRAME_RATE = 15
# The longest pause of previews. It may be longer over the slow link, because the download fills
# that link.
LONGEST_PAUSE_DIRECT, LONGEST_PAUSE_SLOW = 1.0, 3.0


def run(trial):
    cam = f"cam=synthetic:1920x1080@{FRAME_RATE}"
    with contextlib.ExitStack() as stack:
        node = stack.enter_context(Node(cam, CAMERA))
        asset = record(node, SIZE)
        undisturbed = Control(stack, cam, pause=0.5)
        trial.figure(f"a movie of {megabytes(asset.byte_count)}")
        clients = {"camctl": download_with_camctl, "Python": download_with_python}
        for _ in range(trial.rounds(1, 1)):
            for name, download in clients.items():
                attempt(trial, node, undisturbed, asset, name, download)


def attempt(trial, node, undisturbed, asset, name, download):
    # The link is cut after these numbers of bytes, counted over all connections to the control
    # endpoint.
    cuts = sorted(trial.random.sample(range(SIZE // 50, SIZE), CUTS))
    path = node.folder / f"{name}.mkv"

    def plan():
        count = link.count(node.control)
        cut = next((cut for cut in cuts if cut > count), None)
        return cut and (cut - count, trial.random.choice([RESET, FINISH]))

    with Link(BYTES_PER_SECOND) as link:
        control = link.forward(node.control, plan)
        frames = link.forward(node.frames)
        with FrameWatcher(node.control, "cam", frames=frames) as slow, node.follow("watch", "--camera", "cam", "--frames") as direct:
            slow.wait_for(bool, "preview over the slow link")
            direct.wait_for_count(1)
            start = time.monotonic()
            download(node, asset, control, path)
            end = time.monotonic()
            direct_frames = direct.between(start, end)
            slow_frames = slow.between(start, end)
            direct.finish()
        assert hashlib.sha256(path.read_bytes()).digest() == asset.sha256, f"{name} brought other bytes"
    seconds = end - start
    trial.figure(
        f"{name}: {seconds:.1f} s ({megabytes(asset.byte_count / seconds)}/s), hash right, cut after "
        f"{', '.join(megabytes(count) for count in cuts)}; previews meanwhile {len(direct_frames)} direct "
        f"(longest pause {longest_pause(direct_frames, start, end):.2f} s), {len(slow_frames)} over the same link "
        f"({longest_pause(slow_frames, start, end):.2f} s)")
    connections = [connection for connection in link.connections if connection.target == node.control]
    ends = [connection.ended_by for connection in connections]
    assert ends.count("cut") == CUTS and "node" not in ends, f"connections were ended by {ends}"
    given_up = [connection.ended_by for connection in connections if connection.down > CHUNK].count("client")
    assert given_up == 1, f"{name} gave up {given_up - 1} connections that were carrying data"
    for frames, usual in ((direct_frames, LONGEST_PAUSE_DIRECT), (slow_frames, LONGEST_PAUSE_SLOW)):
        allowed = undisturbed.allowed_pause(usual, start, end)
        assert longest_pause(frames, start, end) < allowed, f"previews paused for more than {allowed:.1f} s"


def download_with_camctl(node, asset, control, path):
    command = node.command("download", asset.id.hex(), "--output", path, control=control)
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 0, f"camctl download: {result.stderr}"


def download_with_python(node, asset, control, path):
    with CameraBus(control) as bus:
        bus.download(asset, path)
