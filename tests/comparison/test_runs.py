"""The run of a comparison: workers, kills, interrupts and budgets change nothing but times."""

import signal
import subprocess
import sys
import tempfile
import time

import polars as pl
import pytest

import classica
from classica.comparison import ComparisonResult, compare, resume
from classica.errors import ClassicaError
from classica.runs import read_outcomes
from classica.tables import load_table

MODELS = ["naive-bayes", "lda", "c45"]
RUN = "import sys\nfrom classica.interfaces.cli import main\nmain(sys.argv[1:])"


def started(folder, *more):
    command = ["compare", "iris", "--models", ",".join(MODELS), "--folds", "4", "--out", str(folder)]
    return subprocess.Popen(
        [sys.executable, "-c", RUN, *command, "--workers", "2", "--no-report", *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finished(folder):
    """Return the units that are finished, in the rounds of a race or the journal of a search."""
    parts = [folder, *sorted(folder.glob("rounds/*"))]
    outcomes = [each for part in parts if (part / "journal.jsonl").exists() for each in read_outcomes(part)]
    return [each.key for each in outcomes if each.status == "done"]


def wait_for_outcomes(folder, count):
    until = time.monotonic() + 60
    while time.monotonic() < until:
        done = finished(folder)
        if len(done) >= count:
            return done
        time.sleep(0.005)
    raise AssertionError(f"The run must come to {count} outcomes within a minute.")


@pytest.mark.parametrize("more", [(), ("--thorough",)])
def test_ctrl_c_gives_the_answer_so_far_and_says_how_to_go_on(tmp_path, more):
    folder = tmp_path / "run"
    process = started(folder, *more)
    wait_for_outcomes(folder, 2)
    process.send_signal(signal.SIGINT)
    answer, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"classica resume {folder}" in told
    assert "Traceback" not in told
    assert 2 <= len(finished(folder)) < 24
    found = ComparisonResult.load(folder)
    assert found.is_interrupted
    assert " ".join(answer.split()).startswith(found.answer)
    assert found.best_model().predict(load_table("iris")).shape == (150,)


def test_a_budget_that_ends_early_still_gives_an_answer(tmp_path):
    found = compare(load_table("iris"), models=MODELS, folds=4, out=tmp_path / "run", budget=0.001)
    assert found.best is None
    assert "No model could be evaluated" in found.answer
    assert found.summary.best_file is None
    assert {model.state for model in found.summary.models} == {"skipped"}


def test_what_is_no_run_is_refused_in_a_sentence(tmp_path):
    for call in (lambda: resume(tmp_path), lambda: ComparisonResult.load(tmp_path)):
        with pytest.raises(ClassicaError, match="not the folder of a comparison") as caught:
            call()
        assert "\n" not in str(caught.value)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ClassicaError, match="out must be a new or empty folder"):
        compare(load_table("iris"), models=MODELS, out=tmp_path)


def test_a_run_without_a_name_and_a_table_that_was_changed_behind_its_back(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    golf = load_table("golf")
    found = classica.compare(golf, models=["id3"], folds=2, tune=False, effort=1.0)
    assert found.folder.parent == tmp_path
    golf.frame.head(10).write_parquet(found.folder / "table.parquet")
    with pytest.raises(ClassicaError, match="must be the one the run began with"):
        classica.resume(found.folder)


def test_the_python_of_a_run_gives_the_same_results(tmp_path, monkeypatch):
    """Also for a table that was no file, with a schema and groups of its own."""
    golf = load_table("golf").frame
    people = golf.with_columns(who=pl.Series([row // 2 for row in range(golf.height)]))
    settings = {"models": ["id3", "naive-bayes"], "folds": 3, "tune": False, "groups": "who"}
    first = compare(people, "y", out=tmp_path / "run", workers=1, **settings)
    monkeypatch.chdir(tmp_path / "run")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = {}
    exec(first.summary.python, names)
    again = names["result"].summary
    assert again.table.fingerprint == first.summary.table.fingerprint
    scores = [
        {model.name: model.values("test_score").tolist() for model in each.models}
        for each in (first.summary, again)
    ]
    assert scores[0] == scores[1]
    assert again.python.split("import classica")[1] == first.summary.python.split("import classica")[1]
