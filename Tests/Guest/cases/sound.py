"""Tests the sound of movies with ALSA's Loopback, which captures what is played into it.

The beeps are played at whole seconds of CLOCK_MONOTONIC, by the stamps of the playing side, and each picture of the synthetic camera
shows when it was taken, on the same clock. So the file says by itself how far sound is from the pictures.
"""

import contextlib
import ctypes
import os
import random
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import numpy

from programs import PATIENCE, Node, output_of
from strips import read_strip

RATE = 48_000
WIDTH, HEIGHT = 160, 120
INTERVAL = 0.1  # of the camera's frames, seconds
# Half an interval of a camera with 30 frames a second.
TOLERANCE = 0.5 / 30
CAPTURED = "hw:CARD=Loopback,DEV=1,SUBDEV=0"
CAPTURE = 1  # the direction, for ALSA
MICROPHONE = f"desk=alsa:{CAPTURED}"
PLAYER = "hw:CARD=Loopback,DEV=0,SUBDEV=0"
DRIVER = Path("/sys/bus/platform/drivers/snd_aloop")


@contextlib.contextmanager
def beeps():
    """Plays beeps into the loopback."""
    beeper = Path(__file__).parents[1] / "beeper.py"
    with subprocess.Popen([sys.executable, beeper, PLAYER], stdout=subprocess.PIPE, text=True) as player:
        try:
            assert player.stdout.readline() == "plays\n", "the beeper plays nothing"
            yield player
        finally:
            player.terminate()


@contextlib.contextmanager
def held():
    """Has the microphone open, as another program would."""
    alsa, device = ctypes.CDLL("libasound.so.2"), ctypes.c_void_p()
    assert alsa.snd_pcm_open(ctypes.byref(device), CAPTURED.encode(), CAPTURE, 0) == 0
    try:
        yield
    finally:
        alsa.snd_pcm_close(device)


def decoded(movie, *options):
    command = ["ffmpeg", "-v", "error", "-i", movie, *options, "-"]
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, timeout=PATIENCE).stdout


