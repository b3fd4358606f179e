"""A node that is killed makes the files of each photo that it deferred, and tells each of them, after its next start."""

import contextlib
import hashlib
import time

from camerabus import CameraBus, CameraBusError, PhotoSettings, Published, messages

from harness.node import Node
from harness.processes import PATIENCE
from harness.watching import EventWatcher

CAMERAS = ["cam=synthetic:640x480@30,format=YUYV", "raw=synthetic:320x240@30,format=RGGB"]
# Slow ones and quick ones, so that kills come in each step.
OUTPUTS = [["heic", "png"], ["png", "tiff", "jpeg"], ["avif"], ["tiff"]]
LONGEST = 1.5  # seconds until a kill


def run(trial):
    with Node(*CAMERAS) as node, EventWatcher(node.control) as monitor:
        proxies = {}
        for number in range(trial.rounds(30, 6)):
            moment = time.monotonic() + trial.random.uniform(0, LONGEST)
            photos = take(trial, node, number, moment)
            proxies.update(photos)
            time.sleep(max(0, moment - time.monotonic()))
            node.kill()
            node.start()
        ends = [end_of(monitor, proxy) for proxy in proxies]
        for (proxy, outputs), end in zip(proxies.items(), ends):
            check(node, proxy, outputs, end)
        check_library(node, proxies)
        trial.figure(
            f"killed {trial.rounds(30, 6)} times: {len(proxies)} proxies, each with its event and its "
            f"{sum(len(outputs) for outputs in proxies.values())} files")


def take(trial, node, number, end):
    """Takes photos until a moment. Returns the files to come, by their proxies' ids."""
    proxies = {}
    with CameraBus(node.control) as bus, contextlib.suppress(CameraBusError):
        while time.monotonic() < end:
            camera = trial.random.choice(CAMERAS).partition("=")[0]
            outputs = trial.random.choice(OUTPUTS) + (["dng"] if camera == "raw" else [])
            photo = bus.capture(
                camera=camera, settings=PhotoSettings(outputs, deferred=True, priority=trial.random.choice(["speed", "quality"])),
                picture=False)
            assert photo.asset.deferral == messages.DEFERRAL_PENDING, photo.asset
            proxies[photo.asset.id] = outputs
            if len(proxies) >= 4:
                break
    return proxies


def end_of(monitor, proxy):
    """The event of a proxy's end, from any start of the node."""
    _, notice = monitor.wait_for(
        lambda notice: isinstance(notice, Published) and notice.event.deferred.proxy == proxy,
        f"end of the proxy {proxy.hex()}", patience=4 * PATIENCE)
    return notice.event.deferred


def check(node, proxy, outputs, end):
    """Checks that the files are those that were asked for, whole, and in the place of the proxy."""
    assert end.HasField("finished"), end
    types = [file.media_type for file in end.finished.files]
    assert len(types) == len(outputs) == len(set(types)), (types, outputs)
    for file in end.finished.files:
        assert file.asset.replaces == proxy and file.asset.request_id == end.request_id, file.asset
        data = (node.library / file.asset.path).read_bytes()
        assert hashlib.sha256(data).digest() == file.asset.sha256, file.asset.path


def check_library(node, proxies):
    """Checks that nothing is left over, and that no file was made twice."""
    node.wait_for(lambda: not list((node.library / ".deferred").iterdir()), "empty folder of deferred photos")
    with CameraBus(node.control) as bus:
        assets = bus.assets(limit=1000)
        assert not bus.assets(deferral=messages.DEFERRAL_PENDING)
    finals = [asset for asset in assets if asset.replaces]
    assert len(finals) == len({(asset.replaces, asset.media_type) for asset in finals})
    known = {asset.id for asset in assets if asset.deferral == messages.DEFERRAL_DONE}
    assert set(proxies) <= known
    for asset in assets:
        assert hashlib.sha256((node.library / asset.path).read_bytes()).digest() == asset.sha256, asset.path
