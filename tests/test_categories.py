"""Columns of categories: levels by value, codes, and what may not change between learning and asking."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator

from classica import columns as columns  # first: it brings in the estimators, which import it
from classica.columns import Accepts, read_columns
from classica.errors import DataError

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
each_frame = pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
MIXED = Accepts(missing=True, categorical=True, largest=1e150)


class Reader(BaseEstimator):
    pass


def learn(X, wanted="from_dtype", accepts=MIXED):
    reader = Reader()
    return reader, read_columns(reader, X, accepts, 1, wanted, reset=True)


def ask(reader, X, wanted="from_dtype"):
    return read_columns(reader, X, MIXED, 1, wanted, reset=False).matrix


def same(found, wanted):
    np.testing.assert_array_equal(found, np.array(wanted, dtype=float))


def message(call, error=DataError):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


# Learning


@each_frame
def test_text_and_boolean_columns_are_categories_and_numbers_are_not(frame):
    reader, columns = learn(frame({"a": ["x", "w"], "b": [1.5, 2.5], "c": [True, False], "d": [7, 8]}))
    assert columns.categorical.tolist() == [True, False, True, False]
    assert reader.category_levels_ == {"a": ["w", "x"], "c": [False, True]}
    same(columns.matrix, [[1, 1.5, 1, 7], [0, 2.5, 0, 8]])
    assert columns.matrix.dtype == np.float64


@each_frame
def test_missing_cells_are_nan_and_no_level(frame):
    reader, columns = learn(frame({"a": ["x", None, "w"], "b": [1.0, None, 2.0], "c": [None, True, None]}))
    assert reader.category_levels_ == {"a": ["w", "x"], "c": [True]}
    same(columns.matrix, [[1, 1, np.nan], [np.nan, np.nan, 0], [0, 2, np.nan]])


@each_frame
def test_a_column_without_any_cell_has_no_levels(frame):
    _, columns = learn(frame({"a": ["x", "y"], "b": [np.nan, np.nan]}))
    same(columns.matrix, [[0, np.nan], [1, np.nan]])


@pytest.mark.parametrize("dtype", ["category", "string", "object"])
def test_every_kind_of_text_in_pandas(dtype):
    frame = pd.DataFrame({"a": pd.Series(["x", None, "w", "x"], dtype=dtype)})
    reader, columns = learn(frame)
    assert reader.category_levels_ == {"a": ["w", "x"]}
    same(columns.matrix, [[1], [np.nan], [0], [1]])


@pytest.mark.parametrize(
    ("values", "dtype", "codes"),
    [
        ([True, None, False], "boolean", [1, np.nan, 0]),
        ([True, False, True], "bool", [1, 0, 1]),
        ([5, None, 7], "Int64", [5, np.nan, 7]),
        ([5.5, None, 7.0], "Float64", [5.5, np.nan, 7]),
        ([5, 6, 7], "uint8", [5, 6, 7]),
    ],
)
def test_nullable_columns_of_pandas(values, dtype, codes):
    _, columns = learn(pd.DataFrame({"a": pd.Series(values, dtype=dtype)}))
    same(columns.matrix, np.array(codes)[:, None])


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical])
def test_every_kind_of_text_in_polars(dtype):
    reader, columns = learn(pl.DataFrame({"a": ["x", None, "w", "x"]}, schema={"a": dtype}))
    assert reader.category_levels_ == {"a": ["w", "x"]}
    same(columns.matrix, [[1], [np.nan], [0], [1]])


def test_a_dictionary_column_of_arrow_is_a_category():
    table = pa.table({"a": pa.array(["x", None, "w", "x"]).dictionary_encode()})
    reader, columns = learn(table)
    assert reader.category_levels_ == {"a": ["w", "x"]}
    same(columns.matrix, [[1], [np.nan], [0], [1]])


@each_frame
def test_named_columns_of_numbers_have_their_values_as_levels(frame):
    table = frame({"a": [30.0, 10.0, None, 30.0], "b": [1.0, 2.0, 3.0, 4.0]})
    for wanted in (["a"], [0], [-2], [True, False], np.array(["a"])):
        reader, columns = learn(table, wanted)
        assert reader.category_levels_ == {"a": [10.0, 30.0]}
        assert columns.categorical.tolist() == [True, False]
        same(columns.matrix, [[1, 1], [0, 2], [np.nan, 3], [1, 4]])


def test_arrays_keep_their_values():
    X = np.array([[30.0, 1.0], [np.nan, 2.0]])
    for wanted, mask in ((None, [False, False]), ("from_dtype", [False, False]), ([1], [False, True])):
        _, columns = learn(X, wanted)
        assert columns.matrix is X
        assert columns.categorical.tolist() == mask


def test_an_estimator_without_categories_reads_numbers_only():
    frame = pd.DataFrame({"a": ["x", "y"]})
    text = message(lambda: learn(frame, accepts=Accepts()))
    assert text.startswith("The column 'a' must be numeric, got ")
    columns = learn(pd.DataFrame({"b": [True, False]}), accepts=Accepts())[1]
    same(columns.matrix, [[1], [0]])
    assert not columns.categorical.any()


@each_frame
def test_text_that_is_not_chosen_is_refused(frame):
    for wanted in (None, ["b"]):
        text = message(lambda wanted=wanted: learn(frame({"a": ["x", "y"], "b": [1.0, 2.0]}), wanted))
        assert text.startswith("The column 'a' must be numeric or a category, got ")


@pytest.mark.parametrize("wanted", [["z"], [2], [-3], [True], [True, False, True]], ids=str)
@pytest.mark.parametrize(
    "table", [pd.DataFrame({"a": [1.0], "b": [2.0]}), np.ones((1, 2))], ids=["frame", "array"]
)
def test_chosen_columns_must_exist(table, wanted):
    assert message(lambda: learn(table, wanted)) == (
        f"categorical_features must name columns of X (2 of them), got {wanted!r}."
    )


def test_names_need_a_frame():
    text = message(lambda: learn(np.ones((1, 2)), ["a"]))
    assert text == "categorical_features must name columns of X (2 of them), got ['a']."


@each_frame
def test_numbers_beyond_reach_are_named(frame):
    text = message(lambda: learn(frame({"a": ["x", "y"], "b": [1.0, np.inf]})))
    assert text == "X in column 'b', row 1, must be finite, got inf."
    text = message(lambda: learn(frame({"a": ["x", "y"], "b": [1e151, 1.0]})))
    assert text == "X in column 'b', row 0, must be at most 1e+150 in magnitude, got 1e+151."


def test_learning_again_starts_over():
    reader, _ = learn(pd.DataFrame({"a": ["x", "y"]}))
    read_columns(reader, pd.DataFrame({"a": ["p"]}), MIXED, 1, "from_dtype", reset=True)
    assert reader.category_levels_ == {"a": ["p"]}


@each_frame
def test_rows_added_later_bring_levels_behind_the_first(frame):
    reader, _ = learn(frame({"a": ["x", "w"], "b": [1.0, 2.0]}))
    more = read_columns(
        reader,
        frame({"a": ["p", "x", None], "b": [3.0, 4.0, 5.0]}),
        MIXED,
        1,
        "from_dtype",
        reset=False,
        grow=True,
    )
    assert reader.category_levels_ == {"a": ["w", "x", "p"]}
    same(more.matrix, [[2, 3], [1, 4], [np.nan, 5]])
    same(ask(reader, frame({"a": ["p", "q"], "b": [0.0, 0.0]})), [[2, 0], [-1, 0]])


def test_asking_brings_no_levels():
    reader, _ = learn(pd.DataFrame({"a": ["x", "w"]}))
    ask(reader, pd.DataFrame({"a": ["p"]}))
    assert reader.category_levels_ == {"a": ["w", "x"]}


def test_an_array_learned_after_a_frame_leaves_no_levels():
    reader, _ = learn(pd.DataFrame({"a": [30.0, 10.0]}), ["a"])
    read_columns(reader, np.array([[30.0], [10.0]]), MIXED, 1, [0], reset=True)
    assert not getattr(reader, "category_levels_", {})


# Asking


@each_frame
def test_levels_are_known_by_value_whatever_the_frame(frame):
    reader, _ = learn(pl.DataFrame({"a": ["w", "x", "y"], "b": [True, False, True]}))
    same(ask(reader, frame({"a": ["y", "w"], "b": [False, True]})), [[2, 0], [0, 1]])


@each_frame
def test_unseen_is_minus_one_and_missing_is_nan(frame):
    reader, _ = learn(frame({"a": ["x", "w", "x"], "b": [1.0, 2.0, 3.0]}))
    same(
        ask(reader, frame({"a": ["v", None, "w"], "b": [9.0, None, 0.0]})),
        [[-1, 9], [np.nan, np.nan], [0, 0]],
    )


DECLARING = {
    "pandas": pd.DataFrame({"a": pd.Categorical(["x", "w"], categories=["z", "x", "w"])}),
    "pandas, ordered": pd.DataFrame({"a": pd.Categorical(["x", "w"], ["z", "x", "w"], ordered=True)}),
    "polars": pl.DataFrame({"a": ["x", "w"]}, schema={"a": pl.Enum(["z", "x", "w"])}),
}


@pytest.mark.parametrize("kind", DECLARING)
def test_the_levels_a_type_declares_are_kept_in_their_order(kind):
    reader, columns = learn(DECLARING[kind])
    assert reader.category_levels_ == reader.declared_levels_ == {"a": ["z", "x", "w"]}
    same(columns.matrix, [[1], [2]])
    same(ask(reader, pd.DataFrame({"a": ["w", "z", "v"]})), [[2], [0], [-1]])


def test_numbers_may_be_declared_too():
    reader, _ = learn(pd.DataFrame({"a": pd.Categorical([3, 1], categories=[3, 2, 1])}))
    assert reader.category_levels_ == {"a": [3, 2, 1]}


def test_levels_declared_later_are_added():
    reader, _ = learn(pl.DataFrame({"a": ["x", "w"]}))
    more = pl.DataFrame({"a": ["p"]}, schema={"a": pl.Enum(["x", "q", "p"])})
    read_columns(reader, more, MIXED, 1, "from_dtype", reset=False, grow=True)
    assert reader.category_levels_ == {"a": ["w", "x", "q", "p"]}
    assert reader.declared_levels_ == {"a": ["x", "q", "p"]}


@each_frame
def test_a_number_may_not_turn_into_text(frame):
    reader, _ = learn(frame({"a": [1.0, 2.0], "b": ["x", "y"]}))
    text = message(lambda: ask(reader, frame({"a": ["1", "2"], "b": ["x", "y"]})))
    assert text.startswith("The column 'a' must be numeric")


@each_frame
def test_text_may_not_turn_into_a_number(frame):
    reader, _ = learn(frame({"a": [1.0, 2.0], "b": ["x", "y"]}))
    text = message(lambda: ask(reader, frame({"a": [1.0, 2.0], "b": [1.0, 2.0]})))
    assert text.startswith("The column 'b' must be")


@each_frame
def test_text_that_is_all_missing_may_be_asked(frame):
    reader, _ = learn(frame({"a": ["x", "y"], "b": [1.0, 2.0]}))
    same(ask(reader, frame({"a": [None, None], "b": [1.0, None]})), [[np.nan, 1], [np.nan, np.nan]])


def test_a_frame_may_be_asked_after_an_array_was_learned():
    reader, _ = learn(np.array([[30.0, 1.0], [10.0, 2.0]]), [0])
    with pytest.warns(UserWarning, match="feature names"):
        same(ask(reader, pd.DataFrame({"a": [10.0], "b": [3.0]}), [0]), [[10, 3]])


def test_an_array_may_be_asked_after_a_frame_was_learned():
    reader, _ = learn(pd.DataFrame({"a": [30.0, 10.0], "b": [1.0, 2.0]}), ["a"])
    X = np.array([[10.0, 3.0], [30.0, 4.0], [20.0, 5.0], [np.nan, 6.0]])
    with pytest.warns(UserWarning, match="feature names"):
        same(ask(reader, X, ["a"]), [[0, 3], [1, 4], [-1, 5], [np.nan, 6]])
    with pytest.warns(UserWarning, match="feature names"):
        text = message(lambda: read_columns(reader, X, MIXED, 1, [0], reset=False, grow=True))
    assert text == "X must be a data frame, as in training, got an array."


def test_numbers_may_not_stand_for_text():
    reader, _ = learn(pd.DataFrame({"a": ["x", "y"], "b": [1.0, 2.0]}))
    with pytest.warns(UserWarning, match="feature names"):
        text = message(lambda: ask(reader, np.ones((1, 2))))
    assert text == ("The column 'a' must be text or a category, as in training, got an array of numbers.")


@each_frame
def test_names_of_columns_are_compared(frame):
    reader, _ = learn(frame({"a": ["x", "y"], "b": [1.0, 2.0]}))
    with pytest.raises(ValueError, match="feature names"):
        ask(reader, frame({"b": [1.0], "a": ["x"]}))
    with pytest.raises(ValueError, match="feature"):
        ask(reader, frame({"a": ["x"]}))


@each_frame
def test_the_frame_is_left_alone(frame):
    cells = {"a": ["x", None], "b": [1.0, None]}
    table = frame(cells)
    learn(table)
    pd.testing.assert_frame_equal(
        pd.DataFrame(table.to_pandas() if hasattr(table, "to_pandas") else table), pd.DataFrame(cells)
    )


@pytest.mark.parametrize(
    ("cells", "kind"),
    [(pl.Series([[1], [2]]), "List"), (pl.Series(["2020-01-01", "2020-01-02"]).str.to_date(), "Date")],
)
def test_columns_that_are_neither_numbers_nor_categories_are_named(cells, kind):
    with pytest.raises(DataError, match=f"The column 'when' must be a number, text, .*, got {kind}"):
        learn(pl.DataFrame({"when": cells}))


@pytest.mark.parametrize(
    ("learned", "asked"),
    [(["a", "b"], [True, False]), ([True, False], ["True", "False"]), (["1", "2"], pd.Categorical([1, 2]))],
)
def test_a_column_whose_cells_can_never_match_is_refused(learned, asked):
    reader, _ = learn(pd.DataFrame({"c": learned}))
    with pytest.raises(DataError, match=r"The column 'c' must be .* as in training"):
        ask(reader, pd.DataFrame({"c": asked}))