def offsets(movie):
    """How much later than the pictures each beep of a movie is, in seconds."""
    pixels = decoded(movie, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24")
    pictures = numpy.frombuffer(pixels, numpy.uint8).reshape((-1, HEIGHT, WIDTH, 3))
    moments = [read_strip(picture.astype(numpy.int32)).monotonic_ns / 1e9 for picture in pictures]
    lines = output_of("ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
                      movie).split()
    times = [float(line.rstrip(",")) for line in lines]
    assert len(times) == len(moments) > 10, (len(times), len(moments))
    sound = decoded(movie, "-vn", "-ac", "1", "-ar", RATE, "-af", "aresample=async=1:first_pts=0", "-f", "s16le")
    loud = numpy.flatnonzero(numpy.abs(numpy.frombuffer(sound, "<i2").astype(numpy.int32)) > 3000)
    begins = loud[numpy.flatnonzero(numpy.diff(loud, prepend=-RATE) > RATE // 2)] / RATE
    found = []
    for begin in begins:
        # The first one may have begun before the movie.
        if 0.2 < begin < times[-1]:
            moment = float(numpy.interp(begin, times, moments))
            found.append(moment - round(moment))
    return found


class Sound(unittest.TestCase):
    def node(self):
        return Node(f"cam=synthetic:{WIDTH}x{HEIGHT}@10,format=YUYV", options=["--microphone", MICROPHONE])

    def check(self, movie, least):
        found = offsets(movie)
        print(f"# {movie.name}: beep minus flash " + " ".join(f"{1000 * each:.1f}" for each in found) + " ms", flush=True)
        in_step = [each for each in found if abs(each) < TOLERANCE]
        self.assertGreaterEqual(len(in_step), least, found)
        # The player or the microphone may stand still for a while on the emulated processor.
        self.assertLess(len(found) - len(in_step), 1 + len(found) / 4, found)

    def test_kinds(self):
        """Sound of a loopback is in step with the pictures, in each container and codec"""
        with beeps(), self.node() as node:
            (listed,) = node.json("microphones")
            self.assertIn("hw:CARD=Loopback,DEV=1", [device["device"] for device in listed["devices"]])
            for container in ("mp4", "mkv"):
                for codec in ("aac", "opus"):
                    with self.subTest(container=container, codec=codec):
                        movie = node.folder / f"{codec}.{container}"
                        *_, result = node.json(
                            "record", "--duration", 8, "--sound", "--sound-codec", codec, "--codec", "h264", "--output", movie)
                        # Where the guest stands still, sound is lost, and the movie says so.
                        self.assertLess(result["sound"]["silentNanoseconds"], 4 * 10**9, result)
                        self.check(movie, 3)

    def test_drift(self):
        """A loopback that is a thousandth too slow stays in step, and the movie says how fast it is"""
        control = ["amixer", "--quiet", "--card", "Loopback", "cset", "iface=PCM,name=PCM Rate Shift 100000,device=1"]
        output_of(*control, "100100")
        try:
            with beeps(), self.node() as node:
                movie = node.folder / "long.mp4"
                *_, result = node.json("record", "--duration", 60, "--sound", "--codec", "h264", "--output", movie)
                print(f"# drift {result['sound']['driftPPM']:.0f} ppm", flush=True)
                self.assertGreater(abs(result["sound"]["driftPPM"]), 800)
                self.assertLess(abs(result["sound"]["driftPPM"]), 1200)
                # Without the correction 17 of them would be.
                self.check(movie, 40)
        finally:
            output_of(*control, "100000")

    def test_busy(self):
        """While another program has the microphone the movie is silent and says so, and sound comes when it is free"""
        with beeps(), self.node() as node, node.following("events", "--kind", "sound") as events:
            with held():
                refused = node.try_camctl("record", "start", "--sound", "--sound-required")
                self.assertEqual(refused.returncode, 75, refused)
                self.assertIn("another program has the microphone", refused.stderr)
                node.camctl("record", "start", "--sound")
                busy = next(each for each in events if each["type"] == "sound")["sound"]
                self.assertEqual(busy["interruption"]["reason"], "audioDeviceInUse")
            self.assertNotIn("interruption", next(each for each in events if each["type"] == "sound")["sound"])
            time.sleep(5)
            movie = node.folder / "busy.mkv"
            *_, result = node.json("record", "stop", "--output", movie)
            self.assertGreater(result["sound"]["silentNanoseconds"], 0)
            self.check(movie, 3)

    def test_unplugged(self):
        """A microphone that is unplugged at random moments interrupts the sound alone, and is in step when it is back"""
        seed = random.randrange(2 ** 32)
        print(f"# seed {seed}", flush=True)
        chance = random.Random(seed)
        (device,) = [path.name for path in DRIVER.iterdir() if path.name.startswith("snd_aloop")]
        with self.node() as node, node.following("events", "--kind", "sound") as events:
            sounds = (each["sound"] for each in events if each["type"] == "sound")
            with beeps():
                node.camctl("record", "start", "--sound", "--codec", "h264")
                for turn in range(3):
                    time.sleep(chance.uniform(2, 5))
                    (DRIVER / "unbind").write_text(device)
                    gone = next(sounds)
                    self.assertEqual(gone["interruption"]["reason"], "deviceDisconnected", gone)
                    (DRIVER / "bind").write_text(device)
                    with beeps():
                        back = next(sounds)
                        self.assertNotIn("interruption", back)
                        time.sleep(3)
                        if turn == 2:
                            movie = node.folder / "unplugged.mp4"
                            *_, result = node.json("record", "stop", "--output", movie)
            self.assertEqual(result["reason"], "stopped")
            self.assertGreater(result["sound"]["silentNanoseconds"], 0)
            self.check(movie, 3)
            self.assertFalse([each for each in node.opened() if "/dev/snd" in each])

    def test_overrun(self):
        """Samples that were lost while the node stood still are counted, and sound goes on in step"""
        with beeps(), self.node() as node:
            node.camctl("record", "start", "--sound", "--codec", "h264")
            time.sleep(4)
            os.kill(node.process.pid, signal.SIGSTOP)
            time.sleep(3)
            os.kill(node.process.pid, signal.SIGCONT)
            time.sleep(5)
            (microphone,) = node.json("microphones")[0]["microphones"]
            self.assertGreater(microphone["lostSamples"], RATE)
            movie = node.folder / "overrun.mp4"
            node.camctl("record", "stop", "--output", movie)
            self.check(movie, 5)
