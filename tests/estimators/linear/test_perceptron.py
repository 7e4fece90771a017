import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from classica import (
    KernelPerceptronClassifier,
    PerceptronClassifier,
    WeightedMajorityClassifier,
    WinnowClassifier,
)
from classica.errors import DataError, ParameterError
from classica.native.online_learners import epoch_order
from tests.reference import online as reference

VARIANTS = ["plain", "pocket", "voted", "averaged"]
each_variant = pytest.mark.parametrize("variant", VARIANTS)
each_scheme = pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])


def overlapping(rows=200, columns=4, classes=2, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    return random.normal(size=(rows, columns)) + random.normal(size=(classes, columns))[y], y


def in_order(model):
    return model.set_params(shuffle=False)


# The rule


def test_the_lecture_by_hand():
    # (2, 0) of the second class scores 0: added. (1, 3) of the first scores 2: taken away.
    model = PerceptronClassifier("plain", shuffle=False, fit_intercept=False, max_iter=1)
    model.fit([[2, 0], [1, 3]], [1, 0])
    assert model.coef_.tolist() == [[1, -3]]
    assert model.mistakes_.tolist() == [[2]]
    assert model.n_updates_.tolist() == [2]
    assert not model.converged_
    model.set_params(max_iter=9).fit([[2, 0], [1, 3]], [1, 0])
    assert model.mistakes_.ravel().tolist() == [2, 0]
    assert model.coef_.tolist() == [[1, -3]]
    assert model.converged_
    assert model.n_iter_ == 2


def test_a_score_of_zero():
    rows, sides = [[1.0], [2.0], [3.0]], [0, 0, 1]
    mistaken = PerceptronClassifier("plain", shuffle=False, max_iter=1, fit_intercept=False)
    assert mistaken.fit(rows, sides).mistakes_.tolist() == [[2]]
    assert mistaken.coef_.tolist() == [[2]]  # -1, and 3 for the third row
    # It speaks for the second class: right for the third row if nothing came before, wrong for the others.
    first = PerceptronClassifier("plain", shuffle=False, max_iter=1, fit_intercept=False, zero="first")
    assert first.fit(rows[::-1], sides[::-1]).mistakes_.tolist() == [[1]]
    assert mistaken.fit(rows[::-1], sides[::-1]).mistakes_.tolist() == [[3]]


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("variant", ["plain", "voted", "averaged"])
def test_two_classes_equal_the_reference(variant, intercept, shuffle):
    X, y = overlapping()
    model = PerceptronClassifier(
        variant, max_iter=3, fit_intercept=intercept, shuffle=shuffle, random_state=4
    ).fit(X, y)
    orders = [epoch_order(model._seed, e, len(X)) if shuffle else range(len(X)) for e in range(3)]
    weights, survived, mistakes = reference.perceptron(X, 2 * y - 1, orders, intercept=intercept)
    assert model.mistakes_.ravel().tolist() == mistakes
    if variant == "voted":
        wanted = reference.votes(X, weights, survived, intercept=intercept)
        np.testing.assert_allclose(model.decision_function(X), wanted, rtol=1e-12, atol=1e-14)
    chosen = survived @ weights / survived.sum() if variant == "averaged" else weights[-1]
    np.testing.assert_allclose(model.coef_[0], chosen[:-1], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(model.intercept_[0], chosen[-1], rtol=1e-12, atol=1e-12)


def test_the_pocket_holds_the_weights_that_survived_longest():
    X, y = overlapping(rows=60)
    model = in_order(PerceptronClassifier("pocket", max_iter=5)).fit(X, y)
    weights, survived, _ = reference.perceptron(X, 2 * y - 1, [range(60)] * 5)
    np.testing.assert_array_equal(model.coef_[0], weights[survived.argmax()][:-1])


def test_the_pocket_draws_rows_again_and_again():
    X = np.arange(50.0).reshape(-1, 1)
    model = PerceptronClassifier("pocket", max_iter=1, random_state=0, fit_intercept=False)
    once = PerceptronClassifier("plain", max_iter=1, random_state=0, fit_intercept=False)
    # One row of the second class: it comes once in an order of all rows, not so among draws.
    y = np.zeros(50, dtype=int)
    y[-1] = 1
    assert model.fit(X, y).mistakes_.sum() != once.fit(X, y).mistakes_.sum()


def test_the_pocket_on_separable_rows_separates_them():
    X, y = separable(np.random.default_rng(0), 80, 3, 0.1)
    model = PerceptronClassifier("pocket", max_iter=2000, random_state=1).fit(X, y)
    assert model.converged_
    assert (model.predict(X) == y).all()


def test_the_pocket_is_better_than_the_last_weights_on_overlapping_classes():
    X, y = overlapping(rows=2000, columns=10, seed=3)
    pocket, plain = (
        np.mean([PerceptronClassifier(v, random_state=s).fit(X, y).score(X, y) for s in range(10)])
        for v in ("pocket", "plain")
    )
    assert pocket > plain


# Novikoff's bound


def separable(random, rows, columns, margin):
    """Return rows at least `margin` from a random plane through the origin, and their side."""
    normal = random.normal(size=columns)
    normal /= np.linalg.norm(normal)
    X = random.normal(size=(rows, columns))
    distances = X @ normal
    y = (distances > 0).astype(int)
    y[: 2 if rows > 1 else 0] = [0, 1][: len(y)]
    wanted = np.where(y == 1, 1, -1) * (margin + np.abs(distances))
    return X + np.outer(wanted - distances, normal), y


@given(
    st.integers(0, 2**32 - 1),
    st.integers(2, 60),
    st.integers(1, 8),
    st.floats(0.01, 2),
    st.sampled_from(["plain", "voted", "averaged"]),
)
def test_novikoff(seed, rows, columns, margin, variant):
    X, y = separable(np.random.default_rng(seed), rows, columns, margin)
    radius = np.linalg.norm(X, axis=1).max()
    model = PerceptronClassifier(variant, fit_intercept=False, max_iter=100_000, random_state=seed).fit(X, y)
    assert model.converged_
    assert model.n_updates_[0] <= (radius / margin) ** 2 * (1 + 1e-9)
    if variant == "plain":
        assert (model.predict(X) == y).all()


def test_novikoff_counts_the_column_of_ones():
    random = np.random.default_rng(7)
    for _ in range(20):
        X, y = separable(random, 50, 3, 0.3)
        model = PerceptronClassifier("plain", max_iter=100_000, random_state=0).fit(X, y)
        bound = (np.linalg.norm(X, axis=1).max() ** 2 + 1) / 0.3**2
        assert model.converged_
        assert model.n_updates_[0] <= bound


# More classes


@each_scheme
@pytest.mark.parametrize("variant", ["plain", "voted", "averaged"])
def test_machines_are_two_class_machines(variant, multi_class):
    X, y = overlapping(classes=4)
    model = PerceptronClassifier(variant, max_iter=3, multi_class=multi_class, shuffle=False).fit(X, y)
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    of_machines = [(y == a, np.ones(len(y), bool)) for a in range(4)]
    if multi_class == "all-vs-all":
        of_machines = [(y == a, (y == a) | (y == b)) for a, b in pairs]
    assert model.coef_.shape == (len(of_machines), 4)
    for machine, (first, kept) in enumerate(of_machines):
        alone = PerceptronClassifier(variant, max_iter=3, shuffle=False).fit(X[kept], first[kept])
        np.testing.assert_array_equal(model.coef_[machine], alone.coef_[0])
        np.testing.assert_array_equal(model.mistakes_[:, machine], alone.mistakes_[:, 0])
        if multi_class == "one-vs-all":
            margins = model.decision_function(X)[:, machine]
            np.testing.assert_allclose(margins, alone.decision_function(X), rtol=0, atol=1e-13)


@each_variant
@each_scheme
def test_a_single_class(variant, multi_class):
    model = PerceptronClassifier(variant, multi_class=multi_class).fit([[0.0], [1.0]], ["only", "only"])
    assert model.predict([[5.0]]) == "only"
    assert model.coef_.shape == (0, 1)
    assert model.converged_


# Orders and seeds


@each_variant
def test_seeds_matter_and_nothing_else_does(variant):
    X, y = overlapping(classes=3)
    one, same, other = (PerceptronClassifier(variant, random_state=s).fit(X, y) for s in (1, 1, 2))
    np.testing.assert_array_equal(one.coef_, same.coef_)
    assert (one.coef_ != other.coef_).any()


@each_variant
def test_every_epoch_has_its_own_order(variant):
    # Zero weights and rows that are all errors: what is learned in one epoch depends on the order.
    X, y = overlapping(rows=500)
    model = PerceptronClassifier(variant, max_iter=10, random_state=0).fit(X, y)
    assert len(set(model.mistakes_.ravel().tolist())) > 3


@each_variant
@each_scheme
def test_sparse_rows_give_the_same_machines(variant, multi_class):
    X, y = overlapping(rows=120, columns=6, classes=3)
    X[np.random.default_rng(1).random(X.shape) < 0.6] = 0
    dense = PerceptronClassifier(variant, multi_class=multi_class, random_state=0).fit(X, y)
    for make in (sp.csr_matrix, sp.csr_array, sp.csc_array):
        sparse = PerceptronClassifier(variant, multi_class=multi_class, random_state=0).fit(make(X), y)
        np.testing.assert_array_equal(sparse.mistakes_, dense.mistakes_)
        np.testing.assert_array_equal(sparse.coef_, dense.coef_)
        for model in (sparse, dense):
            for rows in (X, make(X)):
                np.testing.assert_allclose(
                    model.decision_function(rows), dense.decision_function(X), rtol=1e-11, atol=1e-11
                )


# Going on


@pytest.mark.parametrize("variant", ["plain", "voted", "averaged"])
@each_scheme
def test_partial_fits_in_order_are_epochs(variant, multi_class):
    X, y = overlapping(classes=3)
    whole = PerceptronClassifier(variant, max_iter=3, multi_class=multi_class, random_state=5).fit(X, y)
    parts = PerceptronClassifier(variant, multi_class=multi_class, random_state=5)
    for _ in range(3):
        parts.partial_fit(X, y)
    np.testing.assert_array_equal(parts.mistakes_, whole.mistakes_)
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X), rtol=0, atol=1e-12)


