"""Waiting for a comparison: runs that take the time they are told to, and what is said about them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import wording
from benchmarks.rows.compare import WAITS
from benchmarks.table_sources import BuiltIn, Stored
from benchmarks.timed_command import TimedRun
from benchmarks.waiting import Targets, Wait, WaitResult, measure_wait

IRIS = BuiltIn("iris", "class", 150, 4)
TARGETS = Targets(3, 10, memory=4, ratio=10)
RACE = TimedRun(first_leaderboard=2.0, answer=8.0, peak_memory=10**9, exit_code=0)
FULL = replace(RACE, answer=96.0)


def result(race: TimedRun | None = RACE, exhaustive: TimedRun | None = None, **options: Any) -> WaitResult:
    return WaitResult("compare-iris", "Work", TARGETS, 150, 4, race, exhaustive, **options)


class FakeCommand:
    """Notes its arguments, takes the time it is told to, and leaves a summary behind."""

    def __init__(self, race: TimedRun = RACE, exhaustive: TimedRun = FULL) -> None:
        self.race, self.exhaustive = race, exhaustive
        self.commands: list[list[str]] = []

    def __call__(self, command: Sequence[str], folder: Path) -> TimedRun:
        self.commands.append(list(command))
        run = self.exhaustive if "--thorough" in command else self.race
        if not run.exit_code:
            out = folder / command[command.index("--out") + 1]
            out.mkdir()
            (out / "summary.json").write_text(json.dumps(self.summary(run)))
        return run

    def summary(self, run: TimedRun) -> dict[str, Any]:
        """The exhaustive search needs no correction and has scored 95%, the race 93%."""
        lda = {"name": "lda", "standing": {"score": {"mean": 0.95}}}
        headline = None if run is self.exhaustive else {"mean": 0.93}
        return {
            "models": [{"name": "knn", "standing": None}, lda],
            "recommended": "lda",
            "headline": headline,
        }


@pytest.fixture
def measured() -> Callable[..., WaitResult]:
    def measure(command: FakeCommand, **options: Any) -> WaitResult:
        wait = Wait("compare-iris", "Work", IRIS, TARGETS, quick_table=IRIS)
        return measure_wait(wait, **{"quick": False, "run": command, **options})

    return measure


def test_the_command_is_the_one_a_user_types(measured):
    command = FakeCommand()
    found = measured(command)
    (arguments,) = command.commands
    assert " ".join(arguments[1:]) == (
        "-m classica compare iris --target class --out race --no-report --json-lines"
    )
    assert (found.rows, found.columns, found.race) == (150, 4, RACE)
    assert (found.exhaustive, found.ratio, found.regret) == (None, None, None)


def test_the_quick_form_has_a_budget(measured):
    command = FakeCommand()
    measured(command, quick=True)
    assert command.commands[0][-2:] == ["--budget", "5s"]


def test_the_exhaustive_search_is_run_when_it_is_asked_for(measured):
    command, lines = FakeCommand(), []
    found = measured(command, exhaustive=True, progress=lines.append)
    assert command.commands[1][-3:] == ["--thorough", "--budget", "none"]
    assert found.ratio == 12
    assert found.regret == pytest.approx(2)
    assert lines == ["compare-iris: comparison of all models", "compare-iris: exhaustive search"]


def test_without_a_stated_ratio_there_is_no_exhaustive_search():
    command = FakeCommand()
    wait = Wait("compare-iris", "Work", IRIS, Targets(3, 10))
    assert measure_wait(wait, quick=False, exhaustive=True, run=command).exhaustive is None
    assert len(command.commands) == 1


def test_a_failed_search_has_neither_ratio_nor_regret(measured):
    command = FakeCommand(exhaustive=replace(FULL, exit_code=1, error="Error: no memory."))
    found = measured(command, exhaustive=True)
    assert (found.ratio, found.regret) == (None, None)
    assert found.failure(speed=False) == (
        "compare-iris: the exhaustive search must end with exit code 0, got 1: Error: no memory."
    )


@pytest.mark.parametrize(
    ("quick", "quick_table", "unmeasured"),
    [(True, None, "full size only"), (True, Stored("rare"), "no table"), (False, None, "no table")],
)
def test_what_cannot_be_measured_is_no_failure(quick, quick_table, unmeasured):
    command = FakeCommand()
    wait = Wait("compare-rare", "Work", Stored("rare"), TARGETS, quick_table)
    found = measure_wait(wait, quick=quick, run=command)
    assert (found.unmeasured, found.failure(), command.commands) == (unmeasured, None, [])
    assert not found.meets_targets()
    assert wording.wait_verdict(found) == unmeasured
    assert wording.unmeasured([found, result(), found]) == {unmeasured: ["compare-rare"] * 2}


@pytest.mark.parametrize(
    ("race", "failure"),
    [
        ({"first_leaderboard": 6.1}, "the first leaderboard must take at most 6 s, got 6.1 s"),
        ({"answer": 20.5}, "the answer must take at most 20 s, got 20.5 s"),
        ({"peak_memory": 9 * 10**9}, "memory must take at most 8 GB, got 9.0 GB"),
    ],
)
def test_more_than_twice_a_target_fails(race, failure):
    found = result(replace(RACE, **race))
    assert found.failure() == f"compare-iris: {failure}"
    assert found.failure(speed=False) is None
    assert wording.wait_status(found) == "fails"
    assert wording.wait_verdict(found) == f"fails: {failure}"


@pytest.mark.parametrize("race", [{"first_leaderboard": 6}, {"answer": 20}, {"peak_memory": 8 * 10**9}])
def test_up_to_twice_a_target_holds(race):
    found = result(replace(RACE, **race))
    assert found.failure() is None
    assert not found.meets_targets()
    assert wording.wait_verdict(found) == "within 2×"


def test_half_the_ratio_is_the_floor():
    assert result(exhaustive=replace(FULL, answer=40)).failure() is None
    assert not result(exhaustive=replace(FULL, answer=40)).meets_targets()
    assert result(exhaustive=replace(FULL, answer=80)).meets_targets()
    assert result(exhaustive=replace(FULL, answer=24)).failure() == (
        "compare-iris: ratio to the exhaustive search must be at least 5, got 3"
    )


def test_a_command_that_fails_decides_even_without_speed():
    found = result(replace(RACE, exit_code=3, error="Error: odd."))
    assert found.failure(speed=False) == (
        "compare-iris: the comparison must end with exit code 0, got 3: Error: odd."
    )
    assert not found.meets_targets()


def test_an_answer_without_a_leaderboard_fails():
    assert result(replace(RACE, first_leaderboard=None)).failure(speed=False) == (
        "compare-iris: the comparison must show a leaderboard before the answer, got none"
    )


def test_cells_show_what_was_measured_beside_the_targets():
    cells = wording.wait_cells(result(exhaustive=FULL, regret=0.314))
    assert cells == [
        "iris",
        "150×4",
        "2 s (3)",
        "8 s (10)",
        "1.00 GB (4 GB)",
        "12.0× (10×)",
        "met; regret 0.31 percentage points",
    ]


def test_cells_say_what_was_not_measured():
    assert wording.wait_cells(result(replace(RACE, peak_memory=None)))[4:6] == [
        "not measured (4 GB)",
        "not measured (10×)",
    ]
    nothing = WaitResult("compare-iris", "Work", Targets(3, 10), unmeasured="no table")
    assert wording.wait_cells(nothing) == ["iris", "–", "– (3)", "– (10)", "–", "–", "no table"]


def test_quick_measures_two_tables_and_four_have_a_ratio():
    assert [wait.slug for wait in WAITS if wait.quick_table] == ["compare-iris", "compare-mixed-1k"]
    assert {wait.slug for wait in WAITS if wait.targets.ratio} == {
        "compare-spambase",
        "compare-optdigits",
        "compare-kr-vs-kp",
        "compare-page-blocks",
    }
