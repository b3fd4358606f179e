"""What `camctl` does and shows, on a terminal and without one."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
from pathlib import Path
from typing import Any, Callable, Mapping

import zmq

from camerabus import CameraBus, CameraBusError, Monitor, Published, messages
from expecting import present
from fake import FakeNode, Replies
from node import PATIENCE, Node, program, program_for_all
from terminal import Screen, Terminal

CAMERA = "left=synthetic:320x240@30,format=MJPG"


def camctl(
        node: Node | FakeNode, *arguments: object,
        environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """Runs camctl without a terminal."""
    variables = {**os.environ, "CAMERABUS_NODE": node.control, **(environment or {})}
    return subprocess.run(
        [program("camctl"), *map(str, arguments)], env=variables, capture_output=True, timeout=PATIENCE, check=False)


def capture_event(monitor: Monitor) -> messages.CaptureEvent:
    """The next event of a photo."""
    while True:
        notice = present(monitor.next(PATIENCE))
        if isinstance(notice, Published) and notice.event.HasField("capture"):
            return notice.event.capture


class Intervals(unittest.TestCase):
    """`camctl capture --interval`."""

    def test_photos_have_their_planned_moments_and_the_series_outlives_trouble(self) -> None:
        with Node(CAMERA) as node, tempfile.TemporaryDirectory() as folder:
            command = [str(program("camctl")), "capture", "--interval", "300ms", "--count", "8", "--json", "-o", folder,
                       "--node", node.control]
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as series:
                output = present(series.stdout)
                shots = [json.loads(output.readline()) for _ in range(2)]
                camctl(node, "controls", "set", "disconnect=true")
                while "missed" not in shots[-1]:
                    shots.append(json.loads(output.readline()))
                camctl(node, "controls", "set", "disconnect=false")
                shots += map(json.loads, output)
                self.assertEqual(series.wait(PATIENCE), 1)
                self.assertIn("of 8 photos could not be taken", present(series.stderr).read())
            self.assertEqual(len(shots), 8)
            self.assertNotIn("missed", shots[-1])
            start = shots[0]["resolved"]["timestamp"]["monotonicNanoseconds"]
            for number, shot in enumerate(shots[1:], 1):
                if "missed" in shot:
                    self.assertIn(shot["missed"]["code"], ("deviceNotFound", "interrupted"))
                    self.assertEqual((shot["number"], shot["monotonicNanoseconds"]), (number + 1, start + number * 300_000_000))
                    continue
                resolved = shot["resolved"]
                moment = resolved["timestamp"]["monotonicNanoseconds"] - resolved["offsetNanoseconds"]
                self.assertEqual(moment, start + number * 300_000_000)
            self.assertEqual(len(list(Path(folder).iterdir())), sum("missed" not in shot for shot in shots))

    def test_mistakes(self) -> None:
        with Node(CAMERA) as node:
            for options, remedy in (
                    (("--interval", "1s"), b"--count"), (("--interval", "0s", "--count", "2"), b"5s"),
                    (("--interval", "1us", "--count", "2"), b"1ms"),
                    (("--interval", "1s", "--count", "2", "--size", "max"), b"leave --size and --flash out")):
                with self.subTest(options=options):
                    wrong = camctl(node, "capture", *options)
                    self.assertEqual(wrong.returncode, 64)
                    self.assertIn(remedy, wrong.stderr)


class LiveLines(unittest.TestCase):
    def test_the_line_of_watch_fits_the_terminal_and_follows_its_size(self) -> None:
        with Node(CAMERA) as node, Terminal(node, "watch", columns=60) as terminal:
            end = terminal.wait(r"frames, .*\r.*frames, .*\r")
            terminal.resize(24)
            end = terminal.wait(r"\r.*\r.*\r", end)
            narrow = len(terminal.text)
            terminal.wait(r"\x1b\[2K.*frames.*\x1b\[2K", narrow)
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            self.assertLess(max(map(Screen.width, terminal.screen.drawn)), 60)
            after = terminal.text[narrow:].split("\x1b[2K", 1)[1]
            self.assertLess(max(map(Screen.width, Screen(after).drawn)), 24)

    def test_the_line_is_drawn_again_when_the_size_changes_while_no_frames_come(self) -> None:
        with Node(CAMERA) as node, Terminal(node, "watch", columns=60) as terminal:
            terminal.wait("frames, ")
            camctl(node, "controls", "set", "disconnect=true")
            end = terminal.wait(r"\x1b\[2Kno frames: left is interrupted")
            terminal.resize(20)
            end = terminal.wait(r"\x1b\[2Kno frames: left", end)
            terminal.interrupt()
            terminal.wait(r"\x1b\[2K", end)
            self.assertLessEqual(Screen.width(Screen(terminal.text).drawn[-1]), 20)

    def test_wide_characters_count_twice(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            missing = f"{folder}/{'写真' * 20}"
            with Node(f"left=files:{missing}", options=["--keep-trying"]) as node:
                with Terminal(node, "watch", columns=100) as terminal:
                    terminal.wait(r"\x1b\[2Kno frames: ")
                    terminal.resize(60)
                    terminal.interrupt()
                    terminal.finish()
                    drawn = [line for line in terminal.screen.drawn if "写" in line]
                    self.assertTrue(drawn)
                    self.assertLess(max(map(Screen.width, drawn)), 100)

    def test_the_bar_of_record_fits_the_terminal_and_the_summary_stays(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(CAMERA) as node:
            movie = Path(folder) / "movie.mkv"
            with Terminal(node, "record", "--duration", "1h", "-o", movie, columns=40) as terminal:
                terminal.wait(r"1\.\d s of ")
                terminal.interrupt()
                self.assertEqual(terminal.finish(), 130)
                self.assertLess(max(map(Screen.width, terminal.screen.drawn)), 40)
                summary = " ".join("".join(terminal.screen.lines).split())
                self.assertIn("ended: stopped", summary)
                self.assertGreater(movie.stat().st_size, 0)

    def test_a_terminal_without_escape_sequences_gets_no_live_line(self) -> None:
        with Node(CAMERA) as node:
            with Terminal(node, "watch", "--count", 10, environment={"TERM": "dumb"}) as terminal:
                self.assertEqual(terminal.finish(), 0)
                self.assertNotIn("\x1b", terminal.text)


class Stops(unittest.TestCase):
    """Frames stop, and camctl says why."""

    def watch(self, stop: Callable[[Node], object], note: str, summary: str) -> None:
        with Node(CAMERA) as node, Terminal(node, "watch", columns=200) as terminal:
            terminal.wait("frames, ")
            stop(node)
            terminal.wait(f"camctl: no frames: {note}")
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            lines = "\n".join(terminal.screen.lines)
            self.assertRegex(lines, r"left preview: \d+ frames in ")
            self.assertIn(summary, lines)

    def test_an_unplugged_camera(self) -> None:
        self.watch(
            lambda node: camctl(node, "controls", "set", "disconnect=true"), r"left is interrupted \(device disconnected\)",
            "no frames at the end: left is interrupted")

    def test_a_stopped_session(self) -> None:
        self.watch(lambda node: camctl(node, "session", "stop"), "left is stopped: if the node still runs, camctl session start", "is stopped")

    def test_a_stream_that_is_switched_off(self) -> None:
        self.watch(
            lambda node: camctl(node, "configure", "--stream", "preview=off"), "left, preview: the stream is switched off",
            "no frames at the end: left, preview")

    def test_a_node_that_is_gone(self) -> None:
        self.watch(Node.kill_for_good, "nothing is heard of the node", "lost by the camera unknown")

    def test_frames_that_come_again_are_told(self) -> None:
        with Node(CAMERA) as node, Terminal(node, "watch", columns=200) as terminal:
            terminal.wait("frames, ")
            camctl(node, "session", "stop")
            end = terminal.wait("camctl: no frames: ")
            camctl(node, "session", "start")
            terminal.wait(r"camctl: left sends frames again[^$]*\d+ frames, ", end)

    def test_a_movie_that_another_client_stops_is_fetched_and_the_status_is_1(self) -> None:
        with Node(CAMERA) as node, tempfile.TemporaryDirectory() as folder:
            with Terminal(node, "record", "--duration", "1h", "-o", f"{folder}/movie.mkv", columns=200) as terminal:
                terminal.wait("1 s of ")
                self.assertEqual(camctl(node, "configure", "--rotate", "90", "--end-recording").returncode, 0)
                self.assertEqual(terminal.finish(), 1, terminal.text)
                self.assertIn("the movie ended before its time, and is whole up to there: another client or a new configuration stopped it", terminal.text)

    def test_a_movie_that_ends_before_its_time_is_fetched_and_the_status_is_1(self) -> None:
        with Node(CAMERA) as node, tempfile.TemporaryDirectory() as folder:
            with Terminal(node, "record", "--duration", "1h", "-o", f"{folder}/movie.mkv", columns=200) as terminal:
                terminal.wait("1 s of ")
                camctl(node, "controls", "set", "disconnect=true")
                self.assertEqual(terminal.finish(), 1, terminal.text)
                self.assertRegex(terminal.text, "frames, .*ended: camera lost")
                self.assertIn("the movie ended before its time, and is whole up to there: camera lost", terminal.text)
            self.assertTrue(Path(folder, "movie.mkv").stat().st_size > 0)

    def test_record_tells_that_the_node_is_gone_and_ctrl_c_ends_it(self) -> None:
        with Node(CAMERA) as node, Terminal(node, "record", "--duration", "1h", columns=200) as terminal:
            terminal.wait("1 s of ")
            node.kill_for_good()
            terminal.wait("camctl: no frames: nothing is heard of the node")
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            self.assertIn("the node keeps what there is of it", terminal.text)


class Signals(unittest.TestCase):
    """Ctrl-C ends every verb with 130, SIGTERM with 143, SIGHUP with 129."""

    LONG = [
        (("watch",), "frames, "),
        (("events",), "ready"),
        (("status", "--watch"), "running"),
        (("record", "--duration", "1h"), "s of "),
        (("capture", "--when", "at:+9s", "--verbose"), "the node's only camera"),
    ]

    def test_verbs_that_wait(self) -> None:
        for arguments, beginning in self.LONG:
            for end, status in [(Terminal.interrupt, 130), (Terminal.terminate, 143), (Terminal.hang_up, 129)]:
                with self.subTest(arguments=arguments, status=status), tempfile.TemporaryDirectory() as folder:
                    output = ["-o", folder] if arguments[0] in ("record", "capture") else []
                    with Node(CAMERA) as node, Terminal(node, *arguments, *output) as terminal:
                        terminal.wait(beginning)
                        end(terminal)
                        self.assertEqual(terminal.finish(), status, terminal.text)

    def test_a_photo_is_cancelled_at_the_node_when_the_terminal_closes(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(CAMERA) as node, CameraBus(node.control) as bus:
            with bus.events() as monitor:
                monitor.next(PATIENCE)
                command = ["capture", "--when", "at:+1h", "--verbose", "-o", folder]
                with Terminal(node, *command) as terminal:
                    terminal.wait("the node's only camera")
                    self.assertTrue(capture_event(monitor).HasField("progress"))
                    self.assertEqual(terminal.disconnect(), 129)
                self.assertEqual(capture_event(monitor).failed.code, messages.ERROR_CODE_CANCELLED)

    def test_under_nohup_the_end_of_the_terminal_ends_nothing(self) -> None:
        with Node(CAMERA) as node:
            with subprocess.Popen(
                    ["nohup", program("camctl"), "watch", "--count", "30", "--json", "--frames"], stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL, env={**os.environ, "CAMERABUS_NODE": node.control}) as watch:
                present(watch.stdout).readline()
                watch.send_signal(signal.SIGHUP)
                present(watch.stdout).read()
                self.assertEqual(watch.wait(PATIENCE), 0)

    def test_verbs_that_wait_for_a_node_which_does_not_answer(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as silent:
            endpoint = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
            for verb in ["status", "cameras", "devices", "formats", "capabilities", "calibration", "clock", "controls", "session start", "record stop", "assets"]:
                with self.subTest(verb=verb), Terminal(endpoint, *verb.split(), "--verbose") as terminal:
                    terminal.wait("the node is at")
                    terminal.interrupt()
                    self.assertEqual(terminal.finish(), 130, terminal.text)
                    self.assertIn("camctl: interrupted", terminal.text)

    def test_a_second_ctrl_c_ends_what_the_first_one_waits_for(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(CAMERA) as node:
            with Terminal(node, "record", "--duration", "1h", "-o", folder) as terminal:
                terminal.wait("s of ")
                node.pause()
                terminal.interrupt()
                terminal.interrupt()
                self.assertEqual(terminal.finish(), 130)
                node.resume()


class Stopped(unittest.TestCase):
    """camctl is stopped, as by Ctrl-Z, for longer than it waits for an answer."""

    def test_the_answer_that_came_meanwhile_counts(self) -> None:
        for number in range(5):  # it is a race between camctl's threads
            with self.subTest(number), FakeNode() as node:
                with subprocess.Popen(
                        [program("camctl"), "formats", "--timeout", "1s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                        env={**os.environ, "CAMERABUS_NODE": node.control}) as process:

                    def stop(request: messages.Request) -> Replies:
                        process.send_signal(signal.SIGSTOP)
                        os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOWAIT)
                        return [{"formats": messages.FormatsReply()}]

                    node.answers["formats"] = stop
                    node.await_requests("formats", 1)
                    time.sleep(2)
                    process.send_signal(signal.SIGCONT)
                    _, errors = process.communicate(timeout=PATIENCE)
                    self.assertEqual(process.returncode, 0, errors)


class Looks(unittest.TestCase):
    """Every verb on a narrow terminal, in ASCII, and in colours."""

    VERBS = [
        "status", "cameras", "devices", "formats", "capabilities", "controls", "controls get brightness", "controls set brightness=100 zoom=2", "controls reset",
        "session suspend --reason cleaning", "session resume", "session stop", "session start", "watch --count 5", "events --history --count 1", "capture -o {folder}",
        "record --duration 0.2 -o {folder}", "assets", "download --latest -o {folder}", "completion bash", "help", "help json", "help capture"]

    def test_no_line_is_wider_than_40_columns_unless_it_is_one_word(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(CAMERA) as node:
            for verb in self.VERBS:
                # These print what is to be stored, or what has a layout of its own.
                if verb.startswith(("completion", "help json")):
                    continue
                arguments = verb.format(folder=folder).split()
                with self.subTest(verb=verb), Terminal(node, *arguments, columns=40) as terminal:
                    self.assertEqual(terminal.finish(), 0, terminal.text)
                    for line in terminal.screen.lines:
                        words = line.split()
                        if Screen.width(line) > 40 and len(words) > 1:
                            # A long word may stand behind its heading.
                            self.assertTrue(len(words) == 2 and words[0].isupper(), line)

    def test_output_is_plain_ascii_where_the_locale_has_no_more(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pictures = Path(folder) / "Фото–写真"
            pictures.mkdir()
            with Node(CAMERA) as node:
                camctl(node, "capture", "-o", pictures / "a.jpg")
            with Node(f"left=files:{pictures}") as node:
                for environment in [{"LC_ALL": "C"}, {"LC_ALL": "", "LC_CTYPE": "POSIX"}]:
                    for verb in [*self.VERBS, "cameras --json", "capture --when past:99h", "status --camera ö"]:
                        if verb.startswith("controls "):
                            continue  # a camera of files has no controls
                        with self.subTest(verb=verb, environment=environment):
                            result = camctl(node, *verb.format(folder=folder).split(), environment=environment)
                            output = result.stdout + result.stderr
                            self.assertTrue(output.isascii(), output)
                result = camctl(node, "cameras", environment={"LC_ALL": "C.UTF-8"})
                self.assertIn("写真", result.stdout.decode())

    def test_control_characters_of_a_name_do_not_reach_the_terminal(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pictures = Path(folder) / "red\x1b[31m\abell\x7f\x9b\u202e"
            pictures.mkdir()
            with Node(CAMERA) as node:
                camctl(node, "capture", "-o", pictures / "a.jpg")
            with Node(f"left=files:{pictures}") as node:
                output = camctl(node, "cameras", environment={"LC_ALL": "C.UTF-8"}).stdout.decode()
                self.assertIn("red?[31m?bell???", output)
                self.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", output), output)
                report = camctl(node, "cameras", "--json", environment={"LC_ALL": "C.UTF-8"}).stdout.decode()
                self.assertFalse(re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", report), report)
                self.assertIn(pictures.name, json.loads(report)["device"]["identity"])

    def test_colours_are_for_terminals_that_have_them(self) -> None:
        with Node(CAMERA) as node:
            for arguments, environment, are_wanted in [
                    (["status"], {}, True), (["status"], {"NO_COLOR": "1"}, False), (["status"], {"NO_COLOR": ""}, True),
                    (["status"], {"TERM": "dumb"}, False), (["status", "--json"], {}, False)]:
                with self.subTest(arguments=arguments, environment=environment):
                    with Terminal(node, *arguments, environment=environment) as terminal:
                        self.assertEqual(terminal.finish(), 0)
                        self.assertEqual("\x1b[32mrunning" in terminal.text, are_wanted, terminal.text)
                        self.assertEqual("\x1b" in terminal.text, are_wanted)
            plain = camctl(node, "status").stdout.decode()
            self.assertNotIn("\x1b", plain)
            self.assertRegex(plain, rf"\nlibrary {node.folder}/library, [0-9.]+ [MGT]iB free\n")

    def test_quiet_prints_results_only_and_verbose_says_more(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(CAMERA) as node:
            path = f"{folder}/a.jpg"
            quiet = camctl(node, "-q", "capture", "-o", path)
            self.assertEqual((quiet.stdout.decode(), quiet.stderr), (f"{path}\n", b""))
            verbose = camctl(node, "capture", "-o", path, "--overwrite", "-v")
            self.assertRegex(verbose.stderr.decode(), r"camctl: request [0-9a-f]{32}, SHA-256 [0-9a-f]{64}\n")
            failure = camctl(node, "--verbose", "capture", "--camera", "front").stderr.decode()
            self.assertIn("camctl: code: no such camera\n", failure)
            both = camctl(node, "status", "-q", "-v")
            self.assertEqual(both.returncode, 64)
            with Terminal(node, "-q", "watch", "--count", 5) as terminal:
                self.assertEqual(terminal.finish(), 0)
                self.assertEqual(terminal.screen.drawn, [])


class Sockets(unittest.TestCase):
    """The files of ipc endpoints."""

    def test_they_are_there_while_the_node_runs_and_no_longer(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for end in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL, signal.SIGTERM]:
                with self.subTest(end=end), Node(CAMERA, options=["--ipc", folder]) as node:
                    self.assertEqual(sorted(os.listdir(folder)), ["control", "events", "frames"])
                    self.assertIn(b"running", camctl(node, "status", "--node", f"ipc://{folder}/control").stdout)
                    node.end(end)
                # A killed node leaves them; the next one takes their place.
                self.assertEqual(os.listdir(folder) == [], end != signal.SIGKILL)

    def test_a_file_that_is_no_socket_is_kept(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            notes = Path(folder) / "frames"
            notes.write_text("mine")
            result = subprocess.run(
                [program("camerad"), "--camera", CAMERA, "--control", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*",
                 "--frames", "tcp://127.0.0.1:*", "--library", f"{folder}/library", "--ipc", folder],
                capture_output=True, timeout=PATIENCE, check=False, text=True)
            self.assertEqual(result.returncode, 1)
            self.assertIn("not a socket", result.stderr)
            self.assertEqual(notes.read_text(), "mine")
            self.assertEqual(sorted(os.listdir(folder)), ["frames", "library"])


    @unittest.skipUnless(os.geteuid() == 0, "only root may become another user")
    def test_another_users_socket_is_not_an_absent_node(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(CAMERA, options=["--ipc", folder]) as node:
            os.chmod(folder, 0o711)
            os.chmod(f"{folder}/control", 0o600)
            self.assertIn(b"running", camctl(node, "status", "--node", f"ipc://{folder}/control").stdout)
            other = subprocess.run(
                [program_for_all("camctl", Path(folder)), "status", "--timeout", "1s", "--node", f"ipc://{folder}/control"],
                capture_output=True, timeout=PATIENCE, check=False, text=True, user=65534, group=65534, extra_groups=[])
            self.assertIn("this user may not use the socket", other.stderr)


class Troubles(unittest.TestCase):
    """What the log says at its usual level."""

    def test_a_lost_camera_a_movie_that_ended_by_it_and_the_camera_that_is_back(self) -> None:
        with Node(CAMERA) as node:
            camctl(node, "record", "start")
            camctl(node, "controls", "set", "disconnect_for=300")
            with subprocess.Popen(
                    [program("camctl"), "status", "--watch", "--json", "--node", node.control], stdout=subprocess.PIPE) as watch:
                while json.loads(present(watch.stdout).readline())["cameras"][0]["state"] != "running":
                    pass
                watch.terminate()
            log = node.errors()
            for line in [r"camera left: interrupted", r"camera left: the movie left/\S+ ended: the camera was lost",
                         r"camera left: running"]:
                self.assertRegex(log, line)


class Controls(unittest.TestCase):
    """`controls` reset, save and load."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.node = self.enterContext(Node(CAMERA))

    def set(self, *settings: str) -> None:
        self.assertEqual(camctl(self.node, "controls", "set", *settings).returncode, 0)

    def get(self, *names: str) -> list[str]:
        return camctl(self.node, "controls", "get", *names).stdout.decode().splitlines()

    def test_saved_values_come_back(self) -> None:
        path = self.folder / "controls"
        self.set("brightness=100", "auto_exposure=Manual Mode")
        self.set("exposure_time_absolute=77", "test_pattern=Grey Ramp")
        values = self.get("brightness", "auto_exposure", "exposure_time_absolute", "test_pattern")
        saved = camctl(self.node, "controls", "save", path)
        self.assertEqual(saved.returncode, 0, saved.stderr)
        # The exposure time is inactive after this, until the file has switched the automatic off.
        self.set("brightness=1", "exposure_time_absolute=5", "test_pattern=0")
        self.set("auto_exposure=Auto Mode")
        automatic = camctl(self.node, "controls", "save", "-").stdout
        self.assertIn(b"auto_exposure", automatic)
        self.assertNotIn(b"exposure_time_absolute", automatic)
        loaded = camctl(self.node, "controls", "load", path)
        self.assertEqual((loaded.returncode, loaded.stderr), (0, b""))
        self.assertEqual(self.get("brightness", "auto_exposure", "exposure_time_absolute", "test_pattern"), values)
        again = camctl(self.node, "controls", "save", path)
        self.assertEqual(again.returncode, 1)
        self.assertIn(b"--overwrite", again.stderr)
        self.assertEqual(camctl(self.node, "controls", "save", path, "--overwrite").returncode, 0)
        # The standard streams, and the other form of the file.
        piped = camctl(self.node, "controls", "save", "-").stdout
        self.assertEqual(piped, path.read_bytes())
        path.write_bytes(camctl(self.node, "controls", "--json").stdout)
        self.assertEqual(camctl(self.node, "controls", "load", path).returncode, 0)

    def test_a_point_of_interest_is_that_of_the_picture_in_which_it_is_seen(self) -> None:
        self.set("region_of_interest_rectangle=0,0,384,216", "region_of_interest_auto_ctrls=1")
        self.assertEqual(self.get("point_of_interest"), ["point_of_interest=0.05,0.05"])
        turned = camctl(self.node, "configure", "--preview-rotate", "90", "--rotate", "180", "--set", "zoom=2")
        self.assertEqual(turned.returncode, 0, turned.stderr)
        for seen_in, point in ((["--seen-in", "preview"], "0.35,0.6"), (["--seen-in", "photo"], "0.6,0.65"), ([], "0.3,0.2")):
            with self.subTest(seen_in=seen_in):
                answer = camctl(self.node, "controls", "set", "point_of_interest=30%,0.2", *seen_in)
                self.assertEqual((answer.returncode, answer.stdout.decode()), (0, f"point_of_interest={point}\n"))
        for wrong, words in (("0.3", b"two numbers from 0 to 1"), ("0,0,0", b"two numbers"), ("2,0", b"two numbers")):
            with self.subTest(wrong=wrong):
                answer = camctl(self.node, "controls", "set", f"point_of_interest={wrong}")
                self.assertNotEqual(answer.returncode, 0)
                self.assertIn(words, answer.stderr)
        self.assertIn(b"give point_of_interest", camctl(self.node, "controls", "set", "zoom=1", "--seen-in", "photo").stderr)
        region = camctl(self.node, "controls", "reset", "region_of_interest_rectangle")
        self.assertIn(b"region_of_interest_rectangle was not set", region.stderr)
        self.assertEqual(camctl(self.node, "controls", "reset").returncode, 0)
        self.assertEqual(self.get("region_of_interest_rectangle"), ["region_of_interest_rectangle=0,0,3840,2160"])
        self.assertEqual(camctl(self.node, "controls", "set", "point_of_interest=30%,0.2").returncode, 0)
        self.assertEqual(camctl(self.node, "controls", "reset", "point_of_interest").returncode, 0)
        self.assertEqual(self.get("point_of_interest", "region_of_interest_auto_ctrls"),
                         ["point_of_interest=0.5,0.5", "region_of_interest_auto_ctrls=0"])

    def test_what_is_not_loaded_is_named(self) -> None:
        path = self.folder / "controls"
        path.write_text(
            '# by hand\n{"id":"test_pattern","value":"Grey Ramp"}\n\n{"id":"gain","value":200}\n{"id":"warp","value":9}\n')
        loaded = camctl(self.node, "controls", "load", path)
        self.assertEqual((loaded.returncode, loaded.stdout), (1, b"test_pattern=Grey Ramp\n"))
        self.assertIn(b"2 of 3 controls were not set: gain (it is inactive", loaded.stderr)
        self.assertIn(b"warp (the camera has no such control)", loaded.stderr)
        self.assertEqual(len(loaded.stderr.splitlines()), 1)
        quiet = camctl(self.node, "-q", "controls", "load", path)
        self.assertEqual((quiet.returncode, quiet.stderr), (1, loaded.stderr))
        report = camctl(self.node, "controls", "load", path, "--json").stdout.decode().splitlines()
        self.assertEqual([json.loads(line)["id"] for line in report], ["test_pattern", "gain", "warp"])
        path.write_text('{"id":"brightness","value":3}\n{"id":"contrast","value":900}\n')
        self.assertEqual(camctl(self.node, "controls", "load", path).returncode, 1)
        self.assertEqual(self.get("brightness"), ["brightness=128"])
        path.write_text("brightness=3\n")
        wrong = camctl(self.node, "controls", "load", path)
        self.assertEqual(wrong.returncode, 1)
        self.assertIn(f"line 1 of {path}", wrong.stderr.decode())

    def test_reset_gives_every_control_its_default(self) -> None:
        self.set("brightness=3", "auto_exposure=Manual Mode")
        self.set("exposure_time_absolute=77")
        reset = camctl(self.node, "controls", "reset", "brightness")
        self.assertEqual(reset.stdout, b"brightness=128\n")
        self.assertEqual(self.get("exposure_time_absolute"), ["exposure_time_absolute=77"])
        self.set("auto_exposure=Auto Mode")
        for quiet in [[], ["-q"]]:
            named = camctl(self.node, "controls", "reset", "contrast", "gain", *quiet)
            self.assertEqual((named.returncode, named.stdout), (1, b"contrast=128\n"))
            self.assertRegex(named.stderr.decode(), "^camctl: gain was not set: it is inactive[^\n]*\n$")
        self.set("auto_exposure=Manual Mode")
        self.assertEqual(camctl(self.node, "controls", "reset").returncode, 0)
        for line in camctl(self.node, "controls", "--json").stdout.decode().splitlines():
            control = json.loads(line)
            if control["kind"] in ("integer", "menu", "boolean") and not control["isReadOnly"] and not control["isInactive"]:
                with self.subTest(control=control["id"]):
                    self.assertEqual(int(control["value"]), control["defaultValue"])


    def test_a_button_has_no_value(self) -> None:
        pressed = camctl(self.node, "controls", "set", "inject_streamon_error")
        self.assertEqual((pressed.returncode, pressed.stdout), (0, b"inject_streamon_error\n"))

    def test_the_help_of_the_node_names_the_controls_that_cause_faults(self) -> None:
        words = subprocess.run([program("camerad"), "--help"], capture_output=True, check=True, text=True).stdout
        names = [json.loads(line)["id"] for line in camctl(self.node, "controls", "--json").stdout.splitlines()]
        for name in names:
            if name.startswith(("inject_", "disconnect")):
                self.assertIn(f"  {name}", words)
        for line in camctl(self.node, "formats", "--json").stdout.splitlines():
            self.assertIn(json.loads(line)["pixelFormat"], words)


