"""Numbers with thousands separators, decimal commas, per cent and currency signs."""

import io

import pytest

from classica import load, predict_batches, save, train
from classica.errors import DataError, TableError
from classica.tables import Schema, decide_types, profile, read_table
from tests.tables.tables import codes, raw, typed


@pytest.mark.parametrize(
    ("cells", "numbers", "written"),
    [
        (["1.234,56", "38,0", "-7", "NA"], [1234.56, 38.0, -7.0, None], (",", ".", "")),
        (["1.234.567", "12", "999", "1.000"], [1234567, 12, 999, 1000], (",", ".", "")),
        (["1,234.56", "38.0", "7", "?"], [1234.56, 38.0, 7.0, None], (".", ",", "")),
        (["1,234,567", "12", "1,000", "5"], [1234567, 12, 1000, 5], (".", ",", "")),
        (["38,0 %", "4,5 %", "100 %", ""], [38.0, 4.5, 100.0, None], (",", "", "%")),
        (["38%", "4%", "100%", "-5%"], [38, 4, 100, -5], (".", "", "%")),
        (["€ 1.234,56", "€ 5,00", "-€ 7,25", "€ 0,10"], [1234.56, 5, -7.25, 0.1], (",", ".", "€")),
        (["$1,234.50", "$0.99", "$12", "$7"], [1234.5, 0.99, 12, 7], (".", ",", "$")),
        (["1 234,5 EUR", "12,0 EUR", "7 EUR", "0,5 EUR"], [1234.5, 12, 7, 0.5], (",", " ", "EUR")),
        (["1\u202f234,5", "1\u00a0000,0", "12,0", "7"], [1234.5, 1000, 12, 7], (",", " ", "")),
        (["1'234.5", "12'345'678", "1’000", "7"], [1234.5, 12345678, 1000, 7], (".", "'", "")),
        (["\u22121,5", "2,25", "-3,0", "4"], [-1.5, 2.25, -3, 4], (",", "", "")),
        (["0,123", "0,500", "0,999", "0,001"], [0.123, 0.5, 0.999, 0.001], (",", "", "")),
    ],
)
def test_numbers_are_read_as_they_are_written(cells, numbers, written):
    table = typed(x=cells * 4, y=["u", "v"] * 8)
    column = table.schema["x"]
    assert (column.kind, column.role) == ("numeric", "feature")
    assert (column.decimal, column.thousands, column.unit) == written
    assert table.frame["x"].to_list() == numbers * 4
    assert codes(table, "x")[:1] == ["D113"]
    assert repr(next(cell for cell in cells if cell not in ("NA", "?", ""))) in table.decisions[0].text


@pytest.mark.parametrize(
    "cells",
    [
        ["1,234", "2,500", "1", "2"],  # thousands or fractions
        ["1,5 €", "1,5 $", "2,5 €", "3,5 €"],
        ["1€5", "2€5", "3€5", "4€5"],
        ["1.2.3,4", "1,5", "2,5", "3,5"],
        ["12.34.56", "1.234,5", "1", "2"],
        ["555 123 456", "555 123 457", "555 123 458", "555 123 459"],  # telephones
        ["01.02.03", "01.02.04", "01.02.05", "01.02.06"],
    ],
)
def test_what_is_not_sure_stays_text(cells):
    table = typed(x=cells * 4)
    assert table.schema["x"].kind == "categorical"
    assert "D113" not in codes(table)


def csv(rows, header="betrag;quote;y"):
    return "\n".join([header, *(";".join(map(str, row)) for row in rows)]).encode()


def test_a_column_of_three_decimals_stays_and_a_doubt_is_told():
    rows = [(f"{1 + k % 9}.{100 + k}", k % 3 + 0.5, "uv"[k % 2]) for k in range(40)]
    table = decide_types(read_table(csv(rows)), target="y")
    assert table.frame["betrag"][0] == pytest.approx(1.1)
    assert codes(table, "betrag") == ["D114"]
    assert codes(table, "quote") == []
    commas = decide_types(read_table(csv(rows).replace(b".", b",")), target="y")
    assert codes(commas, "betrag") == ["D114"]
    below_one = decide_types(read_table(csv([("0." + row[0][2:], *row[1:]) for row in rows])), target="y")
    assert codes(below_one, "betrag") == []


