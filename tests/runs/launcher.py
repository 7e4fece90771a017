"""Processes that may be killed, forked from one that has imported what they need."""

import json
import os
import subprocess
import sys
import time

from classica.children.processes import is_over
from classica.runs import Plan, run_units, server_ahead
from tests.runs.table import TABLE

SCRIPT = """
import importlib, json, os, sys
module, name = sys.argv[1].split(":")
work = getattr(importlib.import_module(module), name)
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        try:
            work(*json.loads(line))
            os._exit(0)
        finally:
            os._exit(70)
    print(pid, flush=True)
    print(os.waitpid(pid, 0)[1], flush=True)
"""


def carry_out(folder, record):
    """Do the units of a plan: what the tests of the engine launch."""
    run_units(folder, TABLE, Plan.from_record(record), workers=2)


def carry_out_ahead(folder, record):
    """Do the same with a server that was started before the run, as the commands do."""
    with server_ahead(folder, TABLE.modules, 2):
        carry_out(folder, record)


class Launcher:
    """Starts one process at a time, which calls a function that is named as ``module:function``."""

    def __init__(self, work="tests.runs.launcher:carry_out"):
        self._work = work
        self._is_running = False

    def __enter__(self):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, self._work],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def start(self, *arguments):
        """Return the number of a process that calls the function with these arguments."""
        if self._is_running:
            self.ended()
        self._process.stdin.write(json.dumps(arguments) + "\n")
        self._process.stdin.flush()
        self._is_running = True
        return int(self._process.stdout.readline())

    def ended(self):
        """Wait until the process that was started last is over, and return its exit code."""
        self._is_running = False
        return os.waitstatus_to_exitcode(int(self._process.stdout.readline()))


def kill(pid):
    """Kill a process and wait until it is over."""
    os.kill(pid, 9)
    while not is_over(pid):
        time.sleep(0.001)
