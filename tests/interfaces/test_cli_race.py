"""compare and resume as commands: what they ask of the comparison, and what they show of it.

The comparison itself is made up here, so that it does what a test needs at once.
"""

import io
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

import classica.comparison
import classica.interfaces.report
from classica.comparison import ComparisonResult
from classica.comparison.plan.settings import Settings
from classica.comparison.plan.workspace import Workspace
from classica.interfaces.cli import _comparison, _progress_view
from classica.interfaces.cli._progress_text import ProgressText
from classica.tables import load_table
from tests.comparison.summaries import model, summary
from tests.interfaces.race_events import dropped, leaders, progress_of
from tests.interfaces.test_help_examples import run

SVC = "sklearn.svm:SVC"
EVENTS = (
    progress_of("first look", done=1, total=2),
    progress_of("first look", done=2, total=2, leaders=leaders(3), is_new=True),
    progress_of(leaders=leaders(3)),
    progress_of(leaders=leaders(3), dropped=(dropped("winnow"),), is_new=True),
)


@dataclass(frozen=True)
class Result(ComparisonResult):
    is_interrupted: bool = False


class Engine:
    """Stands for the comparison: notes what it is asked for, tells its events, and returns its result."""

    def __init__(self, folder, monkeypatch):
        self.asked, self.is_interrupted, self.raises = {}, False, None
        self.reports = []
        monkeypatch.chdir(folder)
        monkeypatch.setattr(classica.comparison, "compare", self.compare)
        monkeypatch.setattr(classica.comparison, "resume", self.resume)
        monkeypatch.setattr(_comparison, "is_resumable", lambda folder: True)
        monkeypatch.setattr(classica.interfaces.report, "write_report", self.reports.append)

    def make_run(self, folder, models=("chance", "lda")):
        Path(folder).mkdir()
        Workspace(load_table("iris"), Settings(metric="log_loss"), tuple(models)).save(Path(folder))

    def compare(self, table, *, out, progress, **asked):
        self.asked = asked
        self.make_run(out, ("chance", *(asked["models"] or ("lda",))))
        return self._result(out, progress)

    def resume(self, folder, *, progress, **asked):
        self.asked = asked
        return self._result(Path(folder), progress)

    def _result(self, folder, progress):
        for event in EVENTS if progress is not None else ():
            progress(event)
        if self.raises is not None:
            raise self.raises
        found = replace(summary([model("lda", 0.9), model("chance", 0.5)]), answer="Use LDA: 98.0% accuracy.")
        return Result(folder, found, is_interrupted=self.is_interrupted)


@pytest.fixture
def engine(tmp_path, monkeypatch):
    return Engine(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ((), {"budget": "auto", "effort": None, "thorough": False, "reference": True, "models": None}),
        (("--budget", "30s"), {"budget": 30.0}),
        (("--budget", "2h"), {"budget": 7200.0}),
        (("--budget", "none"), {"budget": None}),
        (("--effort", "600"), {"budget": "auto", "effort": 600.0}),
        (("--thorough",), {"thorough": True}),
        (("--no-reference",), {"reference": False}),
        (("--memory", "2GB", "--limit", "90s"), {"memory": 2 * 10**9, "limit": 90.0}),
        (("--metric", "auc"), {"metric": "auc"}),
        (
            ("--models", f"knn(n_neighbors=7,p=1), c45,{SVC}(C=10)"),
            {"models": ["knn(n_neighbors=7,p=1)", "c45", f"{SVC}(C=10)"]},
        ),
    ],
)
def test_options_reach_the_comparison(engine, options, asked):
    done = run("compare", "iris", *options)
    assert done.exit_code == 0, done.output
    assert {name: engine.asked[name] for name in asked} == asked
    assert {"folds", "repeats", "tune", "refine", "seed", "workers", "notes"} <= engine.asked.keys()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--budget", "soon"), "such as 30s, 10m or 2h, or none, got 'soon'"),
        (("--budget", "0"), "must be an amount"),
        (("--effort", "0"), "--effort"),
        (("--effort", "9", "--budget", "9s"), "--budget and --effort cannot be combined"),
        (("--json", "--json-lines"), "--json and --json-lines cannot be combined"),
        (("--metric", "acuracy"), "'acuracy' is not one of 'accuracy', "),
    ],
)
def test_wrong_options_are_refused(engine, options, sentence):
    done = run("compare", "iris", *options)
    assert done.exit_code == 2
    assert sentence in done.stderr
    assert engine.asked == {}


