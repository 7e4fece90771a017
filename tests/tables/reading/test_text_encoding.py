"""Errors about cells name the line of the file, whatever stands before it."""

import random

import pytest

from classica.errors import TableError
from classica.tables import decide_types, read_table, scan_table

TRAIN = b"x,note,d\n1,a,2020-01-01\n2.5,b,2020-02-01\n4,a,2021-01-05\n"


def fault(data, batch_rows=None):
    schema = decide_types(read_table(TRAIN)).schema
    tables = [read_table(data)] if batch_rows is None else scan_table(data, batch_rows=batch_rows)
    with pytest.raises(TableError) as caught:
        list(map(schema.apply, tables))
    return caught.value


@pytest.mark.parametrize("batch_rows", [None, 1, 2, 50])
@pytest.mark.parametrize(
    ("data", "row", "line"),
    [
        (b"x,note,d\n1,a,\nbad,b,\n", 2, 3),
        (b'x,note,d\n1,"two\nlines",\nbad,b,\n', 2, 4),
        (b"x,note,d\r\n1,a,\r\n\r\n\r\nbad,b,\r\n", 2, 5),
        (b'\n\nx,note,d\n1,"a\r\nb\r\nc",\n\nbad,"b\n",\n', 2, 8),
        (b"x,note,d\n1,a,2020-01-01\n2,a,01.02.2020\n", 2, 3),
    ],
)
def test_a_cell_that_does_not_fit_is_placed(data, row, line, batch_rows):
    error = fault(data, batch_rows)
    assert error.line == line
    assert error.column == ("d" if b"01.02" in data else "x")
    assert f"in row {row}, line {line}." in str(error)
    assert repr("01.02.2020" if b"01.02" in data else "bad") in str(error)


def test_lines_of_random_rows_are_those_of_a_count():
    generator = random.Random(4)
    for _ in range(60):
        ends = generator.choice(["\n", "\r\n"])
        text, lines = f"x,note{ends}", []
        for number in range(generator.randrange(1, 12)):
            text += ends * generator.choice([0, 0, 1, 2])
            lines.append(text.count("\n") + 1)
            note = generator.choice(["a", '"b\nc"', '"d\r\n""e"""', "5'"])
            text += f"{number},{note}{ends}"
        table = read_table(text.encode(), header=True)
        assert [table.line_of(row) for row in range(len(lines))] == lines, text
