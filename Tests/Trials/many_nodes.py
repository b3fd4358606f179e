"""One monitor follows twenty nodes, of which five are killed and started again under load, and misses nothing."""

import collections
import contextlib
import json
import tempfile
import threading
import time
from pathlib import Path

from camerabus import CameraBus, CameraBusError, Published, RigEvent, RigMonitor

from harness.node import PROGRAMS, Node
from harness.processes import Follower
from harness.trial import percentile
from harness.watching import EventWatcher, Watcher

NODES, KILLED = 20, 5
PAUSE = 0.1  # seconds between two changes of a node's control: each is an event
LONGEST_DOWN = 2.0


class RigWatcher(Watcher):
    """Records the events of the Python client's monitor of many nodes."""

    def __init__(self, rig):
        super().__init__("Python monitor of all")
        self._rig = rig

    def _open(self):
        return RigMonitor(self._rig)


class Changer(threading.Thread):
    """Sets a control of a node all the time, each time to another value. The node may be away."""

    def __init__(self, control):
        super().__init__(daemon=True)
        self._control = control
        self._is_over = threading.Event()
        self.count = 0

    def run(self):
        with CameraBus(self._control, patience=0.5) as bus:
            while not self._is_over.wait(PAUSE):
                with contextlib.suppress(CameraBusError):
                    bus.set_controls({"brightness": self.count % 200 + 1}, find_effect=False)
                    self.count += 1

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self.join()


def run(trial):
    rounds = trial.rounds(6, 2)
    with contextlib.ExitStack() as stack:
        nodes = [stack.enter_context(Node("cam=synthetic:160x120@2")) for _ in range(NODES)]
        names = [f"n{number}" for number in range(NODES)]
        rig = [{"node": node.control, "name": name} for node, name in zip(nodes, names)]
        file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "rig.yaml"
        file.write_text(json.dumps({"nodes": rig}))
        twins = [stack.enter_context(EventWatcher(node.control)) for node in nodes]
        monitors = {
            "camctl events": (stack.enter_context(
                Follower([PROGRAMS / "camctl", "events", "--json", "--rig", file], nodes[0].log)), told_by_camctl),
            "Python RigMonitor": (stack.enter_context(RigWatcher(rig)), told_by_python)}
        for twin in twins:
            twin.wait_for_snapshot()
        for monitor, told in monitors.values():
            monitor.wait_until(lambda monitor=monitor, told=told: len(
                {node for _, thing in monitor.seen for node, kind, _ in [told(thing)] if kind == "snapshot"}) == NODES,
                "snapshots of all nodes")
        begin = [last_numbers(node) for node in nodes]
        changers = [stack.enter_context(Changer(node.control)) for node in nodes]
        killed = trial.random.sample(range(NODES), KILLED)
        for _ in range(rounds):
            for number in trial.random.sample(killed, KILLED):
                kill_and_start(trial, nodes[number])
        kills = collections.Counter({names[number]: rounds for number in killed})
        time.sleep(2 * PAUSE)
        for changer in changers:
            changer.__exit__()
        expected = {name: reference(*facts) for name, *facts in zip(names, nodes, twins, begin)}
        trial.figure(f"{NODES} nodes, {sum(kills.values())} kills of {', '.join(sorted(kills))}, "
                     f"{sum(changer.count for changer in changers)} changes")
        for name, (monitor, told) in monitors.items():
            check(trial, name, monitor, told, expected, kills)


def kill_and_start(trial, node):
    pause = threading.Event()
    pause.wait(trial.random.uniform(0, 0.3))
    node.kill()
    pause.wait(trial.random.uniform(0, LONGEST_DOWN))
    node.start()


def last_numbers(node):
    """The node's epoch, and the last number of each topic."""
    with CameraBus(node.control) as bus:
        status = bus.status()
        return bus.epoch, {topic.topic: topic.last_sequence for topic in status.topics}


def reference(node, twin, begin):
    """What the node's own monitor has got since the beginning: the present epoch, and {epoch: {topic: numbers}}.

    It waits for the last events of the present start.
    """
    present, last = last_numbers(node)

    def first(epoch, topic):
        return begin[1].get(topic, 0) + 1 if epoch == begin[0] else 1

    def is_whole():
        came = {(thing.epoch, thing.topic, thing.sequence) for _, thing in twin.seen if isinstance(thing, Published)}
        return all((present, topic, number) in came or number < first(present, topic) for topic, number in last.items())

    twin.wait_until(is_whole, "last events of the node")
    events = {}
    for _, thing in twin.seen:
        if isinstance(thing, Published) and thing.sequence >= first(thing.epoch, thing.topic):
            events.setdefault(thing.epoch.hex(), {}).setdefault(thing.topic, []).append(thing.sequence)
    return present.hex(), events


