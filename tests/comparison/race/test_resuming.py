"""A race that is stopped anywhere gives an answer, and goes on as if it had not been."""

from dataclasses import replace

import pytest

from classica.comparison import ComparisonResult, compare, resume
from classica.comparison.work import units as comparison_units
from classica.persist import load
from classica.tables import load_table
from tests.comparison.here import without_times, work_here

MODELS = ["naive-bayes", "lda", "c45"]
RACE = {"models": MODELS, "folds": 4, "effort": 6.0}


@pytest.fixture(scope="module")
def iris():
    return load_table("iris")


@pytest.fixture(scope="module")
def whole(tmp_path_factory, iris):
    """A race in this process that nobody has stopped, and who has done its units."""
    with pytest.MonkeyPatch.context() as patch:
        worker = work_here(patch)
        found = compare(iris, out=tmp_path_factory.mktemp("whole") / "run", workers=1, **RACE)
    return found, worker


def told(found):
    return without_times(found.summary.record())


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_change_nothing_but_times(whole, tmp_path, iris, workers):
    assert told(compare(iris, out=tmp_path / "run", workers=workers, **RACE)) == told(whole[0])


def test_what_is_looked_at_does_not_depend_on_the_clock(whole, tmp_path, iris, monkeypatch):
    """Under effort: on a machine where fits take seconds the closer look is the same."""
    evaluate_fold = comparison_units.evaluate_fold
    monkeypatch.setattr(
        comparison_units, "evaluate_fold", lambda *about: replace(evaluate_fold(*about), fit_seconds=5.0)
    )
    work_here(monkeypatch)
    found = compare(iris, out=tmp_path / "run", **RACE)
    assert found.summary.model("lda").mean("fit_seconds") == 5.0
    assert told(found) == told(whole[0])


#: Before the first leaderboard, while models are tuned and judged, fitted for use, and looked at.
STOPS = (0, 1, 3, 6, 9, 13, 15, 19)


@pytest.mark.parametrize("units", STOPS)
def test_a_race_that_is_stopped_answers_and_goes_on(whole, tmp_path, iris, monkeypatch, units):
    check_stopped(whole, tmp_path, iris, monkeypatch, units)


@pytest.mark.full
def test_a_race_may_be_stopped_after_any_unit(whole, tmp_path, iris, monkeypatch):
    for units in range(whole[1].done.total()):
        (tmp_path / str(units)).mkdir()
        check_stopped(whole, tmp_path / str(units), iris, monkeypatch, units)


def check_stopped(whole, tmp_path, iris, monkeypatch, units):
    assert units < whole[1].done.total()
    worker, folder = work_here(monkeypatch, stop_after=units), tmp_path / "run"
    found = compare(iris, out=folder, workers=1, **RACE)
    assert found.is_interrupted
    assert told(ComparisonResult.load(folder)) == told(found)
    usable = found.summary.best_file or found.summary.most_accurate_file
    if usable:
        assert load(folder / usable).predict(iris).shape == (150,)
    elif units:
        assert found.best == "chance"  # nothing else has been evaluated
    else:
        assert found.best is None
        assert found.answer.startswith("No model could be evaluated")
    (folder / "summary.json").unlink()  # as a kill would leave it
    assert ComparisonResult.load(folder).best == found.best
    again = resume(folder, workers=2)
    assert told(again) == told(whole[0])
    assert max(worker.done.values()) == 1, "what was finished is done again"


def test_a_race_that_has_judged_the_baseline_only_answers_from_earlier_stages(
    whole, tmp_path, iris, monkeypatch
):
    """The baseline is judged first, so that whatever comes after it can be recommended."""
    keys = [key for _, key in whole[1].done]
    judged = [key for key in keys if " judge " in key]
    assert judged[0].startswith("chance ")
    work_here(monkeypatch, stop_after=keys.index(judged[0]) + 1)
    found = compare(iris, out=tmp_path / "run", workers=1, **RACE)
    assert found.is_interrupted
    assert found.summary.is_provisional
    assert found.recommended in MODELS
    assert found.best_model().predict(iris).shape == (150,)


def test_a_race_stopped_again_and_again_keeps_its_decisions(whole, tmp_path, iris, monkeypatch):
    folder, plans = tmp_path / "run", {}
    done = None
    for stop in (2, 4, 3, 2, 5, None):
        worker = work_here(monkeypatch, stop_after=stop)
        if done is not None:
            worker.done.update(done)
            worker.stop_after = None if stop is None else stop + worker.done.total()
        found = resume(folder) if done is not None else compare(iris, out=folder, **RACE)
        done = worker.done
        now = {path: path.read_bytes() for path in folder.glob("rounds/*/plan.json")}
        assert {path: now[path] for path in plans} == plans
        plans = now
    assert told(found) == told(whole[0])
    rounds = {unit: times for unit, times in done.items() if unit[0].startswith("rounds")}
    assert set(rounds.values()) == {1}


def test_a_second_ctrl_c_is_an_interrupt(tmp_path, iris, monkeypatch):
    worker = work_here(monkeypatch, stop_after=3)
    do = worker.do

    def twice(run, unit):
        if worker.stop_after is None:
            raise KeyboardInterrupt
        return do(run, unit)

    monkeypatch.setattr(worker, "do", twice)
    with pytest.raises(KeyboardInterrupt):
        compare(iris, out=tmp_path / "run", **RACE)
    monkeypatch.setattr(worker, "do", do)
    assert resume(tmp_path / "run").best == "lda"


def test_models_can_be_added_to_a_finished_race(whole, tmp_path, iris, monkeypatch):
    worker, folder = work_here(monkeypatch), tmp_path / "run"
    compare(iris, out=folder, **{**RACE, "models": ["naive-bayes", "c45"]})
    before = dict(worker.done)
    found = resume(folder, models=["lda"])
    added = found.summary.model("lda")
    assert added.state == "judged"
    assert [fold.fold for fold in added.folds] == [0, 1, 2, 3]
    assert found.best == "lda"
    assert found.best_model().predict(iris).shape == (150,)
    new = {unit for unit in worker.done if unit not in before and unit[0].startswith("rounds")}
    assert {key.split()[0] for _, key in new if " halves " not in key} == {"lda"}
    assert {task for task in ("tune", "judge") if any(f" {task} " in key for _, key in new)} == {
        "tune",
        "judge",
    }
    assert max(times for unit, times in worker.done.items() if unit in before) == 1
    # What was judged does not depend on when it was: the same folds and parameters.
    alone = whole[0].summary.model("lda")
    assert added.values("test_score").tolist() == alone.values("test_score").tolist()
    assert told(ComparisonResult.load(folder)) == told(found)
