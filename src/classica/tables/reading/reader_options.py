"""Options of the readers, with the rules for their values, and how far a reader has come."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from classica.errors import ParameterError, must
from classica.params import Boolean, Integer, Nothing, Rule

#: What a compressed or declared table may need, in bytes, before somebody must ask for it.
LIMIT = 2**32


class Text(Rule):
    """A text that is not empty."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a text that is not empty."""
        return isinstance(value, str) and value != ""

    def __str__(self) -> str:
        return "a text"


class Character(Rule):
    """One ASCII character that can stand between or around cells."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is one printable ASCII character (or a tab), no letter and no digit."""
        one = isinstance(value, str) and len(value) == 1 and value.isascii()
        return one and (value == "\t" or (value.isprintable() and not value.isalnum()))

    def __str__(self) -> str:
        return "one character (ASCII, no letter, digit or line end)"


class NoQuotes(Rule):
    """The empty text."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is the empty text."""
        return isinstance(value, str) and value == ""

    def __str__(self) -> str:
        return "'' for none"


class Encoding(Rule):
    """The name of an encoding that Python knows."""

    def accepts(self, value: Any) -> bool:
        """Return whether Python knows the encoding, and it is one of text."""
        try:
            return isinstance(value, str) and codecs.lookup(value).encode("a")[0] is not None
        except (LookupError, TypeError, ValueError):
            return False

    def __str__(self) -> str:
        return "an encoding such as 'utf-8' or 'cp1252'"


@dataclass(frozen=True)
class ReaderOption:
    """An option of a reader.

    Attributes
    ----------
    rule : Rule
        Which values it takes.
    default : object
        Its value unless given.
    help : str
        What it is, as the commands show it; an option without is for Python only.
    metavar : str or None
        What commands show for its value; by default what follows from the rule.
    flag : str
        What commands call it; by default its name.
    """

    rule: Rule
    default: str | float | bool | None
    help: str = ""
    metavar: str | None = None
    flag: str = ""


#: Options that several formats take.
LIMITED: Mapping[str, ReaderOption] = {
    "limit": ReaderOption(
        Integer(at_least=1),
        LIMIT,
        "Maximum size of a table after decompression.  [default: 4 GiB]",
        metavar="BYTES",
        flag="--unpacked",
    )
}
ENCODED: Mapping[str, ReaderOption] = {
    "encoding": ReaderOption(Encoding() | Nothing(), None, "Text encoding, such as utf-8 or cp1252.")
}
HEADED: Mapping[str, ReaderOption] = {
    "header": ReaderOption(Boolean() | Nothing(), None, "Whether the first row holds the column names.")
}


def checked_options(
    given: Mapping[str, Any], known: Mapping[str, ReaderOption], format: str
) -> dict[str, Any]:
    """Return the options of a reader, those not given at their defaults."""
    for name in given:
        if name not in known:
            rule = f"one of {', '.join(known)}" if known else "left out"
            raise ParameterError(must(f"An option of the format {format!r}", rule, name))
    options = {name: given.get(name, option.default) for name, option in known.items()}
    for name, value in options.items():
        if not known[name].rule.accepts(value):
            raise ParameterError(must(name, str(known[name].rule), value))
    if options.get("delimiter") is not None and options["delimiter"] == options["quote"]:
        raise ParameterError(must("quote", "another character than the delimiter", options["quote"]))
    return options


#: Called with what is done, all there is to do (None if that is not known) and the unit of both.
Tell = Callable[[int, int | None, str], None]

#: Seconds between two calls: nobody reads faster.
_PAUSE = 0.1


class Progress:
    """Passes on how far the reading of a table is, but not more often than somebody can look.

    Parameters
    ----------
    tell : callable or None
        Called with what is done, all there is to do (None if that is not known), and "bytes" or "rows".
    """

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell
        self._last = 0.0

    def __call__(self, done: int, total: int | None, unit: str = "bytes") -> None:
        """Tell how far it is, unless that was told just now."""
        if self._tell is None:
            return
        now = time.monotonic()
        if now - self._last >= _PAUSE or done == total:
            self._last = now
            self._tell(done, total, unit)
