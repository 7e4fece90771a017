"""Find the modules beside a class (state, explanation, trace, program) and the modules of a folder.

A family, or a plug-in, keeps them in modules of these names next to its classes. They are imported on demand,
because fitting a classifier does not need them.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import pkgutil
from types import ModuleType
from typing import Any, Generic, TypeVar

from classica.registry import registered

T = TypeVar("T")


class Beside(Generic[T]):
    """A registry of one kind of companion of classes, such as their explanations.

    Parameters
    ----------
    part : str
        The name of the module beside a class that registers the companion by calling `add`.
    """

    def __init__(self, part: str) -> None:
        self._part = part
        self._companions: dict[type[Any], T] = {}

    def add(self, cls: type[Any], value: T) -> None:
        """Register the companion of a class and its subclasses."""
        self._companions[cls] = value

    def of(self, cls: type[Any]) -> T | None:
        """Return the companion of a class, or of its nearest base class; None without one."""
        packages = {_package(card.estimator) for card in registered()}
        for each in cls.__mro__:
            # Only beside registered classes: a module of that name elsewhere is unrelated.
            if each not in self._companions and _package(each) in packages:
                _load(_package(each), self._part)
            if each in self._companions:
                return self._companions[each]
        return None


def load_beside_all(part: str) -> None:
    """Import the modules of this name beside all registered classes."""
    for card in registered():
        _load(_package(card.estimator), part)


def _package(cls: type[Any]) -> str:
    return cls.__module__.rpartition(".")[0]


@functools.cache
def _load(package: str, part: str) -> None:
    """Import a module of a package, if there is one."""
    if package and importlib.util.find_spec(f"{package}.{part}") is not None:
        importlib.import_module(f"{package}.{part}")


@functools.cache
def modules_in(package: str) -> list[ModuleType]:
    """Return all modules of a package, imported, in the order of their names."""
    folder = importlib.import_module(package)
    names = sorted(each.name for each in pkgutil.iter_modules(folder.__path__))
    return [importlib.import_module(f"{package}.{name}") for name in names]