def told_by_python(event):
    """The node's name, what it is, and for an event its epoch, topic, number, time, error and whether it is late."""
    assert isinstance(event, RigEvent)
    notice = event.notice
    if isinstance(notice, Published):
        return event.node, "event", (notice.epoch.hex(), notice.topic, notice.sequence, event.time.moment, event.time.error,
                                     event.is_late)
    return event.node, type(notice).__name__.lower(), None


def told_by_camctl(event):
    node, kind = event["nodeName"], event["type"]
    if "sequence" not in event:
        return node, {"gap": "lost", "nodeRestarted": "restarted"}.get(kind, kind), None
    time = event["estimated"]
    return node, "event", (event["epoch"], f"event/{event['camera']}/{kind}/", event["sequence"],
                           time["monotonicNanoseconds"], time.get("errorNanoseconds"), event["isLate"])


def check(trial, name, monitor, told, expected, kills):
    """Checks that the monitor has got what the twins have, each event once and in order."""
    def missing():
        came = {(node, *facts[:3]) for _, thing in list(monitor.seen) for node, kind, facts in [told(thing)] if kind == "event"}
        return [(node, present, topic, numbers[-1])
                for node, (present, events) in expected.items() for topic, numbers in events.get(present, {}).items()
                if (node, present, topic, numbers[-1]) not in came]

    try:
        monitor.wait_until(lambda: not missing(), "last events of all nodes")
    except AssertionError as error:
        raise AssertionError(f"{name} lacks {missing()}") from error
    seen = [(moment, *told(thing)) for moment, thing in monitor.seen]
    came, restarts, latest = {}, collections.Counter(), -1
    delays, late, unknown = [], 0, 0
    for moment, node, kind, facts in seen:
        restarts[node] += kind == "restarted"
        assert kind != "lost", f"{name} says that it lost something of {node}"
        if kind != "event":
            continue
        epoch, topic, number, estimated, error, is_late = facts
        came.setdefault(node, {}).setdefault(epoch, {}).setdefault(topic, []).append(number)
        unknown += error is None
        late += is_late
        assert is_late or estimated >= latest, f"{name}: {node} {topic} {number} is out of order and not late"
        latest = max(latest, estimated)
        if not is_late:
            delays.append(moment - estimated / 1e9)
    tails = 0
    for node, (present, events) in expected.items():
        for epoch in {*events, *came.get(node, {})}:
            theirs, ours = events.get(epoch, {}), came.get(node, {}).get(epoch, {})
            for topic in {*theirs, *ours}:
                wanted, got = theirs.get(topic, []), ours.get(topic, [])
                what = f"{name}: {node}, epoch {epoch[:8]}, {topic}"
                assert got == list(range(got[0], got[-1] + 1)) if got else True, f"{what}: {got} has holes or repetitions"
                if not wanted:
                    continue  # from before the beginning
                assert got and got[0] <= wanted[0], f"{what}: {got} instead of {wanted}"
                # What a killed node had sent to one of them only was kept by nobody. The present one goes on meanwhile.
                assert epoch != present or got[-1] >= wanted[-1], f"{what}: {got} instead of {wanted}"
                tails += abs(got[-1] - wanted[-1])
    # A node that was killed again before it was heard has had a start that nobody knows.
    wrong = {node: count for node, count in kills.items() if not 1 <= restarts[node] <= count}
    others = sorted(node for node in restarts if restarts[node] and node not in kills)
    assert not others, f"{name} says that {others} have restarted"
    count = sum(len(numbers) for epochs in came.values() for topics in epochs.values() for numbers in topics.values())
    trial.figure(
        f"{name}: {count} events, no hole and none twice, {late} late, {unknown} without a bound; in order and handed out after "
        f"{percentile(delays, 0.5):.3f} s (median), {percentile(delays, 0.99):.3f} s (99 %); "
        f"{tails} events of killed starts reached only it or only the twin; {sum(restarts.values())} restarts said")
    assert not wrong, f"{name} has told another number of restarts: {wrong}, {restarts}"
