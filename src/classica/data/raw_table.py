"""A table as it was read: polars' types, and what the reader noticed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import polars as pl


@dataclass(frozen=True)
class Declared:
    """What a file itself says about a column: its kind, and the levels of a category in their order."""

    kind: str
    levels: tuple[str, ...] = ()


@dataclass(frozen=True)
class RawTable:
    """A table as it was read."""

    frame: pl.DataFrame
    source: str = "table"
    format: str = "frame"
    notes: list[Any] = field(default_factory=list)
    declared: dict[str, Declared] = field(default_factory=dict)
    doubts: dict[str, Any] = field(default_factory=dict)
