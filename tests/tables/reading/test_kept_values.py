"""Promise 26: ids, large integers, dates, NA and True are kept, or typed by a decision that is told."""

import polars as pl
import pytest

from classica.tables import decide_types, read_table

ROWS = 24


def cycle(*cells):
    return [cells[k % len(cells)] for k in range(ROWS)]


#: Name → cells, type as read, kind decided, words of the reason.
COLUMNS = {
    "ids": ([f"{651 + k:06d}" for k in range(ROWS)], pl.String, "identifier", "would lose digits"),
    "codes": (cycle("007", "008", "1"), pl.String, "categorical", "would lose digits"),
    "phones": ([f"+49{k}" for k in range(ROWS)], pl.String, "identifier", "would lose digits"),
    "large": ([str(2**53 + 1 + k) for k in range(ROWS)], pl.Int64, "identifier", "2**53"),
    "huge": ([str(2**70 + k) for k in range(ROWS)], pl.String, "identifier", "2**53"),
    "large and fractions": (cycle(str(2**53 + 1), "1.5"), pl.String, "identifier", "2**53"),
    "days": ([f"2020-01-{k + 1:02d}" for k in range(ROWS)], pl.String, "date", "%Y-%m-%d"),
    "either": (cycle("01/02/2020", "03/04/2020"), pl.String, "text", "the format in a schema"),
    "gaps": (cycle("NA", "1", "2.5"), pl.String, "numeric", "cell is a number"),
    "words": (cycle("NA", "x", "None"), pl.String, "categorical", "Text with 2 values"),
    "truth": (cycle("True", "False"), pl.String, "boolean", "true or false"),
    "truths": (cycle("TRUE", "false", "NA"), pl.String, "boolean", "true or false"),
    "ones": (cycle("1", "0"), pl.Int64, "numeric", "Cells are integers"),
    "exact": (cycle("0.1", "1e5", "-2"), pl.Float64, "numeric", "Cells are numbers"),
    "versions": (cycle("1.2.3", "1.10"), pl.String, "categorical", "Text with 2 values"),
    "comma": (cycle('"1,5"', '"2,25"'), pl.String, "numeric", "decimal comma"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_a_column_is_kept_or_typed_by_a_told_decision(name):
    cells, dtype, kind, words = COLUMNS[name]
    raw = read_table(
        "\n".join([f"{name},z", *(f"{cell},{k % 5}.5" for k, cell in enumerate(cells))]).encode()
    )
    assert raw.frame[name].dtype == dtype
    if dtype == pl.String:
        assert raw.frame[name].to_list() == [cell.strip('"') for cell in cells]
    column = decide_types(raw).schema[name]
    assert column.kind == kind
    assert words in column.reason
    print(f"{name}: {cells[0]} is {column.kind}: {column.reason}")


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (("001", "01", "1"), ["001", "01", "1"]),
        (("NA", "x", "?"), ["?", "NA", "x"]),
        (("True", "False", "maybe"), ["False", "True", "maybe"]),
        (("yes", "no", "1"), ["1", "no", "yes"]),
        (("2", "10", "1"), [1, 2, 10]),
        (("1.0", "2.0", "1"), [1.0, 2.0]),
        ((str(2**53 + 1), str(2**53), "1"), [1, 2**53, 2**53 + 1]),
        (("nan", "x", "null"), ["nan", "null", "x"]),
    ],
)
def test_the_target_is_never_coerced(cells, labels):
    lines = [f"{cell},{k}" for k, cell in enumerate(cycle(*cells))]
    table = decide_types(read_table("\n".join(["y,x", *lines]).encode()), target="y")
    assert sorted(set(table.y.tolist())) == labels
