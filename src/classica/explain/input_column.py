"""The columns a model takes, before anything is encoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from classica.table_classifier import TableClassifier
from classica.tables.typing.date_parts import part_names

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator


@dataclass(frozen=True)
class InputColumn:
    """One column as it goes in.

    Attributes
    ----------
    name : str
        What it is called; the parts of a date are columns of their own, such as ``day.year``.
    levels : tuple or None
        The levels of a category, by value; None for numbers.
    takes_missing : bool
        Whether a cell may be missing.
    """

    name: str
    levels: tuple[Any, ...] | None
    takes_missing: bool

    @property
    def is_number(self) -> bool:
        """Whether cells are numbers."""
        return self.levels is None


def input_columns(table: TableClassifier | None, estimator: BaseEstimator) -> tuple[InputColumn, ...]:
    """Return the columns that go into a model."""
    if table is not None:
        return tuple(_of_schema(table, estimator))
    names = getattr(estimator, "feature_names_in_", None)
    count = int(estimator.n_features_in_)
    shown = [str(index) for index in range(count)] if names is None else [str(name) for name in names]
    levels = levels_of(estimator, shown)
    missing = bool(estimator.__sklearn_tags__().input_tags.allow_nan)
    return tuple(
        InputColumn(name, levels.get(index) if index in levels else None, missing)
        for index, name in enumerate(shown)
    )


def levels_of(estimator: BaseEstimator, names: Sequence[str]) -> dict[int, tuple[Any, ...]]:
    """Return the levels of the columns in which an estimator itself sees categories, by index."""
    reader = getattr(getattr(estimator, "_members", None), "reader", estimator)
    if hasattr(type(reader), "names_"):
        tree_names = reader.names_
        return {j: tuple(levels) for j, levels in tree_names.levels.items() if tree_names.holds_categories(j)}
    by_name: Mapping[str, Sequence[Any]] = getattr(reader, "category_levels_", {})
    if by_name:
        return {names.index(name): tuple(levels) for name, levels in by_name.items()}
    counts = getattr(getattr(reader, "_learned", None), "categories", None)
    if counts is None or counts.levels is None:
        return {}
    indices = counts.columns[0].tolist()
    return {j: tuple(_plain(levels)) for j, levels in zip(indices, counts.levels, strict=True)}


def _of_schema(table: TableClassifier, estimator: BaseEstimator) -> list[InputColumn]:
    inputs: list[InputColumn] = []
    for name in table.schema.names("feature"):
        column = table.schema[name]
        levels: tuple[Any, ...] | None = None
        if column.has_levels:
            levels = tuple(str(level) for level in column.levels or ())
        elif column.kind == "boolean":
            levels = (False, True)
        inputs += [InputColumn(part, levels, True) for part in part_names(column)]
    if not table.encoder_.passes_on:
        return inputs
    # A classifier that was told so takes numbers for categories.
    own = levels_of(estimator, [column.name for column in inputs])
    return [
        replace(column, levels=own[index]) if column.is_number and index in own else column
        for index, column in enumerate(inputs)
    ]


def _plain(levels: Any) -> list[Any]:
    return levels.tolist() if hasattr(levels, "tolist") else list(levels)
