"""The header of an ARFF file. Read letter by letter: regular expressions on such text can take for ever."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from classica.errors import TableError
from classica.tables.reading.declared import Declared
from classica.tables.reading.formats.arff_words import Words
from classica.tables.reading.lines import numbered_lines
from classica.tables.reading.open_source import Opened

_NUMBERS = {"numeric": "number", "real": "number", "integer": "integer"}
#: A header that is longer is no header.
_LONGEST = 2**25


@dataclass(frozen=True)
class ArffHeader:
    """The columns that an ARFF file declares, and the line and byte at which its rows start."""

    relation: str
    names: list[str]
    declared: list[Declared]
    body_line: int
    body: int


def read_header(opened: Opened) -> ArffHeader:
    """Return the header; raise `TableError` for a line that is none of it."""
    relation = ""
    names: list[str] = []
    declared: list[Declared] = []
    place = 0
    for line, text in numbered_lines(opened.text[:_LONGEST]):
        place += len(text) + 1
        words = Words(text.decode(), opened.name, line)
        keyword = words.keyword()
        if keyword == "":
            continue
        if keyword == "@relation":
            relation = words.name() or ""
        elif keyword == "@attribute":
            names.append(words.name())
            declared.append(_declared(words))
        elif keyword == "@data":
            _require_columns(names, opened.name, line)
            return ArffHeader(relation, names, declared, line + 1, min(place, opened.text.size))
        else:
            rule = "@relation, @attribute, @data or a comment"
            sentence = f"a line of the header must be {rule}, got {keyword[:40]!r}"
            raise TableError.at(opened.name, "invalid header", sentence, line=line)
    sentence = f"the header must end with @data within {_LONGEST:,} bytes, got no such line"
    raise TableError.at(opened.name, "invalid header", sentence)


def _declared(words: Words) -> Declared:
    if words.at("{"):
        levels = words.levels()
        if len(set(levels)) < len(levels):
            name = Counter(levels).most_common(1)[0][0]
            raise words.error("duplicate category", f"categories must differ, got {name!r} twice")
        return Declared("category", tuple(levels))
    kind = words.name().lower()
    if kind in _NUMBERS:
        if words.at("["):  # a range, which older files have and no reader holds to
            return Declared(_NUMBERS[kind])
        found = Declared(_NUMBERS[kind])
    elif kind == "string":
        found = Declared("text")
    elif kind == "date":
        found = Declared("date", pattern=words.name() if not words.at_end() else "yyyy-MM-dd'T'HH:mm:ss")
    else:
        rule = "numeric, real, integer, string, date or categories in braces"
        raise words.error("invalid header", f"a type must be {rule}, got {kind[:40]!r}")
    if not words.at_end():
        raise words.error("invalid header", f"a type must end its line, got {words.rest()[:40]!r} behind it")
    return found


def _require_columns(names: list[str], source: str, line: int) -> None:
    if not names:
        raise TableError.at(
            source, "no columns", "there must be an @attribute before @data, got none", line=line
        )
