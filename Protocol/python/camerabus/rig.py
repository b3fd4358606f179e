"""A rig: many nodes and their cameras, from a YAML file, a dictionary or a list."""

from __future__ import annotations

import json
import math
import os
import re
from dataclasses import dataclass, replace
from typing import Any, Iterator, Mapping, Optional, Sequence, Union

from .arguments import Path, path
from .credentials import Credentials, known_at, known_node
from .errors import CameraBusError, Code, invalid, one_line, reading, shown

# What a rig may have at most.
NODES, CAMERAS = 256, 256
_BYTES = 1 << 20
_FARTHEST = 1e6
_EXAMPLE = "tcp://192.168.0.21:5570"
_NAME = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}")
_CAMERA = re.compile("[A-Za-z0-9_-]{1,32}")
_ENDPOINT = re.compile(r"ipc://.+|tcp://(?:\[[^\[\]/ ]+\]|[^\[\]/: ]+):[0-9]{1,5}")


@dataclass(frozen=True)
class RigCamera:
    """A camera of a rig."""

    # What its node calls it.
    camera: str
    # What it is called in the rig; None for the standard, see `RigDescription.camera_names`.
    name: Optional[str] = None
    # Where it is, in metres along three axes that the rig's owner has chosen; None if that is not known.
    position: Optional[tuple[float, float, float]] = None


@dataclass(frozen=True)
class RigNode:
    """A node of a rig."""

    # Its control endpoint, or its name in `camctl nodes list`.
    node: str
    # What it is called in the rig.
    name: str
    # The path of the certificate with the program's secret key for it; None takes the one that `camctl nodes add` has
    # stored for the node, or none.
    key: Optional[str] = None
    # Its cameras that belong to the rig; None for all that it has.
    cameras: Optional[tuple[RigCamera, ...]] = None

    def connection(self) -> tuple[str, Optional[Credentials]]:
        """The control endpoint and the credentials.

        - Raises: `CameraBusError` for a node that this user does not know, and for a key that cannot be read.
        """
        credentials: Optional[Credentials]
        if ":" in self.node:
            control, credentials = self.node, known_at(self.node)
            if self.key is not None and credentials is None and not control.startswith("ipc://"):
                raise invalid("rig", f"the key of node {self.name} needs the node's own key with it, which nobody has "
                                     f"told: camctl nodes add NAME --control {control} --node-key KEY")
        else:
            control, credentials = known_node(self.node)
        if self.key is not None and credentials is not None:
            own = Credentials.from_files(self.key, self.key)
            credentials = Credentials(own.secret_key, credentials.node_key)
        return control, credentials


@dataclass(frozen=True)
class RigDescription:
    """The nodes and cameras of a rig, and how they are called in it."""

    nodes: tuple[RigNode, ...]
    name: Optional[str] = None

    @classmethod
    def read(cls, source: Union[Path, Mapping[str, object], Sequence[object]]) -> RigDescription:
        """Reads the path of a YAML or JSON file, the dictionary that such a file has, or a list of its nodes, of which
        endpoints and names alone are enough.

        - Raises: `CameraBusError` with the place of the mistake and the remedy; NOT_INSTALLED for YAML without PyYAML.
        """
        if isinstance(source, Mapping):
            return _rig(_Value(source, "rig"))
        if isinstance(source, (list, tuple)):
            return _rig(_Value({"nodes": list(source)}, "rig"))
        file = path("rig", source)
        with reading(file):
            with open(file, "rb") as stream:
                data = stream.read(_BYTES + 1)
        if len(data) > _BYTES:
            raise invalid("rig", f"{shown(file)} has more than a mebibyte: name a text file in YAML")
        return _rig(_Value(_parse(os.fsdecode(file), data), os.fsdecode(file)))

    def camera_names(self, present: Mapping[str, Sequence[str]]) -> dict[str, dict[str, str]]:
        """What the cameras are called in the rig, by node and by the node's name for them.

        A camera without a name of its own keeps the node's name for it, with NODE- before it where two would have the
        same. `present` has the cameras of each node; of a node that lists its cameras, only those count.
        """
        names: dict[str, dict[str, str]] = {}
        own, taken = [], set()
        for node in self.nodes:
            cameras = node.cameras
            if cameras is None:
                cameras = tuple(map(RigCamera, present.get(node.name, ())))
            for camera in cameras:
                if camera.name is None:
                    own.append((node.name, camera.camera))
                else:
                    names.setdefault(node.name, {})[camera.camera] = camera.name
                    taken.add(camera.name)
        for owner, name in own:
            is_alone = sum(other == name for _, other in own) == 1 and name not in taken
            unique, number = name if is_alone else f"{owner}-{name}", 1
            while unique in taken:
                number += 1
                unique = f"{owner}-{name}-{number}"
            taken.add(unique)
            names.setdefault(owner, {})[name] = unique
        return names


