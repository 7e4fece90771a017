"""The commands that explain, trace and export models, run as a user runs them."""

import json

import pytest
from click.testing import CliRunner

from classica import C45Classifier, DecisionTreeRegressor, KNeighborsClassifier, LogisticClassifier, save
from classica.interfaces.cli import main
from classica.tables import load_table

GOLF, IRIS = load_table("golf"), load_table("iris")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(C45Classifier().fit(GOLF.X, GOLF.y), "golf.classica")
    save(LogisticClassifier().fit(IRIS.X, IRIS.y), "iris.classica")
    save(KNeighborsClassifier(3).fit(IRIS.X, IRIS.y), "near.classica")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, arguments)


def test_explain_shows_the_tree(folder):
    done = run("explain", "golf.classica")
    assert done.exit_code == 0
    assert "outlook = sun\n  |   humidity = high: 0 (3)" in done.stdout


def test_explain_tells_why(folder):
    done = run("explain", "golf.classica", "--rows", "golf", "1", "3")
    assert done.exit_code == 0
    assert done.stdout.startswith("Row 1: 0\n")
    assert "\nRow 3: 1\n" in done.stdout
    record = json.loads(run("explain", "golf.classica", "--rows", "golf", "1", "--json").stdout)
    assert record["rows"][0]["answer"] == 0
    assert record["rows"][0]["cells"] == {
        "outlook": "sun",
        "temperature": "hot",
        "humidity": "high",
        "windy": "no",
    }


def test_explain_reads_rows_from_a_file(folder):
    IRIS.frame.head(3).write_csv("rows.csv")
    done = run("explain", "near.classica", "--rows", "rows.csv", "2")
    assert done.exit_code == 0, done.output
    assert "Neighbours that vote" in done.stdout


@pytest.mark.parametrize("arguments", [("1",), ("--rows", "golf"), ("--top", "0")])
def test_explain_wants_a_table_and_numbers(folder, arguments):
    assert run("explain", "golf.classica", *arguments).exit_code == 2


def test_explain_says_what_is_wrong_in_one_line(folder):
    done = run("explain", "golf.classica", "--rows", "golf", "15")
    assert done.exit_code == 1
    assert "must be from 1 to 14, got 15." in done.stderr
    done = run("explain", "golf.classica", "--rows", "iris", "1")
    assert done.exit_code == 1
    assert done.stderr.startswith(
        "Error: iris must have every column that the model needs, got none of 'outlook'"
    )


def test_trace_prints_the_lectures_gains(folder):
    done = run("trace", "golf", "--model", "id3")
    assert done.exit_code == 0
    for line in (
        "outlook      0.246750",
        "temperature  0.029223",
        "humidity     0.151836",
        "windy        0.048127",
    ):
        assert line in done.stdout
    record = json.loads(run("trace", "golf", "--model", "id3", "--json").stdout)
    assert record["steps"][0]["data"]["nodes"][0]["chosen"] == "outlook"


def test_trace_takes_parameters(folder):
    done = run("trace", "golf", "--model", "naive-bayes", "--set", "alpha=0", "--row", "3")
    assert "cloudy    0  0.444444" in done.stdout
    assert run("trace", "golf", "--set", "alpha").exit_code == 2
    done = run("trace", "golf", "--model", "knn", "--set", "k=3")
    assert (done.exit_code, done.stderr.startswith("Error: A parameter of knn must be one of ")) == (
        1,
        True,
    )
    done = run("trace", "golf", "--model", "c4")
    assert (done.exit_code, "c45" in done.stderr) == (1, True)


def test_export_writes_to_standard_output_and_tells_on_the_other(folder):
    done = run("export", "golf.classica", "--to", "sql", "--from", "golf", "--check", "golf")
    assert done.exit_code == 0
    assert done.stdout.startswith("SELECT t.*")
    assert 'FROM "golf" AS t' in done.stdout
    assert "predictions equal those of the model on" in done.stderr
    assert run("export", "golf.classica", "--to", "rules", "--quiet").stderr == ""


def test_export_writes_a_file(folder):
    done = run("export", "golf.classica", "--to", "python", "--out", "golf_model.py")
    assert (done.exit_code, done.stdout) == (0, "")
    space = {}
    exec((folder / "golf_model.py").read_text(), space)
    assert [space["predict"](row) for row in GOLF.X.to_dicts()] == GOLF.y.tolist()
    record = json.loads(run("export", "iris.classica", "--to", "onnx", "--out", "i.onnx", "--json").stdout)
    assert record["rows_checked"] > 200
    assert (folder / "i.onnx").stat().st_size == record["bytes"]


def test_onnx_is_no_text(folder):
    assert run("export", "iris.classica", "--to", "onnx", "--json").exit_code == 2
    assert run("export", "iris.classica", "--to", "onnx").stdout_bytes


def test_export_says_what_a_model_can_become(folder):
    done = run("export", "near.classica", "--to", "sql", "--out", "near.sql")
    assert done.exit_code == 1
    assert "forms: text, json." in done.stderr
    assert not (folder / "near.sql").exists()
    assert run("export", "near.classica", "--to", "pmml").exit_code == 2


def test_export_refuses_a_table_without_the_columns(folder):
    done = run("export", "golf.classica", "--to", "sql", "--check", "iris", "--out", "x.sql")
    assert done.exit_code == 1
    assert not (folder / "x.sql").exists()


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeRegressor().fit(IRIS.X, IRIS.X["petalwidth"]),
        DecisionTreeRegressor().fit(IRIS.X.to_numpy(), IRIS.X["petalwidth"]),
        KNeighborsClassifier(3).fit(IRIS.X.to_numpy(), IRIS.y),
    ],
    ids=["numbers", "numbers without names", "without names"],
)
def test_rows_are_explained_for_models_that_answer_for_no_table(folder, model):
    save(model, "m.classica")
    done = run("explain", "m.classica", "--rows", "iris", "2")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("Row 2: ")


def test_a_classifier_without_a_schema_predicts_and_is_evaluated(folder):
    IRIS.frame.write_csv("rows.csv")
    done = run("predict", "iris.classica", "rows.csv")
    assert [line.split(",")[1] for line in done.stdout.splitlines()[1:]] == (
        LogisticClassifier().fit(IRIS.X, IRIS.y).predict(IRIS.X).tolist()
    )
    assert "ignored: class" in done.stderr
    assert (
        json.loads(run("evaluate", "iris.classica", "iris", "--target", "class", "--json").stdout)["rows"]
        == 150
    )
    done = run("evaluate", "iris.classica", "iris")
    assert (done.exit_code, "target must be named for a model that does not" in done.stderr) == (1, True)
