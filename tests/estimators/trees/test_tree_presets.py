"""ID3, C4.5 and CART as people call them: frames in, the originals' answers out."""

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.tree import DecisionTreeClassifier as PeerTree

from classica import (
    C45Classifier,
    CARTClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    ID3Classifier,
)
from classica.errors import ParameterError
from tests.oracles import j48

#: Tables with rows of every declared class: their number counts in the rule of wide branches.
NAMES = ["iris", "vehicle", "diabetes", "vote", "labor", "credit-approval", "breast-cancer", "soybean"]


def frame(name):
    """Return a table as a frame of the declared types, and the codes of its classes."""
    oracle, (matrix, _, target) = j48.ORACLES[name], j48.table(name)
    columns = {}
    for column, (title, levels) in zip(matrix.T, oracle["columns"].items(), strict=True):
        if levels is None:
            columns[title] = pl.Series(
                [None if np.isnan(cell) else cell for cell in column], dtype=pl.Float64
            )
        else:
            cells = [None if np.isnan(cell) else levels[int(cell)] for cell in column]
            columns[title] = pl.Series(cells, dtype=pl.Enum(levels))
    return pl.DataFrame(columns), target.codes


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("variant", "settings"),
    [
        ("default", {}),
        ("no_raising", {"raising": False}),
        ("C0.05_M5", {"confidence": 0.05, "min_samples_leaf": 5}),
    ],
)
def test_c45_is_j48_by_its_defaults(name, variant, settings):
    X, codes = frame(name)
    model = C45Classifier(**settings).fit(X, codes)
    assert j48.differences(name, model.tree_, variant) == []


def test_c45_does_not_learn_what_no_single_column_tells():
    X, y = [[0, 0], [0, 1], [1, 0], [1, 1]] * 4, [0, 1, 1, 0] * 4
    assert C45Classifier().fit(X, y).get_n_leaves() == 1
    for learner in (ID3Classifier, DecisionTreeClassifier):
        assert learner().fit(X, y).score(X, y) == 1


def test_id3_takes_intervals_for_levels():
    X = np.arange(12.0)[:, None]
    y = np.arange(12) // 3 % 2
    model = ID3Classifier(n_bins=4).fit(X, y)
    assert model.tree_.child_count.tolist() == [4, 0, 0, 0, 0]
    assert model.score(X, y) == 1
    assert model.predict([[-5.0], [99.0]]).tolist() == [0, 1]  # beyond the range: the outermost ones
    assert model.names_.levels[0] == ["<= 2.75", "(2.75, 5.5]", "(5.5, 8.25]", "> 8.25"]


def test_cart_prunes_by_cross_validation_within_one_standard_error():
    X, y = make_classification(600, 8, flip_y=0.2, random_state=0)
    model = CARTClassifier().fit(X, y)
    table = model.cp_table_
    least = table.xerror.argmin()
    limit = table.xerror[least] + table.xstd[least]
    smallest = np.flatnonzero(table.xerror <= limit + 1e-12)[0]
    assert model.get_n_leaves() == table.nsplit[smallest] + 1
    assert CARTClassifier(cv_rule="min").fit(X, y).get_n_leaves() == table.nsplit[least] + 1
    assert model.get_n_leaves() < model.grown_tree_.leaf_count


def test_cart_answers_missing_cells_by_surrogates():
    X, y = load_iris(return_X_y=True)
    model = CARTClassifier().fit(X, y)
    gone = X.copy()
    gone[:, model.tree_.feature[0]] = np.nan
    assert model.score(gone, y) > 0.9
    assert CARTClassifier(max_surrogates=0).fit(X, y).score(gone, y) < 0.7


@pytest.mark.parametrize("weights", ["balanced", {0: 0.2, 1: 5.0}])
def test_class_weights_are_those_of_scikit_learn(weights):
    X, y = make_classification(2000, 6, n_informative=6, n_redundant=0, flip_y=0.2, random_state=1)
    X = X.astype(np.float32)
    told = {"class_weight": weights, "min_samples_leaf": 100}  # small nodes have ties, drawn by the peer
    ours = DecisionTreeClassifier(**told).fit(X, y)
    theirs = PeerTree(**told, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-9)


