"""Records what `camctl --json` prints while it runs, so that a test can wait for objects and count
them.
"""

import threading
import time

from programs import PATIENCE

TROUBLE = ("interrupted", "failed")
ENDS = ("completed", "finished", "failed")


class Follower:
    """Runs a `camctl` command inside a `with` statement and records its objects."""

    def __init__(self, node, *arguments):
        self.following = node.following(*arguments, patience=None)  # `wait` has its own
        self.objects = []
        self.news = threading.Condition()
        self.thread = threading.Thread(target=self.read)

    def __enter__(self):
        self.source = self.following.__enter__()
        # The first object shows that the command has begun.
        self.objects.append(next(self.source))
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.following.__exit__(*error)
        self.thread.join(PATIENCE)

    def read(self):
        for item in self.source:
            with self.news:
                self.objects.append(item)
                self.news.notify_all()

    def mark(self):
        """The number of objects so far, from which a test can wait."""
        return len(self.objects)

    def wait(self, since, choose):
        """Waits until `choose` returns something for an object from the mark on.

        Returns that result. Other objects, such as heartbeats, give it no further time.
        """
        end = time.monotonic() + PATIENCE
        with self.news:
            place = since
            while True:
                for item in self.objects[place:]:
                    place += 1
                    if found := choose(item):
                        return found
                assert self.news.wait(end - time.monotonic()), f"nothing chosen came among {self.objects[-5:]}"


class Monitor(Follower):
    """Records `camctl events`: a snapshot, and then everything that happens on the node."""

    def __init__(self, node):
        super().__init__(node, "events")

    def state(self, camera, since, condition):
        """The camera's first state from the mark on that satisfies the condition."""
        def choose(event):
            if event["type"] == "state" and event["camera"] == camera and condition(event["status"]):
                return event["status"]
        return self.wait(since, choose)

    def trouble(self, camera, since, words=""):
        """The camera's first interruption or failure from the mark on whose message contains the
        words.
        """
        return self.state(camera, since, lambda status: status["state"] in TROUBLE
                          and words in status["error"]["message"])

    def ready(self, camera, after):
        """The first state after a trouble in which the camera can take a photo again."""
        begun = after["since"]["monotonicNanoseconds"]
        return self.state(camera, 0, lambda status: status["readiness"] == "ready"
                          and status["since"]["monotonicNanoseconds"] > begun)

    def ends(self, request):
        """Waits for an event that ends a photo or a movie. Returns all such events so far."""
        def is_end(event):
            return event["type"] in ("capture", "recording") and event["requestID"] == request \
                and event["step"] in ENDS
        self.wait(0, is_end)
        with self.news:
            return [event for event in self.objects if is_end(event)]

    def missed(self):
        """The objects that report missed events, a lost connection or a restart of the node."""
        return [event for event in self.objects if event["type"] in ("gap", "nodeRestarted", "disconnected")]
