"""What a model has learned, in words and tables of the page."""

from __future__ import annotations

from typing import Any

from classica.explain import explain_model
from classica.explain.opened import Opened
from classica.explain.section import Section, cell_words

#: Lines of text and rows of a table that are shown.
_LINES, _ROWS, _COLUMNS = 40, 15, 13
#: Parts of an explanation: naive Bayes has one for every column.
_SECTIONS = 12
#: Sentences, and letters of a fact.
_SENTENCES, _LETTERS = 8, 300


def learned_parts(opened: Opened, *, in_full: bool) -> list[dict[str, Any]]:
    """Return the sections of an explanation, long ones cut.

    What becomes of the columns before learning is much the same for all models: it is told once, in full.
    """
    sections = [
        section
        for section in explain_model(opened.model).sections
        if in_full or section.text or section.facts or section.rows
    ]
    parts = [_part(section) for section in sections[:_SECTIONS]]
    more = len(sections) - len(parts)
    return [*parts, _part(Section("", note=f"… and {more} more parts."))] if more else parts


def _part(section: Section) -> dict[str, Any]:
    lines = [*section.text.splitlines(), *section.prose.splitlines()]
    is_prose = all(line.endswith(".") for line in lines)
    most_lines = _SENTENCES if is_prose else _LINES
    rows = [[cell_words(cell) for cell in row[:_COLUMNS]] for row in section.rows[:_ROWS]]
    cut = [
        f"and {count - most:,} more {what}"
        for what, count, most in (
            ("lines", len(lines), most_lines),
            ("rows", len(section.rows), _ROWS),
            ("columns", len(section.headings), _COLUMNS),
        )
        if count > most
    ]
    return {
        "title": section.title,
        "text": "\n".join(lines[:most_lines]),
        "is_prose": is_prose,
        "facts": [(name, _short(cell_words(value))) for name, value in section.facts.items()],
        "headings": [cell_words(heading) for heading in section.headings[:_COLUMNS]],
        "rows": rows,
        "note": " ".join([*section.note.splitlines(), *([f"… {', '.join(cut)}."] if cut else [])]),
    }


def _short(text: str) -> str:
    return text if len(text) <= _LETTERS else f"{text[:_LETTERS]} …"
