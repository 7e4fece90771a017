"""Progress: counts, and how much time is left."""

import pytest

from classica.runs import Outcome, Unit
from classica.runs.run_progress import Tally

UNITS = [Unit(f"{group}{number}", group) for group in ("slow", "fast") for number in range(4)]


def test_counts_by_group_in_the_order_of_the_plan():
    tally = Tally(UNITS)
    outcome = Outcome("fast1", "failed", seconds=1.0)
    tally.add(outcome)
    told = tally.progress([("slow0", 0.5)], 7.0, 2, outcome)
    assert (told.done, told.total, told.running, told.elapsed) == (1, 8, ("slow0",), 7.0)
    assert list(told.groups.items()) == [("slow", (0, 4)), ("fast", (1, 4))]
    assert told.last is outcome


def test_time_left_is_unknown_before_the_first_outcome():
    assert Tally(UNITS).progress([], 0.0, 1, None).remaining is None


@pytest.mark.parametrize(("workers", "expected"), [(1, 3 * 10 + 3 * 1), (2, (3 * 10 + 3 * 1) / 2)])
def test_time_left_takes_each_group_at_its_own_pace(workers, expected):
    tally = Tally(UNITS)
    tally.add(Outcome("slow0", "done", seconds=10.0))
    tally.add(Outcome("fast0", "done", seconds=1.0))
    assert tally.progress([], 0.0, workers, None).remaining == pytest.approx(expected)


def test_time_left_of_a_group_not_tried_is_that_of_all_and_what_is_behind_does_not_count():
    tally = Tally(UNITS)
    tally.add(Outcome("slow0", "done", seconds=10.0))
    assert tally.progress([], 0.0, 1, None).remaining == pytest.approx(70.0)
    assert tally.progress([("slow1", 4.0)], 0.0, 1, None).remaining == pytest.approx(66.0)
    assert tally.progress([("slow1", 99.0)], 0.0, 1, None).remaining == pytest.approx(60.0)


def test_more_workers_than_units_do_not_help():
    tally = Tally(UNITS)
    for unit in UNITS[:-1]:
        tally.add(Outcome(unit.key, "done", seconds=2.0))
    assert tally.progress([], 0.0, 8, None).remaining == pytest.approx(2.0)
