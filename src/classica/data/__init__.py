"""Tables: from a file, a database or a frame to typed columns, and what can be said about them.

`read_table` reads; `decide_types` makes a typed `Table` of what was read, whose `Schema` holds every decision
and types later tables the same way. `profile` says what to look at before learning, `TableEncoder` makes
numbers of what a learner does not take, and `load_table` gives the tables that come along.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.data.batches_out import write_batches as write_batches
    from classica.data.builtin import BuiltinTable as BuiltinTable
    from classica.data.builtin import builtin_tables as builtin_tables
    from classica.data.builtin import load_table as load_table
    from classica.data.column_schema import ColumnSchema as ColumnSchema
    from classica.data.csv_out import write_csv as write_csv
    from classica.data.deciding import decide_types as decide_types
    from classica.data.encoder import TableEncoder as TableEncoder
    from classica.data.finding import Finding as Finding
    from classica.data.labelled import labelled_table as labelled_table
    from classica.data.labelled import open_table as open_table
    from classica.data.profiling import Profile as Profile
    from classica.data.profiling import profile as profile
    from classica.data.reading import RawTable as RawTable
    from classica.data.reading import read_table as read_table
    from classica.data.reading import scan_table as scan_table
    from classica.data.schema import Schema as Schema
    from classica.data.table import Table as Table

#: Public name → the module it is imported from on first use.
_EXPORTS = {
    "write_batches": "classica.data.batches_out",
    "BuiltinTable": "classica.data.builtin",
    "builtin_tables": "classica.data.builtin",
    "load_table": "classica.data.builtin",
    "ColumnSchema": "classica.data.column_schema",
    "write_csv": "classica.data.csv_out",
    "decide_types": "classica.data.deciding",
    "TableEncoder": "classica.data.encoder",
    "Finding": "classica.data.finding",
    "labelled_table": "classica.data.labelled",
    "open_table": "classica.data.labelled",
    "Profile": "classica.data.profiling",
    "profile": "classica.data.profiling",
    "RawTable": "classica.data.reading",
    "read_table": "classica.data.reading",
    "scan_table": "classica.data.reading",
    "Schema": "classica.data.schema",
    "Table": "classica.data.table",
}

__all__ = list(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    raise AttributeError(f"module 'classica.data' has no attribute {name!r}")
