"""Some cameras of a node, clients that take shots with them, and the model with which each answer and event is compared."""

import collections
import os
import time

import zmq
from camerabus import messages
from camerabus.framing import read_publication

from .record import PATIENCE
from .shot_model import INTERRUPTED, OK, SHARED
from .shot_requests import RUNNING, Acquire, Client, Place, Prepare, Release, need, refused, verdict

TOPIC = "event/_node/shot/"


class Lane:
    """`shots` has how each part of each shot went: lists of steps by its camera and the shot. `ends` has how each photo ended."""

    def __init__(self, node, names):
        self.node = node
        self.places = {name: Place(name) for name in names}
        self.clients = []
        self._events = zmq.Context.instance().socket(zmq.SUB)
        self._events.setsockopt(zmq.RCVHWM, 0)
        self._events.connect(node.events)
        # The node takes subscriptions in their order: when the last one brings something, the others do.
        for topic in (TOPIC, *(f"event/{name}/{kind}/" for kind in ("capture", "state") for name in names)):
            self._events.subscribe(topic)
        self.trace = collections.deque(maxlen=20)  # what was done last, for people
        self._last = None  # the number of the last event about shots
        self.shots, self.ends, self.commits, self.photos = {}, {}, [], []

    def begin(self):
        """Waits until events come."""
        self.clients = [Client(self.node.control) for _ in range(3)]
        while not all(place.state for place in self.places.values()):
            for name in self.places:
                Acquire(self, self.clients[0], name).run()
                Release(self, self.clients[0], name, self.places[name].model.lease.id).run()
            self.pump(lambda: all(place.state for place in self.places.values()), patience=0.2)
        request = messages.Request(id=os.urandom(16), clock=messages.ClockRequest())
        self.clients[0].send(request)
        self.pump(lambda: request.id in self.clients[0].finals)
        self.epoch = self.clients[0].final(request.id).epoch
        self.pump(lambda: all(place.state.state == RUNNING for place in self.places.values()))
        for place in self.places.values():
            place.since = time.monotonic_ns()

    def close(self):
        for client in self.clients:
            client.socket.close()
        self._events.close()

    def replace(self, client):
        """A client disconnects, and another one comes."""
        client.socket.close()
        self.clients[self.clients.index(client)] = Client(self.node.control)

    # What comes

    def pump(self, is_over, patience=None):
        """Takes what comes until a condition holds. With a patience it may also end without that."""
        end = time.monotonic() + (patience or PATIENCE)
        poller = zmq.Poller()
        for socket in (self._events, *(client.socket for client in self.clients)):
            poller.register(socket, zmq.POLLIN)
        while not is_over():
            left = end - time.monotonic()
            if left <= 0:
                need(patience, f"it waits in vain: {[vars(place) for place in self.places.values()]}")
                return
            ready = dict(poller.poll(left * 1000))
            for client in self.clients:
                if client.socket in ready:
                    client.read()
            if self._events in ready:
                self._take(read_publication(self._events.recv_multipart()))

    def _take(self, publication):
        event, number = publication.event, publication.header.sequence
        if event.HasField("shot"):
            need(self._last is None or number == self._last + 1, f"the event {number} follows {self._last}")
            self._last = number
            if event.shot.camera in self.places:
                self._take_shot(self.places[event.shot.camera], event.shot)
        elif event.HasField("state"):
            self.places[event.camera].state = event.state
        elif event.capture.WhichOneof("body") in ("completed", "failed"):
            told = event.capture
            need(told.request_id not in self.ends, f"the photo {told.request_id.hex()} ended twice")
            self.ends[told.request_id] = OK if told.HasField("completed") else refused(told.failed)
            place = self.places[event.camera]
            if told.request_id in place.flights and not place.flights[told.request_id].shot:
                self.land(place, told.request_id)

    def land(self, place, photo):
        """A photo has ended."""
        flight, end = place.flights.pop(photo), self.ends[photo]
        need(end in flight.ends, f"{place.name}: a photo ended with {end}, not with one of {flight.ends}")
        place.model.photos.pop(photo)

    def cut(self, place, end):
        """The photos under way may end in this way from now on."""
        for flight in place.flights.values():
            flight.ends.add(end)
            flight.is_cut = True

    def _take_shot(self, place, told):
        name, shot, step, model = place.name, told.shot, told.WhichOneof("body"), place.model
        self.shots.setdefault((name, shot), []).append(step)
        self.trace.append(f"{name} {step} {shot.hex()[:4]} {told.failed.message}")
        if step == "prepared":
            need(shot in place.preparing, f"{name}: prepared, and nobody asked for it")
            asked, is_new = place.preparing.pop(shot), not model.lease
            model.prepared(shot, asked.client.number, asked.request.id)
            if is_new:
                place.begin_lease(asked.request.id, asked.term, asked.sent)
            return
        need(shot in model.shots, f"{name}: {step}, and there is no such shot")
        part = model.shots[shot]
        if step == "committed":
            need(not part.commit, f"{name}: committed twice")
            commit = told.committed.request_id
            need(commit in place.committing, f"{name}: committed, and nobody asked for it")
            flight = place.flights[commit] = place.committing.pop(commit)
            need(told.committed.moment.monotonic_ns == flight.moment, f"{name}: committed at another moment")
            model.committed(shot, commit)
        elif step == "expired":
            need(not part.commit, f"{name}: a shot has expired that was being taken")
            self._expire(place, shot, part)
        elif step == "aborted":
            need(shot in place.aborting and not part.commit, f"{name}: aborted, and nobody asked for it")
            need(not model.ended(shot), f"{name}: shots outlive their lease")
        else:
            need(part.commit, f"{name}: {step}, and it was not committed")
            end = OK if step == "completed" else refused(told.failed)
            # A camera that takes no photo at all has none that could end.
            if place.flights[part.commit].is_refused:
                self.ends[part.commit] = end
            need(part.commit in self.ends, f"{name}: the shot has ended before its photo")
            need(end == self.ends[part.commit], f"{name}: the shot is {step}, and its photo ended with {self.ends[part.commit]}")
            need(end != OK or told.completed.asset.request_id == part.commit, f"{name}: the picture is another request's")
            self.land(place, part.commit)
            need(not model.ended(shot), f"{name}: shots outlive their lease")

    def _expire(self, place, shot, part):
        lease, model = part.lease, place.model
        owner = model.shots.get(lease.owner) if lease.owner != shot else None
        # The shot that owns the lease takes the others with it.
        is_with_owner = owner and owner.lease is lease and (owner.commit or lease.owner in place.aborting)
        is_over = place.may_expire(lease.id)
        need(lease.id in place.ending or is_with_owner or is_over, f"{place.name}: a shot expired before its term")
        del model.shots[shot]
        if is_over and model.lease is lease and not model.prepared_under(lease):
            model.lease = None

    # What is done and checked

    def ask(self, body, request):
        """A question that has nothing to do with the model."""
        request.id = os.urandom(16)
        client = self.clients[0]
        client.send(request)
        self.pump(lambda: request.id in client.finals)
        reply = client.final(request.id)
        need(reply.HasField(body), f"{body}: {reply.error}")
        return getattr(reply, body)

    def remove(self, place, roster):
        """The node has the camera no more."""
        self.cut(place, INTERRUPTED)
        if place.model.lease:
            place.ending.add(place.model.lease.id)
        roster.change(place.name, False)
        self.pump(lambda: place.state.adoption == messages.ADOPTION_ENDED and not place.flights and not place.model.shots)
        place.model.lease, place.model.state = None, "gone"
        place.ending.clear()

    def add(self, place, roster):
        roster.change(place.name, True)
        self.pump(lambda: place.state.state == RUNNING and place.state.adoption != messages.ADOPTION_ENDED)
        place.model.state, place.since = "running", time.monotonic_ns()

    def check_repetition(self, commit):
        """A commit is sent again over another connection, and gets the same answer. The node tells of nothing new."""
        request, client = messages.Request(), Client(self.node.control)
        request.CopyFrom(commit.request)
        request.epoch = self.epoch
        self.clients.append(client)
        client.send(request)
        self.pump(lambda: request.id in client.finals and request.id in self.ends)
        need(verdict(client.final(request.id)) == self.ends[request.id], "a repetition is answered otherwise than it was told")
        if commit.client in self.clients:
            self.pump(lambda: request.id in commit.client.finals)
            need(client.finals[request.id] == commit.client.finals[request.id], "a repetition is answered by other bytes")
        self.clients.remove(client)
        client.socket.close()

    def check_pictures(self):
        """Each photo that was taken is in the library once, and its client has the answer that was told."""
        for operation in (*self.commits, *self.photos):
            id = operation.request.id
            if operation.client in self.clients:
                self.pump(lambda: id in operation.client.finals)
                need(verdict(operation.client.final(id)) == self.ends[id], "a photo is answered otherwise than it was told")
            found = self.ask("assets", messages.Request(assets=messages.AssetsRequest(request_id=id))).assets
            need(len(found) == (self.ends[id] == OK), f"{len(found)} pictures of a photo that ended with {self.ends[id]}")

    def check_free(self):
        """Nothing is leased, and the cameras have as many places as the model says."""
        status = self.ask("status", messages.Request(status=messages.StatusRequest()))
        for camera in status.cameras:
            need(camera.name not in self.places or not camera.HasField("lease"), f"{camera.name} is leased to nobody")
        for name, place in self.places.items():
            Acquire(self, self.clients[0], name).run()
            lease = place.model.lease.id
            for client in self.clients:
                while Prepare(self, client, name, os.urandom(16), lease).run() == OK:
                    pass
            need(len(place.model.shots) == SHARED, f"{name} has {len(place.model.shots)} places")
            Release(self, self.clients[0], name, lease).run()

    def forget(self):
        """Begins anew. How photos ended is kept."""
        self.shots, self.commits, self.photos = {}, [], []
        for place in self.places.values():
            need(not (place.model.shots or place.model.photos or place.model.lease), f"{place.name}: something is left")
            place.leases.clear()
            place.terms.clear()
        for client in self.clients:
            client.firsts.clear()
            client.finals.clear()
