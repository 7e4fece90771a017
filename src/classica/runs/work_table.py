"""The functions that the units of a run may call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from classica.errors import ParameterError, RunError, must

#: The function of a unit: takes the folder of the run and the arguments of the unit, and returns plain
#: values.
Work = Callable[[Path, dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True)
class WorkTable:
    """The functions of a run, defined by the program and never read from a folder.

    A plan names one of them by its key. A folder can therefore select one of these functions only, and no
    other function or module.

    Attributes
    ----------
    functions : mapping of str to callable
        Functions at the top level of modules that workers can import. Each is called with the folder of the
        run (a `pathlib.Path`) and the arguments of the unit, and returns a dict of plain values. The global
        generators of random numbers are seeded by the key of the unit before each call.
    preload : sequence of str
        Further modules that workers import before their first unit.
    """

    functions: Mapping[str, Work]
    preload: Sequence[str] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        for function in self.functions.values():
            module, name = _home(function)
            if module == "__main__" or "." in name or "<" in name:
                rule = "at the top level of a module that can be imported"
                raise ParameterError(must("The work of a run", f"a function {rule}", f"{module}:{name}"))

    @property
    def modules(self) -> list[str]:
        """The modules that workers import before their first unit."""
        return list(dict.fromkeys([*self.preload, *(_home(each)[0] for each in self.functions.values())]))

    def reference(self, name: str, folder: Path) -> str:
        """Return the function of that name as ``module:function``; raise for any other name."""
        if name not in self.functions:
            rule = f"one of {', '.join(self.functions)}"
            raise RunError(must(f"The work named in the plan of {folder}", rule, name))
        return ":".join(_home(self.functions[name]))


def _home(function: Work) -> tuple[str, str]:
    return getattr(function, "__module__", "__main__"), getattr(function, "__qualname__", "<object>")
