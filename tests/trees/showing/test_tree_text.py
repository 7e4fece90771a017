"""A tree as text: what people read must be right, complete and in one line per branch."""

import numpy as np
import pandas as pd
import pytest

from classica import DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier
from classica.errors import ParameterError
from classica.trees.showing.named_tree import NamedTree
from classica.trees.showing.tree_text import DEEPEST_INDENTATION, tree_text
from classica.wording import count_words, number_words, plain_words
from tests.trees.tables import GOLF, chain


def test_the_golf_tree():
    model = ID3Classifier().fit(GOLF.drop(columns="y"), GOLF["y"])
    assert model.to_text() == (
        "outlook = cloudy: 1 (4)\n"
        "outlook = rain\n"
        "|   windy = no: 1 (3)\n"
        "|   windy = yes: 0 (2)\n"
        "outlook = sun\n"
        "|   humidity = high: 0 (3)\n"
        "|   humidity = normal: 1 (2)"
    )
    assert model.to_text(max_depth=1) == (
        "outlook = cloudy: 1 (4)\noutlook = rain: 1 (5/2) + 2 nodes\noutlook = sun: 0 (5/2) + 2 nodes"
    )
    assert model.to_text(max_depth=0) == "1 (14/5) + 7 nodes"


def test_numbers_sets_weights_and_errors():
    X = pd.DataFrame({"x": [0.1, 0.2, 0.3, 0.4], "c": ["r", "g", "b", "b"]})
    model = DecisionTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 0], sample_weight=[1, 2.5, 3, 0.25])
    assert model.to_text() == "x <= 0.25: 0 (3.5)\nx > 0.25: 1 (3.25/0.25)"
    model = DecisionTreeClassifier(max_depth=1).fit(X[["c"]], [0, 0, 1, 1])
    assert model.to_text() == "c = b: 1 (2)\nc in {g, r}: 0 (2)"


@pytest.mark.parametrize(
    ("missing", "wanted"),
    [
        ("direction", "x <= 3.5: 0 (3)\nx > 3.5 (or missing): 1 (3)"),
        ("own_branch", "x <= 3.5: 0 (3)\nx > 3.5: 1 (2)\nx is missing: 1 (1)"),
    ],
)
def test_where_missing_cells_go(missing, wanted):
    X = [[1.0], [2.0], [3.0], [4.0], [5.0], [np.nan]]
    model = DecisionTreeClassifier(missing=missing).fit(X, [0, 0, 0, 1, 1, 1])
    assert model.to_text().replace("0 <=", "x <=").replace("0 >", "x >").replace("0 is", "x is") == wanted


def test_a_column_may_only_be_known_or_not():
    model = DecisionTreeClassifier().fit([[1.0], [1.0], [np.nan]], ["a", "a", "b"])
    assert model.to_text() == "0 is not missing: a (2)\n0 is missing: b (1)"


def test_numbers_predicted():
    model = DecisionTreeRegressor(max_depth=1).fit([[1.0], [2.0], [3.0]], [0.1, 0.3, 7.0])
    assert model.to_text() == "0 <= 2.5: 0.2 (2/0.02)\n0 > 2.5: 7 (1)"


def test_names_of_any_kind_stay_in_their_line():
    X = pd.DataFrame({"a\nb": ["x\ty", "", "x\ty", ""]})
    text = DecisionTreeClassifier().fit(X, ["new\nline", "b", "new\nline", "b"]).to_text()
    assert text == "a\\nb = '': b (2)\na\\nb = x\\ty: new\\nline (2)"


@pytest.mark.parametrize("number", [0.1, 1 / 3, 1e300, 5e-324, -0.0, 75.0, 1e16, 2.0**53 + 2])
def test_numbers_can_be_read_back(number):
    assert float(number_words(number)) == number


def test_words():
    assert number_words(75.0) == "75"
    assert [count_words(count) for count in (5, 5.0, 2 / 3, 10 / 3, 1e-5)] == [
        "5",
        "5",
        "0.667",
        "3.33",
        "1e-05",
    ]
    assert [plain_words(value) for value in (1.0, "a", "", True, 2)] == ["1", "a", "''", "True", "2"]


def test_a_deep_tree_is_not_all_indentation():
    text = tree_text(NamedTree.of(*chain(10_000)))
    assert len(text) < 20_000 * (4 * DEEPEST_INDENTATION + 40)
    assert text.splitlines()[-1].endswith("[9999] y > 10000 (or missing): b (1)")
    assert len(text.splitlines()) == 20_000


def test_what_cannot_be_a_depth():
    model = DecisionTreeClassifier().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ParameterError, match=r"^max_depth must be None or an integer of at least 0, got -1"):
        model.to_text(max_depth=-1)
