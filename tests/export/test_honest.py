"""An export that does not answer as its model is caught, told, and not written."""

import re

import numpy as np
import pytest

from classica import (
    AdaBoostClassifier,
    C45Classifier,
    CARTClassifier,
    LinearSVMClassifier,
    LogisticClassifier,
    NaiveBayesClassifier,
    RandomForestClassifier,
    TableClassifier,
)
from classica.errors import ExportError
from classica.explain.additive_models import additive_of
from classica.explain.model_layers import ModelLayers
from classica.export import export_model
from classica.export.check import check_export, edge_rows
from classica.export.form import program_of
from classica.export.forms import onnx_model, python, sql
from classica.export.programs import edges_of
from classica.tables import load_table
from classica.trees.showing.sql_numbers import exact_number

FORM_MODULES = {"sql": sql, "python": python}

#: What a careless exporter may do to a text, and to which form. Each changes decisions: what adds the same to
#: all classes, or takes one level for another with the same odds, does not, and is no mistake.
MISTAKES = [
    (CARTClassifier(), "iris", "sql", "<=", "<"),
    (CARTClassifier(), "iris", "python", "<=", "<"),
    (C45Classifier(), "golf", "sql", "'sun'", "'Sun'"),
    (NaiveBayesClassifier(), "golf", "sql", "'sun'", "'Sun'"),
    (NaiveBayesClassifier(), "golf", "python", "None if cell is None", "'' if cell is None"),
    (LogisticClassifier(), "vote", "python", "START = (", "START = (1.0 + "),
    (AdaBoostClassifier(n_estimators=5), "iris", "sql", "ELSE 0.0 END", "ELSE 5.0 END"),
]


@pytest.mark.parametrize(("estimator", "name", "form", "right", "wrong"), MISTAKES)
def test_a_broken_exporter_is_caught(tmp_path, monkeypatch, estimator, name, form, right, wrong):
    table = load_table(name)
    model = TableClassifier(estimator, table.schema).fit(table, table.y)
    writer = f"program_{form}"
    honest = getattr(FORM_MODULES[form], writer)

    def broken(*arguments, **named):
        text = honest(*arguments, **named)
        assert right in text
        return text.replace(right, wrong)

    monkeypatch.setattr(FORM_MODULES[form], writer, broken)
    path = tmp_path / "model"
    path.write_text("as it was")
    with pytest.raises(ExportError) as told:
        export_model(model, form, check=table, out=path)
    assert re.search(r"export must predict .*, got .* instead of .* for the row \{", str(told.value))
    assert path.read_text() == "as it was"
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_broken_onnx_is_caught(monkeypatch):
    table = load_table("iris")
    model = TableClassifier(RandomForestClassifier(3, random_state=0), table.schema).fit(table, table.y)
    honest = onnx_model.program_onnx

    def broken(program):
        values = program.values.copy()
        values[0] = values[0][::-1]
        return honest(type(program)(**vars(program) | {"values": np.roll(values, 1, axis=1)}))

    monkeypatch.setattr(onnx_model, "program_onnx", broken)
    with pytest.raises(ExportError, match="The ONNX export must predict"):
        export_model(model, "onnx")


def test_an_export_that_does_not_run_is_an_error(monkeypatch):
    table = load_table("golf")
    model = TableClassifier(C45Classifier(), table.schema).fit(table, table.y)
    for form, place in (("sql", "SQLite"), ("python", "a fresh Python")):
        monkeypatch.setattr(FORM_MODULES[form], f"program_{form}", lambda *_, **named: "no such thing")
        with pytest.raises(ExportError, match=f"The export must run in {place}, got: "):
            export_model(model, form)
    monkeypatch.setattr(onnx_model, "program_onnx", lambda program: b"no such thing")
    with pytest.raises(ExportError, match="The export must run in ONNX Runtime, got: "):
        export_model(model, "onnx")


def test_edge_rows_have_gaps_unseen_levels_and_cuts_to_the_last_bit():
    table = load_table("iris")
    model = TableClassifier(CARTClassifier(), table.schema).fit(table, table.y)
    opened = ModelLayers.of(model)
    edges = edges_of(program_of(opened))
    rows = edge_rows(opened.columns, edges)
    for place, cuts in edges.items():
        cells = rows[opened.columns[place].name].to_list()
        for cut in cuts:
            assert {cut, np.nextafter(cut, np.inf), np.nextafter(cut, -np.inf)} <= set(cells)
        assert None in cells
    golf = load_table("golf")
    opened = ModelLayers.of(TableClassifier(C45Classifier(), golf.schema).fit(golf, golf.y))
    rows = edge_rows(opened.columns, {})
    for column in opened.columns:
        assert set(rows[column.name].to_list()) > {None, *column.levels}


def test_edge_rows_are_always_the_same():
    opened = ModelLayers.of(
        TableClassifier(C45Classifier(), load_table("golf").schema).fit(
            load_table("golf"), load_table("golf").y
        )
    )
    assert edge_rows(opened.columns, {}).equals(edge_rows(opened.columns, {}))


def test_numbers_in_sql_are_read_back_to_the_last_bit():
    import sqlite3

    rng = np.random.default_rng(0)
    numbers = np.concatenate(
        [rng.normal(size=3000), rng.uniform(0, 10, 3000) * 10.0 ** rng.integers(-99, 99, 3000)]
    )
    database = sqlite3.connect(":memory:")
    read = [database.execute(f"SELECT {exact_number(number)}").fetchone()[0] for number in numbers.tolist()]
    database.close()
    assert read == numbers.tolist()


def test_a_tie_that_rounding_breaks_otherwise_is_counted_and_told():
    table = load_table("vote")
    estimator = LinearSVMClassifier(tol=1e-9, multi_class="all-vs-all")
    model = TableClassifier(estimator, table.schema).fit(table, table.y)
    made = export_model(model, "python", check=table)
    sums = additive_of(ModelLayers.of(model))
    rows = model.features(table)
    expected = model.predict(table)
    differ = sums.answers(rows) != expected
    assert np.abs(model.decision_function(table)[differ]).max(initial=0.0) <= 1e-9
    assert made.ties <= made.checked // 50


def test_what_is_no_tie_is_an_error_however_small_the_margin():
    table = load_table("iris")
    model = TableClassifier(LogisticClassifier(), table.schema).fit(table, table.y)
    opened = ModelLayers.of(model)
    features = opened.features(table)
    said = model.predict(table).tolist()
    two = np.sort(model.predict_proba(table), axis=1)[:, -2:]
    closest = int((two[:, 1] - two[:, 0]).argmin())
    said[closest] = next(label for label in opened.classes if label != said[closest])
    with pytest.raises(ExportError, match="export must predict"):
        check_export(opened, features, lambda rows: said, "SQL")
