"""The smallest piece of work of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from classica.children.plain_values import not_plain
from classica.errors import ParameterError, must


@dataclass(frozen=True)
class Unit:
    """One piece of work: it is done as a whole or not at all.

    Attributes
    ----------
    key : str
        Its name; no two units of a run share one.
    group : str
        What it is counted under in the progress, such as the name of a model.
    arguments : dict
        Plain values, given to the function that does the work.
    """

    key: str
    group: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (isinstance(self.key, str) and self.key):
            raise ParameterError(must("The key of a unit", "a text that is not empty", self.key))
        if not isinstance(self.group, str):
            raise ParameterError(must(f"The group of unit {self.key!r}", "a text", self.group))
        if not isinstance(self.arguments, dict):
            raise ParameterError(must(f"The arguments of unit {self.key!r}", "a dict", self.arguments))
        problem = not_plain(self.arguments, "arguments")
        if problem:
            raise ParameterError(f"The arguments of unit {self.key!r} must be plain values, but {problem}.")
