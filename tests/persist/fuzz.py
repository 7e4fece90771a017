"""Feeds mutated files to the loader, all in one process: run as a child, because it may crash.

Usage: ``python -m tests.persist.fuzz RUNS SEED FOLDER``; the folder holds good files. Bytes and structure are
changed, lengths and hashes repaired. The output is one JSON object of counts. Memory is limited, and a file
that takes too long ends the process.
"""

import json
import os
import resource
import signal
import struct
import sys
import warnings
from collections import Counter
from pathlib import Path

import numpy as np

from classica.errors import ModelFileError
from classica.persist.container import verified
from classica.persist.files import built
from tests.persist.damage import Damage, with_hash

SECONDS = 10
MEMORY = 1 << 30  # beyond what the process has when it starts
_LENGTH, _TEXT = slice(32, 40), slice(24, 32)


def mutated_bytes(random, data):
    """Return a file with some bytes changed, put in or taken out, and the length and hash it should have."""
    body = bytearray(data[:-32])
    for _ in range(1 + int(random.integers(4))):
        # Most of what is worth changing is the header.
        end = len(body) if random.random() < 0.3 else min(len(body), 64 + struct.unpack("<Q", data[_TEXT])[0])
        place = int(random.integers(16, max(end, 17)))
        way = int(random.integers(5))
        if way == 0:
            body[place] ^= 1 << int(random.integers(8))
        elif way == 1:
            body[place] = int(random.choice(list(b'0123456789[]{},:"-eE.\\\0\xff')))
        elif way == 2:
            body[place:place] = random.bytes(int(random.integers(1, 9)))
        elif way == 3:
            del body[place : place + int(random.integers(1, 65))]
        else:
            other = int(random.integers(len(body)))
            body[place : place + 16] = body[other : other + 16]
    if len(body) >= 64:
        body[_LENGTH] = struct.pack("<Q", len(body) + 32)
        if random.random() < 0.5 and len(body) > len(data) - 32:
            old = struct.unpack("<Q", data[_TEXT])[0]
            body[_TEXT] = struct.pack("<Q", old + len(body) - len(data) + 32)
    return with_hash(bytes(body))


def verdict(data):
    try:
        built(verified(memoryview(bytearray(data)), "a file"))
    except ModelFileError:
        return "refused"
    except Exception as error:
        return f"WRONG: {type(error).__name__}: {error}"
    return "loaded"


def limit_memory():
    if "asan" in os.environ.get("LD_PRELOAD", ""):
        return  # it takes terabytes of addresses
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def main(runs, seed, folder):
    warnings.simplefilter("ignore")
    good = [path.read_bytes() for path in sorted(folder.glob("*.classica"))]
    damages = [Damage(data) for data in good]
    counts, wrong = Counter(), []
    assert {verdict(data) for data in good} == {"loaded"}
    limit_memory()
    for number in range(seed, seed + runs):
        random = np.random.default_rng(number)
        which = int(random.integers(len(good)))
        in_bytes = random.random() < 0.5
        data = mutated_bytes(random, good[which]) if in_bytes else damages[which].made(number)[0]
        signal.alarm(SECONDS)
        found = verdict(data)
        signal.alarm(0)
        counts[found.partition(":")[0]] += 1
        if found.startswith("WRONG"):
            wrong.append(f"{number}: {found}")
    print(json.dumps({"counts": counts, "wrong": wrong[:10]}))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
