"""Whatever clients do with shots in whatever order, the node answers and tells what a small model says.

Each history is random: shots are prepared, committed, repeated and aborted, by several clients and under leases of all kinds; leases
are released and expire; clients disconnect; others take photos; cameras are unplugged, stopped, and taken out of the configuration.
"""

import collections
import os
import random
import signal
import tempfile
import threading
import time
from pathlib import Path

from camerabus import CameraBus, messages

from harness.node import Node
from harness.record import PATIENCE
from harness.shot_lane import Lane
from harness.shot_model import ABORTED, LATE, LEASED, NO_SUCH_SHOT, NOT_ABORTED, OK, UNFIT, UNMADE
from harness.shot_requests import SECOND, SHORT, Abort, Acquire, Commit, Photo, Prepare, Release, Session, need

LANES, CAMERAS = 4, 3
MS = 10 ** 6
STEPS = (4, 16)
# A camera that begins to stream may have no frames of the past for so long, in nanoseconds.
FILLING = 500 * MS


def now():
    return time.monotonic_ns()


class Roster:
    """The node's configuration, from which cameras are taken and to which they are added while the node runs."""

    def __init__(self, folder, names):
        self.file, self.pid = folder / "camerad.yaml", None
        self._names, self._lock = list(names), threading.Lock()
        self._write()

    def _write(self):
        lines = ["cameras:", *(f"  {name}: synthetic:160x120@30" for name in self._names)]
        temporary = self.file.with_suffix(".new")
        temporary.write_text("\n".join(lines) + "\n")
        temporary.rename(self.file)

    def change(self, name, is_there):
        with self._lock:
            self._names = [*(other for other in self._names if other != name), *([name] if is_there else [])]
            self._write()
            os.kill(self.pid, signal.SIGHUP)


