"""A USB camera in software, for the kernel's own driver uvcvideo.

The kernel's vhci-hcd is a USB host that speaks USB/IP over a socket instead of a cable. This module
answers there as a camera of the USB Video Class, version 1.0: one format, YUYV or distances, an
automatic and a manual exposure. https://docs.kernel.org/usb/usbip_protocol.html
"""

import contextlib
import errno
import pathlib
import socket
import struct
import threading
import time

from programs import PATIENCE

WIDTH, HEIGHT, RATE = 160, 120, 10
FRAME = WIDTH * HEIGHT * 2
PAYLOAD = 16384
INTERVAL = 10**7 // RATE  # in units of 100 ns
HOST = pathlib.Path("/sys/devices/platform/vhci_hcd.0")
DEVICES = pathlib.Path("/sys/class/video4linux")
HIGH_SPEED = 3

SUBMIT, UNLINK, SUBMITTED, UNLINKED = 1, 2, 3, 4
SET_CURRENT, GET_CURRENT, GET_MINIMUM, GET_MAXIMUM = 0x01, 0x81, 0x82, 0x83
GET_RESOLUTION, GET_LENGTH, GET_INFORMATION, GET_DEFAULT = 0x84, 0x85, 0x86, 0x87
MANUAL, APERTURE_PRIORITY = 1, 8
HAS_CAPTURED, HAS_READING = 4, 8
FREQUENCY = 15_001_200  # ticks a second of the camera's own clock, which is fast by 80 ppm

# The formats that a camera can have, as the class names them. The kernel calls the second one Z16.
YUY2 = b"YUY2\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
DISTANCES = b"INVZ\x90\x2d\x58\x4a\x92\x0b\x77\x3f\x1f\x2c\x55\x6b"

# Class-specific descriptors begin with 0x24 and their subtype.
TERMINALS = (
    struct.pack("<BBBBHBBHHHB3s", 18, 0x24, 2, 1, 0x201, 0, 0, 0, 0, 0, 3, b"\x0a\0\0")
    + struct.pack("<BBBBHBBB", 9, 0x24, 3, 2, 0x101, 0, 1, 0))


def configuration(format):
    """The descriptors of a camera with this format."""
    formats = (
        struct.pack("<BBBBB16sBBBBBB", 27, 0x24, 4, 1, 1, format, 16, 1, 0, 0, 0, 0)
        + struct.pack("<BBBBBHHIIIIBI", 30, 0x24, 5, 1, 0, WIDTH, HEIGHT, FRAME * 8 * RATE,
                      FRAME * 8 * RATE, FRAME, INTERVAL, 1, INTERVAL)
        + struct.pack("<BBBBBB", 6, 0x24, 13, 1, 1, 4))
    interfaces = (
        struct.pack("<BBBBBBBB", 8, 11, 0, 2, 14, 3, 0, 0)
        + struct.pack("<BBBBBBBBB", 9, 4, 0, 0, 0, 14, 1, 0, 0)
        + struct.pack("<BBBHHIBB", 13, 0x24, 1, 0x100, 13 + len(TERMINALS), 10**6, 1, 1) + TERMINALS
        + struct.pack("<BBBBBBBBB", 9, 4, 1, 0, 1, 14, 2, 0, 0)
        + struct.pack("<BBBBHBBBBBBBB", 14, 0x24, 1, 1, 14 + len(formats), 0x81, 0, 2, 0, 0, 0, 1, 0)
        + formats + struct.pack("<BBBBHB", 7, 5, 0x81, 2, 512, 0))
    return struct.pack("<BBHBBBBB", 9, 2, 9 + len(interfaces), 2, 1, 0, 0x80, 50) + interfaces


DEVICE = struct.pack("<BBHBBBBHHHBBBB", 18, 1, 0x200, 0xEF, 2, 1, 64, 0x1209, 1, 0x100, 0, 1, 2, 1)
PROBE = struct.pack("<HBBIHHHHHII", 1, 1, 1, INTERVAL, 0, 0, 0, 0, 0, FRAME, PAYLOAD)


def text(words):
    """A string descriptor."""
    return struct.pack("<BB", 2 + 2 * len(words), 3) + words.encode("utf-16-le")


DESCRIPTORS = {
    0x100: DEVICE, 0x300: struct.pack("<BBH", 4, 3, 0x409),
    0x301: text("Camera in software"), 0x302: text("0001")}


class Stall(Exception):
    """The camera does not know the request."""


