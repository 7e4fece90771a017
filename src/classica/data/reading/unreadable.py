"""What a library says when it cannot read, as an error of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import polars as pl

from classica.errors import TableError

# A panic is no Exception, so that nobody catches it by chance; here it means that the file is damaged.
_FAULTS = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError, OverflowError)


@contextmanager
def unreadable(source: str, format: str) -> Iterator[None]:
    """Turn faults of a library into `TableError` inside a ``with``."""
    try:
        yield
    except TableError:
        raise
    except _FAULTS as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        shown = reason if len(reason) <= 200 else reason[:197] + "..."
        sentence = f"the content must be whole and well-formed {format}, got: {shown}"
        raise TableError.at(source, "damaged file", sentence) from None
