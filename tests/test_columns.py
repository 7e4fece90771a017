import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator

from classica import columns
from classica.columns import Accepts, read_matrix
from classica.errors import DataError

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
each_frame = pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)


class Reader(BaseEstimator):
    pass


def learn(X, **accepts):
    return read_matrix(Reader(), X, Accepts(**accepts), 1, reset=True)


def reader(X):
    estimator = Reader()
    read_matrix(estimator, X, Accepts(), 1, reset=True)
    return estimator


def message(call, error=DataError):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


# Arrays


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_floats_keep_type_order_and_memory(dtype, order):
    X = np.ones((3, 2), dtype=dtype, order=order)
    assert np.shares_memory(learn(X), X)
    assert learn(X).dtype == dtype


@pytest.mark.parametrize(
    "X", [[[1, 2], [3, 4]], np.array([[1, 2], [3, 4]], np.int8), np.array([[1, 2], [3, 4]], ">f4")]
)
def test_other_numbers_become_float64(X):
    matrix = learn(X)
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[1, 2], [3, 4]]


def test_booleans_and_objects_that_are_numbers_become_float64():
    assert learn(np.array([[True, False]])).tolist() == [[1, 0]]
    assert learn(np.array([[1, 2.5]], dtype=object)).tolist() == [[1, 2.5]]


def test_none_in_a_list_is_a_missing_cell():
    assert np.isnan(learn([[1, None]], missing=True)[0, 1])
    assert message(lambda: learn([[1, None]])) == (
        "X in column 1, row 0, must be a number, got NaN (a missing value)."
    )


def test_an_array_whose_rows_are_not_aligned_is_read():
    table = np.zeros(3, dtype=[("x", np.float64, 2), ("flag", np.int8)])
    table["x"] = [[1, 2], [3, 4], [5, 6]]
    assert learn(table["x"]).tolist() == [[1, 2], [3, 4], [5, 6]]


@pytest.mark.parametrize(
    ("X", "dimensions"),
    [(3.0, 0), (None, 0), ("text", 0), ([1.0, 2.0], 1), (np.ones(3), 1), (np.ones((1, 1, 1)), 3)],
)
def test_what_is_not_a_table_is_refused(X, dimensions):
    assert message(lambda: learn(X)) == (
        f"X must be a table of 2 dimensions, got {dimensions}: Reshape your data with "
        "X.reshape(1, -1) if it is one row or X.reshape(-1, 1) if it is one column."
    )


@pytest.mark.parametrize("column", [pd.Series([1.0, 2.0]), pl.Series([1.0, 2.0])], ids=["pandas", "polars"])
def test_a_series_is_not_a_table(column):
    assert message(lambda: learn(column)).startswith("X must be a table of 2 dimensions, got 1: ")


def test_rows_of_unequal_length_are_refused_in_one_sentence():
    assert message(lambda: learn([[1.0], [1.0, 2.0]])).startswith("X must be ")


@pytest.mark.parametrize("dtype", [object, str])
def test_text_is_refused(dtype):
    X = np.array([["1", "red"]], dtype=dtype)
    assert message(lambda: learn(X)) == "X must be numeric, got the text 'red'."


def test_no_rows_and_no_columns_are_refused():
    assert "0 sample(s)" in message(lambda: learn(np.ones((0, 2))), ValueError)
    assert "0 feature(s)" in message(lambda: learn(np.ones((2, 0))), ValueError)


# Values


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(
    ("value", "rule"),
    [
        (np.nan, "a number, got NaN (a missing value)"),
        (np.inf, "finite, got inf"),
        (-np.inf, "finite, got -inf"),
        (2.5e10, "at most 1e+10 in magnitude, got 2.5e+10"),
        (-2.5e10, "at most 1e+10 in magnitude, got -2.5e+10"),
    ],
)
def test_a_bad_value_is_named_with_its_place(dtype, order, value, rule):
    X = np.ones((4, 3), dtype=dtype, order=order)
    X[2, 1] = value
    assert message(lambda: learn(X, largest=1e10)) == f"X in column 1, row 2, must be {rule}."


def test_the_first_bad_value_in_row_order_is_named():
    X = np.ones((3, 3), order="F")
    X[2, 0] = X[1, 2] = np.nan
    assert "column 2, row 1," in message(lambda: learn(X))


