"""Every list of words is the one that the compiled core dispatches on, and every word of it is dispatched."""

import re
from pathlib import Path

import numpy as np
import pytest

from classica import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    KNeighborsClassifier,
    MLPClassifier,
    PerceptronClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
    SVMClassifier,
    _core,
    native,
)
from classica.native import boosting, kernels, networks, online_learners, tables, trees
from classica.trees.growing import growth

pytestmark = pytest.mark.native

ROOT = Path(__file__).parent.parent

LISTS = {
    "CRITERIA": growth.CRITERIA,
    "CLASS_CRITERIA": growth.CLASS_CRITERIA,
    "CATEGORY_SPLITS": growth.CATEGORY_SPLITS,
    "MISSING_POLICIES": growth.MISSING_POLICIES,
    "SELECTIONS": growth.SELECTIONS,
    "STRUCTURES": native.STRUCTURES,
    "METRICS": native.METRICS,
    "TIES": native.TIES,
    "SPARSE_FORMS": native.SPARSE_FORMS,
    "KERNELS": kernels.KERNELS,
    "ACTIVATIONS": networks.ACTIVATIONS,
    "KEPT_WEIGHTS": online_learners.KEEP,
    "ROUND_ENDS": boosting.ENDS,
    "CELL_KINDS": tables.CELL_KINDS,
}


def some_rows(classes=3, seed=0):
    draw = np.random.default_rng(seed)
    y = draw.integers(classes, size=60)
    return draw.normal(size=(60, 3)) + y[:, None], y


def test_no_list_of_the_core_is_forgotten():
    exported = {name for name in dir(_core) if name.isupper()}
    assert exported == set(LISTS)


@pytest.mark.parametrize("name", LISTS)
def test_lists_are_those_of_the_core(name):
    assert LISTS[name] == getattr(_core, name)
    assert len(set(LISTS[name])) == len(LISTS[name]) > 1


def test_criteria_are_the_structs_of_one_list():
    source = (ROOT / "native" / "src" / "trees" / "criteria.hpp").read_text()
    [listed] = re.findall(r"using Criteria =\s*CriterionList<([^;]*)>;", source)
    word = r'struct (\w+)[^{;]*\{\s*static constexpr std::string_view word = "(\w+)";'
    words = dict(re.findall(word, source))
    assert tuple(words[struct] for struct in re.split(r",\s*", listed)) == growth.CRITERIA


def test_rules_of_parameters_have_all_words():
    def words(estimator, parameter):
        return estimator.parameter_rules[parameter].words

    assert set(words(DecisionTreeClassifier, "criterion")) == {
        *growth.CLASS_CRITERIA,
        *(one for one in growth.SELECTIONS if one != "gain"),
    }
    assert words(RandomForestClassifier, "criterion") == growth.CLASS_CRITERIA
    for regressor in (DecisionTreeRegressor, RandomForestRegressor):
        assert words(regressor, "criterion") == growth.NUMBER_CRITERIA
    assert set(growth.CLASS_CRITERIA).isdisjoint(growth.NUMBER_CRITERIA)
    assert words(SVMClassifier, "kernel") == (*kernels.KERNELS, "precomputed")
    assert set(words(KNeighborsClassifier, "metric")) > set(native.METRICS)
    assert words(MLPClassifier, "activation") == networks.ACTIVATIONS


@pytest.mark.parametrize("criterion", growth.CLASS_CRITERIA)
def test_criteria_of_classes_grow_trees(criterion):
    X, y = some_rows()
    for estimator in (DecisionTreeClassifier(criterion), RandomForestClassifier(3, criterion=criterion)):
        assert estimator.fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize("criterion", growth.NUMBER_CRITERIA)
def test_criteria_of_numbers_grow_trees(criterion):
    X, y = some_rows()
    for estimator in (DecisionTreeRegressor(criterion), RandomForestRegressor(3, criterion=criterion)):
        assert estimator.fit(X, y).score(X, y) > 0.5


@pytest.mark.parametrize("kernel", kernels.KERNELS)
def test_kernels_are_functions_of_their_own(kernel):
    A = np.array([[1.0, 2.0], [0.5, -1.0]])
    found = kernels.kernel_matrix(A, A, (kernel, 0.3, 0.2, 3, None), 1)
    others = [
        kernels.kernel_matrix(A, A, (other, 0.3, 0.2, 3, None), 1)
        for other in kernels.KERNELS
        if other != kernel
    ]
    assert all(not np.allclose(found, other) for other in others)


@pytest.mark.parametrize("metric", native.METRICS)
def test_metrics_are_distances_of_their_own(metric):
    X, y = some_rows()
    found = {
        name: KNeighborsClassifier(3, metric=name, p=3).fit(X, y).kneighbors(X[:5] + 0.1)[0]
        for name in native.METRICS
    }
    assert all(not np.allclose(found[metric], found[name]) for name in native.METRICS if name != metric)


@pytest.mark.parametrize("structure", native.STRUCTURES)
@pytest.mark.parametrize("ties", native.TIES)
def test_structures_and_ties_vote(structure, ties):
    X, y = some_rows()
    model = KNeighborsClassifier(4, algorithm=structure, ties=ties).fit(X, y)
    brute = KNeighborsClassifier(4, algorithm="brute", ties=ties).fit(X, y)
    assert (model.predict_proba(X) == brute.predict_proba(X)).all()


@pytest.mark.parametrize("activation", networks.ACTIVATIONS)
def test_activations_learn(activation):
    X, y = some_rows()
    settings = {"solver": "lbfgs", "alpha": 1.0, "max_iter": 2000, "random_state": 0}
    model = MLPClassifier((4,), activation=activation, **settings)
    assert model.fit(X, y).score(X, y) > 0.5


@pytest.mark.parametrize("variant", ["plain", "averaged", "pocket"])
def test_kept_weights_learn(variant):
    X, y = some_rows(classes=2)
    assert PerceptronClassifier(variant, random_state=0).fit(X, y).score(X, y) > 0.5


def test_other_words_are_refused():
    X, y = some_rows()
    rules = growth.GrowthRules().for_kernel()
    table = growth.TreeTable.of(X, np.zeros(3, dtype=bool), np.zeros(3, dtype=np.int64), 1)
    rows, codes = np.arange(60, dtype=np.uint32), y.astype(np.int32)
    for name in ("criterion", "categories", "missing", "selection"):
        other = rules | {name: "none such"}
        with pytest.raises(ValueError, match=r"must be one of|no such criterion"):
            trees.grow_tree(table.for_kernel, codes, 3, None, None, None, rows, other, 1)
    with pytest.raises(ValueError, match="'cubic' must be one of: linear, poly, rbf, sigmoid"):
        kernels.kernel_matrix(X, X, ("cubic", 1.0, 0.0, 3, None), 1)
