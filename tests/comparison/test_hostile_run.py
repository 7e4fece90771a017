"""Run folders made to do harm: what is in them chooses no code, and is refused in a sentence."""

import contextlib
import json
import shutil
import sys

import numpy as np
import pytest

from classica.comparison import ComparisonResult, compare, resume
from classica.comparison.work.units import answers_path
from classica.errors import ClassicaError, DataError, RunError
from classica.runs import read_outcomes
from classica.runs.journal import read_journal, write_line
from classica.tables import load_table
from tests.comparison.here import work_here

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
    """Return a thorough run that was stopped before its first unit."""
    folder = tmp_path_factory.mktemp("stopped") / "run"
    about = {"folds": 2, "tune": False, "budget": 1e-9, "workers": 1, "thorough": True}
    compare(load_table("golf"), models=["id3"], out=folder, **about)
    return folder


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """Return a race that has come to its end."""
    folder = tmp_path_factory.mktemp("ended") / "run"
    compare(load_table("golf"), models=["id3"], folds=2, out=folder, workers=1, effort=1.0)
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
    assert str(folder) in str(caught.value)
    assert 'allow=["evil_module:Model"]' in str(caught.value)
    with pytest.raises(RunError, match="its plan was changed"):
        resume(folder, workers=1, budget=60, allow=["evil_module:Model"])
    with pytest.raises(ClassicaError, match="third-party models: evil_module:Model"):
        resume(folder, workers=1, budget=60, allow=["sklearn.svm:SVC"])
    assert not evil.exists()


def test_predictions_that_were_not_written_by_the_run_are_refused(ended, tmp_path):
    folder = copied(ended, tmp_path)
    path = answers_path(folder, "id3", 0)
    good = dict(np.load(path))
    bad = [
        good | {"rows": good["rows"] + 1000},
        good | {"rows": -1 - good["rows"]},
        good | {"codes": good["codes"] + 7},
        good | {"codes": good["codes"].astype(float)},
        good | {"rows": np.array([{}], dtype=object)},
        good | {"probabilities": good["probabilities"][:, :1]},
        good | {"probabilities": good["probabilities"] * np.nan},
        {"rows": good["rows"]},
    ]
    for arrays in bad:
        np.savez(path, **arrays)
        with pytest.raises(DataError, match=str(path)):
            resume(folder, workers=1)
    np.savez_compressed(path, **good)
    with pytest.raises(DataError, match="nothing compressed"):
        resume(folder, workers=1)
    path.write_bytes(b"PK\x03\x04 no archive")
    with pytest.raises(DataError, match=r"Cannot read |must be as it was written"):
        resume(folder, workers=1)


def test_a_file_of_a_model_lies_in_the_folder(ended, tmp_path):
    """The best model is copied within the folder; its name, found in the journal, must not lead out of it."""
    folder = copied(ended, tmp_path)
    (tmp_path / "secret.classica").write_text("mine")
    [place] = folder.glob("delivery/*")
    rewrite_journal(place, lambda record: point_elsewhere(record, "../secret.classica"))
    for copy in ("best.classica", "most-accurate.classica"):
        (folder / copy).unlink(missing_ok=True)
    with pytest.raises(RunError, match="a file in the folder models"):
        resume(folder, workers=1)
    assert not list(folder.glob("*.classica"))


def point_elsewhere(record, name):
    result = (record.get("outcome") or {}).get("result")
    if result and "file" in result:
        result["file"] = name


def rewrite_journal(folder, change):
    """Let the records of a journal be changed; their checksums are right again."""
    records = read_journal(folder)
    for record in records:
        change(record)
    (folder / "journal.jsonl").write_bytes(b"".join(map(write_line, records)))


def a_model_that_is_not_there(plan):
    plan["units"][0]["arguments"]["model"] = "evil_module:Model"


def a_fold_that_is_not_there(plan):
    plan["units"][0]["arguments"]["folds"] = [7]


def a_fold_twice(plan):
    plan["units"][0]["arguments"]["folds"] = [0, 0]


def a_point_that_is_not_there(plan):
    plan["units"][0]["arguments"]["points"] = [99]


def no_points(plan):
    plan["units"][0]["arguments"]["points"] = []


def a_stage_that_is_not_there(plan):
    plan["units"][0]["arguments"]["stage"] = 9


def another_task(plan):
    plan["units"][0]["arguments"]["task"] = "halves"


def a_rung_that_is_not_there(plan):
    plan["settings"]["rung"] = 900


def an_unknown_model_leaves(plan):
    plan["settings"]["eliminated"] = {"evil_module:Model": "It must go."}


def an_unknown_model_is_capped(plan):
    plan["settings"]["capped"] = {"nobody": "It must stop."}


def other_work(plan):
    plan["work"] = "comparison"


def no_units(plan):
    plan["units"] = []


def hosts_of_units(plan):
    first = plan["units"][0]
    plan["units"] = [first | {"key": f"{first['key']} {number}"} for number in range(20_000)]


TAMPERED = [
    name_work,
    name_a_system_call,
    name_preload,
    a_model_that_is_not_there,
    a_fold_that_is_not_there,
    a_fold_twice,
    a_point_that_is_not_there,
    no_points,
    a_stage_that_is_not_there,
    another_task,
    a_rung_that_is_not_there,
    an_unknown_model_leaves,
    an_unknown_model_is_capped,
    other_work,
    no_units,
    hosts_of_units,
]