class History:
    """One random history, on a lane that is as new before it and after it."""

    def __init__(self, lane, roster, chance):
        self.lane, self.roster, self.random = lane, roster, chance
        self.names = list(lane.places)
        self.rigs = {}  # by shot: whether it was taken
        self.known = []  # (camera, shot) that were prepared
        self.said = collections.Counter()

    def run(self):
        steps = [self.prepare] * 4 + [self.commit] * 6 + [self.abort] * 2 + [self.rig] * 2 + [
            self.lease, self.release, self.repeat, self.disconnect, self.photo, self.crowd, self.session, self.race, self.race]
        for _ in range(self.random.randrange(*STEPS)):
            self.random.choice(steps)()
        if self.random.random() < 0.1:
            self.remove()
        if self.random.random() < 0.25:
            self.expire()
        self.finish()

    # Choices

    def client(self):
        return self.random.choice(self.lane.clients)

    def place(self):
        return self.lane.places[self.random.choice(self.names)]

    def lease_for(self, place, right=0.8):
        """The lease that holds, mostly; or none, or one that has ended."""
        if self.random.random() < right:
            return place.model.lease and place.model.lease.id
        return self.random.choice([None, *place.leases[-3:]])

    def some_shot(self):
        """A camera and a shot that may be prepared, being taken, or over."""
        alive = [(name, shot, part) for name, place in self.lane.places.items() for shot, part in place.model.shots.items()]
        ready = [part for part in alive if not part[2].commit]
        choices = [ready] * 6 + [alive] * 2 + [self.known] * 2
        if chosen := self.random.choice(choices):
            return self.random.choice(chosen)[:2]
        return self.random.choice(self.known) if self.known else (self.random.choice(self.names), os.urandom(16))

    def note(self, step, got):
        self.said[step, got] += 1
        return got

    # Steps

    def prepare(self, **options):
        place = self.place()
        shot = self.some_shot()[1] if self.random.random() < 0.2 else os.urandom(16)
        if shot in self.rigs:
            shot = os.urandom(16)
        lease = self.lease_for(place) if self.random.random() < 0.5 else None
        options = {"knows_clock": self.random.random() > 0.05, **options}
        if self.note("prepare", Prepare(self.lane, self.client(), place.name, shot, lease, **options).run()) == OK:
            self.known.append((place.name, shot))

    def commit(self):
        if not any(not part.commit for place in self.lane.places.values() for part in place.model.shots.values()):
            self.prepare()
        name, shot = self.some_shot()
        place = self.lane.places[name]
        kind, ends = self.random.choice(["soon"] * 5 + ["past"] * 3 + ["old", "far"]), [OK]
        if kind == "soon":
            moment = now() + self.random.randrange(150) * MS
        elif kind == "past":
            moment = now() - self.random.randrange(20, 100) * MS
            if moment < place.since + FILLING:
                ends = [OK, LATE]
        elif kind == "old":
            moment, ends = now() - 3600 * SECOND, [LATE]
        else:
            moment = now() + 20 * SECOND
        commit = Commit(self.lane, self.client(), name, shot, self.lease_for(place), moment, ends, is_too_far=kind == "far")
        self.note("commit", commit.run())

    def abort(self):
        name, shot = self.some_shot()
        self.note("abort", Abort(self.lane, self.client(), name, shot, self.lease_for(self.lane.places[name])).run())

    def rig(self):
        """As a controller does it: all cameras prepare, and then all get one moment, or none does."""
        client, shot, ready = self.client(), os.urandom(16), []
        if self.random.random() < 0.5:
            for place in self.lane.places.values():
                Release(self.lane, client, place.name, None, force=True).run()
        for place in self.lane.places.values():
            if self.note("prepare", Prepare(self.lane, client, place.name, shot).run()) == OK:
                ready.append(place)
                self.known.append((place.name, shot))
        self.rigs[shot] = len(ready) == len(self.names)
        moment = now() + self.random.randrange(40, 150) * MS
        for place in ready:
            # All have their own leases, which nobody else ends meanwhile.
            lease = place.model.lease.id
            if self.rigs[shot]:
                need(Commit(self.lane, client, place.name, shot, lease, moment).run() == OK, "a rig's commit was refused")
            else:
                need(Abort(self.lane, client, place.name, shot, lease).run() == ABORTED, "a rig's abort was refused")
        self.note("rig", "taken" if self.rigs[shot] else "abandoned")

    def lease(self):
        place = self.place()
        self.note("lease_acquire", Acquire(self.lane, self.client(), place.name, self.lease_for(place, 0.2)).run())

    def release(self):
        place = self.place()
        self.note("lease_release", Release(
            self.lane, self.client(), place.name, self.lease_for(place), force=self.random.random() < 0.2).run())

    def repeat(self):
        """A request is sent again over another connection, as after an answer that was lost."""
        if self.lane.commits:
            self.lane.check_repetition(self.random.choice(self.lane.commits[-4:]))
            self.note("repeat", OK)

    def disconnect(self):
        self.lane.replace(self.client())
        self.note("disconnect", OK)

    def photo(self):
        place = self.place()
        self.note("capture", Photo(self.lane, self.client(), place.name, now() + self.random.randrange(100, 300) * MS).run())

    def crowd(self):
        """A client takes all its places for photos that come later."""
        place, client, moment = self.place(), self.client(), now() + 400 * MS
        for _ in range(UNMADE + 1):
            if self.note("capture", Photo(self.lane, client, place.name, moment).run()) != OK:
                break
        self.note("prepare", Prepare(self.lane, client, place.name, os.urandom(16), self.lease_for(place, 1)).run())

    def session(self):
        """A camera is stopped, or unplugged, while other things go on; later it is there again."""
        place, state = self.place(), self.random.choice(["stopped", "lost"])
        if self.note(state, Session(self.lane, self.client(), place.name, self.lease_for(place), state).run()) != OK:
            return
        for step in self.random.choices([self.prepare, self.commit, self.commit, self.abort, self.photo, self.rig, self.release], k=3):
            step()
        # A shot that is taken has the lease until it ends.
        self.lane.pump(lambda: not place.flights)
        lease = place.model.lease
        need(Session(self.lane, self.client(), place.name, lease and lease.id, state, is_over=True).run() == OK, "it does not come back")

    def remove(self):
        """The node has a camera no more, and then again."""
        place = self.place()
        self.lane.remove(place, self.roster)
        for step in self.random.choices([self.prepare, self.commit, self.abort, self.photo, self.rig, self.lease], k=4):
            step()
        self.lane.add(place, self.roster)
        self.note("remove", OK)

    def expire(self):
        """A client prepares cameras and is not heard of any more."""
        shot, ready = os.urandom(16), []
        for place in self.lane.places.values():
            if not place.model.lease:
                if Prepare(self.lane, self.client(), place.name, shot, term=SHORT).run() == OK:
                    ready.append(place)
                    self.known.append((place.name, shot))
        self.photo()
        self.lane.pump(lambda: not any(shot in place.model.shots for place in ready))
        self.note("expire", len(ready))

    def race(self):
        """Two clients ask at the same time. One is first, and nobody knows which."""
        place, shot = self.place(), os.urandom(16)
        one, other = self.random.sample(self.lane.clients, 2)
        if place.model.lease or place.model.photos or place.model.state != "running":
            return
        kind = self.random.choice(["prepare", "abort", "release", "commit"])
        if kind == "prepare":
            pair = [Prepare(self.lane, client, place.name, os.urandom(16)) for client in (one, other)]
            allowed = {(OK, LEASED), (LEASED, OK)}
        else:
            need(Prepare(self.lane, one, place.name, shot).run() == OK, "nobody has the camera")
            self.known.append((place.name, shot))
            lease, moment = place.model.lease.id, now() + 100 * MS
            first = Commit(self.lane, one, place.name, shot, lease, moment)
            if kind == "abort":
                pair, allowed = [first, Abort(self.lane, other, place.name, shot, lease)], {(OK, NOT_ABORTED), (NO_SUCH_SHOT, ABORTED)}
            elif kind == "release":
                pair, allowed = [first, Release(self.lane, other, place.name, lease)], {(OK, OK), (NO_SUCH_SHOT, OK)}
            else:
                pair = [first, Commit(self.lane, other, place.name, shot, lease, moment)]
                allowed = {(OK, UNFIT), (UNFIT, OK)} | ({(OK, NO_SUCH_SHOT), (NO_SUCH_SHOT, OK)} if now() > moment - 70 * MS else set())
        for operation in self.random.sample(pair, 2):
            operation.send()
        got = tuple(operation.settle() for operation in pair)
        need(got in allowed, f"{place.name}: two at once ({kind}) were answered by {got}, not by one of {allowed}")
        self.note("race", kind)

    # The end

    def finish(self):
        """Ends all that is left, and checks that nothing is reserved and nothing was taken twice."""
        for place in self.lane.places.values():
            self.lane.pump(lambda: not place.flights)
            for shot in list(place.model.shots):
                part = place.model.shots.get(shot)
                if part and self.random.random() < 0.5:
                    need(Abort(self.lane, self.client(), place.name, shot, part.lease.id).run() == ABORTED, "it does not abort")
            if place.model.lease:
                need(Release(self.lane, self.client(), place.name, None, force=True).run() == OK, "it does not end a lease")
        for shot, is_taken in self.rigs.items():
            steps = [self.lane.shots[name, shot] for name in self.names if (name, shot) in self.lane.shots]
            need(is_taken == any("committed" in part for part in steps), "an abandoned shot was taken")
            need(not is_taken or all("committed" in part for part in steps) and len(steps) == len(self.names), "a part was not taken")
        self.lane.check_pictures()
        self.lane.check_free()
        self.lane.forget()


