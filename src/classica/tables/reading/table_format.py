"""Table formats: one object per module of the folder of formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from narwhals.typing import IntoDataFrame

from classica.beside import modules_in
from classica.tables.reading.open_source import OpenSource
from classica.tables.reading.raw_table import RawTable
from classica.tables.reading.reader_options import LIMITED, ReaderOption

#: The input of a reader: an open file, a URL or pattern, or a frame.
Source: TypeAlias = OpenSource | str | IntoDataFrame


#: The priority of the format that accepts any text; all others come before it.
ANY_TEXT = 1000


@dataclass(frozen=True)
class TextHead:
    """The beginning of a text.

    Attributes
    ----------
    source : str
        Its name in error messages.
    suffix : str
        The extension of the file, or "".
    lines : list of str
        The first lines, stripped; the last one may be truncated.
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
        Its name in options.
    title : str
        Its display name.
    read : function
        ``read(source, options)`` returns the whole table.
    batches : function
        ``batches(source, options, rows)`` yields the table in batches.
    options : mapping of str to ReaderOption
        Its options.
    suffixes : tuple of str
        Its file extensions.
    mark : function, optional
        Returns whether the first bytes identify this format. For binary formats.
    looks_like : function, optional
        Returns whether a text has this format; called only if no binary format matches.
    takes : function, optional
        Returns whether a source that is not a single file has this format.
    priority : int
        Of two formats that recognise a source, the one with the lower priority reads it. The one that accepts
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
        """Whether this is a file format."""
        return bool(self.suffixes)


def table_formats() -> dict[str, TableFormat]:
    """Return all formats by name: the `FORMAT` of each module in the folder of formats."""
    modules = modules_in("classica.tables.reading.formats")
    formats: list[TableFormat] = [module.FORMAT for module in modules if hasattr(module, "FORMAT")]
    return {each.name: each for each in sorted(formats, key=lambda each: each.name)}


def by_priority() -> list[TableFormat]:
    """Return the formats in order of priority."""
    return sorted(table_formats().values(), key=lambda each: each.priority)
