"""Mutated tables of every format and frames of odd columns, read one after the other under a watchdog.

``python -m tests.fuzz.odd_tables csv 1000 7`` reads 1,000 mutated CSV files; a file that takes more than ten
seconds ends the process with a trace, and so does everything that is no error of ours.
"""

import collections
import datetime
import decimal
import faulthandler
import io
import random
import sqlite3
import sys
import tempfile
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import xlsxwriter

from classica import catalog
from classica.errors import ClassicaError, TableError
from classica.tables import open_table, profile, read_table
from tests.tables.reading.test_mutations import ARFF, CSV, mutated, parquet_files

SECONDS = 10
EUROPEAN = "a;b;y\n1.234,56;38,0 %;u\n7,5;4 %;v\n;;\n1.000;€ 5;u\n".encode()
JSON = [
    b'{"a": 1, "b": "x", "y": "u"}\n{"a": 2.5, "b": null, "y": "v"}\n{"a": true, "y": "u"}\n',
    b'{"a": 9007199254740993, "y": [1]}\n\n{"a": "\\u00e9", "y": {"z": 1}}\n',
]
LIBSVM = [b"1 1:0.5 3:2 # c\n-1 2:1e5\n+1 qid:3 1:1\n", b"0 1:1 2:2\n1 1:3 7:4.5\n0\n"]


def workbooks():
    for rows in (3, 40):
        buffer = io.BytesIO()
        with xlsxwriter.Workbook(buffer, {"in_memory": True}) as book:
            for name in ("one", "two"):
                sheet = book.add_worksheet(name)
                sheet.write_row(0, 0, ["a", "b", "y"])
                for row in range(1, rows):
                    sheet.write_row(row, 0, [row / 3, f"w{row % 4}", "uv"[row % 2]])
                sheet.write_datetime(rows, 0, datetime.datetime(2024, 1, 2))
                sheet.write_formula(rows, 1, "=1/0")
        yield buffer.getvalue()