class Words(unittest.TestCase):
    """What the programs say."""

    def test_a_movie_of_one_frame_has_its_number_of_frames(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node("slow=synthetic:320x240@2,format=MJPG") as node:
            recorded = camctl(node, "record", "--duration", "0.1s", "-o", folder)
            self.assertIn(b": 1 frame, ", recorded.stdout)
            [_, row] = camctl(node, "assets").stdout.decode().splitlines()
            self.assertRegex(row, r" 320x240 +1 ")

    def test_refused_requests_are_counted_in_true_words(self) -> None:
        with FakeNode() as node:
            status = node.status()
            status.malformed_requests = 1
            node.answers["status"] = lambda request: [{"status": status}]
            self.assertIn(
                b"since its start: 1 request refused as unreadable or for a value that is not allowed\n",
                camctl(node, "status").stdout)

    def test_a_thread_that_hung_is_named(self) -> None:
        with FakeNode() as node:
            status = node.status()
            status.loops.add(name="control", longest_turn_ns=3_500_000_000)
            status.loops.add(name="frames", longest_turn_ns=999_999_999)
            node.answers["status"] = lambda request: [{"status": status}]
            words = camctl(node, "status").stdout
            self.assertIn(b"since its start: the thread control hung for 3.5 s\n", words)

    def test_no_help_has_a_stray_backslash_or_a_double_space(self) -> None:
        def check(text: str) -> None:
            self.assertNotIn("\\", text)
            for line in text.splitlines():
                if not line.startswith(" "):
                    self.assertNotIn("  ", line)

        def visit(command: dict[str, Any]) -> None:
            with self.subTest(command=command["commandName"]):
                for key in ["abstract", "discussion"]:
                    check(command.get(key) or "")
                for argument in command.get("arguments", []):
                    check(argument.get("abstract") or "")
            for verb in command.get("subcommands", []):
                visit(verb)

        for name in ["camctl", "camerad"]:
            dump = subprocess.run([program(name), "--experimental-dump-help"], capture_output=True, check=True)
            visit(json.loads(dump.stdout)["command"])

    def test_every_duration_says_its_forms(self) -> None:
        for verb in ["status", "record run", "capture"]:
            words = " ".join(subprocess.run(
                [program("camctl"), "help", *verb.split()], capture_output=True, check=True, text=True).stdout.split())
            self.assertIn("without a unit, seconds", words)


class HostileNode(unittest.TestCase):
    """Words of a node land in the command line of a shell."""

    BAD = ["$(touch x)", "`id`", "a;b", "a|b", "a&b", "a>b", "a<b", "it's", 'say "x"', "a\\b", "a*", "a?b", "[a]", "{a,b}",
           # The last two have a meaning at the beginning of a word only.
           "!x", "~root", "#a", "a\tb", "a\nb", "\x1b[31m", "\x9b31m", "a\u202eb", "--node=tcp://evil:1", "=ls"]

    def complete(self, node: FakeNode, verbs: list[str], argument: str, *line: str) -> list[str]:
        words = ["camctl", *verbs, *line]
        result = subprocess.run(
            [program("camctl"), "---completion", *verbs, "--", argument, str(len(words) - 1), str(len(words[-1])), *words],
            env={**os.environ, "CAMERABUS_NODE": node.control, "SAP_SHELL": "bash"}, capture_output=True,
            timeout=PATIENCE, check=False, text=True)
        return [word for word in result.stdout.split("\n") if word.strip()]

    def test_no_word_with_a_meaning_for_a_shell_is_offered(self) -> None:
        names = ["good", *self.BAD]
        with FakeNode() as node:
            cameras = [messages.CameraStatus(name=name) for name in names]
            node.answers["status"] = lambda request: [{"status": messages.StatusReply(
                node_name="fake", events_endpoint=node.events, cameras=cameras)}]
            controls = [messages.Control(id=name, kind=messages.CONTROL_KIND_INTEGER) for name in names]
            controls.append(messages.Control(
                id="pattern", kind=messages.CONTROL_KIND_MENU,
                menu=[messages.Control.MenuItem(index=index, name=name) for index, name in enumerate(names[:-2])]))
            node.answers["controls_list"] = lambda request: [{"controls": messages.ControlsReply(controls=controls)}]
            self.assertEqual(self.complete(node, ["status"], "--camera", "--camera", ""), ["good"])
            self.assertEqual(
                self.complete(node, ["controls", "get"], "positional@0", "--camera", "good", ""), ["good", "pattern"])
            self.assertEqual(
                self.complete(node, ["controls", "set"], "positional@0", "--camera", "good", "pattern="), ["pattern=good"])


class NamesOfBytes(unittest.TestCase):
    """Paths that are no text: Swift would write another file."""

    def test_a_path_that_is_not_in_utf8_is_refused(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.fsencode(folder) + b"/n\xfe"
            for name, arguments in [("camctl", [b"capture", b"--output"]), ("camerad", [b"--library"])]:
                command = [os.fsencode(program(name)), *arguments, path]
                result = subprocess.run(command, capture_output=True, timeout=60, check=False)
                self.assertEqual(result.returncode, 64, result.stderr)
                self.assertIn(b"is not in UTF-8", result.stderr)
            self.assertEqual(os.listdir(folder), [])


class EndlessList(unittest.TestCase):
    """A node whose list of assets gets older for ever."""

    def test_no_more_assets_than_fit_into_memory_are_chosen(self) -> None:
        with FakeNode() as node:
            times = itertools.count()

            def answer(request: messages.Request) -> list[dict[str, object]]:
                assets = []
                for _ in range(request.assets.limit):
                    age = next(times)
                    assets.append(messages.Asset(
                        id=age.to_bytes(16, "big"), created_wall_ns=10 ** 18 - age, media_type="image/jpeg", camera="cam",
                        condition=messages.ASSET_CONDITION_MISSING))
                return [{"assets": messages.AssetsReply(assets=assets, next=age.to_bytes(16, "big"))}]

            node.answers["assets"] = answer
            result = subprocess.run(
                [program("camctl"), "delete", "--missing"], env={**os.environ, "CAMERABUS_NODE": node.control},
                capture_output=True, timeout=60, check=False, text=True)
            self.assertIn("more than 100000 assets: choose fewer", result.stderr)
            self.assertEqual(result.returncode, 64)
            self.assertFalse(node.of("delete"))


class Downloads(unittest.TestCase):
    """`download` of the latest, of all, and by the first digits of an id."""

    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.node = self.enterContext(Node(CAMERA, CAMERA.replace("left", "right")))
        for camera in ["left", "right", "left"]:
            result = camctl(
                self.node, "capture", "--camera", camera, "--when", "next", "-o", self.folder / "photo.jpg", "--overwrite",
                "--json")
            self.last = json.loads(result.stdout)
            self.photo = (self.folder / "photo.jpg").read_bytes()

    def names(self, *arguments: str) -> list[str]:
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        result = camctl(self.node, "download", *arguments, "-o", folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), len(os.listdir(folder)))
        return sorted(os.listdir(folder))

    def test_the_latest_goes_to_the_standard_output(self) -> None:
        result = camctl(self.node, "download", "--latest", "-o", "-")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, self.photo, b""))
        other = camctl(self.node, "download", "--latest", "--camera", "right", "-o", "-").stdout
        self.assertEqual(other[:2], b"\xff\xd8")
        self.assertNotEqual(other, self.photo)

    def test_bytes_go_to_a_terminal_only_by_force(self) -> None:
        with Terminal(self.node, "download", "--latest", "-o", "-") as terminal:
            self.assertEqual(terminal.finish(), 64)
            self.assertIn("--force", terminal.text)

    def test_first_digits_of_an_id_are_enough(self) -> None:
        asset = self.last["asset"]["id"]
        self.assertEqual(camctl(self.node, "download", asset[:8].upper(), "-o", "-").stdout, self.photo)
        unknown = "0000" if not asset.startswith("0000") else "1111"
        self.assertEqual(camctl(self.node, "download", unknown, "-o", "-").returncode, 1)
        self.assertEqual(camctl(self.node, "download", "12", "-o", "-").returncode, 64)

    def test_all_and_since(self) -> None:
        everything = self.names("--all")
        self.assertEqual(len(everything), 3)
        self.assertEqual(self.names("--since", "1h"), everything)
        self.assertEqual(len(self.names("--all", "--camera", "left")), 2)
        nothing = camctl(self.node, "download", "--since", "2200-01-01", "-o", self.folder)
        self.assertEqual(nothing.returncode, 1)
        one = camctl(self.node, "download", "--all", "-o", self.folder / "one.jpg")
        self.assertEqual(one.returncode, 64)
        self.assertFalse((self.folder / "one.jpg").exists())

    def test_a_file_that_is_gone_does_not_keep_the_others(self) -> None:
        (self.node.folder / "library" / self.last["asset"]["path"]).unlink()
        folder = self.folder / "rest"
        folder.mkdir()
        result = camctl(self.node, "download", "--all", "-o", folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"1 of 3 could not be fetched", result.stderr)
        self.assertEqual(len(os.listdir(folder)), 2)


