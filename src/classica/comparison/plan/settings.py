"""The settings of a comparison, as plain values that are kept with the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from classica.errors import ParameterError, must
from classica.params import Boolean, Integer, Nothing, Real, Rule


@dataclass(frozen=True)
class Settings:
    """How classifiers are compared.

    Attributes
    ----------
    metric : str
        What is to be good, see `classica.metrics.METRICS`.
    folds, repeats : int
        The outer folds, and how often they are drawn anew.
    inner_folds : int
        The folds within a training part that choose parameters.
    tune : bool
        Whether parameters are chosen at all.
    refine : bool
        Whether numbers are refined from coarse to fine after the grid.
    seed : int
        Of every draw.
    groups, time : str or None
        A column whose equal values stay in one fold; a column whose order the folds keep.
    costs : list of list of float or None
        What it costs to say one class (row) when another is true (column), classes sorted.
    rope : float
        Differences below this are of no practical weight.
    confidence : float
        Of intervals.
    calibrate : bool
        Whether models without probabilities get them by calibration.
    reject_cost : float or None
        What it costs to reject a row; None: every row is predicted.
    thorough : bool
        Whether all models and grid points go through nested cross-validation on all rows, instead of a race.
    effort : float or None
        Work of a race in nominal seconds, in place of a time budget; None: the clock counts.
    most_rows : int or None
        The most training rows there is room for; None: all.
    positive : str or None
        The class, as text, whose precision, recall, F1 and curves are shown; None: every class alike.
    """

    metric: str = "accuracy"
    folds: int = 10
    repeats: int = 1
    inner_folds: int = 5
    tune: bool = True
    refine: bool = False
    seed: int = 0
    groups: str | None = None
    time: str | None = None
    costs: list[list[float]] | None = None
    rope: float = 0.01
    confidence: float = 0.95
    calibrate: bool = True
    reject_cost: float | None = None
    thorough: bool = False
    effort: float | None = None
    most_rows: int | None = None
    positive: str | None = None

    def __post_init__(self) -> None:
        for name, rule in _RULES.items():
            value = getattr(self, name)
            if not rule.accepts(value):
                raise ParameterError(must(name, str(rule), value))
        if self.groups is not None and self.time is not None:
            raise ParameterError(must("groups and time", "given one at a time", (self.groups, self.time)))
        if self.reject_cost is not None and self.metric != "cost":
            raise ParameterError(must("metric", "'cost' where there is a reject_cost", self.metric))
        if self.refine and not self.thorough:
            raise ParameterError(must("thorough", "True where refine is", self.thorough))
        if not isinstance(self.positive, str | None):
            raise ParameterError(must("positive", "the text of a class or None", self.positive))
        if self.effort is not None and self.thorough:
            raise ParameterError(must("effort", "None for a thorough comparison", self.effort))

    @property
    def actions(self) -> list[list[float]] | None:
        """What each prediction costs for each true class and, as the last row, what rejecting costs."""
        if self.costs is None or self.reject_cost is None:
            return self.costs
        return [*self.costs, [self.reject_cost] * len(self.costs)]

    def record(self) -> dict[str, Any]:
        """Return the settings as plain values."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Settings:
        """Return the settings that plain values describe."""
        known = [field.name for field in fields(cls)]
        unknown = [key for key in record if key not in known]
        if unknown:
            raise ParameterError(must("A setting", f"one of {', '.join(known)}", unknown[0]))
        # Before there was a race, every comparison was thorough.
        return cls(**{"thorough": True, **record})


_RULES: dict[str, Rule] = {
    "folds": Integer(at_least=2),
    "repeats": Integer(at_least=1),
    "inner_folds": Integer(at_least=2),
    "tune": Boolean(),
    "refine": Boolean(),
    # Folds and estimators draw from seeds a little above it, which scikit-learn keeps below 2**32.
    "seed": Integer(at_least=0, at_most=2**31),
    "calibrate": Boolean(),
    "reject_cost": Real(at_least=0) | Nothing(),
    "rope": Real(at_least=0),
    "thorough": Boolean(),
    "effort": Real(above=0) | Nothing(),
    "most_rows": Integer(at_least=1) | Nothing(),
    "confidence": Real(above=0, at_most=0.9999),
}
