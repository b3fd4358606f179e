"""After each of ten kills and restarts, subscribers and monitors go on at once and miss nothing."""

import contextlib
import itertools
import threading
import time

from camerabus import Lost, Published, Snapshot, messages

from harness.node import Node
from harness.photographer import Photographer
from harness.watching import EventWatcher, FrameWatcher, HeartbeatWatcher

RESUME = 2.0  # seconds after which every client must receive something again
LONGEST_DOWN = 2.0


def run(trial):
    rounds = trial.rounds(10, 3)
    with contextlib.ExitStack() as stack:
        node = stack.enter_context(Node("cam=synthetic:640x360@30"))
        heartbeats = stack.enter_context(HeartbeatWatcher(node.events))
        clients = {
            "Python subscriber": FrameWatcher(node.control, "cam"), "camctl watch": node.follow("watch", "--frames"),
            "Python monitor": EventWatcher(node.control), "camctl events": node.follow("events")}
        for name, client in clients.items():
            stack.enter_context(client)
            client.wait_for(sent_at, f"{name}'s first message from the node")
        heartbeats.wait_for_more(2)  # the second one was sent after the snapshots
        before = heartbeats.last_numbers()
        photographer = stack.enter_context(Photographer(node.control))
        delays = {name: [] for name in clients}
        for _ in range(rounds):
            photographer.wait_for_more(trial.random.randrange(3, 20))
            killed = kill_and_start(trial, node, clients, delays)
            heartbeats.wait_for(lambda beat: beat.header.sent.monotonic_ns > killed, "heartbeat of the new node")
            photographer.check_library(node)
        photographer.wait_for_more(3)
        photographer.stop()
        photographer.check_library(node)
        heartbeats.wait_for_more(2)  # the second one was sent after the last event
        numbers = heartbeats.last_numbers()
        trial.figure(f"{rounds} kills, {len(numbers)} epochs; back at the latest after " + ", ".join(
            f"{max(times):.2f} s ({name})" for name, times in delays.items()))
        trial.figure(photographer.account())
        check_events(trial, "Python monitor", clients, numbered_by_python, before, numbers)
        check_events(trial, "camctl events", clients, numbered_by_camctl, before, numbers)
        late = {name: max(times) for name, times in delays.items() if max(times) > RESUME}
        assert not late, f"late by more than {RESUME} s: {late}"


def kill_and_start(trial, node, clients, delays):
    """Kills and restarts the node, and notes how long each client took to receive something from
    the restarted node.

    Returns the moment of the kill.
    """
    pause = threading.Event()
    pause.wait(trial.random.uniform(0, 0.05))  # kill at a random moment
    node.kill()
    killed = time.monotonic_ns()
    places = {name: len(client.seen) for name, client in clients.items()}
    pause.wait(trial.random.uniform(0, LONGEST_DOWN))  # for that long there is no node
    up = node.start()
    for name, client in clients.items():
        moment, _ = client.wait_for(lambda thing: sent_at(thing) > killed, f"{name} on the new node", places[name])
        delays[name].append(max(0.0, moment - up))
    return killed


def sent_at(thing):
    """When the node sent it, by this machine's monotonic clock; 0 if it comes from the client
    itself.
    """
    if isinstance(thing, messages.Header):
        return thing.sent.monotonic_ns
    if isinstance(thing, Published):
        return thing.event.time.monotonic_ns
    if isinstance(thing, Snapshot):
        return thing.status.now.monotonic_ns
    if not isinstance(thing, dict):
        return 0
    if "stages" in thing:
        return thing["stages"]["sent"]
    return (thing.get("time") or thing.get("node", {}).get("now") or {"monotonicNanoseconds": 0})["monotonicNanoseconds"]


def numbered_by_python(notice):
    return (notice.epoch.hex(), notice.topic, notice.sequence) if isinstance(notice, Published) else None


def numbered_by_camctl(event):
    return (event["epoch"], f"event/{event['camera']}/{event['type']}/", event["sequence"]) if "sequence" in event else None


def check_events(trial, name, clients, numbered, before, numbers):
    """Checks that each epoch's events came in order without a hole, up to the last number that a
    heartbeat named.
    """
    client = clients[name]
    final = list(numbers)[-1]
    for topic, number in numbers[final].items():
        if number:
            client.wait_for(lambda thing: (numbered(thing) or (0, 0, 0))[:2] == (final, topic)
                            and numbered(thing)[2] >= number, f"number {number} of {topic}")
    events = [event for _, thing in client.seen if (event := numbered(thing))]
    came = {key: [event[2] for event in group]
            for key, group in itertools.groupby(sorted(events, key=lambda event: event[:2]), key=lambda event: event[:2])}
    holes = []
    for position, (epoch, topics) in enumerate(numbers.items()):
        for topic, last in topics.items():
            # The first snapshot includes all events before it.
            first = before.get(epoch, {}).get(topic, 0) + 1
            here = [number for number in came.get((epoch, topic), []) if number >= first]
            if here != list(range(first, max(last, *here, 0) + 1)):
                holes.append(f"epoch {position + 1}, {topic}: {ranges(here)} of {first}...{last}")
    said = [thing for _, thing in client.seen
            if isinstance(thing, Lost) or isinstance(thing, dict) and thing.get("type") in ("gap", "lost")]
    trial.figure(f"{name}: {len(events)} events, {len(holes)} holes, {len(said)} losses said")
    assert not holes, f"{name} has holes: {'; '.join(holes)}"
    assert not said, f"{name} says that it lost something: {said}"


def ranges(values):
    """Writes 1, 2, 3, 7 as `1...3 7`."""
    runs = []
    for value in values:
        if runs and value == runs[-1][1] + 1:
            runs[-1][1] = value
        else:
            runs.append([value, value])
    return " ".join(f"{first}...{last}" if last > first else str(first) for first, last in runs) or "none"
