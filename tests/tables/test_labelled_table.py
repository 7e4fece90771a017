"""One front door for labelled tables: what train learns from, compare compares on, and profile looks at."""

import numpy as np
import pytest

from classica import compare, train
from classica.comparison import comparing
from classica.comparison.plan.workspace import Workspace
from classica.errors import DataError
from classica.tables import Schema, decide_types, labelled_table, open_table, profile, read_table
from classica.tables.labelled import decision_notes
from tests.comparison.in_process import compared
from tests.tables.tables import typed

FAST = {"folds": 2, "tune": False}


@pytest.fixture
def planned(monkeypatch):
    """Return what plans a comparison and does not run it: its workspace."""
    monkeypatch.setattr(comparing, "run_comparison", lambda folder, *_, **__: Workspace.load(folder))
    return lambda source, **options: compare(source, "y", models=["chance"], **FAST, **options)


def csv(labels, **more):
    """Return a table of these labels, a column that tells them a little, and perhaps more columns."""
    rows = range(len(labels))
    columns = {"x": [hash_of(label) + k % 3 for k, label in enumerate(labels)], **more, "y": labels}
    lines = [",".join(columns), *(",".join(str(cells[k]) for cells in columns.values()) for k in rows)]
    return "\n".join(lines).encode() + b"\n"


def hash_of(label):
    return sum(map(ord, str(label))) % 50


def both_learn(source, tmp_path, **options):
    """Learn and compare; return the classes that both know."""
    model = train(source, "y", model="naive-bayes", **options)
    summary = compared(tmp_path, labelled_table(source, "y", **options), ["naive-bayes", "chance"], **FAST)
    assert [entry.state for entry in summary.models] == ["judged", "judged"]
    assert len(summary.table.classes) == len(model.classes_)
    return model.classes_.tolist()


def test_a_text_target_is_classes(tmp_path):
    labels = [f"c{k % 30}" for k in range(100)]
    assert len(both_learn(csv(labels), tmp_path)) == 30


def test_codes_that_a_schema_declares_are_classes(tmp_path):
    labels = [100 + k % 30 for k in range(100)]
    with pytest.raises(DataError, match=r"'y'.*categorical in a schema"):
        train(csv(labels), "y")
    with pytest.raises(DataError, match=r"'y'.*categorical in a schema"):
        compare(csv(labels), "y", models=["chance"], **FAST)
    schema = Schema.from_record({"columns": [{"name": "y", "kind": "categorical", "role": "target"}]})
    assert both_learn(csv(labels), tmp_path, schema=schema) == list(range(100, 130))


SIZES = (57, 48, 22, 22, 20, 9, 8, 6, 4, 4, 4, 3, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1)


def test_many_small_classes_are_judged_with_a_note(tmp_path, planned):
    labels = np.random.default_rng(0).permutation(np.repeat([f"c{k:02d}" for k in range(24)], SIZES)).tolist()
    assert len(labels) == 226
    assert len(both_learn(csv(labels), tmp_path)) == 24
    [note] = [note for note in planned(csv(labels)).notes if "fewer than" in note]
    assert "classes have" in note


def test_a_target_in_which_nothing_repeats_is_refused_by_both():
    labels = [f"name{k}" for k in range(40)]
    for learn in (train, lambda source, target: compare(source, target, models=["chance"])):
        with pytest.raises(DataError, match="40 rows"):
            learn(csv(labels), "y")


def test_whole_numbers_with_many_values_are_a_quantity_and_told():
    table = open_table(csv(list(range(40))), "y")
    assert table.schema["y"].kind == "numeric"
    assert "D205" in [finding.code for finding in profile(table).findings]
    few = open_table(csv([k % 5 for k in range(40)]), "y")
    assert few.schema["y"].kind == "categorical"


def test_columns_that_are_ignored_are_not_learned_from(planned):
    labels = ["u", "v"] * 20
    source = csv(labels, secret=[hash_of(label) for label in labels], note=["a b c"] * 40)
    model = train(source, "y", ignore=["secret", "note"])
    assert model.feature_names_in_.tolist() == ["x"]
    assert planned(source, ignore=["secret"]).X.columns == ["x"]
    found = profile(source, "y", ignore=["secret"])
    assert [column.role for column in found.columns if column.name == "secret"] == ["ignored"]
    typed = labelled_table(decide_types(read_table(source), target="y"), ignore=["secret"])
    assert typed.X.columns == ["x"]


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"ignore": ["secrt"]}, "'secrt'"),
        ({"ignore": ["y"]}, "'y'"),
        ({"ignore": "secret"}, "ignore must be"),
        ({"groups": "nowhere"}, "'nowhere'"),
        ({"time": "y"}, "'y'"),
        ({"ignore": ["x", "secret"]}, "no column can be used as a feature"),
    ],
)
def test_names_that_make_no_sense_are_refused(options, match):
    source = csv(["u", "v"] * 10, secret=list(range(20)))
    with pytest.raises(ValueError, match=match):
        labelled_table(source, "y", **options)


def test_groups_and_times_are_typed_but_not_learned_from():
    source = csv(["u", "v"] * 10, when=[f"2024-01-{k + 1:02d}" for k in range(20)])
    table = labelled_table(source, "y", time="when")
    assert table.schema["when"].role == "ignored"
    assert str(table.frame["when"].dtype) == "Date"
    assert table.X.columns == ["x"]


def test_no_column_is_dropped_without_a_note(planned):
    labels = ["u", "v"] * 20
    source = csv(labels, key=[f"k{k}" for k in range(40)], same=["s"] * 40)
    notes = "\n".join(planned(source).notes)
    assert "key" in notes
    assert "same" in notes
    assert {"key", "same"} <= {finding.column for finding in open_table(source, "y").decisions}


def test_notes_begin_with_what_is_not_used():
    cells = {f"n{place}": ["1,5", "2,5", "NA", "3,5"] * 5 for place in range(6)}
    words = [f"some words of row {row}" for row in range(20)]
    table = typed("y", **cells, words=words, y=["u"] * 17 + ["v"] * 3)
    first, second, *_ = decision_notes(table)
    assert first.startswith("words: ")
    assert second.startswith("y: 1 class has fewer than 5 rows")


@pytest.mark.parametrize("y", [["b", "a", "c"] * 4, [3, 1, 2] * 4, [True, False] * 6, ["10", "9", "ä"] * 4])
def test_codes_of_classes_stand_for_the_labels(y):
    table = typed("y", x=[i / 2 for i in range(12)], y=y)
    codes, classes = table.class_codes()
    assert codes.dtype == np.int32
    assert classes.dtype == table.y.dtype
    assert classes.tolist() == np.unique(table.y).tolist()
    assert classes[codes].tolist() == table.y.tolist() == y


def test_a_level_without_rows_is_no_class():
    told = Schema.from_record(
        {"columns": [{"name": "y", "kind": "categorical", "role": "target", "levels": ["c", "none", "a"]}]}
    )
    table = typed(schema=told, x=[i / 2 for i in range(12)], y=["a", "c"] * 6)
    codes, classes = table.class_codes()
    assert classes.tolist() == ["a", "c"]
    assert codes.tolist() == [0, 1] * 6
