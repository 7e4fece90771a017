"""Real tables as WEKA had them, typed for a comparison, and the accuracies of WEKA's classifiers on them."""

import numpy as np
import polars as pl
from sklearn.model_selection import train_test_split

from classica.tables import RawTable, decide_types
from tests.oracles.ensembles import told
from tests.oracles.tree_tables import DATA, WEKA

FORESTS = told("weka_ensembles.json")
#: Table, method, and the mean and standard deviation over ten seeds, in per cent.
ACCURACIES = {
    name: {**cells, "RandomForest10": FORESTS[name]["RandomForest10"]}
    for name, cells in told("weka_classifiers.json").items()
}


def typed(name):
    """Return a table with the declared levels, and with classes that sort in the declared order."""
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


def part_of(table, rows):
    """Return so many rows of a table with the shares of its classes, or all it has."""
    if len(table) <= rows:
        return table
    kept, _ = train_test_split(np.arange(len(table)), train_size=rows, stratify=table.y, random_state=0)
    return table.take_rows(np.sort(kept))
