"""Tests a node with keys: what each kind of peer may do, with this client and with plain pyzmq, and the
files that camctl makes for both.
"""

import contextlib
import os
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any, Iterator, Optional, Union
from unittest import mock

import zmq
import zmq.auth
from camerabus import CameraBus, CameraBusError, Code, Credentials, Published, messages
from camerabus.arrivals import ENCRYPTION
from camerabus.greeting import requires_key
from expecting import present
from node import PATIENCE, Node, program


class Keys(unittest.TestCase):
    """Starts a node with two cameras and keys."""

    node: Node
    folder: Path
    node_key: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.node = cls.enterClassContext(
            Node("left=synthetic:320x240@30,format=MJPG", "right=synthetic:320x240@30,format=MJPG",
                 options=["--keys", cls.folder / "keys", "--ipc", cls.folder / "ipc"]))
        cls.node_key = cls.camctl("keys", "show").strip()

    @classmethod
    def camctl(cls, *arguments: str, line: str = "") -> str:
        """Runs a verb of `camctl keys` or `camctl nodes`, and returns what it prints."""
        place = ["--keys", str(cls.folder / "keys")] if arguments[0] == "keys" else []
        done = subprocess.run(
            [program("camctl"), *arguments, *place], input=line, capture_output=True, text=True, timeout=PATIENCE,
            env={**os.environ, "XDG_CONFIG_HOME": str(cls.folder / "config")})
        assert done.returncode == 0, done.stderr
        return done.stdout

    def owner(self) -> CameraBus:
        secret = self.folder / "keys" / "node.key_secret"
        return CameraBus(self.node.control, credentials=Credentials.from_files(secret, secret), timeout=30)

    @contextlib.contextmanager
    def change(self, field: str, name: str) -> Iterator[None]:
        """Waits until the node has told that the key was authorized, or revoked."""
        with self.owner() as bus, bus.events() as events:
            self.assertIsNotNone(events.next(30))
            yield
            for notice in events:
                if isinstance(notice, Published) and name in getattr(notice.event.keys, field):
                    return

    def authorize(self, name: str, *options: str) -> Credentials:
        """Authorizes a new key, and returns its credentials when they count."""
        public, secret = zmq.auth.create_certificates(str(self.folder), name)
        os.chmod(secret, 0o600)
        with self.change("authorized", name):
            self.camctl("keys", "authorize", name, public, *options)
        node_file = self.folder / "keys" / "node.key"
        return Credentials.from_files(secret, node_file)

    def refused(self, credentials: Optional[Credentials], control: Optional[str] = None) -> CameraBusError:
        with CameraBus(control or self.node.control, credentials=credentials, timeout=10) as bus:
            with self.assertRaises(CameraBusError) as caught:
                bus.status()
        return caught.exception

    # Who gets in

    def test_who_has_no_authorized_key_is_told_so(self) -> None:
        _, secret = (key.decode() for key in zmq.curve_keypair())
        other, _ = (key.decode() for key in zmq.curve_keypair())
        unknown = Credentials(secret, self.node_key)
        for credentials, code, words in [
                (None, Code.KEY_REQUIRED, "camctl keys invite NAME"),
                (unknown, Code.NOT_AUTHORIZED, f"camctl keys authorize NAME '{unknown.public_key}'"),
                (Credentials(secret, other), Code.WRONG_NODE, "another invitation"),
        ]:
            error = self.refused(credentials)
            self.assertEqual(error.code, code, error)
            self.assertIn(words, error.message)
        with self.owner() as bus:
            self.assertGreaterEqual(bus.status().refused_connections, 3)
        self.assertTrue(requires_key(self.node.control))

    def test_a_node_without_keys_is_not_taken_for_one_with_keys(self) -> None:
        _, secret = (key.decode() for key in zmq.curve_keypair())
        with Node("cam=synthetic:320x240@30") as open_node:
            self.assertFalse(requires_key(open_node.control))
            error = self.refused(Credentials(secret, self.node_key), open_node.control)
        self.assertEqual(error.code, Code.WRONG_NODE)

    def test_peers_without_curve_get_nothing(self) -> None:
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        try:
            for endpoint in (self.node.events, self.node.frames):
                for password in (False, True):
                    socket = context.socket(zmq.SUB)
                    if password:
                        socket.setsockopt(zmq.PLAIN_USERNAME, b"robot")
                        socket.setsockopt(zmq.PLAIN_PASSWORD, b"secret")
                    monitor = socket.get_monitor_socket()
                    socket.subscribe(b"")
                    socket.connect(endpoint)
                    while int.from_bytes(monitor.recv_multipart()[0][:2], "little") not in (
                            zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL, zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL):
                        pass
                    self.assertEqual(socket.poll(0), 0)
                    socket.disable_monitor()
                    monitor.close(0)
                    socket.close(0)
        finally:
            context.destroy(0)

    # Roles

    def test_a_role_may_do_what_it_is_for(self) -> None:
        needs = {"viewer": messages.ROLE_OPERATOR, "operator": messages.ROLE_CONTROLLER, "controller": None}
        for role, needed in needs.items():
            credentials = self.authorize(f"the-{role}", "--role", role)
            with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus:
                self.assertEqual(bus.status().role, messages.Role.Value(f"ROLE_{role.upper()}"))
                with bus.frames("left") as frames:
                    self.assertIsNotNone(frames.next(30))
                refused: list[Any] = []
                for ask in (lambda: bus.capture(camera="left"), lambda: bus.delete([os.urandom(16)])):
                    try:
                        ask()
                    except CameraBusError as error:
                        self.assertEqual(error.code, Code.FORBIDDEN)
                        refused.append(error.needed_role)
                self.assertEqual(refused[:1], [needed] if needed else [])

    def test_a_key_for_one_camera_has_nothing_of_another(self) -> None:
        credentials = self.authorize("left-only", "--camera", "left")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus:
            status = bus.status()
            self.assertEqual([camera.name for camera in status.cameras], ["left"])
            with self.assertRaises(CameraBusError) as caught:
                bus.capture(camera="right")
            self.assertEqual(caught.exception.code, Code.FORBIDDEN)
            self.assertEqual(caught.exception.needed_role, 0)
            self.assertEqual(present(bus.capture().asset).camera, "left")
        with self.owner() as owner, owner.frames("right") as right:
            context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
            socket = context.socket(zmq.SUB)
            credentials.apply(socket)
            socket.subscribe(b"")
            socket.connect(status.frames_endpoint)
            topics: list[bytes] = []
            while topics.count(b"heartbeat/") < 3:
                self.assertIsNotNone(right.next(30))
                parts = socket.recv_multipart()
                topics.append(parts[0])
                self.assertNotIn(b"right", b"".join(parts[:2]) + (parts[2] if parts[0] == b"heartbeat/" else b""))
            self.assertLessEqual(set(topics), {b"heartbeat/", b"frame/left/preview/"})
            context.destroy(0)

    # Changes

    def test_a_revoked_key_is_cut_off(self) -> None:
        credentials = self.authorize("guest")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus, bus.frames("left") as frames:
            self.assertIsNotNone(frames.next(30))
            with self.change("revoked", "guest"):
                self.camctl("keys", "revoke", "guest")
            with self.assertRaises(CameraBusError) as caught:
                bus.status()
            self.assertEqual(caught.exception.code, Code.NOT_AUTHORIZED)

    # Invitations and files

    def test_an_invitation_is_all_that_a_guest_needs(self) -> None:
        with self.change("authorized", "invited"):
            line = self.camctl("keys", "invite", "invited", "--control", self.node.control, "--node", "front")
        self.camctl("nodes", "add", line=line)
        with mock.patch.dict(os.environ, XDG_CONFIG_HOME=str(self.folder / "config")):
            with CameraBus(node="front", timeout=30) as bus:
                self.assertEqual(bus.status().role, messages.ROLE_OPERATOR)
            secret = self.folder / "config" / "camerabus" / "front.key_secret"
            self.assertEqual(secret.stat().st_mode & 0o777, 0o600)
            secret.chmod(0o640)
            with self.assertRaises(CameraBusError) as caught:
                CameraBus(node="front")
            self.assertIn("chmod 600", caught.exception.message)
            with self.assertRaises(CameraBusError) as caught:
                CameraBus(node="rear")
            self.assertIn("camctl nodes list", caught.exception.message)

    def test_a_mistaken_key_is_not_repeated_in_its_error(self) -> None:
        mistaken: list[Union[str, Any]] = ["x" * 39, "x" * 41, '"' * 40, None]
        for text in mistaken:
            with self.assertRaises(CameraBusError) as caught:
                Credentials(text, self.node_key)
            self.assertNotIn(str(text), str(caught.exception))

    def test_over_ipc_the_node_sees_the_user(self) -> None:
        with CameraBus(f"ipc://{self.folder}/ipc/control", timeout=30) as bus:
            self.assertEqual(bus.status().role, messages.ROLE_CONTROLLER)
            with bus.frames("left") as frames:
                self.assertIsNotNone(frames.next(30))

    def test_what_encryption_adds_to_a_part(self) -> None:
        """Of which the bound of what a client receives is made."""
        self.assertEqual(ENCRYPTION, len(b"\x07MESSAGE") + 8 + 16 + 1)
