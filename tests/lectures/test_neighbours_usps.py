"""K nearest neighbours on the lecture's 11,000 digits: leave-one-out, raw pixels, Euclidean."""

from pathlib import Path

import numpy as np
import pytest

from classica import KNeighborsClassifier

DATA = Path(__file__).parents[1] / "data" / "usps_roweis.npz"
K = [1, 3, 5, 7, 9, 11]


@pytest.fixture(scope="module")
def digits():
    with np.load(DATA) as file:
        return file["X"], file["y"]


@pytest.fixture(scope="module")
def model(digits):
    return KNeighborsClassifier(7).fit(*digits)


@pytest.fixture(scope="module")
def errors(model):
    return model.leave_one_out_errors(11)


def test_there_are_1100_images_of_each_digit(digits):
    X, y = digits
    assert X.shape == (11_000, 256)
    assert np.bincount(y).tolist() == [1100] * 10


def test_errors_when_a_vote_tie_decreases_k(errors):
    assert [int(errors.decrease[k - 1]) for k in K] == [425, 437, 490, 518, 540, 580]


def test_errors_when_a_vote_tie_increases_k(errors):
    assert [int(errors.increase[k - 1]) for k in K] == [425, 437, 504, 534, 550, 588]


def test_the_rates_of_seven_neighbours(errors):
    assert 100 * errors.decrease[6] / errors.rows == pytest.approx(4.709, abs=5e-4)
    assert 100 * errors.increase[6] / errors.rows == pytest.approx(4.8545, abs=5e-5)


def test_predictions_of_left_out_images_make_the_same_errors(digits, model):
    assert int((model.predict(None) != digits[1]).sum()) == 518


def test_the_seven_neighbours_of_an_image_are_explained(digits, model):
    X, y = digits
    (why,) = model.explain(X[:1].astype(float))
    assert why.used == 7
    assert (why.rows[0], why.distances[0]) == (0, 0)
    assert (why.labels == y[why.rows]).all()
    pixels = X.astype(np.int64)
    assert (why.distances**2).round() == pytest.approx(((pixels[why.rows] - pixels[0]) ** 2).sum(axis=1))
