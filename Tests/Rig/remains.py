"""A rig that is killed leaves no process, no namespace, no interface and no file"""

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from harness.record import PATIENCE


def spaces():
    """The namespaces that processes of this machine are in."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/ns/*"):
        try:
            found.add(os.readlink(link))
        except OSError:
            pass  # it has ended
    return found


def interfaces():
    return {line.split(":")[0].strip() for line in Path("/proc/net/dev").read_text().splitlines()[2:]}


def start(count):
    """Starts a rig in a harness of its own. Returns it and what it says it has made."""
    harness = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("run")), "idle", "--nodes", str(count)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line in harness.stdout:
        if line.startswith("{"):
            return harness, json.loads(line)
    raise AssertionError(f"the rig ended with {harness.wait(PATIENCE)}")


def run(trial, chosen):
    count = chosen.nodes or trial.pick(8, 2)
    old_spaces, old_interfaces = spaces(), interfaces()
    harness, made = start(count)
    with harness:
        new = set(made["spaces"]) - old_spaces
        # Those of the harness for the network and mounts, and of each machine for the network and the clock.
        assert len(new) == 2 + 2 * count, f"namespaces: {sorted(new)}"
        assert new <= spaces()
        ends = {os.pidfd_open(process): process for process in made["processes"]}
        harness.send_signal(signal.SIGKILL)
        poll = select.poll()
        for end in ends:
            poll.register(end, select.POLLIN)
        while ends:
            ready = poll.poll(PATIENCE * 1000)
            assert ready, f"these processes outlive the rig: {sorted(ends.values())}"
            for end, _ in ready:
                poll.unregister(end)
                del ends[end]
                os.close(end)
    assert not new & spaces(), f"these namespaces outlive the rig: {sorted(new & spaces())}"
    assert interfaces() == old_interfaces, f"new interfaces: {sorted(interfaces() - old_interfaces)}"
    trial.figure(f"{len(made['processes'])} processes and {len(new)} namespaces are gone")
