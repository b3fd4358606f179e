"""What `camctl --json` prints as it runs, kept, so that a test can wait for it and count it."""

import threading

from programs import PATIENCE

TROUBLE = ("interrupted", "failed")
ENDS = ("completed", "finished", "failed")


class Follower:
    """A `camctl` command that goes on, for a `with` statement."""

    def __init__(self, node, *arguments):
        self.following = node.following(*arguments)
        self.objects = []
        self.news = threading.Condition()
        self.thread = threading.Thread(target=self.read)

    def __enter__(self):
        self.source = self.following.__enter__()
        # With the first it has begun.
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
        """A place in what has come, to wait from."""
        return len(self.objects)

    def wait(self, since, choose):
        """The first that `choose` makes of an object from there on."""
        with self.news:
            place = since
            while True:
                for item in self.objects[place:]:
                    place += 1
                    if found := choose(item):
                        return found
                assert self.news.wait(PATIENCE), f"nothing came after {self.objects[-5:]}"


class Monitor(Follower):
    """`camctl events`: a snapshot, and from then on everything that happens on the node."""

    def __init__(self, node):
        super().__init__(node, "events")

    def state(self, camera, since, condition):
        """The first state of a camera from there on that satisfies the condition."""
        def choose(event):
            if event["type"] == "state" and event["camera"] == camera and condition(event["status"]):
                return event["status"]
        return self.wait(since, choose)

    def trouble(self, camera, since, words=""):
        """The first trouble from there on that has the words."""
        return self.state(camera, since, lambda status: status["state"] in TROUBLE
                          and words in status["error"]["message"])

    def ready(self, camera, after):
        """The state in which the camera can take a photo again, after a trouble."""
        begun = after["since"]["monotonicNanoseconds"]
        return self.state(camera, 0, lambda status: status["readiness"] == "ready"
                          and status["since"]["monotonicNanoseconds"] > begun)

    def ends(self, request):
        """The events that end a photo or a movie, the first of which has come or will."""
        def is_end(event):
            return event["type"] in ("capture", "recording") and event["requestID"] == request \
                and event["step"] in ENDS
        self.wait(0, is_end)
        with self.news:
            return [event for event in self.objects if is_end(event)]

    def missed(self):
        """What tells that not everything has come, or that the node was started anew."""
        return [event for event in self.objects if event["type"] in ("gap", "nodeRestarted", "disconnected")]
