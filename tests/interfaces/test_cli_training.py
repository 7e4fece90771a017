"""train, predict, evaluate, inspect and completion, run as a user runs them."""

import json
import os
import signal
import subprocess
import sys
import time

import polars as pl
import pytest

from classica import NearestMeanClassifier, load, save
from classica.tables import load_table
from tests.interfaces.test_help_examples import run
from tests.training.test_train import rows


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a table and a model, which is where commands run."""
    monkeypatch.chdir(tmp_path)
    rows().write_csv("t.csv")
    assert (
        run("train", "t.csv", "--target", "y", "--model", "naive-bayes", "--out", "m.classica").exit_code == 0
    )
    return tmp_path


def test_train_prints_one_screen(folder):
    done = run("train", "t.csv", "--target", "y", "--model", "tree", "--folds", "5", "--out", "new.classica")
    assert done.exit_code == 0
    text = " ".join(done.stdout.split())
    for part in (
        "Decision tree, trained on 60 rows of t.csv",
        "target y: no, yes",
        "columns 2: x, c",
        "not used 1: id (identifier)",
        "training error",
        "optimistic",
        "5-fold cross-validation",
        "Wrote the model to new.classica",
        "classica predict new.classica TABLE",
    ):
        assert part in text
    assert len(done.stdout.splitlines()) < 24
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "Note: table read as: delimiter ','" in done.stderr


def test_train_without_a_file_says_so(folder):
    before = sorted(os.listdir())
    done = run("train", "t.csv", "--target", "y")
    assert "not saved; use --out FILE" in done.stdout
    assert sorted(os.listdir()) == before


def test_train_as_json_is_one_document(folder):
    done = run("train", "t.csv", "--target", "y", "--set", "confidence=0.1", "--out", "j.classica", "--json")
    found = json.loads(done.stdout)
    assert done.stderr == ""
    assert found["options"]["parameters"] == {"confidence": 0.1}
    assert (found["file"], found["source"], found["features"]) == ("j.classica", "t.csv", ["x", "c"])
    inside = json.loads(run("inspect", "j.classica", "--json").stdout)
    assert inside["metadata"]["fingerprint"] == found["fingerprint"]
    assert inside["metadata"]["scores"] == found["scores"]


def test_what_a_learner_warns_of_is_a_note(folder):
    arguments = ("train", "t.csv", "--target", "y", "--model", "mlp", "--set", "max_iter=1")
    done = run(*arguments)
    assert done.exit_code == 0
    assert [
        line for line in done.stderr.splitlines() if line.startswith("Note: ")
    ] == done.stderr.splitlines()
    assert "max_iter" in done.stderr
    assert run(*arguments, "--quiet").stderr == ""


def test_numbers_that_json_does_not_know_are_kept_as_text(folder):
    arguments = ("--model", "logistic", "--set", "C=inf", "--out", "inf.classica")
    assert run("train", "t.csv", "--target", "y", *arguments).exit_code == 0
    found = json.loads(run("inspect", "inf.classica", "--json").stdout)
    assert found["metadata"]["options"]["parameters"] == {"C": "inf"}


def test_quiet_is_quiet(folder):
    done = run("train", "t.csv", "--target", "y", "--out", "q.classica", "--quiet")
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    odd = rows().with_columns(c=pl.lit("pink"), more=pl.lit(1))
    odd.write_csv("odd.csv")
    loud = run("predict", "m.classica", "odd.csv", "--out", "a.csv")
    assert loud.stderr.splitlines()[-3:] == [
        "Note: columns that the model does not use are ignored: more.",
        "Note: column 'c': 60 cells have categories not in the training set ('pink' 60).",
        "Note: wrote 60 predictions to a.csv.",
    ]
    assert run("predict", "m.classica", "odd.csv", "--out", "a.csv", "--quiet").stderr == ""


def test_a_schema_is_written_and_used(folder):
    assert run("train", "t.csv", "--target", "y", "--write-schema", "s.json").exit_code == 0
    changed = json.loads((folder / "s.json").read_text())
    changed["columns"][0] |= {"kind": "numeric", "role": "feature"}
    (folder / "s.json").write_text(json.dumps(changed))
    assert run("train", "t.csv", "--schema", "s.json", "--out", "s.classica").exit_code == 0
    assert load("s.classica").feature_names_in_.tolist() == ["id", "x", "c"]


def test_decisions(folder):
    (folder / "costs.csv").write_text("said,no,yes\nno,0,9\nyes,1,0\n")
    arguments = (
        "--model",
        "lda",
        "--costs",
        "costs.csv",
        "--priors",
        "no=0.3,yes=0.7",
        "--reject-cost",
        "0.4",
    )
    assert run("train", "t.csv", "--target", "y", *arguments, "--out", "d.classica").exit_code == 0
    inside = load("d.classica").estimator_
    assert inside.priors_.tolist() == [0.3, 0.7]
    assert inside.reject_cost == 0.4
    text = " ".join(run("evaluate", "d.classica", "t.csv").stdout.split())
    assert "mean cost" in text
    assert "coverage" in text
    shown = " ".join(run("inspect", "d.classica").stdout.split())
    assert "lda LinearDiscriminantClassifier" in shown
    assert "wrapped by BayesDecisionClassifier" in shown
    assert "x (numeric), c (categorical)" in shown


def test_predictions_to_standard_output_and_files(folder):
    wanted = load("m.classica").predict(rows()).tolist()
    for source in ("t.csv", "-"):
        done = run("predict", "m.classica", source, input=rows().write_csv() if source == "-" else None)
        assert pl.read_csv(done.stdout.encode())["prediction"].to_list() == wanted
    lines = run("predict", "m.classica", "t.csv", "--json", "--id", "id").stdout.splitlines()
    assert [json.loads(line) for line in lines][:1] == [{"id": 1, "prediction": wanted[0]}]
    for ending, read in (("csv", pl.read_csv), ("jsonl", pl.read_ndjson), ("parquet", pl.read_parquet)):
        out = f"a.{ending}"
        assert (
            run("predict", "m.classica", "t.csv", "--proba", "--batch-rows", "7", "--out", out).exit_code == 0
        )
        assert read(out)["prediction"].to_list() == wanted
        assert read(out).columns == ["row", "prediction", "p(no)", "p(yes)"]


def test_evaluate_prints_what_is_in_the_json(folder):
    found = json.loads(run("evaluate", "m.classica", "t.csv", "--json").stdout)
    text = run("evaluate", "m.classica", "t.csv").stdout
    assert found["rows"] == 60
    assert found["interval"][0] < found["accuracy"] < found["interval"][1]
    lines = [line.split() for line in text.splitlines()]
    for label, counts in zip(found["labels"], found["confusion"], strict=True):
        assert [label, *map(str, counts)] in lines
    assert f"{100 * found['accuracy']:.1f}%" in text
    assert f"{found['brier']:.4f}" in text


@pytest.mark.parametrize("name", ["golf", "iris", "soybean", "hepatitis"])
def test_screens_fit_80_columns(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ("train", name, "--model", "naive-bayes", "--out", "m.classica"),
        ("evaluate", "m.classica", name),
        ("inspect", "m.classica"),
    ):
        done = run(*arguments)
        assert done.exit_code == 0
        assert max(map(len, done.stdout.splitlines())) <= 80


ERRORS = [
    (("train", "t.csv", "--target", "z"), "has no such column"),
    (("train", "t.csv"), "no target"),
    (("train", "none.csv", "--target", "y"), "none.csv"),
    (("train", "t.csv", "--target", "y", "--model", "c46"), "Did you mean 'c45'?"),
    (("train", "t.csv", "--target", "y", "--model", "svm-regressor"), "a classifier"),
    (("train", "t.csv", "--target", "y", "--set", "depth=3"), "A parameter of c45"),
    (("train", "t.csv", "--target", "y", "--set", "confidence=2"), "confidence must be"),
    (("train", "t.csv", "--target", "x"), "is a quantity"),
    (("train", "t.csv", "--target", "y", "--out", "t.csv"), "it would overwrite text"),
    (("train", "t.csv", "--target", "y", "--out", "none/m.classica"), "no folder 'none'"),
    (("train", "t.csv", "--target", "y", "--out", "."), "it is a folder"),
    (("train", "t.csv", "--target", "y", "--out", "-"), "to standard output"),
    (("train", "t.csv", "--target", "y", "--folds", "1"), "folds must be"),
    (("train", "t.csv", "--target", "y", "--costs", "none.csv"), "cost matrix"),
    (("predict", "m.classica", "golf"), "must have every column that the model needs"),
    (("predict", "m.classica", "t.csv", "--id", "z"), "must be one of its columns"),
    (("predict", "m.classica", "t.csv", "--out", "a.doc"), "ends with .csv"),
    (("predict", "m.classica", "t.csv", "--out", "none/a.csv"), "Cannot write"),
    (("predict", "m.classica", "t.csv", "--batch-rows", "0"), "batch_rows must be"),
    (("predict", "t.csv", "t.csv"), "must be a classica model file"),
    (("predict", "plain.classica", "t.csv"), "must have column names"),
    (("evaluate", "m.classica", "new.csv"), "no column 'y'"),
]


@pytest.mark.parametrize(("arguments", "text"), ERRORS)
def test_errors_are_one_line_and_exit_code_1(folder, arguments, text):
    save(NearestMeanClassifier().fit([[0.0], [1.0]], [0, 1]), "plain.classica")
    rows().drop("y").write_csv("new.csv")
    before = (folder / "t.csv").read_bytes()
    done = run(*arguments)
    assert done.exit_code == 1
    assert done.stdout == ""
    assert done.stderr.startswith("Error: ")
    assert text in done.stderr
    assert done.stderr.count("\n") == 1
    assert (folder / "t.csv").read_bytes() == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("train",),
        ("train", "t.csv", "--set", "depth"),
        ("train", "t.csv", "--target", "y", "--priors", "no=much"),
        ("train", "t.csv", "--calibration", "perhaps"),
        ("predict", "none.classica", "t.csv"),
        ("completion", "tcsh"),
    ],
)
def test_wrong_usage_is_exit_code_2(folder, arguments):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("Usage: ")


def test_exit_codes_are_in_the_help():
    assert "0 success, 1 error, 2 wrong usage, 130 Ctrl-C" in run("--help").output


#: Says when the command has begun, and then takes its time.
SLOW = """
import sys, time
import classica.training.learning as learning
def slow(*_, **__):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(60)
learning.TableClassifier = slow
from classica.interfaces.cli import main
main(["train", "golf", "--out", "m.classica"], prog_name="classica")
"""


def test_ctrl_c_is_one_line_and_exit_code_130(tmp_path):
    child = subprocess.Popen(
        [sys.executable, "-c", SLOW], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stderr.readline() == "begun\n"
    begin = time.monotonic()
    child.send_signal(signal.SIGINT)
    said, told = child.communicate(timeout=30)
    assert child.returncode == 130
    assert time.monotonic() - begin < 20
    assert (said, told.strip()) == ("", "Interrupted.")
    assert os.listdir(tmp_path) == []


def test_a_reader_that_goes_away_is_no_traceback(folder):
    arguments = [sys.executable, "-m", "classica", "predict", "m.classica", "t.csv", "--batch-rows", "1"]
    child = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    child.stdout.close()
    told = child.stderr.read()
    child.wait(timeout=60)
    child.stderr.close()
    assert "Traceback" not in told


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_the_script_of_click(shell):
    script = run("completion", shell).stdout
    assert f"_CLASSICA_COMPLETE={shell}_complete" in script
    assert json.loads(run("completion", shell, "--json").stdout)["script"].strip() == script.strip()


def test_completion_completes():
    words = {"_CLASSICA_COMPLETE": "bash_complete", "COMP_WORDS": "classica tra", "COMP_CWORD": "1"}
    assert run(env=words, prog_name="classica").output.split() == ["plain,train", "plain,trace"]


def test_the_model_in_the_file_is_the_one_that_was_learned(folder):
    golf = load_table("golf")
    assert run("train", "golf", "--model", "id3", "--out", "golf.classica").exit_code == 0
    assert load("golf.classica").predict(golf).tolist() == golf.y.tolist()


def test_evaluate_says_when_the_model_was_trained_on_these_rows(folder):
    assert "trained on these rows" in run("evaluate", "m.classica", "t.csv").stdout
    assert (
        json.loads(run("evaluate", "m.classica", "t.csv", "--json").stdout)["trained_on_these_rows"] is True
    )
    rows()[10:].write_csv("new.csv")
    assert "trained on these rows" not in run("evaluate", "m.classica", "new.csv").stdout
    found = json.loads(run("evaluate", "m.classica", "new.csv", "--json").stdout)
    assert found["trained_on_these_rows"] is False


def test_train_says_which_model_it_took(folder):
    named = run("train", "t.csv", "--target", "y", "--model", "c45")
    assert "--model" not in named.stderr
    taken = run("train", "t.csv", "--target", "y")
    assert "no --model given; trained c45" in taken.stderr
    assert "classica compare t.csv --target y" in taken.stderr
    assert (
        "no --model given" in json.loads(run("train", "t.csv", "--target", "y", "--json").stdout)["notes"][0]
    )


def test_an_error_about_costs_shows_how_to_write_them(folder):
    (folder / "costs.csv").write_text("no,yes\n0,9\n1,0\n")
    for command in (("train", "t.csv", "--target", "y"), ("evaluate", "m.classica", "t.csv")):
        done = run(*command, "--costs", "costs.csv")
        assert done.exit_code == 1
        assert "a row for each predicted class and a column for each true class" in done.stderr
        assert "'predicted,no,yes', 'no,0,5', 'yes,1,0'" in done.stderr
        assert "predicted,no,yes\n" in run(command[0], "--help").output


def test_probabilities_of_a_margin_machine(folder):
    arguments = ("train", "t.csv", "--target", "y", "--model", "svm", "--out", "svm.classica")
    assert "calibrated on held-out rows" in run(*arguments).stderr
    done = run("predict", "svm.classica", "t.csv", "--proba", "--scores")
    assert pl.read_csv(done.stdout.encode()).columns == ["row", "prediction", "p(no)", "p(yes)", "score(yes)"]
    assert run(*arguments, "--calibration", "none").exit_code == 0
    done = run("predict", "svm.classica", "t.csv", "--proba")
    assert "has only scores" in done.stderr


def test_importances_of_a_table(folder):
    done = run("explain", "m.classica", "--importance", "t.csv", "--top", "1")
    assert done.exit_code == 0
    assert "... and 1 more: --top 2" in done.stdout
    assert "Optimistic: the model was trained on these rows." in done.stdout
    found = json.loads(run("explain", "m.classica", "--importance", "t.csv", "--json").stdout)
    assert found["trained_on_these_rows"] is True
    assert {each["column"] for each in found["columns"]} == {"x", "c"}
    assert found["rows"] == 60
    both = run("explain", "m.classica", "--importance", "t.csv", "--rows", "t.csv", "1")
    assert both.exit_code == 2
    assert "cannot be used together" in both.stderr
