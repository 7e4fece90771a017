"""With one schema file, copies of a table in five formats give the same model, answers and fingerprint."""

import sqlite3

import polars as pl
import pytest

from classica import predict_batches, save
from classica.persist.container import verified
from classica.tables import Schema, decide_types, load_table, read_table
from classica.training import Recipe, learn

#: Table → classifiers: of categories as they are, and of numbers made of them.
TABLES = {"iris": ("c45", "knn"), "vote": ("naive-bayes", "logistic"), "soybean": ("c45", "knn")}


def as_text(table):
    """Return the cells as a file has them: labels and categories as text, numbers as numbers."""
    columns = [
        cells.cast(pl.String) if isinstance(cells.dtype, pl.Enum) else cells
        for cells in table.frame.get_columns()
    ]
    return pl.DataFrame(columns)


def write_arff(frame, schema, path):
    def quoted(cell):
        return (
            "?"
            if cell is None
            else "'" + str(cell).replace("'", "\\'") + "'"
            if isinstance(cell, str)
            else str(cell)
        )

    lines = ["@relation copy"]
    for name in frame.columns:
        levels = schema[name].levels
        kind = "numeric" if levels is None else "{" + ",".join(quoted(str(level)) for level in levels) + "}"
        lines.append(f"@attribute {quoted(name)} {kind}")
    lines += ["@data", *(",".join(map(quoted, row)) for row in frame.iter_rows())]
    path.write_text("\n".join(lines) + "\n")


def write_sqlite(frame, path):
    names = ", ".join(f'"{name}"' for name in frame.columns)
    marks = ", ".join("?" * frame.width)
    with sqlite3.connect(path) as connection:
        connection.execute(f"create table copy ({names})")
        connection.executemany(f"insert into copy values ({marks})", frame.rows())
    connection.close()


def copies(name, folder):
    """Return sources of the same table."""
    table = load_table(name)
    frame = as_text(table)
    paths = {ending: folder / f"{name}.{ending}" for ending in ("csv", "xlsx", "parquet", "arff", "db")}
    frame.write_csv(paths["csv"])
    frame.write_excel(paths["xlsx"])
    frame.write_parquet(paths["parquet"])
    write_arff(frame, table.schema, paths["arff"])
    write_sqlite(frame, paths["db"])
    table.schema.save(folder / "schema.json")
    return {**paths, "db": f"sqlite:///{paths['db']}?table=copy"}


def arrays_of(path):
    contents = verified(memoryview(path.read_bytes()), "a file")
    return [array.tobytes() for array in contents.arrays], contents.header["objects"]


@pytest.mark.parametrize("name", TABLES)
def test_copies_are_the_same(name, tmp_path):
    schema, seen = None, {}
    for ending, source in copies(name, tmp_path).items():
        schema = schema or Schema.load(tmp_path / "schema.json")
        table = decide_types(read_table(source), schema=schema)
        for slug in TABLES[name]:
            done = learn(table, Recipe(slug))
            save(done.model, tmp_path / "m.classica")
            answers = pl.concat(list(predict_batches(done.model, source, 100, probabilities=True)))
            found = (done.fingerprint, arrays_of(tmp_path / "m.classica"), answers.rows())
            assert seen.setdefault(slug, found) == found, (ending, slug)
    print(f"{name}: {len(seen)} models are the same from 5 formats")
