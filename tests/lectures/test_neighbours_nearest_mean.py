"""Nearest mean as the lectures teach it, with their own numbers."""

import numpy as np
import pytest

from classica import NearestMeanClassifier

# Two classes of unit variance about 4 and 7, as small as can be.
X = np.array([[3.0], [5.0], [6.0], [8.0]])
Y = np.array(["first", "first", "second", "second"])


def boundary(model, low=0.0, high=11.0):
    """Return where the label changes from first to second."""
    assert model.predict([[low], [high]]).tolist() == ["first", "second"]
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if model.predict([[middle]]) == "first" else (low, middle)
    return (low + high) / 2


@pytest.mark.parametrize("metric", ["euclidean", "scaled"])
@pytest.mark.parametrize(
    ("priors", "exact", "printed"),
    [
        ("uniform", 5.5, 5.5),
        ([0.5, 0.5], 5.5, 5.5),
        ([3 / 4, 1 / 4], 5.5 + np.log(3) / 3, 5.86620),
        ([1 / 11, 10 / 11], 5.5 - np.log(10) / 3, 4.73247),
    ],
    ids=["equal", "given equal", "P1 = 3 P2", "P1 = P2 / 10"],
)
def test_the_boundary_of_two_gaussians(metric, priors, exact, printed):
    found = boundary(NearestMeanClassifier(metric, priors=priors).fit(X, Y))
    assert found == pytest.approx(exact, rel=0, abs=1e-9)
    assert round(found, 5) == printed


def test_priors_learned_from_the_table_move_the_boundary_too():
    model = NearestMeanClassifier(priors="empirical").fit(X, Y, sample_weight=[3, 3, 1, 1])
    assert boundary(model) == pytest.approx(5.5 + np.log(3) / 3, rel=0, abs=1e-9)


def test_on_the_boundary_both_classes_are_equally_likely():
    model = NearestMeanClassifier(priors=[3 / 4, 1 / 4]).fit(X, Y)
    assert model.predict_proba([[5.5 + np.log(3) / 3]])[0] == pytest.approx([0.5, 0.5], abs=1e-14)


def test_the_posterior_is_that_of_unit_gaussians():
    def density(x, mean):
        return np.exp(-((x - mean) ** 2) / 2) / np.sqrt(2 * np.pi)

    x = np.linspace(0, 11, 23)
    joint = np.stack([0.75 * density(x, 4), 0.25 * density(x, 7)], axis=1)
    model = NearestMeanClassifier(priors=[0.75, 0.25]).fit(X, Y)
    np.testing.assert_allclose(
        model.predict_proba(x[:, None]), joint / joint.sum(axis=1, keepdims=True), rtol=1e-12
    )


def test_choose_the_closest_class_if_close_enough_and_reject_otherwise():
    model = NearestMeanClassifier(reject_distance=2.0).fit(X, Y)
    points = [[4.5], [6.5], [1.0], [9.5]]
    assert model.predict(points).tolist() == ["first", "second", "first", "second"]
    assert model.rejects(points).tolist() == [False, False, True, True]


def cross(center, width, height):
    return np.add(center, [[-width, 0.0], [width, 0], [0, -height], [0, height]])


def test_the_star_moves_from_class_2_to_the_wider_class_3_when_the_distance_is_scaled():
    table = np.concatenate([cross([0, 10], 1, 1), cross([0, 0], 1, 1), cross([10, 0], 6, 2)])
    labels = np.repeat([1, 2, 3], 4)
    star = [[4.5, 0.0]]
    assert NearestMeanClassifier().fit(table, labels).predict(star) == 2
    assert NearestMeanClassifier("scaled").fit(table, labels).predict(star) == 3


def test_class_2_has_two_modes_and_its_mean_lies_in_class_1():
    table = np.concatenate([cross([0, 0], 1, 1), cross([-6, 0], 1, 1), cross([6, 0], 1, 1)])
    labels = np.repeat([1, 2, 2], 4)
    one = NearestMeanClassifier().fit(table, labels)
    assert one.means_.tolist() == [[0, 0], [0, 0]]
    assert one.score(table, labels) == pytest.approx(1 / 3)
    two = NearestMeanClassifier(n_means={2: 2}).fit(table, labels)
    assert two.means_.tolist() == [[0, 0], [-6, 0], [6, 0]]
    assert two.score(table, labels) == 1
