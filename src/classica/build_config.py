"""The configuration of this installation, for bug reports."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any

from classica import native
from classica.threads import cores, threads_for

_PACKAGES = ("classica", "numpy", "scipy", "scikit-learn", "narwhals", "polars")


def configuration() -> dict[str, Any]:
    """Return the build configuration, the machine and the versions as a plain dict."""
    core = native.configuration()
    return {
        "compiler": core["compiler"],
        "build": core["build"],
        "sanitizers": core["sanitizers"] or "none",
        "index checks": core["checked"],
        "instruction level": core["level"],
        "cores": cores(),
        "threads": threads_for(None),
        "python": platform.python_version(),
        "platform": platform.platform(),
        **{name: version(name) for name in _PACKAGES},
    }


def show_config() -> None:
    """Print compiler, instruction level, threads and versions."""
    for name, value in configuration().items():
        print(f"{name:18} {value}")
