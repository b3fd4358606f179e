"""Honest clients at a second node that nobody disturbs. They tell what the machine does to all nodes from what is done to
the one that is tried.
"""

from .node import Node
from .photographer import Photographer
from .trial import longest_pause


class Control:
    """A node with subscribers and a photographer, for the time of an exit stack. Its camera is named `cam`."""

    def __init__(self, stack, camera, watch=("watch", "--camera", "cam", "--frames"), subscribers=1, pause=0.0):
        node = stack.enter_context(Node(camera))
        self.subscribers = [stack.enter_context(node.follow(*watch)) for _ in range(subscribers)]
        self.photographer = stack.enter_context(Photographer(node.control, "cam", pause=pause, patience=5))
        self.photographer.wait_for_count(1)
        for subscriber in self.subscribers:
            subscriber.wait_for_count(1)

    def longest_pause(self, start, end):
        """The longest pause of any of its clients, in seconds."""
        return max(longest_pause(record.between(start, end), start, end)
                   for record in [*self.subscribers, self.photographer])

    def allowed_pause(self, usual, start, end):
        """How long clients of the other node may wait: as long as usual on a machine that is free, and on a busy one so
        much longer as these clients waited.
        """
        return usual + 2 * self.longest_pause(start, end)

    def allowed_losses(self):
        """How many frames a subscriber of the other node may lose on the bus. Ends the subscribers.

        None on a machine that is free. Where these clients or their camera lose some, those of the other node may lose more
        by chance.
        """
        most = 0
        for subscriber in self.subscribers:
            subscriber.finish()
            losses = subscriber.seen[-1][1]["losses"]
            most = max(most, losses["lostOnBus"] + losses["notPublished"])
        return 3 * most
