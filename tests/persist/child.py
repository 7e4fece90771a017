"""Loads damaged files one after the other and asks what they say: run as a child, because it may crash.

Usage: ``python -m tests.persist.child FIRST LAST FOLDER…``; each line of the output is a folder, a number and
a verdict.
"""

import os
import signal
import sys
import warnings
from pathlib import Path

import numpy as np

from classica import load, save
from classica.errors import ModelFileError
from tests.persist.answers import fault
from tests.persist.damage import Damage

SECONDS = 10


def verdict(path, X):
    """Say what a file comes to: refused; or loaded, asked, saved and loaded again, without a warning."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            model = load(path)
        except ModelFileError:
            return "refused"
        found = fault(model, X) or fault_of_copy(model, path.with_suffix(".again"))
    leaked = [each for each in heard if issubclass(each.category, RuntimeWarning)]
    if found is None and leaked:
        found = f"a warning ({leaked[0].message} in {Path(leaked[0].filename).name}:{leaked[0].lineno})"
    return "answered" if found is None else f"WRONG: {found}"


def fault_of_copy(model, path):
    """Return what is wrong with a file that a loaded model is saved to; None if it can be loaded."""
    try:
        save(model, path)
    except ModelFileError as error:
        return f"loaded, but it cannot be saved ({error})"
    try:
        load(path)
    except ModelFileError as error:
        return f"loaded and saved, but it cannot be loaded again ({error})"
    return None


def rows_of(folder):
    if (folder / "X.parquet").exists():
        import polars as pl

        return pl.read_parquet(folder / "X.parquet")
    return np.load(folder / "X.npy")


def main(folder, first, last):
    damage, X = Damage((folder / "good.classica").read_bytes()), rows_of(folder)
    path = folder / f"bad-{first}.classica"
    for number in range(first, last):
        data, done = damage.made(number)
        path.write_bytes(data)
        signal.alarm(SECONDS)  # ends the process: that is seen by the parent
        try:
            found = verdict(path, X)
        except BaseException as error:  # whatever is not ours is a fault
            found = f"WRONG: {type(error).__name__} {error}"
        signal.alarm(0)
        print(
            folder.name,
            number,
            found if not found.startswith("WRONG") else f"{found} ({done})".replace("\n", " "),
            flush=True,
        )


if __name__ == "__main__":
    os.fsync = lambda handle: None  # thousands of files that nobody needs after a power cut
    for folder in sys.argv[3:]:
        main(Path(folder), int(sys.argv[1]), int(sys.argv[2]))
