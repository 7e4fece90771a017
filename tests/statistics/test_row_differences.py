"""The test on rows: its arithmetic, and its level over draws of the table by exchangeable learners."""

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import StratifiedKFold

import classica
from classica.errors import DataError
from classica.metrics.measures import metric
from classica.statistics import corrected_t_test
from classica.statistics.row_differences import mean_variance, row_test
from classica.statistics.row_ranking import rank_rows


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


def test_rows_of_a_cluster_count_together():
    """Without clusters every row is one; rows that are copies of another prove no more than it does."""
    random = np.random.default_rng(0)
    one, other = random.random((2, 40))
    alone = row_test(one, other)
    assert row_test(one, other, clusters=np.arange(40)) == alone
    copies = row_test(np.repeat(one, 5), np.repeat(other, 5), clusters=np.repeat(np.arange(40), 5))
    assert (copies.p, copies.error) == (pytest.approx(alone.p), pytest.approx(alone.error))
    assert (copies.rows, copies.units) == (200, 40)
    assert row_test(np.repeat(one, 5), np.repeat(other, 5)).error < alone.error / 2
    for wrong in (np.zeros(40), np.arange(39)):
        with pytest.raises(DataError, match="clusters must be one name for each row"):
            row_test(one, other, clusters=wrong)


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


def three_classes(rows, columns, random):
    """Return the same with three classes."""
    y = random.integers(0, 3, rows)
    move = 0.8 * (y[:, None] == np.arange(columns) + 1)
    return random.normal(size=(rows, columns)) + move, random.normal(size=(rows, columns)) + move, y


def rare(rows, columns, random):
    """Return the same with a class of a fifth of the rows."""
    y = (random.random(rows) < 0.2).astype(int)
    move = 1.0 * y[:, None] * (np.arange(columns) < 2)
    return random.normal(size=(rows, columns)) + move, random.normal(size=(rows, columns)) + move, y


LDA = classica.LinearDiscriminantClassifier()
FOREST = classica.RandomForestClassifier(n_estimators=10, random_state=0)
SCENARIOS = {
    "LDA, 100 × 5": (LDA, shifted, 100, 5),
    "LDA, 100 × 30": (LDA, shifted, 100, 30),
    "1-NN, 200 × 5": (classica.KNeighborsClassifier(n_neighbors=1), shifted, 200, 5),
    "15-NN, 200 × 5": (classica.KNeighborsClassifier(n_neighbors=15), shifted, 200, 5),
    "full tree, 100 × 5": (classica.DecisionTreeClassifier(), shifted, 100, 5),
    "full tree, chessboard, 300 × 4": (classica.DecisionTreeClassifier(), chessboard, 300, 4),
    "C4.5, chessboard, 400 × 4": (classica.C45Classifier(), chessboard, 400, 4),
    "LDA, three classes, 150 × 5": (LDA, three_classes, 150, 5),
    "random forest, 150 × 5": (FOREST, shifted, 150, 5),
}
#: Metrics of a set of rows, by the losses of their rows in each fold.
BY_FOLD = {
    "LDA, balanced accuracy": ("balanced_accuracy", LDA, rare, 200, 5),
    "LDA, AUC": ("auc", LDA, rare, 200, 5),
    "LDA, F1": ("f1", LDA, rare, 200, 5),
    "LDA, AUC, three classes": ("auc", LDA, three_classes, 150, 5),
    "full tree, balanced accuracy": ("balanced_accuracy", classica.DecisionTreeClassifier(), rare, 200, 5),
}


def errors(model, X, y, splits, name="accuracy"):
    """Return the losses of the test rows of splits, in the order of the rows."""
    found = np.empty(len(y))
    measure, classes = metric(name), np.unique(y)
    for train, test in splits:
        model.fit(X[train], y[train])
        scores = model.predict_proba(X[test]) if measure.needs == "scores" else None
        found[test] = measure.row_losses(y[test], model.predict(X[test]), scores, classes, None)
    return found


def partitions(y, seed, count=5):
    """Return random partitions into halves, as pairs of splits."""
    return [
        list(StratifiedKFold(2, shuffle=True, random_state=1000 * (part + 1) + seed).split(y, y))
        for part in range(count)
    ]


