"""Comparisons without tuning give the accuracies that WEKA's ten times ten folds give, but for chance."""

import numpy as np
import pytest

from classica.comparison import compare
from classica.comparison.plan.workspace import Workspace
from tests.comparison import weka_models
from tests.comparison.in_process import compared
from tests.comparison.weka_tables import ACCURACIES, typed
from tests.oracles.ensembles import Cell, leaning, outside, report

METHODS = ("J48", "NaiveBayes", "IBk1", "IBk5", "SMO", "Logistic", "RandomForest10", "AdaBoost10")
MODELS = {f"{weka_models.__name__}:{method}": method for method in METHODS}


def cells_of(name, folder, summary):
    """Return the cells of a comparison: percentages of rows that each repeat got right."""
    workspace = Workspace.load(folder)
    repeats = workspace.settings.repeats
    sizes = np.array([len(test) for _, test in workspace.splits])
    found = []
    for model in summary.models:
        if model.name in MODELS:
            assert model.is_judged, model.reason
            right = (model.values("test_score") * sizes).reshape(repeats, -1).sum(axis=1)
            method = MODELS[model.name]
            found.append(Cell(name, method, ACCURACIES[name][method], 100 * right / len(workspace.y)))
    assert len(found) == len(MODELS)
    return found


# Of numbers; of categories.
@pytest.mark.parametrize("name", ["iris", "contact-lenses"])
def test_accuracies_are_those_of_weka_on_small_tables(tmp_path, name):
    found = compared(tmp_path, typed(name), MODELS, tune=False, repeats=2)
    cells = cells_of(name, tmp_path, found)
    assert not outside(cells), report(cells)


@pytest.mark.full
def test_accuracies_are_those_of_weka(tmp_path):
    cells = []
    for name in ACCURACIES:
        found = compare(typed(name), models=MODELS, tune=False, repeats=10, out=tmp_path / name)
        cells += cells_of(name, tmp_path / name, found.summary)
    print(report(cells))
    assert len(cells) == 21 * len(METHODS)
    assert len(outside(cells)) <= 0.05 * len(cells), report(outside(cells))
    assert max(map(abs, leaning(cells).values())) <= 0.5, leaning(cells)
