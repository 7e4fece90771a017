"""Mutated files with right hashes, by the thousand: refused or loaded, within bounds of time and memory."""

import json
import subprocess
import sys
from collections import Counter

import pytest

from tests.persist.stored import FOLDER


def campaign(runs, seed):
    """Return how many files were refused and loaded; fail if anything else happened."""
    arguments = [sys.executable, "-m", "tests.persist.fuzz", str(runs), str(seed), str(FOLDER)]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 0, f"runs {seed} to {seed + runs}: {done.returncode}: {done.stderr[-2000:]}"
    found = json.loads(done.stdout)
    assert not found["wrong"], found["wrong"]
    return Counter(found["counts"])


def test_a_thousand_files():
    counts = campaign(1000, 0)
    print(f"{counts.total():,} mutated files: {dict(counts)}")
    assert counts.total() == 1000
    assert min(counts["refused"], counts["loaded"]) > 100


@pytest.mark.full
def test_a_million_files():
    total = Counter()
    for seed in range(0, 1_000_000, 20_000):
        total += campaign(20_000, seed)
    print(f"{total.total():,} mutated files: {dict(total)}")
    assert total.total() == 1_000_000
