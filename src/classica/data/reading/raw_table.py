"""A table as it was read, before anybody decided what its columns mean."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from classica.data.reading.declared import Declared
from classica.data.reading.doubt import Doubt
from classica.data.reading.note import Note

#: Column → what speaks against the type it seems to have.
Doubts = dict[str, tuple[Doubt, ...]]


@dataclass(frozen=True)
class RawTable:
    """A table as it was read, before anybody decided what its columns mean.

    Attributes
    ----------
    frame : polars.DataFrame
        The cells. A column has a type other than text only if that keeps every cell.
    source : str
        Where the table comes from, as errors and reports name it.
    format : str
        "csv", "arff", "parquet", …
    notes : list of Note
        What was found and decided on the way.
    declared : dict of str to Declared
        What the file itself says about columns.
    doubts : dict of str to tuple of Doubt
        What speaks against the type a column seems to have.
    first_row : int
        Which row of the whole table the first one here is.
    """

    frame: pl.DataFrame
    source: str
    format: str
    notes: list[Note] = field(default_factory=list)
    declared: dict[str, Declared] = field(default_factory=dict)
    doubts: Doubts = field(default_factory=dict)
    first_row: int = 1
