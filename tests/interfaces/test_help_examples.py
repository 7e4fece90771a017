"""Every example in the help runs as it stands: all commands in their order, in one folder."""

import re
import shlex

import pytest
from click.testing import CliRunner

from classica.interfaces.cli import COMMANDS, main


def run(*arguments, **more):
    return CliRunner().invoke(main, arguments, **more)


def examples(*command):
    """Return the example lines of a help text; what stands two blanks behind one explains it."""
    # As wide as it takes: an example is never broken into lines.
    text = run(*command, "--help", terminal_width=200).output
    return re.findall(r"^ +classica (.+?)(?:  .*)?$", text, re.M)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_an_example_of_itself(name):
    assert any(example.split()[0] == name for example in examples(name))


def test_every_example_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line for name in COMMANDS for line in examples(name)]
    for line in lines:
        done = run(*shlex.split(line))
        assert done.exit_code == 0, f"{line}: {done.output}"
        assert done.stdout or "--out" in line, line
    print(f"{len(lines)} examples of {len(COMMANDS)} commands ran")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_terminal(name):
    lines = run(name, "--help").output.splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 50


def test_a_newcomer_gets_from_a_csv_file_to_predictions(tmp_path, monkeypatch):
    """Follow ``classica --help`` and nothing else; every file named there is there afterwards."""
    monkeypatch.chdir(tmp_path)
    way = examples()
    assert [line.split()[0] for line in way[:5]] == ["data", "profile", "train", "evaluate", "predict"]
    for line in way:
        done = run(*shlex.split(line))
        assert done.exit_code == 0, f"{line}: {done.output}"
    assert len((tmp_path / "predictions.csv").read_text().splitlines()) == 151
    assert max(map(len, run("--help").output.splitlines())) <= 80
