"""Reading a CSV file with every cell checked, beside bare polars."""

import atexit
import importlib
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.benchmark import Benchmark, Contender, Data

#: Rows of a block that is written again and again until the file is long enough.
_BLOCK = 20_000


def make(quick: bool, seed: int) -> Data:
    """Write numbers, words, dates and quoted text: 200 MB, or 10 MB."""
    path = _written(10_000_000 if quick else 200_000_000, seed)
    size = np.array([[path.stat().st_size]])
    name = np.frombuffer(str(path).encode(), dtype=np.uint8).reshape(1, -1).copy()
    return Data(name, np.zeros(1, dtype=np.int64), size, np.zeros(1, dtype=np.int64))


@cache
def _written(size: int, seed: int) -> Path:
    folder = tempfile.mkdtemp(prefix="classica-benchmark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = Path(folder) / "table.csv"
    block = _block(np.random.default_rng(seed))
    with path.open("wb") as file:
        file.write(block.head(0).write_csv().encode())
        text = block.write_csv(include_header=False).encode()
        while file.tell() < size:
            file.write(text)
    return path


def _block(generator: np.random.Generator) -> pl.DataFrame:
    words = np.array([f"word{k}" for k in range(500)])
    days = np.datetime64("2000-01-01") + generator.integers(0, 9000, _BLOCK).astype("timedelta64[D]")
    said = [f'she said "{word}", twice' for word in generator.choice(words, _BLOCK)]
    return pl.DataFrame(
        {f"x{k}": generator.normal(size=_BLOCK).round(6) for k in range(6)}
        | {f"n{k}": generator.integers(0, 10**6, _BLOCK) for k in range(3)}
        | {f"w{k}": generator.choice(words, _BLOCK) for k in range(3)}
        | {"day": days, "said": said}
    )


def _path(data: Data) -> str:
    return data.rows.tobytes().decode()


def _ours(data: Data) -> Any:
    from classica.data import read_table

    return read_table(_path(data)).frame


def _bare(data: Data) -> Any:
    return pl.read_csv(_path(data))


def _pandas(data: Data) -> Any:
    pd = importlib.import_module("pandas")

    return pd.read_csv(_path(data))


def _shape(data: Data, frame: Any) -> NDArray[Any]:
    return np.array(frame.shape)


BENCHMARK = Benchmark(
    slug="read-csv",
    work="Read a CSV file: numbers, words, dates, quoted text; rows and cells counted and compared",
    make=make,
    contenders=[
        Contender("classica", _ours, _shape, ours=True),
        Contender("polars, nothing checked", _bare, _shape, requires="polars"),
        Contender("pandas", _pandas, _shape, requires="pandas"),
    ],
    agree=lambda data, ours, theirs: None if (ours == theirs).all() else "another shape",
    # It parses with polars: the checks may add three tenths.
    target=1 / 1.3,
    reference="polars, nothing checked",
)
