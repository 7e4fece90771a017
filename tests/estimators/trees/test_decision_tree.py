"""DecisionTreeClassifier as a learner: Boolean functions without error, and the trees of scikit-learn."""

import itertools

import numpy as np
import pytest
from sklearn import tree as sklearn_tree

from classica import DecisionTreeClassifier
from classica.trees.growing.growth import CATEGORY_SPLITS
from tests.trees.growing.growing import grown, last_nodes

CRITERIA = "gini", "entropy", "gain_ratio", "misclassification", "chi2", "relieff"


def boolean_functions(inputs):
    """Yield the table of every function of some inputs: rows and values."""
    X = np.array(list(itertools.product([0.0, 1.0], repeat=inputs)))
    for values in itertools.product([0, 1], repeat=len(X)):
        yield X, np.array(values)


@pytest.mark.parametrize("categories", [None, *CATEGORY_SPLITS])
@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("inputs", [1, 2, 3])
def test_every_boolean_function_is_learned(inputs, criterion, categories):
    """None: the inputs are numbers. Divisions that gain nothing, as in an exclusive or, are made too."""
    told = {} if categories is None else {"categories": categories, "categorical_features": range(inputs)}
    model = DecisionTreeClassifier(criterion, **told)
    learned = sum((model.fit(X, y).predict(X) == y).all() for X, y in boolean_functions(inputs))
    assert learned == 2 ** (2**inputs)


@pytest.mark.parametrize("inputs", [4, 6])
def test_parity_of_many_inputs_takes_every_row(inputs):
    X = np.array(list(itertools.product([0.0, 1.0], repeat=inputs)))
    y = X.sum(axis=1) % 2
    for criterion in ("gini", "entropy"):
        model = DecisionTreeClassifier(criterion).fit(X, y)
        assert model.get_n_leaves() == 2**inputs
        assert (model.predict(X) == y).all()


# scikit-learn takes equal splits at random, so tables are compared in which there are none: columns of
# continuous values, leaves of at least 20 rows, and seeds for which no two splits gain the same, or weights
# that are all different.

WITHOUT_EQUAL_SPLITS = [
    (200, 4, 2, 0), (300, 4, 2, 0), (300, 4, 3, 0), (1000, 6, 2, 8), (1000, 6, 2, 20), (1000, 3, 4, 8),
]  # fmt: skip


def continuous_table(rows, columns, seed):
    """Return rows that are exact in single precision, as many fresh ones, and a signal with noise."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(2 * rows, columns)).astype(np.float32).astype(np.float64)
    signal = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * random.normal(size=2 * rows)
    return X[:rows], X[rows:], signal[:rows]


def cut_into(classes, signal):
    return np.digitize(signal, np.quantile(signal, np.arange(1, classes) / classes))


def questions(X, y, criterion):
    """Return what a tree asks for: columns and the sizes of their cuts."""
    tree = grown(X, y, criterion=criterion, min_cases_leaf=20.0)
    inner = ~tree.is_leaf
    return tree.feature[inner], abs(tree.threshold[inner])


def assert_no_equal_splits(X, y, criterion):
    """Assert that neither the order of columns nor the direction of cuts decides anything."""
    columns, cuts = questions(X, y, criterion)
    backwards, _ = questions(X[:, ::-1].copy(), y, criterion)
    np.testing.assert_array_equal(columns, X.shape[1] - 1 - backwards)
    mirrored = questions(-X, y, criterion)
    assert sorted(zip(columns, cuts, strict=True)) == sorted(zip(*mirrored, strict=True))


def assert_same_predictions(X, fresh, y, criterion, weights=None):
    ours = DecisionTreeClassifier(criterion, min_samples_leaf=20).fit(X, y, weights)
    theirs = sklearn_tree.DecisionTreeClassifier(criterion=criterion, min_samples_leaf=20, random_state=1)
    theirs.fit(X, y, weights)
    if weights is None:  # with weights it divides pure nodes whose impurity is not quite zero by rounding
        assert ours.get_n_leaves() == theirs.get_n_leaves()
        assert ours.get_depth() == theirs.get_depth()
    assert ours.get_n_leaves() > 5
    for rows in (X, fresh):
        np.testing.assert_allclose(ours.predict_proba(rows), theirs.predict_proba(rows), rtol=1e-9)
        np.testing.assert_array_equal(ours.predict(rows), theirs.predict(rows))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(("rows", "columns", "classes", "seed"), WITHOUT_EQUAL_SPLITS)
def test_predictions_equal_those_of_scikit_learn(criterion, rows, columns, classes, seed):
    X, fresh, signal = continuous_table(rows, columns, seed)
    y = cut_into(classes, signal)
    assert_no_equal_splits(X, y, criterion)
    assert_same_predictions(X, fresh, y, criterion)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(("rows", "columns", "classes"), [(500, 4, 2), (1500, 10, 4), (4000, 5, 3)])
def test_weighted_predictions_equal_those_of_scikit_learn(criterion, rows, columns, classes):
    for seed in range(3):
        X, fresh, signal = continuous_table(rows, columns, seed)
        weights = np.random.default_rng(seed).uniform(0.5, 1, rows)  # a row is a case however light
        assert_same_predictions(X, fresh, cut_into(classes, signal), criterion, weights)


@pytest.mark.parametrize(("rows", "columns"), [(300, 4), (1000, 6), (3000, 5)])
def test_values_equal_those_of_a_regression_tree_of_scikit_learn(rows, columns):
    for seed in range(4):
        X, fresh, y = continuous_table(rows, columns, seed)
        tree = grown(X, y, criterion="squared_error", min_cases_leaf=20.0)
        theirs = sklearn_tree.DecisionTreeRegressor(min_samples_leaf=20, random_state=seed).fit(X, y)
        assert tree.leaf_count == theirs.get_n_leaves()
        for rows_ in (X, fresh):
            found = tree.value[last_nodes(tree, rows_), 0]
            np.testing.assert_allclose(found, theirs.predict(rows_), rtol=1e-9, atol=1e-12)


def test_a_subclass_may_set_limits_without_having_them_as_parameters():
    class Stump(DecisionTreeClassifier):
        def __init__(self, mine=1):
            super().__init__(max_depth=1)
            self.mine = mine

    X, _, y = continuous_table(100, 3, 0)
    assert len(Stump().fit(X, y > 0).tree_) == 3
