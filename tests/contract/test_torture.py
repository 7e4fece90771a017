"""On any table: finite probabilities that sum to one, or one typed error that names its reason."""

import numpy as np
import pytest
from sklearn.base import is_classifier

from classica.errors import DataError
from tests.contract.cases import CASES, build, outputs
from tests.contract.torture import torture_tables

#: Some tables have fewer rows than neighbours are asked for.
pytestmark = pytest.mark.filterwarnings("ignore:n_neighbors must be at most:UserWarning")

TABLES = torture_tables()
#: One setting of every estimator; the others are asked in double precision.
FIRST_CASES = [case for case in CASES if case.id.endswith("-0")]


def test_there_are_enough_tables():
    assert len(TABLES) >= 40


def fits_float32(X):
    with np.errstate(over="ignore"):
        return not np.isinf(X.astype(np.float32)[np.isfinite(X)]).any()


def assert_finite(found, y):
    assert np.isfinite(found["predict"]).all() if y is None else set(found["predict"]) <= set(y)
    for values in (found[key] for key in found if key != "predict"):
        assert np.isfinite(values).all()
    if "predict_proba" in found:
        np.testing.assert_allclose(found["predict_proba"].sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_answer_or_typed_error(card, parameters, name):
    check(card, parameters, *TABLES[name])


@pytest.mark.parametrize("name", [name for name, (X, _) in TABLES.items() if fits_float32(X)])
@pytest.mark.parametrize(("card", "parameters"), FIRST_CASES)
def test_answer_or_typed_error_in_single_precision(card, parameters, name):
    X, y = TABLES[name]
    check(card, parameters, X.astype(np.float32), y)


def check(card, parameters, X, y):
    try:
        model = build(card, parameters).fit(X, y)
        found = outputs(model, X)
    except DataError as error:
        reason = str(error)
    else:
        reason = None
        assert_finite(found, y if is_classifier(model) else None)
    assert reason is None or "column" in reason
