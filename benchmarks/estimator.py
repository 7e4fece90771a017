"""Contenders that follow the scikit-learn interface, named by where their class lives."""

from importlib import import_module
from typing import Any

from numpy.typing import NDArray

from benchmarks.benchmark import Contender, Data


def estimator(name: str, path: str, *, ours: bool = False, **params: Any) -> Contender:
    """Make a contender of a class that may not be installed.

    Parameters
    ----------
    name : str
        How it is called in tables.
    path : str
        ``"module:Class"``; imported in the first fit, which is the warm-up.
    ours : bool
        Whether it is Classica's.
    **params
        The class's parameters.
    """
    module, _, class_name = path.partition(":")

    def fit(data: Data) -> Any:
        make = getattr(import_module(module), class_name)
        return make(**params).fit(data.rows, data.labels)

    return Contender(name, fit, predict, requires=module.partition(".")[0], ours=ours)


def predict(data: Data, model: Any) -> NDArray[Any]:
    """Return the model's answers for the new rows."""
    answer: NDArray[Any] = model.predict(data.new_rows)
    return answer
