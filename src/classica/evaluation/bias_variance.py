r"""Bias and variance: does a learner err because it is too simple, or because it follows its sample.

.. math:: E[L] = \text{noise}^2 + \text{bias}^2 + \text{variance}

for squared loss, and Domingos's (2000) decomposition for the error of labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.model_selection import train_test_split
from sklearn.utils import resample

from classica.decision.labels import known_codes
from classica.decision.rows import number_per_row, one_per_row
from classica.errors import DataError, ParameterError, must
from classica.evaluation.loss_parts import SquaredLossParts, ZeroOneLossParts
from classica.evaluation.loss_sums import class_loss_parts, label_loss_parts, number_loss_parts
from classica.evaluation.recorded import Recorded
from classica.native import Floats
from classica.params import Integer, Real


@dataclass(frozen=True)
class BiasVariance(Recorded):
    """The parts of a learner's expected loss.

    Attributes
    ----------
    squared : SquaredLossParts
        Those of the squared loss: of probabilities for a classifier that has them, of labels as 0 and 1 for
        one that has none (both summed over classes, as in Brier's score), of numbers for a regressor.
    zero_one : ZeroOneLossParts or None
        Those of the error of labels; None for a regressor.
    rows : int
        How many rows it was judged on.
    n_samples : int
        How many training sets there were.
    noise_known : bool
        Whether noise is told apart from bias.
    """

    squared: SquaredLossParts
    zero_one: ZeroOneLossParts | None
    rows: int
    n_samples: int
    noise_known: bool

    def __str__(self) -> str:
        parts = [str(part) for part in (self.zero_one, self.squared) if part is not None]
        apart = "" if self.noise_known else "; noise cannot be told from bias unless it is known"
        return "\n".join([*parts, f"on {self.rows:,} rows, from {self.n_samples} training sets{apart}"])


def bias_variance(
    estimator: Any,
    X: Any,
    y: Any,
    X_test: Any = None,
    y_test: Any = None,
    *,
    n_samples: int = 50,
    posteriors: Any = None,
    y_noise_free: Any = None,
    test_size: float = 1 / 3,
    random_state: int = 0,
) -> BiasVariance:
    """Fit a learner to many samples of the rows, and see how its predictions differ.

    Parameters
    ----------
    estimator : classifier or regressor
        What is judged; not changed.
    X : table
        The rows it learns from.
    y : array-like of shape (n_rows,)
        Their labels, or numbers.
    X_test, y_test : table and array-like, optional
        The rows it is judged on; by default a part of the others that is then not learned from.
    n_samples : int, default=50
        How many bootstrap samples it is fitted to.
    posteriors : array-like of shape (n_test, n_classes), optional
        The true probability of each class, sorted by label, for each row of `X_test`: what is known where
        data was made. Noise is then told apart from bias.
    y_noise_free : array-like of shape (n_test,), optional
        The same for a regressor: the numbers of `X_test` before noise was added.
    test_size : float, default=1/3
        The share of the rows it is judged on, if there is no `X_test`.
    random_state : int, default=0
        The samples.

    Returns
    -------
    BiasVariance

    Notes
    -----
    Bootstrap samples stand for fresh training sets. They hold fewer different rows, so that bias and variance
    are those of a somewhat smaller table. Samples keep the shares of the classes.
    """
    rule = Integer(at_least=2)
    if not rule.accepts(n_samples):
        raise ParameterError(must("n_samples", str(rule), n_samples))
    if X_test is None or y_test is None:
        _refuse_halves(X_test, y_test, posteriors, y_noise_free)
        X, X_test, y, y_test = _cut(estimator, X, y, test_size, random_state)
    if is_classifier(estimator):
        if y_noise_free is not None:
            raise ParameterError("y_noise_free must be None for a classifier, got labels: give posteriors.")
        return _of_classifier(estimator, (X, y), (X_test, y_test), posteriors, n_samples, random_state)
    if posteriors is not None:
        raise ParameterError("posteriors must be None for a regressor, got numbers: give y_noise_free.")
    return _of_regressor(estimator, (X, y), (X_test, y_test), y_noise_free, n_samples, random_state)


def _of_regressor(
    estimator: Any, train: tuple[Any, Any], test: tuple[Any, Any], noise_free: Any, n_samples: int, seed: int
) -> BiasVariance:
    truth = number_per_row(test[1], "y_test")
    clean = None if noise_free is None else number_per_row(noise_free, "y_noise_free")
    if clean is not None and len(clean) != len(truth):
        raise DataError(must("y_noise_free", f"{len(truth)} numbers long", len(clean)))
    models = _fits(estimator, *train, n_samples, seed, stratify=None)
    found = np.array([number_per_row(model.predict(test[0]), "predictions") for model in models])
    parts = number_loss_parts(found, truth, clean)
    return BiasVariance(parts, None, len(truth), n_samples, clean is not None)


def _of_classifier(
    estimator: Any, train: tuple[Any, Any], test: tuple[Any, Any], posteriors: Any, n_samples: int, seed: int
) -> BiasVariance:
    X, y = train
    X_test, y_test = test
    labels = one_per_row(y, "y")
    classes = np.unique(labels)
    truth = known_codes(y_test, classes, len(one_per_row(y_test, "y_test")))
    target = np.eye(len(classes))[truth]
    if posteriors is not None:
        target = _read_posteriors(posteriors, target.shape)
    models = _fits(estimator, X, y, n_samples, seed, stratify=labels)
    said, probable = _ask(models, X_test, classes, len(truth))
    known = posteriors is not None
    zero_one = label_loss_parts(said, target, len(classes), known)
    return BiasVariance(class_loss_parts(probable, target, known), zero_one, len(truth), n_samples, known)


def _fits(estimator: Any, X: Any, y: Any, n_samples: int, seed: int, stratify: Any) -> Any:
    """Yield the estimator fitted to one bootstrap sample after another."""
    for sample in range(n_samples):
        draw = np.random.RandomState([seed, sample])
        rows, targets = resample(X, y, random_state=draw, stratify=stratify)
        yield clone(estimator).fit(rows, targets)


def _ask(models: Any, X: Any, classes: NDArray[Any], rows: int) -> tuple[NDArray[np.intp], Floats]:
    """Return each model's labels, as codes, and its probabilities: 0 and 1 if it has none."""
    said, probable = [], []
    for model in models:
        answer = known_codes(model.predict(X), classes, rows)
        said.append(answer)
        has = hasattr(model, "predict_proba")
        probable.append(np.asarray(model.predict_proba(X)) if has else np.eye(len(classes))[answer])
    return np.array(said), np.array(probable)


def _read_posteriors(posteriors: Any, shape: tuple[int, ...]) -> Floats:
    given = np.asarray(posteriors, dtype=np.float64)
    if given.shape != shape:
        raise DataError(must("posteriors", f"of shape {shape}", given.shape))
    if not ((given >= 0) & (given <= 1)).all() or not np.allclose(given.sum(axis=1), 1):
        raise DataError("posteriors must be probabilities that sum to 1 in each row, got other numbers.")
    return given


def _refuse_halves(X_test: Any, y_test: Any, posteriors: Any, y_noise_free: Any) -> None:
    if X_test is not None or y_test is not None:
        raise DataError("X_test and y_test must be given together, got one of them.")
    if posteriors is not None or y_noise_free is not None:
        raise DataError("X_test must be given with what is known about its noise, got None.")


def _cut(estimator: Any, X: Any, y: Any, test_size: float, seed: int) -> Any:
    rule = Real(above=0, at_most=1)
    if not rule.accepts(test_size) or test_size == 1:
        raise ParameterError(must("test_size", "a number above 0 and below 1", test_size))
    stratify = one_per_row(y, "y") if is_classifier(estimator) else None
    try:
        return train_test_split(X, y, test_size=test_size, random_state=seed, stratify=stratify)
    except ValueError as error:
        raise DataError(f"y must have rows enough to be cut into two parts, got: {error}") from None
