"""The summary: typed, the same after reading it back, also from runs of earlier versions and stopped ones."""

import json
import shutil
from pathlib import Path

import pytest

from classica.comparison import ComparisonResult, compare, resume
from classica.comparison.plan.workspace import Workspace
from classica.comparison.results.old_summary import current
from classica.comparison.results.summary import Summary
from classica.errors import ClassicaError, DataError
from classica.interfaces.report import report_html
from classica.tables import load_table
from tests.comparison.in_process import compared

#: A run of version 0.1 with a summary of version 1.
OLD_RUN = Path(__file__).parent.parent / "data" / "runs" / "golf-1"


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    folder = tmp_path_factory.mktemp("summary")
    return compared(folder, load_table("iris"), ["lda", "c45", "chance"], folds=3, tune=False)


def test_it_is_the_same_after_reading_it_back(summary):
    record = json.loads(json.dumps(summary.record(), allow_nan=False))
    again = Summary.from_record(record)
    assert again.record() == summary.record()
    assert again.models[0].standing == summary.models[0].standing
    assert again.settings == summary.settings


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        (("table", "rows"), "many", "The summary.table.rows must be a whole number, got 'many'"),
        (("models", 0, "state"), "excellent", "must be one of judged, unfinished, eliminated"),
        (("models", 0, "folds"), {}, "The summary.models[0].folds must be a list"),
        (("models", 0, "confusion", "matrix"), [[1, "x"]], "confusion.matrix must be a list of int64"),
        (("findings",), [{"code": 1}], "The summary.findings[0].code must be text, got 1"),
        (("metric",), None, "The summary.metric must be an object"),
        (("classica_summary",), 99, "The version of a summary must be at most 3, got 99"),
    ],
)
def test_a_damaged_summary_is_refused_with_the_path_to_the_damage(summary, tmp_path, path, value, text):
    record = summary.record()
    *way, last = path
    part = record
    for step in way:
        part = part[step]
    part[last] = value
    (tmp_path / "summary.json").write_text(json.dumps(record))
    with pytest.raises(DataError) as caught:
        ComparisonResult.load(tmp_path)
    assert text in str(caught.value)


def test_a_run_of_an_earlier_version_opens_and_has_a_report():
    old = ComparisonResult.load(OLD_RUN)
    assert old.best == "naive-bayes"
    assert [model.name for model in old.summary.judged] == ["naive-bayes", "chance", "c45"]
    assert [model.score.folds for model in old.summary.judged] == [5, 5, 5]
    assert old.summary.models[0].confusion.matrix.sum() == 14
    assert old.summary.model("chance").role == "baseline"
    assert "naive-bayes" in report_html(old)
    damaged = json.loads((OLD_RUN / "summary.json").read_text())
    del damaged["models"][0]["fold_scores"]
    with pytest.raises(DataError, match="A summary of version 1 must be complete"):
        current(damaged)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A thorough run that was not stopped."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    settings = {"models": ["lda", "c45"], "folds": 3, "tune": False, "workers": 1, "thorough": True}
    return compare(load_table("iris"), out=folder, **settings).folder


def stopped_after(units, whole, folder):
    """Return a copy of a run as it would be if it had been stopped after so many units."""
    shutil.copytree(whole, folder)
    journal = folder / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[: units + 1]))
    for path in (*folder.glob("models/*"), folder / "best.classica", folder / "summary.json"):
        path.unlink()
    shutil.rmtree(folder / "insight")
    return folder


@pytest.mark.parametrize(("units", "folds", "models"), [(2, 1, 2), (5, 2, 2), (7, 2, 3), (9, 3, 3)])
def test_a_stopped_run_gives_the_answer_of_what_is_known(whole, tmp_path, units, folds, models):
    found = ComparisonResult.load(stopped_after(units, whole, tmp_path / "run"))
    assert found.best is not None
    assert len(found.summary.folds.counted) == folds
    assert len(found.summary.judged) == models
    told = f"based on {folds} of 3 folds and {models} of 3 models." in found.answer
    assert told == (units < 9)


def test_a_budget_that_ends_early_leaves_a_model_to_predict_with(whole, tmp_path):
    found = resume(stopped_after(5, whole, tmp_path / "run"), budget=1e-9)
    assert found.summary.best_file == "best.classica"
    assert found.best_model().predict(load_table("iris")).shape == (150,)
    assert found.summary.model(found.recommended).delivered.file == f"models/{found.recommended}.classica"


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(ClassicaError, match="not the folder of a comparison"):
        ComparisonResult.load(tmp_path)


def test_the_process_that_has_compared_does_not_read_the_table_again(tmp_path, monkeypatch):
    found = compare(load_table("golf"), models=["id3"], folds=3, tune=False, effort=5, out=tmp_path / "run")

    def refuse(*_, **__):
        raise AssertionError("the table was read again")

    monkeypatch.setattr(Workspace, "load", refuse)
    assert len(found.workspace.y) == found.summary.table.rows
    with pytest.raises(AssertionError, match="read again"):
        _ = ComparisonResult.load(tmp_path / "run").workspace
