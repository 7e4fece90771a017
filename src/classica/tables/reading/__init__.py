"""Reading tables: nothing lost, nothing silent.

polars parses. What this package adds is what happens around it: which format, encoding and dialect a
source has; a look at every byte, so that the types that are asked for keep everything; a comparison of
what came out with what is in the file; and errors that name file, line, column and kind.
"""

from classica.tables.reading.raw_table import Declared, Doubt, Note, RawTable
from classica.tables.reading.read import read_table, scan_table

__all__ = ["Declared", "Doubt", "Note", "RawTable", "read_table", "scan_table"]
