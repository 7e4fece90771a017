"""compare on several tables and by groups, and report on several runs: side by side, whatever fails."""

import json

import polars as pl
import pytest

from classica.tables import load_table
from tests.comparison.here import work_here
from tests.interfaces.test_help_examples import run

QUICK = ("--models", "lda,naive-bayes,knn", "--folds", "3", "--effort", "2", "--no-tune")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    work_here(monkeypatch)
    return tmp_path


@pytest.fixture
def tables(here):
    """Three tables: halves of iris, and wine-like noise around it."""
    frame = load_table("iris").frame
    names = []
    for number in range(3):
        name = f"part {number}.csv"
        frame.sample(90, seed=number).write_csv(here / name)
        names.append(name)
    return names


def test_several_tables_are_compared_and_ranked(here, tables):
    done = run("compare", *tables, "--target", "class", *QUICK, "--out", "all")
    assert done.exit_code == 0, done.output
    for number in range(3):
        assert (here / "all" / f"part-{number}" / "report.html").exists()
        assert f"part {number}.csv ({number + 1} of 3)" in done.stderr
    record = json.loads((here / "all" / "runs.json").read_text())
    assert record["friedman"]["tables"] == 3
    assert sorted(record["friedman"]["ranks"]) == ["knn", "lda", "naive-bayes"]
    assert record["answer"] in " ".join(done.stdout.split())
    page = (here / "all" / "report.html").read_text()
    assert 'href="part-0/report.html"' in page
    assert "<svg" in page
    assert " style=" not in page
    best = next(line for line in record["models"] if line["role"] == "model")
    assert f"{best['rank']:.2f}" in page


def test_json_of_several_tables_is_one_document(here, tables):
    done = run("compare", *tables[:2], "--target", "class", *QUICK, "--json", "--no-report")
    record = json.loads(done.stdout)
    assert [each["name"] for each in record["runs"]] == tables[:2]
    assert record["friedman"] is None  # two tables rank nothing
    assert not list(here.glob("**/report.html"))


def test_a_table_that_cannot_be_compared_is_left_out(here, tables):
    (here / "one class.csv").write_text("x,class\n" + "1,a\n" * 20)
    done = run("compare", tables[0], "one class.csv", tables[1], "--target", "class", *QUICK, "--no-report")
    assert done.exit_code == 1
    assert "one class.csv is left out." in done.stderr
    assert "part 0.csv" in done.stdout
    assert "part 1.csv" in done.stdout


def test_the_json_of_one_table_that_is_left_is_its_own_summary(here, tables):
    (here / "one class.csv").write_text("x,class\n" + "1,a\n" * 20)
    done = run("compare", tables[0], "one class.csv", "--target", "class", *QUICK, "--json", "--no-report")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["table"]["source"] == tables[0]


def test_a_missing_file_is_reported_before_anything_runs(here, tables):
    done = run("compare", tables[0], "part.csv", "--target", "class", *QUICK)
    assert done.exit_code == 1
    assert "part.csv" in done.stderr
    assert not list(here.glob("*run*"))


def test_groups_of_a_table_are_compared_separately(here):
    frame = load_table("iris").frame.with_columns(site=pl.Series(["north", "south", "west"] * 50))
    frame.write_csv(here / "iris sites.csv")
    done = run("compare", "iris sites.csv", "--target", "class", "--by", "site", *QUICK, "--out", "sites")
    assert done.exit_code == 0, done.output
    record = json.loads((here / "sites" / "runs.json").read_text())
    assert [each["name"] for each in record["runs"]] == [
        f"iris sites.csv [site={site}]" for site in ("north", "south", "west")
    ]
    assert {each["rows"] for each in record["runs"]} == {50}
    assert {each["features"] for each in record["runs"]} == {4}  # not the column of groups


@pytest.mark.parametrize(
    ("column", "sentence"),
    [
        ("sight", "Did you mean 'site'?"),
        ("number", "of 2 to 50 values, got 'number' with 150"),
    ],
)
def test_a_wrong_group_column_is_refused(here, column, sentence):
    frame = load_table("iris").frame.with_columns(site=pl.Series(["north", "south", "west"] * 50))
    frame.with_row_index("number").write_csv(here / "t.csv")
    done = run("compare", "t.csv", "--target", "class", "--by", column, *QUICK)
    assert done.exit_code == 1
    assert sentence in done.stderr


def test_reports_of_several_runs_are_one_page(here, tables):
    for name in tables[:2]:
        run("compare", name, "--target", "class", *QUICK, "--no-report", "--out", name.replace(".csv", ""))
    done = run("report", "part 0", "part 1", "--out", "both.html")
    assert done.exit_code == 0, done.output
    page = (here / "both.html").read_text()
    assert "part 0.csv" in page
    assert "part 1.csv" in page
    assert run("report", "part 0", "part 1").exit_code == 2  # where to write it?
    for option in (("--all",), ("--pictures", "3"), ("--positive", "a")):
        assert run("report", "part 0", "part 1", "--out", "both.html", *option).exit_code == 2
    record = json.loads(run("report", "part 0", "part 1", "--json").stdout)
    assert record["classica_runs"] == 1
