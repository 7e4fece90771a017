"""``kill -9`` at random moments of a race: nothing is lost or repeated, and what was decided holds."""

import random
import time
from collections import Counter

import numpy as np
import pytest

from classica.comparison import ComparisonResult, compare
from classica.runs import is_resumable, read_outcomes
from classica.runs.journal import read_journal
from classica.tables import load_table
from tests.comparison.here import without_times
from tests.comparison.killable import KillableRun, files_in, wait_until
from tests.runs.launcher import Launcher
from tests.runs.leftovers import wait_until_none

MODELS, EFFORT = ["naive-bayes", "lda", "c45"], 30.0
VICTIMS = ["command", "command", "server and command", "worker and command", "server"]
ARGUMENTS = ["iris", "--models", ",".join(MODELS), "--folds", "4", "--effort", str(EFFORT)]


def runs_in(folder):
    """Return the folders of the runs within that of a race: its rounds, the final fits, the closer look."""
    return [path for path in sorted(folder.glob("*/*")) if path.is_dir() and is_resumable(path)]


class KillableRace(KillableRun):
    """A race that may be killed, and what of it can be seen from outside."""

    def done(self):
        """Return all that holds once it is written: outcomes with their times, and plans."""
        return {
            (part.name, each.key): each
            for part in runs_in(self.folder)
            for each in read_outcomes(part)
            if each.status != "skipped"
        } | {part.name: (part / "plan.json").read_bytes() for part in runs_in(self.folder)}

    def written(self):
        """Return how many records all journals have."""
        return sum(len(read_journal(part)) for part in runs_in(self.folder))


@pytest.fixture(scope="module")
def launcher():
    with Launcher("tests.comparison.killable:command") as launcher:
        yield launcher


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A race that nobody disturbs, with one worker."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    return compare(load_table("iris"), models=MODELS, folds=4, effort=EFFORT, out=folder, workers=1)


def killed_once(run, after, moments, victim):
    """Kill a race once its journals have so many records more; return whether it was before its end."""
    if run.is_over:
        run.start()
    known, wanted = run.done(), run.written() + after
    if not wait_until(lambda: run.written() >= wanted, run):
        return False
    time.sleep(moments.random() * 0.1)
    is_killed = run.kill(victim) is not None
    now = run.done()
    assert {key: now.get(key) for key in known} == known, "what was finished is lost or done again"
    return is_killed


def check_chain(launcher, folder, whole, kills, seed):
    moments, counts, last = random.Random(seed), Counter(), None
    race = KillableRace(launcher, folder / "killed", ARGUMENTS)
    for _ in range(kills):
        # A unit that runs while the server is lost twice is taken for the one who ends it.
        victim = "command" if last == "server" else moments.choice(VICTIMS)
        if not killed_once(race, moments.choice([0, 1, 2, 4, 6]), moments, victim):
            break
        counts[victim], last = counts[victim] + 1, victim
    known = race.done()
    for _ in range(2):  # one whose server is gone says so, and the next goes on
        if race.is_over:
            race.start()
        code, said = race.end()
        assert "Traceback" not in said
        if code == 0:
            break
    assert code == 0, said
    found, now = ComparisonResult.load(race.folder), race.done()
    assert {key: now.get(key) for key in known} == known
    assert without_times(found.summary.record()) == without_times(whole.summary.record())
    iris = load_table("iris")
    np.testing.assert_array_equal(*(each.best_model().predict_proba(iris) for each in (found, whole)))
    assert files_in(race.folder) - {"report.html"} == files_in(whole.folder)  # so no temporary file either
    for part in runs_in(race.folder):
        keys = [each["outcome"]["key"] for each in read_journal(part) if "outcome" in each]
        assert sorted(keys) == sorted(set(keys)), "what was finished is done again"
    assert wait_until_none(race.folder)
    return counts


def test_kills_lose_and_repeat_nothing(launcher, whole, tmp_path):
    counts = check_chain(launcher, tmp_path, whole, kills=4, seed=3)
    assert counts.total() >= 2


@pytest.mark.full
def test_a_hundred_kills_lose_and_repeat_nothing(launcher, whole, tmp_path):
    counts = Counter()
    for seed in range(1000):
        if counts.total() >= 100:
            break
        (tmp_path / str(seed)).mkdir()
        counts += check_chain(launcher, tmp_path / str(seed), whole, kills=10, seed=seed)
    print(counts)
    assert all(counts[victim] for victim in VICTIMS)