@each_variant
def test_rows_can_come_in_pieces(variant):
    X, y = overlapping(rows=100)
    whole = in_order(PerceptronClassifier(variant, max_iter=1)).fit(X, y)
    parts = in_order(PerceptronClassifier(variant))
    for start in range(0, 100, 7):
        parts.partial_fit(X[start : start + 7], y[start : start + 7], classes=[0, 1])
    np.testing.assert_array_equal(parts.coef_, whole.coef_)
    np.testing.assert_array_equal(parts.decision_function(X), whole.decision_function(X))
    assert parts.mistakes_.sum() == whole.mistakes_.sum()


def test_labels_must_be_announced():
    X, y = overlapping(classes=3)
    model = PerceptronClassifier().partial_fit(X, y, classes=[0, 1, 2, 7])
    assert model.classes_.tolist() == [0, 1, 2, 7]
    model.partial_fit(X[:3], [7, 7, 0])
    with pytest.raises(DataError, match=r"y must hold .*, got 5\."):
        model.partial_fit(X[:2], [0, 5])


def test_the_scheme_stays():
    X, y = overlapping(classes=3)
    model = PerceptronClassifier().fit(X, y).set_params(multi_class="all-vs-all")
    with pytest.raises(ParameterError, match="multi_class must be the one of the first fit"):
        model.partial_fit(X, y)


