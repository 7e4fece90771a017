"""Perceptron and Winnow: every change, in the order of the rows.

The updates are worked out again, row by row, as the lectures do; the weights they end with are those that the
classifier learned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.errors import ParameterError, must
from classica.estimators.linear.kernel_perceptron import KernelPerceptronClassifier
from classica.estimators.linear.perceptron import PerceptronClassifier
from classica.estimators.linear.winnow import WinnowClassifier
from classica.explain.binary_scores import is_by_pair
from classica.explain.section import Section
from classica.explain.settings_shown import settings_sections
from classica.explain.shown_scores import score_names
from classica.explain.traced import Traced
from classica.explain.tracers import any_steps, trace_as
from classica.native import Floats
from classica.wording import plain_words


def perceptron_steps(traced: Traced) -> list[Section]:
    """Return each mistake of a perceptron, and the weights after it."""
    _require_order(traced)
    model = traced.estimator
    X = np.asarray(model._query(traced.seen), dtype=np.float64)
    ones = np.ones((len(X), 1)) if model._intercept else np.zeros((len(X), 1))
    wide = np.hstack([X, ones])
    names = [*traced.layers.seen_names, "intercept"]
    sections = []
    for machine, sides in enumerate(_signs(traced)):
        weights, rows = np.zeros(wide.shape[1]), []
        for epoch, index, x, side in _presented(wide, sides, model.mistakes_[:, machine]):
            score = float(weights @ x)
            if _is_right(score, side, model._zero):
                continue
            weights = weights + side * x
            rows.append([epoch, index + 1, side, score, *weights.tolist()])
        sections.append(_changes(traced, machine, names, rows))
    return [*settings_sections(traced.layers), *sections, _mistakes(traced)]


def winnow_steps(traced: Traced) -> list[Section]:
    """Return each mistake of Winnow, and the weights after it."""
    _require_order(traced)
    model = traced.estimator
    X = np.asarray(model._query(traced.seen), dtype=np.float64)
    above = 0.0 if model._above is None else float(model._above)
    on = np.greater(X, above).astype(np.float64)
    sections = []
    for machine, sides in enumerate(_signs(traced)):
        weights = np.full((2 if model.balanced else 1, on.shape[1]), float(model.initial_weight))
        rows = []
        for epoch, index, x, side in _presented(on, sides, model.mistakes_[:, machine]):
            total = float(weights[0] @ x) - (float(weights[1] @ x) if model.balanced else 0.0)
            score = total - model.threshold_
            if _is_right(score, side, -1):
                continue
            _promote(weights, x, side, float(model.alpha))
            rows.append([epoch, index + 1, side, score, *(weights[0] - weights[1:].sum(axis=0)).tolist()])
        sections.append(_changes(traced, machine, traced.layers.seen_names, rows))
    threshold = Section("Threshold", facts={"threshold": model.threshold_, "factor": float(model.alpha)})
    return [*settings_sections(traced.layers), threshold, *sections, _mistakes(traced)]


def _promote(weights: Floats, x: Floats, side: int, factor: float) -> None:
    """Multiply the weights of the columns that are on, those that speak against the side by the inverse."""
    on = x > 0
    for own, direction in zip(weights, (side, -side), strict=False):
        own[on] *= factor if direction > 0 else 1 / factor


def _is_right(score: float, side: int, zero: int) -> bool:
    """Return whether a row is on its side; a score of zero speaks for ``zero``, or is always a mistake."""
    predicted = zero if score == 0 else 1 if score > 0 else -1
    return predicted == side


def _presented(X: Floats, sides: NDArray[Any], mistakes: Any) -> Any:
    """Give the rows of each epoch in their order, as long as there were mistakes."""
    for epoch in range(1, len(mistakes) + 1):
        for index in np.flatnonzero(sides).tolist():
            yield epoch, index, X[index], int(sides[index])
        if mistakes[epoch - 1] == 0:
            return


def _signs(traced: Traced) -> Any:
    """Return the side of every row in every binary classifier: 1, -1, or 0 where it takes no part."""
    labels = traced.layers.classes or []
    codes = np.array([labels.index(label) for label in traced.labels.tolist()])
    return traced.estimator._sides()[:, codes]


def _require_order(traced: Traced) -> None:
    if traced.estimator.shuffle:
        raise ParameterError(must("shuffle", "false to trace rows in the order of the table", True))


def _changes(traced: Traced, machine: int, names: list[str], rows: list[Any]) -> Section:
    labels = traced.layers.classes or []
    by_pair = is_by_pair(traced.layers)
    about = [plain_words(labels[1])] if len(labels) == 2 else score_names(labels, by_pair=by_pair)
    headings = ["epoch", "row", "side", "score", *(plain_words(name) for name in names)]
    title = f"Mistakes and the weights after each, for {about[machine]}"
    return Section(title, headings=headings, rows=rows)


def _mistakes(traced: Traced) -> Section:
    model = traced.estimator
    rows = [[epoch, *mistakes] for epoch, mistakes in enumerate(model.mistakes_.tolist(), 1)]
    machines = [f"classifier {number}" for number in range(1, model.mistakes_.shape[1] + 1)]
    note = (
        "Converged: the last epoch had no mistakes."
        if model.converged_
        else "Not converged: every epoch had mistakes."
    )
    return Section("Mistakes per epoch", headings=["epoch", *machines], rows=rows, note=note)


# Rows are presented in the order of the table, so that the steps can be followed.
trace_as(perceptron_steps, PerceptronClassifier, shuffle=False)
trace_as(winnow_steps, WinnowClassifier, shuffle=False)
trace_as(any_steps, KernelPerceptronClassifier, shuffle=False)