class _Value:
    """A value of YAML, or one of Python, with the place that errors name."""

    def __init__(self, value: Any, file: str, key: str = "", line: Optional[int] = None):
        self.value, self.file, self.key = value, file, key
        mark = getattr(value, "start_mark", None)
        self.line: Optional[int] = mark.line + 1 if mark else line

    def mistake(self, sentence: str) -> CameraBusError:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return invalid("rig", one_place(f"{place}: {self.key and repr(self.key) or 'this'} {sentence}"))

    @property
    def _kind(self) -> str:
        return getattr(self.value, "id", "")

    @property
    def text(self) -> Optional[str]:
        if self._kind == "scalar":
            return str(self.value.value)
        if isinstance(self.value, bool) or not isinstance(self.value, (str, int, float)):
            return None
        return str(self.value)

    @property
    def items(self) -> Optional[list[_Value]]:
        value = self.value.value if self._kind == "sequence" else self.value
        if not isinstance(value, (list, tuple)):
            return None
        return [_Value(item, self.file, "", self.line) for item in value]

    def entries(self, keys: Sequence[str], whole: str) -> Iterator[_Value]:
        """The values of a mapping by their keys, of which each occurs once."""
        if self._kind == "mapping":
            pairs = [(_Value(key, self.file).text or "?", value) for key, value in self.value.value]
        elif isinstance(self.value, Mapping):
            pairs = [(key if isinstance(key, str) else "?", value) for key, value in self.value.items()]
        else:
            raise self.mistake(f"needs keys of its own such as '{keys[0]}:'")
        seen = set()
        for key, value in pairs:
            entry = _Value(value, self.file, key, self.line)
            if key not in keys:
                raise _Value(value, self.file, key[:100], self.line).mistake(
                    f"is no key of {whole}: its keys are {', '.join(keys)}")
            if key in seen:
                raise entry.mistake("is there twice: leave one of them out")
            seen.add(key)
            yield entry

    def string(self, such: str) -> str:
        text = self.text
        if text is None or not 1 <= len(text.encode(errors="replace")) <= 4096 or "\0" in text:
            raise self.mistake(f"needs a text such as {such}")
        return text

    def name(self, such: str) -> str:
        text = self.text
        if text is None or not _NAME.fullmatch(text):
            raise self.mistake(f"needs 1 to 64 letters, digits, '-', '_' and '.', and no '.' first, such as {such}")
        return text

    def camera(self) -> str:
        text = self.text
        if text is None or not _CAMERA.fullmatch(text) or text == "_node":
            raise self.mistake("needs a camera's name of 1 to 32 letters, digits, '-' and '_', such as front")
        return text

    def list(self, such: str) -> list[_Value]:
        items = self.items
        if items is None:
            raise self.mistake(f"needs a list, such as '{such}' below it")
        return items


def one_place(text: str) -> str:
    return " ".join(text.split())


def _parse(file: str, data: bytes) -> Any:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise invalid("rig", f"{shown(file)} is no text in UTF-8: save it as UTF-8") from None
    try:
        import yaml  # type: ignore[import-untyped]
    except ImportError as error:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise CameraBusError(
                Code.NOT_INSTALLED, f"{shown(file)} is in YAML: pip install 'Protocol/python[nodes]', or write it in JSON",
                "rig") from error
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except RecursionError:
        raise invalid("rig", f"{shown(file)}: lists and keys nest too deep: a rig has five levels") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        raise invalid("rig", f"{file}{line}: this line is no YAML ({one_line(str(getattr(error, 'problem', error)))}): "
                             "write KEY: VALUE, and begin lines that belong together with as many spaces") from None


def _rig(value: _Value) -> RigDescription:
    name, entry = None, None
    if value.value is None:
        raise _Value(None, value.file, "", 1).mistake("has no keys: write at least 'nodes:'")
    for part in value.entries(("nodes", "name"), "a rig"):
        if part.key == "name":
            name = part.string("studio")
            if len(name) > 64 or not name.isprintable():
                raise part.mistake("needs 1 to 64 characters in a line, such as studio")
        else:
            entry = part
    if entry is None:
        raise value.mistake(f"has no key 'nodes': write 'nodes:', and below it '- node: {_EXAMPLE}'")
    items = entry.list(f"- node: {_EXAMPLE}")
    if not 1 <= len(items) <= NODES:
        raise entry.mistake(f"needs 1 to {NODES} nodes, and has {len(items)}")
    return RigDescription(_unique([(_node(item), item) for item in items]), name)


