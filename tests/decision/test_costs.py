"""Costs in every form they come in, and the decision they lead to."""

from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from classica.decision import expected_costs, least_cost, read_costs
from classica.errors import DataError, ParameterError

CLASSES = ["ape", "bee", "cat"]
MATRIX = np.array([[0.0, 1, 2], [3, 0, 4], [5, 6, 0.5]])
SHUFFLED = [2, 0, 1]


def shuffled():
    """The labels and cells in another order than the classes."""
    labels = [CLASSES[i] for i in SHUFFLED]
    return labels, MATRIX[np.ix_(SHUFFLED, SHUFFLED)]


def as_dict():
    labels, cells = shuffled()
    return {i: dict(zip(labels, row, strict=True)) for i, row in zip(labels, cells.tolist(), strict=True)}


def as_pandas_with_index():
    labels, cells = shuffled()
    return pd.DataFrame(cells, index=labels, columns=labels)


def as_pandas_without_index():
    return as_pandas_with_index().reset_index(names="said")


def as_polars():
    return pl.from_pandas(as_pandas_without_index())


def as_arrow():
    return pa.Table.from_pandas(as_pandas_without_index())


SOURCES = [as_dict, as_pandas_with_index, as_pandas_without_index, as_polars, as_arrow, MATRIX.tolist]


@pytest.mark.parametrize("source", SOURCES)
def test_every_source_gives_the_same_matrix(source):
    np.testing.assert_array_equal(read_costs(source(), CLASSES), MATRIX)


@pytest.mark.parametrize("kind", [str, lambda path: path])
def test_a_file_gives_the_same_matrix(tmp_path, kind):
    path = tmp_path / "costs.csv"
    as_pandas_without_index().to_csv(path, index=False)
    np.testing.assert_array_equal(read_costs(kind(path), CLASSES), MATRIX)


def test_a_file_as_people_type_it(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_bytes('\ufeffsaid \\ truth, no , yes\r\n yes,1,0 \r\n\r\n"no", 0 ,50\r\n'.encode())
    assert read_costs(path, ["no", "yes"]).tolist() == [[0, 50], [1, 0]]


def test_no_costs_are_zero_and_one():
    assert read_costs(None, CLASSES).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0]]


def test_being_right_may_be_left_out_of_a_dict():
    costs = read_costs({"b": {"a": 2}, "a": {"b": 5, "a": 1}}, ["a", "b"])
    assert costs.tolist() == [[1, 5], [2, 0]]


@pytest.mark.parametrize(
    "classes", [np.array([0, 7]), np.array([0.0, 7.0]), np.array([0, 7], dtype=np.uint8)]
)
@pytest.mark.parametrize(
    "source",
    [
        {0: {7: 3}, 7: {0: 4}},
        {"0": {"7": 3}, "7": {"0": 4}},
        {"0.0": {"7.0": 3}, "7.0": {"0.0": 4}},
        pd.DataFrame([[0, 3], [4, 0]], index=["0", "7"], columns=[0, 7]),
    ],
)
def test_numbers_are_matched_as_numbers(classes, source):
    assert read_costs(source, classes).tolist() == [[0, 3], [4, 0]]


def test_text_is_matched_as_text():
    costs = read_costs({"01": {"1": 3}, "1": {"01": 4}}, np.array(["01", "1"]))
    assert costs.tolist() == [[0, 3], [4, 0]]