def test_the_largest_value_itself_is_taken():
    assert learn([[1e10, -1e10]], largest=1e10).tolist() == [[1e10, -1e10]]


def test_missing_cells_are_kept_where_they_are_taken():
    matrix = learn([[1.0, np.nan]], missing=True)
    assert matrix[0, 0] == 1
    assert np.isnan(matrix[0, 1])
    assert message(lambda: learn([[np.inf, np.nan]], missing=True)) == (
        "X in column 0, row 0, must be finite, got inf."
    )


# Frames


@each_frame
def test_columns_of_numbers_become_one_matrix(frame):
    table = frame({"flag": [True, False], "count": [3, 4], "size": [0.5, 1.5]})
    matrix = learn(table)
    assert matrix.dtype == np.float64
    assert matrix.tolist() == [[1, 3, 0.5], [0, 4, 1.5]]


@each_frame
def test_a_frame_of_float32_stays_float32(frame):
    ones = np.ones(2, np.float32)
    assert learn(frame({"a": ones, "b": ones})).dtype == np.float32
    assert learn(frame({"a": ones, "b": ones.astype(np.float64)})).dtype == np.float64
    assert learn(frame({"a": ones, "b": np.array([1, 2])})).dtype == np.float64


@each_frame
def test_names_are_remembered_and_bad_values_named(frame):
    estimator = reader(frame({"a": [1.0, 2.0], "b": [3.0, 4.0]}))
    assert estimator.feature_names_in_.tolist() == ["a", "b"]
    assert estimator.n_features_in_ == 2
    broken = frame({"a": [1.0, 2.0], "b": [3.0, np.inf]})
    wanted = "X in column 'b', row 1, must be finite, got inf."
    assert message(lambda: learn(broken)) == wanted
    assert message(lambda: read_matrix(estimator, broken, Accepts(), 1, reset=False)) == wanted


@each_frame
@pytest.mark.parametrize("cells", [[0.5, None], [1, None]])
def test_nulls_are_missing_cells(frame, cells):
    table = frame({"a": [1.0, 2.0], "b": cells})
    assert message(lambda: learn(table)) == (
        "X in column 'b', row 1, must be a number, got NaN (a missing value)."
    )
    assert np.isnan(learn(table, missing=True)[1, 1])


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "Float32", "boolean"])
def test_nullable_columns_of_pandas_have_missing_cells(dtype):
    table = pd.DataFrame({"a": pd.array([1, None, 0], dtype=dtype)})
    assert message(lambda: learn(table)) == (
        "X in column 'a', row 1, must be a number, got NaN (a missing value)."
    )
    matrix = learn(table, missing=True)
    assert matrix.dtype == (np.float32 if dtype == "Float32" else np.float64)
    np.testing.assert_array_equal(matrix, [[1], [np.nan], [0]])


@pytest.mark.parametrize("frame", [pl.DataFrame, pa.table])
def test_nulls_of_boolean_columns_are_missing_cells(frame):
    matrix = learn(frame({"a": [True, None, False]}), missing=True)
    np.testing.assert_array_equal(matrix, [[1], [np.nan], [0]])


@each_frame
def test_a_text_column_is_named(frame):
    table = frame({"a": [1.0, 2.0], "colour": ["red", "blue"]})
    assert message(lambda: learn(table)) == "The column 'colour' must be numeric, got String."


def test_a_column_of_categories_or_dates_is_named():
    categories = pd.DataFrame({"kind": pd.Categorical(["a", "b"])})
    assert message(lambda: learn(categories)) == "The column 'kind' must be numeric, got Categorical."
    dates = pd.DataFrame({"day": pd.to_datetime(["2020-01-01", "2020-01-02"])})
    assert message(lambda: learn(dates)).startswith("The column 'day' must be numeric, got Datetime(")


@each_frame
def test_columns_at_prediction_must_be_those_of_the_fit(frame):
    estimator = reader(frame({"a": [1.0], "b": [3.0]}))
    for other in ({"b": [3.0], "a": [1.0]}, {"a": [1.0]}, {"a": [1.0], "c": [3.0]}):
        with pytest.raises(ValueError, match="feature names should match"):
            read_matrix(estimator, frame(other), Accepts(), 1, reset=False)


def test_two_columns_of_one_name_are_refused():
    table = pd.DataFrame([[1.0, 2.0]], columns=["a", "a"])
    with pytest.raises(DataError, match="'a'"):
        learn(table)


