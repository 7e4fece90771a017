"""The hardest rows: confident mistakes first, with what other models predict."""

import math

import pytest

from classica.errors import ClassicaError
from classica.inspection import HardRow, hardest_rows
from classica.recorded import from_record

TRUE = ["a", "b", "c", "a", "b"]
PREDICTED = ["a", "c", "a", "b", "b"]
SHARES = [[0.8, 0.1, 0.1], [0.1, 0.3, 0.6], [0.9, 0.1, 0.0], [0.3, 0.5, 0.2], [0.0, 1.0, 0.0]]


def test_the_most_confident_mistakes_come_first():
    found = hardest_rows(TRUE, PREDICTED, SHARES, ["a", "b", "c"], others={"knn": ["a", "b", "c", None, "b"]})
    assert [each.row for each in found] == [3, 2, 4]
    assert (found[0].true, found[0].predicted) == ("c", "a")
    assert (found[0].probability, found[0].true_probability) == (0.9, 0.0)
    assert [each.others["knn"] for each in found] == ["c", "b", None]
    assert [each.alone for each in found] == [True, True, False]
    assert from_record(HardRow, found[0].record()) == found[0]


def test_without_probabilities_rows_keep_their_order():
    found = hardest_rows(TRUE, PREDICTED, rows=[10, 11, 12, 13, 14], most=2)
    assert [each.row for each in found] == [12, 13]
    assert all(math.isnan(each.probability) for each in found)


def test_labels_must_be_as_many():
    with pytest.raises(ClassicaError, match=r"^predictions must be 5 labels long"):
        hardest_rows(TRUE, PREDICTED[:3])
