"""The parameters that a model is tried with in a race, each known by its number."""

from __future__ import annotations

import itertools
from functools import cached_property
from typing import Any

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import LAST, tuning_model
from classica.comparison.plan.settings import Settings
from classica.decision import BayesDecisionClassifier


class Points:
    """The grid of a model, the simplest point first, and its default parameters among them.

    A point is known by its number, so that a run folder can choose among the points of the program and no
    others.

    Parameters
    ----------
    contender : Contender
        The model.
    settings : Settings
        How to compare; without tuning there is the default alone.
    """

    def __init__(self, contender: Contender, settings: Settings) -> None:
        self._contender, self._settings = contender, settings

    def __len__(self) -> int:
        return len(self.all)

    @cached_property
    def all(self) -> list[dict[str, Any]]:
        """The parameters of every point, by the names of the classifier itself."""
        tried = self._contender.grid if self._settings.tune else {}
        points = [dict(zip(tried, values, strict=True)) for values in itertools.product(*tried.values())]
        defaults = self._defaults(list(tried))
        return points if defaults in points else [*points, defaults]

    @cached_property
    def default(self) -> int:
        """The number of the default parameters."""
        return self.all.index(self._defaults(list(self.all[0])))

    def in_pipeline(self, point: int) -> dict[str, Any]:
        """Return the parameters of a point by the names of the pipeline that is tuned."""
        inside = isinstance(tuning_model(self._contender, self._settings), BayesDecisionClassifier)
        prefix = f"{LAST}__estimator__" if inside else f"{LAST}__"
        return {f"{prefix}{name}": value for name, value in self.all[point].items()}

    def _defaults(self, names: list[str]) -> dict[str, Any]:
        if not names:  # a stranger has no grid, and reading a folder must not import it
            return {}
        known = self._contender.build(self._settings.seed).get_params(deep=True)
        return {name: known[name] for name in names}
