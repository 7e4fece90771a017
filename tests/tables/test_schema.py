"""A schema fixes every decision, can be read by people, and types new tables the same way."""

import json
import string

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica import C45Classifier
from classica.errors import DataError
from classica.tables import ColumnSchema, Schema, decide_types
from classica.tables.column_schema import KINDS, PARTS, ROLES, USABLE
from classica.tables.typing.cells import DATE_FORMATS
from tests.tables.tables import EVERYTHING, raw, raw_of, typed

LEARNED = typed(target="y", **EVERYTHING)


def test_a_schema_that_is_passed_back_decides_everything(tmp_path):
    path = tmp_path / "schema.json"
    LEARNED.schema.save(path)
    again = decide_types(raw(**EVERYTHING), schema=path)
    assert again.schema == LEARNED.schema
    assert again.frame.equals(LEARNED.frame)
    assert again.fingerprint() == LEARNED.fingerprint()
    again.schema.save(tmp_path / "again.json")
    assert path.read_bytes() == (tmp_path / "again.json").read_bytes()


def test_the_file_has_a_line_per_column():
    lines = LEARNED.schema.to_json().splitlines()
    for name in EVERYTHING:
        assert sum(f'{{"name": "{name}"' in line for line in lines) == 1
    assert json.loads("\n".join(lines)) == LEARNED.schema.record()


names = st.text(string.printable + "äß→\u2028", max_size=8)


@st.composite
def columns(draw):
    kind = draw(st.sampled_from(KINDS))
    usable = kind in USABLE
    roles = [role for role in ROLES if role not in ("target", "weight") and (usable or role != "feature")]
    has_levels = kind in ("categorical", "ordinal")
    return ColumnSchema(
        draw(names),
        kind,
        draw(st.sampled_from(roles)),
        levels=tuple(draw(st.lists(names, min_size=1, unique=True))) if has_levels else None,
        format=draw(st.sampled_from([None, "%Y"])) if kind == "date" else None,
        parts=tuple(draw(st.lists(st.sampled_from(PARTS), unique=True))) if kind == "date" else (),
        missing=tuple(draw(st.lists(names, unique=True))),
        reason=draw(names),
    )


@given(st.lists(columns(), unique_by=lambda column: column.name))
def test_any_schema_comes_back_from_its_text(found):
    schema = Schema(tuple(found))
    assert Schema.from_record(json.loads(schema.to_json())) == schema


def test_columns_are_matched_by_name_in_any_order():
    backwards = {name: EVERYTHING[name] for name in reversed(EVERYTHING)}
    table = LEARNED.schema.apply(raw(**backwards))
    assert table.frame.equals(LEARNED.frame)
    assert table.decisions == []


def test_new_rows_need_features_only():
    features = {name: EVERYTHING[name][:3] for name in LEARNED.schema.names("feature")}
    table = LEARNED.schema.apply(raw(**features))
    assert table.X.equals(LEARNED.X.head(3))


def test_extra_columns_are_left_out_with_one_line():
    table = LEARNED.schema.apply(raw(**EVERYTHING, more=[1] * 60, most=[2] * 60))
    assert [finding.code for finding in table.decisions] == ["D601"]
    assert table.decisions[0].code == "D601"
    assert "2 columns" in table.decisions[0].text
    assert "'more', 'most'" in table.decisions[0].text
    assert table.frame.columns == LEARNED.frame.columns


def test_a_missing_feature_is_named():
    rest = {name: cells for name, cells in EVERYTHING.items() if name != "wet"}
    with pytest.raises(DataError, match=r"'wet' is missing from new.csv\.$"):
        LEARNED.schema.apply(raw("new.csv", **rest))


