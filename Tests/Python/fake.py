"""A fake node that a test controls, to test the client without cameras and with every kind of
failure.
"""

from __future__ import annotations

import collections
import contextlib
import threading
import uuid
from typing import Any, Callable, Iterable, Optional

import zmq

from camerabus import messages
from camerabus.framing import read_request, write_publication, write_reply

Replies = Optional[list[dict[str, Any]]]
Answer = Callable[[messages.Request], Replies]

A, B = b"A" * 16, b"B" * 16


class FakeNode:
    """Answers each request with `answers[body]`: a function from the request to a list of replies,
    or None for silence.

    A reply is a dictionary of the reply's fields, and perhaps an `attachment`. The node adds id,
    epoch, index and final. It answers on its own thread; publications are sent on the test's
    thread.
    """

    def __init__(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
        self._router = context.socket(zmq.ROUTER)
        self._router.setsockopt(zmq.LINGER, 0)
        self.control = self._bind(self._router)
        self._publisher = context.socket(zmq.XPUB)
        self._publisher.setsockopt(zmq.LINGER, 0)
        self._publisher.setsockopt(zmq.XPUB_VERBOSE, 1)
        self.events = self._bind(self._publisher)
        self.epoch = A
        self.answers: dict[str, Answer] = {"status": lambda request: [{"status": self.status()}]}
        # The parts of messages that are sent before the answer to a request.
        self.lies: Callable[[messages.Request], Iterable[list[bytes]]] = lambda request: []
        # Every request, with the connection on which it came.
        self.requests: list[tuple[messages.Request, bytes]] = []
        self._came = threading.Condition()
        self.published: dict[str, list[list[bytes]]] = collections.defaultdict(list)
        self._closing = threading.Event()
        self._name = f"inproc://{uuid.uuid4()}"
        self._wake = context.socket(zmq.PAIR)
        self._wake.bind(self._name)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def __enter__(self) -> FakeNode:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(zmq.Again):  # an answer has failed, and the thread with it
            self._wake.send(b"", zmq.DONTWAIT)
        self._thread.join()
        self._wake.close()
        self._router.close()
        self._publisher.close()

    def of(self, body: str) -> list[tuple[messages.Request, bytes]]:
        """The requests of a kind so far, with the connections on which they came."""
        with self._came:
            return [(request, sender) for request, sender in self.requests if request.WhichOneof("body") == body]

    def await_requests(self, body: str, count: int) -> None:
        with self._came:
            assert self._came.wait_for(lambda: len(self.of(body)) >= count, 20), f"{body} came {len(self.of(body))} times"

    def status(self) -> messages.StatusReply:
        return messages.StatusReply(
            node_name="fake", events_endpoint=self.events, cameras=[messages.CameraStatus(name="cam")],
            topics=[messages.StatusReply.Topic(topic=topic, last_sequence=len(events))
                    for topic, events in self.published.items()])

    def await_subscribers(self, count: int) -> None:
        """Waits for that many new subscriptions. Subscriptions that end do not count."""
        while count > 0:
            assert self._publisher.poll(10_000), "nobody subscribed"
            count -= self._publisher.recv()[:1] == b"\x01"

    def await_unsubscription(self) -> None:
        """Waits until a subscription ends."""
        while True:
            assert self._publisher.poll(10_000), "nobody unsubscribed"
            if self._publisher.recv()[:1] == b"\x00":
                return

    def publish(self, kind: str = "state", lose: bool = False, event: Optional[messages.Event] = None) -> None:
        """Publishes the next event of a topic.

        With `lose` the event counts as published but is not sent. Without an `event` it is a state.
        """
        topic = f"event/cam/{kind}/"
        number = len(self.published[topic]) + 1
        event = event or messages.Event(camera="cam", state=messages.CameraStatus(name="cam", attempts=number))
        header = messages.Header(epoch=self.epoch, sequence=number)
        parts = write_publication(topic, header, event)
        self.published[topic].append(parts)
        if not lose:
            self._publisher.send_multipart(parts)

    def send_raw(self, parts: list[bytes]) -> None:
        """Publishes something that no node would publish."""
        self._publisher.send_multipart(parts)

    def beat(self) -> None:
        topics = [messages.Heartbeat.Topic(topic=topic, last_sequence=len(events))
                  for topic, events in self.published.items()]
        header = messages.Header(epoch=self.epoch, sequence=1)
        self._publisher.send_multipart(
            write_publication("heartbeat/", header, messages.Heartbeat(topics=topics)))

    def start_anew(self, epoch: bytes = B) -> None:
        self.epoch = epoch
        self.published.clear()

    def replayed(self, topic: str, numbers: Iterable[int]) -> list[messages.Replayed]:
        """The events with these numbers, in the form that a replay sends."""
        parts = [self.published[topic][number - 1] for number in numbers]
        return [messages.Replayed(topic=topic, header=header, payload=payload) for _, header, payload in parts]

    def _bind(self, socket: zmq.Socket[bytes]) -> str:
        socket.bind("tcp://127.0.0.1:*")
        return socket.getsockopt_string(zmq.LAST_ENDPOINT)

    def _serve(self) -> None:
        wake: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.PAIR)
        wake.connect(self._name)
        while True:
            ready, _, _ = zmq.select([self._router, wake], [], [])
            if wake in ready:
                wake.close()
                return
            sender, *parts = self._router.recv_multipart()
            request = read_request(parts)
            with self._came:
                self.requests.append((request, sender))
                self._came.notify_all()
            for lie in self.lies(request):
                self._router.send_multipart([sender, *lie])
            answer = self.answers.get(request.WhichOneof("body") or "")
            for index, fields in enumerate((answer(request) if answer else None) or []):
                fields = dict(fields)
                attachment = fields.pop("attachment", None)
                progress = {"capture_progress", "chunk"} & fields.keys()
                reply = messages.Reply(**{
                    "id": request.id, "epoch": self.epoch, "index": index + 1, "final": not progress, **fields})
                self._router.send_multipart([sender, *write_reply(reply, attachment)])


def in_turn(*answers: Replies) -> Answer:
    """Answers the first request with the first answer, and so on; the last answer is used for all
    further requests.
    """
    waiting = list(answers)
    return lambda request: waiting.pop(0) if len(waiting) > 1 else waiting[0]
