"""Diagnose a comparison: rules over everything it has measured."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.decision.rows import one_per_row
from classica.diagnosis.evidence import Evidence
from classica.diagnosis.finding import Finding, diagnosis_rules
from classica.errors import DataError, must
from classica.native import Floats
from classica.recorded import Recorded
from classica.selection.extrapolation import Extrapolation
from classica.selection.learning_curves import LearningCurve
from classica.statistics.bayes_errors.table_bracket import TableBayesError
from classica.statistics.decomposition.bias_variance_result import BiasVariance
from classica.statistics.fold_ranking import Comparison
from classica.statistics.fold_scores import read_models, read_scores


@dataclass(frozen=True)
class Diagnosis(Recorded):
    """All findings, in the order in which they matter."""

    findings: list[Finding]

    @property
    def codes(self) -> list[str]:
        """The codes of the findings."""
        return [finding.code for finding in self.findings]

    def __str__(self) -> str:
        return "\n".join(str(finding) for finding in self.findings) or "Nothing to report."


def diagnose(
    test_scores: Mapping[str, Any],
    test_fraction: float,
    *,
    train_scores: Mapping[str, Any] | None = None,
    baseline: Any = None,
    y: VectorLike | None = None,
    predictions: Mapping[str, Any] | None = None,
    probabilities: Mapping[str, Any] | None = None,
    classes: Any = None,
    learning: LearningCurve | Extrapolation | None = None,
    bracket: TableBayesError | None = None,
    bias_variance: BiasVariance | None = None,
    leaks: Mapping[str, float] | None = None,
    simplicity: Sequence[str] = (),
    titles: Mapping[str, str] | None = None,
    ranking: Comparison | None = None,
    higher_is_better: bool = True,
    is_share: bool = False,
    resolution: float | None = None,
    rope: float = 0.01,
    alpha: float = 0.05,
    floor: Any = None,
) -> Diagnosis:
    """Diagnose models and their table: findings with numbers and what to do about them.

    All arguments but the first two are optional; rules that need a missing one report nothing.

    Parameters
    ----------
    test_scores, train_scores : dict from str to array-like of shape (n_folds,)
        The scores of each model on held-out rows and on its training rows; NaN where a fold failed.
    test_fraction : float
        The share of the rows each fold tests on.
    baseline : array-like of shape (n_folds,), optional
        The scores of the baseline on the same folds.
    y : array-like of shape (n_rows,), optional
        The true labels of the rows, each predicted when it was held out.
    predictions, probabilities : dict from str to array-like, optional
        The predictions of each model for these rows: labels, and the probabilities of `classes`.
    classes : array-like, optional
        The labels of the columns of `probabilities`; by default those of `y`, sorted.
    learning : LearningCurve or Extrapolation, optional
        The learning curve of the best model.
    bracket : TableBayesError, optional
        The bracket of the Bayes error.
    bias_variance : BiasVariance, optional
        Bias and variance of the best model.
    leaks : dict from str to float, optional
        Columns suspected of leakage, with the share of the rows that each alone predicts correctly.
    simplicity : sequence of str, optional
        The models, the simplest first.
    titles : dict from str to str, optional
        Display names of models, where these differ from their names.
    ranking : Comparison, optional
        The ranking of the models, where there is one already; by default that of `compare_tests`.
    higher_is_better : bool, default=True
        Whether a high score is good.
    is_share : bool, default=False
        Whether scores are shares, such as an accuracy, to be shown as percentages.
    resolution : float or None, default=None
        The smallest step of a score, as in `compare_tests`: for an accuracy, one row of a fold.
    rope : float, default=0.01
        The largest difference of practically equal scores.
    alpha : float, default=0.05
        The significance level of the tests.
    floor : deprecated
        The former name of `baseline`.

    Returns
    -------
    Diagnosis

    Examples
    --------
    >>> print(
    ...     diagnose(
    ...         {"tree": [0.70, 0.74, 0.72]}, 1 / 3, train_scores={"tree": [1.0, 1.0, 1.0]}
    ...     )
    ... )  # doctest: +ELLIPSIS
    E101 Overfitting: tree scores much better on the training set than on held-out rows: 1 against 0.72...
    """
    if floor is not None:
        warnings.warn("diagnose(floor=...) is deprecated; use baseline=.", DeprecationWarning, stacklevel=2)
        baseline = floor
    scores = read_models(test_scores)
    truth, labels = _labels(y, classes)
    evidence = Evidence(
        test_scores=scores,
        test_fraction=test_fraction,
        train_scores=read_models(train_scores) if train_scores else {},
        baseline=None if baseline is None else read_scores(baseline, "baseline"),
        y=truth,
        predictions=_per_row(predictions, truth, "predictions"),
        probabilities=_per_row(probabilities, truth, "probabilities"),
        classes=labels,
        extrapolation=learning.extrapolate() if isinstance(learning, LearningCurve) else learning,
        bracket=bracket,
        bias_variance=bias_variance,
        leaks=dict(leaks or {}),
        simplicity=tuple(simplicity),
        titles=dict(titles or {}),
        higher_is_better=higher_is_better,
        is_share=is_share,
        resolution=resolution,
        rope=rope,
        alpha=alpha,
        ranking=ranking,
    )
    return Diagnosis([finding for rule in diagnosis_rules() for finding in rule.find(evidence)])


def _labels(y: Any, classes: Any) -> tuple[NDArray[Any] | None, NDArray[Any] | None]:
    if y is None:
        return None, None
    truth = one_per_row(y, "y")
    return truth, np.unique(truth) if classes is None else one_per_row(classes, "classes")


def _per_row(
    given: Mapping[str, Any] | None, truth: NDArray[Any] | None, what: str
) -> dict[str, NDArray[Any] | Floats]:
    if not given:
        return {}
    if truth is None:
        raise DataError(must("y", f"given with {what}", None))
    read = {str(name): np.asarray(each) for name, each in given.items()}
    for name, each in read.items():
        if len(each) != len(truth):
            raise DataError(must(f"{what}[{name!r}]", f"{len(truth)} rows long, as y", len(each)))
    return read
