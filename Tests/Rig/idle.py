"""A rig that waits to be killed, for the scenario `remains`; it prints what it has made"""

import json
import os

from rig.rig import Rig


def run(trial, chosen):
    with Rig(chosen.nodes or 2, lambda _: "synthetic:160x120@5", trial.random) as rig:
        machines = [member.node.machine for member in rig.members]
        processes = [rig.relay.pid, *(member.node.process.pid for member in rig.members), *(machine.pid for machine in machines)]
        names = [f"{kind}_for_children" if kind == "time" else kind for kind in ("net", "mnt", "time")]
        spaces = {os.readlink(f"/proc/{process}/ns/{name}") for process in processes for name in names}
        print(json.dumps({"processes": processes, "spaces": sorted(spaces)}), flush=True)
        input()
