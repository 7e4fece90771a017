"""Tables: read files, databases and frames, type their columns, profile and encode them.

`read_table` reads a table; `decide_types` converts it to a typed `Table`, whose `Schema` holds every decision
and types later tables the same way. `profile` reports what to look at before training, `TableEncoder` encodes
columns that an estimator does not support, and `load_table` loads the built-in datasets.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.tables.column_schema import ColumnSchema as ColumnSchema
    from classica.tables.datasets.builtin import BuiltinTable as BuiltinTable
    from classica.tables.datasets.builtin import builtin_tables as builtin_tables
    from classica.tables.datasets.builtin import load_table as load_table
    from classica.tables.encoding.table_encoder import TableEncoder as TableEncoder
    from classica.tables.labelled import labelled_table as labelled_table
    from classica.tables.labelled import open_table as open_table
    from classica.tables.profiles.profiling import Profile as Profile
    from classica.tables.profiles.profiling import profile as profile
    from classica.tables.reading import RawTable as RawTable
    from classica.tables.reading import read_table as read_table
    from classica.tables.reading import scan_table as scan_table
    from classica.tables.schema import Schema as Schema
    from classica.tables.table import Table as Table
    from classica.tables.table_finding import Finding as Finding
    from classica.tables.typing.deciding import decide_types as decide_types
    from classica.tables.writing.batches_out import write_batches as write_batches
    from classica.tables.writing.batches_out import write_csv as write_csv

#: Public name → the module it is imported from on first use.
_EXPORTS = {
    "write_batches": "classica.tables.writing.batches_out",
    "BuiltinTable": "classica.tables.datasets.builtin",
    "builtin_tables": "classica.tables.datasets.builtin",
    "load_table": "classica.tables.datasets.builtin",
    "ColumnSchema": "classica.tables.column_schema",
    "write_csv": "classica.tables.writing.batches_out",
    "decide_types": "classica.tables.typing.deciding",
    "TableEncoder": "classica.tables.encoding.table_encoder",
    "Finding": "classica.tables.table_finding",
    "labelled_table": "classica.tables.labelled",
    "open_table": "classica.tables.labelled",
    "Profile": "classica.tables.profiles.profiling",
    "profile": "classica.tables.profiles.profiling",
    "RawTable": "classica.tables.reading",
    "read_table": "classica.tables.reading",
    "scan_table": "classica.tables.reading",
    "Schema": "classica.tables.schema",
    "Table": "classica.tables.table",
}

__all__ = list(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    raise AttributeError(f"module 'classica.tables' has no attribute {name!r}")
