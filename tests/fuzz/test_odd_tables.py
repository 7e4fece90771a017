"""Damaged tables of every format and odd frames: read, or an error of ours; no crash, no hang, nothing else.

Plain pytest reads a few hundred in one process of their own, ``-m full`` 21,500 files and 3,000 frames. The
counts are printed (``-s``).
"""

import subprocess
import sys

import pytest

from tests.fuzz.odd_tables import FORMATS

FULL = {"csv": 4000, "arff": 4000, "jsonl": 3000, "libsvm": 3000, "parquet": 2500, "excel": 2500, "sql": 2500}


def run(forms, count, seed):
    """Read in a process of its own: what ends or stops it is a failure, not the end of all tests."""
    command = [sys.executable, "-m", "tests.fuzz.odd_tables", ",".join(forms), str(count), str(seed)]
    done = subprocess.run(command, capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.count("'read") >= len(forms)


def test_damaged_tables_of_every_format():
    run([*FORMATS, "frame"], 20, 2)


@pytest.mark.full
@pytest.mark.parametrize("form", FORMATS)
def test_many_damaged_tables(form):
    run([form], FULL[form], 100)


@pytest.mark.full
def test_many_odd_frames():
    run(["frame"], 3000, 100)