@pytest.mark.parametrize(
    ("name", "cells", "message"),
    [
        (
            "length",
            ["4", "long"] * 30,
            r"'length' of new.csv must be numeric, as declared in the schema, got 'long' in row 2",
        ),
        ("length", [True, False] * 30, r"'length' of new.csv must be numeric, .* got True in row 1"),
        ("colour", [1, 2] * 30, r"'colour' of new.csv must be categorical, .* got numbers \(Int64\)"),
        ("wet", ["true", "maybe"] * 30, r"'wet' of new.csv must be true or false, .* got 'maybe' in row 2"),
        (
            "when",
            ["2024-02-30"] * 60,
            r"'when' .* must be a date in the format %Y-%m-%d, .* got '2024-02-30' in row 1",
        ),
        ("when", [5] * 60, r"'when' .* must be a date, .* got 5 in row 1"),
    ],
)
def test_a_changed_type_is_named(name, cells, message):
    with pytest.raises(DataError, match=message):
        LEARNED.schema.apply(raw("new.csv", **EVERYTHING | {name: cells}))


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("length", [str(i / 4) for i in range(60)]),
        ("length", pl.Series([i / 4 for i in range(60)], dtype=pl.Decimal(10, 4))),
        ("wet", [1, 0, 1] * 20),
        ("wet", [True, False, True] * 20),
        ("when", pl.Series(["2024-02-29", "2025-12-24", "2024-02-29"] * 20).str.to_date()),
        ("colour", pl.Series(["red", "green", None, "blue"] * 15, dtype=pl.Categorical)),
        ("gaps", [None if i % 7 == 0 else i / 2 for i in range(60)]),
    ],
)
def test_the_same_cells_in_other_clothes_are_no_change(name, cells):
    table = LEARNED.schema.apply(raw(**EVERYTHING | {name: cells}))
    assert table.fingerprint() == LEARNED.fingerprint()


def test_unseen_categories_are_counted_told_and_not_missing():
    cells = ["red", "pink", None, "NA", "lila", "pink"] * 10
    table = LEARNED.schema.apply(raw(**EVERYTHING | {"colour": cells}))
    assert table.unseen == {"colour": {"lila": 10, "pink": 20}}
    assert table.frame["colour"].null_count() == 20
    assert [finding.code for finding in table.decisions] == ["D602"]
    assert "30 cells" in table.decisions[0].text
    assert "'lila': 10, 'pink': 20" in table.decisions[0].text
    model = C45Classifier().fit(LEARNED.X, LEARNED.y)
    coded = model._query(table.X)
    column = coded[:, LEARNED.X.columns.index("colour")]
    assert np.flatnonzero(column == -1).tolist() == [i for i in range(60) if cells[i] in ("pink", "lila")]
    assert np.flatnonzero(np.isnan(column)).tolist() == [i for i in range(60) if cells[i] in (None, "NA")]


def test_a_word_among_the_levels_is_no_missing_cell():
    told = {"columns": [{"name": "land", "kind": "categorical", "levels": ["DE", "NA"]}]}
    table = typed(schema=Schema.from_record(told), land=["NA", "DE", "", None], x=[1.5, 2.5, 3.5, 4.5])
    assert table.frame["land"].to_list() == ["NA", "DE", None, None]


def test_numbers_that_stand_for_missing():
    told = {"columns": [{"name": "t", "kind": "numeric", "missing": ["-999"]}]}
    table = typed(schema=Schema.from_record(told), t=[-999, 5, 7], u=[-999.0, 5.5, 7])
    assert table.frame["t"].to_list() == [None, 5, 7]
    assert table.frame["u"].to_list() == [-999.0, 5.5, 7]


def test_a_short_schema_leaves_the_rest_to_be_decided():
    told = {
        "columns": [
            {"name": "key", "kind": "numeric"},
            {"name": "length", "kind": "numeric", "role": "ignored"},
        ]
    }
    table = decide_types(raw(**EVERYTHING), target="y", schema=Schema.from_record(told))
    assert table.schema["key"].role == "feature"
    assert table.schema["length"].role == "ignored"
    assert table.schema["colour"].levels == ("blue", "green", "red")
    assert table.frame.columns == list(EVERYTHING)


def test_integers_can_be_categories_and_levels_an_order():
    told = {
        "columns": [
            {"name": "grade", "kind": "ordinal", "levels": ["3", "2", "1"]},
            {"name": "code", "kind": "categorical"},
        ]
    }
    table = typed(schema=Schema.from_record(told), grade=[1.0, 2.0, 3.0], code=[10, 20, 10])
    assert table.frame["grade"].to_list() == ["1", "2", "3"]
    assert table.frame["grade"].to_physical().to_list() == [2, 1, 0]
    assert table.schema["code"].levels == ("10", "20")


