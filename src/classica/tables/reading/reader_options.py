"""Options of the readers with their rules, and progress reports."""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from classica.errors import ParameterError, must
from classica.params import Boolean, Integer, Nothing, Rule

#: The default limit of a compressed or declared table, in bytes.
LIMIT = 2**32


class Text(Rule):
    """A non-empty string."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a non-empty string."""
        return isinstance(value, str) and value != ""

    def __str__(self) -> str:
        return "a text"


class Character(Rule):
    """One ASCII character that can be a delimiter or quote."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is a tab or one printable ASCII character other than a letter or digit."""
        one = isinstance(value, str) and len(value) == 1 and value.isascii()
        return one and (value == "\t" or (value.isprintable() and not value.isalnum()))

    def __str__(self) -> str:
        return "one character (ASCII, no letter, digit or line end)"


class NoQuotes(Rule):
    """The empty string."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value is the empty string."""
        return isinstance(value, str) and value == ""

    def __str__(self) -> str:
        return "'' for none"


class Encoding(Rule):
    """The name of a text encoding that Python supports."""

    def accepts(self, value: Any) -> bool:
        """Return whether the value names a text encoding of Python."""
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
        The permitted values.
    default : object
        The default.
    help : str
        The help text on the command line; options without one are for Python only.
    metavar : str or None
        The placeholder of its value in help texts; by default derived from the rule.
    flag : str
        Its name on the command line; by default the same.
    """

    rule: Rule
    default: str | float | bool | None
    help: str = ""
    metavar: str | None = None
    flag: str = ""


#: Options that several formats share.
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
    given: Mapping[str, Any], options_of_format: Mapping[str, ReaderOption], format: str
) -> dict[str, Any]:
    """Check the options of a reader and add defaults."""
    for name in given:
        if name not in options_of_format:
            rule = f"one of {', '.join(options_of_format)}" if options_of_format else "left out"
            raise ParameterError(must(f"An option of the format {format!r}", rule, name))
    options = {name: given.get(name, option.default) for name, option in options_of_format.items()}
    for name, value in options.items():
        if not options_of_format[name].rule.accepts(value):
            raise ParameterError(must(name, str(options_of_format[name].rule), value))
    if options.get("delimiter") is not None and options["delimiter"] == options["quote"]:
        raise ParameterError(must("quote", "another character than the delimiter", options["quote"]))
    return options


#: Called with the amount done, the total (None if unknown) and the unit of both.
Tell = Callable[[int, int | None, str], None]

#: Minimum number of seconds between two calls.
_PAUSE = 0.1


class Progress:
    """Report the progress of reading a table, at a limited rate.

    Parameters
    ----------
    tell : callable or None
        Called with the amount done, the total (None if unknown), and "bytes" or "rows".
    """

    def __init__(self, tell: Tell | None = None) -> None:
        self._tell = tell
        self._last = 0.0

    def __call__(self, done: int, total: int | None, unit: str = "bytes") -> None:
        """Report the progress, unless it was reported just before."""
        if self._tell is None:
            return
        now = time.monotonic()
        if now - self._last >= _PAUSE or done == total:
            self._last = now
            self._tell(done, total, unit)
