"""Processes that a run should not have left."""

import hashlib
import os
import time
from pathlib import Path


def processes_of(folder):
    """Return the live processes that were forked from the server of a run folder."""
    mark = b"CLASSICA_RUN=" + hashlib.sha256(os.fsencode(Path(folder).resolve())).hexdigest().encode()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdecimal() and mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def wait_until_none(folder, seconds=5.0):
    """Return whether they are all gone within some seconds."""
    until = time.monotonic() + seconds
    while processes_of(folder) and time.monotonic() < until:
        time.sleep(0.01)
    return not processes_of(folder)
