"""Finds the rows: each module of a package has a ``BENCHMARK``, ``BENCHMARKS``, a ``GROWTH`` or ``WAITS``."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from benchmarks import rows
from benchmarks.benchmark import Benchmark
from benchmarks.growth import Growth
from benchmarks.waiting import Wait

Row = Benchmark | Growth | Wait
#: What a module calls its only row, and what it calls a list of them.
_ONE, _MANY = ("BENCHMARK", "GROWTH"), ("BENCHMARKS", "WAITS")


def discover(package: ModuleType = rows) -> dict[str, Row]:
    """Return the rows by slug, in the order of their modules' names."""
    by_slug: dict[str, Row] = {}
    for info in iter_modules(package.__path__, f"{package.__name__}."):
        for row in _rows(import_module(info.name)):
            if row.slug in by_slug:
                raise ValueError(f"slug must be unique, got {row.slug!r} twice")
            by_slug[row.slug] = row
    return by_slug


def _rows(module: ModuleType) -> list[Row]:
    rows: list[Row] = [getattr(module, name) for name in _ONE if hasattr(module, name)]
    rows += [row for name in _MANY for row in getattr(module, name, ())]
    if not rows:
        raise ValueError(f"{module.__name__} must have one of {', '.join((*_ONE, *_MANY))}, got none")
    return rows
