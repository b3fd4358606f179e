"""Tests a node with keys: what each kind of peer may do, with this client and with plain pyzmq, and the
files that camctl makes for both.
"""

import contextlib
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Iterator, Optional, Union
from unittest import mock

import zmq
import zmq.auth
from camerabus import (
    CameraBus, CameraBusError, Code, Credentials, Depth, Disconnected, PhotoSettings, Published, Reconnected,
    at_monotonic, messages,
)
from camerabus.arrivals import ENCRYPTION
from camerabus.greeting import requires_key
from expecting import present
from node import PATIENCE, Node, program, program_for_all


class Keys(unittest.TestCase):
    """Starts a node with two cameras and keys."""

    node: Node
    folder: Path
    node_key: str

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.node = cls.enterClassContext(
            Node("left=synthetic:320x240@30,format=MJPG,depth=right", "right=synthetic:320x240@30,format=MJPG",
                 options=["--microphone", "desk=synthetic", "--microphone", "hall=synthetic", "--keys", cls.folder / "keys", "--ipc", cls.folder / "ipc", "--log", "info"]))
        cls.node_key = cls.camctl("keys", "show").strip()

    def run(self, result: Optional[unittest.TestResult] = None) -> Optional[unittest.TestResult]:
        """Shows the node's log if a test fails, which says whom it let in and whom not."""
        def failures() -> int:
            return len(result.errors) + len(result.failures) if result else 0

        before = failures()
        done = super().run(result)
        if failures() > before:
            print(f"The log of the node of {self.id()}:", self.node.errors()[-4000:], sep="\n")
        return done

    @classmethod
    def camctl(cls, *arguments: str, line: str = "") -> str:
        """Runs a verb of `camctl keys` or `camctl nodes`, and returns what it prints."""
        place = ["--keys", str(cls.folder / "keys")] if arguments[0] == "keys" else []
        done = subprocess.run(
            [program("camctl"), *arguments[:2], *place, *arguments[2:]], input=line, capture_output=True, text=True, timeout=PATIENCE,
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
                (None, Code.KEY_REQUIRED, "the owner makes one too, with the node's --library or --keys"),
                (unknown, Code.NOT_AUTHORIZED, f"camctl keys authorize NAME '{unknown.public_key}'"),
                (Credentials(secret, other), Code.WRONG_NODE, "another invitation"),
        ]:
            error = self.refused(credentials)
            self.assertEqual(error.code, code, error)
            self.assertIn(words, error.message)
        with self.owner() as bus:
            self.assertGreaterEqual(bus.status().refused_connections, 3)
        self.assertTrue(requires_key(self.node.control))

    def test_a_key_that_was_just_added_is_let_in(self) -> None:
        for number in range(3):
            name = f"new{number}"
            public, secret = zmq.auth.create_certificates(str(self.folder), name)
            os.chmod(secret, 0o600)
            self.camctl("keys", "authorize", name, public)
            with CameraBus(self.node.control, credentials=Credentials.from_files(secret, self.folder / "keys" / "node.key"),
                           timeout=30) as bus:
                self.assertTrue(bus.status().cameras)

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

    def test_who_sends_an_encrypted_message_twice_is_cut_off(self) -> None:
        """libzmq by itself would keep the connection, and its memory, for ever."""
        credentials = self.authorize("replaying", "--role", "viewer")
        for endpoint, kind in ((self.node.control, zmq.DEALER), (self.node.events, zmq.SUB), (self.node.frames, zmq.SUB)):
            for _ in range(5):
                self.replay(endpoint, kind, credentials)

    def replay(self, endpoint: str, kind: int, credentials: Credentials) -> None:
        """Connects through a proxy that sends what the client said last twice, and waits for the end."""
        host, port = endpoint.removeprefix("tcp://").split(":")
        context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        with socket.create_server(("127.0.0.1", 0)) as listener:
            client = context.socket(kind)
            client.setsockopt(zmq.CURVE_SECRETKEY, credentials.secret_key.encode())
            client.setsockopt(zmq.CURVE_PUBLICKEY, credentials.public_key.encode())
            client.setsockopt(zmq.CURVE_SERVERKEY, self.node_key.encode())
            client.connect(f"tcp://127.0.0.1:{listener.getsockname()[1]}")
            if kind == zmq.SUB:
                client.subscribe(b"nothing")
            else:
                client.send(b"nothing")
            near, _ = listener.accept()
        with near, socket.create_connection((host, int(port)), PATIENCE) as far:
            said = b""
            while b"\x07MESSAGE" not in said:
                for ready in select.select([near, far], [], [], PATIENCE)[0]:
                    data = ready.recv(65536)
                    self.assertTrue(data)
                    (far if ready is near else near).sendall(data)
                    said += data if ready is near else b""
            # A flag and the size come before the name.
            far.sendall(said[said.index(b"\x07MESSAGE") - 2:])
            while far.recv(65536):
                pass
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

    def test_a_request_belongs_to_its_key(self) -> None:
        first, second = (self.authorize(f"partner-{number}") for number in (1, 2))
        with CameraBus(self.node.control, credentials=first, timeout=30) as one, \
                CameraBus(self.node.control, credentials=second, timeout=30) as other:
            photo = one.capture(camera="left")
            request = present(photo.asset).request_id
            with self.assertRaises(CameraBusError) as caught:
                other.capture(camera="left", id=request, epoch=one.epoch)
            self.assertEqual(caught.exception.code, Code.ID_REUSED)
            self.assertEqual(one.capture(camera="left", id=request, epoch=one.epoch).asset, photo.asset)
            moment = one.status().now.monotonic_ns + 20_000_000_000
            later = one.begin_capture(at_monotonic(moment), "left", timeout=60)
            self.assertEqual(other.cancel(later.id), messages.CancelReply.OUTCOME_UNKNOWN)
            self.assertEqual(one.cancel(later.id), messages.CancelReply.OUTCOME_CANCELLED)
            self.assertEqual(other.cancel(request), messages.CancelReply.OUTCOME_UNKNOWN)
            self.assertEqual(one.cancel(request), messages.CancelReply.OUTCOME_TOO_LATE)
        self.assertIn("partner-1: capture", self.node.errors())

    # Changes

    def test_a_lease_belongs_to_its_key(self) -> None:
        mine, other = self.authorize("mine"), self.authorize("other")
        with CameraBus(self.node.control, credentials=mine, timeout=30) as bus, \
                CameraBus(self.node.control, credentials=other, timeout=30) as thief, self.owner() as owner:
            held = bus.acquire_lease("left", term=600)
            self.assertEqual(owner.status("left").cameras[0].lease.holder, "mine")
            bus.set_controls({"brightness": 3}, "left")
            thief.use_lease("left", held.id)
            thief.use_lease("right", held.id)
            for call, code in ((lambda: thief.set_controls({"brightness": 4}, "left"), Code.CONFLICT),
                               (lambda: thief.release_lease("left", force=True), Code.FORBIDDEN),
                               (lambda: thief.release_lease("right", force=True), Code.FORBIDDEN)):
                with self.assertRaises(CameraBusError) as caught:
                    call()
                self.assertEqual(caught.exception.code, code)
            with self.change("revoked", "mine"):
                self.camctl("keys", "revoke", "mine")
            self.assertFalse(owner.status("left").cameras[0].HasField("lease"))
            thief.use_lease("left", None)
            thief.set_controls({"brightness": 4}, "left")

    def test_a_limited_key_takes_no_depth_of_another_camera(self) -> None:
        with CameraBus(self.node.control, credentials=self.authorize("no-depth", "--camera", "left"), timeout=30) as bus:
            with self.assertRaisesRegex(CameraBusError, "right") as caught:
                bus.capture(camera="left", settings=PhotoSettings(depth=Depth()))
            self.assertEqual((caught.exception.code, caught.exception.field), (Code.FORBIDDEN, "capture.depth"))
            self.assertEqual(len(list(bus.all_assets(request_id=caught.exception.request_id))), 0)
        with self.owner() as bus, self.assertRaises(CameraBusError) as caught:
            bus.capture(camera="left", settings=PhotoSettings(depth=Depth()))  # the other camera sends no distances
        self.assertEqual((caught.exception.code, caught.exception.field), (Code.UNSUPPORTED_FORMAT, "capture.depth"))

    def test_a_limited_key_has_the_microphones_that_its_list_names(self) -> None:
        credentials = self.authorize("listener", "--camera", "left", "--camera", "desk", "--role", "operator")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus:
            self.assertEqual([microphone.name for microphone in bus.status().microphones], ["desk"])
            listed = bus.microphones()
            self.assertEqual(([microphone.name for microphone in listed.microphones], list(listed.devices)), (["desk"], []))
            for name in ("hall", "nothing"):
                with self.assertRaises(CameraBusError) as caught:
                    bus.start_recording("left", sound=name)
                self.assertEqual(caught.exception.code, Code.FORBIDDEN)
            started = bus.start_recording("left", sound=True)  # of the only one for it
            self.assertEqual(bus.status("left").cameras[0].recording.microphone, "desk")
            with bus.frames("left") as frames:
                for _ in range(10):
                    self.assertIsNotNone(frames.next(30))
            self.assertGreater(bus.stop_recording("left", recording=started.recording).frames, 0)
        with CameraBus(self.node.control, credentials=self.authorize("deaf", "--camera", "left", "--role", "operator"),
                       timeout=30) as bus:
            self.assertEqual(list(bus.status().microphones), [])
            with self.assertRaises(CameraBusError) as caught:
                bus.start_recording("left", sound=True)
            self.assertEqual((caught.exception.code, caught.exception.field),
                             (Code.INVALID_ARGUMENT, "record_start.sound.microphone"))

    def test_a_limited_key_has_the_devices_of_its_cameras(self) -> None:
        with CameraBus(self.node.control, credentials=self.authorize("narrow-view", "--camera", "left"), timeout=30) as bus:
            self.assertEqual([device.camera for device in bus.devices()], ["left"])
        with self.owner() as bus:
            self.assertEqual([device.camera for device in bus.devices() if device.camera], ["left", "right"])

    def test_a_limited_key_switches_to_no_device_that_it_is_not_told_of(self) -> None:
        credentials = self.authorize("narrow-control", "--camera", "left", "--role", "controller")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus:
            own = bus.status("left").cameras[0].device.identity
            for name in ("/dev/video0", "platform:vivid-000"):
                with self.assertRaises(CameraBusError) as caught:
                    bus.configure("left", input=name)
                self.assertEqual((caught.exception.code, caught.exception.field), (Code.DEVICE_NOT_FOUND, "configure.input"))
            self.assertEqual(bus.configure("left", input=own).camera.device.identity, own)
            with self.assertRaises(CameraBusError) as caught:
                bus.configure("right", input=own)
            self.assertEqual(caught.exception.code, Code.FORBIDDEN)

    def test_a_key_is_changed(self) -> None:
        """What is not said stays."""
        credentials = self.authorize("changing", "--expires", "1d", "--comment", "the night's")
        listed = ["keys", "list", "--json"]

        def entry() -> dict[str, Any]:
            return next(key for line in self.camctl(*listed).splitlines() if (key := json.loads(line))["name"] == "changing")

        before = entry()
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus:
            self.assertEqual(bus.status().role, messages.ROLE_OPERATOR)
            with self.change("authorized", "changing"):
                self.camctl("keys", "change", "changing", "--role", "viewer", "--camera", "left")
            status = bus.status()
            self.assertEqual(status.role, messages.ROLE_VIEWER)
            self.assertEqual([camera.name for camera in status.cameras], ["left"])
            self.assertEqual(entry(), {**before, "role": "viewer", "cameras": ["left"]})
            with self.change("authorized", "changing"):
                self.camctl("keys", "change", "changing", "--all-cameras", "--expires", "never", "--comment", "")
            self.assertEqual(len(bus.status().cameras), 2)
            # Expired keys stay, and may be used again.
            with self.change("revoked", "changing"):
                self.camctl("keys", "change", "changing", "--expires", "1s")
            with self.change("authorized", "changing"):
                self.camctl("keys", "change", "changing", "--expires", "never")
        changed = {name: value for name, value in before.items() if name not in ("expires", "comment")}
        self.assertEqual(entry(), {**changed, "role": "viewer"})

    def test_a_key_gets_another_name_and_stays_connected(self) -> None:
        credentials = self.authorize("before")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus, bus.events() as events:
            self.assertIsNotNone(events.next(30))
            with self.change("authorized", "after"):
                self.camctl("keys", "rename", "before", "after")
            photo = bus.begin_capture(camera="left")
            notice = None
            while not (isinstance(notice, Published) and notice.event.capture.request_id == photo.id):
                self.assertNotIsInstance(notice := events.next(30), Disconnected)
                self.assertIsNotNone(notice)
        self.assertIn("after: capture", self.node.errors())
        with self.assertRaisesRegex(AssertionError, "no key before is authorized"):
            self.camctl("keys", "revoke", "before")

    def test_a_guest_sees_its_keys_end(self) -> None:
        credentials = self.authorize("brief", "--expires", "1h")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus:
            status = bus.status()
        left = status.role_expires_wall_ns - status.now.wall_ns
        self.assertTrue(0 < left <= 3600 * 10**9, left)
        with self.owner() as bus:
            self.assertEqual(bus.status().role_expires_wall_ns, 0)

    # What the node's owner is told

    def test_the_log_names_who_was_refused(self) -> None:
        public, secret = (key.decode() for key in zmq.curve_keypair())
        with self.owner() as bus, bus.events() as events:
            self.assertIsNotNone(events.next(30))
            self.refused(Credentials(secret, self.node_key))
            while f"127.0.0.1 with the key '{public}'" not in self.node.errors():
                self.assertIsNotNone(events.next(30))

    def test_a_camera_that_the_node_does_not_have_is_named(self) -> None:
        self.authorize("mistyped", "--camera", "lfet", "--camera", "right")
        self.assertIn("keys: mistyped is for lfet, which the node does not have: it has left, right", self.node.errors())

    def test_a_secret_key_that_goes_is_named(self) -> None:
        secret, away = self.folder / "keys" / "node.key_secret", self.folder / "away"
        with self.owner() as bus, bus.events() as events:
            self.assertIsNotNone(events.next(30))
            secret.rename(away)
            try:
                while not (isinstance(notice := events.next(30), Published) and notice.event.keys.mistakes):
                    self.assertIsNotNone(notice)
            finally:
                away.rename(secret)
        self.assertIn("node.key_secret is gone", notice.event.keys.mistakes[0])

    def test_a_limited_key_does_not_wait_for_events_that_never_come(self) -> None:
        with self.change("authorized", "narrow"):
            line = self.camctl("keys", "invite", "narrow", "--control", self.node.control, "--node", "narrow", "--camera", "left")
        self.camctl("nodes", "add", line=line)
        with self.assertRaisesRegex(AssertionError, "your key is for left, and events of kind keys"):
            self.camctl("events", "--node", "narrow", "--kind", "keys")

    def test_a_revoked_key_is_cut_off(self) -> None:
        credentials = self.authorize("guest")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus, bus.frames("left") as frames, \
                bus.events() as events:
            self.assertIsNotNone(frames.next(30))
            self.assertIsNotNone(events.next(30))
            with self.change("revoked", "guest"):
                self.camctl("keys", "revoke", "guest")
            with self.assertRaises(CameraBusError) as caught:
                bus.status()
            self.assertEqual(caught.exception.code, Code.NOT_AUTHORIZED)
            with self.assertRaises(CameraBusError) as caught:
                while not isinstance(notice := events.next(30), Disconnected):
                    self.assertIsNotNone(notice)
                events.next(30)
            self.assertEqual(caught.exception.code, Code.NOT_AUTHORIZED)
            with self.change("authorized", "again"):
                self.camctl("keys", "authorize", "again", "--", credentials.public_key)
            while not isinstance(notice := events.next(30), Reconnected):
                self.assertIsNotNone(notice)
        self.assertIn("keys: guest may no longer use the node", self.node.errors())

    def test_a_revoked_keys_photo_of_a_later_moment_is_not_taken(self) -> None:
        credentials = self.authorize("waiting")
        with CameraBus(self.node.control, credentials=credentials, timeout=30) as bus, self.owner() as owner, \
                owner.events() as events:
            self.assertIsNotNone(events.next(30))
            later = bus.status().now.monotonic_ns + 1000 * 10**9
            photo = bus.begin_capture(at_monotonic(later), "left", timeout=2000)
            self.camctl("keys", "revoke", "waiting")
            while True:
                notice = events.next(30)
                self.assertIsNotNone(notice)
                if isinstance(notice, Published) and notice.event.capture.request_id == photo.id \
                        and notice.event.capture.HasField("failed"):
                    break
            self.assertEqual(notice.event.capture.failed.code, messages.ERROR_CODE_CANCELLED)

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

    def test_a_path_that_looks_like_a_key_is_a_path(self) -> None:
        public, _ = zmq.auth.create_certificates(str(self.folder), "forty")
        folder = Path(f"/tmp/k{os.getpid()}")
        folder.mkdir(mode=0o700)
        try:
            path = folder / "x.key".rjust(39 - len(str(folder)), "x")
            self.assertEqual(len(str(path)), 40)
            shutil.copy(public, path)
            self.camctl("keys", "authorize", "forty", str(path))
        finally:
            shutil.rmtree(folder)
        key, _ = zmq.auth.load_certificate(public)
        [listed] = [entry for line in self.camctl("keys", "list", "--json").splitlines() if (entry := json.loads(line))["name"] == "forty"]
        self.assertEqual(listed["key"], key.decode())

    def test_the_nodes_own_key_is_no_programs(self) -> None:
        with self.assertRaisesRegex(AssertionError, "the node's own key"):
            self.camctl("keys", "authorize", "me", str(self.folder / "keys" / "node.key"))

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

    @unittest.skipUnless(os.geteuid() == 0, "only root may become another user")
    def test_over_ipc_a_process_may_have_the_group_without_its_user(self) -> None:
        group, nobody = 64321, 65534
        self.folder.chmod(0o755)
        ipc = self.folder / "shared"
        camctl = program_for_all("camctl", self.folder)

        def status(*groups: int) -> "subprocess.CompletedProcess[str]":
            return subprocess.run(
                [camctl, "status", "--node", f"ipc://{ipc}/control", "--json"], capture_output=True, text=True,
                timeout=PATIENCE, user=nobody, group=nobody, extra_groups=groups)

        with Node("cam=synthetic:320x240@30", options=["--ipc", ipc, "--group", str(group)]):
            self.assertEqual(json.loads(status(group).stdout)["access"]["role"], "operator")
            # The system lets it in now, and the node does not.
            for path in (ipc, *ipc.iterdir()):
                path.chmod(0o777)
            self.assertIn("does not let this user in", status().stderr)

    def test_what_encryption_adds_to_a_part(self) -> None:
        """Of which the bound of what a client receives is made."""
        self.assertEqual(ENCRYPTION, len(b"\x07MESSAGE") + 8 + 16 + 1)


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("ip"), "only root makes network namespaces")
class TwoMachines(unittest.TestCase):
    """The four commands of the README, between two network namespaces."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.node_machine, self.laptop = (f"camerabus-{os.getpid()}-{name}" for name in ("node", "laptop"))
        for name in (self.node_machine, self.laptop):
            self.ip("netns", "add", name)
            self.addCleanup(self.ip, "netns", "delete", name)
        self.ip("link", "add", "camerabus0", "netns", self.node_machine, "type", "veth",
                "peer", "name", "camerabus0", "netns", self.laptop)
        for name, address in ((self.node_machine, "10.77.0.1/24"), (self.laptop, "10.77.0.2/24")):
            self.ip("-n", name, "address", "add", address, "dev", "camerabus0")
            for other in (f"fd77::{address[8]}/64", f"fe80::77:{address[8]}/64"):
                self.ip("-n", name, "address", "add", other, "dev", "camerabus0", "nodad")
            for link in ("camerabus0", "lo"):
                self.ip("-n", name, "link", "set", link, "up")

    def ip(self, *arguments: str) -> None:
        subprocess.run(["ip", *arguments], check=True, timeout=PATIENCE)

    def on(self, machine: str, *command: object) -> list[str]:
        home = self.folder / machine
        home.mkdir(exist_ok=True)
        hosts = self.folder / "hosts"
        hosts.write_text("127.0.0.1 localhost\n10.77.0.1 camera\nfd77::1 camera\n")
        named = ["unshare", "--mount", "bash", "-c", 'mount --bind "$0" /etc/hosts && exec "$@"', str(hosts)]
        return ["ip", "netns", "exec", machine, *named, "env", "-u", "XDG_CONFIG_HOME", "-u", "XDG_DATA_HOME", "-u", "CAMERABUS_NODE",
                f"HOME={home}", *(str(word) for word in command)]

    def run_on(self, machine: str, *command: object, line: str = "") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(self.on(machine, *command), input=line, capture_output=True, text=True, timeout=PATIENCE)

    def test_four_commands_lead_to_a_photo(self) -> None:
        self.lead_to_a_photo("10.77.0.1")

    def test_addresses_of_ipv6(self) -> None:
        self.lead_to_a_photo("[fd77::1]", "--control", "tcp://[fd77::1]:5570")

    def test_addresses_of_a_link(self) -> None:
        self.lead_to_a_photo("[fe80::77:1%camerabus0]", "--control", "tcp://[fe80::77:1%camerabus0]:5570")

    def test_every_address(self) -> None:
        for host in ("10.77.0.1", "[fd77::1]"):
            with self.subTest(host):
                self.lead_to_a_photo("[::]", "--control", f"tcp://{host}:5570")

    def test_a_name_of_both_families_reaches_either(self) -> None:
        for host in ("10.77.0.1", "[fd77::1]"):
            with self.subTest(host):
                self.lead_to_a_photo(host, "--control", "tcp://camera:5570")

    def lead_to_a_photo(self, host: str, *reached: str) -> None:
        camctl, camerad = program("camctl").resolve(), program("camerad").resolve()
        for machine in (self.node_machine, self.laptop):
            shutil.rmtree(self.folder / machine, ignore_errors=True)
        endpoints = [word for name, port in (("control", 5570), ("events", 5571), ("frames", 5572))
                     for word in (f"--{name}", f"tcp://{host}:{port}")]
        start = ["--camera", "front=synthetic:640x480@30", *endpoints]
        refused = self.run_on(self.node_machine, camerad, *start)
        self.assertEqual(refused.returncode, 64, refused.stderr)
        self.assertIn("camctl keys invite", refused.stderr)

        invited = self.run_on(self.node_machine, camctl, "keys", "invite", "laptop", *reached)
        self.assertEqual(invited.returncode, 0, invited.stderr)
        node = subprocess.Popen(self.on(self.node_machine, camerad, *start), stdout=subprocess.PIPE, text=True)
        try:
            self.assertIn("ready", present(node.stdout).readline())
            here = "10.77.0.1" if host == "[::]" else host
            owner = self.run_on(self.node_machine, camctl, "status", "--node", f"tcp://{here}:5570", "--json")
            self.assertEqual(json.loads(owner.stdout)["access"]["role"], "controller", owner.stderr)
            stranger = self.run_on(self.laptop, camctl, "status", "--node", f"tcp://{here}:5570")
            self.assertEqual(stranger.returncode, 77, stranger.stderr)
            added = self.run_on(self.laptop, camctl, "nodes", "add", "desk", line=invited.stdout)
            self.assertEqual(added.returncode, 0, added.stderr)
            photo = self.folder / "still.jpg"
            taken = self.run_on(self.laptop, camctl, "capture", "--node", "desk", "--output", photo, "--overwrite")
            self.assertEqual(taken.returncode, 0, taken.stderr)
            self.assertEqual(photo.read_bytes()[:2], b"\xff\xd8")
            watched = self.run_on(self.laptop, camctl, "watch", "--node", "desk", "--count", "3", "--json")
            self.assertEqual(watched.returncode, 0, watched.stderr)
            program_of_python = "\n".join((
                "from camerabus import CameraBus, PhotoSettings",
                "with CameraBus(node='desk') as bus, bus.frames() as frames, bus.events() as events:",
                "    photo = bus.capture(settings=PhotoSettings(keep=False))",
                "    print(photo.data[:2] == next(iter(frames)).data[:2], next(iter(events)) is not None)"))
            seen = self.run_on(self.laptop, sys.executable, "-c", program_of_python)
            self.assertEqual(seen.stdout, "True True\n", seen.stderr)
        finally:
            node.terminate()
            node.wait(PATIENCE)
            present(node.stdout).close()
