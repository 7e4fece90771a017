"""Options of the readers: rules for their values, and which reader takes which."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import Any

from classica.errors import ParameterError, must
from classica.params import Boolean, Integer, Nothing, OneOf, Real, Rule

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


#: Option → (its rule, its value unless given).
_ALL: dict[str, tuple[Rule, Any]] = {
    "delimiter": (Character() | Nothing(), None),
    "quote": (Character() | NoQuotes(), '"'),
    "encoding": (Encoding() | Nothing(), None),
    "header": (Boolean() | Nothing(), None),
    "decimal": (OneOf(".", ",") | Nothing(), None),
    "skip_ragged": (Boolean(), False),
    "sheet": (Text() | Integer(at_least=1) | Nothing(), None),
    "table": (Text() | Nothing(), None),
    "query": (Text() | Nothing(), None),
    "seconds": (Real(above=0), 30.0),
    "limit": (Integer(at_least=1), LIMIT),
}


def checked_options(given: Mapping[str, Any], names: tuple[str, ...], format: str) -> dict[str, Any]:
    """Return the options of a reader, those not given at their defaults."""
    for name in given:
        if name not in names:
            rule = f"one of {', '.join(names)}" if names else "left out"
            raise ParameterError(must(f"An option of the format {format!r}", rule, name))
    options = {name: given.get(name, _ALL[name][1]) for name in names}
    for name, value in options.items():
        rule_of_name = _ALL[name][0]
        if not rule_of_name.accepts(value):
            raise ParameterError(must(name, str(rule_of_name), value))
    if options.get("delimiter") is not None and options["delimiter"] == options["quote"]:
        raise ParameterError(must("quote", "another character than the delimiter", options["quote"]))
    return options
