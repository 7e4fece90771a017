"""What a format of tables is: one object in its own file, found by looking at the folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from narwhals.typing import IntoDataFrame

from classica.beside import modules_in
from classica.tables.reading.open_source import Opened
from classica.tables.reading.raw_table import RawTable
from classica.tables.reading.reader_options import LIMITED, ReaderOption

#: What a reader reads from: an opened file, the address or pattern that it takes, or a frame.
Source: TypeAlias = Opened | str | IntoDataFrame


#: The priority of the format that takes any text: whatever recognises a text comes before it.
ANY_TEXT = 1000


@dataclass(frozen=True)
class TextHead:
    """The beginning of a text.

    Attributes
    ----------
    source : str
        As errors name it.
    suffix : str
        The extension of the file, or "".
    lines : list of str
        The first lines without outer blanks; the last one may be cut off.
    """

    source: str
    suffix: str
    lines: list[str]

    @property
    def first(self) -> str:
        """The first line that is not empty."""
        return next((line for line in self.lines if line), "")


@dataclass(frozen=True)
class TableFormat:
    """A format: its name, how it is recognised, its options and its reader.

    Attributes
    ----------
    name : str
        What it is asked for by.
    title : str
        What people read.
    read : function
        ``read(source, options)`` returns the whole table.
    batches : function
        ``batches(source, options, rows)`` yields some rows at a time.
    options : mapping of str to ReaderOption
        The options it takes.
    suffixes : tuple of str
        The extensions of its files.
    mark : function, optional
        Whether the first bytes are those of this format alone. A format that has one is always binary.
    looks_like : function, optional
        Whether a text is of this format; asked only where no mark fits.
    takes : function, optional
        Whether a source that is not the bytes of one file is of this format.
    priority : int
        Of two formats that recognise a source, the one with the lower number reads it. The one that takes
        any text comes last.
    """

    name: str
    title: str
    read: Callable[[Any, dict[str, Any]], RawTable]
    batches: Callable[[Any, dict[str, Any], int], Iterator[RawTable]]
    options: Mapping[str, ReaderOption] = field(default_factory=lambda: LIMITED)
    suffixes: tuple[str, ...] = ()
    mark: Callable[[bytes], bool] | None = None
    looks_like: Callable[[TextHead], bool] | None = None
    takes: Callable[[object], bool] | None = None
    priority: int = 50

    @property
    def is_file(self) -> bool:
        """Whether there are files of this format."""
        return bool(self.suffixes)


def table_formats() -> dict[str, TableFormat]:
    """Return every format by its name: the `FORMAT` of each module in the folder of formats."""
    modules = modules_in("classica.tables.reading.formats")
    found: list[TableFormat] = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return {each.name: each for each in sorted(found, key=lambda each: each.name)}


def by_priority() -> list[TableFormat]:
    """Return the formats in the order in which they may recognise a source."""
    return sorted(table_formats().values(), key=lambda each: each.priority)
