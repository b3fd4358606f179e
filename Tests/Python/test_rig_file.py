"""Tests the reader of rigs, with the same files as the Swift client's tests."""

import builtins
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Optional
from unittest import mock

from camerabus import CameraBusError, Code, RigCamera, RigDescription
from camerabus.rig import NODES
from expecting import present

STUDIO = """\
name: studio
nodes:
- node: tcp://192.168.0.21:5570
  name: left
  key: /keys/left.key_secret
  cameras:
  - camera: front
    name: north
    position: [0, 0, 1.5]
  - back
- node: desk
- tcp://[fe80::1]:5580
"""
# Each with the line of the mistake, and a part of what to do.
MISTAKES = [
    ("", 1, "write at least 'nodes:'"),
    ("name: studio", 1, "has no key 'nodes'"),
    ("nodes: []", 1, "needs 1 to 256 nodes"),
    ("nodes: desk", 1, "'nodes' needs a list"),
    ("nodes:\n- node: desk\n  cameras:\n  - camera: front\n nope", 5, "this line is no YAML"),
    ("nodes:\n- node: desk\n  nam: left", 3, "its keys are node, name, key, cameras"),
    ("nodes:\n- name: left", 2, "needs the key 'node'"),
    ("nodes:\n- node: http://desk", 2, "is no node"),
    ("nodes:\n- node: desk\n- node: desk", 3, "for the second time"),
    ("nodes:\n- node: desk\n  name: a\n- node: table\n  name: a", 4, "is the second node called 'a'"),
    ("nodes:\n- node: desk\n  name: a/b", 3, "'name' needs 1 to 64 letters"),
    ("nodes:\n- node: desk\n  key: []", 3, "'key' needs a text"),
    ("nodes:\n- node: desk\n  cameras: []", 3, "leave the key out"),
    ("nodes:\n- node: desk\n  cameras: [_node]", 3, "a camera's name"),
    ("nodes:\n- node: desk\n  cameras: [front, front]", 3, "twice: leave one out"),
    ("nodes:\n- node: desk\n  cameras:\n  - camera: front\n    position: [1, 2]", 5, "three numbers of metres"),
    ("nodes:\n- node: desk\n  cameras:\n  - camera: front\n    position: [1, 2, .inf]", 5, "three numbers of metres"),
    ("nodes:\n- node: desk\n  node: table", 3, "is there twice"),
    ("node:\n- desk", 2, "its keys are nodes, name"),
    ("nodes:\n- node: a\n  cameras: [{camera: x, name: n}]\n- node: b\n  cameras: [{camera: y, name: n}]", 4,
     "the second camera called 'n'"),
    ("[" * 100_000, None, "nest too deep"),
]


