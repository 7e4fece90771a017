"""What a fitted model shows cannot be written to, so that nobody changes decisions by accident."""

import copy
import pickle

import numpy as np
import pytest

from classica import catalog, persist
from tests.contract.cases import CASES, assert_same, build, outputs, table_for


def scribble(model):
    """Write to every public array of a model that can be written to."""
    for name in (name for name in dir(model) if name.endswith("_") and not name.startswith("_")):
        found = getattr(model, name, None)
        for array in found if isinstance(found, list | tuple) else [found]:
            if isinstance(array, np.ndarray) and array.dtype.kind in "biuf" and array.flags.writeable:
                array[...] = 1 - array.astype(float)[::-1]


def loaded(model, folder):
    """Return the model as it comes from a model file."""
    persist.save(model, folder / "model.classica")
    return persist.load(folder / "model.classica")


@pytest.mark.parametrize(("card", "parameters"), CASES)
def test_what_can_be_written_to_changes_no_prediction(card, parameters, tmp_path):
    X, y = table_for(card, rows=60)
    model = build(card, parameters).fit(X, y)
    before = outputs(model, X)
    by_pickle = pickle.loads(pickle.dumps(model))
    for one in (loaded(model, tmp_path), by_pickle, copy.deepcopy(model), copy.copy(model), model):
        scribble(one)
        assert_same(outputs(one, X), before)


@pytest.mark.parametrize("slug", ["linear-svm", "logistic", "perceptron", "lda", "fisher", "svm"])
def test_weights_cannot_be_written_to(slug):
    X, y = table_for(catalog.card(slug))
    model = catalog.card(slug).build(**({"kernel": "linear"} if slug == "svm" else {})).fit(X, y)
    for name in ("coef_", "thresholds_" if slug == "fisher" else "intercept_"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(model, name)[...] = 0
