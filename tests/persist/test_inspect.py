"""Looking into a file without loading it, from Python and from the command line."""

import json

import pytest
from click.testing import CliRunner

import classica as c
from classica import load, save
from classica.errors import ModelFileError
from classica.interfaces.cli import main
from classica.persist import inspect
from tests.persist.models import frame

METADATA = {"trained": "2026-11-16T12:00:00Z", "table": {"sha256": "ab" * 32}, "scores": {"accuracy": 0.9}}


@pytest.fixture
def path(tmp_path):
    model = c.RandomForestClassifier(3, max_samples=0.5, random_state=0).fit(*frame())
    save(model, tmp_path / "golf.classica", metadata=METADATA)
    return tmp_path / "golf.classica"


def test_what_is_told(path):
    found = inspect(path)
    assert found["kind"] == "random-forest"
    assert found["class"] == "RandomForestClassifier"
    assert found["classes"] == ["ape", "bee", "cat"]
    assert found["features"] == ["sky", "windy", "heat", "rain mm"]
    assert found["columns"] == 4
    assert found["parameters"]["max_samples"] == 0.5
    assert found["metadata"] == METADATA
    assert found["versions"]["classica"] == c.__version__
    assert found["file_bytes"] == path.stat().st_size
    assert found["format"] == 1
    assert len(found["sha256"]) == 64


def test_the_same_model_and_metadata_are_the_same_file(path, tmp_path):
    save(load(path), tmp_path / "again", metadata=inspect(path)["metadata"])
    assert (tmp_path / "again").read_bytes() == path.read_bytes()


def test_the_model_is_not_built(path, monkeypatch):
    def refuse(*_):
        raise AssertionError

    monkeypatch.setattr("classica.persist.decoder.Decoder.model", refuse)
    inspect(path)


def test_the_command(path):
    done = CliRunner().invoke(main, ["inspect", str(path)])
    assert done.exit_code == 0
    for word in (
        "random-forest",
        "hash verified",
        "ape, bee, cat",
        "rain mm",
        "max_samples",
        "0.9",
        "sha256",
    ):
        assert word in done.output
    told = CliRunner().invoke(main, ["inspect", str(path), "--json"])
    assert json.loads(told.output) == json.loads(json.dumps(inspect(str(path))))


def test_the_command_refuses_in_one_line(path):
    path.write_bytes(path.read_bytes()[:-1])
    done = CliRunner().invoke(main, ["inspect", str(path)])
    assert done.exit_code == 1
    assert "corrupt" in done.output
    assert done.output.count("\n") == 1


def test_metadata_is_not_read_as_markup(tmp_path):
    model = c.NearestMeanClassifier().fit([[0.0], [1.0]], [0, 1])
    save(model, tmp_path / "m", metadata={"note": "[red]x[/red] \x1b[31mred"})
    output = CliRunner().invoke(main, ["inspect", str(tmp_path / "m")]).output
    assert "[red]x[/red]" in output
    assert "\x1b" not in output


def test_a_summary_that_is_none(path):
    from tests.persist.damage import taken_apart, whole_file

    header, arrays = taken_apart(path.read_bytes())
    header["summary"] = 3
    path.write_bytes(whole_file(header, arrays))
    with pytest.raises(ModelFileError, match="a summary"):
        inspect(path)