@pytest.mark.parametrize("change", TAMPERED)
def test_a_round_that_was_tampered_with_is_refused(ended, tmp_path, evil, change, monkeypatch):
    """Also where its journal is taken away, so that nothing tells that it was another plan."""
    worker, folder = work_here(monkeypatch), copied(ended, tmp_path)
    changed(folder / "rounds/001/plan.json", change)
    (folder / "rounds/001/journal.jsonl").unlink()
    (folder / "summary.json").unlink()
    for call in (lambda: resume(folder, workers=1), lambda: ComparisonResult.load(folder)):
        with pytest.raises(ClassicaError) as caught:
            call()
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 600
    assert not evil.exists()
    assert not worker.done


@pytest.mark.parametrize("effort", [10.0, None])
def test_reading_a_race_imports_no_model_of_others(ended, tmp_path, evil, effort):
    """Neither where its folder has a race of such a model, nor where it counts what that took."""
    folder = copied(ended, tmp_path)
    for path in folder.rglob("*.json"):
        path.write_text(path.read_text().replace('"id3', '"evil_module:Model'))
    changed(folder / "comparison.json", lambda about: about["settings"].update(effort=effort))
    (folder / "summary.json").unlink()
    with contextlib.suppress(ClassicaError):
        ComparisonResult.load(folder)
    with pytest.raises(ClassicaError, match="third-party models: evil_module:Model"):
        resume(folder, workers=1)
    assert not evil.exists()


def test_losses_that_were_not_written_by_the_race_are_refused(ended, tmp_path, monkeypatch):
    worker, folder = work_here(monkeypatch), copied(ended, tmp_path)
    path = sorted(folder.glob("losses/id3-tune-1-1-*.npz"))[0]
    good = dict(np.load(path))
    bad = [
        good | {"rows": good["rows"] + 1},
        good | {"rows": good["rows"][::-1].copy()},
        good | {"points": good["points"] + 1},
        good | {"losses": np.full_like(good["losses"], np.inf)},
        good | {"losses": good["losses"].astype(np.float64)},
        good | {"losses": good["losses"][:1]},
        good | {"rows": np.array([{}], dtype=object)},
        {"rows": good["rows"]},
    ]
    for arrays in bad:
        np.savez(path, **arrays)
        with pytest.raises(DataError, match=str(path)):
            resume(folder, workers=1)
    np.savez_compressed(path, **good)
    with pytest.raises(DataError, match="nothing compressed"):
        resume(folder, workers=1)
    path.unlink()
    with pytest.raises(DataError, match=r"Cannot read |must be as it was written"):
        resume(folder, workers=1)
    assert not worker.done


ODD = (None, True, -1, 0.5, 10**30, "", "x", [], [0], {}, {"x": 1}, "../x", 1e308)


def spots(node):
    """Give every place in nested lists and dicts, as (holder, key)."""
    for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(value, dict | list):
            yield from spots(value)


def damage(record, random):
    """Put something odd in one place, or take it away."""
    places = list(spots(record))
    holder, key = places[random.integers(len(places))]
    if random.random() < 0.2:
        del holder[key]
    else:
        holder[key] = ODD[random.integers(len(ODD))]


def damage_file(folder, name, random):
    path = folder / name
    if path.suffix == ".jsonl":
        records = read_journal(path.parent)
        damage(records[random.integers(len(records))], random)
        path.write_bytes(b"".join(map(write_line, records)))
    else:
        changed(path, lambda record: damage(record, random))


FILES = (
    "plan.json",
    "rounds/001/plan.json",
    "rounds/001/journal.jsonl",
    "rounds/003/plan.json",
    "rounds/003/journal.jsonl",
    "comparison.json",
    "schema.json",
    "delivery/*/plan.json",
    "delivery/*/journal.jsonl",
    "insight/*/plan.json",
    "insight/*/journal.jsonl",
    "summary.json",
)


def use(folder, name):
    """Do all that reads a file back; the summary is read by the report, all others when a run goes on."""
    if name == "summary.json":
        from classica.interfaces.report import write_report

        found = ComparisonResult.load(folder)
        assert str(found)
        write_report(found, pictures=0)
    else:
        read_outcomes(folder)
        resume(folder, workers=1)
        ComparisonResult.load(folder)


def campaign(folder, tmp_path, name, seeds):
    """Damage a file again and again; return how often it was refused. Anything but our errors is a fault."""
    copy, refused = copied(folder, tmp_path), 0
    name = str(next(copy.glob(name)).relative_to(copy))
    good = (copy / name).read_bytes()
    for seed in seeds:
        damage_file(copy, name, np.random.default_rng(seed))
        try:
            use(copy, name)
        except ClassicaError:
            refused += 1
        except Exception as error:
            raise AssertionError(f"{name}, seed {seed}: {type(error).__name__}: {error}") from error
        (copy / name).write_bytes(good)
    return refused


@pytest.mark.parametrize("name", FILES)
def test_damaged_files_give_an_answer_or_a_sentence(ended, tmp_path, name, monkeypatch):
    work_here(monkeypatch)
    assert campaign(ended, tmp_path, name, range(4)) >= 0


@pytest.mark.full
@pytest.mark.parametrize("name", FILES)
def test_many_damaged_files(ended, tmp_path, name, monkeypatch):
    work_here(monkeypatch)
    refused = campaign(ended, tmp_path, name, range(1000, 1300))
    print(f"{name}: 300 damaged, {refused} refused")