def test_the_decimal_sign_can_be_given():
    rows = [(f"{1 + k % 9}.{100 + k}", f"{k},5", "uv"[k % 2]) for k in range(40)]
    table = decide_types(read_table(csv(rows), decimal=","), target="y")
    assert table.frame["betrag"].to_list()[:2] == [1100, 2101]
    assert table.frame["quote"].to_list()[:2] == [0.5, 1.5]
    commas = decide_types(read_table(csv(rows).replace(b".", b","), decimal="."), target="y")
    assert commas.frame["betrag"].to_list()[:2] == [1100, 2101]
    points = decide_types(read_table(csv([("1.5", 2, "u"), ("2.25", 3, "v")] * 5), decimal=","), target="y")
    assert points.frame["betrag"].to_list()[:2] == [1.5, 2.25]


EUROPEAN = [(f"{k % 7 + 1}.{100 + k},{k % 10}0", f"{k % 90},5 %", "uv"[k % 7 > 3]) for k in range(60)]


def test_the_telling_column_is_learned_from():
    table = decide_types(read_table(csv(EUROPEAN)), target="y")
    assert table.X.columns == ["betrag", "quote"]
    found = {finding.column: finding for finding in profile(table).findings if finding.code == "D113"}
    assert set(found) == {"betrag", "quote"}
    assert "decimal comma" in found["betrag"].text
    assert "%" in found["quote"].text


def test_later_tables_are_read_the_same_way(tmp_path):
    model = train(csv(EUROPEAN), "y", model="tree")
    save(model, tmp_path / "m.classica")
    for known in (model, load(tmp_path / "m.classica")):
        column = known.schema["betrag"]
        assert (column.decimal, column.thousands, known.schema["quote"].unit) == (",", ".", "%")
        # Alone, these would be read as 1.1 and 6.1.
        later = b"betrag;quote\n1.100;5\n6.100;5\n"
        [batch] = predict_batches(known, later)
        assert batch["prediction"].to_list() == ["u", "v"]
        assert [part["prediction"][0] for part in predict_batches(known, later, 1)] == ["u", "v"]
        assert known.predict(io.BytesIO(later)).tolist() == ["u", "v"]
    with pytest.raises(TableError, match=r"'12\.34' in row 1, line 2"):
        list(predict_batches(model, b"betrag;quote\n12.34;5\n"))


def test_a_schema_remembers_and_may_say_how_numbers_are_written(tmp_path):
    table = decide_types(read_table(csv(EUROPEAN)), target="y")
    table.schema.save(tmp_path / "s.json")
    assert Schema.load(tmp_path / "s.json") == table.schema
    told = {"columns": [{"name": "betrag", "kind": "numeric", "decimal": ",", "thousands": "."}]}
    rows = [(f"{1 + k % 9}.{100 + k}", k, "uv"[k % 2]) for k in range(40)]
    declared = decide_types(read_table(csv(rows)), target="y", schema=Schema.from_record(told))
    assert declared.frame["betrag"].to_list()[:2] == [1100, 2101]
    only = {"columns": [{"name": "x", "kind": "numeric"}]}
    found = decide_types(raw(x=["1.234,5", "7,0"] * 5), schema=Schema.from_record(only))
    assert found.schema["x"].thousands == "."


@pytest.mark.parametrize(
    ("field", "value"), [("thousands", "x"), ("thousands", ","), ("unit", "km"), ("decimal", ";")]
)
def test_a_schema_with_an_impossible_way_is_refused(field, value):
    told = {"name": "x", "kind": "numeric", "decimal": ",", field: value}
    with pytest.raises(DataError, match="'x'"):
        Schema.from_record({"columns": [told]})


def test_a_dash_among_numbers_with_separators_is_named_and_a_schema_makes_it_missing(tmp_path):
    cells = [f"1.{number},50 €" for number in range(100, 190)] + ["-"] * 5
    text = "x;y\n" + "".join(f"{cell};{'uv'[place % 2]}\n" for place, cell in enumerate(cells))
    table = decide_types(read_table(text.encode()), target="y")
    assert table.schema["x"].role == "ignored"
    told = next(finding.text for finding in table.decisions if finding.code == "D106")
    assert "5 of 95 cells" in told
    assert "'-'" in told
    path = tmp_path / "schema.json"
    path.write_text('{"classica_schema": 1, "missing": ["", "NA", "-"], "columns": []}')
    again = decide_types(read_table(text.encode()), target="y", schema=path)
    assert (again.schema["x"].kind, again.frame["x"].null_count()) == ("numeric", 5)
