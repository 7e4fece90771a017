import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from benchmarks.mixed_tables import mixed_table
from benchmarks.rows.compare import WAITS
from benchmarks.table_sources import BuiltIn, Generated, ReadyTable, Stored, StoredImages
from classica.tables import load_table


def save_idx(path: Path, items: np.ndarray) -> None:
    header = bytes([0, 0, 8, items.ndim]) + np.array(items.shape, dtype=">u4").tobytes()
    path.write_bytes(gzip.compress(header + items.astype(np.uint8).tobytes()))


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    """A folder with a stored table and with images, three to learn from and one to test."""
    folder = tmp_path / "tables"
    for name in ("small", "digits"):
        (folder / name).mkdir(parents=True)
    (folder / "small" / "data.csv.gz").write_bytes(gzip.compress(b'a,b,kind\n1,"x, y",p\n2,z,q\n3,z,q\n'))
    for part, digits in (("train", [7, 0, 1]), ("t10k", [9])):
        images = np.multiply.outer(digits, np.ones((2, 2)))
        save_idx(folder / "digits" / f"{part}-images-idx3-ubyte.gz", images)
        save_idx(folder / "digits" / f"{part}-labels-idx1-ubyte.gz", np.array(digits))
    return folder


def test_a_built_in_dataset_has_the_size_that_is_stated(tmp_path):
    source = next(wait.table for wait in WAITS if wait.slug == "compare-iris")
    assert isinstance(source, BuiltIn)
    ready = source.write(tmp_path, None, seed=0)
    data = load_table(ready.name)
    assert (ready.rows, ready.columns + 1) == data.frame.shape
    assert ready.target == data.schema.target


def test_a_stored_table_is_decompressed_and_its_last_column_is_the_target(tables, tmp_path):
    ready = Stored("small").write(tmp_path, tables, seed=0)
    assert ready == ReadyTable(str(tmp_path / "small.csv"), "kind", rows=3, columns=2)
    assert pl.read_csv(ready.name)["b"].to_list() == ["x, y", "z", "z"]


def test_images_are_joined_with_named_classes(tables, tmp_path):
    ready = StoredImages("digits").write(tmp_path, tables, seed=0)
    assert ready == ReadyTable(str(tmp_path / "digits.parquet"), "class", rows=4, columns=4)
    table = pl.read_parquet(ready.name)
    assert table.columns == ["p0", "p1", "p2", "p3", "class"]
    assert table["class"].to_list() == ["d7", "d0", "d1", "d9"]
    assert table["p3"].to_list() == [7, 0, 1, 9]


@pytest.mark.parametrize("source", [Stored("other"), StoredImages("other")])
def test_what_is_not_stored_is_no_table(source, tables, tmp_path):
    assert source.write(tmp_path, tables, seed=0) is None
    assert source.write(tmp_path, None, seed=0) is None


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_generated_table_is_written_in_the_format_of_its_suffix(tmp_path, suffix):
    ready = Generated(mixed_table, 20, 8, suffix).write(tmp_path, None, seed=3)
    assert ready == ReadyTable(str(tmp_path / f"table{suffix}"), "class", rows=20, columns=8)
    read = pl.read_csv if suffix == ".csv" else pl.read_parquet
    assert read(ready.name)["class"].to_list() == mixed_table(20, 8, seed=3)["class"].to_list()
