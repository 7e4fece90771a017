"""The error regions of two Gaussians: the lecture's numbers, and areas that are what they say."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from classica.displays import GaussianErrorDisplay
from classica.errors import ParameterError
from classica.statistics import gaussian_bayes_error
from tests.displays.drawing import assert_draws


def test_the_lectures_gaussians():
    display = GaussianErrorDisplay.from_densities([4, 7], 1, names=["a", "b"])
    assert display.boundary.tolist() == [5.5]
    np.testing.assert_allclose(display.errors, [0.5 * norm.sf(1.5)] * 2, rtol=1e-12)
    assert display.error == pytest.approx(norm.sf(1.5))
    assert 5.5 in display.values
    assert "predicted as b: 3.34%" in assert_draws(display)


@settings(max_examples=20)
@given(
    st.tuples(st.integers(-30, 30), st.integers(-30, 30)).map(lambda pair: [k / 10 for k in pair]),
    st.tuples(st.integers(1, 40), st.integers(1, 40)).map(lambda pair: [k / 10 for k in pair]),
    st.integers(1, 19).map(lambda k: k / 20),
)
def test_errors_are_the_areas_on_the_wrong_side(means, variances, prior):
    display = GaussianErrorDisplay.from_densities(means, variances, [prior, 1 - prior])
    assert display.errors.sum() == pytest.approx(display.error, abs=1e-12)
    assert display.error == pytest.approx(
        gaussian_bayes_error(means, variances, [prior, 1 - prior]).error, abs=1e-12
    )
    assume(means[0] != means[1] or variances[0] != variances[1] or prior != 0.5)  # otherwise all is a tie
    x = np.linspace(-30, 30, 20_001)
    shapes = zip([prior, 1 - prior], means, variances, strict=True)
    weighted = [share * norm.pdf(x, mean, np.sqrt(variance)) for share, mean, variance in shapes]
    for code in (0, 1):
        lost = np.where(weighted[1 - code] > weighted[code], weighted[code], 0)
        assert display.errors[code] == pytest.approx(lost.sum() * (x[1] - x[0]), abs=5e-3)


def test_no_boundary_and_two():
    none = GaussianErrorDisplay.from_densities([0, 0], [1, 1], [0.9, 0.1])
    assert none.errors.tolist() == [0.0, pytest.approx(0.1)]
    assert_draws(none)
    two = GaussianErrorDisplay.from_densities([0, 0], [1, 9])
    assert len(two.boundary) == 2
    assert_draws(two)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2, 3],), "means must be two numbers, got [1, 2, 3]."),
        (([1, 2], 1, [1, 0]), "priors must be above 0 for both classes, got [1, 0]."),
        (([1, 2], -1), "variances must be positive, got -1.0."),
    ],
)
def test_what_is_no_pair_of_gaussians_is_refused(arguments, message):
    with pytest.raises(ParameterError) as refused:
        GaussianErrorDisplay.from_densities(*arguments)
    assert str(refused.value) == message
