"""What holds for every classifier with Gaussian classes."""

import numpy as np
import pytest

from classica import FisherClassifier, LinearDiscriminantClassifier, QuadraticDiscriminantClassifier
from classica.errors import DataError
from tests.estimators.gaussian.gaussian_cases import (
    ONE_ROW,
    assert_forgetting_equals_a_fresh_fit,
    assert_leaving_out_equals_refitting,
    blobs,
    constant_but_for_one_row,
)

KINDS = (LinearDiscriminantClassifier, QuadraticDiscriminantClassifier, FisherClassifier)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@each_kind
@pytest.mark.parametrize(("value", "outlier"), ONE_ROW)
def test_a_column_that_varies_in_one_row_only(kind, value, outlier):
    X, y = constant_but_for_one_row(value, outlier)
    assert_leaving_out_equals_refitting(kind(), X, y)
    assert_forgetting_equals_a_fresh_fit(kind(), X, y)


@each_kind
@pytest.mark.parametrize("columns", [1, 2])
def test_weights_that_leave_less_than_two_rows_of_a_class(kind, columns):
    X, y = blobs(rows=18, columns=columns)
    weights = np.random.default_rng(14).choice([0.4, 0.7, 1.1], len(X))
    assert_leaving_out_equals_refitting(kind(), X, y, weights)
    # Class 0 has 4.5 rows; without the one of weight 3 it has 1.5.
    few = np.array([1.5, 3.0, 1.0, 1.0, 2.0, 2.0])
    assert_leaving_out_equals_refitting(kind(), X[:6], np.array([0, 0, 1, 1, 1, 1]), few)


@each_kind
def test_forgetting_a_row_that_cannot_have_been_learned(kind):
    X, y = blobs()
    with pytest.raises(DataError, match=r"never learned.*column 0"):
        kind().fit(X, y).forget(X[:1] + 1000, y[:1])


@pytest.mark.parametrize("classifier", [LinearDiscriminantClassifier, QuadraticDiscriminantClassifier])
def test_models_with_read_only_arrays_learn_on(classifier):
    X, y = blobs()
    model, fresh = classifier().fit(X[:80], y[:80]), classifier().fit(X, y)
    for name in ("class_counts_", "class_sums_", "products_"):
        getattr(model, name).flags.writeable = False
    model.partial_fit(X[80:], y[80:])
    np.testing.assert_allclose(model.predict_proba(X), fresh.predict_proba(X), rtol=0, atol=1e-10)
