"""Growing cost: slopes of times that a fake clock makes grow as told."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benchmarks import growth_plot, wording
from benchmarks.benchmark import Contender, Data
from benchmarks.growth import Cost, Growth, Line, larger, measure_growth

LINEAR = Cost("n", lambda n: n)


def rows(quick: bool, seed: int) -> Data:
    n = 64 if quick else 128
    return Data(np.zeros((n, 2)), np.arange(n) % 2, np.zeros((4, 2)), np.zeros(4, dtype=int))


@pytest.fixture
def growing(clock) -> Callable[..., Any]:
    """Measure one line whose fit takes ``fit(n)`` and whose predict takes ``predict(n)`` seconds."""

    def measure(fit: Callable[[int], float], predict: Callable[[int], float], **options: Any) -> Any:
        def run_fit(data: Data) -> int:
            clock.now += fit(len(data.rows))
            return len(data.rows)

        def run_predict(data: Data, size: int) -> Any:
            clock.now += predict(size)
            return np.zeros(len(data.new_rows))

        line = Line(Contender("tree", run_fit, run_predict, ours=True), LINEAR, Cost("log n", math.log2))
        growth = Growth("fake-growth", "Fake work", rows, [line], doublings=4)
        return measure_growth(growth, **{"quick": True, "repeats": 2, "clock": clock, **options})

    return measure


def test_slopes_are_those_of_the_costs(growing):
    result = growing(lambda n: 3 * n, lambda n: 8.0)
    fit, query = result.curves
    assert result.sizes == (4, 8, 16, 32, 64)
    assert (fit.slope, fit.stated_slope) == (pytest.approx(1), pytest.approx(1))
    assert query.slope == pytest.approx(0, abs=1e-9)
    assert 0 < query.stated_slope < 0.5
    assert query.seconds == (2.0,) * 5  # 8 seconds for 4 queries
    assert result.failure() is None


def test_a_cost_that_grows_too_fast_is_a_failure(growing):
    failure = growing(lambda n: n**2, lambda n: 1.0).failure()
    assert failure == "fake-growth: slope of tree (fit) must be at most 1.30, got 2.00"


def test_the_best_repeat_counts(growing):
    disturbed = iter([9.0] * 5)
    result = growing(lambda n: n * next(disturbed, 1.0), lambda n: 1.0)
    assert result.curves[0].seconds == (4, 8, 16, 32, 64)


def test_small_sizes_do_not_flatten_the_slope(growing):
    result = growing(lambda n: max(n, 8), lambda n: 1.0)
    assert result.curves[0].slope == pytest.approx(1)


@pytest.mark.parametrize(("count", "first"), [(2, 0), (3, 0), (5, 1), (8, 3)])
def test_the_larger_sizes_are_half_of_them_and_at_least_two(count, first):
    assert larger(count) == slice(first, count)


def test_the_picture_names_slopes_and_sizes(growing, tmp_path):
    result = growing(lambda n: n, lambda n: 1.0)
    paths = growth_plot.write_plot(result, tmp_path)
    assert [path.name for path in paths] == ["fake-growth.svg", "fake-growth.png"]
    assert all(path.stat().st_size for path in paths)
    left, right = growth_plot.draw(result).axes
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["fit", "one query"]
    words = [text.get_text() for text in left.get_legend().get_texts()]
    assert words == ["tree: slope 1.00 (n: 1.00)", "as stated"]


@pytest.mark.parametrize(("count", "words"), [(512, "512"), (8192, "8k"), (2**21, "2M"), (1536, "1.5k")])
def test_sizes_are_written_short(count, words):
    assert wording.short(count) == words
