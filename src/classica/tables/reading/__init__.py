"""Read tables without loss and without silent decisions.

polars parses. This package detects the format, encoding and dialect of a source, scans every byte to choose
types that keep everything, compares the result with the file, and raises errors that name the file, line,
column and kind of problem.
"""

from classica.tables.reading.raw_table import Declared, Doubt, Note, RawTable
from classica.tables.reading.read import read_table, scan_table

__all__ = ["Declared", "Doubt", "Note", "RawTable", "read_table", "scan_table"]
