r"""Estimate the bias and the variance of an estimator.

.. math:: E[L] = \text{noise} + \text{bias}^2 + \text{variance}

for squared loss, and the decomposition of Kohavi and Wolpert (1996) for 0-1 loss. Both are estimated
from models of disjoint training sets, and are valid for training sets of that size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from classica.arrays import MatrixLike, Rows, VectorLike
from classica.decision.class_labels import known_codes
from classica.decision.rows import number_per_row, one_per_row
from classica.errors import DataError, ParameterError, must
from classica.native import Floats
from classica.params import Integer
from classica.statistics.decomposition.bias_variance_result import (
    BiasVariance,
    MainPredictionParts,
    SquaredLossParts,
    ZeroOneLossParts,
)
from classica.statistics.decomposition.loss_sums import (
    Moments,
    class_loss_parts,
    label_loss_parts,
    main_prediction_parts,
    number_loss_parts,
)
from classica.statistics.decomposition.training_sets import (
    Generate,
    Table,
    TrainingSets,
    fresh_table,
    held_out,
    sets_of_generator,
    sets_of_table,
)
from classica.statistics.fold_scores import check_between

if TYPE_CHECKING:
    from collections.abc import Callable
from sklearn.base import BaseEstimator

#: Rows of the generated test table, unless test rows are given.
_FRESH_TEST_ROWS = 1000
#: The seed of that table, which no training set uses.
_TEST = 2**31
#: One test row, and two training sets of one row.
_FEWEST_ROWS = 3


@dataclass(frozen=True)
class _Task:
    """Training sets, and the rows that all their models are evaluated on.

    `labels` has every class; `truth` is what is known about the noise.
    """

    sets: TrainingSets
    X: Any
    y: Any
    labels: Any
    truth: Any
    is_fresh: bool


def bias_variance(
    estimator: Any,
    X: MatrixLike | None = None,
    y: VectorLike | None = None,
    X_test: Any = None,
    y_test: Any = None,
    *,
    training_size: int | None = None,
    n_samples: int = 50,
    generate: Generate | None = None,
    posteriors: Any = None,
    y_noise_free: Any = None,
    test_size: float = 1 / 3,
    stratify: bool = False,
    random_state: int = 0,
) -> BiasVariance:
    """Estimate the bias and variance of an estimator by fitting it to many training sets of one size.

    Parameters
    ----------
    estimator : classifier or regressor
        The estimator; it is cloned, not modified.
    X : table
        The rows.
    y : array-like of shape (n_rows,)
        The labels, or numbers for a regressor.
    X_test, y_test : table and array-like, optional
        The test rows; by default a held-out share of `X`, or another generated table.
    training_size : int, optional
        Number of rows of each training set; by default half of the rows that are not held out, the largest
        size that leaves two disjoint sets.
    n_samples : int, default=50
        Number of training sets, rounded up to whole partitions of the rows.
    generate : function, optional
        Instead of `X` and `y`: ``generate(rows, rng)`` returns a fresh table as ``(X, y)``, or as
        ``(X, y, truth)`` with what `posteriors` or `y_noise_free` would hold. Training sets are then
        independent of one another, and Domingos' decomposition is computed as well.
    posteriors : array-like of shape (n_test, n_classes), optional
        The true probability of each class, sorted by label, for each row of `X_test`, if known, as for
        simulated data. Noise is then separated from bias.
    y_noise_free : array-like of shape (n_test,), optional
        The same for a regressor: the numbers of `X_test` before noise was added.
    test_size : float, default=1/3
        The share of the rows to hold out for testing, if there is no `X_test`.
    stratify : bool, default=False
        Whether each training set has the class shares of the table. Use False for a random sample of rows,
        whose class shares vary from sample to sample and contribute to the variance; use True for a table
        whose class counts were fixed, for example with the same number of rows of each class.
    random_state : int, default=0
        Random seed.

    Returns
    -------
    BiasVariance

    Notes
    -----
    The rows that are not held out are repeatedly divided into disjoint training sets. Models of two disjoint
    sets are independent, so the mean product of their predictions estimates the square of the mean
    prediction, and the mean square of a prediction minus that product estimates the variance. Both estimates
    are unbiased for training sets of this size, and each partition adds precision. Models of fewer rows have
    more variance: the components are those of `training_size` rows, not of the whole table.

    The estimate of bias² is unbiased as well, so it may be slightly negative where the bias is small.

    Examples
    --------
    >>> from classica import KNeighborsClassifier
    >>> def coin(rows, rng):
    ...     X = rng.uniform(size=(rows, 1))
    ...     return X, (rng.uniform(size=rows) < 0.8).astype(int), [[0.2, 0.8]] * rows
    >>> found = bias_variance(KNeighborsClassifier(1), generate=coin, training_size=50)
    >>> print(found.zero_one)
    error rate 0.3237 = noise 0.1600 + bias² 0.0005 + variance 0.1632
    """
    rule = Integer(at_least=2)
    if not rule.accepts(n_samples):
        raise ParameterError(must("n_samples", str(rule), n_samples))
    truth = _noise_truth(estimator, posteriors, y_noise_free, stratify)
    test = _given_test(X_test, y_test, truth)
    if generate is None:
        check_between("test_size", test_size)
        table, test = ((X, y), test) if test else _cut(X, y, test_size, random_state, stratify)
        sets = sets_of_table(table, training_size, n_samples, random_state, stratify=stratify)
        task = _Task(sets, *test, y, truth, is_fresh=False)
    else:
        _refuse_table(X, y, stratify)
        task = _generated(generate, test, truth, training_size, n_samples, random_state)
    return _of_classifier(estimator, task) if is_classifier(estimator) else _of_regressor(estimator, task)


def _refuse_table(X: Rows, y: Any, stratify: bool) -> None:
    if X is not None or y is not None:
        raise ParameterError("X and y must be None where tables are generated, got a table.")
    if stratify:
        raise ParameterError(must("stratify", "False where tables are generated", stratify))


def _noise_truth(
    estimator: BaseEstimator, posteriors: VectorLike | None, y_noise_free: VectorLike | None, stratify: bool
) -> Any:
    """Return what is known about the noise, after checking that it and `stratify` suit the estimator."""
    if is_classifier(estimator) and y_noise_free is not None:
        raise ParameterError("y_noise_free must be None for a classifier, got labels. Use posteriors.")
    if not is_classifier(estimator) and stratify:
        raise ParameterError(must("stratify", "False for a regressor, which has no classes", stratify))
    if not is_classifier(estimator) and posteriors is not None:
        raise ParameterError("posteriors must be None for a regressor, got numbers. Use y_noise_free.")
    return y_noise_free if posteriors is None else posteriors


def _given_test(X_test: object, y_test: VectorLike | None, truth: VectorLike | None) -> Table | None:
    if (X_test is None) != (y_test is None):
        raise DataError("X_test and y_test must be given together, got one of them.")
    if X_test is None and truth is not None:
        raise DataError("X_test must be given with what is known about its noise, got None.")
    return None if X_test is None else (X_test, y_test)


def _cut(X: Rows, y: Any, share: float, seed: int, stratify: bool) -> tuple[Table, Table]:
    """Return the rows for training and the held-out test rows."""
    if len(one_per_row(y, "y")) < _FEWEST_ROWS:
        raise DataError(must("y", f"at least {_FEWEST_ROWS} rows long: a test row and two training sets", y))
    return held_out((X, y), share, seed, stratify=stratify)


def _generated(
    generate: Generate, test: Table | None, truth: Any, size: int | None, n_samples: int, seed: int
) -> _Task:
    sets = sets_of_generator(generate, size, n_samples, seed)
    if test is None:
        X_test, y_test, *extra = fresh_table(generate, _FRESH_TEST_ROWS, [seed, _TEST])
        test, truth = (X_test, y_test), extra[0] if extra else None
    return _Task(sets, *test, test[1], truth, is_fresh=True)


def _of_regressor(estimator: BaseEstimator, task: _Task) -> BiasVariance:
    y = number_per_row(task.y, "y_test")
    clean = None if task.truth is None else number_per_row(task.truth, "y_noise_free")
    if clean is not None and len(clean) != len(y):
        raise DataError(must("y_noise_free", f"{len(y)} numbers long", len(clean)))

    def ask(model: BaseEstimator) -> tuple[Floats]:
        return (number_per_row(model.predict(task.X), "predictions")[:, None],)

    (numbers,) = _moments(estimator, task.sets, ask)
    return _result(task, number_loss_parts(numbers, y, clean))


def _of_classifier(estimator: BaseEstimator, task: _Task) -> BiasVariance:
    classes = np.unique(one_per_row(task.labels, "y"))
    y = known_codes(task.y, classes, len(one_per_row(task.y, "y_test")))
    target, noise_known = np.eye(len(classes))[y], task.truth is not None
    if noise_known:
        target = _read_posteriors(task.truth, target.shape)

    def ask(model: BaseEstimator) -> tuple[Floats, Floats]:
        predicted = np.eye(len(classes))[known_codes(model.predict(task.X), classes, len(y))]
        return predicted, _probabilities(model, task.X, classes) if _has(model) else predicted

    labels, probable = _moments(estimator, task.sets, ask)
    return _result(
        task,
        class_loss_parts(probable, target, noise_known),
        label_loss_parts(labels, target, noise_known),
        main_prediction_parts(labels.mean, target, noise_known) if task.is_fresh else None,
    )


def _result(
    task: _Task,
    squared: SquaredLossParts,
    zero_one: ZeroOneLossParts | None = None,
    main_prediction: MainPredictionParts | None = None,
) -> BiasVariance:
    sets = task.sets
    return BiasVariance(
        squared,
        zero_one,
        main_prediction,
        training_size=sets.size,
        rows=len(one_per_row(task.y, "y_test")),
        n_samples=sets.partitions * sets.in_each,
        partitions=sets.partitions,
        is_fresh=task.is_fresh,
        noise_known=task.truth is not None,
    )


def _moments(
    estimator: BaseEstimator, sets: TrainingSets, ask: Callable[[Any], tuple[Floats, ...]]
) -> list[Moments]:
    """Return the moments of each kind of prediction that `ask` obtains from a model."""
    partitions = []
    for tables in sets:
        predictions = [ask(clone(estimator).fit(X, y)) for X, y in tables]
        partitions.append([Moments.of_partition(kind) for kind in zip(*predictions, strict=True)])
    return [Moments.averaged(kind) for kind in zip(*partitions, strict=True)]


def _has(model: BaseEstimator) -> bool:
    return hasattr(model, "predict_proba")


def _probabilities(model: BaseEstimator, X: Rows, classes: NDArray[Any]) -> Floats:
    """Return the probability of each class; 0 for classes that a small training set does not contain."""
    given = np.asarray(model.predict_proba(X), dtype=np.float64)
    probabilities = np.zeros((len(given), len(classes)))
    probabilities[:, known_codes(model.classes_, classes, given.shape[1])] = given
    return probabilities


def _read_posteriors(posteriors: VectorLike, shape: tuple[int, ...]) -> Floats:
    given = np.asarray(posteriors, dtype=np.float64)
    if given.shape != shape:
        raise DataError(must("posteriors", f"of shape {shape}", given.shape))
    if not ((given >= 0) & (given <= 1)).all() or not np.allclose(given.sum(axis=1), 1):
        raise DataError("posteriors must be probabilities that sum to 1 in each row, got other numbers.")
    return given
