"""Grids of parameters: the scores are those of fresh fits, and what can be shared is learned once."""

from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import KFold, StratifiedKFold, cross_val_score

import classica
from classica import catalog
from classica.estimators.base.grid_scores import GridScores
from classica.trees.growing.growth import TreeTable
from classica.trees.growing.growth_task import TreeTask
from classica.trees.growing.shared_task import GrownTrees, SharedTask
from classica.trees.growing.tree import Tree


def numbers(classes, rows=90, seed=0):
    X, y = make_classification(
        rows, 5, n_informative=4, n_redundant=0, n_classes=classes, flip_y=0.1, random_state=seed
    )
    return X.round(1), np.array(["ant", "bee", "cat", "dog"])[y]  # rounded, so that there are ties


def frame(classes, seed=0):
    """Return categories, numbers and missing cells; some levels are rare, so parts lack them."""
    X, y = numbers(classes, rows=60, seed=seed)
    random = np.random.default_rng(seed)
    levels = np.array(["red", "green", "blue", "rare"])
    table = pd.DataFrame(X[:, :3], columns=["a", "b", "c"])
    table["kind"] = levels[np.where(random.random(len(y)) < 0.03, 3, (X[:, 3] > 0) + (X[:, 4] > 1))]
    table["flag"] = random.random(len(y)) < 0.5
    return table.mask(random.random(table.shape) < 0.05), y


KNN = classica.KNeighborsClassifier
MIXED = {"knn": {"metric": "heom"}}
POINTS = {
    "knn": [
        {"n_neighbors": k, "weights": weights, "ties": ties}
        for k in (7, 1, 4, "sqrt", 1000)
        for weights, ties in (("uniform", "decrease"), ("distance", "increase"), ("uniform", "lowest"))
    ],
    "nearest-mean": [
        {"n_means": means, "metric": metric, "priors": priors}
        for means in (1, 2)
        for metric in ("euclidean", "scaled")
        for priors in ("uniform", "empirical")
    ],
    "lda": [{"shrinkage": shrinkage} for shrinkage in (None, "oas", "auto", 0.3)] + [{"priors": "uniform"}],
    "qda": [{"shrinkage": shrinkage} for shrinkage in (None, "oas", "auto", 0.3)],
    "fisher": [
        {"shrinkage": shrinkage, "threshold": threshold, "multi_class": multi_class}
        for shrinkage in (None, "auto", 0.3)
        for threshold in ("midpoint", "log-prior")
        for multi_class in ("one-vs-all", "all-vs-all")
    ],
    "naive-bayes": [
        {"alpha": alpha, "numeric": numeric, "ddof": 1}
        for alpha in (0.1, 2.0)
        for numeric in ("gaussian", "kernel", "discretized")
    ],
    "tree": [
        {"max_depth": depth, "min_samples_leaf": leaf, "prune": prune}
        for depth in (1, 3, None)
        for leaf in (1, 4)
        for prune in (None, 0.02, "error")
    ]
    + [{"prune": "reduced", "held_out": share} for share in (0.2, 0.4)]
    + [{"criterion": "relieff", "max_depth": depth} for depth in (1, 2)]
    + [{"max_leaf_nodes": 4, "max_depth": depth} for depth in (2, 4)]
    + [{"max_features": 2, "max_depth": depth, "missing": "fraction"} for depth in (2, 4)],
    "cart": [
        {"cv_rule": rule, "criterion": criterion, "max_depth": depth, "cv": 3}
        for rule in ("1se", "min")
        for criterion in ("gini", "entropy")
        for depth in (2, None)
    ],
    "c45": [
        {"confidence": confidence, "min_samples_leaf": leaf, "raising": raising}
        for confidence in (0.1, 0.4)
        for leaf in (2, 5)
        for raising in (True, False)
    ],
    "id3": [{"max_depth": depth, "n_bins": bins} for depth in (2, None) for bins in (None, 3)],
    "random-forest": [
        {"n_estimators": size, "max_features": columns} for size in (7, 1, 3) for columns in (1, 0.8)
    ],
    "bagging": [{"n_estimators": size, "max_features": share} for size in (5, 1, 3) for share in (1.0, 0.5)],
    "adaboost": [
        {"n_estimators": size, "learning_rate": rate, "method": method}
        for size in (6, 1, 3)
        for rate, method in ((1.0, "reweight"), (0.5, "resample"))
    ],
    "voting": [
        {"voting": voting, "weights": weights, "cv": parts}
        for voting in ("hard", "soft")
        for weights in (None, "learned", [1, 2, 3])
        for parts in (2, 3)
    ],
    "perceptron": [
        {"variant": variant, "max_iter": epochs, "multi_class": multi_class}
        for epochs in (7, 1, 40)
        for variant in ("averaged", "plain", "voted", "pocket")
        for multi_class in ("one-vs-all", "all-vs-all")
    ],
    "kernel-perceptron": [
        {"variant": variant, "gamma": gamma}
        for variant in ("averaged", "plain", "voted")
        for gamma in ("scale", 1.0)
    ],
    "logistic": [{"C": C, "l1_ratio": share} for C in (10.0, 0.1, np.inf) for share in (0.0, 0.5)],
    "linear-svm": [
        {"alpha": alpha, "solver": solver} for alpha in (1e-3, 0.1) for solver in ("exact", "sgd")
    ],
}
ITERATIVE = ("logistic", "linear-svm")


