"""Links between the controller and the machines of a rig: what the relay does, from the harness's side."""

import json
import subprocess
import sys
from pathlib import Path

from harness.record import PATIENCE

MS = 10 ** 6


class Manner:
    """What a link does to bytes: a name, and the `Manner` of the relay for each direction. `breaks` says whether the
    connections are to break now and then, which scenarios do between two things.
    """

    def __init__(self, name, up, down=None, breaks=False):
        self.name, self.up, self.down, self.breaks = name, up, down or up, breaks


# The links on which a rig is tried.
MANNERS = {
    "short": Manner("1 ms", {"delay": MS}),
    "jitter": Manner("20 ms ± 5 ms", {"delay": 20 * MS, "jitter": 5 * MS}),
    "asymmetric": Manner("1 ms and 3 ms", {"delay": MS}, {"delay": 3 * MS}),
    "loss": Manner("5 ms, 2 % lost", {"delay": 5 * MS, "loss": 0.02}, breaks=True),
}


class Passage:
    """Bytes that a link has passed on in one piece."""

    def __init__(self, connection, way, came, passed, count):
        self.connection, self.way, self.came, self.passed, self.count = connection, way, came, passed, count

    @property
    def delay(self):
        return self.passed - self.came


class Relay:
    """The relay's process, for a `with` statement."""

    def __init__(self, seed):
        self._seed = seed

    def __enter__(self):
        self._process = subprocess.Popen(
            [sys.executable, "-E", "-S", str(Path(__file__).with_name("relay.py")), str(self._seed)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    @property
    def pid(self):
        return self._process.pid

    def forward(self, name, listen, target, ports):
        self._do(do="forward", name=name, listen=listen, target=target, ports=ports)

    def set(self, name, manner):
        self._do(do="set", name=name, up=manner.up, down=manner.down)

    def hold(self, name, on):
        """Lets nothing pass any more, or again."""
        self._do(do="hold", name=name, on=on)

    def reset(self, name):
        """Breaks all connections. Returns how many there were."""
        return self._do(do="reset", name=name)

    def passages(self, name, port):
        """What has passed since the last question."""
        return [Passage(*passage) for passage in self._do(do="log", name=name, port=port)]

    def _do(self, **command):
        print(json.dumps(command), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        assert line, f"the relay has ended with {self._process.wait(PATIENCE)}"
        return json.loads(line)
