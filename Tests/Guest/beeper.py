"""Plays a beep of 1 kHz in the first tenth of each second of CLOCK_MONOTONIC into an ALSA device, until it is ended.

    beeper.py DEVICE

It prints a line when it plays. When samples are played is what the driver says by its stamps, so it does not matter how
late this program is.
"""

import ctypes
import errno
import math
import os
import sys
from array import array
from collections import deque

RATE = 48_000
CHANNELS, PERIOD = 2, RATE // 10
# How much is written ahead, in microseconds: the processor is emulated.
AHEAD = 2_000_000
# So many stamps say when samples are played.
ENOUGH = 16
SECOND = 1_000_000_000
BEEP = array("h", (int(12_000 * math.sin(2 * math.pi * 1000 * place / RATE)) for place in range(RATE // 10)))
PLAYBACK, S16_LE, INTERLEAVED, ENABLE, MONOTONIC, RUNNING = 0, 2, 3, 1, 1, 3
ALSA = ctypes.CDLL("libasound.so.2")


class Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


def check(status):
    if status < 0:
        ALSA.snd_strerror.restype = ctypes.c_char_p
        raise OSError(-status, ALSA.snd_strerror(status).decode())
    return status


class Player:
    def __init__(self, device):
        self.pcm = ctypes.c_void_p()
        check(ALSA.snd_pcm_open(ctypes.byref(self.pcm), device.encode(), PLAYBACK, 0))
        self.configure()
        self.written = 0
        # Samples that were played, and when.
        self.stamps = deque(maxlen=64)
        self.rate = float(RATE)
        self.plays, self.first_beep = False, None

    def configure(self):
        check(ALSA.snd_pcm_set_params(self.pcm, S16_LE, INTERLEAVED, CHANNELS, RATE, 0, AHEAD))
        buffer, period = ctypes.c_ulong(), ctypes.c_ulong()
        check(ALSA.snd_pcm_get_params(self.pcm, ctypes.byref(buffer), ctypes.byref(period)))
        self.buffer = buffer.value
        software = ctypes.c_void_p()
        check(ALSA.snd_pcm_sw_params_malloc(ctypes.byref(software)))
        check(ALSA.snd_pcm_sw_params_current(self.pcm, software))
        check(ALSA.snd_pcm_sw_params_set_tstamp_mode(self.pcm, software, ENABLE))
        check(ALSA.snd_pcm_sw_params_set_tstamp_type(self.pcm, software, MONOTONIC))
        check(ALSA.snd_pcm_sw_params_set_avail_min(self.pcm, software, ctypes.c_ulong(PERIOD)))
        check(ALSA.snd_pcm_sw_params(self.pcm, software))
        ALSA.snd_pcm_sw_params_free(software)

    def stamp(self):
        """Notes when the sample is played that the driver is at."""
        available, time = ctypes.c_ulong(), Time()
        check(ALSA.snd_pcm_htimestamp(self.pcm, ctypes.byref(available), ctypes.byref(time)))
        played = self.written - (self.buffer - min(available.value, self.buffer))
        if played > 0:
            self.stamps.append((played, time.seconds * SECOND + time.nanoseconds))
        if self.first_beep is not None and played > self.first_beep:
            self.first_beep = None
            print("plays", flush=True)
        if len(self.stamps) == ENOUGH and not self.plays:
            self.first_beep, self.plays = self.written, True

    def moment(self, number):
        """When a sample will be played, in nanoseconds: on a line through the last stamps."""
        count, (first, begin) = len(self.stamps), self.stamps[0]
        samples = [played - first for played, _ in self.stamps]
        times = [time - begin for _, time in self.stamps]
        sample, time = sum(samples) / count, sum(times) / count
        above = sum((a - sample) * (b - time) for a, b in zip(samples, times))
        self.rate = SECOND * sum((a - sample) ** 2 for a in samples) / above
        return begin + time + (number - first - sample) * SECOND / self.rate

    def samples(self):
        """The next period."""
        samples = array("h", bytes(2 * PERIOD))
        if len(self.stamps) >= ENOUGH:
            begin = self.moment(self.written)
            # How many samples ago the last whole second was.
            past = round(begin % SECOND * self.rate / SECOND)
            for place in (-past, round(self.rate) - past):
                first, last = max(0, place), min(PERIOD, place + len(BEEP))
                if first < last:
                    samples[first:last] = BEEP[first - place:last - place]
        return array("h", (sample for sample in samples for _ in range(CHANNELS)))

    def play(self):
        while True:
            samples = self.samples()
            at = samples.buffer_info()[0]
            status = ALSA.snd_pcm_writei(self.pcm, ctypes.c_void_p(at), ctypes.c_ulong(PERIOD))
            if status == -errno.EPIPE:
                # A busy host may let the guest stand still for seconds.
                check(ALSA.snd_pcm_prepare(self.pcm))
                self.written = 0
                self.stamps.clear()
                continue
            check(status)
            self.written += PERIOD
            if ALSA.snd_pcm_state(self.pcm) == RUNNING:
                self.stamp()


if __name__ == "__main__":
    # Before all other programs: the one processor is slow.
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
    Player(sys.argv[1]).play()
