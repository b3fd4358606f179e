"""A link is silent for seconds: clients say so, go on later, and nothing is missing or done twice."""

import collections
import contextlib
import threading
import time

from camerabus import Disconnected, Lost, Published, Reconnected

from harness.link import RESET, Link
from harness.node import Node
from harness.photographer import Photographer
from harness.watching import EventWatcher, FrameWatcher

SILENCE = 5.0  # longer than the three seconds after which a client gives up a node
RESUME = 4.0  # includes up to three seconds until a client gives up the old connection


def run(trial):
    with contextlib.ExitStack() as stack:
        node = stack.enter_context(Node("cam=synthetic:640x360@30"))
        link = stack.enter_context(Link())
        control, events, frames = (link.forward(endpoint) for endpoint in (node.control, node.events, node.frames))
        monitor = stack.enter_context(EventWatcher(control, events=events))
        previews = stack.enter_context(FrameWatcher(control, "cam", frames=frames))
        far = stack.enter_context(Photographer(control, pause=0.1))
        near = stack.enter_context(Photographer(node.control, pause=0.1))
        command = stack.enter_context(node.follow("capture", "--count", 100_000, "--output", node.folder, control=control))
        watchers = {"monitor": monitor, "previews": previews, "photos": far, "camctl capture": command}
        delays = {name: [] for name in watchers}
        for _ in range(trial.rounds(4, 2)):
            for watcher in (*watchers.values(), near):
                watcher.wait_for_more(20)
            fall_silent(trial, link, watchers, delays)
        command.finish()
        for photographer in (far, near):
            photographer.stop()
            photographer.check_library(node)
        trial.figure(f"{len(delays['previews'])} silences of {SILENCE:.0f} s, back at the latest after " + ", ".join(
            f"{max(times):.2f} s ({name})" for name, times in delays.items()))
        trial.figure(f"far away, {far.account()}")
        trial.figure(f"near, {near.account()}")
        check_monitor(trial, monitor, far, near, delays)
        assert not near.failures, "photos near the node failed"
        assert not far.failures, f"photos far from the node failed, first with {far.failures and far.failures[0]}"
        assert all(max(times) < RESUME for times in delays.values()), f"late: {delays}"


def fall_silent(trial, link, watchers, delays):
    """Silences the link, and notes how long each client took to receive something after the link
    was back.
    """
    link.is_dead = True
    threading.Event().wait(SILENCE)  # the silence itself
    if trial.random.random() < 0.5:
        link.cut(RESET)
    places = {name: len(watcher.seen) for name, watcher in watchers.items()}
    back = time.monotonic()
    link.is_dead = False
    for name, watcher in watchers.items():
        moment, _ = watcher.wait_for(is_from_node, f"{name} after the silence", places[name])
        delays[name].append(moment - back)


def is_from_node(thing):
    return not isinstance(thing, (Disconnected, Reconnected, Lost))


def check_monitor(trial, monitor, far, near, delays):
    """Checks that the monitor got every photo's events, each event once and in order."""
    acknowledged = {asset.request_id for photographer in (far, near) for _, asset in photographer.seen}
    monitor.wait_until(lambda: acknowledged <= completed(monitor), "end of every photo")
    kinds = collections.Counter(type(notice).__name__ for _, notice in monitor.seen)
    numbers = collections.defaultdict(list)
    for _, notice in monitor.seen:
        if isinstance(notice, Published):
            numbers[notice.topic].append(notice.sequence)
    trial.figure(f"the monitor had {kinds['Published']} events, {kinds['Lost']} lost; {kinds['Disconnected']} times it said "
                 "that the node is away")
    assert not kinds["Lost"] and not kinds["Restarted"], kinds
    assert kinds["Disconnected"] == kinds["Reconnected"] == len(delays["previews"]), kinds
    for topic, came in numbers.items():
        assert came == list(range(came[0], came[0] + len(came))), f"{topic} has holes"


def completed(monitor):
    return {notice.event.capture.request_id for _, notice in monitor.seen
            if isinstance(notice, Published) and notice.event.capture.HasField("completed")}
