"""Gives a node cameras whose drivers answer anything, beside a good camera.

    run.py DRIVER OPENINGS    (CAMERABUS_PROGRAMS: the folder of camerad; CAMERABUS_SEED repeats a run)

Rounds of a few seconds follow each other until so many cameras have been opened. In each the node must not crash
or grow, the good camera must go on, and SIGTERM must end the node within five seconds.
"""

import mmap
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from camerabus import CameraBus

CAMERAS = 60
LONGEST_END = 5.0
# Between two frames of the good camera, on a machine that does other things too.
LONGEST_GAP = 1.0
MOST_GROWTH = 50 << 20


def memory(process: int) -> int:
    text = Path(f"/proc/{process}/status").read_text()
    return int(present(re.search(r"RssAnon:\s+(\d+) kB", text))[1]) << 10


def present(match: "re.Match[str] | None") -> "re.Match[str]":
    assert match
    return match


def play(driver: str, seed: int, choice: random.Random, folder: Path) -> str:
    cameras = [word for index in range(CAMERAS) for word in ("--camera", f"bad{index}=v4l2:/dev/video{1000 + index}")]
    command = [str(Path(os.environ["CAMERABUS_PROGRAMS"]) / "camerad"), "--keep-trying", "--pressure", "off",
               "--library", str(folder / "library"), "--camera", "good=synthetic:160x120@30", *cameras]
    for endpoint in ("control", "events", "frames"):
        command += [f"--{endpoint}", "tcp://127.0.0.1:0"]
    environment = {**os.environ, "LD_PRELOAD": driver, "FUZZ_SEED": str(seed), "FUZZ_COUNT": str(folder / "count")}
    with open(folder / "log", "w", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=environment, text=True)
    assert process.stdout
    line = process.stdout.readline()
    found = re.search(r"ready control=(\S+)", line)
    assert found, f"the node ended with {process.wait()}: {(folder / 'log').read_text()[-2000:]}"
    length, early = choice.uniform(0.2, 12), 0
    began, last, gap = time.monotonic(), 0, 0.0
    with CameraBus(found[1], timeout=30) as bus, bus.frames("good", stream="raw") as frames:
        for frame in frames:
            moment = frame.info.timestamp.monotonic_ns
            gap = max(gap, (moment - last) / 1e9 if last else 0)
            last = moment
            passed = time.monotonic() - began
            if passed > 2 and not early:
                early = memory(process.pid)
            if passed > length:
                break
    growth = memory(process.pid) - early if early else 0
    process.terminate()
    asked = time.monotonic()
    try:
        status = process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise AssertionError("SIGTERM did not end the node within a minute") from None
    took = time.monotonic() - asked
    process.stdout.close()
    assert status == 0, f"the node ended with {status}: {(folder / 'log').read_text()[-2000:]}"
    assert took <= LONGEST_END, f"the node took {took:.1f} s to end: {(folder / 'log').read_text()[-1500:]}"
    assert gap <= LONGEST_GAP, f"the good camera had no frame for {gap:.2f} s"
    assert growth <= MOST_GROWTH, f"the node grew by {growth >> 20} MiB"
    return f"{length:.1f} s, longest gap {gap * 1000:.0f} ms, grew by {growth >> 10} KiB, ended in {took * 1000:.0f} ms"


def main(driver: str, wanted: int) -> None:
    seed = int(os.environ.get("CAMERABUS_SEED") or random.randrange(1 << 32))
    print(f"CAMERABUS_SEED={seed} repeats this run", flush=True)
    choice = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "count").write_bytes(bytes(8))
        with open(folder / "count", "r+b") as file, mmap.mmap(file.fileno(), 8) as count:
            rounds = 0
            while (opened := int.from_bytes(count[:8], "little")) < wanted:
                said = play(driver, seed + rounds, choice, folder)
                rounds += 1
                print(f"round {rounds}: {opened} cameras before; {said}", flush=True)
        print(f"{opened} cameras in {rounds} rounds")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
