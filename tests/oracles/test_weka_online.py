"""WEKA's VotedPerceptron and Winnow on real tables, given the order in which it visited the rows."""

import functools
import gzip
import json

import numpy as np
import pytest

from classica import KernelPerceptronClassifier, PerceptronClassifier, WinnowClassifier
from tests.oracles.tree_tables import DATA, WEKA, read

ORACLES = json.loads(gzip.decompress((DATA / "online_weka.json.gz").read_bytes()))
#: Thousands of rows and of mistakes: a campaign.
LONG = {("spambase", "I1 E1"), ("spambase", "I5 E1")}
#: Here WEKA has stopped learning after 10,000 changes.
CUT_SHORT = {("spambase", "I5 E2")}
VOTED = [
    pytest.param(name, setting, marks=[pytest.mark.full] if (name, setting) in LONG else [])
    for name, oracle in ORACLES.items()
    for setting in oracle["voted"]
    if (name, setting) not in CUT_SHORT
]
WINNOW = [(name, setting) for name, oracle in ORACLES.items() for setting in oracle.get("winnow", ())]


@functools.cache
def binary(name):
    """Return the rows as WEKA sees them, and the columns' names.

    Gaps are filled with means and most frequent levels; a column of two levels becomes one, of more one each.
    """
    table, columns = read(name), {}
    for (column, levels), cells in zip(WEKA[name]["columns"].items(), table.X.T, strict=True):
        gaps = np.isnan(cells)
        if levels is None:
            columns[column] = np.where(gaps, cells[~gaps].mean(), cells)
            continue
        filled = np.where(gaps, np.bincount(cells[~gaps].astype(int)).argmax(), cells)
        if len(levels) == 2:
            columns[column] = filled
        else:
            columns |= {f"{column}={level}": (filled == code) * 1.0 for code, level in enumerate(levels)}
    return np.column_stack(list(columns.values())), list(columns)


@functools.cache
def visited(name):
    """Return the rows and classes in the order of WEKA's visits."""
    order = ORACLES[name]["order"]
    return binary(name)[0][order], read(name).y.astype(int)[order]


def survivals(model):
    """Return how long each perceptron survived, that of zeros first."""
    [log], [seen] = model._logs, model._seen
    return [int(log.times[0]), *log.survivals(int(seen)).tolist()]


def test_all_tables_are_here():
    assert len(ORACLES) == 16
    assert len(VOTED) == 47
    assert all(ORACLES[name]["voted"][setting]["perceptrons"] == 10_001 for name, setting in CUT_SHORT)
    assert len(WINNOW) == 21
    for name, oracle in ORACLES.items():
        assert WEKA[name]["sha256"] == oracle["sha256"]
        assert oracle.get("binary", binary(name)[1]) == binary(name)[1]


@pytest.mark.parametrize(("name", "setting"), VOTED)
def test_votes_are_those_of_weka(name, setting):
    """Its kernel is (x·z + 1)^E, and a score of zero speaks for the second class."""
    told = ORACLES[name]["voted"][setting]
    epochs, degree = (int(part[1:]) for part in setting.split())
    X, y = visited(name)
    model = KernelPerceptronClassifier(
        "poly",
        variant="voted",
        gamma=1,
        coef0=1,
        degree=degree,
        fit_intercept=False,
        zero="first",
        shuffle=False,
    )
    for _ in range(epochs):  # WEKA does not end after an epoch without mistakes
        model.partial_fit(X, y)
    votes = survivals(model)
    assert len(votes) == told["perceptrons"]
    if "votes" in told:
        assert votes == told["votes"]
        assert (model._logs[0].times % len(y)).tolist() == told["positions"]
    assert (model.predict(X) != y).sum() == told["errors"]


@pytest.mark.parametrize("name", ORACLES)
def test_the_perceptron_has_the_same_votes(name):
    """Of degree 1 the kernel is that of the perceptron with an intercept."""
    told = ORACLES[name]["voted"]["I1 E1"]
    X, y = visited(name)
    model = PerceptronClassifier("voted", zero="first", shuffle=False, max_iter=1).fit(X, y)
    assert model.n_updates_.tolist() == [told["perceptrons"] - 1]
    [log], seen = model._logs, len(y)
    if "votes" in told:
        assert [int(log.times[0]), *log.survivals(seen).tolist()] == told["votes"]
    assert (model.predict(X) != y).sum() == told["errors"]


@pytest.mark.parametrize(("name", "setting"), WINNOW)
def test_weights_are_those_of_weka(name, setting):
    told = ORACLES[name]["winnow"][setting]
    X, y = visited(name)
    model = WinnowClassifier(
        2.0,
        initial_weight=2.0,
        balanced=setting.startswith("balanced"),
        binarize=None,
        shuffle=False,
        max_iter=int(setting.split("I")[1]),
    ).fit(X, y)
    assert model.threshold_ == told["threshold"]
    assert model.mistakes_.sum() == told["mistakes"]
    assert (model.predict(X) != y).sum() == told["errors"]
    # WEKA's smallest weights have underflowed to zero; ours stop at 1e-300.
    np.testing.assert_array_equal(np.where(model.weights_[0] < 1e-290, 0, model.weights_[0]), told["weights"])
    if "opposed" in told:
        np.testing.assert_array_equal(model.opposed_weights_[0], told["opposed"])
