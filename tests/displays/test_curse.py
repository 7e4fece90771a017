"""The curse of dimensionality: formulas exactly, simulations within what chance allows."""

import json

import numpy as np
import pytest
from scipy.stats import norm

from classica.displays import CurseDisplay, curse_of_dimensionality
from classica.errors import ParameterError
from tests.displays.drawing import assert_draws


@pytest.fixture(scope="module")
def result():
    return curse_of_dimensionality([1, 2, 10, 100], rows=400)


def test_formulas(result):
    d = np.array([1, 2, 10, 100])
    np.testing.assert_allclose(result.edge**d, 0.1)
    np.testing.assert_allclose(1 - result.shell, 0.9**d)


def test_distances_become_alike(result):
    assert (np.diff(result.contrast) > 0).all()
    assert result.contrast[0] < 0.01
    # Far from the mean distance √(d/6) by at most a few deviations: √(7/120) each, however many dimensions.
    near, far = (np.sqrt(100 / 6) + sign * 4 * np.sqrt(7 / 120) for sign in (-1, 1))
    assert near / far < result.contrast[-1] < 1


def test_noise_drowns_what_counts(result):
    # 1-NN on one column: at most twice the Bayes error, up to the chance of 1,000 rows.
    limit = 2 * 0.05 * 0.95
    assert 0.05 - 0.03 < result.error[0] < limit + 3 * np.sqrt(limit / 1000)
    assert result.error[-1] > 2 * result.error[0]
    easy = curse_of_dimensionality([2], rows=400, bayes_error=norm.sf(5))
    assert easy.error[0] == 0


def test_same_seed_same_bits_and_every_dimension_has_its_own_draws(result):
    again = curse_of_dimensionality([10, 100], rows=400)
    np.testing.assert_array_equal(again.error, result.error[2:])
    np.testing.assert_array_equal(again.contrast, result.contrast[2:])
    assert curse_of_dimensionality([10], rows=400, seed=1).contrast[0] != result.contrast[2]


def test_it_is_told_and_drawn(result):
    assert json.loads(json.dumps(result.record()))["dimensions"] == [1, 2, 10, 100]
    assert "79.4%" not in str(result)
    assert "0.794" in str(result)
    assert_draws(CurseDisplay(result))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dimensions": []}, "dimensions must be integers of at least 1, got []."),
        ({"dimensions": [0]}, "dimensions must be integers of at least 1, got [0]."),
        ({"rows": 1}, "rows must be an integer of at least 2, got 1."),
        ({"share": 0}, "share must be a number above 0 of at most 1, got 0."),
        ({"bayes_error": 0.5}, "bayes_error must be a number above 0 of at most 0.4999, got 0.5."),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(ParameterError) as refused:
        curse_of_dimensionality(**options)
    assert str(refused.value) == message
