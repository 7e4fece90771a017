"""Pruning by cross-validation: the errors of trees learned again for every fold and alpha."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris, make_classification
from sklearn.model_selection import KFold, StratifiedKFold

from classica import DecisionTreeClassifier
from classica.errors import DataError, ParameterError
from classica.trees.pruning.pruning_cv import CrossValidation, cross_validated
from classica.trees.pruning.pruning_path import pruning_path
from classica.trees.pruning.row_folds import cases_held_out, cases_in_parts
from tests.trees.made import task_of


def some_rows(missing=0.0, categories=False, seed=0):
    X, y = make_classification(240, 6, n_informative=4, n_classes=3, flip_y=0.2, random_state=seed)
    random = np.random.default_rng(seed)
    if categories:
        X[:, 0] = random.integers(0, 9, len(X)) + 3 * (y == 1)
    X[random.random(X.shape) < missing] = np.nan
    return X, y


def middles(alphas):
    return np.append(np.sqrt(alphas[:-1] * alphas[1:]), 1e9)


def errors_by_brute_force(model, X, y, weights, parts):
    """Return the mean loss of each tree of the path, and its standard error, by learning and predicting."""
    path = clone(model).set_params(prune=None).fit(X, y, weights).pruning_path_
    weights = np.ones(len(X)) if weights is None else weights
    lost, of_rows = [], []
    for alpha in middles(path.alphas):
        wrong = np.zeros(len(X))
        for train, test in parts:
            fitted = clone(model).set_params(prune=alpha).fit(X[train], y[train], weights[train])
            wrong[test] = fitted.predict(X[test]) != y[test]
        lost.append(np.average(wrong, weights=weights))
        of_rows.append(np.sqrt(weights @ (wrong - lost[-1]) ** 2) / weights.sum())
    return np.array(lost), np.array(of_rows)


SETTINGS = {
    "numbers": ({}, {}),
    "another impurity": ({"criterion": "entropy", "prune_by": "misclassification"}, {}),
    "missing go best": ({}, {"missing": 0.1}),
    "missing in all branches": ({"missing": "fraction", "smoothing": 0.5}, {"missing": 0.1}),
    "surrogates": ({"missing": "surrogate"}, {"missing": 0.1}),
    "levels": ({"categories": "multiway", "categorical_features": [0]}, {"categories": True}),
    "levels and missing": (
        {"categories": "multiway", "categorical_features": [0], "missing": "fraction"},
        {"categories": True, "missing": 0.15},
    ),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", SETTINGS)
def test_errors_are_those_of_learning_again(name, weighted):
    parameters, data = SETTINGS[name]
    X, y = some_rows(**data)
    weights = np.random.default_rng(1).integers(1, 4, len(X)).astype(float) if weighted else None
    parts = list(KFold(4, shuffle=True, random_state=0).split(X))
    model = DecisionTreeClassifier(**parameters, prune="cv", cv=parts, min_samples_leaf=2)
    model.fit(X, y, weights)
    errors, spreads = errors_by_brute_force(model, X, y, weights, parts)
    table, root = model.cp_table_, model.grown_tree_.risk[0] / model.grown_tree_.weight[0]
    np.testing.assert_allclose(table.xerror[::-1] * root, errors, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(table.xstd[::-1] * root, spreads, rtol=1e-9, atol=1e-15)
    assert len(np.unique(errors)) > 3


def test_the_chosen_tree_follows_the_rule():
    X, y = some_rows()
    simple = DecisionTreeClassifier(prune="cv", random_state=3).fit(X, y)
    least = clone(simple).set_params(cv_rule="min").fit(X, y)
    table = simple.cp_table_
    np.testing.assert_array_equal(table.xerror, least.cp_table_.xerror)
    best = np.flatnonzero(table.xerror == table.xerror.min())[0]
    assert least.cp_table_.chosen == best
    within = np.flatnonzero(table.xerror <= table.xerror[best] + table.xstd[best])[0]
    assert table.chosen == within < best
    for model in (simple, least):
        chosen = model.cp_table_.chosen
        assert model.get_n_leaves() == model.pruning_path_.leaves[::-1][chosen]
        same = model.pruned(model.cp_table_.alpha[chosen])
        np.testing.assert_array_equal(same.predict_proba(X), model.predict_proba(X))


def test_of_equal_errors_the_smallest_tree_is_chosen():
    flat = CrossValidation(np.array([0.3, 0.2, 0.2, 0.25, 0.5]), np.array([0.1, 0.1, 0.04, 0.1, 0.1]))
    assert flat.chosen("min") == 2
    assert flat.chosen("1se") == 2
    wide = CrossValidation(flat.errors, np.full(5, 0.05))
    assert wide.chosen("1se") == 3


def parts_of(task, parts, seed):
    task, cases = task.case_by_case()
    return list(cases_in_parts(task, cases, parts, seed))


def some_codes(rows=200):
    return np.random.default_rng(0).choice(3, rows, p=[0.7, 0.25, 0.05]).astype(np.int32)


def test_parts_are_shares_of_every_class_and_follow_the_seed():
    codes = some_codes()
    task = task_of(np.random.default_rng(1).normal(size=(200, 2)), codes)
    parts = parts_of(task, 10, 0)
    assert sorted(np.concatenate([test for _, test in parts])) == list(range(200))
    for train, test in parts:
        assert sorted([*train, *test]) == list(range(200))
        assert (np.abs(np.bincount(codes[test], minlength=3) - np.bincount(codes) / 10) < 1).all()
    again, other = parts_of(task, 10, 0), parts_of(task, 10, np.random.RandomState(1))
    assert all((a[1] == b[1]).all() for a, b in zip(parts, again, strict=True))
    assert not all((a[1] == b[1]).all() for a, b in zip(parts, other, strict=True))


def test_parts_of_weighted_rows_are_those_of_rows_repeated_in_any_order():
    random = np.random.default_rng(0)
    X, codes, weights = random.integers(0, 9, (200, 2)) * 1.0, some_codes(), random.integers(1, 4, 200)
    rows = random.permutation(np.repeat(np.arange(200), weights))
    weighted = parts_of(task_of(X, codes, weights=weights.astype(float)), 7, 0)
    repeated = parts_of(task_of(X[rows], codes[rows]), 7, 0)
    for (_, one), (_, other) in zip(weighted, repeated, strict=True):
        ours, theirs = (np.column_stack([X[chosen], codes[chosen]]).tolist() for chosen in (one, rows[other]))
        assert sorted(ours) == sorted(theirs)


def test_fractions_of_cases_stay_together():
    weights = np.array([0.5, 1.5, 2.0])
    task, cases = task_of(np.eye(3), np.zeros(3, dtype=np.int32), weights=weights).case_by_case()
    assert cases.tolist() == [0, 1, 2]
    assert task.target.weights.tolist() == [0.5, 1.5, 2.0]


def test_more_parts_than_rows_leave_one_out():
    X = np.arange(3.0)[:, None]
    assert [test.tolist() for _, test in parts_of(task_of(X, values=X[:, 0]), 10, 0)] != []
    assert sorted(len(test) for _, test in parts_of(task_of(X, values=X[:, 0]), 10, 0)) == [1, 1, 1]
    assert parts_of(task_of(X[:1], values=X[:1, 0]), 10, 0) == []


def test_rows_held_out_are_a_share_of_every_class():
    codes = np.repeat([0, 1, 2], [30, 9, 1]).astype(np.int32)
    X = np.arange(40.0)[:, None]
    kept, out = cases_held_out(task_of(X, codes), np.arange(40), 1 / 3, 0)
    assert np.bincount(codes[out], minlength=3).tolist() == [10, 3, 0]
    assert sorted([*kept, *out]) == list(range(40))
    assert len(cases_held_out(task_of(X[:7], values=X[:7, 0]), np.arange(7), 0.5, 0)[1]) == 3


def test_splitters_are_asked():
    X, y = load_iris(return_X_y=True)
    splitter = StratifiedKFold(5, shuffle=True, random_state=0)
    asked = DecisionTreeClassifier(prune="cv", cv=splitter).fit(X, y)
    given = DecisionTreeClassifier(prune="cv", cv=list(splitter.split(X, y))).fit(X, y)
    np.testing.assert_array_equal(asked.cp_table_.xerror, given.cp_table_.xerror)


@pytest.mark.parametrize("cv", [1, 0, "many", 2.5, None])
def test_what_cannot_divide_rows_is_refused(cv):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ParameterError, match="cv must be an integer of at least 2 or a splitter"):
        DecisionTreeClassifier(prune="cv", cv=cv).fit(X, y)


def test_row_numbers_beyond_the_table_are_refused():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(DataError, match="cv must be row indices below 150"):
        DecisionTreeClassifier(prune="cv", cv=[([0, 1], [150])]).fit(X, y)


def test_same_errors_with_any_number_of_threads():
    X, y = some_rows(missing=0.05)
    one, two = (DecisionTreeClassifier(prune="cv", random_state=0, n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.cp_table_.xerror, two.cp_table_.xerror)


@pytest.mark.parametrize("missing", ["direction", "fraction"])
@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_deviations_of_a_regression_tree(criterion, missing):
    X, y = (rows[:150] for rows in load_diabetes(return_X_y=True))
    X[np.random.default_rng(0).random(X.shape) < 0.05] = np.nan
    task = task_of(X, values=y, criterion=criterion, min_cases_leaf=5, min_cases_split=10, missing=missing)
    path = pruning_path(task.grow())
    parts = parts_of(task, 3, 0)
    found = cross_validated(task, path, None, parts, 0.0)
    expected = []
    for alpha in middles(path.alphas):
        lost = np.zeros(len(X))
        for train, test in parts:
            grown = task.grow(train)
            kept = grown.cut_at(pruning_path(grown).collapsed(alpha))
            lost[test] = np.abs(predicted(kept, X[test], missing) - y[test])
        lost = lost**2 if criterion == "squared_error" else lost
        expected.append((lost.mean(), lost.std() / np.sqrt(len(X))))
    np.testing.assert_allclose(np.transpose([found.errors, found.stds]), expected, rtol=1e-9)


def predicted(tree, X, missing):
    """Return the value of the leaf of each row, or its mean over all leaves a row with gaps comes to."""
    values = np.zeros(len(X))
    open_nodes = [(0, np.ones(len(X)))]
    while open_nodes:
        node, share = open_nodes.pop()
        if tree.is_leaf[node]:
            values += share * tree.value[node, 0]
            continue
        cell, children = X[:, tree.feature[node]], list(tree.children(node))
        for place, child in enumerate(children):
            goes = (cell > tree.threshold[node]) == place
            part = np.where(np.isnan(cell), tree.missing_child[node] == place, goes).astype(float)
            if missing == "fraction":
                part = np.where(np.isnan(cell), tree.weight[child] / tree.weight[children].sum(), goes)
            open_nodes.append((child, share * part))
    return values


def test_given_row_numbers_count_rows_without_weight():
    X, y = some_rows()
    weights = (np.random.default_rng(0).random(len(X)) < 0.8).astype(float)
    parts = list(KFold(3).split(X))
    model = DecisionTreeClassifier(prune="cv", cv=parts).fit(X, y, weights)
    kept = np.flatnonzero(weights)
    among_kept = [tuple(np.flatnonzero(np.isin(kept, side)) for side in pair) for pair in parts]
    other = DecisionTreeClassifier(prune="cv", cv=among_kept).fit(X[kept], y[kept])
    np.testing.assert_array_equal(model.cp_table_.xerror, other.cp_table_.xerror)


def test_a_weight_is_a_row_repeated():
    X, y = some_rows()
    weights = np.random.default_rng(0).integers(1, 4, len(X))
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(len(X)), weights))
    model = DecisionTreeClassifier(prune="cv", cv=5, random_state=0, min_samples_leaf=4)
    weighted = clone(model).fit(X, y, weights).cp_table_
    repeated = clone(model).fit(X[rows], y[rows]).cp_table_
    np.testing.assert_allclose(weighted.xerror, repeated.xerror)
    np.testing.assert_allclose(weighted.xstd, repeated.xstd)
    assert weighted.chosen == repeated.chosen