def inside(generator, data):
    """Return a workbook of which one file inside was mutated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        names = old.namelist()
        sheets = [name for name in names if "sheet" in name or "workbook" in name or "Strings" in name]
        chosen = generator.choice(sheets if generator.random() < 0.8 else names)
        for name in names:
            content = old.read(name)
            new.writestr(name, mutated(generator, [content]) if name == chosen else content)
    return buffer.getvalue()


def databases():
    for encoding in ("UTF-8", "UTF-16le"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "some.db"
            connection = sqlite3.connect(path)
            connection.execute(f"pragma encoding = '{encoding}'")
            connection.execute("pragma page_size = 512")
            connection.execute("create table t (a integer, b text, c real, y)")
            rows = [(k, f"wörd{k % 5}", k / 3, "uv"[k % 2]) for k in range(60)]
            connection.executemany("insert into t values (?, ?, ?, ?)", rows)
            connection.commit()
            connection.close()
            yield path.read_bytes()


def excel(generator, files):
    data = generator.choice(files)
    return inside(generator, data) if generator.random() < 0.7 else mutated(generator, [data])


#: Format → its whole files, and what makes a damaged one of them.
FORMATS = {
    "csv": (lambda: [*CSV, EUROPEAN], mutated),
    "arff": (lambda: ARFF, mutated),
    "jsonl": (lambda: JSON, mutated),
    "libsvm": (lambda: LIBSVM, mutated),
    "parquet": (lambda: list(parquet_files()), mutated),
    "excel": (lambda: list(workbooks()), excel),
    "sql": (lambda: list(databases()), mutated),
}
OPTIONS = {
    "csv": ({}, {"skip_ragged": True}, {"decimal": ","}, {"header": True, "delimiter": ","}),
    "excel": ({}, {"sheet": 2}, {"header": False}),
    "sql": ({"table": "t"}, {}, {"query": "select * from t"}),
}


def one_file(generator, form, files, damage, path):
    """Read one damaged file, from bytes or by its path, and look at what was read."""
    data = damage(generator, files)
    by_path = form == "sql" or generator.random() < 0.3
    if by_path:
        path.write_bytes(data)
    options = {"limit": 2**28, **generator.choice(OPTIONS.get(form, ({},)))}
    asked = generator.choice((None, form)) if form != "sql" else None
    try:
        raw = read_table(path if by_path else data, format=asked, **options)
        if not raw.frame.width:
            return "no columns"
        profile(open_table(raw, generator.choice((None, raw.frame.columns[-1]))))
    except ClassicaError as error:
        return named(error)
    return "read"


def named(error):
    """Return what kind of error it is, which must be short."""
    assert len(str(error)) < 1000, str(error)
    return error.kind if isinstance(error, TableError) else type(error).__name__


ROWS = 12
ODD_CELLS = (
    *(
        [1, 2],
        {"q": 1},
        {3},
        (4, 5),
        b"bytes",
        1j,
        None,
        float("nan"),
        float("inf"),
        2**53 + 1,
        2**70,
        "",
        "x",
    ),
    *(True, decimal.Decimal("1.50"), datetime.date(2024, 1, 2), datetime.datetime(2024, 1, 2, 3), object()),
    *(pd.Interval(0, 1), pd.NaT, pd.NA, pd.Timestamp("2024"), np.float32(1.5), np.int8(3), -0.0, "1.234,5"),
    *(pd.Period("2024"), np.arange(2), datetime.timedelta(1), datetime.time(1), "é\0", 1e308, -(2**63)),
)


def odd_column(generator):
    """Return cells of one kind, of a few, or of a type that only a library has."""
    what = generator.randrange(6)
    if what == 0:
        return [generator.choice(ODD_CELLS)] * ROWS
    if what == 1:
        few = [generator.choice(ODD_CELLS) for _ in range(generator.choice((2, 3, 8)))]
        return [generator.choice(few) for _ in range(ROWS)]
    if what == 2:
        return pd.Series(pd.cut(np.arange(ROWS) * 1.0, 3))
    if what == 3:
        return pd.Series(pd.Categorical([generator.choice(("a", "b", None)) for _ in range(ROWS)]))
    if what == 4:
        return pd.Series([generator.choice((1, 2, None)) for _ in range(ROWS)], dtype="Int64")
    return [generator.random() for _ in range(ROWS)]


ODD_NAMES = ("a", "a", "b", "", "^x.*$", "*", "é", "y", 1, 2.5, None, ("a", 1), "count", "literal", "\0")


def odd_frame(generator):
    """Return a frame of pandas, polars or Arrow; None where the library itself refuses the columns."""
    columns = [odd_column(generator) for _ in range(generator.randrange(1, 5))]
    names = [generator.choice(ODD_NAMES) for _ in columns]
    try:
        frame = pd.concat([pd.Series(cells) for cells in columns], axis=1)
        frame.columns = pd.Index(names, tupleize_cols=generator.random() < 0.5, dtype=object)
        if generator.random() < 0.6:
            return frame
        texts = [f"{name}{place}" for place, name in enumerate(names)]
        if generator.random() < 0.3:
            texts[-1] = texts[0]
        made = [pa.array(pd.Series(cells), from_pandas=True) for cells in columns]
        table = pa.Table.from_arrays(made, names=texts)
        return table if generator.random() < 0.5 else pl.from_arrow(table)
    except Exception:  # what no library holds is no frame
        return None


KINDS = ("nearest-mean", "tree", "naive-bayes", "bagging", "voting", "all-vs-all", "one-vs-all", "knn", "c45")


def one_frame(generator):
    """Learn from an odd frame, and look at it as a table."""
    frame = odd_frame(generator)
    if frame is None:
        return "no frame"
    outcomes = []
    labels = np.array(["u", "v"] * (ROWS // 2))
    kind = generator.choice(KINDS)
    for work in (
        lambda: catalog.card(kind).build().fit(frame, labels).predict(frame),
        lambda: profile(open_table(frame)),
    ):
        try:
            work()
            outcomes.append("read")
        except ClassicaError as error:
            outcomes.append(f"refused ({named(error)})")
    return " and ".join(outcomes)


def campaign(form, count, seed):
    """Read damaged tables of a format, or frames; return how often each thing happened."""
    generator, counts = random.Random(f"{form} {seed}"), collections.Counter()
    files, damage = ([], None) if form == "frame" else (FORMATS[form][0](), FORMATS[form][1])
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number in range(count):
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            try:
                if form == "frame":
                    counts[one_frame(generator)] += 1
                else:
                    counts[one_file(generator, form, files, damage, Path(folder) / "some")] += 1
            except BaseException:
                print(f"{form}, seed {seed}, number {number}", file=sys.stderr)
                raise
    faulthandler.cancel_dump_traceback_later()
    return counts


if __name__ == "__main__":
    for form in sys.argv[1].split(","):
        found = campaign(form, int(sys.argv[2]), int(sys.argv[3]))
        print(f"{form}: {sum(found.values())} tables, {dict(found.most_common())}", flush=True)
