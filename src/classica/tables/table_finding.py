"""One thing worth telling about a table: a code, the column it is about, and a plain sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from classica.finding_code import FindingCode
from classica.tables.profiles.table_codes import TABLE_CODES
from classica.tables.typing.column_codes import COLUMN_CODES

#: Every code about a table. D1: how columns were typed. D2: the target. D3: leakage. D4: rows.
#: D5: what to look at in columns. D6: a new table against the schema of a model.
CODES = {each.code: each for each in (*COLUMN_CODES, *TABLE_CODES)}


@dataclass(frozen=True)
class Finding:
    """A code of `CODES`, the column (None for the whole table), and one plain sentence."""

    code: str
    column: str | None
    text: str

    @property
    def explanation(self) -> FindingCode:
        """What the code means, how it was found, and what helps."""
        return CODES[self.code]

    def record(self) -> dict[str, Any]:
        """Return the finding as plain values."""
        return {"code": self.code, "column": self.column, "text": self.text}
