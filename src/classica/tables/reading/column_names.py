"""Unique column names."""

from __future__ import annotations

from classica.tables.reading.raw_table import Note


def column_names(cells: list[str | None]) -> tuple[list[str], tuple[Note, ...]]:
    """Return column names from the cells of a header, and notes about changed names.

    Spaces around a name are dropped, a missing one is ``column_3`` by its position, and a duplicate
    gets a number: ``a``, ``a_2``.
    """
    return different_names([(cell or "").strip() for cell in cells])


def different_names(stripped: list[str]) -> tuple[list[str], tuple[Note, ...]]:
    """Return unique names: unnamed columns are named, duplicates are numbered."""
    taken = set(stripped)
    seen: set[str] = set()
    numbers: dict[str, int] = {}
    names, empty, again = [], [], []
    for position, name in enumerate(stripped, 1):
        chosen = name or f"column_{position}"
        if not name:
            empty.append(str(position))
        if chosen in seen or (not name and chosen in taken):
            chosen = _free(chosen, taken, numbers)
            again.append(f"{name or 'no name'!r} in column {position} is {chosen!r}")
        seen.add(chosen)
        taken.add(chosen)
        names.append(chosen)
    notes = []
    if empty:
        notes.append(Note("names", f"unnamed columns are named by their position: {_few(empty)}"))
    if again:
        notes.append(Note("names", f"duplicate column names are numbered: {_few(again)}"))
    return names, tuple(notes)


def _free(name: str, taken: set[str], numbers: dict[str, int]) -> str:
    """Return a name with the next free number; linear in the number of duplicates."""
    number = numbers.get(name, 2)
    while f"{name}_{number}" in taken:
        number += 1
    numbers[name] = number + 1
    return f"{name}_{number}"


def _few(items: list[str]) -> str:
    shown = ", ".join(items[:5])
    return shown if len(items) <= 5 else f"{shown} and {len(items) - 5} more"
