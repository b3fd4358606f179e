"""One of eight subscribers stops for a minute: memory stays flat, and the others notice nothing."""

import contextlib
import time

from harness.control import Control
from harness.node import Node
from harness.processes import UseSampler
from harness.trial import megabytes, percentile, ratio_of_medians

SUBSCRIBERS = 8
FRAME_RATE = 15
FRAME = 1280 * 720 * 2
# How much a node may hold for a subscriber that does not read: libzmq's queue of 3, a frame on its
# way on each side of it, and some reserve for noise.
MEMORY = 16 * FRAME
# It is one of sixteen publications.
MOST_HEARTBEATS = 3
# A difference counts if it is this large and this unlikely to be chance. The short form has too
# little data to be strict.
RATIO, SHORT_RATIO, CHANCE = 1.25, 3.0, 0.01


def run(trial):
    with contextlib.ExitStack() as stack:
        camera = f"cam=synthetic:1280x720@{FRAME_RATE},format=YUYV"
        node = stack.enter_context(Node(camera))
        control = Control(stack, camera, watch=("watch", "--stream", "raw", "--frames"), pause=1.0)
        subscribers = [
            stack.enter_context(node.follow("watch", "--stream", "raw", "--frames")) for _ in range(SUBSCRIBERS)]
        for subscriber in subscribers:
            subscriber.wait_for_count(FRAME_RATE)
        free, stopped, counts = [], [], []
        rounds = trial.rounds(2, 1)
        # The publication that finds the queue full may be a heartbeat, which belongs to no stream.
        while len(counts) < rounds or (not any(counts) and len(counts) < rounds + MOST_HEARTBEATS):
            counts.append(stop_one(trial, node, subscribers, free, stopped))
        assert any(counts), "the node never counts the stopped one as slow"
        compare(trial, free, stopped)
        for subscriber in subscribers:
            subscriber.finish()
        losses = [subscriber.seen[-1][1]["losses"]["lostOnBus"] for subscriber in subscribers]
        trial.figure(f"lost on the bus: {losses[0]} by the stopped one, {sum(losses[1:])} by the seven others")
        assert losses[0] > 0, "the stopped one says that it missed nothing"
        allowed = control.allowed_losses()
        assert max(losses[1:]) <= allowed, f"the others lost {losses[1:]}, and {allowed} may happen by chance"


def stop_one(trial, node, subscribers, free, stopped):
    """Stops one subscriber, and notes the others' latencies during the stop and before and after
    it.

    Returns how often it counted as slow.
    """
    victim, others = subscribers[0], subscribers[1:]
    seconds, around = trial.pick(60, 10), trial.pick(15, 5)
    with UseSampler(node.pid) as usual:
        free += latencies(others, around)
    before = dropped_slow(node)
    victim.pause()
    with UseSampler(node.pid) as held:
        stopped += latencies(others, seconds)
    dropped = dropped_slow(node) - before
    place = len(victim.seen)
    victim.resume()
    newest = others[0].seen[-1][1]["sequence"]
    victim.wait_for(lambda frame: frame.get("sequence", 0) > newest, "a frame from after the stop", place)
    free += latencies(others, around)
    growth = held.memory - usual.memory
    trial.figure(
        f"memory {megabytes(usual.memory)} with all eight reading, {megabytes(held.memory)} at most with one stopped for "
        f"{seconds} s ({FRAME_RATE * seconds} frames of {megabytes(FRAME)}); {dropped} times counted as fallen behind")
    assert growth < MEMORY, f"the node took {megabytes(growth)} more memory"
    assert dropped <= FRAME_RATE * (seconds + 2), "the node's count of slow subscribers is not what the stop explains"
    return dropped


def compare(trial, free, stopped):
    ratio = ratio_of_medians(stopped, free)
    chance = trial.chance(ratio_of_medians, stopped, free)
    trial.figure(
        f"p99 of the others' latency {milliseconds(free)} ms without, {milliseconds(stopped)} ms with one stopped (medians of "
        f"{len(free)} and {len(stopped)} seconds): ratio {ratio:.2f}, by chance as high in {chance:.0%} of shuffles")
    assert ratio < trial.pick(RATIO, SHORT_RATIO) or chance > CHANCE, "the others' frames came later"


def latencies(subscribers, seconds):
    """For each second, the 99th percentile of the time from exposure to receipt, over all these
    subscribers.
    """
    places = [len(subscriber.seen) for subscriber in subscribers]
    start = time.monotonic()
    for subscriber, place in zip(subscribers, places):
        subscriber.wait_for_count(place + round(seconds * FRAME_RATE))
    end = time.monotonic()
    windows = [[] for _ in range(round(end - start))]
    for subscriber, place in zip(subscribers, places):
        for _, frame in subscriber.seen[place:]:
            stages = frame["stages"]
            window = int(stages["received"] / 1e9 - start)
            if 0 <= window < len(windows):
                windows[window].append(stages["received"] - stages["exposed"])
    expected = FRAME_RATE * len(subscribers)
    return [percentile(window, 0.99) for window in windows if len(window) > expected / 2]


def milliseconds(windows):
    return f"{percentile(windows, 0.5) / 1e6:.2f}"


def dropped_slow(node):
    return sum(stream.get("droppedSlow", 0) for stream in node.status()["cameras"][0]["streams"])
