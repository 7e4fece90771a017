"""The test on rows: its arithmetic, and its level over draws of the table by exchangeable learners."""

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import StratifiedKFold

import classica
from classica.errors import DataError
from classica.evaluation import corrected_t_test
from classica.evaluation.row_test import mean_variance, row_test


def test_the_variance_is_that_of_the_rows_and_what_the_halves_add():
    differences = np.array([1.0, 0.0, -1.0, 0.0, 1.0, 1.0, 0.0, 0.0])
    of_rows = differences.var(ddof=1) / 8
    assert mean_variance(differences) == pytest.approx(2.1 * of_rows)
    calm = [[0.2, 0.2], [0.3, 0.3]]
    assert mean_variance(differences, calm) == pytest.approx(1.7 * of_rows)
    wild = [[0.9, -0.5], [-0.4, 0.8]]
    between = (1.4**2 + 1.2**2) / 4
    assert mean_variance(differences, wild) == pytest.approx(1.7 * of_rows + 0.5 * (between - 2 * of_rows))


def test_models_that_never_differ_are_not_different():
    same = np.array([0.0, 1.0, 0.0])
    found = row_test(same, same)
    assert (found.difference, found.error, found.p) == (0.0, 0.0, 1.0)


def test_rows_that_all_differ_by_the_same_are_no_proof():
    """Their spread is taken as if one of them had not differed; a few rows are compared by Student's t."""
    always = row_test(np.zeros(5), np.ones(5))
    assert always.difference == 1.0
    assert always.error == pytest.approx(np.sqrt(2.1) / 5)
    assert always.p == pytest.approx(2 * stats.t(4).sf(5 / np.sqrt(2.1)))
    assert row_test(np.zeros(100), np.ones(100)).p < 1e-12


@pytest.mark.parametrize(
    ("first", "second", "halves", "text"),
    [
        ([0.0, 1.0], [0.0], None, "losses must be one number for each"),
        ([0.0], [0.0], None, "losses must be one number for each"),
        ([0.0, np.inf], [0.0, 1.0], None, "losses must be finite"),
        ([0.0, 1.0], [0.0, 1.0], [[0.1, np.nan]], "halves must be a finite array"),
        ([0.0, 1.0], [0.0, 1.0], [0.1, 0.2], "halves must be a finite array"),
    ],
)
def test_what_cannot_be_tested_is_refused(first, second, halves, text):
    with pytest.raises(DataError, match=text):
        row_test(first, second, halves)


def shifted(rows, columns, random):
    """Return two tables that tell the classes apart equally well, so that a learner is as good on both."""
    y = random.integers(0, 2, rows)
    move = 0.6 * y[:, None] * (np.arange(columns) < 2)
    return random.normal(size=(rows, columns)) + move, random.normal(size=(rows, columns)) + move, y


def chessboard(rows, columns, random):
    """Return the same where only two columns together tell: learners that look at one may miss it."""
    y = random.integers(0, 2, rows)
    tables = [random.normal(size=(rows, columns)) for _ in range(2)]
    for X in tables:
        side = (X[:, 1] > 0) == (y == 1)
        X[:, 0] = np.abs(X[:, 0]) * np.where(side ^ (random.random(rows) < 0.15), 1, -1)
    return *tables, y


SCENARIOS = {
    "LDA, 100 × 5": (classica.LinearDiscriminantClassifier(), shifted, 100, 5),
    "LDA, 100 × 30": (classica.LinearDiscriminantClassifier(), shifted, 100, 30),
    "1-NN, 200 × 5": (classica.KNeighborsClassifier(n_neighbors=1), shifted, 200, 5),
    "15-NN, 200 × 5": (classica.KNeighborsClassifier(n_neighbors=15), shifted, 200, 5),
    "full tree, 100 × 5": (classica.DecisionTreeClassifier(), shifted, 100, 5),
    "full tree, chessboard, 300 × 4": (classica.DecisionTreeClassifier(), chessboard, 300, 4),
    "C4.5, chessboard, 400 × 4": (classica.C45Classifier(), chessboard, 400, 4),
}


def errors(model, X, y, splits):
    """Return the losses of the test rows of splits, in the order of the rows."""
    found = np.empty(len(y))
    for train, test in splits:
        found[test] = model.fit(X[train], y[train]).predict(X[test]) != y[test]
    return found


def p_values(model, generate, rows, columns, seed, noise=0.0):
    """Return the p-values of this test and of the corrected t-test over folds, for one draw of the table."""
    random = np.random.default_rng([11, seed])
    first, second, y = generate(rows, columns, random)
    second = second + noise * random.normal(size=second.shape)
    folds = list(StratifiedKFold(10, shuffle=True, random_state=seed).split(first, y))
    one, other = (errors(model, X, y, folds) for X in (first, second))
    halves = []
    for part in range(5):
        pair = list(StratifiedKFold(2, shuffle=True, random_state=1000 * (part + 1) + seed).split(first, y))
        differences = errors(model, second, y, pair) - errors(model, first, y, pair)
        halves.append([differences[test].mean() for _, test in pair])
    scores = [[1 - losses[test].mean() for _, test in folds] for losses in (one, other)]
    return row_test(one, other, halves).p, corrected_t_test(*scores, 1 / 10, resolution=10 / rows).p


def test_learners_that_are_equally_good_are_seldom_told_apart():
    """A bounded form: of 40 draws no more than 7 may be rejected (6.4% would exceed that once in 100)."""
    for name in ("LDA, 100 × 5", "full tree, 100 × 5"):
        rejected = sum(p_values(*SCENARIOS[name], seed)[0] <= 0.05 for seed in range(40))
        assert rejected <= 7, name


@pytest.mark.full
@pytest.mark.parametrize("name", SCENARIOS)
def test_the_level_holds_over_draws_of_the_table(name):
    found = np.array([p_values(*SCENARIOS[name], seed) for seed in range(1000)])
    ours, folds = (found <= 0.05).mean(axis=0)
    power = np.mean(
        [p_values(*SCENARIOS[name], seed, noise=1.0) for seed in range(200)] <= np.float64(0.05), axis=0
    )
    print(f"{name}: rejected {ours:.1%} (over folds {folds:.1%}); power {power[0]:.1%} ({power[1]:.1%})")
    assert ours <= 0.064
