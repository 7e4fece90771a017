"""Processes that run units and may be killed, forked from one that has imported the package."""

import json
import os
import subprocess
import sys
import time

from classica.children.processes import is_over

SCRIPT = """
import json, os, sys
from classica.evaluation.runs import Plan, run_units
for line in sys.stdin:
    folder, record = json.loads(line)
    pid = os.fork()
    if pid == 0:
        run_units(folder, Plan.from_record(record), workers=2)
        os._exit(0)
    print(pid, flush=True)
    os.waitpid(pid, 0)
"""


class Launcher:
    """Starts one process at a time."""

    def __enter__(self):
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT],
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

    def start(self, folder, plan):
        """Return the number of a process that carries out a plan."""
        self._process.stdin.write(json.dumps([str(folder), plan.record()]) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


def kill(pid):
    """Kill a process and wait until it is over."""
    os.kill(pid, 9)
    while not is_over(pid):
        time.sleep(0.001)
