"""Requests about shots and leases, each with what the model says of its answer, and the clients that send them."""

import itertools
import os
import time

import zmq
from camerabus import messages
from camerabus.framing import read_reply, write_request

from .record import PATIENCE
from .shot_model import ABORTED, INTERRUPTED, LATE, LOST, NOT_ABORTED, OK, STOPPED, Camera, Lease

SECOND = 10 ** 9
# The shortest term of a lease, and one that does not end by itself here, in nanoseconds.
SHORT, LONG = SECOND, 600 * SECOND
# A photo is certainly under way until so long before its moment, in nanoseconds: two intervals of the cameras.
CERTAIN = 70_000_000
RUNNING, DISCONNECTED, HALTED = (
    messages.SESSION_STATE_RUNNING, messages.SESSION_STATE_INTERRUPTED, messages.SESSION_STATE_STOPPED)


class Broken(AssertionError):
    """The node and the model differ."""


def need(is_so, text):
    if not is_so:
        raise Broken(text)


def refused(error):
    return error.code, error.reason


def verdict(reply):
    """An answer as the model knows it."""
    if reply.HasField("error"):
        return refused(reply.error)
    if reply.HasField("shot_abort"):
        return ABORTED if reply.shot_abort.aborted else NOT_ABORTED
    return OK


class Client:
    """One connection. `firsts` has the first reply to each request, and `finals` the last one, as bytes."""

    _numbers = itertools.count()

    def __init__(self, control):
        self.number = next(self._numbers)
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(control)
        self.firsts, self.finals = {}, {}

    def send(self, request):
        self.socket.send_multipart(write_request(request))

    def read(self):
        parts = self.socket.recv_multipart(zmq.DONTWAIT)
        reply, _ = read_reply(parts)
        self.firsts.setdefault(reply.id, reply)
        if reply.final:
            need(reply.id not in self.finals, f"two final replies to {reply.id.hex()}")
            self.finals[reply.id] = parts[1]

    def final(self, id):
        return messages.Reply.FromString(self.finals[id])


class Flight:
    """A photo under way: its request, of which shot and moment, and how it may end."""

    def __init__(self, request, shot, moment, ends=(OK,)):
        self.request, self.shot, self.moment, self.ends = request, shot, moment, set(ends)
        self.is_cut = False  # its camera is taken away, so it ends at any time
        self.is_refused = False  # its camera takes no photos, so it fails at once

    def may_be_over(self):
        return self.is_cut or self.is_refused or time.monotonic_ns() >= self.moment - CERTAIN


class Place:
    """A camera of a lane: what the model says of it, its photos under way, and what the clients have asked for."""

    def __init__(self, name):
        self.name, self.model = name, Camera()
        self.flights = {}
        self.preparing = {}  # by shot
        self.committing = {}  # by request: the flight that begins when it is taken
        self.aborting, self.ending = set(), set()  # shots and leases that somebody ends
        self.terms = {}  # by lease: its term, and when a request with it was sent last
        self.leases = []  # all ids, the newest last
        self.since = 0  # since when it runs
        self.state = None  # what the node has said last

    def touch(self, lease):
        if lease in self.terms:
            self.terms[lease] = (self.terms[lease][0], time.monotonic_ns())

    def may_expire(self, lease):
        """Whether the lease may have ended by now: the node got the last request under it when it was sent, or later."""
        term, touched = self.terms[lease]
        return time.monotonic_ns() >= touched + term

    def begin_lease(self, id, term, sent):
        self.terms[id] = (term, sent)
        self.leases.append(id)

    def worlds(self, model, flights, shot):
        """The camera as it may have been when it answered: what was under way before may have been made meanwhile, or ended."""
        loose = {flight.request for flight in flights if flight.may_be_over()}
        # The addressed shot, and the one that has the lease, matter by themselves; of the others only how many.
        special = {part.commit for name, part in model.shots.items() if part.commit in loose and (name == shot or part.lease is model.lease)}
        leases = [None, model.lease] if model.lease and self.may_expire(model.lease.id) else [None]
        for count in range(len(special) + 1):
            for some in itertools.combinations(special, count):
                for rest, made, lease in itertools.product((set(), loose - special), (set(), loose), leases):
                    yield model.without(rest | set(some), made, lease)


