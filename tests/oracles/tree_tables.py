"""The tables whose trees other programs have grown, as matrices of numbers and category codes."""

import functools
import gzip
import hashlib
import json
from collections import namedtuple
from pathlib import Path

import numpy as np
import polars as pl

from classica.trees.growing.growth import TreeTable

DATA = Path(__file__).parents[1] / "data" / "oracles"
WEKA = json.loads(gzip.decompress((DATA / "trees_weka.json.gz").read_bytes()))
RPART = json.loads(gzip.decompress((DATA / "trees_rpart.json.gz").read_bytes()))

#: `y` holds class codes in the declared order, or numbers; `categorical` and `levels` are per column.
Table = namedtuple("Table", "X y categorical levels")


@functools.cache
def read(name):
    told = WEKA.get(name) or RPART[name]
    file = DATA / f"{name}.csv.gz"
    assert hashlib.sha256(file.read_bytes()).hexdigest() == told["sha256"]
    cells = pl.read_csv(file, infer_schema=False)
    kinds = told["columns"]
    X = np.column_stack([numbers(cells[column], levels) for column, levels in kinds.items()])
    y = numbers(cells[told["target"]], told.get("classes"))
    levels = np.array([len(known or ()) for known in kinds.values()], dtype=np.int64)
    return Table(X, y, levels > 0, levels)


def numbers(column, levels):
    """Return numbers, or the codes of categories; missing cells are NaN."""
    if levels is None:
        return column.cast(pl.Float64).to_numpy()
    return column.cast(pl.Enum(levels)).to_physical().cast(pl.Float64).to_numpy()


def rank(table, rows=None):
    X = table.X if rows is None else table.X[rows]
    return TreeTable.of(X, table.categorical, table.levels, 1)
