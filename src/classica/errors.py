"""Exceptions, and the form of their messages.

Errors about parameters and cells read "*what* must be *rule*, got *value*."; all others "Cannot *do X*:
*reason*. *What to do.*"
"""

from __future__ import annotations

from typing import Any


class ClassicaError(Exception):
    """Base class of all exceptions that this package raises."""


class DataError(ClassicaError, ValueError):
    """A table, array or target that cannot be used as it is."""


class SparseError(DataError, TypeError):
    """A sparse matrix for an estimator that does not support it; also a ``TypeError``, as in scikit-learn."""


class CellError(DataError):
    """A cell of a matrix that cannot be used; callers that know the table can add its position.

    Attributes
    ----------
    row : int
        Its row, from 0.
    column : str or int
        The name of its column, or its index from 0.
    rule, got : str
        What it must be, and what it is.
    """

    def __init__(self, row: int, column: str | int, rule: str, got: str) -> None:
        super().__init__(f"X in column {column!r}, row {row}, must be {rule}, got {got}.")
        self.row, self.column, self.rule, self.got = row, column, rule, got

    def __reduce__(self) -> tuple[type[CellError], tuple[int, str | int, str, str]]:
        return type(self), (self.row, self.column, self.rule, self.got)


class TableError(DataError):
    """A table that cannot be read without loss, with the position and the kind of the problem.

    Attributes
    ----------
    source : str
        The file, the URL or the kind of object.
    kind : str
        The kind of problem, in two or three words.
    line : int or None
        The line of the file, from 1.
    column : str or None
        The column.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str = "",
        kind: str = "",
        line: int | None = None,
        column: str | None = None,
    ) -> None:
        super().__init__(message)
        self.source, self.kind, self.line, self.column = source, kind, line, column

    @classmethod
    def at(
        cls, source: str, kind: str, sentence: str, *, line: int | None = None, column: str | None = None
    ) -> TableError:
        """Return the error with a message composed of all its parts."""
        where = source + ("" if line is None else f", line {line}")
        where += "" if column is None else f", column {column!r}"
        text = f"{where}: {sentence.removesuffix('.')} ({kind})."
        return cls(text, source=source, kind=kind, line=line, column=column)


class ParameterError(ClassicaError, ValueError, TypeError):
    """An invalid parameter; also a ``TypeError``, because its type may be wrong."""


class ModelFileError(ClassicaError, ValueError):
    """A model that cannot be saved, or a file that is not a complete and valid model."""


class RunError(ClassicaError):
    """A run folder that cannot be created, resumed or read."""


class RunBusyError(RunError):
    """A run folder that is in use by another process."""


class ExportError(ClassicaError, ValueError):
    """A model that cannot be exported in a form, or an export whose predictions differ from the model's."""


class PluginError(ClassicaError):
    """A plug-in that could not be loaded or registered."""


def must(what: str, rule: str, got: Any) -> str:
    """Return the message of an error about a parameter or cell.

    Examples
    --------
    >>> must("n_means", "an integer of at least 1", 0)
    'n_means must be an integer of at least 1, got 0.'
    """
    shown = " ".join(repr(got).split())
    return f"{what} must be {rule}, got {shown if len(shown) <= 80 else shown[:77] + '...'}."