def test_booleans_and_integers_beyond_double_precision_are_matched():
    assert read_costs({"True": {"False": 2}, "False": {"True": 3}}, [False, True]).tolist() == [
        [0, 3],
        [2, 0],
    ]
    big = [2**53, 2**53 + 1]
    assert read_costs({big[0]: {big[1]: 2}, big[1]: {big[0]: 3}}, big).tolist() == [[0, 2], [3, 0]]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ({"ape": {"dog": 1}}, "The rows of the cost matrix must name every class, got nothing for 'bee'."),
        (
            {"ape": {"bee": 1, "cat": 1, "dog": 1}, "bee": {}, "cat": {}},
            "The columns of the cost matrix must be labelled by the classes 'ape', 'bee', 'cat', got 'dog'.",
        ),
        (
            {"ape": {"bee": 1, "cat": 1}, "bee": {"ape": 1}, "cat": {"ape": 1, "bee": 1}},
            "The cost of predicting 'bee' when 'cat' is true must be finite and non-negative, got nan.",
        ),
        ({"ape": 1, "bee": 2, "cat": 3}, "costs must be a dict of dicts, costs[predicted][true], got "),
        ([[0, 1], [1, 0]], "costs must be of shape (3, 3), got (2, 2)."),
        (np.zeros((3, 3, 1)), "costs must be of shape (3, 3), got (3, 3, 1)."),
        ([[0, 1, 1], [1, 0], [1, 1, 0]], "costs must be a table of numbers, got "),
        ([[0, 1, "x"], [1, 0, 1], [1, 1, 0]], "costs must be a table of numbers, got "),
        (7, "costs must be of shape (3, 3), got ()."),
        (
            -MATRIX,
            "The cost of predicting 'ape' when 'bee' is true must be finite and non-negative, got -1.0.",
        ),
        (
            np.where(MATRIX == 6, np.inf, MATRIX),
            "The cost of predicting 'cat' when 'bee' is true must be finite and non-negative, got inf.",
        ),
        (
            pd.DataFrame(MATRIX, index=CLASSES, columns=["ape", "bee", "dog"]),
            "The columns of the cost matrix must be labelled by the classes 'ape', 'bee', 'cat', got 'dog'.",
        ),
        (
            pd.DataFrame(MATRIX, index=["ape", "bee", "bee"], columns=CLASSES),
            "The rows of the cost matrix must name every class once, got 'bee' twice.",
        ),
        (
            pd.DataFrame(MATRIX, index=CLASSES, columns=CLASSES).drop(index="bee"),
            "The rows of the cost matrix must name every class, got nothing for 'bee'.",
        ),
        (
            pd.DataFrame(MATRIX, index=CLASSES, columns=CLASSES).drop(columns="bee"),
            "The columns of the cost matrix must name every class, got nothing for 'bee'.",
        ),
        (as_polars().head(2), "The rows of the cost matrix must name every class, got nothing for 'bee'."),
        (
            pd.DataFrame(MATRIX, index=CLASSES, columns=["ape", "bee", "bee"]),
            "The columns of the cost matrix must name every class once, got 'bee' twice.",
        ),
        (MATRIX + 1j, "costs must be a table of numbers, got "),
        ((MATRIX + 1j).tolist(), "costs must be a table of numbers, got "),
        (
            pl.DataFrame(MATRIX, schema=CLASSES),
            "costs must be a square table, its rows labelled by an index or by a first column, got (3, 3).",
        ),
    ],
)
def test_what_cannot_be_costs_is_refused_in_one_sentence(source, message):
    with pytest.raises(ParameterError) as refused:
        read_costs(source, CLASSES)
    assert str(refused.value).startswith(message)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("content", [b"", b"said,a\nb\n", b"said,\xff\n", b'"said'])
def test_a_file_that_is_no_table_is_refused(tmp_path, content):
    path = tmp_path / "costs.csv"
    path.write_bytes(content)
    with pytest.raises((DataError, ParameterError), match=r"cost matrix .*\.$"):
        read_costs(path, ["a", "b"])


def test_what_is_wrong_in_a_file_is_named(tmp_path):
    path = tmp_path / "costs.csv"
    path.write_text("said,a,b\na,0,much\nb,1,0\n")
    with pytest.raises(DataError) as refused:
        read_costs(path, ["a", "b"])
    assert all(fact in str(refused.value) for fact in ("'a'", "'b'", "'much'", repr(str(path))))
    path.write_text("")
    with pytest.raises(DataError) as refused:
        read_costs(path, ["a", "b"])
    assert f"{str(path)!r}: the file is empty" in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(DataError, match=r"none\.csv': No such"):
        read_costs(tmp_path / "none.csv", ["a", "b"])
    with pytest.raises(DataError, match="Is a directory"):
        read_costs(tmp_path, ["a", "b"])


