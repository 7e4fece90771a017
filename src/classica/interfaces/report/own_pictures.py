"""What a model is, as a picture: a tree, weights, importances, means, neighbours, margins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from classica.comparison.results.summary import ModelResult
from classica.displays import (
    DecisionRegionsDisplay,
    ImportanceDisplay,
    MarginDisplay,
    NeighbourPanelDisplay,
    WeightsDisplay,
)
from classica.explain.opened import Opened
from classica.interfaces.report.drawing import CannotDraw, Drawing
from classica.interfaces.report.material import MOST_ROWS, Material
from classica.interfaces.report.report_displays import ClassMeansDisplay

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


#: Nodes of a tree that are drawn.
_NODES = 30
#: Letters of a column's name.
_LETTERS = 28
#: Cells along each axis of the plane, and seconds that fitting and asking there may take.
_RESOLUTION, _PATIENCE = 120, 1.5
#: How much more than the model with all columns one with two may misclassify: beyond, its regions would
#: mislead about what the model does.
_MISLEADING = 0.1


def add_tree(drawing: Drawing, opened: Opened) -> None:
    """Draw a tree, if the model is one."""
    model = opened.estimator
    if hasattr(model, "to_svg"):
        nodes = len(model.named_tree().tree)
        cut = f" It has {nodes} nodes; small branches are collapsed into one node." if nodes > _NODES else ""
        drawing.add(
            "The tree",
            lambda: model.to_svg(max_nodes=_NODES).replace("<svg ", '<svg class="tree" ', 1),
            f"The tree trained on all rows.{cut}",
            is_wide=True,
        )


def add_own(drawing: Drawing, material: Material, result: ModelResult, opened: Opened) -> None:
    """Draw what the model has learned, by what it is made of."""
    model, names = opened.estimator, [_fitted(name) for name in opened.seen_names]
    if hasattr(model, "to_svg"):
        add_tree(drawing, opened)
    elif hasattr(model, "feature_importances_"):
        drawing.add("Importances", lambda: ImportanceDisplay.from_estimator(model, names=names))
    if _has_one_for_each(model, "coef_", names):
        drawing.add("Weights", lambda: WeightsDisplay.from_estimator(model, names=names))
    if _has_one_for_each(model, "means_", names):
        drawing.add("Means", lambda: _means(material, opened))
    if hasattr(model, "kneighbors"):
        caption = "The first misclassified row, if there is one, and its nearest neighbours."
        drawing.add("Neighbours", lambda: _neighbours(material, result, opened), caption)
    if hasattr(model, "support_"):
        drawing.add("Margins", lambda: _margins(material, result, opened))


def add_regions(drawing: Drawing, material: Material, result: ModelResult, opened: Opened) -> None:
    """Draw the decision regions in the plane of the two most informative columns."""
    rows = material.summary.table.rows
    fitting = (result.mean("fit_seconds") or 0.0) * min(1.0, MOST_ROWS / rows)
    # The time of a row is that of a call where a fold has few rows: then it says nothing about many.
    per_row = result.predict_seconds_per_row or 0.0
    asking = 3 * _RESOLUTION**2 * per_row if rows > 2 * MOST_ROWS else 0.0
    if _has_plane(material) and fitting + asking <= _PATIENCE:
        some = f" A sample of {MOST_ROWS:,} rows." if rows > MOST_ROWS else ""
        drawing.add(
            "Decision regions",
            lambda: _regions(material, result, opened),
            f"The same model trained on the two most informative columns only.{some}",
            title=f"Decisions on {material.axes[0]} and {material.axes[1]}",
        )


def _has_one_for_each(model: BaseEstimator, attribute: str, names: list[str]) -> bool:
    """Return whether a model has lines of numbers, one number for each column it sees."""
    numbers = getattr(model, attribute, None)
    return numbers is not None and len(names) > 0 and np.shape(numbers)[1:] == (len(names),)


def _fitted(name: str) -> str:
    """Return a name cut in the middle: the level of a category at its end must be seen."""
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 12]}…{name[-11:]}"


def _has_plane(material: Material) -> bool:
    """Return whether the two most informative columns are numbers: a plane of levels has no shape to see."""
    table = material.workspace.X
    return table.width > 1 and all(table[name].dtype.is_numeric() for name in material.axes)


def _regions(material: Material, result: ModelResult, opened: Opened) -> DecisionRegionsDisplay:
    found = DecisionRegionsDisplay.from_estimator(
        opened.model, material.X, material.y, features=material.axes, resolution=_RESOLUTION
    )
    error = 0.0 if result.confusion is None else result.confusion.error
    if found.wrong.mean() > error + _MISLEADING:
        raise CannotDraw("With two columns only, the model misclassifies far more rows.")
    return replace(found, estimator_=opened.estimator)  # who is named in the picture


def _means(material: Material, opened: Opened) -> ClassMeansDisplay:
    model = opened.estimator
    owners = getattr(model, "mean_class_", np.arange(len(model.means_)))
    rows = opened.seen(opened.features(material.X))
    return ClassMeansDisplay.from_means(
        model.means_, owners, np.asarray(rows), list(map(_fitted, opened.seen_names)), opened.classes or []
    )


def _neighbours(material: Material, result: ModelResult, opened: Opened) -> NeighbourPanelDisplay:
    """Return the neighbours of a row the folds got wrong, with the cells as they are in the table."""
    space = material.workspace
    wrong = [
        int(row)
        for part in material.answers(result)
        for row in part.rows[space.classes[part.codes] != space.y[part.rows]]
    ]
    row = min(wrong, default=0)
    seen = opened.seen(opened.features(space.X))
    few = min(opened.estimator.n_neighbors_, 7, len(space.y) - 1)
    found = NeighbourPanelDisplay.from_estimator(
        opened.estimator, seen, row, y=space.y, n_neighbors=few, view="table"
    )
    shown = [space.X.row(int(index)) for index in [row, *found.neighbours]]
    cells = [["?" if cell is None else str(cell) for cell in each] for each in shown]
    return replace(found, names=list(space.X.columns), query_cells=cells[0], cells=cells[1:])


def _margins(material: Material, result: ModelResult, opened: Opened) -> MarginDisplay:
    """Return the margins of two classes, or of the class that is wrong most often against all others."""
    count = len(opened.estimator.classes_)
    if count > 2 and getattr(opened.estimator, "multi_class", "") == "all-vs-all":
        raise CannotDraw(
            f"The model separates its {count} classes by {count * (count - 1) // 2} binary classifiers, one "
            "for each pair, and each has margins of its own. With multi_class='one-vs-all' those of one "
            "class against all others are drawn."
        )
    classes, found = np.asarray(opened.estimator.classes_).tolist(), result.confusion
    worst = None
    if len(classes) > 2 and found is not None:
        worst = classes[int(np.argmax(np.nan_to_num(found.class_errors, nan=-1.0)))]
    space = material.workspace
    seen = opened.seen(opened.features(space.X))
    return MarginDisplay.from_estimator(opened.estimator, seen, space.y, positive=worst)