def estimator(slug, **parameters):
    model = catalog.card(slug).build(**parameters)
    return model.set_params(random_state=5) if "random_state" in model.get_params() else model


def brute_force(model, X, y, points, splits, scoring):
    return np.array(
        [
            cross_val_score(clone(model).set_params(**point), X, y, cv=splits, scoring=scoring)
            for point in points
        ]
    )


def test_every_classifier_with_shortcuts_is_tested_here():
    having = {card.slug for card in catalog.cards() if issubclass(card.estimator, GridScores)}
    assert having == set(POINTS)


@pytest.mark.parametrize(("classes", "scoring"), [(2, None), (4, "log loss")])
@pytest.mark.parametrize("slug", POINTS)
@pytest.mark.filterwarnings("ignore")
def test_scores_are_those_of_fresh_fits(slug, classes, scoring):
    X, y = numbers(classes)
    check(slug, estimator(slug), X, y, scoring)


@pytest.mark.parametrize(
    "slug", [card for card in POINTS if "missing values" in catalog.card(card).takes] + ["knn"]
)
@pytest.mark.filterwarnings("ignore")
def test_scores_are_those_of_fresh_fits_on_frames_with_categories_and_missing_cells(slug):
    X, y = frame(3)
    check(slug, estimator(slug, **MIXED.get(slug, {})), X, y, None)


@pytest.mark.full
@pytest.mark.parametrize("slug", POINTS)
@pytest.mark.filterwarnings("ignore")
def test_scores_are_those_of_fresh_fits_on_many_tables(slug):
    takes_frames = "missing values" in catalog.card(slug).takes
    for seed in range(20):
        for classes in (2, 3, 4):
            X, y = frame(classes, seed) if takes_frames and seed % 2 else numbers(classes, seed=seed)
            check(slug, estimator(slug), X, y, "log loss" if seed % 3 else None)
    print(f"{slug}: {20 * 3 * 3 * len(POINTS[slug])} fits alike")


def check(slug, model, X, y, scoring):
    if scoring == "log loss":
        scoring = "neg_log_loss" if hasattr(model, "predict_proba") else "f1_macro"
    splits = list(StratifiedKFold(3, shuffle=True, random_state=1).split(X, y))
    found = model.grid_scores(X, y, points=POINTS[slug], splits=splits, scoring=scoring)
    wanted = brute_force(model, X, y, POINTS[slug], splits, scoring)
    if slug in ITERATIVE and scoring == "neg_log_loss":
        bounded = [
            point.get("C") != np.inf for point in POINTS[slug]
        ]  # the others have no optimum to agree on
        np.testing.assert_allclose(found[bounded], wanted[bounded], rtol=1e-4)
    else:
        np.testing.assert_array_equal(found, wanted)
    assert not hasattr(model, "classes_")


def test_a_table_of_distances_is_cut_both_ways():
    X, y = numbers(3)
    distances = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    splits = list(KFold(3).split(X))
    points = [{"n_neighbors": k} for k in (1, 5)]
    found = KNN(metric="precomputed").grid_scores(distances, y, points=points, splits=splits)
    np.testing.assert_array_equal(found, KNN().grid_scores(X, y, points=points, splits=splits))


def test_functions_of_weights_and_approximate_searches_see_their_own_lists():
    X, y = numbers(3, rows=600)
    splits = list(KFold(3).split(X))

    def share_of_the_farthest(distances):
        return 1.1 - distances / distances.max(axis=1, keepdims=True)

    points = [
        {"n_neighbors": k, "weights": weights}
        for k in (2, 9)
        for weights in (share_of_the_farthest, "uniform")
    ]
    for model in (KNN(), KNN(approximate=True)):
        found = model.grid_scores(X, y, points=points, splits=splits)
        np.testing.assert_array_equal(found, brute_force(model, X, y, points, splits, None))


def test_refused_points_have_no_score_and_leave_the_others_theirs():
    X, y = numbers(2)
    splits = list(KFold(3).split(X))
    points = [{"n_neighbors": 3}, {"n_neighbors": 0}, {"n_neighbors": 5}]
    found = KNN().grid_scores(X, y, points=points, splits=splits)
    assert (found[1] == -np.inf).all()
    np.testing.assert_array_equal(found[[0, 2]], brute_force(KNN(), X, y, points[::2], splits, None))
    only_sometimes = [{"priors": [0.5, 0.5]}, {"priors": [0.2, 0.3, 0.5]}]
    found = classica.LinearDiscriminantClassifier().grid_scores(X, y, points=only_sometimes, splits=splits)
    assert np.isfinite(found[0]).all()
    assert (found[1] == -np.inf).all()


