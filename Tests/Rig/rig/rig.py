"""A rig: nodes on machines of their own, and a controller, which is this process, behind links."""

import contextlib
import random

from .links import Relay
from .machine import Machine, network, some_offset
from .node import PORTS, Node


class Member:
    """A node of a rig, and the link to it. `control` is its endpoint for the controller, behind the link."""

    def __init__(self, node, relay, address):
        self.node, self._relay = node, relay
        self.name, self.offset = node.name, node.machine.offset
        self.control = f"tcp://{address}:{PORTS[0]}"

    def set_link(self, manner):
        self._relay.set(self.name, manner)

    def hold_link(self, on):
        self._relay.hold(self.name, on)

    def reset_link(self):
        return self._relay.reset(self.name)

    def passages(self):
        """What has passed to and from the node's control endpoint since the last question."""
        return self._relay.passages(self.name, PORTS[0])


class Rig:
    """A rig of so many nodes, for a `with` statement. `camera(number)` is the specification of a node's camera. The clocks of
    the machines are ahead by random offsets.
    """

    def __init__(self, count, camera, chance):
        self._count, self._camera = count, camera
        # Whatever else is drawn from `chance`, the rig stays the same.
        self._chance = random.Random(chance.random())

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            stack.enter_context(network())
            self.relay = stack.enter_context(Relay(self._chance.randrange(1 << 32)))
            self.members = [self._member(stack, number) for number in range(self._count)]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_):
        self._stack.close()

    def _member(self, stack, number):
        machine = stack.enter_context(Machine(number, some_offset(self._chance)))
        node = stack.enter_context(Node(f"node{number}", machine, self._camera(number)))
        address = f"127.77.{number // 200}.{number % 200 + 1}"
        self.relay.forward(node.name, address, machine.address, PORTS)
        return Member(node, self.relay, address)

    def set_links(self, manner):
        for member in self.members:
            member.set_link(manner)
