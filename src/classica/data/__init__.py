"""Tables: from a file, a database or a frame to columns with types."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.data.reading import RawTable as RawTable
    from classica.data.reading import read_table as read_table
    from classica.data.reading import scan_table as scan_table

#: Public name → the module it is imported from on first use.
_EXPORTS = {
    "RawTable": "classica.data.reading",
    "read_table": "classica.data.reading",
    "scan_table": "classica.data.reading",
}

__all__ = list(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    raise AttributeError(f"module 'classica.data' has no attribute {name!r}")
