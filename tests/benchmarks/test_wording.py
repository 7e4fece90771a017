import pytest

from benchmarks import wording
from benchmarks.result import Spread


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.5, "0.50×"), (9.994, "9.99×"), (9.996, "10.0×"), (99.96, "100×"), (1234.4, "1234×")],
)
def test_ratios_have_three_digits(value, words):
    assert wording.times(value) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [(2, "2 s"), (0.25, "250 ms"), (4e-5, "40 µs"), (3e-9, "3 ns"), (0, "0 ns")],
)
def test_times_have_the_fitting_unit(value, words):
    assert wording.seconds(Spread.of([value]), quartiles=False) == words


def test_quartiles_share_the_unit_of_the_median():
    assert wording.seconds(Spread.of([0.5, 1, 1.5]), quartiles=True) == "1 s (0.75–1.25)"


def test_no_time_is_a_dash():
    assert wording.seconds(None, quartiles=True) == "–"
