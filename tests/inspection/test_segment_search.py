"""Segments with more errors: planted ones are found, and noise yields none at the stated rate."""

import numpy as np
import polars as pl
import pytest

from classica.errors import ClassicaError
from classica.inspection import ErrorSegments, error_segments
from classica.recorded import from_record


def mixed_table(random, rows=400):
    words = np.array(["red", "green", "blue", None], dtype=object)[
        random.choice(4, rows, p=[0.4, 0.3, 0.2, 0.1])
    ]
    return pl.DataFrame(
        {
            "word": pl.Series(words.tolist(), dtype=pl.String),
            "skew": random.lognormal(size=rows),
            "count": random.integers(0, 5, rows),
            **{f"n{index}": random.normal(size=rows) for index in range(6)},
        }
    )


def test_random_errors_yield_a_segment_at_most_as_often_as_stated():
    random = np.random.default_rng(0)
    runs = 150
    found = 0
    for number in range(runs):
        table = mixed_table(random, 250)
        wrong = random.random(250) < random.choice([0.03, 0.1, 0.3])
        found += bool(error_segments(table, wrong, alpha=0.1, random_state=number).segments)
    # Binomial with 150 trials and p = 0.1: 15 expected, 27 is three standard deviations above.
    assert found <= 27
    assert found >= 3, "a test that never rejects has no power either"


@pytest.mark.parametrize("rows", [400, 5000])
def test_a_planted_interval_is_found(rows):
    random = np.random.default_rng(1)
    table = mixed_table(random, rows)
    inside = ((table["n3"] > 0.3) & (table["n3"] < 1.2)).to_numpy()
    wrong = random.random(rows) < np.where(inside, 0.4, 0.08)
    found = error_segments(table, wrong)
    first = found.segments[0]
    assert first.column == "n3"
    assert first.low == pytest.approx(0.3, abs=0.25)
    assert first.high == pytest.approx(1.2, abs=0.35)
    assert first.error > 2 * first.rest_error
    assert first.error_low < first.error < first.error_high
    assert first.p_value <= 0.05
    assert all(
        segment.column != "n3" or segment.high < first.low or segment.low > first.high
        for segment in found.segments[1:]
    )


def test_a_planted_level_and_missing_values_are_found():
    random = np.random.default_rng(2)
    table = mixed_table(random, 1500)
    for mask, name in (
        ((table["word"] == "blue").fill_null(False), "word = blue"),
        (table["word"].is_null(), "word missing"),
    ):
        wrong = random.random(1500) < np.where(mask.to_numpy(), 0.35, 0.1)
        found = error_segments(table, wrong)
        assert found.segments[0].name == name
        assert found.segments[0].rows == mask.sum()
        assert str(found).startswith(name)


def test_the_same_rows_are_reported_once():
    random = np.random.default_rng(3)
    number = random.normal(size=1000)
    table = pl.DataFrame({"a": number, "twice": 2 * number, "other": random.normal(size=1000)})
    found = error_segments(table, (number > 1) & (random.random(1000) < 0.7))
    assert len(found.segments) == 1
    assert found.segments[0].name.startswith("a ≥ ")


def test_independent_segments_are_both_reported():
    """A wide segment overlaps with every other one by chance: that explains nothing."""
    random = np.random.default_rng(5)
    table = mixed_table(random, 4000)
    wide, level = (table["n0"] > -0.5).to_numpy(), (table["word"] == "blue").fill_null(False).to_numpy()
    found = error_segments(table, random.random(4000) < 0.05 + 0.15 * wide + 0.15 * level)
    assert {segment.column for segment in found.segments} == {"n0", "word"}


def test_what_another_segment_explains_is_left_out():
    random = np.random.default_rng(6)
    hard = random.random(3000) < 0.3
    proxy = np.where(random.random(3000) < 0.85, hard, ~hard)
    table = pl.DataFrame({"hard": hard.tolist(), "proxy": proxy.tolist()})
    found = error_segments(table, random.random(3000) < np.where(hard, 0.4, 0.05))
    assert [segment.name for segment in found.segments] == ["hard = True"]


def test_many_rows_are_sampled_and_the_result_says_so():
    random = np.random.default_rng(4)
    table = mixed_table(random, 3000)
    wrong = (table["count"] == 3).to_numpy() & (random.random(3000) < 0.5)
    found = error_segments(table, wrong, most_rows=1000)
    assert (found.rows, found.sampled) == (3000, 1000)
    assert found.segments[0].name == "count = 3"


def test_nothing_is_found_without_errors_or_candidates():
    table = pl.DataFrame({"name": [f"n{index}" for index in range(500)], "same": [1] * 500})
    for wrong in (np.zeros(500, dtype=bool), np.ones(500, dtype=bool), np.arange(500) < 50):
        found = error_segments(table, wrong)
        assert found.segments == ()
    assert str(found).startswith("None of 0 segments")
    assert from_record(ErrorSegments, found.record()) == found


def test_what_is_no_mask_is_refused():
    with pytest.raises(ClassicaError, match=r"^wrong must be an array of 3 Booleans"):
        error_segments([[1.0], [2.0], [3.0]], [0, 1, 1])