class Following(unittest.TestCase):
    """`events` with filters, and `status --watch`."""

    def test_events_are_chosen_by_kind_camera_and_time(self) -> None:
        with tempfile.TemporaryDirectory() as folder, Node(CAMERA, CAMERA.replace("left", "right")) as node:
            camctl(node, "controls", "set", "--camera", "left", "brightness=1")
            camctl(node, "controls", "set", "--camera", "right", "brightness=2")
            camctl(node, "capture", "--camera", "right", "-o", folder)

            def events(*options: str) -> list[dict[str, object]]:
                result = camctl(node, "events", "--json", *options)
                self.assertEqual(result.returncode, 0, result.stderr)
                return [json.loads(line) for line in result.stdout.splitlines()]

            controls = events("--since", "10min", "--kind", "control", "--count", "2")
            self.assertEqual([event["type"] for event in controls], ["control"] * 2)
            self.assertEqual({str(event["camera"]) for event in controls}, {"left", "right"})
            [control] = events("--history", "--kind", "control", "--camera", "right", "--count", "1")
            self.assertEqual(control["camera"], "right")
            steps = events("--since", "1h", "--kind", "capture", "--kind", "recording", "--count", "5")
            self.assertEqual(steps[-1]["step"], "completed")
            # Nothing happened since this moment, so the snapshot comes first, and is not counted.
            with subprocess.Popen(
                    [program("camctl"), "events", "--json", "--since", "0s", "--count", "1", "--node", node.control],
                    stdout=subprocess.PIPE) as follower:
                stream = present(follower.stdout)
                self.assertEqual(json.loads(stream.readline())["type"], "snapshot")
                camctl(node, "controls", "set", "--camera", "left", "brightness=3")
                self.assertEqual(json.loads(stream.readline())["type"], "control")
                self.assertEqual((follower.wait(PATIENCE), stream.read()), (0, b""))
            for options in [("--kind", "weather"), ("--since", "noon")]:
                self.assertEqual(camctl(node, "events", *options).returncode, 64)

    def test_status_is_shown_again_at_each_change(self) -> None:
        with Node(CAMERA) as node:
            with Terminal(node, "status", "--watch", columns=200) as terminal:
                end = terminal.wait("left +.*running")
                camctl(node, "session", "stop")
                end = terminal.wait(r"\x1b\[2J\x1b\[H(?s:.*)left +.*stopped", end)
                camctl(node, "session", "start")
                end = terminal.wait(r"\x1b\[2J\x1b\[H(?s:.*)left +.*running", end)
                node.kill_for_good()
                terminal.wait("nothing is heard of the node", end)
                terminal.interrupt()
                self.assertEqual(terminal.finish(), 130)
                self.assertIn("running", "\n".join(terminal.screen.lines))

    def test_status_says_why_a_stream_that_is_wanted_is_not_encoded(self) -> None:
        with Node(CAMERA.replace("MJPG", "RGBP")) as node, Terminal(node, "status", "--watch", columns=200) as terminal:
            terminal.wait("nothing is encoded")
            context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
            with context.socket(zmq.SUB) as socket:
                socket.subscribe(b"frame/left/preview/")
                socket.connect(node.frames)
                terminal.wait("left preview: no JPEG can be made of RGBP frames: ")

    def test_status_is_followed_without_a_request(self) -> None:
        with Node(CAMERA) as node:
            with subprocess.Popen(
                    [program("camctl"), "status", "--watch", "--json", "--node", node.control], stdout=subprocess.PIPE) as watch:
                stream = present(watch.stdout)
                first = json.loads(stream.readline())
                camctl(node, "session", "stop")
                status = first
                while status["cameras"][0]["state"] != "stopped":
                    status = json.loads(stream.readline())
                self.assertEqual(status["epoch"], first["epoch"])
                watch.terminate()
                self.assertEqual(watch.wait(PATIENCE), 143)

    def test_after_a_restart_the_status_is_that_of_the_new_node_alone(self) -> None:
        with Node(CAMERA) as node:
            with subprocess.Popen(
                    [program("camctl"), "status", "--watch", "--json", "--node", node.control], stdout=subprocess.PIPE) as watch:
                stream = present(watch.stdout)
                old = json.loads(stream.readline())["epoch"]
                node.kill()
                node.start()
                while json.loads(stream.readline()).get("type") != "nodeRestarted":
                    pass
                for _ in range(3):
                    self.assertNotEqual(json.loads(stream.readline()).get("epoch", ""), old)
                    camctl(node, "session", "stop")
                    camctl(node, "session", "start")
                watch.terminate()
                self.assertEqual(watch.wait(PATIENCE), 143)


