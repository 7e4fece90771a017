"""The trace of a tree: the same numbers as the engine that grew it."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency
from sklearn.datasets import make_classification
from sklearn.metrics import mutual_info_score
from sklearn.tree import DecisionTreeClassifier as TheirTree

from classica import (
    C45Classifier,
    CARTClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Classifier,
)
from classica.errors import DataError
from classica.trees.tracing.split_measures import split_measures
from classica.trees.tracing.value_measures import value_measures
from tests.trees.tables import GOLF, mixed_table

#: What a criterion gains in all, from the measures and the weight of a node.
GAINS = {
    "entropy": lambda found, weight: found.gain * weight,
    "gini": lambda found, weight: found.gini_gain * weight,
    "misclassification": lambda found, weight: found.error_gain * weight,
}

# ---- Measures.


@pytest.mark.parametrize("seed", range(5))
def test_measures_of_a_random_division(seed):
    random = np.random.default_rng(seed)
    branch, codes = random.integers(0, 3, 200), random.integers(0, 4, 200)
    found = split_measures(branch, codes)
    assert found.gain == pytest.approx(mutual_info_score(branch, codes) / np.log(2))
    assert found.chi2 == pytest.approx(chi2_contingency(found.counts, correction=False).statistic)
    p = np.bincount(branch) / 200
    assert found.split_information == pytest.approx(-(p * np.log2(p)).sum())
    assert found.gain_ratio == pytest.approx(found.gain / found.split_information)

    def impurity(rows, of):
        shares = np.bincount(codes[rows]) / rows.sum()
        return of(shares)

    everything = np.ones(200, dtype=bool)
    for field, of in (("gini_gain", lambda q: 1 - (q**2).sum()), ("error_gain", lambda q: 1 - q.max())):
        rest = sum((branch == b).mean() * impurity(branch == b, of) for b in range(3))
        assert getattr(found, field) == pytest.approx(impurity(everything, of) - rest, abs=1e-15)


def test_a_weight_is_repetition():
    random = np.random.default_rng(0)
    branch, codes, times = random.integers(-1, 3, 100), random.integers(0, 3, 100), random.integers(1, 4, 100)
    weighted = split_measures(branch, codes, times)
    repeated = split_measures(np.repeat(branch, times), np.repeat(codes, times))
    for field, value in vars(weighted).items():
        np.testing.assert_allclose(value, getattr(repeated, field), rtol=1e-12, err_msg=field)


def test_rows_without_a_branch_lower_the_gain_and_are_one_more_part():
    # Quinlan's example: the golf table with one outlook missing. Known: 13 rows.
    branch = np.r_[np.repeat([0, 1, 2], [5, 3, 5]), -1]
    codes = np.r_[[0, 0, 0, 1, 1], [1, 1, 1], [1, 1, 1, 0, 0], 1]
    found = split_measures(branch, codes)
    assert found.entropy == pytest.approx(0.961, abs=5e-4)
    assert found.gain == pytest.approx(0.199, abs=5e-4)
    assert found.split_information == pytest.approx(1.809, abs=5e-4)


@pytest.mark.parametrize("codes", [[], [0], [1, 1, 1]])
def test_nothing_to_divide(codes):
    found = split_measures(np.zeros(len(codes), dtype=int), codes)
    assert (found.gain, found.gini_gain, found.gain_ratio, found.chi2) == (0, 0, 0, 0)


def test_measures_of_numbers():
    found = value_measures([0, 0, 1, -1], [1.0, 3.0, 8.0, 100.0])
    assert found.means.tolist() == [2.0, 8.0]
    assert found.variances.tolist() == [1.0, 0.0]
    assert found.variance == pytest.approx(26 / 3)
    assert found.gain == pytest.approx(3 / 4 * (26 / 3 - 2 / 3))


# ---- Traces.

CLASSIFIERS = [
    DecisionTreeClassifier(criterion, categories=categories, missing=missing, max_depth=3)
    for criterion in GAINS
    for categories in ("subset", "multiway", "one_level")
    for missing in ("direction", "own_branch", "fraction", "surrogate")
    if (categories, missing) != ("multiway", "surrogate")
] + [ID3Classifier(n_bins=3, max_depth=3), CARTClassifier(max_depth=3, prune=None)]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_trace_repeats_what_the_tree_gained(model, weighted):
    X, y, _ = mixed_table()
    weights = np.random.default_rng(0).integers(0, 3, len(y)) if weighted else None
    model.fit(X, y, sample_weight=weights)
    trace, tree = model.trace(X, y, weights), model.tree_
    gain = GAINS[getattr(model, "criterion", "entropy")]
    assert len(trace.nodes) == len(tree)
    for found in trace.nodes:
        node = found.node
        np.testing.assert_allclose(found.summary["counts"], tree.value[node], rtol=1e-9, atol=1e-12)
        assert (found.chosen is None) == (tree.feature[node] < 0)
        if found.chosen is None:
            continue
        chosen = found.column(found.chosen)
        gained = gain(chosen.measures, tree.weight[node])
        assert gained == pytest.approx(tree.gain[node], rel=1e-9, abs=1e-9)
        allowed = [gain(one.measures, tree.weight[node]) for one in found.columns if one.is_admissible]
        assert gained >= max(allowed) - 1e-9
        assert list(chosen.branches) == branches_of(model, node)


def branches_of(model, node):
    """Return what the text of the tree says at the branches of a node, without the column."""
    question = model.to_json()["nodes"][node]["question"]
    name = model.names_.columns[question["column"]]
    for_picture = {"=": "", "in": "", "<=": "≤ ", ">": "> ", "is": ""}
    shown = []
    for words in question["words"]:
        missing = " or missing" if words.endswith(" (or missing)") else ""
        parts = [part.removeprefix(f"{name} ") for part in words.removesuffix(" (or missing)").split(" and ")]
        signs = [part.split(" ", 1) for part in parts]
        shown.append(", ".join(for_picture[sign] + rest.strip("{}") for sign, rest in signs) + missing)
    return shown


def test_c45_with_gaps():
    X, y, _ = mixed_table()
    model = C45Classifier(prune=None, cut_penalty=False).fit(X, y)
    for found in model.trace(X, y).nodes:
        node = found.node
        np.testing.assert_allclose(found.summary["counts"], model.tree_.value[node], rtol=1e-9, atol=1e-12)
        if found.chosen is None:
            continue
        measures = found.column(found.chosen).measures
        assert measures.gain * model.tree_.weight[node] == pytest.approx(model.tree_.gain[node], rel=1e-9)
        others = [one.measures for one in found.columns if one.is_admissible]
        average = np.mean([one.gain for one in others])
        assert measures.gain >= average - 2e-3
        assert measures.gain_ratio >= max(o.gain_ratio for o in others if o.gain >= average) - 1e-5
        assert f"gain ratio among those of at least average gain ({average:.6f})" in found.reason


@pytest.mark.parametrize("missing", ["direction", "own_branch", "fraction", "surrogate"])
def test_numbers(missing):
    X, _, y = mixed_table()
    model = DecisionTreeRegressor(max_depth=3, missing=missing).fit(X, y)
    tree = model.tree_
    for found in model.trace(X, y).nodes:
        assert found.summary["mean"] == pytest.approx(tree.value[found.node, 0])
        assert found.summary["variance"] * tree.weight[found.node] == pytest.approx(
            tree.risk[found.node], abs=1e-9
        )
        if found.chosen is not None:
            gained = found.column(found.chosen).measures.gain * tree.weight[found.node]
            assert gained == pytest.approx(tree.gain[found.node], abs=1e-9)


def test_why_a_leaf_is_a_leaf():
    X = pd.DataFrame({"x": [1.0, 1.0, 2.0, 3.0, 4.0, 5.0], "c": list("aabbbb")})
    y = [0, 1, 0, 0, 1, 1]
    reasons = {
        found.reason for found in DecisionTreeClassifier().fit(X, y).trace(X, y).nodes if not found.columns
    }
    assert reasons == {
        "Leaf: all rows have the same class.",
        "Leaf: no allowed split on any column.",
    }
    [root] = DecisionTreeClassifier(max_depth=0).fit(X, y).trace(X, y).nodes
    assert root.reason == "Leaf: a growth limit or pruning ends the tree here."
    [same] = DecisionTreeRegressor().fit([[1.0], [2.0]], [5, 5]).trace([[1.0], [2.0]], [5, 5]).nodes
    assert same.reason == "Leaf: all rows have the same target."


@pytest.mark.parametrize(
    ("criterion", "words"),
    [
        ("gini", "it has the highest Gini gain."),
        ("entropy", "it has the highest gain."),
        ("misclassification", "it has the highest error gain."),
        ("chi2", "it has the highest chi2."),
        ("gain_ratio", "it has the highest gain ratio among those of at least average gain (0.118984)."),
        ("relieff", "it has the highest ReliefF weight."),
    ],
)
def test_why_a_column_is_chosen(criterion, words):
    model = DecisionTreeClassifier(criterion, categories="multiway").fit(GOLF.drop(columns="y"), GOLF["y"])
    root = model.trace(GOLF.drop(columns="y"), GOLF["y"])[0]
    assert root.reason == f"{root.chosen} is chosen: {words}"


def test_plain_data():
    X, y, values = mixed_table(rows=60)
    for model, target in (
        (DecisionTreeClassifier(max_depth=2), y),
        (DecisionTreeRegressor(max_depth=2), values),
    ):
        trace = model.fit(X, target).trace(X, target)
        record = json.loads(json.dumps(trace.record(), allow_nan=False))
        assert record["format"] == "classica-trace"
        root = record["nodes"][0]
        assert [column["column"] for column in root["columns"]] == list(X.columns)
        assert root["columns"][0]["gain"] == trace[0].column("a").measures.gain
        assert len(str(trace).splitlines()) > 20


def test_a_state_of_chance_is_left_alone():
    X, y, _ = mixed_table(rows=60)
    state = np.random.RandomState(0)
    model = DecisionTreeClassifier(max_features=2, random_state=state).fit(X, y)
    before = state.get_state()[2]
    model.trace(X, y)
    assert state.get_state()[2] == before


def test_labels_must_be_known():
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    with pytest.raises(DataError, match=r"^y must be .*, got 'c'\.$"):
        model.permutation_importances([[1.0], [2.0]], ["a", "c"])


def test_the_table_must_be_the_one_learned_from():
    X, y, _ = mixed_table(rows=60)
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    with pytest.raises(DataError, match=r"^X must be the training table.*, got another one\.$"):
        model.trace(X[X["size"] != "m"], y[X["size"] != "m"])


# ---- Importances.


def test_importances_are_those_of_scikit_learn():
    X, y = make_classification(300, 6, n_informative=4, random_state=0)
    weights = np.random.default_rng(0).integers(1, 4, 300)
    for depth in (1, 3):  # deeper, equal gains are decided by chance there
        ours = DecisionTreeClassifier(max_depth=depth).fit(X, y, sample_weight=weights)
        theirs = TheirTree(max_depth=depth, random_state=0).fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-12)
    assert DecisionTreeClassifier(max_depth=0).fit(X, y).feature_importances_.tolist() == [0] * 6


@pytest.mark.parametrize("missing", ["direction", "fraction"])
def test_importances_by_shuffling(missing):
    X, y, values = mixed_table(rows=400)
    X = X.assign(noise=np.random.default_rng(5).normal(size=400))
    model = DecisionTreeClassifier(max_depth=5, missing=missing).fit(X, y)
    found = model.permutation_importances(X, y, n_repeats=3, random_state=0)
    assert found.importances.shape == (6, 3)
    assert found.importances_mean.argmax() == 0
    again = model.permutation_importances(X, y, n_repeats=3, random_state=0)
    np.testing.assert_array_equal(found.importances, again.importances)
    numbers = DecisionTreeRegressor(max_depth=5, missing=missing).fit(X, values)
    found = numbers.permutation_importances(X, values, random_state=0)
    assert found.importances_mean.argmax() == 0


def test_the_weights_of_relieff_are_shown():
    X, y = GOLF.drop(columns="y"), GOLF["y"]
    found = DecisionTreeClassifier("relieff", categories="multiway").fit(X, y).trace(X, y)
    root = found[0]
    weights = {column.name: column.relieff for column in root.columns}
    assert root.chosen == max(weights, key=weights.get)
    assert "ReliefF weight" in str(found)
    assert f"{weights[root.chosen]:.6f}" in str(found)
    assert found.record()["nodes"][0]["columns"][0]["relieff"] == root.columns[0].relieff