def test_the_matrix_is_a_copy():
    source = MATRIX.copy()
    read_costs(source, CLASSES)[0, 0] = 99
    assert source[0, 0] == 0


@st.composite
def exact_problems(draw):
    """Posteriors and costs in which every product and sum is exact."""
    classes = draw(st.integers(1, 5))
    counts = draw(st.lists(st.lists(st.integers(0, 64), min_size=classes, max_size=classes), min_size=1))
    costs = draw(
        st.lists(
            st.lists(st.integers(0, 1000), min_size=classes, max_size=classes),
            min_size=classes,
            max_size=classes,
        )
    )
    return np.array(counts, dtype=float) / 256, np.array(costs, dtype=float)


@given(exact_problems())
def test_the_decision_has_the_least_expected_cost_and_is_the_first_to_have_it(problem):
    posteriors, costs = problem
    expected = expected_costs(posteriors, costs)
    for row, total, said in zip(posteriors, expected, least_cost(posteriors, costs), strict=True):
        brute = [sum(Fraction(c) * Fraction(p) for c, p in zip(line, row, strict=True)) for line in costs]
        assert total.tolist() == [float(value) for value in brute]
        assert said == brute.index(min(brute))


@given(exact_problems(), st.sampled_from([0.125, 3, 1000]), st.data())
def test_scaling_and_a_constant_per_truth_change_no_decision(problem, factor, data):
    posteriors, costs = problem
    constants = data.draw(st.lists(st.integers(0, 50), min_size=len(costs), max_size=len(costs)))
    before = least_cost(posteriors, costs)
    np.testing.assert_array_equal(before, least_cost(posteriors, factor * costs))
    np.testing.assert_array_equal(before, least_cost(posteriors, costs + np.array(constants)))


@given(st.lists(st.lists(st.floats(0, 1), min_size=4, max_size=4), min_size=1))
def test_uniform_costs_give_the_highest_posterior_to_the_last_bit(rows):
    posteriors = np.array(rows)
    for scale in (1.0, 8.0):
        uniform = scale * (1 - np.eye(4))
        np.testing.assert_array_equal(least_cost(posteriors, uniform), posteriors.argmax(axis=1))


@pytest.mark.parametrize("base", [0.1, 0.2, 0.25, 0.3])
def test_rounding_does_not_part_least_cost_and_highest_posterior(base):
    """The costs of the two answers round to one number; their posteriors do not."""
    row = np.array([[base, np.nextafter(base, 1), 0.05, 0.05]])
    assert expected_costs(row, 1 - np.eye(4))[0].argmin() in (0, 1)
    assert least_cost(row, 1 - np.eye(4)).tolist() == [1]


def test_the_number_of_rows_does_not_change_a_bit():
    random = np.random.default_rng(0)
    posteriors, costs = random.dirichlet(np.ones(7), 301), random.random((7, 7))
    alone = np.concatenate([expected_costs(row[None], costs) for row in posteriors])
    np.testing.assert_array_equal(expected_costs(posteriors, costs), alone)


def test_lists_are_taken_and_what_does_not_fit_is_refused():
    assert expected_costs([[0.25, 0.75]], [[0, 1], [50, 0]]).tolist() == [[0.75, 12.5]]
    assert least_cost([[0.25, 0.75]], [[0, 1], [50, 0]]).tolist() == [0]
    for posteriors, costs in (
        ([0.5, 0.5], [[0, 1], [1, 0]]),
        ([["a", "b"]], [[0, 1], [1, 0]]),
        ([[0.5, 0.5]], [[0, 1, 2], [1, 0, 2], [1, 1, 0]]),
        ([[0.5, 0.5]], [0, 1]),
        ([[0.5, 0.5]], [[0, 1], [1]]),
        ([[0.5], [0.5, 1.0]], [[0, 1], [1, 0]]),
        (None, [[0, 1], [1, 0]]),
        ([[0.5, 0.5]], None),
        ([[0.5, 1j]], [[0, 1], [1, 0]]),
    ):
        for call in (expected_costs, least_cost):
            with pytest.raises(DataError, match=r"^(posteriors|costs) must be .*, got .*\.$"):
                call(posteriors, costs)
