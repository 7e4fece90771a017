"""The losses of rows: their mean is the metric, and their spread is that of the metric over draws of rows."""

import time

import numpy as np
import pytest

from classica.metrics.measures import METRICS, metric


def table(rows, classes, seed, *, ties=False, absent=0):
    """Return labels, predictions and probabilities of a model that is right more often than not."""
    random = np.random.default_rng([seed, rows, classes])
    y = random.integers(0, classes - absent, rows)
    scores = random.normal(size=(rows, classes)) + 1.2 * (y[:, None] == np.arange(classes))
    scores = np.round(scores) if ties else scores
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    names = np.array([f"class {number:02}" for number in range(classes)])
    return names[y], names[scores.argmax(axis=1)], shares, names


def good(name, value):
    return 1 - value if METRICS[name].higher_is_better else value


@pytest.mark.parametrize("name", METRICS)
@pytest.mark.parametrize("classes", [2, 3, 10])
@pytest.mark.parametrize("rows", [5, 60, 400])
@pytest.mark.parametrize("ties", [False, True])
def test_the_mean_of_the_rows_is_the_metric(name, classes, rows, ties):
    for seed in range(5):
        for absent in {0, classes // 3}:
            y, said, shares, names = table(rows, classes, seed, ties=ties, absent=absent)
            costs = np.random.default_rng(seed).random((classes, classes))
            found = metric(name).row_losses(y, said, shares, names, costs)
            value = metric(name)(y, said, shares, names, costs)
            assert found.shape == (rows,)
            assert found.mean() == pytest.approx(good(name, value), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", ["balanced_accuracy", "f1", "accuracy"])
def test_predictions_that_are_all_of_one_class_have_a_mean_too(name):
    y, _, _, names = table(50, 3, 0)
    for label in names:
        said = np.full(50, label)
        found = metric(name).row_losses(y, said, None, names, None)
        assert found.mean() == pytest.approx(1 - metric(name)(y, said, None, names))


def test_rows_of_one_class_have_no_area():
    _, _, shares, names = table(6, 3, 0)
    assert np.isnan(metric("auc").row_losses(np.full(6, names[0]), None, shares, names, None)).all()
    assert np.isnan(metric("auc").row_losses(np.full(6, names[0]), None, None, names, None)).all()


def test_the_area_takes_the_margin_of_two_classes():
    y, _, shares, names = table(80, 2, 3)
    margin = shares[:, 1] - 0.5
    found = metric("auc").row_losses(y, None, margin, names, None)
    assert found.mean() == pytest.approx(1 - metric("auc")(y, None, margin, names))


@pytest.mark.parametrize("name", ["f1", "auc"])
@pytest.mark.parametrize(("classes", "ties"), [(2, False), (2, True), (3, True), (6, False)])
def test_the_spread_of_the_rows_is_that_of_the_metric(name, classes, ties):
    """Standard errors from the rows agree with those of 300 bootstrap samples to 15%."""
    y, said, shares, names = table(400, classes, 1, ties=ties)
    found = metric(name).row_losses(y, said, shares, names, None)
    random = np.random.default_rng(0)
    samples = [random.integers(0, 400, 400) for _ in range(300)]
    drawn = [metric(name)(y[rows], said[rows], shares[rows], names) for rows in samples]
    assert found.std(ddof=1) / 20 == pytest.approx(np.std(drawn), rel=0.15)


def test_the_variance_of_the_area_is_delongs():
    y, _, shares, names = table(120, 2, 5)
    positive, negative = shares[y == names[1], 1], shares[y == names[0], 1]
    above = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    by_hand = above.mean(axis=1).var(ddof=1) / len(positive) + above.mean(axis=0).var(ddof=1) / len(negative)
    found = metric("auc").row_losses(y, None, shares, names, None)
    assert found.var() / 120 == pytest.approx(by_hand, rel=0.01)


@pytest.mark.parametrize("name", ["balanced_accuracy", "f1", "auc"])
def test_a_class_of_two_rows_makes_no_difference_certain(name):
    """One model knows both rows of the rare class, one neither: nothing that two rows could show for sure."""
    names, y = np.array(["a", "b"]), np.repeat(["a", "b"], [98, 2])
    knows = np.where(y == "b", 0.9, 0.1)
    lacks = np.full(100, 0.1)
    one, other = (
        metric(name).row_losses(y, names[(p > 0.5).astype(int)], np.column_stack([1 - p, p]), names, None)
        for p in (knows, lacks)
    )
    spread = (other - one).std(ddof=1) / 10
    assert (other - one).mean() < 4 * spread


@pytest.mark.parametrize("name", ["balanced_accuracy", "f1", "auc"])
def test_large_tables_take_little_time(name):
    y, said, shares, names = table(50_000, 26, 0)
    start = time.process_time()
    metric(name).row_losses(y, said, shares, names, None)
    assert time.process_time() - start < 0.3
