"""Cost-complexity pruning of estimators: scikit-learn's path and trees, and trees without learning again."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine, make_classification
from sklearn.tree import DecisionTreeClassifier as TheirTree
from sklearn.tree import DecisionTreeRegressor as TheirRegressor

from classica import DecisionTreeClassifier
from classica.errors import ParameterError
from classica.trees.pruning.pruning_path import pruning_path
from tests.trees.made import task_of

TABLES = {"iris": load_iris, "wine": load_wine, "cancer": load_breast_cancer}


def without_rounding_steps(alphas, impurities):
    """Return a path in which alphas that differ by rounding only are one step, the last of them."""
    last = np.append(np.diff(alphas) > 1e-12, True)
    first = np.append(True, np.diff(alphas) > 1e-12)
    return alphas[first], impurities[last]


def leaves_of(value, weight, is_leaf):
    """Return the class counts of all leaves, sorted: equal splits may be on different columns."""
    shares = value / value.sum(axis=1, keepdims=True)
    return sorted((shares * weight[:, None]).round(6)[is_leaf].tolist())


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", TABLES)
def test_path_is_that_of_scikit_learn(name, criterion, weighted):
    X, y = TABLES[name](return_X_y=True)
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float) if weighted else None
    # Large leaves leave no ties between splits, which the two would break in different ways.
    model = DecisionTreeClassifier(criterion, min_samples_leaf=10).fit(X, y, weights)
    theirs = TheirTree(criterion=criterion, min_samples_leaf=10, random_state=0).fit(X, y, weights)
    if weighted:  # cases are weights here and rows there; grow theirs on rows repeated
        X, y = np.repeat(X, weights.astype(int), axis=0), np.repeat(y, weights.astype(int))
        theirs.fit(X, y)
    found = theirs.cost_complexity_pruning_path(X, y)
    alphas, impurities = without_rounding_steps(found.ccp_alphas, found.impurities)
    path = model.pruning_path_
    np.testing.assert_allclose(path.alphas, alphas, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(path.risks, impurities, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name", TABLES)
def test_trees_are_those_of_scikit_learn(name, criterion):
    X, y = TABLES[name](return_X_y=True)
    model = DecisionTreeClassifier(criterion, min_samples_leaf=10).fit(X, y)
    for alpha in model.pruning_path_.alphas + 1e-9:
        theirs = TheirTree(criterion=criterion, min_samples_leaf=10, random_state=0, ccp_alpha=alpha).fit(
            X, y
        )
        ours, their = model.pruned(alpha).tree_, theirs.tree_
        is_leaf = their.children_left < 0
        expected = leaves_of(their.value[:, 0], their.weighted_n_node_samples, is_leaf)
        assert leaves_of(ours.value, ours.weight, ours.is_leaf) == expected


def test_path_of_a_regression_tree_is_that_of_scikit_learn():
    X, y = load_diabetes(return_X_y=True)
    task = task_of(X, values=y, criterion="squared_error", min_cases_leaf=10, min_cases_split=20)
    path = pruning_path(task.grow())
    theirs = TheirRegressor(min_samples_leaf=10, random_state=0).cost_complexity_pruning_path(X, y)
    np.testing.assert_allclose(path.alphas, theirs.ccp_alphas, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(path.risks, theirs.impurities, rtol=1e-9)


@pytest.fixture(scope="module")
def rows():
    return make_classification(600, 8, n_informative=5, n_classes=3, flip_y=0.1, random_state=0)


def same_tree(one, other):
    fields = "feature", "threshold", "first_child", "child_count", "value", "risk", "cases", "weight"
    for field in fields:
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))


@pytest.mark.parametrize("by", [None, "misclassification", "gini", "entropy"])
def test_pruned_is_what_learning_with_that_alpha_gives(rows, by):
    X, y = rows
    model = DecisionTreeClassifier("entropy", prune_by=by).fit(X, y)
    before = model.predict_proba(X)
    for alpha in model.pruning_path_.alphas[::7]:
        fitted = clone(model).set_params(prune=alpha).fit(X, y)
        pruned = model.pruned(alpha)
        same_tree(pruned.tree_, fitted.tree_)
        np.testing.assert_array_equal(pruned.predict_proba(X), fitted.predict_proba(X))
        assert pruned.get_params() == fitted.get_params()
    np.testing.assert_array_equal(model.predict_proba(X), before)


def test_pruning_by_another_impurity(rows):
    X, y = rows
    model = DecisionTreeClassifier("entropy", prune_by="misclassification").fit(X, y)
    by_entropy = DecisionTreeClassifier("entropy").fit(X, y)
    same_tree(model.grown_tree_, by_entropy.grown_tree_)
    assert len(model.pruning_path_.alphas) < len(by_entropy.pruning_path_.alphas)
    assert model.pruning_path_.risks[-1] == pytest.approx(1 - np.bincount(y).max() / len(y))
    assert DecisionTreeClassifier("gain_ratio").fit(X, y).pruning_path_.risks[-1] == pytest.approx(
        by_entropy.pruning_path_.risks[-1]
    )
    chi2 = DecisionTreeClassifier("chi2").fit(X, y).pruning_path_
    assert chi2.risks[-1] == pytest.approx(model.pruning_path_.risks[-1])


def test_prune_to_a_number_of_leaves(rows):
    X, y = rows
    model = DecisionTreeClassifier().fit(X, y)
    sizes = set(model.pruning_path_.leaves)
    for wanted in (1, 2, 3, 10, 50, 10_000):
        assert model.prune_to(wanted).get_n_leaves() == max(size for size in sizes if size <= wanted)
    with pytest.raises(ParameterError, match="n_leaves must be an integer of at least 1, got 0"):
        model.prune_to(0)
    with pytest.raises(ParameterError, match="alpha must be a number of at least 0, got -1"):
        model.pruned(-1)


def test_multiway_trees_pay_for_every_leaf():
    # One split into three leaves, each of one class: it is worth (2/3) / (3 - 1) in errors.
    X, y = np.repeat([0.0, 1.0, 2.0], 4)[:, None], np.repeat([0, 1, 2], 4)
    model = DecisionTreeClassifier(
        categories="multiway", categorical_features=[0], prune_by="misclassification"
    ).fit(X, y)
    assert model.pruning_path_.alphas.tolist() == pytest.approx([0, 1 / 3])
    assert model.pruning_path_.leaves.tolist() == [3, 1]
    assert model.cp_table_.nsplit.tolist() == [0, 1]


def test_weights_are_rows_repeated(rows):
    X, y = rows
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    settings = {"min_samples_leaf": 4, "prune": 0.004}
    weighted = DecisionTreeClassifier(**settings).fit(X, y, weights)
    repeated = DecisionTreeClassifier(**settings).fit(
        np.repeat(X, weights, axis=0), np.repeat(y, weights, axis=0)
    )
    same_tree(weighted.tree_, repeated.tree_)
    np.testing.assert_allclose(weighted.pruning_path_.alphas, repeated.pruning_path_.alphas)


def test_cp_table_of_iris_is_that_of_rpart():
    X, y = load_iris(return_X_y=True)
    table = DecisionTreeClassifier(prune_by="misclassification").fit(X, y).cp_table_
    assert str(table).splitlines() == [
        "     CP nsplit rel error",
        "1 0.500      0      1.00",
        "2 0.440      1      0.50",
        "3 0.020      2      0.06",
        "4 0.010      3      0.04",
        "5 0.005      6      0.01",
        "6 0.000      8      0.00",
    ]
    assert table.xerror is None


def test_a_pure_table():
    model = DecisionTreeClassifier(prune="cv").fit(np.arange(6.0)[:, None], np.zeros(6))
    assert model.get_n_leaves() == 1
    assert model.cp_table_.rel_error.tolist() == [0]
    assert model.pruning_path_.alphas.tolist() == [0]