def test_a_resumed_run_may_get_more_models_and_other_limits(engine):
    engine.make_run("run")
    limits = ("--budget", "10m", "--limit", "5s", "--memory", "1GB", "--workers", "1")
    done = run("resume", "run", "--models", f"knn( n_neighbors=7 ),{SVC}(C=10)", *limits)
    assert done.exit_code == 0, done.output
    assert engine.asked == {
        "models": ["knn(n_neighbors=7)", f"{SVC}(C=10)"],
        "allow": [SVC],
        "budget": 600.0,
        "limit": 5.0,
        "memory": 10**9,
        "workers": 1,
    }
    assert run("resume", "run", "--models", "kmn").stderr.endswith("Did you mean 'knn'?\n")


def test_a_class_is_trusted_whatever_its_parameters(engine):
    engine.make_run("a run", ["chance", f"{SVC}(C=1)", f"{SVC}(C=2)"])
    refused = run("resume", "a run")
    assert refused.exit_code == 1
    assert refused.stderr.rstrip().endswith(f"If you trust them, type: classica resume 'a run' --allow {SVC}")
    assert run("resume", "a run", "--allow", SVC).exit_code == 0


def test_a_pipe_gets_a_log(engine):
    done = run("compare", "iris")
    assert [line.partition(",")[0] for line in done.stderr.splitlines()] == [
        "Predicting class (3 classes: Iris-setosa 50",
        "Results are written to iris-run. Ctrl-C gives the answer so far.",
        "First ranking on 4",
        "Leaderboard after 0:42",
        "  model-0  90.0% (95% CI 88.0–92.0%)",
        "  model-1  89.0% (95% CI 87.0–91.0%)",
        "  model-2  88.0% (95% CI 86.0–90.0%)",
        "Tuning on 4",
        "Dropped winnow after 1",
    ]
    assert done.stdout.startswith("Use LDA: 98.0% accuracy.\n")
    assert run("compare", "iris", "--quiet").stderr == ""


def test_scores_are_shown_as_the_metric_has_them(engine):
    engine.make_run("run")  # by log loss
    assert "  model-0  0.900 (95% CI 0.880–0.920), " in run("resume", "run").stderr


def test_json_lines_are_progress_and_then_the_summary(engine):
    done = run("compare", "iris", "--json-lines")
    assert done.stderr == ""
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["event"] for line in lines] == ["progress", "progress", "progress", "result"]
    first, board, drop, result = lines
    assert (first["phase"], first["done"], first["leaders"]) == ("first look", 1, [])
    assert board["leaders"][0]["score"]["mean"] == 0.9
    assert drop["dropped"][0]["name"] == "winnow"
    assert result["summary"]["recommended"] == "lda"


def test_the_first_ctrl_c_gives_the_answer_so_far(engine):
    engine.is_interrupted = True
    done = run("compare", "iris", "--models", f"lda,{SVC}(C=1)")
    assert done.exit_code == 130
    assert done.stdout.startswith("Use LDA: 98.0% accuracy.\n")
    command = f"classica resume iris-run --allow {SVC}"
    assert done.stderr.endswith(f"Continue with: {command}\n")
    assert len(engine.reports) == 1
    assert json.loads(run("compare", "iris", "--json", "--out", "other").stdout)["recommended"] == "lda"
    assert run("resume", "iris-run", "--allow", SVC, "--quiet").exit_code == 130


def test_the_second_ctrl_c_ends_at_once(engine):
    engine.raises = KeyboardInterrupt()
    done = run("compare", "iris")
    assert done.exit_code == 130
    assert "finished fits are kept. Continue with: classica resume iris-run" in done.stderr
    assert done.stdout == ""
    assert engine.reports == []


class Terminal(io.StringIO):
    """Stands for standard error of a terminal."""

    def isatty(self):
        return True


def test_a_terminal_is_redrawn_and_left_clean(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setattr(_progress_view, "_DRAWING", 0.0)
    with _progress_view.progress_view(ProgressText("accuracy", True, 150)) as listen:
        for event in EVENTS:
            listen(event)
    text = terminal.getvalue()
    for part in (
        "First ranking",
        "model-0",
        "●",
        "Running: ",
        "Dropped (1):",
        "Ctrl-C gives the answer so far.",
    ):
        assert part in text
    # At the end every line of the last drawing is erased, and nothing is written any more.
    end = text.rpartition("so far.")[2]
    assert end.count("\x1b[2K") >= 14
    assert re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", end).strip() == ""


def test_drawings_do_not_come_faster_than_one_sees(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with _progress_view.progress_view(ProgressText()) as listen:
        for _ in range(200):
            listen(EVENTS[-1])
    assert terminal.getvalue().count("Running: ") < 20


def test_a_dumb_terminal_gets_a_log(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "dumb")
    with _progress_view.progress_view(ProgressText()) as listen:
        listen(EVENTS[0])
    assert "\x1b" not in terminal.getvalue()