def on_halves(model, X, y, seed, name="accuracy"):
    """Return the mean losses of a model on the halves of each partition."""
    pairs = partitions(y, seed)
    losses = [errors(model, X, y, pair, name) for pair in pairs]
    return np.array(
        [[each[test].mean() for _, test in pair] for pair, each in zip(pairs, losses, strict=True)]
    )


def p_values(model, generate, rows, columns, seed, noise=0.0, name="accuracy"):
    """Return the p-values of this test and of the corrected t-test over folds, for one draw of the table."""
    random = np.random.default_rng([11, seed])
    first, second, y = generate(rows, columns, random)
    second = second + noise * random.normal(size=second.shape)
    folds = list(StratifiedKFold(10, shuffle=True, random_state=seed).split(first, y))
    one, other = (errors(model, X, y, folds, name) for X in (first, second))
    halves = on_halves(model, second, y, seed, name) - on_halves(model, first, y, seed, name)
    scores = [[1 - losses[test].mean() for _, test in folds] for losses in (one, other)]
    step = 10 / rows if metric(name).needs == "labels" else None
    return row_test(one, other, halves).p, corrected_t_test(*scores, 1 / 10, resolution=step).p


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


@pytest.mark.full
@pytest.mark.parametrize("name", BY_FOLD)
def test_the_level_holds_for_metrics_of_a_fold(name):
    measure, *scenario = BY_FOLD[name]
    found = np.array([p_values(*scenario, seed, name=measure) for seed in range(300)])
    ours, folds = (found <= 0.05).mean(axis=0)
    print(f"{name}: rejected {ours:.1%} (over folds {folds:.1%})")
    assert ours <= 0.064


DIFFERENCES = {
    "LDA, 3,000 × 5": (LDA, shifted, 3000, 5, 1.0),
    "15-NN, 2,000 × 5": (classica.KNeighborsClassifier(n_neighbors=15), shifted, 2000, 5, 1.5),
    "full tree, chessboard, 300 × 4": (classica.DecisionTreeClassifier(), chessboard, 300, 4, 1.0),
}


@pytest.mark.full
@pytest.mark.parametrize("name", DIFFERENCES)
def test_real_differences_are_found_among_many_models(name):
    """Against the first step of Holm for 23 models, the rows find more than ten folds do."""
    *scenario, noise = DIFFERENCES[name]
    found = np.array([p_values(*scenario, seed, noise=noise) for seed in range(200)])
    ours, folds = (found <= 0.05 / 22).mean(axis=0)
    print(f"{name}: found {ours:.1%} (over folds {folds:.1%})")
    assert ours >= folds


def left_out(model, rows, columns, seed, models=8):
    """Return how many of some equally good models are found to be worse than the best, after Holm."""
    random = np.random.default_rng([13, seed])
    y = random.integers(0, 2, rows)
    move = 0.6 * y[:, None] * (np.arange(columns) < 2)
    tables = [random.normal(size=(rows, columns)) + move for _ in range(models)]
    folds = list(StratifiedKFold(10, shuffle=True, random_state=seed).split(y, y))
    losses = {f"model {number}": errors(model, X, y, folds) for number, X in enumerate(tables)}
    halves = {name: on_halves(model, X, y, seed) for name, X in zip(losses, tables, strict=True)}
    found = rank_rows(losses, halves=halves, to_score=lambda loss: 1 - loss)
    return models - len(found.tied)


@pytest.mark.full
@pytest.mark.parametrize("name", ["LDA, 100 × 5", "15-NN, 200 × 5", "full tree, 100 × 5"])
def test_equally_good_models_are_seldom_left_out_of_the_tied_set(name):
    """The best of eight was chosen by the same rows: one of them is left out more often than any given one.

    What the tied set promises is for a given model, the truly best, to be in it.
    """
    model, _, rows, columns = SCENARIOS[name]
    found = np.array([left_out(model, rows, columns, seed) for seed in range(300)])
    any_one, given = np.mean(found > 0), np.mean(found) / 8
    print(f"{name}: one of eight left out in {any_one:.1%}, a given one in {given:.1%}")
    assert any_one <= 0.15
    assert given <= 0.05
