"""Every command that takes a table reads it the same way, with the same options and the same notes."""

import json
import sqlite3

import pytest

from classica.interfaces.cli import COMMANDS
from classica.tables.reading.table_format import table_formats
from tests.interfaces.test_help_examples import run
from tests.training.test_train import rows

TRAIN = ("train", "t.txt", "--target", "y", "--model", "c45", "--out", "m.classica")
READERS = {
    "profile": ("profile", "t.txt"),
    "train": (*TRAIN, "--folds", "2"),
    "predict": ("predict", "m.classica", "t.txt"),
    "evaluate": ("evaluate", "m.classica", "t.txt"),
    "explain": ("explain", "m.classica", "--rows", "t.txt", "1"),
    "trace": ("trace", "t.txt", "--target", "y"),
    "export": ("export", "m.classica", "--to", "python", "--check", "t.txt"),
}
#: A table that nobody could read right without being told.
OPTIONS = ("--delimiter", "|", "--quote", "'", "--encoding", "cp1252", "--header")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = rows().write_csv(separator="|", quote_style="always", quote_char="'")
    (tmp_path / "t.txt").write_bytes(text.encode("cp1252"))
    assert run(*TRAIN, *OPTIONS).exit_code == 0
    return tmp_path


@pytest.mark.parametrize("name", READERS)
def test_options_of_reading_are_everywhere_and_told_once(folder, name):
    done = run(*READERS[name], *OPTIONS)
    assert done.exit_code == 0, done.output
    told = [line for line in done.stderr.splitlines() if "encoding cp1252" in line]
    assert len(told) == 1
    assert told[0].startswith("Note: table read as: ")
    assert run(*READERS[name], *OPTIONS, "--quiet").stderr == ""


@pytest.mark.parametrize("name", sorted(READERS.keys() - {"predict"}))
def test_as_json_the_notes_are_in_the_document(folder, name):
    done = run(*READERS[name], *OPTIONS, "--json")
    assert done.stderr == ""
    assert "encoding cp1252" in " ".join(json.loads(done.stdout)["notes"])


@pytest.mark.parametrize("name", READERS)
def test_a_table_of_a_database(folder, name):
    with sqlite3.connect("d.db") as base:
        base.execute("CREATE TABLE other (a)")
        base.execute("CREATE TABLE t (id, x, c, y)")
        base.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", rows().rows())
    base.close()
    arguments = [word if word != "t.txt" else "d.db" for word in READERS[name]]
    done = run(*arguments, "--table", "t")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("name", READERS)
def test_the_help_shows_options_of_reading_apart(name):
    own, _, reading = run(name, "--help").output.partition("Options for reading the table:")
    assert "--json" in own
    assert "--delimiter" not in own.partition("Options:")[2]
    assert all(option in reading for option in ("--format", "--decimal", "--sheet", "--table", "--unpacked"))


def test_commands_that_read_no_table_have_no_such_options():
    others = [name for name in COMMANDS if "--delimiter" not in run(name, "--help").output]
    assert set(others).isdisjoint(READERS)


@pytest.mark.parametrize("name", READERS)
def test_tables_that_come_along_take_no_such_options(folder, name):
    arguments = [word if word != "t.txt" else "golf" for word in READERS[name]]
    done = run(*arguments, "--delimiter", ",")
    assert done.exit_code == 1
    assert done.stderr == "Error: --delimiter cannot be used with the built-in dataset golf.\n"


@pytest.mark.parametrize("name", READERS)
def test_a_file_with_the_name_of_a_table_that_comes_along_is_taken_and_told(folder, name):
    (folder / "iris").write_bytes((folder / "t.txt").read_bytes())
    command = ["iris" if word == "t.txt" else word for word in READERS[name]]
    done = run(*command, *OPTIONS)
    assert done.exit_code == 0, done.output
    assert done.stderr.count("the file iris, not the built-in dataset iris") == 1
    assert run(*command, *OPTIONS, "--quiet").stderr == ""


def test_a_folder_with_the_name_of_a_table_that_comes_along_is_not_meant(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "golf").mkdir()
    done = run("train", "golf", "--model", "id3", "--folds", "2", "--out", "golf.classica")
    assert done.exit_code == 0, done.output
    done = run("evaluate", "golf.classica", "golf")
    assert done.exit_code == 0, done.output
    assert "built-in" not in done.stderr
    done = run("profile", "golf/")  # who means the folder can say so
    assert done.exit_code == 1


def test_the_first_help_names_every_format_of_files():
    """It is prose: to import the formats would make the help slow."""
    shown = run("--help").stdout.lower()
    titles = [each.title.lower() for each in table_formats().values() if each.is_file]
    assert len(titles) > 5
    assert [title for title in titles if title not in " ".join(shown.split())] == []
