"""What a file itself says about a column."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Declared:
    """What a file itself says about a column (the header of an ARFF file, a categorical type of a frame).

    Attributes
    ----------
    kind : str
        "number", "integer", "category", "text" or "date".
    levels : tuple of str or None
        The categories in their order.
    pattern : str or None
        How dates are written, in the words of the file.
    """

    kind: str
    levels: tuple[str, ...] | None = None
    pattern: str | None = None
