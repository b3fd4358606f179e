"""Runs cases in `cases/` inside a guest: the named ones, or those that the other guest, which runs at the same time,
has not taken. Prints `ok NAME` or `not ok NAME: reason` for each, how long each file took, and a count at the end.

A case's name is the first line of its docstring. Every step of a table (`subTest`) counts as a
case.
"""

import faulthandler
import subprocess
import sys
import time
import unittest
from pathlib import Path


# Seconds until a file of cases counts as hung. On a quiet machine none takes a third of it.
PATIENCE = 1200


class Report(unittest.TestResult):
    """Prints a line for each case when it ends."""

    def __init__(self):
        super().__init__()
        self.passed = self.failed = 0

    def record(self, name, reason=None):
        if reason is None:
            self.passed += 1
            print(f"ok {name}", flush=True)
        else:
            self.failed += 1
            print(f"not ok {name}: {reason}", flush=True)
            for line in kernel_messages():
                print(f"# kernel: {line}", flush=True)

    def addSuccess(self, test):
        if not test.steps_counted:
            self.record(name_of(test))

    def addSubTest(self, test, step, error):
        test.steps_counted = True
        values = " ".join(str(value) for value in step.params.values())
        self.record(f"{name_of(test)} [{values}]", error and reason_of(error))

    def addSkip(self, test, reason):
        print(f"# skipped {name_of(test)}: {reason}", flush=True)

    def addFailure(self, test, error):
        self.record(name_of(test), reason_of(error))

    def addError(self, test, error):
        self.record(name_of(test), reason_of(error))


def kernel_messages():
    """The kernel's last ones: it says so when a program died of a signal, or a driver failed."""
    return subprocess.run(["dmesg"], capture_output=True, text=True, check=True).stdout.splitlines()[-5:]


def name_of(test):
    return test.shortDescription() or str(test)


def reason_of(error):
    """The exception in one line, with the line of the case where it was raised."""
    kind, value, trace = error
    line = trace.tb_lineno
    while trace:
        if "cases" in trace.tb_frame.f_code.co_filename:
            line = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{line}: {kind.__name__}: {' '.join(str(value).split())}"


def takes(case):
    """Whether this guest is the one to run it. Both see the same folder."""
    try:
        Path("/out", case).mkdir()
    except FileExistsError:
        return False
    return True


def main(names):
    unittest.TestCase.steps_counted = False
    folder = Path(__file__).parent
    sys.path.insert(0, str(folder))
    report = Report()
    for path in sorted((folder / "cases").glob("*.py")):
        if path.stem in names if names else takes(path.stem):
            begun = time.monotonic()
            # It says where, and ends this guest; the other one takes what is left.
            faulthandler.dump_traceback_later(PATIENCE, exit=True)
            unittest.defaultTestLoader.discover(str(folder / "cases"), path.name).run(report)
            faulthandler.cancel_dump_traceback_later()
            print(f"# {path.stem}: {time.monotonic() - begun:.0f} s", flush=True)
    print(f"{report.passed} passed, {report.failed} failed", flush=True)
    return 0 if report.passed and not report.failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