class Operation:
    """A request about one camera, and what the model says of it. `send` and `settle` are apart for races."""

    shot = None

    def __init__(self, lane, client, name, lease=None, **body):
        self.lane, self.client, self.place, self.lease = lane, client, lane.places[name], lease
        self.request = messages.Request(id=os.urandom(16), lease=lease or b"", **body)

    def run(self):
        """Sends the request, and compares the answer, which it returns, with the model."""
        model, flights = self.place.model.copy(), list(self.place.flights.values())
        self.send()
        got = self.settle()
        self.lane.trace.append(f"{self.place.name} {self.words()}: {got}")
        allowed = {self.predict(world) for world in self.place.worlds(model, flights, self.shot)}
        need(got in allowed, f"{self.place.name}: {type(self).__name__} was answered by {got}, and the model says {allowed}")
        return got

    def words(self):
        return (f"{type(self).__name__} {(self.shot or b'').hex()[:4]} of {self.client.number} under {(self.lease or b'').hex()[:4]}, "
                f"request {self.request.id.hex()[:4]}")

    def send(self):
        self.place.touch(self.lease)
        self.sent = time.monotonic_ns()
        self.client.send(self.request)

    def answer(self):
        self.lane.pump(lambda: self.request.id in self.client.finals)
        return verdict(self.client.final(self.request.id))

    @property
    def model(self):
        return self.place.model


class Prepare(Operation):
    def __init__(self, lane, client, name, shot, lease=None, knows_clock=True, term=LONG):
        super().__init__(lane, client, name, lease, shot_prepare=messages.ShotPrepareRequest(
            shot=shot, capture=messages.CaptureRequest(camera=name), holder="a trial", term_ns=term, wall_error_ns=0 if knows_clock else 1))
        self.shot, self.knows_clock, self.term = shot, knows_clock, term

    def predict(self, model):
        return model.prepare(self.shot, self.client.number, self.lease, self.knows_clock)

    def send(self):
        self.place.preparing[self.shot] = self
        super().send()

    def settle(self):
        got = self.answer()
        if got == OK:
            self.lane.pump(lambda: self.shot not in self.place.preparing)
            told = self.client.final(self.request.id).shot_prepared
            need(told.camera == self.place.name, f"{self.place.name}: it was {told.camera} that was prepared")
            part = self.model.shots.get(self.shot)
            need(not part or part.lease.id == told.lease, f"{self.place.name}: the answer has another lease")
        self.place.preparing.pop(self.shot, None)
        return got


class Commit(Operation):
    """Is settled when it is taken or refused. How it ends is seen later."""

    # How a commit ends that was taken; other errors refuse it.
    LATER = (LATE, LOST, STOPPED, INTERRUPTED)

    def __init__(self, lane, client, name, shot, lease, moment, ends=(OK,), is_too_far=False):
        super().__init__(lane, client, name, lease, shot_commit=messages.ShotCommitRequest(camera=name, shot=shot, at_monotonic_ns=moment))
        self.shot, self.moment, self.ends, self.is_too_far = shot, moment, ends, is_too_far

    def predict(self, model):
        return model.commit(self.shot, self.lease, self.is_too_far)

    def send(self):
        problem = self.model.problem()
        self.flight = Flight(self.request.id, self.shot, self.moment, [problem] if problem else self.ends)
        self.flight.is_refused = bool(problem)
        self.place.committing[self.request.id] = self.flight
        super().send()

    def settle(self):
        id, waiting = self.request.id, self.place.committing
        self.lane.pump(lambda: id in self.client.finals or id not in waiting)
        if id not in waiting:
            self.lane.commits.append(self)
            return OK
        got = verdict(self.client.final(id))
        if got == OK or got in self.LATER:
            self.lane.pump(lambda: id not in waiting)
            self.lane.commits.append(self)
            return OK
        del waiting[id]
        return got


