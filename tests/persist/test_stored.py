"""Files written by earlier releases load, and give the answers they gave."""

import json

import numpy as np
import pytest

from classica import catalog, load
from classica.persist.names import estimators
from tests.contract.cases import outputs
from tests.persist.stored import FOLDER

OURS = [card.slug for card in catalog.cards() if card.estimator.__module__.startswith("classica.")]
STORED = sorted(FOLDER.glob("*.classica"))


def test_every_kind_is_stored():
    calibrated = {f"bayes-decision-{method}" for method in ("sigmoid", "isotonic", "softmax")}
    assert {path.stem for path in STORED} >= {*OURS, "bayes-decision", "table", *calibrated}
    assert {path.stem for path in STORED} - calibrated <= set(estimators())


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_answers(path):
    record = json.loads(path.with_suffix(".json").read_text())
    X = record["csv"].encode() if "csv" in record else np.array(record["rows"])
    found = outputs(load(path), X)
    assert found.keys() == record["answers"].keys()
    for method, values in record["answers"].items():
        if isinstance(values[0], str):
            assert found[method].tolist() == values
        else:  # the last bits depend on the instructions of the machine
            np.testing.assert_allclose(found[method], values, rtol=1e-9, atol=1e-12)
