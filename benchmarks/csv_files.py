"""CSV files of three kinds, written when they are first asked for and gone when the process ends."""

import atexit
import shutil
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import polars as pl

#: Cells of a block that is written again and again until the file is long enough.
_CELLS = 260_000
#: Columns of the wide kind.
_WIDE = 250


@cache
def written(kind: str, size: int, seed: int) -> Path:
    """Return a file of about `size` bytes: "plain", "quoted" or "wide"."""
    folder = tempfile.mkdtemp(prefix="classica-benchmark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / f"{kind}.csv"
    block = KINDS[kind](np.random.default_rng(seed))
    with path.open("wb") as file:
        file.write(block.head(0).write_csv().encode())
        text = block.write_csv(include_header=False).encode()
        while file.tell() < size:
            file.write(text)
    return path


def _plain(generator: np.random.Generator) -> pl.DataFrame:
    """Return numbers, words and dates."""
    rows = _CELLS // 13
    days = np.datetime64("2000-01-01") + generator.integers(0, 9000, rows).astype("timedelta64[D]")
    return pl.DataFrame(
        {f"x{k}": generator.normal(size=rows).round(6) for k in range(6)}
        | {f"n{k}": generator.integers(0, 10**6, rows) for k in range(3)}
        | {f"w{k}": _words(generator, rows) for k in range(3)}
        | {"day": days}
    )


def _quoted(generator: np.random.Generator) -> pl.DataFrame:
    """Return the plain columns, and text with commas and quotes inside."""
    plain = _plain(generator)
    sentences = [f'she said "{word}", twice' for word in _words(generator, plain.height)]
    return plain.with_columns(pl.Series("said", sentences))


def _wide(generator: np.random.Generator) -> pl.DataFrame:
    """Return many columns of numbers, every third of them integers."""
    rows = _CELLS // _WIDE
    return pl.DataFrame(
        {
            f"c{k}": generator.normal(size=rows).round(6) if k % 3 else generator.integers(0, 1000, rows)
            for k in range(_WIDE)
        }
    )


def _words(generator: np.random.Generator, count: int) -> list[str]:
    return [f"word{k}" for k in generator.integers(0, 500, count)]


#: The kinds of files → a block of each.
KINDS = {"plain": _plain, "quoted": _quoted, "wide": _wide}
