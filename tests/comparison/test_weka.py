"""Comparisons without tuning give the accuracies that WEKA's ten times ten folds give, but for chance."""

import numpy as np
import polars as pl
import pytest

from classica.comparison import compare
from classica.comparison.workspace import Workspace
from classica.data import RawTable, decide_types
from tests.comparison import weka_models
from tests.comparison.in_process import compared
from tests.oracles.ensembles import Cell, leaning, outside, report, told
from tests.oracles.tree_tables import DATA, WEKA

FORESTS = told("weka_ensembles.json")
THEIRS = {
    name: {**cells, "RandomForest10": FORESTS[name]["RandomForest10"]}
    for name, cells in told("weka_classifiers.json").items()
}
METHODS = ("J48", "NaiveBayes", "IBk1", "IBk5", "SMO", "Logistic", "RandomForest10", "AdaBoost10")
MODELS = {f"{weka_models.__name__}:{method}": method for method in METHODS}


def table(name):
    """Return a table as WEKA has it: with the declared levels, and classes in the declared order."""
    declared = WEKA[name]
    cells = pl.read_csv(DATA / f"{name}.csv.gz", infer_schema=False)
    columns = [
        cells[column].cast(pl.Float64 if levels is None else pl.Enum(levels))
        for column, levels in declared["columns"].items()
    ]
    # Ours sort classes by name, and the first class wins some ties.
    numbered = {label: f"{place:02d} {label}" for place, label in enumerate(declared["classes"])}
    target = cells[declared["target"]].replace_strict(numbered).alias("the class")
    return decide_types(RawTable(pl.DataFrame([*columns, target]), name, "frame"), target="the class")


def cells_of(name, folder, summary):
    """Return the cells of a comparison: percentages of rows that each repeat got right."""
    workspace = Workspace.load(folder)
    repeats = workspace.settings.repeats
    sizes = np.array([len(test) for _, test in workspace.splits])
    found = []
    for entry in summary["models"]:
        if entry["name"] in MODELS:
            assert entry["status"] == "done", entry["reason"]
            right = (np.array(entry["fold_scores"]) * sizes).reshape(repeats, -1).sum(axis=1)
            method = MODELS[entry["name"]]
            found.append(Cell(name, method, THEIRS[name][method], 100 * right / len(workspace.y)))
    assert len(found) == len(MODELS)
    return found


# Of numbers; of categories.
@pytest.mark.parametrize("name", ["iris", "contact-lenses"])
def test_accuracies_are_those_of_weka_on_small_tables(tmp_path, name):
    found = compared(tmp_path, table(name), MODELS, tune=False, repeats=2)
    cells = cells_of(name, tmp_path, found)
    assert not outside(cells), report(cells)


@pytest.mark.full
def test_accuracies_are_those_of_weka(tmp_path):
    cells = []
    for name in THEIRS:
        found = compare(table(name), models=MODELS, tune=False, repeats=10, out=tmp_path / name)
        cells += cells_of(name, tmp_path / name, found.summary)
    print(report(cells))
    assert len(cells) == 21 * len(METHODS)
    assert len(outside(cells)) <= 0.05 * len(cells), report(outside(cells))
    assert max(map(abs, leaning(cells).values())) <= 0.5, leaning(cells)