def test_weights_and_ids_have_their_places():
    told = {
        "columns": [
            {"name": "w", "kind": "numeric", "role": "weight"},
            {"name": "k", "kind": "identifier", "role": "id"},
        ]
    }
    table = typed("y", Schema.from_record(told), w=[1, 2], k=["a", "b"], x=[1.5, 2.5], y=[0, 1])
    assert table.weights.tolist() == [1.0, 2.0]
    assert table.X.columns == ["x"]
    assert table.schema.names("id") == ["k"]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ([], "The schema must be an object with a list of columns"),
        (
            {"columns": [], "colums": []},
            "must be an object with the keys classica_schema, missing, other_columns, columns",
        ),
        ({"columns": [{"kind": "numeric"}]}, "must be an object with the name of a column"),
        ({"columns": [{"name": "a"}]}, "'a' of the schema must be given with its kind"),
        ({"columns": [{"name": "a", "kind": "number"}]}, "'a' of the schema must be of a kind among numeric"),
        ({"columns": [{"name": "a", "kind": "numeric", "role": "y"}]}, "must be of a role among feature"),
        ({"columns": [{"name": "a", "kind": "numeric", "level": []}]}, "must be described by name, kind"),
        (
            {"columns": [{"name": "a", "kind": "categorical", "levels": "ab"}]},
            "levels in .* must be a list of strings",
        ),
        (
            {"columns": [{"name": "a", "kind": "categorical", "levels": ["b", "b"]}]},
            "with distinct levels",
        ),
        (
            {"columns": [{"name": "a", "kind": "categorical", "levels": [1, "1"]}]},
            "must be a list of strings, of integers, of other numbers or of Booleans, got \\[1, '1'\\]",
        ),
        *(
            ({"columns": [{"name": "a", "kind": "date", "format": written}]}, "with a date format")
            for written in ("%Q", "%", "", "yyyy-MM-dd", "%s")
        ),
        ({"columns": [{"name": "a", "kind": "ordinal"}]}, "given with its levels, in order, to be ordinal"),
        ({"columns": [{"name": "a", "kind": "text"}]}, "to be a feature, got 'text'"),
        ({"columns": [{"name": "a", "kind": "date", "parts": ["century"]}]}, "parts among year"),
        ({"columns": [{"name": "a", "kind": "date", "format": 5}]}, "format in .* must be a string"),
        ({"columns": [{"name": "a", "kind": "numeric"}] * 2}, "columns of different names"),
        (
            {"columns": [{"name": n, "kind": "numeric", "role": "target"} for n in "ab"]},
            "one with at most one target",
        ),
        ({"columns": [], "classica_schema": 2}, "must be of version 1, got 2"),
        ({"columns": [], "missing": "NA"}, "missing in the schema must be a list of strings"),
        ({"columns": [], "other_columns": "keep"}, "must be 'ignore' or 'decide'"),
    ],
)
def test_a_wrong_schema_is_one_sentence(record, message):
    with pytest.raises(DataError, match=message):
        Schema.from_record(record)


def test_files_that_are_no_schema(tmp_path):
    with pytest.raises(DataError, match="No such file"):
        Schema.load(tmp_path / "none.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(DataError, match="not valid JSON"):
        Schema.load(tmp_path / "bad.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(DataError, match="not valid JSON"):
        Schema.load(tmp_path / "binary.json")


def test_levels_must_be_known_before_a_schema_is_applied():
    schema = Schema((ColumnSchema("a", "categorical"),))
    with pytest.raises(DataError, match="'a' of the schema must be given with levels"):
        schema.apply(raw_of(pl.DataFrame({"a": ["x"]})))


@pytest.mark.parametrize(
    "written",
    [*DATE_FORMATS, "%b %d, %Y", "%Y-%m", "%j %Y", "%H:%M", "%Y-%m-%dT%H:%M:%S%.fZ", "%d.%m.%y %H:%M %z"],
)
def test_formats_that_dates_can_be_read_by_are_taken(written):
    assert ColumnSchema("a", "date", format=written).format == written