@pytest.mark.parametrize("least", [0.01, 0.1])
def test_the_least_weight_of_a_leaf_is_that_of_scikit_learn(least):
    X, y = make_classification(500, 6, flip_y=0.1, random_state=2)
    X, weights = X.astype(np.float32), np.random.default_rng(0).integers(1, 5, 500).astype(float)
    ours = DecisionTreeClassifier(min_weight_fraction_leaf=least).fit(X, y, weights)
    theirs = PeerTree(min_weight_fraction_leaf=least, random_state=0).fit(X, y, weights)
    assert ours.tree_.weight[ours.tree_.is_leaf].min() >= least * weights.sum()
    assert ours.get_n_leaves() == theirs.get_n_leaves()


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({7: 2.0}, "class_weight must be keyed by class labels, got 7."),
        ({0: -1.0}, "class_weight must be a number of at least 0 for each class, got -1.0."),
        ({0: 0, 1: 0}, "class_weight must be above 0 for some class, got {0: 0, 1: 0}."),
    ],
)
def test_class_weights_that_cannot_be(weights, said):
    with pytest.raises(ParameterError) as error:
        DecisionTreeClassifier(class_weight=weights).fit([[0.0], [1.0]], [0, 1])
    assert str(error.value) == said


def test_smoothing_is_laplaces():
    X, y = [[0.0], [0.0], [1.0], [1.0], [1.0]], [0, 0, 1, 1, 1]
    model = DecisionTreeClassifier(smoothing=1.0).fit(X, y)
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]]), [[3 / 4, 1 / 4], [1 / 5, 4 / 5]])


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error"])
def test_leaves_answer_with_the_mean_or_the_median(criterion):
    X, y = np.repeat([0.0, 1.0], 5)[:, None], np.array([1, 2, 3, 4, 90, 100, 101, 102, 103, 500.0])
    wanted = [20.0, 181.2] if criterion == "squared_error" else [3.0, 102.0]
    model = DecisionTreeRegressor(criterion).fit(X, y)
    assert model.predict([[0.0], [1.0]]).tolist() == pytest.approx(wanted)


def test_unseen_levels_are_counted_and_stop_where_they_are_asked_for():
    X = pl.DataFrame({"a": ["x", "x", "y", "z"], "b": [1.0, 2.0, 3.0, 4.0]})
    model = DecisionTreeClassifier(categories="multiway", criterion="entropy").fit(X, [0, 0, 1, 1])
    new = pl.DataFrame({"a": ["w", None, "x"], "b": [1.0, 1.0, None]})
    assert model.unseen(new).tolist() == [1, 0]
    assert model.predict_proba(new)[0].tolist() == [0.5, 0.5]


def test_c45_takes_a_millionth_of_a_bit_for_nothing():
    """As J48 does: 10,005 of 20,000 rows against 9,995 are told apart by less than 1e-6 bits."""
    X = np.repeat([[0.0], [0.0], [1.0], [1.0]], [10005, 9995, 9995, 10005], axis=0)
    y = np.repeat([0, 1, 0, 1], [10005, 9995, 9995, 10005])
    for options in ({}, {"cut_penalty": False}):
        assert C45Classifier(prune=None, **options).fit(X, y).get_n_leaves() == 1
    frame = pl.DataFrame({"a": pl.Series(["u", "v"])[X[:, 0].astype(int)].cast(pl.Categorical)})
    assert C45Classifier(prune=None).fit(frame, y).get_n_leaves() == 1


def test_cuts_between_short_numbers_are_short():
    for low, high, cut in ((3.3, 3.4, 3.35), (0.1, 0.2, 0.15), (1.1, 2.2, 1.65), (2.675, 2.685, 2.68)):
        model = DecisionTreeClassifier().fit([[low], [high]], [0, 1])
        assert model.tree_.threshold[0] == cut