class Runner(threading.Thread):
    """Runs the histories of one lane. `failure` is why it ended early."""

    def __init__(self, node, roster, names, seeds):
        super().__init__(daemon=True)
        self._node, self._roster, self._names, self._seeds = node, roster, names, seeds
        self.said, self.ends, self.failure = collections.Counter(), {}, None
        self.count = 0

    def run(self):
        lane = None
        try:
            lane = Lane(self._node, self._names)
            lane.begin()
            for seed in self._seeds:
                history = History(lane, self._roster, random.Random(seed))
                try:
                    history.run()
                except AssertionError as error:
                    raise AssertionError(f"history {seed}: {error}; before: {'; '.join(lane.trace)}") from error
                self.said += history.said
                self.count += 1
            self.ends = lane.ends
        except Exception as error:  # noqa: BLE001 - reported to the thread that waits for this one
            self.failure = error
        finally:
            if lane:
                lane.close()


def run(trial):
    count = trial.rounds(500, 50)
    seeds = [f"{trial.random.getrandbits(48):012x}" for _ in range(count)]
    lanes = [[f"cam{lane}{number}" for number in range(CAMERAS)] for lane in range(LANES)]
    with tempfile.TemporaryDirectory(prefix="camerabus-trial-") as folder:
        roster = Roster(Path(folder), [name for names in lanes for name in names])
        with Node(options=["--config", roster.file, "--log", "warning"], has_terminal=False) as node:
            roster.pid = node.pid
            runners = [Runner(node, roster, names, seeds[number::LANES]) for number, names in enumerate(lanes)]
            for runner in runners:
                runner.start()
            for runner in runners:
                runner.join()
            for runner in runners:
                if runner.failure:
                    raise runner.failure
            check_library(node, [end for runner in runners for end in runner.ends.values()])
    report(trial, runners)


def check_library(node, ends):
    with CameraBus(node.control, timeout=PATIENCE) as bus:
        assets = list(bus.all_assets())
    requests = {asset.request_id for asset in assets}
    assert len(requests) == len(assets), "a request has two pictures"
    assert len(assets) == ends.count(OK), f"{len(assets)} pictures are there, and {ends.count(OK)} were taken"


def report(trial, runners):
    said, ends = collections.Counter(), collections.Counter()
    for runner in runners:
        said += runner.said
        ends.update(runner.ends.values())
    steps = collections.Counter()
    for (step, _), times in said.items():
        steps[step] += times
    trial.figure(f"{sum(runner.count for runner in runners)} histories: {', '.join(f'{times} {step}' for step, times in sorted(steps.items()))}")
    for step in ("prepare", "commit", "abort"):
        trial.figure(f"{step} was answered: {', '.join(f'{times} {words(got)}' for got, times in ended(said, step))}")
    trial.figure(f"rigs: {', '.join(f'{times} {got}' for got, times in ended(said, 'rig'))}; "
                 f"photos ended: {', '.join(f'{times} {words(end)}' for end, times in ends.most_common())}")


def ended(said, step):
    return [(got, times) for (one, got), times in said.most_common() if one == step]


def words(got):
    """An answer of the model for people."""
    if isinstance(got, str):
        return got
    code, reason = got
    if not code:
        return "OK"
    name = messages.ErrorCode.Name(code).removeprefix("ERROR_CODE_")
    return name + (f" ({messages.ErrorReason.Name(reason).removeprefix('ERROR_REASON_')})" if reason else "")
