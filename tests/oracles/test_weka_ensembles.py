"""Accuracies of WEKA's forests, bagging and boosting in ten-fold cross-validation, but for chance."""

import functools
import math

import pytest

import classica
from tests.oracles.ensembles import Cell, categories, cross_validated, leaning, outside, report, told
from tests.oracles.tree_tables import read

ACCURACIES = told("weka_ensembles.json")


def random_forest(name, size, seed):
    """WEKA's random trees ask log2(d) + 1 columns, branch by level, and take gaps by fractions."""
    return classica.RandomForestClassifier(
        size,
        "entropy",
        max_features=int(math.log2(read(name).X.shape[1]) + 1),
        categories="multiway",
        missing="fraction",
        categorical_features=categories(name),
        oob_score=False,
        random_state=seed,
    )


def bagged(tree, seed):
    return classica.BaggingClassifier(tree, 10, oob_score=False, random_state=seed)


def c45(name):
    return classica.C45Classifier(categorical_features=categories(name))


def reduced_error_tree(name, seed):
    """WEKA's REPTree, but for the rows held out, which WEKA counts into the leaves in the end."""
    return classica.DecisionTreeClassifier(
        "entropy",
        categories="multiway",
        missing="fraction",
        min_samples_leaf=2,
        prune="reduced",
        categorical_features=categories(name),
        random_state=seed,
    )


def boosted(tree, seed):
    return classica.AdaBoostClassifier(tree, 10, multiclass="m1", random_state=seed)


METHODS = {
    "RandomForest10": lambda name, seed: random_forest(name, 10, seed),
    "RandomForest100": lambda name, seed: random_forest(name, 100, seed),
    "Bagging_J48_10": lambda name, seed: bagged(c45(name), seed),
    "Bagging_REPTree10": lambda name, seed: bagged(reduced_error_tree(name, seed), seed),
    "AdaBoostM1_J48_10": lambda name, seed: boosted(c45(name), seed),
}

#: Small tables: of numbers; of numbers and categories with gaps.
BOUNDED = ("iris", "labor")


def cell(name, method, seeds):
    make = functools.partial(METHODS[method], name)
    accuracies = [cross_validated(make, name, seed) for seed in range(seeds)]
    return Cell(name, method, ACCURACIES[name][method], accuracies)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", BOUNDED)
def test_accuracies_on_small_tables(name, method):
    found = [cell(name, method, seeds=2)]
    assert not outside(found), report(found)


@pytest.mark.full
def test_accuracies_on_all_tables():
    found = [cell(name, method, seeds=10) for name in ACCURACIES for method in METHODS]
    print(report(found))
    assert len(outside(found)) <= 0.05 * len(found), report(outside(found))
    assert max(map(abs, leaning(found).values())) <= 0.5, leaning(found)
