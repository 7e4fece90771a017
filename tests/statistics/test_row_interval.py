"""Intervals of single metrics from what rows lose."""

import numpy as np
import pytest
from scipy.stats import binomtest

from classica.metrics.row_losses import auc_losses
from classica.statistics.row_interval import row_interval

SHARE = {"higher_is_better": True, "limits": (0.0, 1.0)}


@pytest.mark.parametrize(("errors", "rows"), [(0, 50), (7, 50), (30, 400), (400, 400)])
def test_a_share_of_rows_has_the_interval_of_wilson(errors, rows):
    losses = np.repeat([1.0, 0.0], [errors, rows - errors])
    found = row_interval(losses, **SHARE)
    wanted = binomtest(rows - errors, rows).proportion_ci(method="wilson")
    assert found.mean == pytest.approx(1 - errors / rows)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high))


def test_rows_that_are_copies_count_once():
    random = np.random.default_rng(0)
    losses = (random.random(80) < 0.3).astype(float)
    alone = row_interval(losses, **SHARE)
    copies = row_interval(np.repeat(losses, 5), clusters=np.repeat(np.arange(80), 5), **SHARE)
    assert (copies.low, copies.high) == pytest.approx((alone.low, alone.high))
    taken_apart = row_interval(np.repeat(losses, 5), **SHARE)
    assert taken_apart.high - taken_apart.low < 0.6 * (alone.high - alone.low)


def test_intervals_of_the_area_under_the_curve_hold_the_truth():
    """Two Gaussians a standard deviation apart have an area of Φ(1/√2) = 0.7602."""
    held = []
    for seed in range(200):
        random = np.random.default_rng(seed)
        truth = np.repeat([0, 1], [90, 30])
        scores = truth + random.normal(size=120)
        found = row_interval(auc_losses(truth, np.column_stack([-scores, scores])), **SHARE)
        assert 0 <= found.low < found.mean < found.high <= 1
        held.append(found.low <= 0.7602 <= found.high)
    assert 0.91 <= np.mean(held) <= 0.99


def test_a_loss_without_limits_has_the_normal_interval():
    losses = np.random.default_rng(0).gamma(1, 1, 900)
    found = row_interval(losses, limits=(0.0, np.inf))
    assert found.mean == pytest.approx(losses.mean())
    assert found.high - found.mean == pytest.approx(1.96 * losses.std(ddof=1) / 30, rel=1e-3)


def test_no_rows_say_nothing():
    assert np.isnan(row_interval(np.empty(0), **SHARE).mean)
    assert np.isnan(row_interval(np.array([0.0, np.nan]), **SHARE).low)
    assert row_interval(np.zeros(1), **SHARE).low < 0.3
