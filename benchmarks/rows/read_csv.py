"""Reading CSV files with every cell checked, beside bare polars.

``python -m benchmarks.read_memory`` tells the memory that both need at their peak.
"""

import importlib
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchmarks.benchmark import Benchmark, Contender, Data
from benchmarks.csv_files import written

_WORK = {
    "plain": "Read a CSV file: numbers, words, dates; rows and cells counted and compared",
    "quoted": "Read a CSV file with quoted text; rows and cells counted and compared",
    "wide": "Read a CSV file of 250 columns of numbers; rows and cells counted and compared",
}


def make(kind: str, quick: bool, seed: int) -> Data:
    """Write 200 MB, or 10 MB."""
    path = written(kind, 10_000_000 if quick else 200_000_000, seed)
    size = np.array([[path.stat().st_size]])
    name = np.frombuffer(str(path).encode(), dtype=np.uint8).reshape(1, -1).copy()
    return Data(name, np.zeros(1, dtype=np.int64), size, np.zeros(1, dtype=np.int64))


def _path(data: Data) -> str:
    return data.rows.tobytes().decode()


def _ours(data: Data) -> Any:
    from classica.tables import read_table

    return read_table(_path(data)).frame


def _bare(data: Data) -> Any:
    return pl.read_csv(_path(data))


def _pandas(data: Data) -> Any:
    pd = importlib.import_module("pandas")

    return pd.read_csv(_path(data))


def _shape(data: Data, frame: Any) -> NDArray[Any]:
    return np.array(frame.shape)


def _row(kind: str) -> Benchmark:
    return Benchmark(
        slug=f"read-csv-{kind}",
        work=_WORK[kind],
        make=partial(make, kind),
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


BENCHMARKS = [_row(kind) for kind in _WORK]
