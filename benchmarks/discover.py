"""Finds the rows: every module of a package with a ``BENCHMARK``, ``BENCHMARKS`` or a ``GROWTH``."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from benchmarks import rows
from benchmarks.benchmark import Benchmark
from benchmarks.growth import Growth

Row = Benchmark | Growth


def discover(package: ModuleType = rows) -> dict[str, Row]:
    """Return the rows by slug, in the order of their modules' names."""
    found: dict[str, Row] = {}
    for info in iter_modules(package.__path__, f"{package.__name__}."):
        for row in _rows(import_module(info.name)):
            if row.slug in found:
                raise ValueError(f"slug must be unique, got {row.slug!r} twice")
            found[row.slug] = row
    return found


def _rows(module: ModuleType) -> list[Row]:
    many: list[Row] = list(getattr(module, "BENCHMARKS", []))
    many += [getattr(module, name) for name in ("BENCHMARK", "GROWTH") if hasattr(module, name)]
    if not many:
        raise ValueError(f"{module.__name__} must have a BENCHMARK, BENCHMARKS or a GROWTH, got none")
    return many