def _unique(nodes: list[tuple[tuple[RigNode, bool], _Value]]) -> tuple[RigNode, ...]:
    """The nodes with unique names. Chosen names come first: standard ones give way to them."""
    taken, known, cameras = set(), set(), set()
    for (node, is_named), item in nodes:
        if node.node in known:
            raise item.mistake(f"names the node {node.node} for the second time: list its cameras together")
        known.add(node.node)
        if is_named and node.name in taken:
            raise item.mistake(f"is the second node called '{node.name}': give it another name")
        if is_named:
            taken.add(node.name)
        for camera in node.cameras or ():
            if camera.name is not None and camera.name in cameras:
                raise item.mistake(f"has the second camera called '{camera.name}': give it another name")
            if camera.name is not None:
                cameras.add(camera.name)
    unique = []
    for (node, is_named), _ in nodes:
        name, number = node.name, 1
        while not is_named and name in taken:
            number += 1
            name = f"{node.name[:60]}-{number}"
        taken.add(name)
        unique.append(replace(node, name=name))
    return tuple(unique)


def _node(item: _Value) -> tuple[RigNode, bool]:
    """A node, and whether somebody has chosen its name."""
    if item.text is not None:
        return RigNode(item.text, _standard(item, item.text)), False
    node: Optional[str] = None
    name: Optional[str] = None
    key: Optional[str] = None
    cameras: Optional[tuple[RigCamera, ...]] = None
    for entry in item.entries(("node", "name", "key", "cameras"), "a node of a rig"):
        if entry.key == "node":
            node = entry.string(_EXAMPLE)
        elif entry.key == "name":
            name = entry.name("left")
        elif entry.key == "key":
            key = entry.string("/etc/camerabus/rig.key_secret")
        else:
            cameras = _cameras(entry)
    if node is None:
        raise item.mistake(f"needs the key 'node', such as node: {_EXAMPLE}")
    return RigNode(node, name or _standard(item, node), key, cameras), name is not None


def _cameras(entry: _Value) -> tuple[RigCamera, ...]:
    items = entry.list("- camera: front")
    if not 1 <= len(items) <= CAMERAS:
        raise entry.mistake(f"needs 1 to {CAMERAS} cameras: leave the key out for all that the node has")
    cameras: list[RigCamera] = []
    for item in items:
        camera = _camera(item)
        if any(other.camera == camera.camera for other in cameras):
            raise item.mistake(f"names the camera {camera.camera} twice: leave one out")
        cameras.append(camera)
    return tuple(cameras)


def _camera(item: _Value) -> RigCamera:
    if item.text is not None:
        return RigCamera(item.camera())
    camera: Optional[str] = None
    name: Optional[str] = None
    position: Optional[tuple[float, float, float]] = None
    for entry in item.entries(("camera", "name", "position"), "a camera of a rig"):
        if entry.key == "camera":
            camera = entry.camera()
        elif entry.key == "name":
            name = entry.name("north")
        else:
            position = _position(entry)
    if camera is None:
        raise item.mistake("needs the key 'camera', such as camera: front")
    return RigCamera(camera, name, position)


def _position(entry: _Value) -> tuple[float, float, float]:
    numbers = []
    for item in (entry.items or [])[:4]:
        try:
            number = float(item.text or "")
        except ValueError:
            number = math.inf
        numbers.append(number)
    if len(numbers) != 3 or not all(abs(number) <= _FARTHEST for number in numbers):
        raise entry.mistake("needs three numbers of metres, such as [0, 0, 1.5]")
    return numbers[0], numbers[1], numbers[2]


def _standard(item: _Value, node: str) -> str:
    """The node's own name, or one made of its endpoint: the host, with the port unless that is 5570; of an ipc endpoint
    the folder.
    """
    if ":" not in node and _NAME.fullmatch(node):
        return node
    if len(node) > 256 or not _ENDPOINT.fullmatch(node):
        raise item.mistake(f"is no node: {shown(node)}: write its control endpoint, such as {_EXAMPLE}, or its name in "
                           "`camctl nodes list`")
    if node.startswith("ipc://"):
        parts = [part for part in node[6:].split("/") if part]
        name = parts[-2] if len(parts) > 1 else parts[-1] if parts else ""
    else:
        name = node[6:].removesuffix(":5570")
    name = re.sub("[^A-Za-z0-9._-]", "-", name.replace("[", "").replace("]", "")).lstrip(".")[:64]
    return name or "node"
