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


def camctl(*words):
    """Runs camctl, which must succeed. Returns the objects that it prints."""
    done = subprocess.run([str(PROGRAMS / "camctl"), *words], capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"camctl {words[0]} ended with {done.returncode}: {done.stderr}"
    return [json.loads(line) for line in done.stdout.splitlines()]


def swift(member):
    """What `camctl clock` finds by a burst: the width, and that of the ideal estimator."""
    member.passages()
    (report,) = camctl("clock", "--node", member.control, "--json", "--timeout", "60s")
    least, most = report["offset"]["leastNanoseconds"], report["offset"]["mostNanoseconds"]
    check_truth(member, least, most)
    assert not report["isChanged"], f"{member.name}: a clock was changed"
    return most - least, ideal(turns(member.passages())[-BURST:])


def check_wall_clocks(trial, rig):
    """Checks that `camctl clock` and a rig use the wall clocks if both machines have bounds, here 1 ms each: then a slow link
    does not matter.
    """
    nodes = [word for member in rig.members for word in ("--node", member.control)]
    words = ["--json", "--timeout", "60s", "--clock-error", "1ms"]
    offsets = [told["clock"] for told in camctl("rig", "status", *nodes, *words)]
    offsets += [camctl("clock", "--node", member.control, *words)[0]["offset"] for member in rig.members]
    for member, offset in zip(rig.members * 2, offsets, strict=True):
        check_truth(member, offset["leastNanoseconds"], offset["mostNanoseconds"])
    widths = [offset["mostNanoseconds"] - offset["leastNanoseconds"] for offset in offsets]
    trial.figure(f"wall clocks with bounds of 1 ms over this link: {min(widths) / MS:.2f} to {max(widths) / MS:.2f} ms")
    # Both bounds on each side, the drift in the meantime, and what it takes to read two clocks.
    assert max(widths) < 10 * MS, "the wall clocks do not count"


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
            if manner is MANNERS["jitter"]:
                check_wall_clocks(trial, rig)
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
