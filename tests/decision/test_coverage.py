"""Risk against coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib import pyplot
from matplotlib.figure import Figure

from classica.decision import risk_coverage
from classica.errors import DataError, ParameterError

rows = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 8)), min_size=1, max_size=40)


@given(rows)
def test_every_point_is_the_mean_cost_of_the_rows_it_answers(pairs):
    paid, doubt = np.array(pairs, dtype=float).T
    curve = risk_coverage(paid, doubt)
    assert curve.thresholds.tolist() == sorted(set(doubt))
    for threshold, coverage, risk in zip(curve.thresholds, curve.coverage, curve.risk, strict=True):
        answered = doubt <= threshold
        assert coverage == answered.mean()
        assert risk == pytest.approx(paid[answered].mean(), abs=1e-12)
        assert curve.at(threshold) == (coverage, risk)
    assert (curve.coverage[-1], curve.risk[-1]) == (1, pytest.approx(paid.mean()))


@given(rows)
def test_the_order_of_rows_does_not_matter(pairs):
    paid, doubt = np.array(pairs, dtype=float).T
    first, second = risk_coverage(paid, doubt), risk_coverage(paid[::-1], doubt[::-1])
    np.testing.assert_array_equal(first.risk, second.risk)
    assert first.area == second.area


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_without_ties_the_area_is_the_mean_of_the_risks(wrong):
    curve = risk_coverage(wrong, np.arange(len(wrong)))
    assert curve.area == pytest.approx(np.mean([np.mean(wrong[: k + 1]) for k in range(len(wrong))]))


def test_doubt_that_says_nothing_has_the_risk_of_all_rows_as_area():
    curve = risk_coverage([0, 1, 1, 0], [0.5] * 4)
    assert curve.area == 0.5
    assert curve.coverage.tolist() == [1]


def test_good_doubt_has_a_smaller_area_than_bad_doubt():
    paid = np.array([0, 0, 0, 1])
    assert risk_coverage(paid, [1, 2, 3, 4]).area < risk_coverage(paid, [4, 3, 2, 1]).area


def test_below_the_surest_row_nothing_is_answered():
    assert risk_coverage([0, 1], [0.2, 0.4]).at(0.1) == (0, 0)
    assert risk_coverage([0, 1], [0.2, 0.4]).at(0.3) == (0.5, 0)


def test_the_table_has_one_line_for_each_tenth_and_the_area():
    lines = str(risk_coverage(np.arange(1000) > 900, np.arange(1000))).splitlines()
    assert lines[0].split() == ["coverage", "risk", "reject", "above"]
    assert lines[1].split() == ["10.0%", "0", "99"]
    assert lines[10].split() == ["100.0%", "0.099", "999"]
    assert lines[11].startswith("area 0.005")
    assert len(lines) == 12
    assert len(str(risk_coverage([1, 0], [3, 3])).splitlines()) == 3


def test_the_plot_shows_the_curve_and_marks_a_threshold():
    curve = risk_coverage([0, 0, 1], [0.1, 0.2, 0.3])
    axes = curve.plot(Figure().subplots(), threshold=0.25, label="mine")
    steps, point = axes.get_lines()
    np.testing.assert_array_equal(steps.get_xdata(), curve.coverage)
    np.testing.assert_array_equal(steps.get_ydata(), curve.risk)
    assert (point.get_xdata()[0], point.get_ydata()[0]) == curve.at(0.25)
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "mine",
        "reject above 0.25: coverage 66.7%, risk 0",
    ]


def test_the_plot_makes_its_own_figure():
    axes = risk_coverage([0, 1], [0.1, 0.2]).plot()
    assert axes.get_legend() is None
    assert "coverage" in axes.get_xlabel()
    pyplot.close(axes.figure)


@pytest.mark.parametrize(
    ("paid", "doubt", "message"),
    [
        ([0, 1], [0.1], "doubt must be 2 numbers long, as long as paid, got 1."),
        ([], [], "paid must have at least one number, got none."),
        ([0, np.inf], [0.1, 0.2], "paid must be finite, got inf."),
        ([0, 1], [0.1, np.nan], "doubt must be finite, got nan."),
        (["a"], [0], "paid must be one number for each row, got ['a']."),
        (np.array([1j]), [0], "paid must be one number for each row, got array([0.+1.j])."),
        ([1j], [0], "paid must be one number for each row, got [1j]."),
        ([[1, 2]], [0], "paid must be one number for each row, got [[1, 2]]."),
        ([0], None, "doubt must be given, got None."),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(paid, doubt, message):
    with pytest.raises(DataError) as refused:
        risk_coverage(paid, doubt)
    assert str(refused.value) == message


@pytest.mark.parametrize("threshold", ["a", np.nan, None])
def test_a_threshold_is_a_number(threshold):
    curve = risk_coverage([0, 1], [0.2, 0.4])
    with pytest.raises(ParameterError, match=r"^threshold must be a number, got .*\.$"):
        curve.at(threshold)
    assert curve.at(np.inf) == (1, 0.5)