# What it is told, and what it tells


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"variant": "best"}, "variant must be"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"zero": "second"}, "zero must be"),
        ({"shuffle": 1}, "shuffle must be"),
    ],
)
def test_bad_parameters(options, reason):
    with pytest.raises(ParameterError, match=reason):
        PerceptronClassifier(**options).fit(*overlapping())


def test_no_weights_are_taken():
    X, y = overlapping()
    with pytest.raises(TypeError):
        PerceptronClassifier().fit(X, y, sample_weight=np.ones(len(X)))


def test_averages_beat_last_weights_on_overlapping_classes():
    X, y = overlapping(rows=3000, columns=8, seed=2)
    scores = {
        v: np.mean(
            [PerceptronClassifier(v, max_iter=5, random_state=s).fit(X, y).score(X, y) for s in range(8)]
        )
        for v in ("plain", "averaged", "voted")
    }
    assert scores["averaged"] > scores["plain"]
    assert abs(scores["averaged"] - scores["voted"]) < 0.01


@each_variant
def test_column_order_does_not_matter_to_what_is_learned(variant):
    X, y = overlapping(columns=7)
    straight = PerceptronClassifier(variant, random_state=0).fit(X, y)
    turned = PerceptronClassifier(variant, random_state=0).fit(np.asfortranarray(X), y)
    np.testing.assert_array_equal(straight.coef_, turned.coef_)


