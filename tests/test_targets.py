import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import DataConversionWarning

from classica.errors import DataError
from classica.targets import encode_labels, encode_target, row_weights


def encode(y):
    return encode_target(y, len(y), "Owner")


def message(call, error=DataError):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


def assert_encodes(y, classes):
    found, codes = encode(y)
    assert found.tolist() == classes
    assert codes.dtype == np.int32
    assert found[codes].tolist() == list(y)


@pytest.mark.parametrize(
    ("y", "classes"),
    [
        ([2, 0, 2], [0, 2]),
        ([7], [7]),
        ([-5, 3, -5], [-5, 3]),
        ([0.0, 2.0, 0.0], [0.0, 2.0]),
        ([True, False, True], [False, True]),
        (["b", "a", "b"], ["a", "b"]),
        (np.array(["b", "a"], dtype=object), ["a", "b"]),
        (np.array(["b", "a"], dtype=np.dtypes.StringDType()), ["a", "b"]),
        ([10**12, 0, 10**12], [0, 10**12]),
        ([2**63 - 1, -(2**63)], [-(2**63), 2**63 - 1]),
    ],
)
def test_labels_are_sorted_and_coded(y, classes):
    assert_encodes(y, classes)


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint64, np.int64])
def test_integers_keep_their_type(dtype):
    info = np.iinfo(dtype)
    y = np.array([info.max, info.min, info.max], dtype=dtype)
    classes, codes = encode(y)
    assert classes.dtype == dtype
    assert classes.tolist() == [info.min, info.max]
    assert codes.tolist() == [1, 0, 1]


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1) | st.lists(st.integers(-9, 9), min_size=1))
def test_counting_equals_sorting(y):
    labels = np.array(y, dtype=np.int64)
    quick, sorted_ = encode(labels), encode_labels(labels)
    np.testing.assert_array_equal(quick[0], sorted_[0])
    np.testing.assert_array_equal(quick[1], sorted_[1])


SERIES = {
    "pandas": pd.Series,
    "polars": pl.Series,
    "pyarrow": lambda y: pa.chunked_array([y]),
}
each_series = pytest.mark.parametrize("series", SERIES.values(), ids=SERIES)


@each_series
@pytest.mark.parametrize("y", [["b", "a", "b"], [3, 1, 3]])
def test_columns_of_frames(series, y):
    classes, codes = encode(series(y))
    assert classes.tolist() == sorted(set(y))
    assert codes.tolist() == [1, 0, 1]


@pytest.mark.parametrize("dtype", ["Int64", "string", "category"])
def test_extension_columns_of_pandas(dtype):
    classes, codes = encode(pd.Series([3, 1, 3], dtype=dtype))
    assert classes.tolist() == (["1", "3"] if dtype == "string" else [1, 3])
    assert codes.tolist() == [1, 0, 1]


def test_categories_are_their_values():
    classes, codes = encode(pd.Series(["b", "a", "b"], dtype=pd.CategoricalDtype(["b", "a", "unused"])))
    assert classes.tolist() == ["a", "b"]
    assert codes.tolist() == [1, 0, 1]


# Missing labels


@pytest.mark.parametrize(
    ("missing", "shown"), [(None, "None"), (np.nan, "nan"), (pd.NA, "<NA>"), (pd.NaT, "NaT")]
)
@pytest.mark.parametrize("kind", ["list", "object array"])
def test_a_missing_label_is_named_with_its_row(missing, shown, kind):
    y = ["a", "b", missing, "a"]
    if kind == "object array":
        y = np.array(y, dtype=object)
    assert message(lambda: encode(y)) == f"y must have a label in every row, got {shown} in row 2."


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_number_that_is_no_label_is_named_with_its_row(value):
    assert message(lambda: encode([0.0, 1.0, value])) == (
        f"y must have a label in every row, got {value} in row 2."
    )


@each_series
@pytest.mark.parametrize("y", [["a", None, "b"], [1, None, 2]])
def test_a_null_in_a_column_is_a_missing_label(series, y):
    text = message(lambda: encode(series(y)))
    assert text.startswith("y must have a label in every row, got ")
    assert text.endswith(" in row 1.")


def test_a_date_that_is_missing_is_a_missing_label():
    y = np.array(["2020-01-01", "NaT", "2020-01-02"], dtype="datetime64[D]")
    assert message(lambda: encode(y)) == "y must have a label in every row, got NaT in row 1."


# What is no class label


@pytest.mark.parametrize("y", [["a", 1], [1, "a"]])
@pytest.mark.parametrize("kind", ["list", "object array"])
def test_labels_of_several_kinds_are_refused(y, kind):
    if kind == "object array":
        y = np.array(y, dtype=object)
    assert message(lambda: encode(y)) == "y must hold labels of one kind, got int and str."


def test_a_continuous_target_is_refused():
    assert message(lambda: encode([0.5, 1.0])) == (
        "y must hold class labels, got continuous values such as 0.5 (Unknown label type: continuous)."
    )


def test_the_example_of_a_continuous_target_is_one():
    assert "such as 2.5" in message(lambda: encode([1.0, 2.5]))


def test_complex_labels_are_refused():
    assert "Complex data not supported" in message(lambda: encode([1j, 2.0]), ValueError)


def test_a_target_of_two_columns_is_refused():
    with pytest.raises(ValueError, match="should be a 1d array"):
        encode(np.eye(3))


def test_a_target_of_one_column_is_taken_with_a_warning():
    with pytest.warns(DataConversionWarning):
        classes, codes = encode(np.array([[1], [0]]))
    assert classes.tolist() == [0, 1]
    assert codes.tolist() == [1, 0]


def test_no_target_is_refused():
    assert message(lambda: encode_target(None, 3, "Owner")) == (
        "Cannot fit: Owner requires y to be passed, but the target y is None."
    )


@pytest.mark.parametrize("y", [[], [0, 1], ["a"] * 4])
def test_the_number_of_labels_must_be_that_of_the_rows(y):
    assert message(lambda: encode_target(y, 3, "Owner")) == (
        f"y for 3 rows of X must be 3 labels long, got {len(y)}."
    )


# Weights


def test_no_weights_stay_none():
    assert row_weights(None, 3) is None


@pytest.mark.parametrize(
    "weights", [[1, 0, 2], (1, 0, 2), np.array([1, 0, 2], np.float32), pd.Series([1, 0, 2])]
)
def test_weights_become_float64(weights):
    found = row_weights(weights, 3)
    assert found.dtype == np.float64
    assert found.tolist() == [1, 0, 2]


def test_one_number_weighs_every_row():
    assert row_weights(2, 3).tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("weights", "text"),
    [
        ([1, 1], "sample_weight must be of shape (3,), got (2,)."),
        ([[1, 1, 1]], "sample_weight must be of shape (3,), got (1, 3)."),
        ([1, -0.5, 1], "sample_weight must be finite and non-negative, got -0.5."),
        ([1, np.nan, 1], "sample_weight must be finite and non-negative, got nan."),
        ([1, np.inf, 1], "sample_weight must be finite and non-negative, got inf."),
        ([0, 0, 0], "sample_weight must be positive for at least one row, got only zeros."),
        (0, "sample_weight must be positive for at least one row, got only zeros."),
    ],
)
def test_bad_weights_are_refused(weights, text):
    assert message(lambda: row_weights(weights, 3)) == text


def test_weights_that_are_text_are_refused_in_one_sentence():
    assert message(lambda: row_weights(["a", "b", "c"], 3)).startswith("sample_weight must be ")
