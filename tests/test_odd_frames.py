"""Frames with columns that nobody can learn from: errors of ours that name the column, from every kind."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

from classica import catalog
from classica.errors import DataError

ROWS = 12
Y = np.array([0, 1] * (ROWS // 2))
NUMBERS = np.arange(ROWS) * 1.0
KINDS = ["nearest-mean", "tree", "naive-bayes", "bagging", "voting", "all-vs-all", "one-vs-all", "knn"]

COLUMNS = {
    "interval categories": lambda: pd.DataFrame({"a": NUMBERS, "odd": pd.cut(NUMBERS, 3)}),
    "intervals": lambda: pd.DataFrame({"a": NUMBERS, "odd": pd.IntervalIndex.from_breaks(range(ROWS + 1))}),
    "lists": lambda: pd.DataFrame({"a": NUMBERS, "odd": [[1, 2]] * ROWS}),
    "dicts": lambda: pd.DataFrame({"a": NUMBERS, "odd": [{}] * ROWS}),
    "sets": lambda: pd.DataFrame({"a": NUMBERS, "odd": [{1}] * ROWS}),
    "arrays": lambda: pd.DataFrame({"a": NUMBERS, "odd": [np.arange(2)] * ROWS}),
    "complex": lambda: pd.DataFrame({"a": NUMBERS, "odd": NUMBERS + 1j}),
    "large integers": lambda: pa.table({"a": NUMBERS, "odd": [2**60 + k for k in range(ROWS)]}),
    "large unsigned": lambda: pa.table({"a": NUMBERS, "odd": pa.array([2**63] * ROWS, pa.uint64())}),
    "lists of arrow": lambda: pa.table({"a": NUMBERS, "odd": [[1]] * ROWS}),
    "records": lambda: pl.DataFrame({"a": NUMBERS, "odd": [{"q": 1}] * ROWS}),
    "twice": lambda: pd.DataFrame(np.c_[NUMBERS, NUMBERS], columns=["odd", "odd"]),
    "twice in arrow": lambda: pa.table([NUMBERS, NUMBERS], names=["odd", "odd"]),
    "numbers and text as names": lambda: pd.DataFrame(np.c_[NUMBERS, NUMBERS], columns=[1, "odd"]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("column", COLUMNS)
def test_odd_columns_are_named(kind, column):
    with pytest.raises(DataError, match="'odd'") as caught:
        catalog.card(kind).build().fit(COLUMNS[column](), Y)
    assert len(str(caught.value)) < 300
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("column", ["lists", "sets", "interval categories", "complex"])
def test_odd_columns_are_named_when_predicting(column):
    text = pd.DataFrame({"a": NUMBERS, "odd": ["x", "y"] * (ROWS // 2)})
    with pytest.raises(DataError, match="'odd'"):
        catalog.card("tree").build().fit(text, Y).predict(COLUMNS[column]())


@pytest.mark.parametrize("kind", ["nearest-mean", "logistic", "linear-svm", "perceptron", "winnow", "chance"])
def test_a_sparse_matrix_of_too_many_columns_is_refused(kind):
    wide = sp.csr_matrix((np.ones(ROWS), (np.arange(ROWS), np.arange(ROWS))), shape=(ROWS, 10**9))
    with pytest.raises(DataError, match="1,000,000,000"):
        catalog.card(kind).build().fit(wide, Y)


def test_a_sparse_matrix_is_refused_by_name_where_none_is_taken():
    with pytest.raises(DataError, match=r"sparse matrix.*toarray"):
        catalog.card("tree").build().fit(sp.csr_matrix(np.eye(ROWS)), Y)