def test_a_part_may_lack_a_class_and_splits_may_be_masks():
    X, y = numbers(4)
    order = np.argsort(y, kind="stable")
    X, y = X[order], y[order]
    splits = [(np.arange(20, 90), np.arange(20)), (np.arange(90) % 2 == 0, np.arange(90) % 2 == 1)]
    for slug in ("knn", "lda", "tree", "naive-bayes", "random-forest"):
        found = estimator(slug).grid_scores(X, y, points=POINTS[slug][:3], splits=splits)
        places = [tuple(np.flatnonzero(p) if p.dtype == bool else p for p in split) for split in splits]
        np.testing.assert_array_equal(
            found, brute_force(estimator(slug), X, y, POINTS[slug][:3], places, None)
        )


def test_made_scorers_share_and_own_functions_get_fresh_fits(monkeypatch):
    X, y = numbers(2)
    splits = list(KFold(3).split(X))
    points = [{"n_estimators": size} for size in (2, 4)]
    model = classica.RandomForestClassifier(random_state=0)
    fits = counted(monkeypatch, classica.RandomForestClassifier, "fit")
    scorer = make_scorer(f1_score, pos_label="ant")
    found = model.grid_scores(X, y, points=points, splits=splits, scoring=scorer)
    assert fits() == 3
    wanted = brute_force(model, X, y, points, splits, scorer)
    np.testing.assert_array_equal(found, wanted)
    fits()
    found = model.grid_scores(X, y, points=points, splits=splits, scoring=lambda m, X, y: m.oob_score_)
    assert fits() == 6
    np.testing.assert_array_equal(
        found, brute_force(model, X, y, points, splits, lambda m, X, y: m.oob_score_)
    )


def counted(monkeypatch, owner, name):
    """Count calls of a method; the function returned says how many there were since it was asked last."""
    calls, own = [], getattr(owner, name)

    def counting(self, *given, **named):
        calls.append(1)
        return own(self, *given, **named)

    monkeypatch.setattr(owner, name, counting)

    def since():
        count = len(calls)
        calls.clear()
        return count

    return since


SHARED = {
    "one search for all K": ("knn", KNN, "_lists", [{"n_neighbors": k} for k in range(1, 10)], 1),
    "one growth for all depths and prunings": (
        "tree",
        TreeTable,
        "grow",
        [{"max_depth": d, "prune": p} for d in (1, 2, None) for p in (None, 0.01, "error")],
        1,
    ),
    "one sum for all shrinkages": (
        "lda",
        classica.LinearDiscriminantClassifier,
        "_statistics",
        [{"shrinkage": s} for s in (None, "oas", 0.1, 0.2)],
        1,
    ),
    "one fit for all sizes": (
        "adaboost",
        classica.AdaBoostClassifier,
        "fit",
        [{"n_estimators": n} for n in (1, 2, 3, 4)],
        1,
    ),
}


@pytest.mark.parametrize("what", SHARED)
def test_what_is_shared_is_learned_once_a_split(what, monkeypatch):
    slug, owner, name, points, times = SHARED[what]
    X, y = numbers(2)
    calls = counted(monkeypatch, owner, name)
    estimator(slug).grid_scores(X, y, points=points, splits=list(KFold(3).split(X)))
    assert calls() == 3 * times


@pytest.mark.parametrize("missing", ["direction", "own_branch", "fraction", "surrogate"])
def test_a_tree_of_limited_depth_is_the_deep_one_cut(missing):
    X, y = frame(3)
    model = classica.DecisionTreeClassifier(missing=missing, categories="subset", random_state=0)
    whole = model._task_of(X, y, None)
    own = {each.name: getattr(whole, each.name) for each in fields(TreeTask)}
    for rules in ({"min_cases_leaf": 3.0}, {"max_features": 2, "seed": 9}, {"criterion": "entropy"}):
        grown, tasks = GrownTrees(), []
        for depth in (0, 1, 3, -1):
            limited = own | {"rules": type(whole.rules)(**vars(whole.rules) | rules | {"max_depth": depth})}
            grown.expect(limited["rules"], whole.threshold)
            tasks.append((TreeTask(**limited), SharedTask(**limited, grown=grown)))
        for fresh, shared in tasks:
            assert_equal_trees(shared.grow(), fresh.grow())
        assert len(grown.trees) == 1


def assert_equal_trees(one, other):
    for each in fields(Tree):
        mine, theirs = getattr(one, each.name), getattr(other, each.name)
        if each.name == "surrogates" and mine is not None and theirs is not None:
            for name in vars(mine):
                np.testing.assert_array_equal(getattr(mine, name), getattr(theirs, name), err_msg=name)
        elif each.name != "surrogates":
            np.testing.assert_array_equal(mine, theirs, err_msg=each.name)
