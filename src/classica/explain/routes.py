"""How the columns of a table reach a classifier that takes numbers only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from classica.explain.opened import Opened
from classica.explain.parts import LevelPart, NumberPart, Part
from classica.explain.terms import Term
from classica.native import Floats
from classica.tables.encoding.encoded_column import EncodedColumn


@dataclass(frozen=True)
class Route:
    """One column, and the columns it becomes.

    Attributes
    ----------
    column : int
        Its place in the table.
    places : range
        The places of what it becomes.
    encoded : EncodedColumn
        How.
    """

    column: int
    places: range
    encoded: EncodedColumn

    def part(self, terms: Sequence[Term], levels: tuple[Any, ...] | None) -> Part:
        """Return what the column adds, where each column it becomes adds a term."""
        code = self.encoded
        own = [terms[place] for place in self.places]
        if levels is None:
            return NumberPart(self.column, code.fill, code.center, code.scale, own[0])
        known = np.array([_added(own, self.inputs(float(place))) for place in range(len(levels))])
        return LevelPart(self.column, levels, known, _added(own, self.unseen()), _added(own, self.missing()))

    def inputs(self, place: float) -> list[float]:
        """Return what the level at a place becomes; -1 is a level that is not known, NaN a missing one."""
        code = self.encoded
        if code.form == "one-hot":
            return [np.nan if np.isnan(place) else float(place == at) for at in range(len(self.places))]
        return [(place - code.center) / code.scale]

    def unseen(self) -> list[float]:
        """Return what a level becomes that is not known; as a rank it is missing."""
        return self.inputs(-1.0) if self.encoded.form == "one-hot" else self.missing()

    def missing(self) -> list[float]:
        """Return what a missing level becomes."""
        fill = self.encoded.fill
        return self.inputs(np.nan if fill is None else fill)


def routes(opened: Opened) -> list[Route]:
    """Return the way of each column."""
    encoder = opened.encoder
    if encoder is None:
        kinds = [EncodedColumn(column.name, "number") for column in opened.columns]
        return [Route(place, range(place, place + 1), kind) for place, kind in enumerate(kinds)]
    found, at = [], 0
    for place, encoded in enumerate(encoder.columns_):
        width = len(encoded.names_out)
        found.append(Route(place, range(at, at + width), encoded))
        at += width
    return found


def _added(terms: Sequence[Term], inputs: Sequence[float]) -> Floats:
    """Return what the columns add together that a level becomes."""
    found: Floats = np.sum([term.values([x])[0] for term, x in zip(terms, inputs, strict=True)], axis=0)
    return found
