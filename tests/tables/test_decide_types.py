"""Every column gets a kind and a role, a reason, and what to tell about it."""

import datetime

import numpy as np
import polars as pl
import pytest

from classica import NaiveBayesClassifier
from classica.errors import DataError
from classica.tables import Schema, decide_types
from classica.tables.reading import Declared
from classica.tables.table_finding import table_codes
from tests.tables.tables import EVERYTHING, codes, raw, raw_of, typed

EXPECTED = {
    "key": ("identifier", "ignored", ["D101"]),
    "code": ("identifier", "ignored", ["D109"]),
    "zip": ("categorical", "feature", ["D109"]),
    "huge": ("identifier", "ignored", ["D107"]),
    "length": ("numeric", "feature", []),
    "gaps": ("numeric", "feature", ["D105"]),
    "colour": ("categorical", "feature", ["D105"]),
    "wet": ("boolean", "feature", ["D110"]),
    "when": ("date", "feature", ["D104"]),
    "same": ("constant", "ignored", ["D102"]),
    "empty": ("constant", "ignored", ["D102"]),
    "story": ("text", "ignored", ["D103"]),
    "name": ("identifier", "ignored", ["D101"]),
    "y": ("categorical", "target", []),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_kind_is_decided_with_a_reason_and_told(name):
    table = typed(target="y", **EVERYTHING)
    column = table.schema[name]
    assert (column.kind, column.role, codes(table, name)) == EXPECTED[name]
    assert column.reason.endswith(".")
    assert all(code in table_codes() for code in codes(table))


def test_nothing_that_is_not_used_is_changed():
    table = typed(target="y", **EVERYTHING)
    for name in ("key", "code", "huge", "same", "story", "name"):
        assert table.frame[name].to_list() == EVERYTHING[name]


def test_estimators_take_the_features_as_they_are():
    table = typed(target="y", **EVERYTHING)
    assert table.frame.schema["colour"] == pl.Enum(["blue", "green", "red"])
    parts = ["when.year", "when.month", "when.day", "when.weekday"]
    assert table.X.columns == ["zip", "length", "gaps", "colour", "wet", *parts]
    model = NaiveBayesClassifier().fit(table.X, table.y)
    assert model.category_levels_["colour"] == ["blue", "green", "red"]
    assert set(model.predict(table.X)) <= {"yes", "no"}


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([1, 5, 9, 200, 3000, 40000, 7, 11, 900, 81, 2, 6], "numeric"),  # different, but no counter
        ([101, 103, 102, 104, 105, 106, 107, 108, 110, 109, 111, 112], "identifier"),
        ([3, 1, 2], "numeric"),  # too few rows to say
        ([1.5, 2.5, float("nan")] * 4, "numeric"),
        ([0, 1] * 6, "numeric"),
        (["a", "b", "c"], "categorical"),
        (["1", "2", "x"] * 4, "categorical"),
        (["1.2.3", "1.2.4"] * 6, "categorical"),
        ([2**53, 1] * 6, "numeric"),
        ([2**53 + 1, 1] * 6, "identifier"),
        (["9007199254740993", "5"] * 6, "identifier"),
        (["+49 30", "x"] * 6, "categorical"),
        ([datetime.time(1, 2), datetime.time(3, 4)] * 6, "date"),
        ([datetime.timedelta(seconds=1), datetime.timedelta(1)] * 6, "numeric"),
        ([b"x", b"y"] * 6, "text"),
        ([{"a": 1}, {"a": 2}] * 6, "text"),
        ([["a"], ["b"]] * 6, "text"),
        (["none", "-", "some"] * 4, "categorical"),
        (["x", None] * 6, "categorical"),
    ],
)
def test_kinds_at_the_edges(cells, kind):
    table = typed(a=cells, b=[1.5, 2.5] * (len(cells) // 2) + [1.5] * (len(cells) % 2))
    assert table.schema["a"].kind == kind
    assert table.frame["a"].null_count() == sum(c is None or c != c for c in cells)


def test_a_name_that_says_id_decides_between_different_integers():
    cells = [i * i * 1000 + 7 for i in range(20)]
    table = typed(customer_id=cells, turnover=cells)
    assert table.schema["customer_id"].kind == "identifier"
    assert table.schema["turnover"].kind == "numeric"


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["1,5", "-2,25", "NA", "7"], [1.5, -2.25, None, 7.0]),
        (["1,234", "2,500", "1", "2"], None),  # thousands, perhaps
        (["1,5", "1.5", "1", "2"], None),
        (["1,5,6", "1,5", "1", "2"], None),
        ([",", "1,5", "1", "2"], None),
    ],
)
def test_decimal_commas_are_told_where_they_are_sure(cells, numbers):
    table = typed(x=cells * 3)
    assert ("D113" in codes(table)) == (numbers is not None)
    if numbers is None:
        assert table.schema["x"].kind == "categorical"
    else:
        assert table.frame["x"].to_list() == numbers * 3
        assert table.schema.apply(raw(x=["2,5", "2.5"])).frame["x"].to_list() == [2.5, 2.5]


def test_dates_that_can_be_read_in_two_ways_are_not_guessed():
    table = typed(a=["01/02/2024", "03/04/2024"] * 5, b=["01/02/2024", "13/04/2024"] * 5)
    assert (table.schema["a"].role, codes(table, "a")) == ("ignored", ["D111"])
    assert table.schema["b"].format == "%d/%m/%Y"
    assert table.frame["b"][1] == datetime.date(2024, 4, 13)
    told = {"columns": [{"name": "a", "kind": "date", "format": "%m/%d/%Y"}]}
    table = decide_types(raw(a=["01/02/2024", "03/04/2024"] * 5), schema=Schema.from_record(told))
    assert table.frame["a"][0] == datetime.date(2024, 1, 2)
    assert table.X.columns == ["a.year", "a.month", "a.day", "a.weekday"]