def test_columns_without_names_are_numbered():
    table = pd.DataFrame([[1.0, np.nan]])
    assert "column 1, row 0," in message(lambda: learn(table))
    assert not hasattr(reader(table.fillna(0)), "feature_names_in_")


# Sparse matrices


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_array, sp.coo_matrix, sp.csr_array])
def test_sparse_matrices_become_csr(kind):
    X = np.array([[0, 2.0], [0, 0], [3, 0]])
    matrix = learn(kind(X), sparse=True)
    assert matrix.format == "csr"
    np.testing.assert_array_equal(matrix.toarray(), X)


def test_a_sparse_matrix_is_refused_where_it_is_not_taken():
    with pytest.raises(DataError, match=r"[Ss]parse"):
        learn(sp.csr_matrix(np.eye(2)))


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_matrix])
def test_a_bad_sparse_value_is_named_with_its_place(kind):
    X = np.zeros((5, 4))
    X[0, 1], X[3, 2], X[4, 0] = 1, np.inf, np.nan
    assert message(lambda: learn(kind(X), sparse=True)) == ("X in column 2, row 3, must be finite, got inf.")


def test_a_sparse_matrix_of_zerosis_plain():
    assert learn(sp.csr_matrix((3, 2)), sparse=True).nnz == 0


# The short way of a prediction


def test_a_plain_array_is_returned_as_it_is():
    estimator, X = reader(np.ones((2, 3))), np.zeros((4, 3), np.float32)
    assert read_matrix(estimator, X, Accepts(), 1, reset=False) is X


def both_ways(monkeypatch, estimator, X, accepts):
    def outcome():
        try:
            return read_matrix(estimator, X, accepts, 1, reset=False)
        except (ValueError, TypeError) as error:
            return type(error), str(error)

    short = outcome()
    with monkeypatch.context() as patch:
        patch.setattr(columns, "is_plain", lambda *_: False)
        return short, outcome()


TABLES = {
    "plain": np.arange(6.0).reshape(2, 3),
    "one row": np.ones((1, 3), np.float32),
    "columns first": np.ones((4, 3), order="F"),
    "slice": np.ones((4, 9))[:, ::3],
    "negative strides": np.arange(6.0).reshape(2, 3)[::-1, ::-1],
    "repeated row": np.broadcast_to(np.arange(3.0), (5, 3)),
    "integers": np.arange(6).reshape(2, 3),
    "other byte order": np.ones((2, 3), ">f8"),
    "half precision": np.ones((2, 3), np.float16),
    "NaN": np.array([[1, 2, 3], [4, np.nan, 6]]),
    "inf": np.array([[1, 2, -np.inf]]),
    "too large": np.array([[1, 2, 1e200]]),
    "too few columns": np.ones((2, 2)),
    "too many columns": np.ones((2, 4)),
    "one dimension": np.ones(3),
    "three dimensions": np.ones((1, 1, 3)),
    "no rows": np.ones((0, 3)),
    "no columns": np.ones((2, 0)),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("missing", [False, True])
def test_both_ways_agree(monkeypatch, name, missing):
    accepts = Accepts(missing=missing, largest=1e150)
    short, ordinary = both_ways(monkeypatch, reader(np.ones((2, 3))), TABLES[name], accepts)
    if isinstance(ordinary, tuple):
        assert short == ordinary
    else:
        assert short.dtype == ordinary.dtype
        np.testing.assert_array_equal(short, ordinary)


@pytest.mark.parametrize("name", ["NaN", "inf", "too large", "too few columns", "one dimension"])
def test_an_array_and_a_list_get_the_same_error(name):
    estimator, accepts = reader(np.ones((2, 3))), Accepts(largest=1e150)
    array, rows = (
        message(lambda X=X: read_matrix(estimator, X, accepts, 1, reset=False), ValueError)
        for X in (TABLES[name], TABLES[name].tolist())
    )
    assert array == rows


def test_an_array_where_names_are_known_is_warned_about():
    estimator = reader(pd.DataFrame({"a": [1.0]}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        read_matrix(estimator, np.ones((1, 1)), Accepts(), 1, reset=False)


def test_input_is_left_alone():
    X = np.array([[1.0, 2.0]])
    X.flags.writeable = False
    assert learn(X).tolist() == [[1, 2]]