class Configurations(unittest.TestCase):
    """`camctl configure`, apart from formats and controls."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(CAMERA))

    node: Node

    def test_what_is_named_changes_and_the_rest_stays(self) -> None:
        def configure(*options: str) -> dict[str, Any]:
            done = camctl(self.node, "configure", "--json", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            status: dict[str, Any] = json.loads(done.stdout)["status"]
            return status

        configure("--rotate", "270", "--preview-mirror")
        status = configure("--mirror", "--preview-rotate", "180", "--rate", "1-12")
        self.assertEqual(status["configuration"], {
            "mode": "photo", "preset": "inputPriority", "preview": {"rotation": 180, "isMirrored": True},
            "capture": {"rotation": 270, "isMirrored": True}, "minimumRate": 1, "maximumRate": 12, "streams": []})
        self.assertEqual((status["format"]["frameRate"], status["format"]["deviceFrameRate"]), (12, 30))
        table = camctl(self.node, "status").stdout.decode()
        self.assertIn("320x240 MJPG 12/s (of 30/s)", table)
        self.assertIn("left turns photos and movies by 270°, mirrored, previews by 180°, mirrored", table)
        frames = camctl(self.node, "watch", "--json", "--frames", "--count", "1", "--stream", "full").stdout.splitlines()
        self.assertEqual(json.loads(frames[0])["orientation"], {"rotation": 180, "isMirrored": True})
        status = configure("--rotate", "0", "--no-mirror", "--preview-rotate", "0", "--no-preview-mirror", "--mode", "video")
        self.assertEqual(status["configuration"], {
            "mode": "video", "preset": "high", "preview": {"rotation": 0, "isMirrored": False},
            "capture": {"rotation": 0, "isMirrored": False}, "streams": []})
        self.assertNotIn("left turns", camctl(self.node, "status").stdout.decode())

    def test_mistakes_are_told_before_anything_is_asked(self) -> None:
        for options, words in (
                (["--rotate", "45"], "write 0, 90, 180 or 270"), (["--mode", "still"], "write photo or video"),
                ([], "say what to change: --input, --mode")):
            with self.subTest(options=options):
                done = camctl(self.node, "configure", *options)
                self.assertEqual(done.returncode, 64)
                self.assertIn(words, done.stderr.decode())


class StreamOptions(unittest.TestCase):
    def test_streams_are_configured_and_shown(self) -> None:
        node = self.enterContext(Node(CAMERA))
        done = camctl(node, "configure", "--stream", "preview=rate:5,quality:60", "--stream", "100x100=quality:30")
        self.assertEqual(done.returncode, 0, done.stderr)
        words = "left sends 100x100 in quality 30, preview with at most 5 frames a second in quality 60"
        self.assertIn(words, camctl(node, "status").stdout.decode())
        (camera,) = json.loads(camctl(node, "status", "--json").stdout)["cameras"]
        self.assertEqual(camera["configuration"]["streams"][1], {"stream": "preview", "maximumRate": 5, "quality": 60})
        done = camctl(node, "configure", "--stream", "full=off", "--stream", "preview=off,rate:0")
        self.assertEqual(done.returncode, 0, done.stderr)
        words = "left sends 100x100 in quality 30, full not at all, preview not at all (in quality 60)"
        self.assertIn(words, camctl(node, "status").stdout.decode())
        (camera,) = json.loads(camctl(node, "status", "--json").stdout)["cameras"]
        self.assertEqual(camera["configuration"]["streams"][1], {"stream": "full", "isEnabled": False})
        self.assertEqual(camctl(node, "configure", "--stream", "full=on").returncode, 0)
        (camera,) = json.loads(camctl(node, "status", "--json").stdout)["cameras"]
        self.assertEqual([stream["stream"] for stream in camera["configuration"]["streams"]], ["100x100", "preview"])
        # The node's own quality again.
        self.assertEqual(camctl(node, "configure", "--stream", "preview=quality:0").returncode, 0)
        (camera,) = json.loads(camctl(node, "status", "--json").stdout)["cameras"]
        self.assertNotIn("quality", camera["configuration"]["streams"][1])
        for text in ("preview", "full=off,on", "full=aus", "side=rate:5", "preview=rate:x", "preview=rate:5,rate:6", "preview=quality:101", "preview=size:3"):
            with self.subTest(text):
                self.assertEqual(camctl(node, "configure", "--stream", text).returncode, 64)


class Leases(unittest.TestCase):
    """`camctl lease`, as several people use it."""

    def setUp(self) -> None:
        self.node = self.enterContext(Node(CAMERA))

    def hold(self) -> tuple["subprocess.Popen[str]", str]:
        holder = subprocess.Popen(
            [program("camctl"), "lease", "acquire", "--as", "calibration", "--term", "1s", "--node", self.node.control],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(holder.communicate)
        self.addCleanup(holder.kill)
        return holder, present(holder.stdout).readline().strip()

    def test_a_lease_is_held_until_ctrl_c(self) -> None:
        holder, lease = self.hold()
        with CameraBus(self.node.control, timeout=PATIENCE) as bus, bus.events() as events:
            first = bus.status().cameras[0].lease.expires_monotonic_ns
            # It renews itself, or else it would have ended by then.
            while bus.status().cameras[0].lease.expires_monotonic_ns < first + 10**9:
                events.next(0.1)
        refused = camctl(self.node, "controls", "set", "brightness=3")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("left is leased to 'calibration'", refused.stderr.decode())
        for options in (["--lease", lease], ["--lease", "0" * 32]):
            done = camctl(self.node, "controls", "set", "brightness=3", *options)
            self.assertEqual(done.returncode, int(options[1] != lease), done.stderr)
        (status,) = [json.loads(line) for line in camctl(self.node, "lease", "status", "--json").stdout.splitlines()]
        self.assertEqual((status["camera"], status["lease"]["holder"]), ("left", "calibration"))
        self.assertIn(b"left is leased to calibration", camctl(self.node, "status").stdout)
        self.assertIn("--lease ID", refused.stderr.decode())
        holder.send_signal(signal.SIGINT)
        self.assertEqual(holder.wait(PATIENCE), 130)
        self.assertEqual(camctl(self.node, "controls", "set", "brightness=4").returncode, 0)

    def acquire(self, node: Node | FakeNode) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [program("camctl"), "lease", "acquire", "--term", "600s", "--node", node.control], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True)

    def seeded(self) -> tuple[random.Random, str]:
        seed = random.randrange(2 ** 32)
        return random.Random(seed), f"seed {seed}"

    def is_leased(self, bus: CameraBus) -> bool:
        return bus.status().cameras[0].HasField("lease")

    def test_no_moment_of_ctrl_c_leaves_a_lease(self) -> None:
        numbers, message = self.seeded()
        began = time.monotonic()
        holder, _ = self.hold()
        typical = time.monotonic() - began
        holder.send_signal(signal.SIGINT)
        self.assertEqual(holder.wait(PATIENCE), 130)
        printed: set[bool] = set()
        with CameraBus(self.node.control, timeout=PATIENCE) as bus:
            for _ in range(100):
                delay = numbers.uniform(0, 1.5 * typical)
                with self.acquire(self.node) as acquiring:
                    time.sleep(delay)
                    acquiring.send_signal(signal.SIGINT)
                    output, _ = acquiring.communicate(timeout=PATIENCE)
                printed.add(bool(output))
                # Before it catches signals it has asked for nothing.
                self.assertIn(acquiring.returncode, (130, -signal.SIGINT))
                end = time.monotonic() + PATIENCE
                while self.is_leased(bus):
                    self.assertLess(time.monotonic(), end, f"{message}, after {delay} s")
        self.assertEqual(printed, {False, True}, f"{message}, {typical}")

    def test_ctrl_c_around_the_answer_gives_the_lease_back(self) -> None:
        numbers, message = self.seeded()
        moments: list[float] = []

        def answer(request: messages.Request) -> Replies:
            """Answers some milliseconds before or after Ctrl-C, or not at all."""
            before, after = numbers.uniform(0, 0.005), numbers.uniform(0, 0.005)
            moments.append(before)
            interrupt = threading.Timer(before, acquiring.send_signal, [signal.SIGINT])
            interrupt.start()
            time.sleep(after)
            lease = messages.Lease(holder="me", term_ns=600 * 10 ** 9)
            return [{"lease": messages.LeaseReply(camera="cam", id=request.id, lease=lease)}] if numbers.random() < 0.8 else None

        for _ in range(60):
            with FakeNode() as node:
                node.answers["lease_acquire"] = answer
                node.answers["lease_release"] = lambda request: [{"lease": messages.LeaseReply(camera="cam")}]
                with self.acquire(node) as acquiring:
                    acquiring.communicate(timeout=PATIENCE)
                self.assertEqual(acquiring.returncode, 130)
                node.await_requests("lease_release", 1)
                [(acquired, _)] = node.of("lease_acquire")
                self.assertIn(acquired.id, [request.lease for request, _ in node.of("lease_release")], f"{message}, {moments}")

    def test_every_command_for_its_camera_renews_a_lease(self) -> None:
        lease = camctl(self.node, "lease", "acquire", "--detach").stdout.decode().strip()
        with CameraBus(self.node.control, timeout=PATIENCE) as bus:
            last = bus.status().cameras[0].lease.expires_monotonic_ns
            for command in (["formats"], ["capabilities"], ["controls", "list"], ["capture", "--output", "-"]):
                done = camctl(self.node, *command, "--lease", lease)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertGreater(now := bus.status().cameras[0].lease.expires_monotonic_ns, last, command)
                last = now
            bus.release_lease("left", force=True)
            # What stays open to all does so for who has lost a lease.
            for command, status in ((["formats"], 0), (["capture", "--output", "-"], 0), (["controls", "set", "brightness=3"], 1)):
                done = camctl(self.node, *command, "--lease", lease)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertIn(b"the lease of left has ended", done.stderr)

    def test_who_loses_a_lease_is_told_so(self) -> None:
        holder, _ = self.hold()
        done = camctl(self.node, "lease", "release", "--force")
        self.assertEqual(done.returncode, 0, done.stderr)
        _, errors = holder.communicate(timeout=PATIENCE)
        self.assertEqual(holder.returncode, 1)
        self.assertIn("the lease of left has ended: acquire it again", errors)

    def test_a_holder_that_dies_gives_the_camera_back(self) -> None:
        holder, _ = self.hold()
        with CameraBus(self.node.control, timeout=PATIENCE) as bus, bus.events() as events:
            self.assertTrue(bus.status().cameras[0].HasField("lease"))
            self.assertIsNotNone(events.next(PATIENCE))
            holder.kill()
            while not (isinstance(notice := events.next(PATIENCE), Published) and notice.event.HasField("state")
                       and not notice.event.state.HasField("lease")):
                self.assertIsNotNone(notice)
        self.assertEqual(camctl(self.node, "controls", "set", "brightness=4").returncode, 0)

    def test_frames_of_a_watch_are_for_json(self) -> None:
        self.assertEqual(camctl(self.node, "watch", "--frames", "--count", "1").returncode, 64)

    def test_a_lease_that_is_nobodys(self) -> None:
        done = camctl(self.node, "controls", "set", "brightness=4", "--lease", "0" * 32)
        self.assertIn(b"the lease of left has ended: acquire it again", done.stderr)
        self.assertNotIn(b"--force", done.stderr)

    def test_a_text_that_is_no_lease(self) -> None:
        self.assertEqual(camctl(self.node, "controls", "set", "brightness=4", "--lease", "abc").returncode, 64)


class ExtremeNumbers(unittest.TestCase):
    """A node may send any number. None of them ends camctl by a signal."""

    def setUp(self) -> None:
        self.node = self.enterContext(FakeNode())

    def assert_shown(self, camera: messages.CameraStatus, *, monotonic: int = 0, started: int = 0) -> None:
        status = self.node.status()
        status.now.monotonic_ns = monotonic
        status.started_monotonic_ns = started
        status.cameras[0].CopyFrom(camera)
        formats = messages.FormatsReply(formats=[messages.Format(frame_rates=[camera.format.frame_rate])])
        self.node.answers["status"] = lambda request: [{"status": status}]
        for body in ("session_start", "session_stop", "session_suspend", "session_resume"):
            self.node.answers[body] = lambda request: [{"session": camera}]
        self.node.answers["formats"] = lambda request: [{"formats": formats}]
        for command in (["status"], ["cameras"], ["session", "start"], ["session", "stop"], ["session", "suspend"],
                        ["session", "resume"], ["formats"],
                        ["events", "--count", "1"]):
            for option in ([], ["--json"]):
                with self.subTest(command=command, option=option):
                    done = camctl(self.node, *command, *option)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    if option:
                        for line in done.stdout.splitlines():
                            json.loads(line)

    def test_controls_capabilities_and_calibrations_that_json_cannot_say(self) -> None:
        for number in (float("inf"), float("nan")):
            control = messages.Control(
                id="zoom", kind=messages.CONTROL_KIND_NUMBER, value=messages.ControlValue(number=number),
                range=messages.NumberRange(minimum=number, maximum=number, step=number, default_value=number))
            capabilities = messages.Capabilities(
                controls=[control], format=messages.StreamFormat(frame_rate=number),
                formats=[messages.Format(frame_rates=[number])])
            calibration = messages.Calibration(id="a", camera_matrix=[number] * 9, distortion=[number])
            self.node.answers["capabilities"] = lambda request: [{"capabilities": capabilities}]
            self.node.answers["controls_list"] = lambda request: [{"controls": messages.ControlsReply(controls=[control])}]
            self.node.answers["calibration"] = lambda request: [{"calibration": calibration}]
            for command in (["capabilities"], ["calibration"], ["controls", "list"]):
                for option in ([], ["--json"]):
                    with self.subTest(command=command, option=option):
                        done = camctl(self.node, *command, *option)
                        self.assertGreaterEqual(done.returncode, 0, done.stderr)
                        if option and not done.returncode:
                            for line in done.stdout.splitlines():
                                json.loads(line)

    def test_clocks_that_no_machine_has(self) -> None:
        least, most = -2 ** 63, 2 ** 63 - 1
        for read, answered, error, name in (
                (least, least, 0, ""), (most, least, 0, ""), (0, 0, least, ""), (0, 0, 0, "x" * 129), (5, 4, 0, "")):
            clock = messages.ClockReply(
                read_monotonic_ns=read, clock_id=name, answered=messages.Timestamp(monotonic_ns=answered, wall_error_ns=error))
            self.node.answers["clock"] = lambda request: [{"clock": clock}]
            done = camctl(self.node, "clock")
            self.assertEqual((done.returncode, done.stdout), (1, b""), clock)
            with CameraBus(self.node.control) as bus, self.assertRaises(CameraBusError):
                bus.clock()

    def test_a_clock_that_is_changed_meanwhile(self) -> None:
        moments = itertools.count(10 ** 18, 10 ** 15)

        def jump(request: messages.Request) -> Replies:
            moment = next(moments)
            return [{"clock": messages.ClockReply(read_monotonic_ns=moment, answered=messages.Timestamp(monotonic_ns=moment))}]

        self.node.answers["clock"] = jump
        done = camctl(self.node, "clock")
        self.assertIn(b"a clock was changed meanwhile", done.stderr)
        self.assertTrue(json.loads(camctl(self.node, "clock", "--json").stdout)["isChanged"])

    def test_wall_clocks_count_if_both_have_bounds(self) -> None:
        wall_is_off = 0

        def answer(request: messages.Request) -> Replies:
            time.sleep(0.02)  # as a slow link
            clock = messages.Timestamp(
                monotonic_ns=time.monotonic_ns() + 5 * 10 ** 9, wall_ns=time.time_ns() + wall_is_off, wall_error_ns=10 ** 6)
            reply = messages.ClockReply(read_monotonic_ns=clock.monotonic_ns, answered=clock, clock_id="another")
            time.sleep(0.02)
            return [{"clock": reply}]

        def clock(*options: str) -> tuple[dict[str, Any], int]:
            report = json.loads(camctl(self.node, "clock", "--json", *options).stdout)
            offset = report["offset"]
            self.assertTrue(offset["leastNanoseconds"] <= 5 * 10 ** 9 <= offset["mostNanoseconds"], report)
            return report, offset["mostNanoseconds"] - offset["leastNanoseconds"]

        self.node.answers["clock"] = answer
        report, quick = clock("--clock-error", "1ms")
        self.assertEqual((report["ownSource"], report["isWallWrong"]), ("operator", False))
        self.assertGreaterEqual(report["own"]["errorNanoseconds"], 10 ** 6)
        self.assertIn(b"(as the operator says)", camctl(self.node, "clock", "--clock-error", "1ms").stdout)
        self.assertLess(quick, 20 * 10 ** 6)
        wall_is_off = 10 ** 10
        report, slow = clock("--clock-error", "1ms")
        self.assertTrue(report["isWallWrong"])
        self.assertGreater(slow, 38 * 10 ** 6)
        self.assertIn(b"contradict", camctl(self.node, "clock", "--clock-error", "1ms").stderr)
        done = camctl(self.node, "clock", "--clock-error", "5")
        self.assertEqual(done.returncode, 64)
        self.assertIn(b"--clock-error", done.stderr)

    def test_a_lease_that_ends_before_time_begins(self) -> None:
        status = self.node.status()
        status.now.monotonic_ns = 2 ** 63 - 1
        status.cameras[0].lease.CopyFrom(messages.Lease(holder="x", expires_monotonic_ns=-2 ** 63))
        self.node.answers["status"] = lambda request: [{"status": status}]
        done = camctl(self.node, "lease", "status")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_counters_whose_sum_is_too_large(self) -> None:
        self.assert_shown(messages.CameraStatus(
            name="cam", frames=messages.FrameCounters(skipped=2 ** 64 - 1, pool_exhausted=1)))

    def test_rates_that_json_cannot_say(self) -> None:
        for rate in (float("inf"), float("nan")):
            self.assert_shown(messages.CameraStatus(name="cam", format=messages.StreamFormat(frame_rate=rate)))

    def test_moments_that_are_too_far_apart(self) -> None:
        first, last = -2 ** 63, 2 ** 63 - 1
        self.assert_shown(messages.CameraStatus(
            name="cam", state=messages.SESSION_STATE_FAILED, error=messages.Error(message="it burns"), attempts=3,
            since=messages.Timestamp(monotonic_ns=last), last_attempt="opened", last_attempt_monotonic_ns=last,
            next_attempt_monotonic_ns=last), monotonic=first, started=last)


if __name__ == "__main__":
    unittest.main()
