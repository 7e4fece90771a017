import gc
from typing import Any

import numpy as np
import pytest

from benchmarks import wording
from benchmarks.benchmark import FASTEST, Contender, Data
from benchmarks.measure import measure
from benchmarks.result import Status


def run(benchmark: Any, clock: Any, repeats: int = 3, **options: Any) -> Any:
    return measure(benchmark, quick=True, repeats=repeats, clock=clock, **options)


def test_ratio_is_the_median_over_repeats_of_the_ratio_within_each(clock, benchmark_of):
    # Totals after the warm-up: 2, 4, 11 and 10, 12, 44. The ratio of their medians would be 3.
    ours = clock.contender("classica", fit=[99, 1, 3, 10], predict=1, ours=True)
    peer = clock.contender("scikit-learn", fit=[99, 9, 11, 43], predict=1)
    row = run(benchmark_of(ours, peer), clock)
    own, other = row.outcomes
    assert own.ratio is None
    assert (other.ratio.low, other.ratio.median, other.ratio.high) == (3, 4, 5)
    assert own.fit.median == 3
    assert own.predict.median == 1
    assert (other.total.low, other.total.median, other.total.high) == (10, 12, 44)
    assert (other.total.lower_quartile, other.total.upper_quartile) == (11, 28)


@pytest.mark.parametrize(("compared", "expected"), [("fit", 3), ("predict", 5), ("total", 4)])
def test_ratio_is_of_the_compared_time(clock, benchmark_of, compared, expected):
    ours = clock.contender("classica", fit=[1], predict=1, ours=True)
    peer = clock.contender("scikit-learn", fit=[3], predict=5)
    row = run(benchmark_of(ours, peer, compared=compared), clock)
    assert row.outcomes[1].ratio.median == expected


def test_repeats_are_interleaved_and_begin_with_another_contender(clock, benchmark_of):
    ours = clock.contender("classica", ours=True)
    lines: list[str] = []
    run(benchmark_of(ours, clock.contender("scikit-learn")), clock, 2, progress=lines.append)
    assert lines == [
        "fake: making the data",
        "fake: warm-up: classica",
        "fake: warm-up: scikit-learn",
        "fake: repeat 1/2: scikit-learn",
        "fake: repeat 1/2: classica",
        "fake: repeat 2/2: classica",
        "fake: repeat 2/2: scikit-learn",
    ]


def test_a_different_answer_is_marked_and_fails_the_row(clock, benchmark_of):
    ours = clock.contender("classica", answer=1, ours=True)
    row = run(benchmark_of(ours, clock.contender("scikit-learn", fit=[99])), clock)
    assert row.outcomes[1].status is Status.DIFFERS
    assert not row.meets_target()
    assert row.failure() == ("fake: answers must agree with scikit-learn, got 3 different labels of 3")


def test_one_different_repeat_is_enough(clock, benchmark_of):
    answers = iter([0, 1, 0])
    ours = clock.contender("classica", ours=True)
    peer = Contender("scikit-learn", lambda data: None, lambda data, _: np.full(3, next(answers)))
    assert run(benchmark_of(ours, peer), clock, 2).outcomes[1].status is Status.DIFFERS


def test_a_missing_peer_is_shown_and_does_not_fail_the_row(clock, benchmark_of):
    ours = clock.contender("classica", ours=True)
    missing = clock.contender("rare", requires="no_such_module")
    row = run(benchmark_of(ours, clock.contender("scikit-learn", fit=[9]), missing), clock)
    assert row.outcomes[2].status is Status.MISSING
    assert row.outcomes[2].total is None
    assert row.failure() is None


@pytest.mark.parametrize("name", ["classica", "scikit-learn"])
def test_a_missing_side_of_the_target_fails_the_row(clock, benchmark_of, name):
    need = {name: {"requires": "no_such_module"}}
    ours = clock.contender("classica", ours=True, **need.get("classica", {}))
    peer = clock.contender("scikit-learn", **need.get("scikit-learn", {}))
    row = run(benchmark_of(ours, peer), clock)
    assert row.failure() == f"fake: {name} must be installed, got no such module"
    # A peer that is not there has no answers to differ from.
    assert (row.failure(speed=False) is None) == (name == "scikit-learn")


@pytest.mark.parametrize("ours_fails", [True, False])
def test_a_contender_that_raises_is_a_failed_row_not_a_crash(clock, benchmark_of, ours_fails):
    def fail(data: Data) -> None:
        raise ValueError("bad\n  luck")

    fits = {"classica": clock.contender("classica").fit, "scikit-learn": fail}
    if ours_fails:
        fits = {"classica": fail, "scikit-learn": clock.contender("scikit-learn").fit}
    predict = clock.contender("").predict
    pair = [Contender(name, fit, predict, ours=name == "classica") for name, fit in fits.items()]
    row = run(benchmark_of(*pair), clock)
    name = "classica" if ours_fails else "scikit-learn"
    assert row.failure() == f"fake: {name} must run, got ValueError: bad luck"
    assert all(outcome.ratio is None for outcome in row.outcomes)