def test_parts_of_dates_are_those_of_the_calendar():
    table = typed(t=[datetime.datetime(2024, 2, 29, 13, 45), datetime.datetime(2025, 12, 24, 6, 0)] * 5)
    wanted = {"year": 2024, "month": 2, "day": 29, "weekday": 4, "hour": 13, "minute": 45}
    assert table.X.row(0, named=True) == {f"t.{part}": value for part, value in wanted.items()}
    same_day = typed(t=[datetime.datetime(2024, 2, 29, 13, 45), datetime.datetime(2024, 2, 29, 6, 45)] * 5)
    assert same_day.X.columns == ["t.hour"]


@pytest.mark.parametrize(
    ("labels", "classes", "dtype"),
    [
        ([1, 2, 2], [1, 2], np.int64),
        (["1", "2", "2"], ["1", "2"], object),
        (["True", "False", "True"], ["False", "True"], object),
        ([True, False, True], [False, True], np.bool_),
        (["NA", "a", "b"], ["NA", "a", "b"], object),
        (["007", "7", "7"], ["007", "7"], object),
        ([1.0, 2.0, 2.0], [1.0, 2.0], np.float64),
        ([2**60, 2**60 + 1, 5], [5, 2**60, 2**60 + 1], np.int64),
    ],
)
def test_labels_stay_what_they_are(labels, classes, dtype):
    table = typed("y", x=[1.5, 2.5, 3.5], y=labels)
    assert table.schema["y"].levels == tuple(classes)
    assert all(type(a) is type(b) for a, b in zip(table.schema["y"].levels, classes, strict=True))
    assert table.y.tolist() == labels
    assert table.y.dtype == dtype
    assert Schema.from_record(table.schema.record()) == table.schema
    model = NaiveBayesClassifier().fit(table.X, table.y)
    assert model.classes_.tolist() == classes


def test_words_for_missing_in_the_target_are_classes_and_told():
    table = typed("y", x=[1.5, 2.5, 3.5], y=["NA", "a", "NA"])
    assert codes(table, "y") == ["D201"]
    told = {"columns": [{"name": "y", "kind": "categorical", "role": "target", "missing": ["NA"]}]}
    table = typed(schema=Schema.from_record(told), x=[1.5, 2.5, 3.5], y=["NA", "a", "NA"])
    assert table.labelled().y.tolist() == ["a"]
    with pytest.raises(
        DataError, match=r"target 'y' of table.csv must have a label in every row, got none in row 1"
    ):
        table.y  # noqa: B018


def test_a_target_of_quantities_is_for_regression():
    table = typed("y", x=[1, 2, 3], y=[0.5, 1.5, 2.0])
    assert (table.schema["y"].kind, codes(table, "y")) == ("numeric", ["D206"])
    assert table.y.tolist() == [0.5, 1.5, 2.0]


@pytest.mark.parametrize("labels", [[None, None], [datetime.date(2024, 1, 1)] * 2, [[1], [2]], ["", ""]])
def test_what_cannot_be_a_target_is_one_sentence(labels):
    with pytest.raises(DataError, match=r"'y' as the target of table.csv"):
        typed("y", x=[1, 2], y=labels)


def test_an_unknown_target_and_an_empty_table_are_errors():
    with pytest.raises(DataError, match=r"'z': table.csv .*'x'"):
        typed("z", x=[1, 2])
    with pytest.raises(DataError, match=r"table.csv: it has no rows"):
        typed(x=[])


def test_levels_declared_in_the_file_keep_their_order():
    frame = pl.DataFrame({"size": ["s", "l", "s"], "y": ["b", "a", "b"]})
    declared = {"size": Declared("categorical", ("s", "m", "l")), "y": Declared("categorical", ("b", "a"))}
    table = decide_types(raw_of(frame, declared=declared), target="y")
    assert table.frame.schema["size"] == pl.Enum(["s", "m", "l"])
    assert table.schema["y"].levels == ("b", "a")


def test_dates_declared_in_the_file_are_read_by_their_pattern():
    frame = pl.DataFrame({"t": ["24.12.2024 18:30", "25.12.2024 06:00"] * 3})
    table = decide_types(raw_of(frame, declared={"t": Declared("date", None, "dd.MM.yyyy HH:mm")}))
    assert table.schema["t"].format == "%d.%m.%Y %H:%M"
    assert table.frame["t"][0] == datetime.datetime(2024, 12, 24, 18, 30)


def test_almost_numeric_text_is_told():
    cells = [str(i % 30) for i in range(99)] + ["12 kg"]
    table = typed(x=cells)
    assert "D106" in codes(table)
    assert "'12 kg'" in next(f.text for f in table.decisions if f.code == "D106")


def test_the_old_target_is_not_left_among_the_features():
    table = typed("y", x=[1.5, 2.5, 3.5], y=["a", "b", "a"], z=["u", "v", "u"])
    again = decide_types(
        raw(x=[1.5, 2.5, 3.5], y=["a", "b", "a"], z=["u", "v", "u"]), target="z", schema=table.schema
    )
    assert again.schema.target == "z"
    assert again.schema.names("feature") == ["x"]