class Abort(Operation):
    def __init__(self, lane, client, name, shot, lease):
        super().__init__(lane, client, name, lease, shot_abort=messages.ShotAbortRequest(camera=name, shot=shot))
        self.shot = shot

    def predict(self, model):
        return model.abort(self.shot, self.lease)

    def send(self):
        self.place.aborting.add(self.shot)
        super().send()

    def settle(self):
        got = self.answer()
        if got == ABORTED:
            self.lane.pump(lambda: self.shot not in self.model.shots)
        self.place.aborting.discard(self.shot)
        return got


class Acquire(Operation):
    def __init__(self, lane, client, name, lease=None):
        super().__init__(lane, client, name, lease, lease_acquire=messages.LeaseAcquireRequest(camera=name, holder="a trial", term_ns=LONG))

    def predict(self, model):
        return model.acquire(self.lease)

    def settle(self):
        got = self.answer()
        if got == OK:
            # If the one before has ended, its shot's last event is on its way.
            self.lane.pump(lambda: not self.model.lease or self.model.lease.id == self.lease)
            if self.model.lease:
                self.place.terms[self.lease] = (LONG, self.sent)
            else:
                self.model.lease = Lease(self.request.id)
                self.place.begin_lease(self.request.id, LONG, self.sent)
        return got


class Release(Operation):
    def __init__(self, lane, client, name, lease, force=False):
        super().__init__(lane, client, name, lease, lease_release=messages.LeaseReleaseRequest(camera=name, force=force))
        self.force = force

    def predict(self, model):
        return model.release(self.lease, self.force)

    def send(self):
        self.ended = self.model.lease
        if self.ended:
            self.place.ending.add(self.ended.id)
        super().send()

    def settle(self):
        got = self.answer()
        if self.ended and got == OK:
            self.lane.pump(lambda: not self.model.prepared_under(self.ended))
            if self.model.lease is self.ended:
                self.model.lease = None
        if self.ended:
            self.place.ending.discard(self.ended.id)
        return got


class Photo(Operation):
    """A photo of a moment that lies ahead, which has nothing to do with shots. Is settled when it is taken or refused."""

    def __init__(self, lane, client, name, moment):
        super().__init__(lane, client, name, capture=messages.CaptureRequest(camera=name, at_monotonic_ns=moment))
        self.moment = moment

    def predict(self, model):
        return model.capture(self.client.number)

    def settle(self):
        id = self.request.id
        self.lane.pump(lambda: id in self.client.firsts)
        got = verdict(self.client.firsts[id])
        if got == OK:
            self.model.photos[id] = self.client.number
            self.place.flights[id] = Flight(id, None, self.moment)
            self.lane.photos.append(self)
            if id in self.lane.ends:
                self.lane.land(self.place, id)
        return got


class Session(Operation):
    """Ends the camera's stream, or begins it again: `state` is what it is then."""

    def __init__(self, lane, client, name, lease, state, is_over=False):
        if state == "lost":
            setting = messages.ControlsSetRequest.Setting(id="disconnect", value=messages.ControlValue(boolean=not is_over))
            body = {"controls_set": messages.ControlsSetRequest(camera=name, settings=[setting], find_effect=False)}
        elif is_over:
            body = {"session_start": messages.SessionStartRequest(camera=name)}
        else:
            body = {"session_stop": messages.SessionStopRequest(camera=name)}
        super().__init__(lane, client, name, lease, **body)
        self.state, self.is_over = state, is_over

    def predict(self, model):
        return model.change_session(self.lease)

    def send(self):
        if not self.is_over:
            self.lane.cut(self.place, INTERRUPTED)
        super().send()

    def settle(self):
        got = self.answer()
        if got == OK and self.is_over:
            self.lane.pump(lambda: self.place.state.state == RUNNING)
            self.model.state, self.place.since = "running", time.monotonic_ns()
        elif got == OK:
            wanted = DISCONNECTED if self.state == "lost" else HALTED
            self.lane.pump(lambda: self.place.state.state == wanted and not self.place.flights)
            self.model.state = self.state
        return got
