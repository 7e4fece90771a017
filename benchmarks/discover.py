"""Finds the benchmarks: every module of a package with a ``BENCHMARK`` or ``BENCHMARKS``."""

from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from benchmarks import rows
from benchmarks.benchmark import Benchmark


def discover(package: ModuleType = rows) -> dict[str, Benchmark]:
    """Return the benchmarks by slug, in the order of their modules' names."""
    found: dict[str, Benchmark] = {}
    for info in iter_modules(package.__path__, f"{package.__name__}."):
        for benchmark in _benchmarks(import_module(info.name)):
            if benchmark.slug in found:
                raise ValueError(f"slug must be unique, got {benchmark.slug!r} twice")
            found[benchmark.slug] = benchmark
    return found


def _benchmarks(module: ModuleType) -> list[Benchmark]:
    many: list[Benchmark] = list(getattr(module, "BENCHMARKS", []))
    if hasattr(module, "BENCHMARK"):
        many.append(module.BENCHMARK)
    if not many:
        raise ValueError(f"{module.__name__} must have a BENCHMARK or BENCHMARKS, got neither")
    return many
