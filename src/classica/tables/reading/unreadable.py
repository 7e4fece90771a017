"""What a library says when it cannot read, as an error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from classica.errors import TableError

_FAULTS = (pl.exceptions.PolarsError, OSError, ValueError, OverflowError)


@contextmanager
def unreadable(source: str, format: str, *faults: type[Exception]) -> Iterator[None]:
    """Turn faults of a library, and some of its own, into `TableError` inside a ``with``."""
    try:
        yield
    except TableError:
        raise
    except BaseException as error:
        # A panic is no Exception, so that nobody catches it by chance, and every library has its own; here it
        # means that the file is damaged.
        if not isinstance(error, (*_FAULTS, *faults)) and type(error).__name__ != "PanicException":
            raise
        reason = " ".join(str(error).split()) or type(error).__name__
        shown = reason if len(reason) <= 200 else reason[:197] + "..."
        sentence = f"the content must be whole and well-formed {format}, got: {shown}"
        raise TableError.at(source, "damaged file", sentence) from None
