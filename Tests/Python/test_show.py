"""`camctl show` on a terminal: what it asks, what it draws where, and how it leaves the terminal."""

from __future__ import annotations

import fcntl
import re
import signal
import struct
import termios
import threading
import time
import unittest
from typing import Any, Mapping

from camerabus import messages
from camerabus.framing import write_publication
from fake import FakeNode
from node import Node
from terminal import Terminal

CAMERA = "left=synthetic:320x240@30,format=MJPG"
ATTRIBUTES, PIXELS = "\x1b[c", "\x1b[14t"
COLUMNS, ROWS = 60, 20
SIXEL = re.compile(r"\x1bP0;1q\"1;1;(\d+);(\d+)[#0-9;!?-~$-]*\x1b\\")
TWO_PICTURES = r"(?s)\x1b\[\?25h.*\x1b\[\?25h"
PICTURE = re.compile(r"\x1bP|▀")


class Display:
    """What a terminal of 60x20 shows: characters in rows, with the places of sixel pictures.

    It knows what camctl needs and refuses all else.
    """

    TOKEN = re.compile(r"\x1b\[(\?25[hl])|\x1b\[(\d*(?:;\d+)*)([ABHJKcmt])|\x1b([78])|(\x1bP[^\x1b]*\x1b\\)|([^\x1b])", re.DOTALL)

    def __init__(self, text: str):
        self.rows = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.is_cursor_shown = True
        self.pictures: list[tuple[int, int, int]] = []  # row, width and height of each sixel picture
        self._saved = (0, 0)
        position = 0
        while position < len(text):
            token = self.TOKEN.match(text, position)
            if not token:
                raise AssertionError(f"the terminal of this test does not know {text[position:position + 20]!r}")
            self._take(token)
            position = token.end()

    def _take(self, token: re.Match[str]) -> None:
        cursor, numbers, letter, saving, sixel, character = token.groups()
        if cursor:
            self.is_cursor_shown = cursor == "?25h"
        elif letter:
            self._control(letter, int(numbers or 1) if numbers.isdigit() or not numbers else 0)
        elif saving == "7":
            self._saved = (self.row, self.column)
        elif saving == "8":
            self.row, self.column = self._saved
        elif sixel:
            size = SIXEL.fullmatch(sixel)
            assert size, f"no sixel picture: {sixel[:60]!r}"
            assert sixel.count("-") == -(-int(size[2]) // 6), "a part of the sixel picture is missing"
            self.pictures.append((self.row, int(size[1]), int(size[2])))
            self.row = ROWS - 1  # wherever it likes: terminals differ
        elif character == "\n":
            if self.row == ROWS - 1:
                self.rows = self.rows[1:] + [[" "] * COLUMNS]
            self.row = min(self.row + 1, ROWS - 1)
        elif character == "\r":
            self.column = 0
        else:
            assert character >= " " and self.column < COLUMNS, f"{character!r} at column {self.column}"
            self.rows[self.row][self.column] = character
            self.column += 1

    def _control(self, letter: str, number: int) -> None:
        if letter == "A":
            self.row = max(0, self.row - number)
        elif letter == "B":
            self.row = min(ROWS - 1, self.row + number)
        elif letter == "H":
            self.row = self.column = 0
        elif letter == "K":
            self.rows[self.row] = [" "] * COLUMNS
        elif letter == "J":
            for row in range(0 if number == 2 else self.row, ROWS):
                self.rows[row] = [" "] * COLUMNS

    @property
    def lines(self) -> list[str]:
        return ["".join(row).rstrip() for row in self.rows]


class AnsweringTerminal(Terminal):
    """A terminal that answers questions, as terminals do."""

    def __init__(self, node: Node | FakeNode | str, *arguments: object, attributes: str | None = None,
                 pixels: tuple[int, int] | None = None, delay: float = 0, kernel: tuple[int, int] = (0, 0),
                 environment: Mapping[str, str] | None = None):
        endpoint = node if isinstance(node, str) else node.control
        super().__init__(endpoint, *arguments, columns=COLUMNS, environment={"COLORTERM": "truecolor", **(environment or {})})
        self.attributes, self.pixels, self.delay, self.kernel = attributes, pixels, delay, kernel
        self._answered = 0

    def __enter__(self) -> AnsweringTerminal:
        super().__enter__()
        self.before = termios.tcgetattr(self._master)
        return self

    def resize(self, columns: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, columns, *self.kernel))

    @property
    def is_as_before(self) -> bool:
        return bool(termios.tcgetattr(self._master) == self.before)

    @property
    def hides_keys(self) -> bool:
        return not termios.tcgetattr(self._master)[3] & (termios.ECHO | termios.ICANON)

    @property
    def display(self) -> Display:
        return Display(self.text)

    def _read(self) -> bool:
        is_open = super()._read()
        for question in re.compile(r"\x1b\[(?:14t|c)").finditer(self.text, self._answered):
            self._answered = question.end()
            if question[0] == PIXELS and self.pixels:
                self.type(b"\x1b[4;%d;%dt" % (self.pixels[1], self.pixels[0]))
            if question[0] == ATTRIBUTES and self.attributes is not None:
                time.sleep(self.delay)
                self.type(f"\x1b[?{self.attributes}c".encode())
        return is_open