@pytest.mark.parametrize(("fit", "fails", "meets"), [(1.9, True, False), (2, False, False), (4, False, True)])
def test_the_floor_is_half_the_target(clock, benchmark_of, fit, fails, meets):
    ours = clock.contender("classica", predict=0, ours=True)
    peer = clock.contender("scikit-learn", fit=[fit], predict=0)
    row = run(benchmark_of(ours, peer), clock)
    assert (row.failure() is not None, row.meets_target()) == (fails, meets)
    if fails:
        assert row.failure() == "fake: ratio to scikit-learn must be at least 2, got 1.9"


def test_one_row_takes_the_median_call_and_every_answer(clock, benchmark_of):
    def slow_first(data: Data, model: list[int]) -> Any:
        model.append(data.new_rows.shape[0])
        clock.now += 50 if len(model) == 1 else 6
        return np.zeros(1, dtype=int)

    ours = clock.contender("classica", predict=2, ours=True)
    peer = Contender("scikit-learn", lambda data: [], slow_first)
    row = run(benchmark_of(ours, peer, compared="predict", one_row=True), clock)
    assert row.outcomes[1].predict.median == 6
    assert row.outcomes[1].ratio.median == 3
    assert row.outcomes[1].total is None
    assert row.outcomes[1].status is Status.MEASURED


def test_the_collector_is_off_while_timing_and_on_again_after(clock, benchmark_of):
    seen: list[bool] = []

    def fit(data: Data) -> None:
        seen.append(gc.isenabled())
        clock.now += 1

    ours = Contender("classica", fit, clock.contender("").predict, ours=True)
    run(benchmark_of(ours, clock.contender("scikit-learn")), clock)
    assert not any(seen)
    assert gc.isenabled()


def test_a_contender_cannot_change_the_shared_data(clock, benchmark_of):
    def fit(data: Data) -> None:
        data.rows[0, 0] = 1

    ours = clock.contender("classica", ours=True)
    peer = Contender("scikit-learn", fit, clock.contender("").predict)
    row = run(benchmark_of(ours, peer), clock)
    assert "read-only" in row.outcomes[1].detail


def test_the_fastest_peer_is_the_judge(clock, benchmark_of):
    ours = clock.contender("classica", predict=0, ours=True)
    slow, fast = (clock.contender(name, fit=[fit], predict=0) for name, fit in (("slow", 9), ("fast", 3)))
    row = run(benchmark_of(ours, slow, fast, reference=FASTEST), clock)
    assert row.judge.name == "fast"
    assert row.failure() is None
    assert not row.meets_target()
    assert wording.verdict(row) == "holds the floor (against the fastest peer, fast: target 4×, floor 2×)"
    row = run(benchmark_of(ours, slow, clock.contender("fast", predict=0), reference=FASTEST), clock)
    assert row.failure() == "fake: ratio to fast must be at least 2, got 1"


def test_the_fastest_peer_needs_a_peer(clock, benchmark_of):
    ours = clock.contender("classica", ours=True)
    missing = clock.contender("rare", requires="no_such_module")
    row = run(benchmark_of(ours, missing, reference=FASTEST), clock)
    assert row.judge is None
    assert not row.meets_target()
    assert row.failure() == "fake: one peer at least must be installed, got none"
    assert row.failure(speed=False) is None


@pytest.mark.parametrize(
    ("seconds", "fails", "meets"), [(1, False, True), (0.4, False, False), (0.2, True, False)]
)
def test_a_yardstick_has_a_goal_but_no_answer_and_is_never_the_fastest_peer(
    clock, benchmark_of, seconds, fails, meets
):
    ours = clock.contender("classica", predict=0, ours=True)
    peer = clock.contender("peer", fit=[9], predict=0)
    product = clock.contender("product", fit=[seconds], predict=0, answer=7, within=2)
    row = run(benchmark_of(ours, peer, product, reference=FASTEST), clock)
    assert row.judge.name == "peer"
    assert row.outcomes[2].status is Status.MEASURED
    assert (row.failure() is not None, row.meets_target()) == (fails, meets)
    assert wording.remark(row, row.outcomes[2]) == "a yardstick, no peer; the aim is to be within 2×"
    if fails:
        assert row.failure() == "fake: ratio to product must be at least 0.25, got 0.2"


def test_a_slow_peer_rests_after_one_repeat_and_ours_never(clock, benchmark_of):
    ours = clock.contender("classica", fit=[99, 1, 3, 10], predict=1, ours=True)
    peer = clock.contender("scikit-learn", fit=[99, 9, 11, 43], predict=1)
    row = run(benchmark_of(ours, peer), clock, budget=50)
    own, other = row.outcomes
    assert (own.repeats, other.repeats, row.repeats) == (3, 1, 3)
    assert (other.ratio.low, other.ratio.high) == (5, 5)
    assert wording.remark(row, other) == "1 repeat, its time was up"
    assert wording.remark(row, own) == ""


def test_a_peer_rests_once_its_time_is_used(clock, benchmark_of):
    ours = clock.contender("classica", ours=True)
    peer = clock.contender("scikit-learn", fit=[9], predict=1)
    row = run(benchmark_of(ours, peer), clock, 5, budget=25)
    assert row.outcomes[1].repeats == 2
    assert wording.remark(row, row.outcomes[1]) == "2 repeats, its time was up"
