"""Somebody's own table, with everything odd about it, from the first look to the last export."""

import random

import polars as pl
import pytest

from tests.interfaces.test_help_examples import run

TABLE, TARGET = "Kunden 2024.csv", "Gekündigt?"


def odd_table():
    """Return a table with semicolons, decimal commas, ids, dates, free text and gaps, in an old encoding."""
    draw = random.Random(1)
    lines = [f"Kunden-Nr;Seit;Größe;Einkommen;Stadt;Bemerkung;{TARGET}"]
    for place in range(120):
        income, town = draw.gauss(30, 10), draw.choice(["Köln", "Bonn", "Ulm"])
        label = "ja" if income + 10 * (town == "Ulm") + draw.gauss(0, 5) > 35 else "nein"
        words = " ".join(draw.choice(["hat", "oft", "gefragt", f"x{place}"]) for _ in range(6))
        day = f"{draw.randrange(1, 28):02d}.{draw.randrange(1, 13):02d}.{draw.randrange(2010, 2024)}"
        amount = f"{income:.2f}".replace(".", ",") if draw.random() > 0.1 else ""
        size = draw.choice(["S", "M", "L", ""])
        lines.append(f"{10000 + place};{day};{size};{amount};{town};{words};{'' if place == 7 else label}")
    return ("\n".join(lines) + "\n").encode("cp1252")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / TABLE).write_bytes(odd_table())
    done = run("train", TABLE, "--target", TARGET, "--out", "my model.classica")
    assert done.exit_code == 0, done.output
    return tmp_path


@pytest.mark.parametrize("model", ["c45", "naive-bayes", "logistic", "knn", "linear-svm"])
def test_the_whole_way(folder, model):
    (folder / "costs.csv").write_text("said,ja,nein\nja,0,1\nnein,5,0\n")
    terms = ("--costs", "costs.csv", "--reject-cost", "0.3")
    way = (
        ("profile", TABLE, "--target", TARGET, "--write-schema", "s.json"),
        ("train", TABLE, "--schema", "s.json", "--model", model, *terms, "--out", "d.classica"),
        ("evaluate", "d.classica", TABLE),
        ("predict", "d.classica", TABLE, "--id", "Kunden-Nr", "--out", "a.parquet"),
        ("explain", "d.classica"),
        ("explain", "d.classica", "--rows", TABLE, "1", "8"),
        ("inspect", "d.classica"),
        ("export", "d.classica", "--to", "text", "--out", "d.txt"),
    )
    for arguments in way:
        done = run(*arguments)
        assert done.exit_code == 0, f"{arguments}: {done.output}"
        assert max(map(len, done.stdout.splitlines()), default=0) <= 80, arguments
    answers = pl.read_parquet("a.parquet")
    assert answers["Kunden-Nr"].to_list() == list(range(10000, 10120))
    assert answers["prediction"].null_count() == answers["rejected"].sum()
    piped = run("predict", "d.classica", "-", input=odd_table())
    assert pl.read_csv(piped.stdout.encode())["prediction"].to_list() == answers["prediction"].to_list()


@pytest.mark.parametrize("form", ["text", "json", "svg", "rules", "sql", "python", "onnx"])
def test_every_form(folder, form):
    checked = () if form in ("text", "json", "svg", "rules") else ("--check", TABLE)
    done = run("export", "my model.classica", "--to", form, "--out", f"m.{form}", *checked)
    assert done.exit_code == 0, done.output
    told = done.stderr.splitlines()
    assert f" to m.{form}" in told[-1]
    assert (folder / f"m.{form}").stat().st_size > 100
    assert any("'Seit.year'" in line for line in told) == bool(checked)


WRONG = [
    (("profile", TABLE, "--target", "Gekundigt"), "Did you mean 'Gekündigt?'"),
    (("train", "kunden 2024.csv"), "Did you mean 'Kunden 2024.csv'?"),
    (("train", "goolf"), "Did you mean 'golf'?"),
    (("profile", "none/t.csv"), "Cannot read the table 'none/t.csv'"),
    (("predict", "my model.classica", "my model.classica"), "'my model.classica': it is a model file"),
    (("predict", TABLE, TABLE), "must be a classica model file, got text"),
    (("predict", "my model.classica", TABLE, "--id", "kunden nr"), "such as 'Kunden-Nr', got 'kunden nr'"),
    (
        ("predict", "my model.classica", "bad.csv"),
        "as declared in the schema, got 'viel' in row 3, line 4.",
    ),
    (("explain", "my model.classica", "--rows", "head.csv", "1"), "head.csv must have rows, got none."),
    (("evaluate", "my model.classica", "head.csv"), "must have rows with a label"),
    (("profile", "empty.csv"), "the file is empty"),
]


@pytest.mark.parametrize(("arguments", "text"), WRONG)
def test_what_goes_wrong_is_one_line_that_helps(folder, arguments, text):
    lines = odd_table().splitlines(keepends=True)
    (folder / "head.csv").write_bytes(lines[0])
    (folder / "empty.csv").write_bytes(b"")
    cells = lines[3].split(b";")
    cells[3] = b"viel"
    (folder / "bad.csv").write_bytes(b"".join([*lines[:3], b";".join(cells), *lines[4:]]))
    done = run(*arguments)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1
    assert text in done.stderr


def test_only_what_runs_can_be_checked(folder):
    done = run("export", "my model.classica", "--to", "text", "--check", TABLE)
    assert done.exit_code == 2
    assert "--to sql, python, onnx." in done.stderr


def test_what_comes_next_can_be_typed_as_it_stands(folder):
    text = run("train", TABLE, "--target", TARGET, "--out", "my model.classica").stdout
    assert "  classica explain 'my model.classica'\n" in text


def test_the_accuracy_says_which_rows_it_is_about(folder):
    train = ("train", TABLE, "--target", TARGET, "--model", "naive-bayes", "--reject-cost", "0.2")
    assert run(*train, "--out", "r.classica").exit_code == 0
    assert "rows with a prediction" in run("evaluate", "r.classica", TABLE).stdout
    assert "with a prediction" not in run("evaluate", "my model.classica", TABLE).stdout


def test_no_list_of_options_has_an_argument():
    assert "\n  TABLE\n" not in run("train", "--help").output


@pytest.mark.parametrize("width", [80, 120, 200])
def test_a_confusion_matrix_is_shown_whole_or_not_at_all(tmp_path, monkeypatch, width):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", str(width))
    labels = [f"a class called {place} now" for place in range(6)]
    pl.DataFrame({"x": [i % 6 + i / 100 for i in range(60)], "y": labels * 10}).write_csv("t.csv")
    assert run("train", "t.csv", "--target", "y", "--out", "m.classica").exit_code == 0
    text = run("evaluate", "m.classica", "t.csv").stdout
    assert ("columns: predicted class" in text) == (width == 200)
    assert ("print the confusion matrix: use --json" in text) == (width < 200)
    assert max(map(len, text.splitlines())) <= width
