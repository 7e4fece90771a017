"""compare, resume and report, run as a user runs them."""

import json
import re

import pytest

from classica.comparison.results.leaderboard_text import board_lines, seconds
from classica.comparison.results.summary import Summary
from classica.interfaces.cli.compare import command
from classica.metrics import METRICS
from classica.runs import read_outcomes
from tests.comparison.test_answers import noise
from tests.interfaces.test_help_examples import run

FEW = ("--models", "lda,naive-bayes,c45", "--folds", "4")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_newcomer_compares_iris(folder):
    done = run("compare", "iris", *FEW)
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    text = " ".join(done.stdout.split())
    assert text.startswith("Use LDA: 9")
    assert max(map(len, lines)) <= 80
    for part in (
        "scores 33.3%.",
        "LDA misses 4% of 'Iris-versicolor'.",
        "model accuracy 95% CI behind best as good",
        "> recommended; * statistically tied for best; behind",  # no reference, as there is none
        "E303 Tied models",
        "classica card iris-run/best.classica",
        "classica report iris-run --all",
        "iris-run/report.html",
        "classica predict iris-run/best.classica TABLE",
        "classica explain iris-run/best.classica",
    ):
        assert part in text
    assert len(lines) <= 30
    assert (folder / "iris-run" / "report.html").read_text().startswith("<!")
    assert run("predict", "iris-run/best.classica", "iris", "--out", "answers.csv").exit_code == 0
    assert run("report", "iris-run", "--out", "page.html").exit_code == 0
    before = read_outcomes("iris-run")
    again = run("resume", "iris-run", "--json", "--no-report")
    assert read_outcomes("iris-run") == before
    assert json.loads(again.stdout) == json.loads((folder / "iris-run" / "summary.json").read_text())


def test_the_options_of_reading_hold(folder):
    text = noise(0).write_csv(separator="|").replace(".", ",")
    (folder / "t.txt").write_text(text)
    few = ("--target", "y", "--models", "lda", "--folds", "3", "--no-tune", "--no-report")
    done = run("compare", "t.txt", *few, "--delimiter", "|", "--decimal", ",", "--unpacked", "100000000")
    assert done.exit_code == 0, done.output
    assert "Note: table read as: " in done.stderr
    summary = json.loads((folder / "t-run" / "summary.json").read_text())
    assert {column["kind"] for column in summary["table"]["profile"]["columns"]} == {"numeric", "categorical"}
    assert run("compare", "t.txt", *few, "--unpacked", "10").exit_code == 1


def test_every_metric_is_offered():
    [metrics] = [option.type.choices for option in command.params if option.name == "metric"]
    assert list(metrics) == list(METRICS)


def test_json_is_the_summary_and_nothing_else(folder):
    noise(0).write_csv("t.csv")
    models = "lda,c45,sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis"
    few = ("--models", models, "--folds", "4", "--metric", "log_loss")
    done = run("compare", "t.csv", "--target", "y", *few, "--no-tune", "--json", "--no-report")
    summary = json.loads(done.stdout)
    assert summary == json.loads((folder / "t-run" / "summary.json").read_text())
    assert summary["table"]["source"] == "t.csv"
    assert not (folder / "t-run" / "report.html").exists()
    refused = run("resume", "t-run", "--no-report")
    assert refused.exit_code == 1
    assert "classica resume t-run --allow sklearn.discriminant" in refused.stderr.replace("\n", "")
    allowed = "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis"
    shown = run("resume", "t-run", "--no-report", "--allow", allowed).stdout
    line = next(line for line in shown.splitlines() if "Quadratic" in line)
    entry = next(entry for entry in summary["models"] if entry["title"].startswith("Quadratic"))
    # In a file there is room for the whole name; in a terminal it is cut, the numbers are not.
    assert "…" not in line
    cut = next(line for line in board_lines(Summary.from_record(summary), 80) if "Quad" in line)
    assert "…" in cut
    assert len(cut) <= 80
    score = f"{entry['standing']['score']['mean']:.3f}"
    assert line.split(score)[1].split()[:3] == cut.split(score)[1].split()[:3]
    shown = next(line for line in board_lines(Summary.from_record(summary)) if "Quad" in line)
    assert " ".join(shown.split()).endswith(f"{seconds(entry['predict_seconds_per_row'])} –")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (("compare", "nowhere.csv"), 1, "nowhere.csv"),
        (("compare", "iris", "--models", "ldda"), 1, "got 'ldda'. Did you mean 'lda'?"),
        (("compare", "iris", "--models", "knn(k=3"), 1, "with closed parentheses and quotes"),
        (("compare", "iris", "--models", "knn(n_neigbors=3)"), 1, "Did you mean 'n_neighbors'?"),
        (("compare", "iris", "--target", "x"), 1, "'x'"),
        (("compare", "iris", "--limit", "soon"), 2, "must be an amount such as 60s, 10m or 2h"),
        (("compare", "iris", "--memory", "-2GB"), 2, "must be an amount such as 500MB or 2GB"),
        (("compare", "iris", "--costs", "none.csv"), 1, "none.csv"),
        (("compare", "iris", "--metric", "cost"), 2, "--metric cost needs --costs FILE"),
        (("compare", "iris", "--groups", "sepal"), 1, "must name a column of iris, got 'sepal'"),
        (("compare", "iris", "--time", "petalwith"), 1, "'petalwidth'"),
        (("resume", "."), 1, "not the folder of a comparison"),
        (("resume", "nowhere"), 2, "nowhere"),
        (("report", "."), 1, "not the folder of a comparison"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments, code, text):
    done = run(*arguments)
    assert done.exit_code == code
    assert text in done.stderr
    assert "Traceback" not in done.output
    assert len([line for line in done.stderr.splitlines() if "Error" in line]) == 1