class Reading(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def file(self, text: str) -> Path:
        path = self.folder / "rig.yaml"
        path.write_text(text)
        return path

    def assert_mistake(self, rig: Any, words: str, line: Optional[int] = None) -> None:
        with self.assertRaises(CameraBusError) as caught:
            RigDescription.read(rig)
        self.assertEqual(caught.exception.code, Code.INVALID_ARGUMENT, caught.exception)
        self.assertIn(words, caught.exception.message)
        self.assertNotIn("\n", caught.exception.message)
        if line is not None:
            self.assertIn(f"rig.yaml:{line}: ", caught.exception.message)

    def test_a_rig_has_its_nodes_cameras_names_and_positions_as_the_file_says(self) -> None:
        rig = RigDescription.read(self.file(STUDIO))
        self.assertEqual(rig.name, "studio")
        self.assertEqual([node.name for node in rig.nodes], ["left", "desk", "fe80--1-5580"])
        self.assertEqual([node.node for node in rig.nodes], ["tcp://192.168.0.21:5570", "desk", "tcp://[fe80::1]:5580"])
        self.assertEqual([node.key for node in rig.nodes], ["/keys/left.key_secret", None, None])
        self.assertEqual(present(rig.nodes[0].cameras), (RigCamera("front", "north", (0, 0, 1.5)), RigCamera("back")))
        self.assertIsNone(rig.nodes[1].cameras)

    def test_a_dictionary_and_json_are_the_same(self) -> None:
        rig = {"name": "studio", "nodes": [{"node": "desk", "cameras": [{"camera": "front", "position": [1, 2, 3]}]}]}
        read = RigDescription.read(rig)
        self.assertEqual(present(read.nodes[0].cameras), (RigCamera("front", None, (1, 2, 3)),))
        text = '{"name": "studio", "nodes": [{"node": "desk", "cameras": [{"camera": "front", "position": [1, 2, 3]}]}]}'
        self.assertEqual(RigDescription.read(self.file(text)), read)
        with self.without_yaml():
            self.assertEqual(RigDescription.read(self.file(text)), read)

    def test_without_pyyaml_a_file_in_yaml_says_what_to_install(self) -> None:
        with self.without_yaml(), self.assertRaises(CameraBusError) as caught:
            RigDescription.read(self.file(STUDIO))
        self.assertEqual(caught.exception.code, Code.NOT_INSTALLED)
        self.assertIn("pip install", caught.exception.message)

    def without_yaml(self) -> Any:
        own = builtins.__import__

        def no_yaml(name: str, *rest: Any, **options: Any) -> Any:
            if name == "yaml":
                raise ImportError(name)
            return own(name, *rest, **options)

        context = mock.patch.object(builtins, "__import__", no_yaml)
        self.enterContext(mock.patch.dict(sys.modules))
        sys.modules.pop("yaml", None)
        return context

    def test_a_list_of_endpoints_and_names_makes_a_rig_with_a_name_for_each(self) -> None:
        rig = RigDescription.read([
            "tcp://10.0.0.1:5570", "tcp://10.0.0.1:5580", "ipc:///run/camerabus/control", "desk",
            "tcp://camera.local:5570", "tcp://desk:5570"])
        self.assertEqual([node.name for node in rig.nodes], [
            "10.0.0.1", "10.0.0.1-5580", "camerabus", "desk", "camera.local", "desk-2"])
        for nodes in ([], ["desk", "desk"], ["http://desk"], [f"node{number}" for number in range(NODES + 1)], [None]):
            with self.subTest(nodes=nodes[:2]), self.assertRaises(CameraBusError):
                RigDescription.read(nodes)

    def test_cameras_keep_their_own_names_with_the_nodes_before_them_where_two_are_the_same(self) -> None:
        rig = RigDescription.read([
            {"node": "a", "cameras": [{"camera": "front", "name": "north"}, {"camera": "back"}]}, "b", "c"])
        names = rig.camera_names({"a": ["front", "back", "top"], "b": ["front", "top"], "c": ["top"]})
        self.assertEqual(names, {
            "a": {"front": "north", "back": "back"}, "b": {"front": "front", "top": "b-top"}, "c": {"top": "c-top"}})

    def test_a_mistake_is_told_with_its_line_and_what_to_do(self) -> None:
        for text, line, words in MISTAKES:
            with self.subTest(text=text[:60]):
                self.assert_mistake(self.file(text), words, line)

    def test_aliases_that_multiply_and_cycles_do_no_harm(self) -> None:
        doubling = "".join(f"a{number}: &a{number} [*a{number - 1}, *a{number - 1}]\n" for number in range(1, 40))
        self.assert_mistake(self.file(f"a0: &a0 [x]\n{doubling}nodes: *a39"), "is no key of a rig")
        self.assert_mistake(self.file("nodes: &a [*a]"), "needs keys of its own")

    def test_a_file_that_cannot_be_read_is_named_with_the_remedy(self) -> None:
        self.assert_mistake(self.file("#" * ((1 << 20) + 1)), "more than a mebibyte")
        self.assert_mistake("/dev/zero", "more than a mebibyte")
        (self.folder / "rig.yaml").write_bytes(b"\xff\xfe")
        self.assert_mistake(self.folder / "rig.yaml", "save it as UTF-8")
        for path in (self.folder, self.folder / "none"):
            with self.assertRaises(CameraBusError) as caught:
                RigDescription.read(path)
            self.assertIn(path.name, caught.exception.message)

    def test_a_key_for_a_node_of_which_nobody_knows_its_own_key_says_what_to_do(self) -> None:
        rig = RigDescription.read([{"node": "tcp://192.0.2.1:5570", "key": "/nowhere"}])
        with self.assertRaises(CameraBusError) as caught:
            rig.nodes[0].connection()
        self.assertIn("camctl nodes add NAME --control", caught.exception.message)
