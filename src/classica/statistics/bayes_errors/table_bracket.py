"""Bracket the Bayes error of a table by nearest neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import narwhals as nw
import numpy as np
from sklearn.preprocessing import StandardScaler

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.decision.rows import one_per_row
from classica.errors import DataError, ParameterError, must
from classica.estimators import KNeighborsClassifier
from classica.params import Integer, Nothing, Real
from classica.recorded import Recorded
from classica.row_taking import as_table, is_frame, take_rows
from classica.statistics.bayes_errors.neighbour_bounds import bayes_error_bracket
from classica.statistics.fold_scores import check_between

_LARGEST_K = 50
#: The error of the best K is optimistic. Neighbouring K err alike, so K up to 50 count as about this many
#: choices.
_CHOICES = 6
#: The error of 1-NN approaches its limit as n^(-2/d); above this value no bound is claimed.
_OUT_OF_SIGHT = 0.1
_NOTE = "An asymptotic estimate, not a guaranteed lower bound: with few rows it may be far too high."


@dataclass(frozen=True)
class TableBayesError(Recorded):
    """An interval for the Bayes error, the error of the best possible classifier.

    Attributes
    ----------
    lower, upper : float
        The interval. A lower end of 0 is uninformative.
    nearest_error, best_error : float
        The leave-one-out errors of 1-NN, and of the best K.
    best_k : int
        The best K.
    dimension : float
        The estimated intrinsic dimension of the rows; infinite if it cannot be estimated.
    rows, classes : int
        The size of the table, or of the sample that was used.
    confidence : float
        The level of the intervals of the measured errors.
    notes : list of str
        How to interpret the interval, and its limitations.
    """

    lower: float
    upper: float
    nearest_error: float
    best_error: float
    best_k: int
    dimension: float
    rows: int
    classes: int
    confidence: float
    notes: list[str]

    def __str__(self) -> str:
        if self.lower > 0:
            sentence = f"The Bayes error is estimated between {self.lower:.2%} and {self.upper:.2%}"
        else:
            sentence = f"The Bayes error is estimated at no more than {self.upper:.2%}"
        source = f"from the leave-one-out error of 1-NN ({self.nearest_error:.2%}), which is the best K"
        if self.best_k > 1:
            source = (
                f"from the leave-one-out errors of 1-NN ({self.nearest_error:.2%}) and of the best K, "
                f"{self.best_k}-NN ({self.best_error:.2%})"
            )
        return f"{sentence}, {source}. {' '.join(self.notes)}"


def table_bayes_error(
    X: MatrixLike,
    y: VectorLike,
    best_upper: float | None = None,
    *,
    confidence: float = 0.95,
    max_rows: int = 20_000,
    random_state: int = 0,
) -> TableBayesError:
    r"""Estimate an interval for the Bayes error of a table from leave-one-out nearest-neighbour errors.

    The upper end is the upper confidence limit of the best K-NN, which allows for the choice of K, or that of
    the best model if it is lower. The lower end is that of Cover and Hart for 1-NN (`bayes_error_bracket`).

    Parameters
    ----------
    X : table
        The rows. Numeric columns are scaled to unit variance; tables with categories or missing values are
        compared by HEOM.
    y : array-like of shape (n_samples,)
        The labels.
    best_upper : float or None, default=None
        The upper confidence limit of the best model's error.
    confidence : float, default=0.95
        The level of the intervals of the measured errors.
    max_rows : int, default=20000
        Number of rows to sample from a larger table.
    random_state : int, default=0
        Random seed of that sample.

    Returns
    -------
    TableBayesError

    Notes
    -----
    The error of 1-NN approaches its limit like :math:`n^{-2/d}`, where d is the intrinsic dimension,
    estimated from the ratios of the distances to the two nearest neighbours (Facco et al. 2017). Where this
    term is above 0.1, the error is too far from its limit to bound anything, and the lower end is 0. The same
    holds where the best model or a larger K has a lower error than the lower end.

    Leave-one-out errors of 1-NN are not independent: two rows that are each other's nearest neighbours are
    right or wrong together. The lower end therefore counts half of the rows and half of the errors.
    """
    _check(best_upper, confidence, max_rows)
    labels = one_per_row(y, "y")
    if len(np.unique(labels)) < 2 or len(labels) < 3:
        raise DataError(must("y", "of at least 3 rows and 2 classes", labels.tolist()))
    if len(labels) > max_rows:
        chosen = np.sort(np.random.default_rng(random_state).permutation(len(labels))[:max_rows])
        X, labels = take_rows(as_table(X), chosen), labels[chosen]
    model = _neighbours(X, labels)
    errors = model.leave_one_out_errors(_LARGEST_K).decrease
    rows, classes = len(labels), len(model.classes_)
    best_k = int(errors.argmin()) + 1
    chosen_from = 1 - (1 - confidence) / _CHOICES
    own_upper = bayes_error_bracket(int(errors.min()), rows, classes, confidence=chosen_from).upper
    cap = own_upper if best_upper is None else min(own_upper, float(best_upper))
    # Mutual nearest neighbours err together, so the effective number of rows is about half.
    pairs = int(errors[0]) // 2, rows // 2
    estimate = bayes_error_bracket(*pairs, classes, confidence=confidence, best_upper=cap)
    dimension = _dimension(model)
    lower, notes = _lower_end(estimate.lower, rows, dimension, "The lower end was" in estimate.note)
    if best_upper is not None and best_upper < own_upper:
        notes.append("The upper end is the best model's upper confidence limit.")
    return TableBayesError(
        lower=lower,
        upper=estimate.upper,
        nearest_error=float(errors[0] / rows),
        best_error=float(errors.min() / rows),
        best_k=best_k,
        dimension=dimension,
        rows=rows,
        classes=classes,
        confidence=float(confidence),
        notes=notes,
    )


def _check(best_upper: object, confidence: float, max_rows: int) -> None:
    share = Real(at_least=0, at_most=1) | Nothing()
    if not share.accepts(best_upper):
        raise ParameterError(must("best_upper", str(share), best_upper))
    check_between("confidence", confidence)
    rule = Integer(at_least=3)
    if not rule.accepts(max_rows):
        raise ParameterError(must("max_rows", str(rule), max_rows))


def _neighbours(X: Rows, labels: VectorLike) -> KNeighborsClassifier:
    """Return the rows in a search structure, on comparable scales."""
    table = as_table(X)
    if is_frame(table):
        frame = nw.from_native(table, eager_only=True)
        if not all(dtype.is_numeric() for dtype in frame.schema.values()):
            return KNeighborsClassifier(1, metric="heom").fit(table, labels)
        table = frame.to_numpy()
    if not isinstance(table, np.ndarray) or table.dtype.kind not in "biuf":
        return KNeighborsClassifier(1).fit(table, labels)  # whose error says what is wrong with it
    if np.isnan(table).any():
        return KNeighborsClassifier(1, metric="heom").fit(table, labels)
    return KNeighborsClassifier(1).fit(StandardScaler().fit_transform(table), labels)


def _dimension(model: KNeighborsClassifier) -> float:
    """Estimate the intrinsic dimension from the ratios of the distances to the two nearest neighbours."""
    distances, _ = model.kneighbors(None, 2)
    first, second = distances[distances[:, 0] > 0].T
    total = float(np.sum(np.log(second / first)))
    return (len(first) - 1) / total if total > 0 and len(first) > 1 else np.inf


def _lower_end(lower: float, rows: int, dimension: float, refuted: bool) -> tuple[float, list[str]]:
    """Return the lower end, or 0 where it is not justified, with the reason."""
    if refuted:
        return 0.0, [
            _NOTE,
            "The best model is below the lower end, so there are too few rows for that bound.",
        ]
    if rows ** (-2 / dimension) <= _OUT_OF_SIGHT:
        return lower, [_NOTE]
    where = f"about {dimension:.0f} dimensions" if np.isfinite(dimension) else "these dimensions"
    return 0.0, [
        _NOTE,
        f"{rows:,} rows in {where} are too few for a lower end: the nearest neighbours are far away.",
    ]
