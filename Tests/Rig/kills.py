"""A shot is all or none, whoever is killed at which moment, and leaves nothing reserved

The controller or one of the nodes is killed at a random moment of the shot, with SIGKILL.
"""

import json
import shutil
import subprocess
import time

from camerabus import CameraBus, Range, messages
from harness.record import PATIENCE
from rig.rig import Rig
from rig.shooting import Camera, RigCaptures
from rig.space import FILES

RATE = 30
# After so long the lease of a controller that is gone has ended, seconds.
TERM = 10
# A shot takes so long, seconds; later kills hit nothing.
LONGEST = 0.4
# How long the rig waits for a node that is gone, seconds.
PATIENCE_OF_RIG = 5
TOPIC = "event/_node/shot/"
ENDS = ("completed", "failed", "aborted", "expired")


def ask(member):
    return CameraBus(member.control, timeout=PATIENCE)


def await_free(member):
    """Waits until nobody has a camera of a node."""
    end = time.monotonic() + TERM + PATIENCE
    with ask(member) as bus:
        while any(camera.HasField("lease") for camera in bus.status().cameras):
            assert time.monotonic() < end, f"{member.name} is leased for longer than the term"
            time.sleep(0.05)


def histories(member):
    """The events of each shot that the node has told, by the shot."""
    with ask(member) as bus:
        events = bus.replay([Range(TOPIC, 1, 0)]).events
    told = {}
    for event in events:
        shot = messages.Event.FromString(event.payload).shot
        told.setdefault(shot.shot, []).append(shot.WhichOneof("body"))
    return told


def check_node(member):
    """Checks that each of the node's shots has ended once, and has one photo if it is complete and else none.
    Returns the shots with a photo.
    """
    taken = set()
    for shot, steps in histories(member).items():
        assert steps[0] == "prepared" and steps[-1] in ENDS, f"{member.name}: {shot.hex()} went {steps}"
        assert sum(step in ENDS for step in steps) == 1, f"{member.name}: {shot.hex()} ended several times: {steps}"
        assert ("committed" in steps) == (steps[-1] in ("completed", "failed")), f"{member.name}: {shot.hex()} went {steps}"
        if steps[-1] == "completed":
            taken.add(shot)
    with ask(member) as bus:
        assets = list(bus.all_assets())
    assert len({asset.request_id for asset in assets}) == len(assets), f"{member.name} has a photo twice"
    assert len(assets) >= len(taken), f"{member.name} lacks photos"
    return taken


def round_of(trial, rig, number):
    """Takes a shot and kills somebody meanwhile. Returns whom, and how the shot ended."""
    folder = FILES / f"kill {number}"
    captures = RigCaptures(rig.members, FILES)
    victim = trial.random.choice([None, *rig.members])
    process = subprocess.Popen(captures.command(folder, PATIENCE_OF_RIG), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(trial.random.uniform(0, LONGEST))
    try:
        if victim:
            victim.node.kill()
            out, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.communicate()
    others = [member for member in rig.members if member is not victim]
    for member in others:
        await_free(member)
    taken = {member.name: check_node(member) for member in others}
    if not victim:
        shutil.rmtree(folder, ignore_errors=True)
        return "the controller", "killed"
    victim.node.start()
    shot = json.loads(out)
    this = bytes.fromhex(shot["shot"])
    pictures = {part["camera"] for part in shot["parts"] if "picture" in part}
    missing = {part["camera"] for part in shot["parts"] if "problem" in part}
    files = {file.stem for file in folder.glob("*.jpg")} - {"contact-sheet"}
    assert files == pictures - missing, f"{files} are there, not {pictures} without {missing}: {errors}"
    if shot["outcome"] == "abandoned":
        assert not pictures and not any(this in shots for shots in taken.values()), "an abandoned shot was taken"
        assert victim.name in missing, f"{missing} are named, and {victim.name} was killed"
    else:
        assert pictures | missing == {member.name for member in rig.members}, f"somebody is neither: {shot}"
    if shot["outcome"] == "incomplete":
        assert missing == {victim.name}, f"{missing} are named, and {victim.name} was killed"
        assert all(this in shots for shots in taken.values()), "a node that was not killed took nothing"
    elif shot["outcome"] == "complete":
        assert not missing
    shutil.rmtree(folder)
    return "a node", shot["outcome"]


def run(trial, chosen):
    count = chosen.nodes or 3
    interval = 10 ** 9 // RATE
    cameras = [Camera(RATE, trial.random.randrange(interval)) for _ in range(count)]
    ends = {}
    with Rig(count, lambda number: cameras[number].specification, trial.random) as rig:
        for number in range(trial.rounds(200, 4)):
            end = round_of(trial, rig, number)
            ends[end] = ends.get(end, 0) + 1
    for (victim, outcome), times in sorted(ends.items()):
        trial.figure(f"{victim} was killed, and the shot was {outcome}: {times}")
