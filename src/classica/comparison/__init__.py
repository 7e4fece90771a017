"""Compare classifiers on a table by a race or by nested cross-validation, and recommend one.

compare ─► Workspace (table, settings, folds in a folder) ─► units ─► open_run ─► outcomes
                                                                                    │
             terminal, report ◄── summary.json ◄── summarise ◄── diagnosis ◄────────┘
"""

import warnings
from typing import Any

from classica.comparison.comparing import compare as compare
from classica.comparison.comparing import resume as resume
from classica.comparison.comparison_result import ComparisonResult as ComparisonResult


def __getattr__(name: str) -> Any:
    if name == "Compared":
        text = "Compared is deprecated; use ComparisonResult."
        warnings.warn(text, DeprecationWarning, stacklevel=2)
        return ComparisonResult
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