class USBCamera:
    """A camera that is plugged in, for a `with` statement."""

    def __init__(self, format=YUY2, picture=lambda number: bytes([128]) * FRAME):
        """`picture` makes the bytes of each frame from its number."""
        self.descriptors = {**DESCRIPTORS, 0x200: configuration(format)}
        self.picture = picture
        self.mode = bytes([APERTURE_PRIORITY])
        self.exposure = struct.pack("<I", 300)  # in units of 100 µs
        # The camera's own clock wraps around its 32 bits within a test.
        self.clock_offset = 2**32 - FREQUENCY * (time.monotonic_ns() // 10**9 + 15)
        self.captures = {}  # the moments of captures, nanoseconds, by the camera's own clock
        self.waiting = []  # requests for the video's bytes: number, length
        self.changed = threading.Condition()

    def __enter__(self):
        self.socket, other = socket.socketpair()
        (HOST / "attach").write_text(f"0 {other.fileno()} 1 {HIGH_SPEED}")
        other.close()
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.serve, self.film)]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        (HOST / "detach").write_text("0")
        self.socket.shutdown(socket.SHUT_RDWR)
        with self.changed:
            self.waiting = None
            self.changed.notify_all()
        for thread in self.threads:
            thread.join()
        self.socket.close()

    def device(self):
        """The path of the device, once the driver has made it."""
        end = time.monotonic() + PATIENCE
        while not (names := [path.name for path in DEVICES.glob("video*") if self.is_video(path)]):
            assert time.monotonic() < end, "uvcvideo has not found the camera"
            time.sleep(0.05)
        return f"/dev/{names[0]}"

    @staticmethod
    def is_video(path):
        """Whether this is the driver's device for pictures. Its second one is for metadata."""
        driver = path / "device/driver"
        return driver.resolve().name == "uvcvideo" and (path / "index").read_text() == "0\n"

    def read(self, count):
        return self.socket.recv(count, socket.MSG_WAITALL) if count else b""

    def reply(self, kind, number, status, data=b"", length=None):
        length = len(data) if length is None else length
        header = struct.pack(">IIIIIiiIII8x", kind, number, 0, 0, 0, status, length, 0, 0, 0)
        # One reply at a time, and none when the host has detached.
        with self.changed, contextlib.suppress(BrokenPipeError):
            self.socket.sendall(header + data)

    def serve(self):
        """Answers the host until it detaches."""
        while len(header := self.read(48)) == 48:
            kind, number, _, is_read, endpoint, _, length = struct.unpack(">IIIIIII", header[:28])
            if kind == UNLINK:
                self.unlink(number, struct.unpack(">I", header[20:24])[0])
                continue
            data = b"" if is_read else self.read(length)
            if endpoint:
                with self.changed:
                    self.waiting.append((number, length))
                    self.changed.notify_all()
                continue
            try:
                answer = self.control(header[40:], data)[:length]
            except Stall:
                self.reply(SUBMITTED, number, -errno.EPIPE)
            else:
                self.reply(SUBMITTED, number, 0, answer, None if is_read else length)

    def unlink(self, number, wanted):
        with self.changed:
            left = [request for request in self.waiting if request[0] != wanted]
            is_found = len(left) < len(self.waiting)
            self.waiting = left
            self.reply(UNLINKED, number, -errno.ECONNRESET if is_found else 0)

    def control(self, setup, data):
        """The answer to a request on the control endpoint."""
        form, request, value, index, _ = struct.unpack("<BBHHH", setup)
        if form & 0x60 == 0:
            if request == 6:
                return self.known(self.descriptors, value)
            return bytes(2) if form & 0x80 else b""
        if index & 0xFF == 1:
            return self.known({GET_LENGTH: b"\x1a\0", GET_INFORMATION: b"\3", SET_CURRENT: b""}, request, PROBE)
        if (index >> 8, value >> 8) == (1, 2):
            if request == SET_CURRENT:
                self.mode = data
            return self.known({
                SET_CURRENT: b"", GET_CURRENT: self.mode, GET_INFORMATION: b"\3", GET_LENGTH: b"\1\0",
                GET_RESOLUTION: bytes([MANUAL | APERTURE_PRIORITY]), GET_DEFAULT: bytes([APERTURE_PRIORITY])}, request)
        if (index >> 8, value >> 8) == (1, 4):
            if request == SET_CURRENT:
                self.exposure = data
            limits = {GET_MINIMUM: 1, GET_MAXIMUM: 10000, GET_RESOLUTION: 1, GET_DEFAULT: 300}
            return self.known({
                SET_CURRENT: b"", GET_CURRENT: self.exposure, GET_INFORMATION: b"\3", GET_LENGTH: b"\4\0",
                **{key: struct.pack("<I", limit) for key, limit in limits.items()}}, request)
        raise Stall

    @staticmethod
    def known(answers, key, otherwise=None):
        answer = answers.get(key, otherwise)
        if answer is None:
            raise Stall
        return answer

    def ticks(self, nanoseconds):
        """The camera's own clock."""
        return (nanoseconds * FREQUENCY // 10**9 + self.clock_offset) % 2**32

    def film(self):
        """Sends frames while the host asks for them."""
        toggle, due, number = 0, time.monotonic(), 0
        while True:
            toggle ^= 1
            picture = self.picture(number)
            number += 1
            due = max(due + 1 / RATE, time.monotonic())
            captured = None
            while picture:
                with self.changed:
                    while self.waiting == []:
                        self.changed.wait()
                    if self.waiting is None:
                        return
                    if len(picture) == FRAME and (early := due - time.monotonic()) > 0:
                        self.changed.wait(early)
                        continue
                    request, length = self.waiting.pop(0)
                    now = time.monotonic_ns()
                    if captured is None:
                        captured = self.ticks(now)
                        self.captures[captured] = now
                    part, picture = picture[:length - 12], picture[length - 12:]
                    flags = 0x80 | toggle | (0 if picture else 2) | HAS_CAPTURED | HAS_READING
                    header = struct.pack(
                        "<BBIIH", 12, flags, captured, self.ticks(now), now // 10**6 % 2048)
                    self.reply(SUBMITTED, request, 0, header + part)
