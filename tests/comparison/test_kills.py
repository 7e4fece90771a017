"""``kill -9`` again and again, from the first moment of a comparison to the last: nothing is lost."""

import json
import random
import time
from collections import Counter

import numpy as np
import pytest

import classica
from classica.comparison import ComparisonResult, compare
from classica.comparison.plan.workspace import is_unstarted
from classica.comparison.work.insight import FOLDER
from classica.runs.journal import read_journal
from classica.tables import load_table
from tests.comparison.killable import KillableRun, files_in, looks_in, places, wait_until
from tests.runs.launcher import Launcher
from tests.runs.leftovers import wait_until_none

MODELS, FOLDS = ["naive-bayes", "lda", "c45"], 4
#: How many units there are before the closer look.
UNITS = (len(MODELS) + 1) * (FOLDS + 1)

#: Parts of a run, in the order in which they are killed, with the longest wait once a part has begun.
WAITS = {"start": 0.3, "units": 0.1, "looks": 0.2, "summary": 0.3, "report": 1.5}
VICTIMS = [*["command"] * 3, "server", "server and command", *["worker and command"] * 2]


@pytest.fixture(scope="module")
def launcher():
    with Launcher("tests.comparison.killable:command") as launcher:
        yield launcher


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """An undisturbed run, with one worker and without a report."""
    folder = tmp_path_factory.mktemp("whole")
    about = {"models": MODELS, "folds": FOLDS, "workers": 1, "thorough": True}
    return compare(load_table("iris"), out=folder / "run", **about)


def test_an_undisturbed_run_says_everything(whole):
    summary = whole.summary
    assert set(summary.tied) <= {*MODELS}
    assert summary.models[0].name == whole.best
    assert summary.folds.counted == (0, 1, 2, 3)
    assert summary.is_complete
    assert summary.insight.failures == {}
    assert None not in (summary.insight.learning_curve, summary.insight.bayes_error)
    assert json.loads((whole.folder / "summary.json").read_text()) == summary.record()
    for model in summary.models:
        found = classica.persist.inspect(whole.folder / model.delivered.file)
        assert found["array_bytes"] < model.delivered.bytes < found["file_bytes"]  # which has the card, too
        assert 0 <= model.score.low <= model.score.mean <= model.score.high <= 1


def test_the_best_model_is_ready_to_predict(whole):
    model, iris = classica.load(whole.folder / "best.classica"), load_table("iris")
    assert (model.predict(iris) == iris.y).mean() > 0.9
    assert type(whole.best_model()) is type(model)
    assert str(ComparisonResult.load(whole.folder)) == str(whole)


def without_times(value):
    """Return a summary without what depends on the clock."""
    if isinstance(value, dict):
        return {key: without_times(each) for key, each in value.items() if "seconds" not in key}
    return [without_times(each) for each in value] if isinstance(value, list) else value


def has_begun(run, part, share, all_looks):
    """Return a function that tells whether the command, just started, has come to a part of the run."""
    units, looks, written = run.lines(), run.looks(), run.stamp("summary.json")
    return {
        "start": lambda: True,
        "units": lambda: run.lines() > max(units, share * UNITS),
        "looks": lambda: run.looks() > looks or looks == all_looks,
        "summary": lambda: run.looks() == all_looks,
        "report": lambda: run.stamp("summary.json") != written,
    }[part]


def kill_in(run, part, share, moments, victim, all_looks):
    """Kill a run in one of its parts, and return who was killed; None if the command ended before."""
    if run.is_over:
        run.start()
    if not wait_until(has_begun(run, part, share, all_looks), run):
        return None
    time.sleep(moments.random() * WAITS[part])
    return run.kill(victim)


def kill_again_and_again(run, times, moments, all_looks):
    """Kill a run so many times in each of its parts, and check what is left each time."""
    counts, known, last = Counter(), {}, None
    for part, many in times.items():
        for number in range(many):
            victim = None
            while victim is None:
                # A unit that runs while the server is lost twice is taken for the one who ends it.
                wanted = "command" if last == "server" else moments.choice(VICTIMS)
                share = (number + moments.random()) / many
                victim = kill_in(run, part, share, moments, wanted, all_looks)
                if victim is None:
                    check_ended_well(run, last)
                last = victim
            counts.update([part, victim])
            known = check_nothing_is_lost(run, known)
    return counts


def check_ended_well(run, last):
    """A command that nobody killed has come to its end, or says in a line that its server is gone."""
    code, said = run.end()
    assert code == 0 or (last == "server" and said.startswith("Error: ")), said
    assert "Traceback" not in said


def check_nothing_is_lost(run, known):
    """Nothing that was finished is lost, changed or done again."""
    now = run.done()
    assert {key: now.get(key) for key in known} == known
    return now


def check_equals(run, whole):
    """However often it was killed, a run that has ended is like one that never was."""
    found = ComparisonResult.load(run.folder)
    assert without_times(found.summary.record()) == without_times(whole.summary.record())
    iris = load_table("iris")
    np.testing.assert_array_equal(*(each.best_model().predict_proba(iris) for each in (found, whole)))
    assert run.stamp("report.html") >= run.stamp("summary.json")
    assert files_in(run.folder) - {"report.html"} == files_in(whole.folder)  # so no temporary file either
    for place in (*places(run.folder, ""), *places(run.folder, FOLDER)):
        keys = [each["outcome"]["key"] for each in read_journal(place) if "outcome" in each]
        assert sorted(keys) == sorted(set(keys)), "what was finished is done again"
        assert wait_until_none(place)


def check_chain(launcher, folder, whole, times, seed):
    """Kill a run again and again, then let it come to its end."""
    arguments = ["iris", "--models", ",".join(MODELS), "--folds", str(FOLDS), "--thorough"]
    run = KillableRun(launcher, folder / "killed", arguments)
    counts = kill_again_and_again(run, times, random.Random(seed), looks_in(whole.folder))
    if run.is_over:
        run.start()
    code, said = run.end()
    assert code == 0, said
    check_equals(run, whole)
    return counts


def test_eight_kills_lose_and_repeat_nothing(launcher, whole, tmp_path):
    times = {"start": 3, "units": 2, "looks": 1, "summary": 1, "report": 1}
    print(check_chain(launcher, tmp_path, whole, times, 535))


@pytest.mark.full
def test_two_hundred_kills_lose_and_repeat_nothing(launcher, whole, tmp_path):
    times = {"start": 6, "units": 7, "looks": 3, "summary": 2, "report": 2}
    counts = Counter()
    for seed in range(10):
        (tmp_path / str(seed)).mkdir()
        counts += check_chain(launcher, tmp_path / str(seed), whole, times, seed)
    print(counts)
    assert sum(counts[part] for part in times) == 200
    assert all(counts[victim] for victim in VICTIMS)


def test_a_folder_in_which_a_comparison_was_killed_before_its_plan_can_be_used(tmp_path):
    names = ["table.parquet", "lock", f".table.parquet.{'0' * 16}.tmp", f".plan.json.{'f' * 16}.tmp"]
    for name in names:
        (tmp_path / name).touch()
    assert is_unstarted(tmp_path)
    (tmp_path / f".notes.txt.{'0' * 16}.tmp").touch()
    assert not is_unstarted(tmp_path)
