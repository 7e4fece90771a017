"""Numbers in SQL text, to the last bit."""

from __future__ import annotations

import functools
import sqlite3

#: How a number may be written: as short as possible, then with more digits than it needs.
_SPELLINGS = ("{!r}", "{:.17g}", "{:.18e}", "{:.20e}", "{:.24e}", "{:.30e}")


@functools.lru_cache(maxsize=1 << 16)
def exact_number(number: float) -> str:
    """Return a number as SQL text that is read back as the same number, also by SQLite.

    Older versions of SQLite misread about one number in a thousand by its last bit; the same number with
    more digits is then read rightly. A database that reads numbers rightly reads all spellings alike.
    """
    if number in (float("inf"), -float("inf")):
        return "9e999" if number > 0 else "-9e999"
    spellings = [_with_point(spelling.format(number)) for spelling in _SPELLINGS]
    [values] = _reader().execute(f"SELECT {', '.join(spellings)}").fetchall()
    return next((text for text, read in zip(spellings, values, strict=True) if read == number), spellings[0])


def _with_point(text: str) -> str:
    return text if any(sign in text for sign in ".en") else text + ".0"


@functools.cache
def _reader() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", check_same_thread=False)
