"""A node that is killed while clients change a camera starts as before the change or as after it, never in between."""

import contextlib
import threading
import time

from camerabus import CameraBus, CameraBusError, messages

from harness.node import Node
from harness.processes import PATIENCE

CAMERA = "cam=synthetic:640x480@30,format=YUYV"
LONGEST = 0.02  # seconds from the request to the kill


def run(trial):
    rounds = trial.rounds(200, 25)
    seen = {"before": 0, "after": 0}
    # The twin gets the same changes, and nobody kills it.
    with Node(CAMERA, options=["--remember"]) as node, Node(CAMERA, options=["--remember"]) as twin:
        for number in range(rounds):
            with CameraBus(twin.control, timeout=PATIENCE) as bus:
                before = state_of(bus)
                change = change_of(trial)
                refused = make(bus, change)
                after = state_of(bus)
            answered = kill_amid(trial, node, change)
            # Nobody connects again, and another program may have taken the ports.
            node.control = node.events = node.frames = "tcp://127.0.0.1:0"
            node.start()
            with CameraBus(node.control, timeout=PATIENCE) as bus:
                state = state_of(bus)
                assert state in (before, after), f"round {number}: {change}: {differences(state, before, after)}"
                # A change that changes nothing is both.
                seen["after" if state == after else "before"] += 1
                assert not answered or state == after, f"round {number}: {change} was answered and is lost"
                if state != after:
                    assert make(bus, change) == refused, f"round {number}: {change}"
                    assert state_of(bus) == after, f"round {number}: {change}: {differences(state_of(bus), before, after)}"
        trial.figure(f"{rounds} changes, the node killed in each: as after it {seen['after']} times, "
                     f"as before it {seen['before']} times, in between never")


def kill_amid(trial, node, change):
    """Asks for the change, and kills the node at a random moment. Returns whether it has answered."""
    ready, answers = threading.Event(), []

    def ask():
        with contextlib.suppress(CameraBusError), CameraBus(node.control, timeout=1) as bus:
            bus.status()
            ready.set()
            make_or_fail(bus, change)
            answers.append(True)

    thread = threading.Thread(target=ask)
    thread.start()
    assert ready.wait(PATIENCE)
    time.sleep(trial.random.uniform(0, LONGEST))
    answered = bool(answers)
    node.kill()
    # The client must not change the node after its restart, and ends when its time is over.
    thread.join(PATIENCE)
    assert not thread.is_alive(), "the client does not end without its node"
    return answered


def make_or_fail(bus, change):
    kind, arguments = change
    getattr(bus, kind)(**arguments)


def make(bus, change):
    """Makes a change. Returns the code with which it was refused, if it was."""
    try:
        make_or_fail(bus, change)
    except CameraBusError as error:
        return error.code
    return None


def state_of(bus):
    """All that a client can change: format, configuration, controls and what is remembered."""
    (camera,) = bus.status().cameras
    controls = {
        control.id: control.value.SerializeToString() for control in bus.controls()
        if not (control.volatile or control.read_only or control.write_only or control.inactive)
        and not control.id.startswith("inject_")}
    parts = {"format": camera.format, "configuration": camera.configuration, "remembered": camera.remembered}
    return {**{name: part.SerializeToString(deterministic=True) for name, part in parts.items()},
            "subject area": camera.subject_area_threshold, "refusals": len(camera.refusals), **controls}


def differences(state, before, after):
    return {name: (state[name], before.get(name), after.get(name)) for name in state
            if state[name] not in (before.get(name), after.get(name))} or {
                name: "as before" if state[name] == before.get(name) else "as after" for name in state
                if before.get(name) != after.get(name)}


def change_of(trial):
    """A random change of one thing or of many, which the node may refuse."""
    choose = trial.random
    settings = {
        "brightness": choose.randrange(256), "contrast": choose.randrange(256), "horizontal_flip": choose.random() < 0.5,
        "zoom": choose.choice([1.0, 2.0, 5.5]), "exposure.mode": choose.choice(["auto", "locked"]),
        "exposure.duration": choose.choice([0.001, 0.02]), "focus.position": choose.choice([0.0, 0.25, 1.0]),
        "white_balance.kelvin": float(choose.randrange(3000, 6000)), "torch.mode": choose.choice(["off", "on"]),
        "point_of_interest": (0.25, 0.75), "no_such_control": 1}
    weights = [0.1 if name == "no_such_control" else 1 for name in settings]
    names = {choose.choices(list(settings), weights)[0] for _ in range(choose.randrange(5))}
    controls = {name: settings[name] for name in names}
    if controls and choose.random() < 0.4:
        return "set_controls", {"settings": controls}
    parts = {
        "size": choose.choice([(320, 240), (640, 480), (176, 144)]), "pixel_format": choose.choice(["YUYV", "MJPG", "GREY"]),
        "preset": choose.choice(["medium", "low", "hd1280x720"]), "mode": choose.choice(["photo", "video"]),
        "rates": choose.choice([(5, 15), (30, 30), (10, 60)]), "rotation": choose.choice([0, 90, 180, 270]),
        "mirrored": choose.random() < 0.5, "preview_rotation": choose.choice([0, 90]),
        "preview_mirrored": choose.random() < 0.5, "subject_area": choose.choice([0.0, 0.25, 0.5]),
        "streams": [messages.StreamSettings(
            stream=choose.choice(["preview", "full", "320x240"]), quality=choose.choice([0, 30, 60]),
            maximum_rate=choose.choice([0, 5]), enabled=choose.random() < 0.7)]}
    chosen = choose.sample(list(parts), choose.randrange(1, 5))
    return "configure", {**{name: parts[name] for name in chosen}, "controls": controls}
