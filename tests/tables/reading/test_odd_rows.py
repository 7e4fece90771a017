"""Rows of other lengths, and rows of nothing but delimiters."""

import pytest

from classica.errors import TableError
from classica.tables import decide_types, profile, read_table, scan_table
from tests.interfaces.test_help_examples import run

RAGGED = b'a,b,y\n1,x,u\n2,y\n3,"z\nz",v\n4,x,u,9\n\n5,y,v\n'
HOLLOW = b"a,b,y\n1,x,u\n,,\n2,y,v\n,,\n,,\n3,,u\n"


def notes(table, code):
    return [note.text for note in table.notes if note.code == code]


def test_rows_of_another_length_are_skipped_if_asked_for(tmp_path):
    with pytest.raises(TableError, match="a row must have 3 cells, got 2"):
        read_table(RAGGED)
    path = tmp_path / "some.csv"
    path.write_bytes(RAGGED)
    for source in (RAGGED, path):
        table = read_table(source, skip_ragged=True)
        assert table.frame.rows() == [(1, "x", "u"), (3, "z\nz", "v"), (5, "y", "v")]
        assert notes(table, "rows") == [
            "2 rows with a different number of cells skipped (the first in line 3)"
        ]
        assert [table.line_of(row) for row in range(3)] == [2, 4, 8]
    batches = list(scan_table(RAGGED, batch_rows=1, skip_ragged=True))
    assert [batch.frame.rows() for batch in batches] == [[row] for row in table.frame.rows()]
    assert [batch.line_of(0) for batch in batches] == [2, 4, 8]
    assert not notes(read_table(b"a,b\n1,2\n", skip_ragged=True), "rows")


def test_rows_of_only_delimiters_are_blank(tmp_path):
    for source in (HOLLOW, HOLLOW.replace(b"\n", b"\r\n"), HOLLOW.replace(b",", b";")):
        table = read_table(source)
        assert table.frame.rows() == [(1, "x", "u"), (2, "y", "v"), (3, None, "u")]
        assert notes(table, "rows") == ["3 empty rows skipped"]
        assert [table.line_of(row) for row in range(3)] == [2, 4, 7]
    found = profile(decide_types(read_table(HOLLOW), target="y"))
    assert "D401" not in [finding.code for finding in found.findings]
    assert [part.frame.height for part in scan_table(HOLLOW, batch_rows=2)] == [2, 1]


def test_empty_cells_of_one_column_are_no_blank_rows():
    assert read_table(b"a\n1\n\n2\n").frame["a"].to_list() == [1, None, 2]
    assert read_table(b'a,b\n"",""\n1,2\n').frame.height == 2


def test_a_doubt_names_the_line_of_the_file():
    table = read_table(b"a,b\n1,2\n,,\n3\nx,4\n,\n5,6\n", skip_ragged=True)
    assert table.doubts["a"][0].line == 5


def test_a_ragged_row_behind_blank_ones_has_its_line():
    with pytest.raises(TableError) as caught:
        read_table(b"a,b\n1,2\n,\n,\n3\n", delimiter=",")
    assert (caught.value.kind, caught.value.line) == ("ragged row", 5)


def test_the_command_skips_and_says_so(tmp_path):
    path = tmp_path / "some.csv"
    path.write_bytes(RAGGED)
    assert "--skip-ragged" in run("profile", str(path), "--target", "y").output
    done = run("profile", str(path), "--target", "y", "--skip-ragged")
    assert done.exit_code == 0
    assert "2 rows with a different number of cells skipped" in done.output
    assert run("profile", str(path)).exit_code != 0
