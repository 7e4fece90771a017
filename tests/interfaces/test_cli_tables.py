"""The commands about tables, run as a user runs them."""

import json

import polars as pl
import pytest
import xlsxwriter

from classica.tables import Schema, builtin_tables, load_table
from tests.interfaces.test_cli import run


def test_data_lists_every_table():
    text = run("data").output
    for entry in builtin_tables():
        assert f"\n{entry.name} " in "\n" + text
    listed = json.loads(run("data", "--json").output)
    assert (listed[0]["name"], listed[0]["rows"]) == ("golf", 14)


def test_data_prints_one_with_its_source():
    text = run("data", "golf").output
    assert "Lecture B (Barra)" in text
    assert [line.split() for line in text.splitlines()][-1] == ["rain", "good", "high", "yes", "0"]


def test_data_as_json_has_every_cell():
    record = json.loads(run("data", "golf", "--json").output)
    golf = load_table("golf")
    assert record["cells"] == golf.frame.to_dict(as_series=False)
    assert record["fingerprint"] == golf.fingerprint()
    assert Schema.from_record(record["schema"]) == golf.schema


@pytest.mark.parametrize("name", [entry.name for entry in builtin_tables()])
def test_data_writes_what_profile_reads(tmp_path, name):
    path = tmp_path / "t.csv"
    assert run("data", name, "--out", str(path)).exit_code == 0
    table = load_table(name)
    table.schema.save(tmp_path / "schema.json")
    done = run("profile", str(path), "--schema", str(tmp_path / "schema.json"), "--json")
    assert json.loads(done.stdout)["fingerprint"] == table.fingerprint()


def test_a_long_or_wide_table_says_what_is_left_out():
    text = run("data", "hepatitis").output
    assert "... and 135 more rows and 11 more columns" in text
    assert all(len(line) <= 80 for line in text.splitlines())


@pytest.mark.parametrize("name", [entry.name for entry in builtin_tables()])
def test_profiles_fit_a_terminal_of_80_columns(name):
    done = run("profile", name)
    assert done.exit_code == 0
    lines = done.output.splitlines()
    assert max(map(len, lines)) <= 80
    for column in load_table(name).schema.columns[:30]:
        assert any(line.startswith(column.name[:20]) and column.kind in line for line in lines)


def test_a_profile_of_a_file_tells_decisions_and_writes_a_schema(tmp_path):
    path, schema = tmp_path / "t.csv", tmp_path / "schema.json"
    rows = {"id": range(1, 41), "x": [1.5, 2.5] * 20, "copy": ["u", "v"] * 20, "y": ["yes", "no"] * 20}
    pl.DataFrame(rows).write_csv(path)
    done = run("profile", str(path), "--target", "y", "--write-schema", str(schema))
    assert done.exit_code == 0
    assert f"Note: wrote the schema to {schema}" in " ".join(done.stderr.split())
    codes = [line.split()[:2] for line in done.output.splitlines() if line.startswith("D")]
    assert ["D101", "id"] in codes
    assert ["D301", "copy"] in codes
    again = json.loads(run("profile", str(path), "--schema", str(schema), "--json").stdout)
    assert again["target"] == "y"
    assert [column["kind"] for column in again["columns"]] == [
        "identifier",
        "numeric",
        "categorical",
        "categorical",
    ]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("data", "gold"), "golf"),
        (("profile", "golf", "--target", "z"), "has no such column"),
        (("profile", "golf", "--schema", "/none.json"), "No such file"),
        (("data", "golf", "--rows", "3"), "rows must be left out"),
        (("data", "golf", "--out", "/none/x.csv"), "Cannot write"),
    ],
)
def test_errors_are_one_line(arguments, text):
    done = run(*arguments)
    assert done.exit_code == 1
    assert text in done.output
    assert done.output.count("\n") == 1


def test_options_of_one_table_need_its_name():
    assert run("data", "--rows", "3").exit_code == 2


def test_options_of_reading_reach_the_reader(tmp_path):
    path = tmp_path / "t.txt"
    path.write_bytes("1|'ä|b'|0,5\n2|c|1,5\n".encode("cp1252"))
    options = ["--delimiter", "|", "--quote", "'", "--encoding", "cp1252", "--decimal", ",", "--no-header"]
    done = run("profile", str(path), *options)
    assert done.exit_code == 0, done.output
    assert "no header (as requested)" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    done = run("profile", str(path), *options, "--json")
    columns = {column["name"]: column["kind"] for column in json.loads(done.stdout)["columns"]}
    assert columns["column_3"] == "numeric"
    assert done.stderr == ""
    assert "no header (as requested)" in " ".join(json.loads(done.stdout)["notes"])
    assert run("profile", str(path), *options, "--quiet").stderr == ""


@pytest.mark.parametrize("sign", ["tab", "TAB", "\\t", "\t"])
def test_a_tab_can_be_written(tmp_path, sign):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\tc\n1,2\t3\n4,5\t6\n")
    done = run("profile", str(path), "--delimiter", sign, "--json")
    assert [column["name"] for column in json.loads(done.stdout)["columns"]] == ["a,b", "c"]


def test_options_that_do_not_fit_are_one_line(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes(b"a,b\n1,2\n")
    for source, options in [(str(path), ["--sheet", "2"]), ("golf", ["--delimiter", ","])]:
        done = run("profile", source, *options)
        assert done.exit_code == 1
        assert done.stderr.startswith("Error: ")
        assert len(done.stderr.strip().splitlines()) == 1
    assert run("profile", str(path), "--decimal", ";").exit_code == 2


def test_a_sheet_of_a_workbook_by_number_or_name(tmp_path):
    path = tmp_path / "t.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name in ("first", "second"):
            sheet = book.add_worksheet(name)
            sheet.write_row(0, 0, [name, "b"])
            sheet.write_row(1, 0, [1, 2.5])
    for sheet in ("2", "second"):
        done = run("profile", str(path), "--sheet", sheet, "--json")
        assert json.loads(done.stdout)["columns"][0]["name"] == "second"


def test_columns_can_be_ignored_by_every_command_that_learns(tmp_path):
    done = run("profile", "golf", "--ignore", "outlook", "--ignore", "windy", "--json")
    roles = {column["name"]: column["role"] for column in json.loads(done.stdout)["columns"]}
    assert (roles["outlook"], roles["windy"], roles["humidity"]) == ("ignored", "ignored", "feature")
    learned = run("train", "golf", "--ignore", "outlook", "--json")
    assert json.loads(learned.stdout)["features"] == ["temperature", "humidity", "windy"]
    wrong = run("compare", "golf", "--ignore", "outlok", "--out", str(tmp_path / "run"))
    assert wrong.exit_code == 1
    assert "'outlook'" in wrong.stderr
    assert not (tmp_path / "run").exists()
