"""The keys that a client shows to a node that requires them."""

from __future__ import annotations

import dataclasses
import os
import stat
from typing import Any, Optional

import zmq
import zmq.auth

from .arguments import Path, path
from .errors import CameraBusError, Code, invalid, one_line, shown


@dataclasses.dataclass(frozen=True)
class Credentials:
    """The program's own secret key, and the node's public key, so that no other program can take the
    node's place. Both are Z85 text of 40 characters.

    All traffic with the node is then encrypted. An endpoint over ipc needs no credentials: the node
    sees there which user connects.
    """

    secret_key: str = dataclasses.field(repr=False)
    node_key: str

    def __post_init__(self) -> None:
        for name in ("secret_key", "node_key"):
            value = getattr(self, name)
            if not isinstance(value, str) or len(value) != 40 or not _is_key(value):
                # Never the value itself: it may be the secret, with one letter too many.
                raise invalid(name, f"{name} is no key: give the 40 characters of a Z85 text")

    @property
    def public_key(self) -> str:
        """The program's public key, which the node's owner authorizes."""
        return zmq.curve_public(self.secret_key.encode()).decode()

    @classmethod
    def from_files(cls, key_file: Path, node_key_file: Path) -> Credentials:
        """Reads certificates, as `camctl` and `zmq.auth` write them.

        Only the program's user may read the file with the secret key.
        """
        key_file, node_key_file = path("key_file", key_file), path("node_key_file", node_key_file)
        try:
            for file in (key_file, node_key_file):
                if not stat.S_ISREG(os.stat(file).st_mode):
                    raise invalid("key_file", f"{shown(file)} is no file: name the file of a certificate")
            open_to_others = os.stat(key_file).st_mode & 0o077
            _, secret = zmq.auth.load_certificate(key_file)
            node, _ = zmq.auth.load_certificate(node_key_file)
        except (OSError, ValueError) as error:
            raise invalid("key_file", f"no key can be read: {one_line(str(error))}: name the files of certificates") from error
        if secret is None:
            raise invalid("key_file", f"{shown(key_file)} has no secret-key: name the file that has it")
        if open_to_others:
            raise invalid("key_file", f"other users may use {shown(key_file)}: "
                                      f"chmod 600 {shown(key_file)}")
        return cls(secret.decode(), node.decode())

    def apply(self, socket: zmq.Socket[Any]) -> None:
        """Encrypts what a socket that is about to connect sends and receives."""
        socket.setsockopt(zmq.CURVE_SERVERKEY, self.node_key.encode())
        socket.setsockopt(zmq.CURVE_SECRETKEY, self.secret_key.encode())
        socket.setsockopt(zmq.CURVE_PUBLICKEY, self.public_key.encode())


def _is_key(text: str) -> bool:
    try:
        zmq.curve_public(text.encode())
    except (zmq.ZMQError, ValueError):
        return False
    return True


def known_node(name: str) -> tuple[str, Credentials]:
    """The control endpoint and the credentials of a node that `camctl nodes add` has stored."""
    nodes = known_nodes(name)
    if name not in nodes:
        raise invalid("node", f"no node {shown(name)} is known here: camctl nodes list shows their names")
    control, key = nodes[name]
    file_name = os.path.join(_folder(), f"{name}.key_secret")
    own = Credentials.from_files(file_name, file_name)
    return control, Credentials(own.secret_key, key)


def known_at(control: str) -> Optional[Credentials]:
    """The credentials of the first known node with this control endpoint; None if there is none."""
    try:
        nodes = known_nodes()
    except CameraBusError as error:
        if error.code is Code.NOT_INSTALLED:
            return None
        raise
    names = [name for name, (endpoint, _) in nodes.items() if endpoint == control]
    return known_node(min(names))[1] if names else None


def _folder() -> str:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(home, "camerabus")


def known_nodes(wanted: Optional[str] = None) -> dict[str, tuple[str, str]]:
    """The control endpoint and the public key of each node that `camctl nodes add` has stored, or of the one that is wanted."""
    path = os.path.join(_folder(), "nodes.yaml")
    if wanted is None and not os.path.lexists(path):
        return {}
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError as error:
        raise CameraBusError(
            Code.NOT_INSTALLED, "the names of nodes are in a YAML file: pip install 'Protocol/python[nodes]'") from error
    try:
        with open(path, encoding="utf-8") as file:
            nodes = yaml.safe_load(file) or {}
    except FileNotFoundError:
        nodes = {}
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise invalid("node", f"{path} cannot be read: {one_line(str(error))}") from error
    found: dict[str, tuple[str, str]] = {}
    for name, node in nodes.items() if isinstance(nodes, dict) else ():
        if wanted is not None and name != wanted:
            continue
        if (not isinstance(node, dict) or not isinstance(node.get("control"), str)
                or not isinstance(node.get("key"), str) or not _is_key(node["key"])):
            raise invalid("node", f"{path}: {shown(name)} needs control and key: add the node again")
        found[str(name)] = (node["control"], node["key"])
    return found
