"""Who goes on in a race: close points, models that may still win, and seldom the loss of the best."""

import numpy as np
import pytest

from classica.comparison.race.elimination import optimistic_gain, surviving_points, verdicts


def losses(rate, rows=400, seed=0):
    return (np.random.default_rng(seed).random(rows) < rate).astype(float)


def test_points_go_on_that_are_close_to_the_best_of_their_model():
    found = surviving_points({0: losses(0.5, seed=1), 1: losses(0.2, seed=2), 2: losses(0.21, seed=3)}, 5)
    assert set(found) == {1, 2}
    assert surviving_points({0: losses(0.2), 1: losses(0.2)}, 5) == [0, 1]  # equal: the first, simpler one
    assert surviving_points(dict.fromkeys(range(9), losses(0.3)), 3) == [0, 1, 2]
    assert surviving_points({4: losses(0.2)}, 0) == [4]


def test_points_that_cannot_be_better_by_more_than_the_margin_stay_behind():
    best = losses(0.2, 4000)
    worse_by_a_little = best.copy()
    worse_by_a_little[np.flatnonzero(best == 0)[:6]] = 1  # 0.15 points, known to within 0.06
    unlike = losses(0.2, 4000, seed=7)  # as good, but differs on many rows: known to within 1 point
    table = {0: best, 1: worse_by_a_little, 2: unlike}
    assert surviving_points(table, 5, margin=0.0025) == surviving_points(
        {0: best, 2: unlike}, 5, margin=0.0025
    )
    assert 2 in surviving_points(table, 5, margin=0.0025)
    equal = {0: best, 1: best}
    assert surviving_points(equal, 5) == [0, 1]
    assert surviving_points(equal, 5, margin=0.0025) == [0]  # more folds would tell nothing


def test_a_model_leaves_that_cannot_catch_up():
    table = {"good": losses(0.1, 1000, 1), "bad": losses(0.3, 1000, 2), "close": losses(0.11, 1000, 3)}
    found = verdicts(table, dict.fromkeys(table, 0.0))
    assert {name: each.is_out for name, each in found.items()} == {"good": False, "bad": True, "close": False}
    assert found["bad"].behind == pytest.approx(0.2, abs=0.04)
    # One whose curve still falls steeply may.
    assert not verdicts(table, {"good": 0.0, "bad": 0.3, "close": 0.0})["bad"].is_out
    # Nothing is known of its curve yet.
    assert not verdicts(table, {"good": 0.0, "bad": None, "close": 0.0})["bad"].is_out


def test_few_rows_eliminate_nobody_but_the_hopeless():
    table = {"a": losses(0.1, 30, 1), "b": losses(0.3, 30, 2), "c": np.ones(30)}
    found = verdicts(table, dict.fromkeys(table, 0.0))
    assert not found["b"].is_out
    assert found["c"].is_out


def test_one_of_many_equals_is_seldom_lost():
    lost = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        table = {str(k): (random.random(300) < 0.3).astype(float) for k in range(20)}
        lost += verdicts(table, dict.fromkeys(table, 0.0))["7"].is_out
    assert lost <= 4


def test_what_a_curve_may_still_gain():
    # Once more what it gained on the leader, where hardly any stage is to come.
    assert optimistic_gain(0.3, 0.25, 0.2, 0.19, stages=0.1) == pytest.approx(0.04)
    # Losses that shrink by a factor: 0.25 (5/6)^1.5 against 0.19 (19/20)^0.5.
    shrunk = 0.25 * (5 / 6) ** 1.5 - 0.19 * (19 / 20) ** 0.5
    assert optimistic_gain(0.3, 0.25, 0.2, 0.19) == pytest.approx(0.06 - shrunk)
    assert optimistic_gain(0.3, 0.31, 0.2, 0.15) == 0.0
    assert optimistic_gain(0.0, 0.0, 0.0, 0.0) == 0.0