def test_parameters_changed_after_fit_change_nothing():
    X, y = overlapping()
    model = PerceptronClassifier("voted", random_state=0).fit(X, y)
    before = model.decision_function(X)
    model.set_params(fit_intercept=False, zero="first", variant="plain")
    np.testing.assert_array_equal(model.decision_function(X), before)


@pytest.mark.parametrize(
    "model",
    [PerceptronClassifier(), KernelPerceptronClassifier(), WinnowClassifier(), WeightedMajorityClassifier()],
    ids=lambda model: type(model).__name__,
)
def test_no_class_is_announced_later(model):
    X, y = overlapping()
    model.partial_fit(X, y, classes=[0, 1]).partial_fit(X, y, classes=[1, 0]).partial_fit(X, y, classes=[1])
    with pytest.raises(DataError, match=r"classes must be among those of the first call \(\[0, 1\]\)"):
        model.partial_fit(X, y, classes=[0, 1, 2])
    for classes in (3, [[0, 1], [2, 3]], [0, 1, np.nan]):
        with pytest.raises(DataError, match="classes must be a list of labels, got"):
            clone(model).partial_fit(X, y, classes=classes)


# Grids


def nearly_separable(classes, rows=200, seed=0):
    """Return rows of which some machines converge early, some late and some never."""
    random = np.random.default_rng(seed)
    y = random.integers(0, classes, rows)
    centers = np.arange(classes)[:, None] ** 2 * np.ones(3)
    return random.normal(size=(rows, 3)) * 0.35 + centers[y], y


@pytest.mark.parametrize("classes", [1, 2, 5])
@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize("multi_class", ["one-vs-all", "all-vs-all"])
@pytest.mark.parametrize("sparse", [False, True])
def test_all_variants_of_a_grid_come_out_of_one_run_each_as_alone(classes, shuffle, multi_class, sparse):
    for seed in range(3):
        X, y = nearly_separable(classes, seed=seed)
        X = sp.csr_array(X) if sparse else X
        alike = [
            PerceptronClassifier(
                variant, max_iter=epochs, shuffle=shuffle, multi_class=multi_class, random_state=3
            )
            for variant in ("voted", "pocket", "averaged", "plain")
            for epochs in (30, 1, 2, 8)
        ]
        for place, model in PerceptronClassifier()._fit_alike([clone(one) for one in alike], X, y):
            alone = alike[place].fit(X, y)
            for name in ("coef_", "intercept_", "mistakes_", "n_iter_", "converged_"):
                np.testing.assert_array_equal(getattr(model, name), getattr(alone, name), err_msg=name)
            for found, wanted in zip(model._state, alone._state, strict=True):
                np.testing.assert_array_equal(found, wanted)
            for rows in (X, X[:7], X):
                np.testing.assert_array_equal(model.binary_scores(rows), alone.binary_scores(rows))


def test_a_grid_takes_two_runs(monkeypatch):
    X, y = nearly_separable(3)
    epochs = []
    train = PerceptronClassifier._train
    monkeypatch.setattr(
        PerceptronClassifier,
        "_train",
        lambda self, data, more, sides: epochs.append(more) or train(self, data, more, sides),
    )
    points = [{"variant": v, "max_iter": m} for v in ("averaged", "voted", "pocket", "plain") for m in (9, 4)]
    scores = PerceptronClassifier(random_state=0).grid_scores(
        X, y, points=points, splits=[(np.arange(150), np.arange(150, 200))]
    )
    assert epochs == [4, 5, 4, 5]
    assert np.isfinite(scores).all()
