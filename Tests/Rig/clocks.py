"""What the clients say of a node's clock is true, and no less precise than twice what the links allow

The clocks of all nodes come from one crystal, so they are off but do not drift. Drift is simulated in the tests of the
estimators, also with exchanges that were recorded here (`--save`).
"""

import json
import os
import subprocess

from harness.record import PATIENCE
from harness.trial import percentile
from rig.estimates import BURST, FIELDS, Follower, check_truth, ideal, turns
from rig.links import MANNERS, MS
from rig.node import PROGRAMS
from rig.rig import Rig

# By how much the width may exceed that of the ideal estimator, which knows how long the link had the bytes of each exchange.
MOST = 2


def swift(member):
    """What `camctl clock` finds by a burst: the width, and that of the ideal estimator."""
    member.passages()
    done = subprocess.run([str(PROGRAMS / "camctl"), "clock", "--node", member.control, "--json", "--timeout", "60s"],
                          capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"camctl clock ended with {done.returncode}: {done.stderr}"
    report = json.loads(done.stdout)
    least, most = report["offset"]["leastNanoseconds"], report["offset"]["mostNanoseconds"]
    check_truth(member, least, most)
    assert not report["isChanged"], f"{member.name}: a clock was changed"
    return most - least, ideal(turns(member.passages())[-BURST:])


def check_widths(trial, name, widths):
    """Checks that the intervals are as narrow as they can be, and reports them."""
    ratios = [width / least for width, least in widths]
    trial.figure(
        f"{name}: {len(widths)} intervals of {min(width for width, _ in widths) / MS:.2f} to "
        f"{max(width for width, _ in widths) / MS:.2f} ms; beside the ideal estimator's median {percentile(ratios, 0.5):.2f}, "
        f"most {max(ratios):.2f}")
    assert max(ratios) <= MOST, f"{name}: {max(ratios):.2f} times as wide as the ideal estimator's"
    # It cannot know more than that, so the figures would be wrong.
    assert min(ratios) >= 1, f"{name}: {min(ratios):.2f} times as wide as the ideal estimator's"


def run(trial, chosen):
    golden = []
    with Rig(chosen.nodes or trial.pick(20, 2), lambda _: "synthetic:160x120@5", trial.random) as rig:
        for manner in MANNERS.values():
            rig.set_links(manner)
            followers = [Follower(member) for member in rig.members]
            for _ in range(trial.rounds(5, 2)):
                for member, follower in zip(rig.members, followers):
                    follower.burst()
                    if manner.breaks:
                        member.reset_link()
            results = [follower.result() for follower in followers]
            for follower in followers:
                follower.close()
            check_widths(trial, f"{manner.name}, Python", [result[:2] for result in results])
            check_widths(trial, f"{manner.name}, Swift", [
                # On a busy machine a whole burst may wait for a processor.
                min((swift(member) for _ in range(trial.rounds(5, 2))), key=lambda widths: widths[0] / widths[1])
                for member in rig.members])
            golden += [{"link": manner.name, **result[2]} for result in results]
        assert len({member.offset for member in rig.members}) == len(rig.members)
    if chosen.save:
        save(golden, chosen.save)


def save(recordings, file):
    """Writes the exchanges of each node over each link, and the truth, one exchange a line."""
    text = json.dumps({"fields": FIELDS, "recordings": [{**one, "exchanges": []} for one in recordings]}, indent=1)
    for one in recordings:
        lines = ",\n    ".join(json.dumps(exchange) for exchange in one["exchanges"])
        text = text.replace('"exchanges": []', f'"exchanges": [\n    {lines}\n   ]', 1)
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    temporary.write_text(text + "\n")
    temporary.rename(file)
