"""Parameter rules: validated in ``fit`` and shown by ``classica models``.

An estimator states its rules once, as a class attribute::

    parameter_rules = {
        "metric": OneOf("euclidean", "scaled"),
        "reject_distance": Real(above=0) | Nothing(),
    }

The same objects give the check, the error message and the range in the catalog.
"""

from __future__ import annotations

import math
import numbers
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from classica.errors import ParameterError, must

#: Random seeds.
RandomState: TypeAlias = "int | np.random.RandomState | None"
#: Categorical columns: by dtype, none, or listed.
Categorical: TypeAlias = "str | Sequence[Any] | None"
#: Class weights: none, "balanced", or by label.
ClassWeight: TypeAlias = "Mapping[Any, float] | str | None"


class Rule(ABC):
    """The permitted values of a parameter. Rules are combined with ``|``; ``str`` completes "must be"."""

    @abstractmethod
    def accepts(self, value: Any) -> bool:
        """Return whether the value is permitted."""

    @abstractmethod
    def __str__(self) -> str: ...

    @property
    def words(self) -> tuple[str, ...]:
        """The permitted words, if any."""
        return ()

    def __or__(self, other: Rule) -> Rule:
        return AnyOf(self, other)


class AnyOf(Rule):
    """One of several rules."""

    def __init__(self, *rules: Rule) -> None:
        self.rules = rules

    @property
    def words(self) -> tuple[str, ...]:
        """The words of all rules."""
        return tuple(word for rule in self.rules for word in rule.words)

    def accepts(self, value: Any) -> bool:
        """Return whether any of the rules accepts the value."""
        return any(rule.accepts(value) for rule in self.rules)

    def __str__(self) -> str:
        return " or ".join(str(rule) for rule in self.rules)


class Nothing(Rule):
    """``None``."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is ``None``."""
        return value is None

    def __str__(self) -> str:
        return "None"


class OneOf(Rule):
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self._words = words

    @property
    def words(self) -> tuple[str, ...]:
        """The words, in the order in which they are shown."""
        return self._words

    def accepts(self, value: Any) -> bool:
        """Return whether the value is one of the words."""
        return isinstance(value, str) and value in self.words

    def __str__(self) -> str:
        shown = [repr(word) for word in self.words]
        return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


class Boolean(Rule):
    """True or False."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a Boolean."""
        return isinstance(value, bool | np.bool_)

    def __str__(self) -> str:
        return "True or False"


@dataclass(frozen=True)
class Integer(Rule):
    """An integer within bounds, both included."""

    at_least: int | None = None
    at_most: int | None = None

    def accepts(self, value: Any) -> bool:
        """Return whether the value is an integer (not a Boolean) within the bounds."""
        whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
        return whole and _within(value, self.at_least, self.at_most)

    def __str__(self) -> str:
        return "an integer" + _bounds(self.at_least, self.at_most)


@dataclass(frozen=True)
class Real(Rule):
    """A finite number: from ``at_least`` or above ``above``, up to ``at_most``."""

    at_least: float | None = None
    at_most: float | None = None
    above: float | None = None

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a finite number within the bounds."""
        if not isinstance(value, numbers.Real) or isinstance(value, bool) or not _is_finite(value):
            return False
        number = float(value)
        return _within(number, self.at_least, self.at_most) and (self.above is None or number > self.above)

    def __str__(self) -> str:
        above = "" if self.above is None else f" above {self.above:g}"
        return "a number" + above + _bounds(self.at_least, self.at_most)


class Infinity(Rule):
    """Infinity: no bound."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is positive infinity."""
        return isinstance(value, float) and value == math.inf

    def __str__(self) -> str:
        return "infinity"


class Numbers(Rule):
    """A sequence of finite numbers."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a one-dimensional sequence of finite numbers."""
        if isinstance(value, str) or not hasattr(value, "__len__") or _has_labels(value):
            return False
        try:
            array = np.asarray(value)
        except ValueError:  # rows of different lengths
            return False
        return array.ndim == 1 and array.dtype.kind in "iuf" and bool(np.isfinite(array).all())

    def __str__(self) -> str:
        return "a sequence of finite numbers"


class IntegerPerClass(Rule):
    """A mapping from class labels to integers of at least one."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value maps labels to positive integers."""
        one = Integer(at_least=1)
        return isinstance(value, Mapping) and all(one.accepts(count) for count in value.values())

    def __str__(self) -> str:
        return "a dict from class labels to integers of at least 1"


class WordPerColumn(Rule):
    """A mapping from columns, by name or number, to one of a few words."""

    def __init__(self, *words: str) -> None:
        self.word = OneOf(*words)

    def accepts(self, value: Any) -> bool:
        """Return whether the value maps names or numbers to the words."""
        return isinstance(value, Mapping) and all(
            isinstance(column, str | numbers.Integral) and self.word.accepts(word)
            for column, word in value.items()
        )

    def __str__(self) -> str:
        return "a dict from columns to these"


class Function(Rule):
    """A callable."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is callable."""
        return callable(value)

    def __str__(self) -> str:
        return "a function"


class Dictionary(Rule):
    """A dict."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a dict."""
        return isinstance(value, Mapping)

    def __str__(self) -> str:
        return "a dict"


class CategoricalFeatures(Rule):
    """Categorical columns, as in scikit-learn."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is "from_dtype", None, or a sequence of names, numbers or Booleans."""
        if isinstance(value, str):
            return value == "from_dtype"
        if value is None or not hasattr(value, "__len__"):
            return value is None
        return len(value) == 0 or (np.ndim(value) == 1 and np.asarray(value).dtype.kind in "biuUO")

    def __str__(self) -> str:
        return "'from_dtype', None, or a sequence of column names, column indices or Booleans"


class Seed(Rule):
    """What scikit-learn takes as ``random_state``."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is None, a seed or a NumPy ``RandomState``."""
        if isinstance(value, numbers.Integral):
            return 0 <= int(value) < 2**32
        return value is None or isinstance(value, np.random.RandomState)

    def __str__(self) -> str:
        return "None, an integer from 0 to 2**32 - 1 or a numpy RandomState"


class HasRules(Protocol):
    """An estimator that states its parameter rules."""

    parameter_rules: Mapping[str, Rule]

    def get_params(self, deep: bool = ...) -> dict[str, Any]:
        """Return the parameters, as every scikit-learn estimator does."""


#: The rule of the ``n_jobs`` every parallel estimator has.
N_JOBS = Nothing() | Integer()


def check_parameters(estimator: HasRules) -> None:
    """Raise `ParameterError` for the first parameter that breaks its rule.

    A parameter without a rule was added by a subclass, which must check it itself.
    """
    for name, value in estimator.get_params(deep=False).items():
        rule = estimator.parameter_rules.get(name)
        if rule is not None and not rule.accepts(value):
            raise ParameterError(must(name, str(rule), value))


def _has_labels(value: Any) -> bool:
    """Return whether a sequence comes with labels of its own (a pandas Series), whose order is not ours."""
    labels = getattr(value, "index", None)
    return labels is not None and not callable(labels) and list(labels) != list(range(len(value)))


def _is_finite(value: numbers.Real) -> bool:
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _within(value: Any, low: float | None, high: float | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _bounds(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    if low is not None:
        return f" of at least {low:g}"
    return f" of at most {high:g}" if high is not None else ""
