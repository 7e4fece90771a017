"""Logistic regression on a long float64 table."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from benchmarks.benchmark import FASTEST, Benchmark, Contender, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def make(quick: bool, seed: int) -> Data:
    """Draw ten overlapping classes in 50 columns."""
    n_rows, n_new = (25_000, 5_000) if quick else (250_000, 50_000)
    return gaussian_blobs(n_rows, n_new, n_columns=50, n_classes=10, seed=seed)


def objective_not_higher(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Our penalised objective is not above the peer's, and nearly all labels are the same."""
    own, other = (_objective(data, answer) for answer in (ours, theirs))
    if own > other * (1 + 1e-9):
        return f"objective {own:.9g} against {other:.9g}"
    different = float(np.mean(_labels(data, ours) != _labels(data, theirs)))
    return f"{different:.2%} different labels" if different > 1e-3 else None


def _scores(answer: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    scores: NDArray[Any] = rows @ answer[:, :-1].T + answer[:, -1]
    return scores


def _labels(data: Data, answer: NDArray[Any]) -> NDArray[Any]:
    labels: NDArray[Any] = _scores(answer, data.new_rows).argmax(axis=1)
    return labels


def _objective(data: Data, answer: NDArray[Any]) -> float:
    scores = _scores(answer, data.rows)
    own = scores[np.arange(len(scores)), data.labels]
    return float(np.sum(logsumexp(scores, axis=1) - own) + 0.5 * np.sum(answer[:, :-1] ** 2))


def _with_weights(contender: Contender) -> Contender:
    """Answer with the weights after predicting: labels alone would not tell a better minimum."""

    def predict(data: Data, model: Any) -> NDArray[Any]:
        model.predict(data.new_rows)
        return np.column_stack([model.coef_, model.intercept_])

    return Contender(contender.name, contender.fit, predict, requires=contender.requires, ours=contender.ours)


BENCHMARK = Benchmark(
    slug="logistic",
    work="Logistic regression, C=1: learn a long float64 table, predict a fifth as many rows",
    make=make,
    contenders=[
        _with_weights(estimator("classica", "classica:LogisticClassifier", ours=True)),
        _with_weights(estimator("scikit-learn", "sklearn.linear_model:LogisticRegression")),
        _with_weights(estimator("intelex", "sklearnex.linear_model:LogisticRegression")),
    ],
    agree=objective_not_higher,
    target=2,
    reference=FASTEST,
)
