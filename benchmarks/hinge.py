"""Linear machines of two classes, judged by the hinge objective they reach."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.benchmark import Contender, Data
from benchmarks.blobs import gaussian_blobs


def make(quick: bool, seed: int) -> Data:
    """Draw two overlapping classes in 50 columns."""
    n_rows, n_new = (60_000, 10_000) if quick else (250_000, 50_000)
    return gaussian_blobs(n_rows, n_new, n_columns=50, n_classes=2, seed=seed, spread=0.2)


def machine(name: str, path: str, penalty: str, *, ours: bool = False, **params: Any) -> Contender:
    """Make a contender whose answer is its weights and its intercept.

    Parameters
    ----------
    name : str
        How it is called in tables.
    path : str
        ``"module:Class"``.
    penalty : {"alpha", "C"}
        The parameter that states the penalty: C = 1, or alpha = 1 / (rows C).
    ours : bool
        Whether it is Classica's.
    **params
        The class's other parameters.
    """
    module, _, class_name = path.partition(":")

    def fit(data: Data) -> Any:
        stated = {"C": 1.0} if penalty == "C" else {"alpha": _alpha(data)}
        return getattr(import_module(module), class_name)(**stated, **params).fit(data.rows, data.labels)

    def answer(data: Data, model: Any) -> NDArray[Any]:
        return np.append(model.coef_, model.intercept_)

    return Contender(name, fit, answer, requires=module.partition(".")[0], ours=ours)


def hinge_not_higher(data: Data, ours: NDArray[Any], theirs: NDArray[Any]) -> str | None:
    """Our objective is at most the peer's, but for a millionth."""
    own, other = _objective(data, ours), _objective(data, theirs)
    return None if own <= other * (1 + 1e-6) else f"objective {own:.8f} against {other:.8f}"


def _alpha(data: Data) -> float:
    return 1 / len(data.rows)


def _objective(data: Data, answer: NDArray[Any]) -> float:
    scores = data.rows @ answer[:-1] + answer[-1]
    hinges = np.maximum(1 - np.where(data.labels == 1, scores, -scores), 0)
    return float(np.mean(hinges) + _alpha(data) / 2 * np.sum(answer[:-1] ** 2))
