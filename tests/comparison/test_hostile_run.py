"""Run folders made to do harm: what is in them chooses no code, and is refused in a sentence."""

import json
import shutil
import sys

import pytest

from classica.comparison import compare, resume
from classica.data import load_table
from classica.errors import ClassicaError, RunError

#: A module that leaves a trace as soon as anybody imports it.
EVIL = """
from pathlib import Path
Path(__file__).with_name("ran").touch()
from sklearn.naive_bayes import GaussianNB

class Model(GaussianNB):
    pass

def work(folder, arguments):
    return {}
"""


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """Return a run that was stopped before its first unit."""
    folder = tmp_path_factory.mktemp("stopped") / "run"
    compare(load_table("golf"), models=["id3"], folds=2, tune=False, out=folder, budget=1e-9, workers=1)
    return folder


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """Return a run that has come to its end."""
    folder = tmp_path_factory.mktemp("ended") / "run"
    compare(load_table("golf"), models=["id3"], folds=2, tune=False, out=folder, workers=1)
    return folder


@pytest.fixture
def evil(tmp_path, monkeypatch):
    """Put a module that must not be imported on the path, and return the trace it would leave."""
    (tmp_path / "evil_module.py").write_text(EVIL)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path / "ran"
    sys.modules.pop("evil_module", None)


def copied(folder, tmp_path):
    """Return a copy to be damaged."""
    return shutil.copytree(folder, tmp_path / "copy")


def changed(path, change):
    """Let a JSON file be changed."""
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))


def name_work(plan):
    plan["work"] = "evil_module:work"


def name_a_system_call(plan):
    plan["work"] = "os:system"


def name_preload(plan):
    plan["preload"] = ["evil_module"]


def name_a_model(plan):
    for unit in plan["units"]:
        unit["arguments"]["model"] = "evil_module:Model"


@pytest.mark.parametrize("change", [name_work, name_a_system_call, name_preload, name_a_model])
def test_a_plan_chooses_no_code(stopped, tmp_path, evil, change):
    folder = copied(stopped, tmp_path)
    changed(folder / "plan.json", change)
    (folder / "journal.jsonl").unlink()
    with pytest.raises(RunError) as caught:
        resume(folder, workers=1, budget=60)
    assert "\n" not in str(caught.value)
    assert not evil.exists()
    assert not (folder / "journal.jsonl").exists()


def test_a_model_of_others_runs_only_if_the_caller_names_it(stopped, tmp_path, evil):
    folder = copied(stopped, tmp_path)
    changed(folder / "comparison.json", lambda about: about["models"].append("evil_module:Model"))
    changed(folder / "plan.json", lambda plan: plan["units"].clear())
    with pytest.raises(ClassicaError) as caught:
        resume(folder, workers=1, budget=60)
    assert str(caught.value) == (
        f"The run in {folder} uses models that are not part of classica: evil_module:Model."
        f' If you trust them, resume it with allow=["evil_module:Model"].'
    )
    with pytest.raises(RunError, match="must stay the same"):
        resume(folder, workers=1, budget=60, allow=["evil_module:Model"])
    with pytest.raises(ClassicaError, match="not part of classica: evil_module:Model"):
        resume(folder, workers=1, budget=60, allow=["sklearn.svm:SVC"])
    assert not evil.exists()
