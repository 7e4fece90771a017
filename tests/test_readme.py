"""The README shows what really happens."""

import contextlib
import io
import re
import sys
from pathlib import Path

from click.testing import CliRunner

from classica.interfaces.cli import main

TEXT = (Path(__file__).parent.parent / "README.md").read_text()


def blocks(language):
    found = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.M | re.S)
    return [text for name, text in found if name == language]


def stripped(text):
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def test_python_example_prints_what_is_shown():
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(blocks("python")[1], {})
    assert stripped(printed.getvalue()) in [stripped(block) for block in blocks("")]


def test_the_way_from_a_table_to_predictions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    way = next(block for block in blocks("sh") if "classica train" in block)
    lines = [line.partition("#")[0].split()[1:] for line in way.splitlines()]
    for line in lines:
        done = CliRunner().invoke(main, line)
        assert done.exit_code == 0, (line, done.output)
    assert len((tmp_path / "predictions.csv").read_text().splitlines()) == 151
    exec(blocks("python")[0], {})


def test_models_table_is_what_is_shown():
    shown = CliRunner().invoke(main, ["models"], env={"COLUMNS": "80"}).output
    assert stripped(shown) in [stripped(block) for block in blocks("")]


def test_both_commands_are_there():
    commands = "\n".join(blocks("sh"))
    assert "pip install . && classica " in commands
    assert 'pip install ".[test]" && pytest -n auto\n' in commands


def test_no_example_needs_pandas(monkeypatch):
    class Absent:
        def find_spec(self, name, *_):
            if name == "pandas":
                raise ModuleNotFoundError(name)

    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Absent(), *sys.meta_path])
    with contextlib.redirect_stdout(io.StringIO()):
        exec(blocks("python")[1].partition("X, y = load_breast_cancer")[0], {})
