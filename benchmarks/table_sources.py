"""Where the tables of whole comparisons come from: built in, stored in a folder, or generated."""

import csv
import gzip
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray


@dataclass(frozen=True)
class ReadyTable:
    """A table as the command is given it: the name of a dataset or a path, its target, and its size."""

    name: str
    target: str
    rows: int
    columns: int


class TableSource(Protocol):
    """Something that gets a table ready before the clock starts."""

    def write(self, folder: Path, tables: Path | None, seed: int) -> ReadyTable | None:
        """Write the table into a folder unless it is built in; None if it is not in the folder of tables."""


@dataclass(frozen=True)
class BuiltIn:
    """A built-in dataset."""

    name: str
    target: str
    rows: int
    columns: int

    def write(self, folder: Path, tables: Path | None, seed: int) -> ReadyTable:
        """Return it by its name."""
        return ReadyTable(self.name, self.target, self.rows, self.columns)


@dataclass(frozen=True)
class Stored:
    """A table stored as ``NAME/data.csv.gz``, its target in the last column."""

    name: str

    def write(self, folder: Path, tables: Path | None, seed: int) -> ReadyTable | None:
        """Decompress it."""
        if tables is None or not (stored := tables / self.name / "data.csv.gz").exists():
            return None
        path = folder / f"{self.name}.csv"
        with gzip.open(stored) as compressed, path.open("wb") as plain:
            shutil.copyfileobj(compressed, plain)
        with path.open(encoding="utf-8", newline="") as file:
            lines = csv.reader(file)
            *features, target = next(lines)
            return ReadyTable(str(path), target, sum(1 for _ in lines), len(features))


@dataclass(frozen=True)
class StoredImages:
    """Images of digits stored as IDX files in ``NAME/``: their pixels are the columns."""

    name: str

    def write(self, folder: Path, tables: Path | None, seed: int) -> ReadyTable | None:
        """Join training and test images into one Parquet file, with classes such as ``d7``."""
        if tables is None:
            return None
        images = [tables / self.name / f"{part}-images-idx3-ubyte.gz" for part in ("train", "t10k")]
        labels = [tables / self.name / f"{part}-labels-idx1-ubyte.gz" for part in ("train", "t10k")]
        if not all(path.exists() for path in (*images, *labels)):
            return None
        pixels = np.concatenate([_read_idx(path) for path in images])
        table = pl.DataFrame(pixels, schema=[f"p{index}" for index in range(pixels.shape[1])])
        digits = [f"d{digit}" for path in labels for digit in _read_idx(path)[:, 0]]
        return _save(table.with_columns(pl.Series("class", digits)), folder / f"{self.name}.parquet")


@dataclass(frozen=True)
class Generated:
    """A table that is drawn by ``draw(rows, columns, seed)``, its target in the last column."""

    draw: Callable[[int, int, int], pl.DataFrame]
    rows: int
    columns: int
    suffix: str = ".csv"

    def write(self, folder: Path, tables: Path | None, seed: int) -> ReadyTable:
        """Draw it and save it in the format of the suffix."""
        return _save(self.draw(self.rows, self.columns, seed), folder / f"table{self.suffix}")


def _save(table: pl.DataFrame, path: Path) -> ReadyTable:
    if path.suffix == ".parquet":
        table.write_parquet(path)
    else:
        table.write_csv(path)
    return ReadyTable(str(path), table.columns[-1], table.height, table.width - 1)


def _read_idx(path: Path) -> NDArray[Any]:
    """Return the bytes of an IDX file, one row per item."""
    content = gzip.decompress(path.read_bytes())
    dimensions = content[3]
    items = int.from_bytes(content[4:8], "big")
    return np.frombuffer(content, np.uint8, offset=4 + 4 * dimensions).reshape(items, -1)