def test_a_table_without_a_target_says_what_to_type(folder):
    noise(0).write_csv("t.csv")
    done = run("compare", "t.csv")
    assert done.exit_code == 1
    assert "--target must name the column to predict, got none" in done.stderr
    assert done.stderr.rstrip().endswith("For example: --target y")


def test_a_run_that_was_stopped_has_a_report_of_what_is_known(folder):
    few = ("--models", "lda,c45", "--folds", "3", "--no-tune", "--no-report", "--thorough")
    assert run("compare", "iris", *few, "--quiet").exit_code == 0
    (folder / "iris-run" / "summary.json").unlink()
    journal = folder / "iris-run" / "journal.jsonl"
    kept = [line for line in journal.read_bytes().splitlines(keepends=True) if b"fold 3" not in line]
    journal.write_bytes(b"".join(kept[:6]))
    done = run("report", "iris-run")
    assert done.exit_code == 0, done.output
    page = (folder / "iris-run" / "report.html").read_text()
    assert "The run is not complete" in page


def test_what_is_learned_is_told_before_the_work(folder):
    few = ("--models", "lda", "--folds", "3", "--no-tune", "--no-report")
    done = run("compare", "iris", *few)
    about, kept = done.stderr.splitlines()[:2]
    for fact in ("class", "3 classes", "Iris-setosa 50", "Iris-virginica 50", "4 features", "150 rows"):
        assert fact in about
    assert "iris-run" in kept
    assert run("compare", "iris", *few, "--quiet").stderr == ""


def test_the_column_of_groups_is_not_announced_as_one_to_learn_from(folder):
    done = run(
        "compare",
        "iris",
        "--groups",
        "petalwidth",
        "--models",
        "lda",
        "--folds",
        "3",
        "--no-tune",
        "--no-report",
    )
    assert " from 3 features" in done.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        ("--models", "nobody"),
        ("--time", "class"),
        ("--reject-cost", "-1"),
        ("--costs", "none.csv"),
        ("--metric", "accuracy", "--reject-cost", "0.1"),
        ("--groups", "nothing"),
    ],
)
def test_what_is_wrong_is_said_before_the_work_begins(tmp_path, monkeypatch, wrong):
    monkeypatch.chdir(tmp_path)
    done = run("compare", "iris", *wrong, "--out", "r")
    assert done.exit_code in (1, 2)
    assert "Results are kept" not in done.stderr
    assert not (tmp_path / "r").exists()


def test_a_run_that_ended_early_says_how_to_finish_it(folder):
    few = ("--models", "lda,c45", "--no-report", "--out", "early", "--budget", "0.01s")
    assert "classica resume early" in run("compare", "iris", *few).output


def test_all_prints_every_model_metric_and_class(folder):
    few = ("--models", "lda,naive-bayes,c45,knn,nearest-mean,qda,tree", "--folds", "3", "--no-tune")
    short = run("compare", "iris", *few, "--no-report", "--effort", "5").stdout
    assert "nearest mean" not in short
    shown = run("report", "iris-run", "--all").stdout
    again = run("resume", "iris-run", "--all", "--no-report").stdout
    for text in (shown, again):
        assert all(name in text for name in ("nearest mean", "decision tree", "QDA"))
        assert all(heading in text for heading in ("balanced", "log loss", "Brier", "AUC"))
        assert re.search(r"Iris-virginica +50 +9\d\.\d% \(", text)
    assert not (folder / "iris-run" / "report.html").exists()
    positive = run("report", "iris-run", "--all", "--positive", "Iris-virginica").stdout
    assert "recall 'Iris-virginica'" in positive
    assert "recall 'Iris" not in shown
    wrong = run("report", "iris-run", "--positive", "Iris-virginca")
    assert wrong.exit_code == 1
    assert "Did you mean 'Iris-virginica'?" in wrong.stderr
    assert run("report", "iris-run", "--all", "--json").exit_code == 2
    assert run("compare", "iris", *few, "--all", "--quiet").exit_code == 2


def test_the_curves_of_the_positive_class_are_drawn(folder):
    few = ("--models", "lda", "--folds", "3", "--no-tune", "--effort", "5", "--positive", "democrat")
    assert run("compare", "vote", *few).exit_code == 0
    page = (folder / "vote-run" / "report.html").read_text()
    assert "recall &#39;democrat&#39;" in page
    summary = json.loads((folder / "vote-run" / "summary.json").read_text())
    assert summary["settings"]["positive"] == "democrat"
    entry = summary["models"][0]["classes"][0]
    assert entry["label"] == "democrat"
    evaluated = run("evaluate", "vote-run/best.classica", "vote", "--positive", "democrat", "--json")
    found = json.loads(evaluated.stdout)["positive"]
    assert found["label"] == "democrat"
    assert 0.9 < found["recall"] <= 1
    shown = run("evaluate", "vote-run/best.classica", "vote", "--positive", "democrat").stdout
    assert f"recall of democrat     {100 * found['recall']:.1f}%" in shown
    wrong = run("evaluate", "vote-run/best.classica", "vote", "--positive", "democrats")
    assert wrong.exit_code == 1
    assert "Did you mean 'democrat'?" in wrong.stderr
