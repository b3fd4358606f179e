"""The cameras of a rig, as far as its nodes say which they have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Sequence, Union

from . import messages
from .client import Client
from .errors import CameraBusError, Code
from .rig import RigCamera, RigDescription
from .rig_link import RigLink
from .shell import Shell


@dataclass(frozen=True)
class RosterEntry:
    """A camera of a rig, or a node whose cameras are not known."""

    link: RigLink
    # What it is called in the rig; the node's name where its cameras are not known.
    name: str
    # What its node calls it.
    node_camera: Optional[str]
    # Metres along the rig's axes.
    position: Optional[tuple[float, float, float]]
    # Why it cannot take part.
    problem: Optional[CameraBusError]
    # How it is; None if its node does not answer, or does not have it.
    status: Optional[messages.CameraStatus]

    @property
    def lane(self) -> Shell:
        return self.link.camera(self.node_camera)[0]

    @property
    def client(self) -> Client:
        return self.link.camera(self.node_camera)[1]


def roster(description: RigDescription, links: Sequence[RigLink],
           found: Sequence[Union[messages.StatusReply, CameraBusError]]) -> list[RosterEntry]:
    """The cameras in the order of the rig. `found` has the state of each node, or why it does not answer."""
    present = {
        link.node.name: {camera.name: camera for camera in status.cameras}
        for link, status in zip(links, found) if not isinstance(status, CameraBusError)}
    names = description.camera_names({node: list(cameras) for node, cameras in present.items()})
    entries = []
    for link, status in zip(links, found):
        node = link.node
        problem = status if isinstance(status, CameraBusError) else None
        there = present.get(node.name, {})
        cameras = tuple(map(RigCamera, there)) if node.cameras is None else node.cameras
        for camera in cameras:
            entries.append(RosterEntry(
                link, names[node.name][camera.camera], camera.camera, camera.position, problem, there.get(camera.camera)))
        if not cameras:
            entries.append(RosterEntry(link, node.name, None, None, problem or CameraBusError(
                Code.NO_SUCH_CAMERA, f"the node {node.name} has no camera now: plug one in"), None))
    return entries
