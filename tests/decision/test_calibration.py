"""Calibration: curves against scikit-learn's and against first principles; parts, weights, tables."""

import pickle

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.special import expit
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold, RepeatedStratifiedKFold, ShuffleSplit, StratifiedKFold
from sklearn.svm import SVC

import classica as c
from classica import BayesDecisionClassifier, TableClassifier
from classica.decision.calibration import CalibratedClassifier, shares_of
from classica.decision.isotonic_curve import IsotonicCurve
from classica.decision.sigmoid_curve import SigmoidCurve
from classica.errors import DataError, ParameterError
from classica.tables import load_table
from tests.contract.cases import table

X, Y = table()
MACHINES = [
    c.SVMClassifier(),
    c.LinearSVMClassifier(),
    c.PerceptronClassifier(max_iter=5, random_state=0),
    c.KernelPerceptronClassifier(max_iter=3, random_state=0),
    c.WinnowClassifier(max_iter=5, random_state=0),
]


class Scores(ClassifierMixin, BaseEstimator):
    """A classifier whose scores are the columns of X; one column for two classes."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X):
        X = np.asarray(X, dtype=float)
        return X[:, 0] if X.shape[1] == 1 else X

    def predict(self, X):
        return self.classes_[np.zeros(len(X), dtype=int)]


# The curves


samples = st.lists(
    st.tuples(st.floats(-1e6, 1e6), st.booleans(), st.integers(1, 5)), min_size=1, max_size=30
).map(lambda rows: tuple(np.array(column) for column in zip(*rows, strict=True)))


@given(samples)
def test_no_slope_and_offset_are_more_likely(sample):
    scores, positive, weights = sample
    curve = SigmoidCurve.fitted(scores, positive, weights.astype(float))
    inside, outside = weights[positive].sum(), weights[~positive].sum()
    targets = np.where(positive, (inside + 1) / (inside + 2), 1 / (outside + 2))
    missing = weights * (targets - curve(scores))
    z = scores / curve.scale - curve.center
    assert abs(missing.sum()) < 1e-7 * weights.sum()
    assert abs((missing * z).sum()) < 1e-7 * weights.sum()


def test_platts_targets_by_hand():
    """Two rows on each side, told apart by a score of one size: the curve hits the targets 3/4 and 1/4."""
    scores, positive = np.array([-1.0, -1.0, 1.0, 1.0]), np.array([False, False, True, True])
    curve = SigmoidCurve.fitted(scores, positive, np.ones(4))
    np.testing.assert_allclose(curve(np.array([-1.0, 0.0, 1.0])), [0.25, 0.5, 0.75], rtol=1e-12)
    np.testing.assert_allclose(curve.slope / curve.scale, np.log(3), rtol=1e-12)


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1.0, 1e150, 1.7e308])
def test_scores_of_any_size(size):
    random = np.random.default_rng(0)
    positive = random.random(50) < 0.4
    scores = np.where(positive, 1.0, 0.5) * np.sign(random.normal(size=50) + positive) * size
    for curve in (kind.fitted(scores, positive, np.ones(50)) for kind in (SigmoidCurve, IsotonicCurve)):
        found = curve(np.concatenate([scores, [np.inf, -np.inf, 0.0, 1.7e308, -1.7e308, 5e-324]]))
        assert np.isfinite(found).all()
        assert found.min() >= 0
        assert found.max() <= 1
    plain = SigmoidCurve.fitted(scores / size, positive, np.ones(50))
    np.testing.assert_allclose(
        SigmoidCurve.fitted(scores, positive, np.ones(50))(scores), plain(scores / size)
    )


@given(samples)
def test_the_isotonic_curve_is_that_of_scikit_learn(sample):
    scores, positive, weights = sample
    curve = IsotonicCurve.fitted(scores, positive, weights.astype(float))
    peer = IsotonicRegression(out_of_bounds="clip").fit(scores, positive, weights)
    asked = np.concatenate([scores, np.linspace(-1.1e6, 1.1e6, 50)])
    np.testing.assert_allclose(curve(asked), peer.predict(asked), rtol=0, atol=1e-12)


def test_where_all_curves_say_zero_classes_share_alike():
    found = shares_of(np.array([[0.0, 0.0, 0.0], [0.0, 5e-324, 0.0], [0.3, 0.3, 0.6]]))
    np.testing.assert_allclose(found, [[1 / 3] * 3, [0, 1, 0], [0.25, 0.25, 0.5]])


# Against scikit-learn


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("learner", [c.SVMClassifier(), c.NaiveBayesClassifier(), c.DecisionTreeClassifier()])
def test_the_numbers_are_those_of_scikit_learn(learner, method, weighted):
    iris = load_iris(return_X_y=True)
    for rows, labels in [(X, Y), (X, Y == "ape"), iris]:
        weights = np.random.default_rng(0).uniform(0.2, 3, len(labels)) if weighted else None
        mine = CalibratedClassifier(learner, method).fit(rows, labels, weights)
        peer = CalibratedClassifierCV(learner, method=method, ensemble=False).fit(rows, labels, weights)
        np.testing.assert_allclose(mine.predict_proba(rows), peer.predict_proba(rows), rtol=0, atol=1e-6)
        np.testing.assert_array_equal(mine.predict(rows), mine.classes_[mine.predict_proba(rows).argmax(1)])


# Parts


@pytest.mark.parametrize("cv", [3, None, KFold(4), StratifiedKFold(3, shuffle=True, random_state=1), "list"])
def test_parts_of_every_kind(cv):
    given_parts = list(KFold(3).split(X)) if cv == "list" else cv
    model = CalibratedClassifier(c.LinearSVMClassifier(), cv=given_parts).fit(X, Y)
    peer = CalibratedClassifierCV(c.LinearSVMClassifier(), cv=given_parts, ensemble=False).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-6)


def test_parts_once_and_from_an_iterator_and_as_masks():
    parts = [(np.arange(len(Y)) % 3 != k, np.arange(len(Y)) % 3 == k) for k in range(3)]
    first = BayesDecisionClassifier(c.SVMClassifier(), calibration="sigmoid", cv=iter(parts)).fit(X, Y)
    second = BayesDecisionClassifier(
        c.SVMClassifier(),
        calibration="sigmoid",
        cv=[(np.flatnonzero(learned), np.flatnonzero(held)) for learned, held in parts],
    ).fit(X, Y)
    np.testing.assert_array_equal(first.predict_proba(X), second.predict_proba(X))


def test_a_row_held_out_twice_counts_once():
    """The same parts three times are the same parts."""
    parts = list(StratifiedKFold(4).split(X, Y))
    for method in ("sigmoid", "isotonic", "softmax", "auto"):
        once = CalibratedClassifier(c.SVMClassifier(), method, parts).fit(X, Y)
        thrice = CalibratedClassifier(c.SVMClassifier(), method, parts * 3).fit(X, Y)
        np.testing.assert_allclose(thrice.predict_proba(X), once.predict_proba(X), rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "cv", [RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0), ShuffleSplit(4, random_state=0)]
)
def test_parts_that_overlap_or_leave_rows_out(cv):
    model = CalibratedClassifier(c.SVMClassifier(), "sigmoid", cv).fit(X, Y)
    assert model.score(X, Y) > 0.6
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1.0)


@pytest.mark.filterwarnings("ignore:The least populated class")
def test_a_class_that_is_missing_in_some_parts():
    """A class of two rows in five parts; one of one row."""
    X, y = table(rows=60, columns=3)
    for few, least in ((2, 0.2), (1, 0.0)):
        rows = np.flatnonzero((y != "ape") | (np.cumsum(y == "ape") <= few))
        for learner in (c.SVMClassifier(), c.NaiveBayesClassifier()):
            model = BayesDecisionClassifier(learner, calibration="sigmoid").fit(X[rows], y[rows])
            found = model.predict_proba(X[rows])
            assert model.classes_.tolist() == ["ape", "bee", "cat"]
            assert (found[:, 0] > 0).all()
            assert found[y[rows] == "ape", 0].mean() >= least * found[:, 0].mean()


def test_two_classes_left_outside_a_part():
    """The clones that know two of three classes give one score, the others three."""
    parts = [(np.flatnonzero(label != Y), np.flatnonzero(label == Y)) for label in ("ape", "bee", "cat")]
    parts += list(StratifiedKFold(3).split(X, Y))
    for learner in (c.LinearSVMClassifier(), c.NearestMeanClassifier()):
        model = CalibratedClassifier(learner, cv=parts).fit(X, Y)
        assert np.isfinite(model.predict_proba(X)).all()


def test_what_parts_must_leave():
    one_class = [(np.flatnonzero(Y == "ape"), np.flatnonzero(Y != "ape"))]
    never = [(np.flatnonzero(Y != "ape"), np.flatnonzero(Y == "ape"))]
    for cv, kind, message in [
        (one_class, DataError, "two classes, got only .'ape'. in fold 1"),
        (never, ParameterError, "cv must have training rows of every class .* got none of 'ape'"),
        ([], ParameterError, "cv must yield at least one test fold, got none"),
        (len(Y) // 3 + 1, ParameterError, "cv must be at most 40, the number of rows of the most frequent"),
    ]:
        with pytest.raises(kind, match=message):
            BayesDecisionClassifier(c.NearestMeanClassifier(), calibration="sigmoid", cv=cv).fit(X, Y)


def test_one_class_only():
    model = BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="sigmoid").fit(X, ["a"] * len(X))
    assert model.predict_proba(X[:2]).tolist() == [[1.0], [1.0]]
    assert model.predict(X[:2]).tolist() == ["a", "a"]


# Frozen classifiers, scores and weights


@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_a_frozen_classifier_needs_no_parts(method):
    frozen = FrozenEstimator(c.SVMClassifier().fit(X[::2], Y[::2]))
    model = BayesDecisionClassifier(frozen, calibration=method, cv=1000).fit(X[1::2], Y[1::2])
    peer = CalibratedClassifierCV(frozen, method=method, cv=3).fit(X[1::2], Y[1::2])
    np.testing.assert_allclose(model.predict_proba(X), peer.predict_proba(X), rtol=0, atol=1e-6)


def test_a_frozen_classifier_may_know_more_classes_than_the_rows():
    frozen = FrozenEstimator(c.SVMClassifier().fit(X, Y))
    rows = np.flatnonzero(Y != "bee")
    for method in ("sigmoid", "isotonic"):
        model = BayesDecisionClassifier(frozen, calibration=method).fit(X[rows], Y[rows])
        assert model.classes_.tolist() == ["ape", "bee", "cat"]
        assert model.predict_proba(X)[:, 1].max() < 0.1


def test_odd_scores():
    scores = np.array([[-np.inf], [-1.0], [0.5], [np.inf], [1.0], [-2.0]])
    y = np.array([0, 0, 1, 1, 1, 0])
    for method in ("sigmoid", "isotonic"):
        model = CalibratedClassifier(Scores(), method, cv=2).fit(scores, y)
        found = model.predict_proba(scores)[:, 1]
        assert np.isfinite(found).all()
        assert (np.diff(found[np.argsort(scores[:, 0])]) >= 0).all()
    with pytest.raises(DataError, match=r"^The scores of Scores must be numbers, got .* in row 1\.$"):
        model.predict_proba([[0.0], [np.nan]])
    with pytest.raises(DataError, match=r"^The scores of Scores must be one for each of 2 classes"):
        model.predict_proba([[0.0, 1.0, 2.0]])


def test_scores_of_pairs_are_refused():
    X, y = table(rows=80)
    y = y.copy()
    y[::4] = "dog"
    pairs = SVC(decision_function_shape="ovo")
    with pytest.raises(DataError, match=r"^The scores of SVC must be one for each of 4 classes, got"):
        BayesDecisionClassifier(pairs, calibration="sigmoid").fit(X, y)


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "softmax", "auto"])
def test_a_weight_of_zero_is_a_row_that_is_not_there(method):
    parts = list(StratifiedKFold(3).split(X, Y))
    weights = (np.arange(len(Y)) % 4 != 0).astype(float)
    weighted = CalibratedClassifier(c.LinearSVMClassifier(), method, parts).fit(X, Y, weights)
    left = np.flatnonzero(weights)
    place = np.cumsum(weights).astype(int) - 1
    shorter = [tuple(place[np.intersect1d(rows, left)] for rows in pair) for pair in parts]
    plain = CalibratedClassifier(c.LinearSVMClassifier(), method, shorter).fit(X[left], Y[left])
    np.testing.assert_allclose(weighted.predict_proba(X), plain.predict_proba(X), rtol=0, atol=1e-7)


# Machines and tables


@pytest.mark.parametrize("learner", MACHINES, ids=lambda learner: type(learner).__name__)
def test_every_margin_machine(learner):
    for method in ("sigmoid", "isotonic", "softmax", "auto"):
        model = BayesDecisionClassifier(learner, calibration=method, cv=3).fit(X, Y)
        again = BayesDecisionClassifier(learner, calibration=method, cv=3).fit(X, Y)
        found = model.predict_proba(X)
        np.testing.assert_array_equal(found, again.predict_proba(X))
        np.testing.assert_array_equal(found[:7], model.predict_proba(X[:7]))
        np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict_proba(X), found)
        assert method == "isotonic" or log_loss(Y, found) < np.log(3)


def test_probabilities_mean_what_they_say():
    """Naive Bayes is too sure where columns repeat; calibrated, it is right as often as it says."""
    random = np.random.default_rng(0)
    y = random.random(2000) < 0.5
    rows = np.repeat(random.normal(size=2000)[:, None] + y[:, None], 10, axis=1)
    plain = c.NaiveBayesClassifier().fit(rows[:1000], y[:1000]).predict_proba(rows[1000:])
    model = BayesDecisionClassifier(c.NaiveBayesClassifier(), calibration="sigmoid").fit(
        rows[:1000], y[:1000]
    )
    honest = model.predict_proba(rows[1000:])
    truth = expit(rows[1000:, 0] - 0.5)
    assert np.abs(plain[:, 1] - truth).mean() > 0.2
    assert np.abs(honest[:, 1] - truth).mean() < 0.05
    assert log_loss(y[1000:], honest) < 0.5 * log_loss(y[1000:], plain)


def test_sparse_rows_in_a_format_that_gives_none():
    sparse = coo_array(np.where(X > 0.3, X, 0.0))
    found = BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="sigmoid").fit(sparse, Y)
    dense = BayesDecisionClassifier(c.LinearSVMClassifier(), calibration="sigmoid").fit(sparse.toarray(), Y)
    np.testing.assert_allclose(
        found.predict_proba(sparse.tocsr()), dense.predict_proba(sparse.toarray()), rtol=0, atol=1e-6
    )


@pytest.mark.parametrize("name", ["golf", "vote"])
@pytest.mark.parametrize("learner", [c.LinearSVMClassifier(), c.C45Classifier()])
def test_inside_and_around_a_table(name, learner):
    """Frames of polars with categories and gaps: cells as they are, inside and outside."""
    golf = load_table(name)
    inside = TableClassifier(BayesDecisionClassifier(learner, calibration="sigmoid", cv=3), golf.schema)
    outside = BayesDecisionClassifier(TableClassifier(learner, golf.schema), calibration="sigmoid", cv=3)
    assert inside.fit(golf, golf.y).score(golf.frame, golf.y) > 0.6
    of_table = outside.fit(golf, golf.y).predict_proba(golf)
    of_frame = outside.fit(golf.frame, golf.y).predict_proba(golf.frame)
    np.testing.assert_array_equal(of_table, of_frame)
    assert isinstance(golf.frame, pl.DataFrame)
    plain = BayesDecisionClassifier(TableClassifier(c.NaiveBayesClassifier(), golf.schema)).fit(golf, golf.y)
    assert plain.predict(golf.frame.head(3)).shape == (3,)


def test_a_path_has_no_parts(tmp_path):
    golf = load_table("golf")
    golf.frame.write_csv(tmp_path / "golf.csv")
    model = BayesDecisionClassifier(TableClassifier(c.C45Classifier(), golf.schema), calibration="sigmoid")
    with pytest.raises(DataError, match=r"^X must be rows that can be split into folds, got '.*golf.csv'\.$"):
        model.fit(str(tmp_path / "golf.csv"), golf.y)