class Forms(unittest.TestCase):
    """Which form is taken for which terminal."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(CAMERA))

    node: Node

    def show(self, *arguments: object, **options: Any) -> AnsweringTerminal:
        with AnsweringTerminal(self.node, "show", "--frames", 3, *arguments, **options) as terminal:
            self.assertEqual(terminal.finish(), 0, terminal.text)
            self.assertTrue(terminal.is_as_before)
            return terminal

    def test_a_terminal_with_sixels_gets_them_in_its_own_size(self) -> None:
        terminal = self.show(attributes="62;1;4;22", pixels=(480, 320))
        display = terminal.display
        # A character has 8x16 pixels, and two rows of twenty are for the line and the prompt.
        self.assertEqual(display.pictures, [(0, 320, 240)] * 3)
        self.assertRegex(display.lines[15], r"^left 320x240: frame \d+, [\d.]+/s, latency ")
        self.assertTrue(display.is_cursor_shown)
        self.assertEqual((display.row, display.column), (16, 0))

    def test_a_large_picture_takes_the_preview(self) -> None:
        with Node("left=synthetic:640x480@15,format=MJPG") as node:
            with AnsweringTerminal(node, "show", "--frames", 2, attributes="62;4", pixels=(960, 640)) as terminal:
                self.assertEqual(terminal.finish(), 0, terminal.text)
                self.assertEqual(terminal.display.pictures, [(0, 640, 480)] * 2)
                self.assertRegex(terminal.display.lines[15], "^left preview: frame ")

    def test_the_kernel_may_know_the_size_in_pixels(self) -> None:
        terminal = self.show(attributes="62;4", kernel=(600, 400))
        self.assertEqual({picture[1:] for picture in terminal.display.pictures}, {(320, 240)})
        terminal = self.show(attributes="62;4", kernel=(300, 200))
        # 18 rows of 10 pixels.
        self.assertEqual({picture[1:] for picture in terminal.display.pictures}, {(240, 180)})

    def test_a_terminal_that_does_not_know_its_pixels_has_small_ones(self) -> None:
        for pixels in (None, (0, 0), (99999, 0)):
            with self.subTest(pixels=pixels):
                display = self.show(attributes="62;4", pixels=pixels).display
                self.assertEqual({picture[1:] for picture in display.pictures}, {(288, 216)})
                self.assertRegex(display.lines[18], r"^left 320x240: frame \d+")

    def test_other_terminals_get_half_blocks(self) -> None:
        for attributes in ("1;2", "4", "64;14;44", ""):
            with self.subTest(attributes=attributes):
                display = self.show(attributes=attributes).display
                self.assertNotIn("\x1bP", "".join(display.lines))
                # 4:3 in 36 pixels of height.
                self.assertEqual(display.lines[:18], ["▀" * 48] * 18)
                self.assertRegex(display.lines[18], r"^left 160x120: frame \d+")

    def test_a_terminal_that_does_not_answer_gets_half_blocks_soon(self) -> None:
        start = time.monotonic()
        terminal = self.show()
        self.assertLess(time.monotonic() - start, 20)
        self.assertIn("▀", terminal.text)
        self.assertEqual(terminal.text.count(ATTRIBUTES), 1)

    def test_256_colours(self) -> None:
        text = self.show(attributes="1;2", environment={"COLORTERM": ""}).text
        self.assertIn("\x1b[38;5;", text)
        self.assertNotIn("38;2;", text)

    def test_without_colours_there_are_plain_characters(self) -> None:
        terminal = self.show(attributes="62;4", environment={"NO_COLOR": "1"})
        self.assertNotRegex(terminal.text, r"\x1b\[[\d;]*m|\x1bP|▀")
        self.assertRegex(terminal.display.lines[0], r"^[ .:=+*#%@-]{10,50}$")

    def test_a_locale_without_the_block_gets_plain_characters(self) -> None:
        terminal = self.show(attributes="1;2", environment={"LC_ALL": "C"})
        self.assertTrue(terminal.text.isascii())

    def test_a_dumb_terminal_is_not_asked_and_gets_no_escape_sequence(self) -> None:
        terminal = self.show(attributes="62;4", environment={"TERM": "dumb"})
        self.assertNotIn("\x1b", terminal.text)
        self.assertIn("left 160x120: frame ", terminal.text)

    def test_the_form_that_was_chosen_is_taken(self) -> None:
        self.assertIn("▀", self.show("--as", "blocks", attributes="62;4").text)
        self.assertIn("\x1bP", self.show("--as", "sixel", attributes="1;2").text)
        self.assertNotRegex(self.show("--as", "text", attributes="62;4").text, PICTURE)

    def test_the_width_is_a_limit(self) -> None:
        display = self.show("--width", 20, attributes="1;2").display
        self.assertEqual(display.lines[:8], ["▀" * 20] * 8)
        self.assertRegex(display.lines[8], "^left ")

    def test_a_photo_stays_with_the_prompt_below_it(self) -> None:
        from test_camctl import camctl
        camctl(self.node, "capture", "-o", "-")
        with AnsweringTerminal(self.node, "show", "--latest", attributes="62;4", pixels=(480, 320)) as terminal:
            self.assertEqual(terminal.finish(), 0, terminal.text)
            self.assertTrue(terminal.is_as_before)
            self.assertEqual(terminal.display.pictures, [(0, 320, 240)])
            self.assertEqual((terminal.display.row, terminal.display.column), (15, 0))
            self.assertTrue(terminal.display.is_cursor_shown)
        with AnsweringTerminal(self.node, "show", "--latest", "--as", "blocks", attributes="62;4") as terminal:
            self.assertEqual(terminal.finish(), 0, terminal.text)
            # Nothing needs to be asked for blocks.
            self.assertNotIn(ATTRIBUTES, terminal.text)


class Live(unittest.TestCase):
    """Live pictures on a terminal."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.node = cls.enterClassContext(Node(CAMERA))

    node: Node

    def test_ctrl_c_keeps_the_picture_and_the_line_and_restores_the_mode(self) -> None:
        for attributes in ("62;4", "1;2", None):
            with self.subTest(attributes=attributes):
                with AnsweringTerminal(self.node, "show", attributes=attributes) as terminal:
                    terminal.wait(TWO_PICTURES)
                    self.assertTrue(terminal.hides_keys)
                    terminal.interrupt()
                    self.assertEqual(terminal.finish(), 130)
                    self.assertTrue(terminal.is_as_before)
                    display = terminal.display
                    self.assertTrue(display.is_cursor_shown)
                    self.assertRegex(display.lines[display.row - 1], "^left ")
                    self.assertEqual(display.column, 0)
                    if attributes != "62;4":
                        self.assertEqual(display.lines[:18], ["▀" * 48] * 18)
                    self.assertNotIn("\x1b[?1049h", terminal.text)

    def test_other_signals_restore_the_mode_too(self) -> None:
        for number, end in ((signal.SIGTERM, Terminal.terminate), (signal.SIGHUP, Terminal.hang_up)):
            with self.subTest(number), AnsweringTerminal(self.node, "show", attributes="62;4") as terminal:
                terminal.wait(TWO_PICTURES)
                end(terminal)
                self.assertEqual(terminal.finish(), 128 + number)
                self.assertTrue(terminal.is_as_before)
                self.assertTrue(terminal.display.is_cursor_shown)

    def test_a_signal_while_the_terminal_is_asked_restores_the_mode(self) -> None:
        with AnsweringTerminal(self.node, "show") as terminal:
            terminal.wait(re.escape(ATTRIBUTES))
            terminal.interrupt()
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            self.assertTrue(terminal.is_as_before)

    def test_answers_that_are_late_are_not_left_for_the_shell(self) -> None:
        with AnsweringTerminal(self.node, "show", "--frames", 1, attributes="62;4", delay=1.2) as terminal:
            self.assertEqual(terminal.finish(), 0)
            self.assertTrue(terminal.is_as_before)

    def test_a_terminal_whose_size_changes_is_drawn_anew(self) -> None:
        with AnsweringTerminal(self.node, "show", attributes="1;2") as terminal:
            terminal.wait(TWO_PICTURES)
            self.assertNotIn("\x1b[2J", terminal.text)
            terminal.resize(30)
            end = terminal.wait(r"\x1b\[2J\x1b\[H")
            end = terminal.wait("frame ", end)
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            display = terminal.display
            self.assertEqual(display.lines[0], "▀" * 29)

    def test_a_slow_terminal_gets_a_smaller_picture_and_is_told(self) -> None:
        with AnsweringTerminal(self.node, "show", attributes="62;4", pixels=(480, 320), delay=0.3) as terminal:
            terminal.wait("34 % of the size")
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            self.assertIn("34 % of the size for a slow terminal", " ".join(terminal.text.split()))
            sizes = [picture[1] for picture in terminal.display.pictures]
            self.assertEqual(sizes[:7], [320, 320, 224, 224, 156, 156, 109])
            # One picture at a time: the next one waits for the answer.
            self.assertLessEqual(len(sizes), terminal.text.count(ATTRIBUTES))
            # The rest of the larger picture is gone, and the line is below the smaller one.
            self.assertEqual(len([line for line in terminal.display.lines if line.startswith("left 320x240: ")]), 1)

    def test_ctrl_c_does_not_cut_a_picture_that_the_terminal_is_taking(self) -> None:
        with AnsweringTerminal(self.node, "show", attributes="62;4", pixels=(480, 320)) as terminal:
            terminal.wait(re.escape("\x1bP"))
            time.sleep(0.3)  # nothing is read, and camctl waits in the middle of a picture
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            self.assertEqual({picture[1:] for picture in terminal.display.pictures}, {(320, 240)})
            self.assertTrue(terminal.is_as_before)

    def test_nothing_is_left_of_a_larger_picture(self) -> None:
        with AnsweringTerminal(self.node, "show", attributes="1;2", delay=0.3) as terminal:
            terminal.wait("49 % of the size")
            terminal.wait(TWO_PICTURES, len(terminal.text))
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            lines = terminal.display.lines
            width = len(lines[0])
            rows = (width * 3 // 4 + 1) // 2
            self.assertIn(width, (23, 16))
            self.assertEqual(lines[:rows], ["▀" * width] * rows)
            self.assertRegex(lines[rows], "^left 160x120: ")
            # The last line may be too long for one row.
            self.assertEqual(lines[rows + 2:], [""] * (ROWS - rows - 2))

    def test_a_camera_without_frames_is_told_in_the_line(self) -> None:
        from test_camctl import camctl
        with AnsweringTerminal(self.node, "show", attributes="1;2") as terminal:
            terminal.wait(TWO_PICTURES)
            camctl(self.node, "controls", "set", "disconnect=true")
            end = terminal.wait("no frames: left is interrupted")
            camctl(self.node, "controls", "set", "disconnect=false")
            terminal.wait("left 160x120: frame ", end)
            terminal.interrupt()
            self.assertEqual(terminal.finish(), 130)
            display = terminal.display
            self.assertEqual([line for line in display.lines if "no frames" in line], [])
            self.assertEqual(display.lines[:18], ["▀" * 48] * 18)
            self.assertRegex(display.lines[18], "^left 160x120: frame ")


class HostileNode(unittest.TestCase):
    """A node that sends what no camera makes."""

    def test_damaged_pictures_are_left_out_and_counted_and_names_cannot_obey(self) -> None:
        with Node(CAMERA) as real:
            from test_camctl import camctl
            photo = camctl(real, "capture", "-o", "-").stdout
        name = "cam"
        pictures = [photo[:len(photo) // 2], b"", b"\x1b[2Jno picture\x07", photo]
        with FakeNode() as node:
            status = messages.StatusReply(
                node_name="\x1b[31mfake", events_endpoint=node.events, frames_endpoint=node.events,
                cameras=[messages.CameraStatus(name=name, state=messages.SESSION_STATE_RUNNING)])
            node.answers["status"] = lambda request: [{"status": status}]
            done = threading.Event()

            def publish() -> None:
                number = 0
                while not done.wait(0.05):
                    number += 1
                    stamp = messages.Timestamp(monotonic_ns=time.monotonic_ns())
                    frame = messages.FrameHeader(
                        frame_sequence=number, timestamp=stamp, size=messages.Size(width=320, height=240), pixel_format="JPEG")
                    header = messages.Header(epoch=node.epoch, sequence=number, sent=stamp, frame=frame)
                    parts = write_publication(f"frame/{name}/160x120/", header, messages.Heartbeat())
                    node.send_raw([*parts[:2], pictures[number % 4]])

            thread = threading.Thread(target=publish)
            thread.start()
            try:
                with AnsweringTerminal(node, "show", "--camera", name, "--frames", 3, attributes="1;2") as terminal:
                    self.assertEqual(terminal.finish(), 0, terminal.text)
                    lines = "\n".join(terminal.display.lines)
                    self.assertRegex(lines, r"cam 160x120: frame \d+, .*[6-9] damaged")
                    self.assertNotIn("\x1b[2Jno", terminal.text)
                    self.assertNotIn("\x07", terminal.text)
            finally:
                done.set()
                thread.join()


if __name__ == "__main__":
    unittest.main()
