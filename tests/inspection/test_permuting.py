"""Permutation importance: the same as scikit-learn's, by column of the table, out of fold."""

import numpy as np
import polars as pl
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris, load_wine
from sklearn.inspection import permutation_importance as sklearn_importance
from sklearn.model_selection import train_test_split

from classica import LogisticClassifier, NaiveBayesClassifier, RandomForestClassifier
from classica.errors import ClassicaError
from classica.inspection import Importances, cross_val_importance, permutation_importance
from classica.inspection.importances import FoldImportance, pooled_importances
from classica.recorded import from_record

WINE = load_wine(as_frame=True)


class MissingTeller(ClassifierMixin, BaseEstimator):
    """Predicts whether a cell of the first column is missing."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X.to_series(0).is_null().to_numpy().astype(int)


def sklearn_orders(X, repeats, seed):
    """Return the permutations that scikit-learn draws: it shuffles columns that it has shuffled before."""
    state = np.random.RandomState(np.random.RandomState(seed).randint(np.iinfo(np.int32).max + 1))
    shuffled, cells, orders = np.arange(len(X)), np.arange(len(X)), []
    for _ in range(repeats):
        state.shuffle(shuffled)
        cells = cells[shuffled]
        orders.append(cells)
    return np.array(orders)


@pytest.mark.parametrize("scoring", ["accuracy", "neg_log_loss"])
def test_the_same_permutations_give_the_importances_of_scikit_learn(scoring):
    X, rest, y, labels = train_test_split(WINE.data.to_numpy(), WINE.target.to_numpy(), random_state=0)
    model = NaiveBayesClassifier().fit(X, y)
    theirs = sklearn_importance(model, rest, labels, n_repeats=6, random_state=3, scoring=scoring)
    ours = permutation_importance(
        model,
        rest,
        labels,
        scoring={"accuracy": "accuracy", "neg_log_loss": "log_loss"}[scoring],
        permutations=sklearn_orders(rest, 6, 3),
    )
    found = {each.column: each.drop.mean for each in ours.columns}
    np.testing.assert_allclose(
        [found[f"x{index}"] for index in range(13)], theirs.importances_mean, atol=1e-12
    )


def test_other_permutations_agree_within_noise():
    X, rest, y, labels = train_test_split(WINE.data, WINE.target, random_state=1, test_size=0.5)
    model = RandomForestClassifier(30, random_state=0).fit(X, y)
    theirs = sklearn_importance(model, rest, labels, n_repeats=20, random_state=0)
    ours = permutation_importance(model, rest, labels, n_repeats=20, random_state=9)
    found = np.array([{e.column: e.drop.mean for e in ours.columns}[name] for name in X.columns])
    noise = np.maximum(theirs.importances_std, 0.005) * np.sqrt(2 / 20)
    assert (np.abs(found - theirs.importances_mean) < 5 * noise).all()


def test_columns_of_a_group_are_permuted_together():
    random = np.random.default_rng(0)
    level = random.integers(0, 3, 300)
    one_hot = np.eye(3)[level]
    X = np.column_stack([one_hot, random.normal(size=300)])
    model = LogisticClassifier().fit(X, level == 1)
    groups = {"level": ["x0", "x1", "x2"], "noise": [3]}
    found = permutation_importance(model, X, level == 1, groups=groups, n_repeats=20)
    drops = {each.column: each.drop.mean for each in found.columns}
    # A row keeps its answer with a probability of 1/3² + (2/3)²: rows stay whole levels.
    assert drops["level"] == pytest.approx(4 / 9, abs=0.03)
    assert drops["noise"] == 0
    seen = []
    permutation_importance(
        model, X, level == 1, groups=groups, scoring=lambda m, rows, y: seen.append(rows[:, :3].sum(1)) or 0.0
    )
    assert all((sums == 1).all() for sums in seen)


def test_missing_values_and_levels_are_permuted_as_they_are():
    random = np.random.default_rng(1)
    kind = random.integers(0, 3, 400)
    words = pl.Series(["red", "blue", None])[kind].cast(pl.Enum(["blue", "red"]))
    frame = pl.DataFrame({"kind": words, "number": random.normal(size=400)})
    y = (kind == 2).astype(int)  # all that tells is whether the cell is missing
    found = cross_val_importance(MissingTeller(), frame, y, 4)
    assert found.names(1) == ["kind"]
    assert found.columns[0].drop.mean == pytest.approx(4 / 9, abs=0.06)
    assert found.columns[0].matters
    assert not found.columns[1].matters


def test_a_pandas_frame_keeps_its_names():
    found = cross_val_importance(LogisticClassifier(), WINE.data, WINE.target, 3, n_repeats=2)
    assert {each.column for each in found.columns} == set(WINE.data.columns)
    assert found.folds == 3
    assert found.rows == 178
    assert found.learned_rows == 119


def test_intervals_are_wider_for_shared_training_rows():
    drops = np.array([[0.1, 0.0], [0.2, 0.0], [0.15, 0.0]])
    wide = [FoldImportance(0.9, each, 10, 20) for each in drops]
    narrow = [FoldImportance(0.9, each, 10, 10**9) for each in drops]
    found = [pooled_importances("accuracy", ["a", "b"], folds, 5, 0.95) for folds in (wide, narrow)]
    widths = [each.columns[0].drop.high - each.columns[0].drop.low for each in found]
    # n₂/n₁ = 10/20 is added to 1/3, as Nadeau and Bengio have it.
    assert widths[0] / widths[1] == pytest.approx(np.sqrt((1 / 3 + 1 / 2) / (1 / 3)))
    assert not found[0].columns[1].matters


def test_a_result_survives_json():
    iris = load_iris()
    found = cross_val_importance(NaiveBayesClassifier(), iris.data, iris.target, 3, n_repeats=2)
    assert from_record(Importances, found.record()) == found
    assert "drop of accuracy" in str(found)


def test_what_does_not_fit_is_refused():
    model = NaiveBayesClassifier().fit(WINE.data, WINE.target)
    with pytest.raises(ClassicaError, match=r"^n_repeats must be an integer of at least 1, got 0\.$"):
        permutation_importance(model, WINE.data, WINE.target, n_repeats=0)
    with pytest.raises(ClassicaError, match=r"^y and permutations must be about 178 rows"):
        permutation_importance(model, WINE.data, WINE.target[:3])
    with pytest.raises(ClassicaError, match=r"^column must be one of alcohol, "):
        permutation_importance(model, WINE.data, WINE.target, groups={"a": ["nothing"]})
    with pytest.raises(ClassicaError, match=r"^metric must be 'accuracy', "):
        permutation_importance(model, WINE.data, WINE.target, scoring="nothing")
