"""The neighbours of some rows, found once for the largest of many K."""

from __future__ import annotations

from typing import Any

from classica.native import Lists


class SharedSearch:
    """Remembers the last queries and their lists, which are long enough for every K up to the largest."""

    def __init__(self, largest: int) -> None:
        self.largest = largest
        self._asked: Any = None
        self._queries: Any = None
        self._lists: Lists | None = None

    def lists(self, model: Any, X: Any) -> tuple[Any, Lists]:
        """Return the checked queries and their lists; the same object is searched for once."""
        if self._lists is None or self._asked is not X:
            self._asked, self._queries = X, model._query(X)
            self._lists = model._lists(self._queries, None, self.largest)
        return self._queries, self._lists
