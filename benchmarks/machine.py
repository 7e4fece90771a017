"""What the numbers were measured on: machine, threads, versions, date."""

import os
import platform
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

_THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "CLASSICA_ISA")


def describe() -> dict[str, object]:
    """Return a JSON-able description of this process's surroundings."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_name(),
        "threads": usable_threads(),
        "load_average": round(os.getloadavg()[0], 2),
        "environment": {name: os.environ[name] for name in _THREAD_VARIABLES if name in os.environ},
        "platform": platform.platform(),
        "versions": {
            "python": platform.python_version(),
            **{name: package_version(name) for name in ("numpy", "scipy", "sklearn", "classica")},
        },
    }


def cpu_name() -> str:
    """Return the processor's own name where the system tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def usable_threads() -> int:
    """Count the cores this process may use, which can be fewer than the machine has."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def package_version(module: str | None) -> str | None:
    """Return the version of the distribution that holds a module, None if there is none."""
    names = _distributions().get(module, []) if module else []
    try:
        return version(names[0]) if names else None
    except PackageNotFoundError:
        return None


@cache
def _distributions() -> dict[str, list[str]]:
    return dict(packages_distributions())
