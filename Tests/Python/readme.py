"""Runs the programs of the Python client's README against a node, with the Python that runs this.

The package has to be installed there. With `--extract FOLDER` it only writes them into a folder.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from node import Node

README = Path(__file__).resolve().parents[2] / "Protocol" / "python" / "README.md"
DEFAULT = "tcp://127.0.0.1:5570"
PATIENCE = 120  # seconds


def programs() -> list[str]:
    found = re.findall(r"^```python\n(.*?)^```", README.read_text(), re.DOTALL | re.MULTILINE)
    assert len(found) >= 3 and all(DEFAULT in program for program in found), "the README has no programs"
    return found


def fill_ring(node: Node) -> None:
    """Waits for frames, because the first program asks for a photo of the past."""
    from camerabus import CameraBus

    with CameraBus(node.control) as bus, bus.frames() as frames:
        for _ in range(20):
            assert frames.next(PATIENCE), "the camera sends no frames"


def run(folder: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    where = "import camerabus; print(camerabus.__file__)"
    installed = subprocess.run(
        [sys.executable, "-c", where], cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout
    assert installed.startswith(sys.prefix), f"this is not the installed package: {installed}"
    with Node("cam=synthetic:640x480@30,format=NV12") as node:
        fill_ring(node)
        for number, program in enumerate(programs(), 1):
            done = subprocess.run(
                [sys.executable, "-c", program.replace(DEFAULT, node.control)], cwd=folder, env=environment,
                capture_output=True, text=True, timeout=PATIENCE)
            assert done.returncode == 0, f"program {number} failed: {done.stderr}"
            print(f"program {number}: {done.stdout.splitlines()[0]}")
    assert (folder / "still.jpg").read_bytes()[:2] == b"\xff\xd8", "the first program wrote no photo"


if __name__ == "__main__":
    if sys.argv[1:2] == ["--extract"]:
        for index, text in enumerate(programs(), 1):
            (Path(sys.argv[2]) / f"program{index}.py").write_text(text)
    else:
        with tempfile.TemporaryDirectory() as temporary:
            run(Path(temporary))
