"""Read Parquet files in a separate process first.

A damaged file can kill the process that decodes it: a corrupt length requests more memory than there is, and
polars aborts. Therefore another process reads the file first. It is started once and reused; one that has
ended is replaced.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from functools import cache
from typing import Any

#: After reading this many cells the process is ended, because it would keep hundreds of megabytes.
_LARGE = 2**22

#: The program of the other process.
_PROGRAM = """
import json, sys
import polars as pl
for line in sys.stdin:
    files, limit = json.loads(line)
    try:
        lazy = pl.scan_parquet(files, glob=False)
        width = len(lazy.collect_schema())
        height = int(lazy.select(pl.len()).collect().item())
        answer = {"height": height, "width": width}
        nested = any(dtype.is_nested() or dtype == pl.Object for dtype in lazy.collect_schema().values())
        if height * width * 8 <= limit and width and not nested:
            lazy.select(pl.all().hash().max()).collect(engine="streaming")
    except BaseException as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
"""


class Trial:
    """The other process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None

    def read(self, files: list[str], limit: int) -> dict[str, Any]:
        """Return the numbers of rows and columns, or the error."""
        with self._lock:
            process = self._process = self._process or _started()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                process.stdin.write(json.dumps([files, limit]) + "\n")
                process.stdin.flush()
                answer = process.stdout.readline()
            except BrokenPipeError:
                answer = ""
            if answer:
                reply: dict[str, Any] = json.loads(answer)
                if reply.get("height", 0) * reply.get("width", 0) >= _LARGE:
                    self.end()
                return reply
            self.end()
            return {"error": "it ends the process that reads it"}

    def end(self) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _started() -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@cache
def _trial_of(process: int) -> Trial:
    trial = Trial()
    atexit.register(trial.end)
    return trial


def try_parquet(files: list[str], limit: int) -> dict[str, Any]:
    """Read Parquet files in another process; return the numbers of rows and columns, or the error."""
    # After a fork the pipes belong to the parent, so a child starts its own process.
    # Absolute, because the other process has its own working directory.
    return _trial_of(os.getpid()).read([os.path.abspath(file) for file in files], limit)
