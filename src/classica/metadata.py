"""scikit-learn's metadata routing for meta-estimators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import narwhals as nw
from numpy.typing import NDArray
from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from classica.arrays import VectorLike
from classica.row_taking import as_table, take_rows


@dataclass(frozen=True)
class Metadata:
    """Metadata passed to ``fit``: values per row, and values for all rows."""

    by_row: Mapping[str, Any]
    whole: Mapping[str, Any]

    @classmethod
    def of(cls, values: Mapping[str, Any], rows: int) -> Metadata:
        """Separate values with one entry per row from others."""
        by_row = {name: value for name, value in values.items() if _entries(value) == rows}
        return cls(by_row, {name: value for name, value in values.items() if name not in by_row})

    def take(self, rows: NDArray[Any]) -> Metadata:
        """Return the metadata of the rows with these indices, in this order."""
        return Metadata({name: _taken(value, rows) for name, value in self.by_row.items()}, self.whole)

    def __bool__(self) -> bool:
        return bool(self.by_row or self.whole)

    @property
    def values(self) -> dict[str, Any]:
        """All values by name."""
        return {**self.whole, **self.by_row}


NO_METADATA = Metadata({}, {})


def is_routing() -> bool:
    """Return whether scikit-learn's metadata routing is enabled."""
    return bool(get_config().get("enable_metadata_routing", False))


def fit_router(owner: object, members: Mapping[str, Any]) -> MetadataRouter:
    """Return the metadata router of a classifier whose ``fit`` calls that of its members.

    Parameters
    ----------
    owner : classifier
        The meta-estimator, which may have requests of its own (at least those of its ``score``).
    members : mapping from str to estimator
        Unfitted members by name.
    """
    router = MetadataRouter(owner=type(owner).__name__).add_self_request(owner)
    for name, member in members.items():
        router.add(method_mapping=MethodMapping().add(caller="fit", callee="fit"), **{name: member})
    return router


def routed(
    owner: object, params: Mapping[str, Any], name: str = "estimator", method: str = "fit"
) -> dict[str, Any]:
    """Return the metadata, of that passed to the owner's ``fit``, that a method of a member requests.

    Parameters
    ----------
    owner : classifier
        The meta-estimator, with a ``get_metadata_routing`` that lists the member.
    params : mapping from str to metadata
        The metadata; None values are ignored.
    name, method : str
        The member and its method. A member that the owner does not route to gets nothing.
    """
    given = {key: value for key, value in params.items() if value is not None}
    if not given or not is_routing():
        return {}
    return dict(process_routing(owner, "fit", **given).get(name, {}).get(method, {}))


def refuse_metadata(owner: object, params: Mapping[str, Any]) -> None:
    """Raise if metadata is passed although routing is disabled."""
    if params and not is_routing():
        got = f"{type(owner).__name__}.fit() got an unexpected keyword argument {next(iter(params))!r}"
        remedy = "sklearn.set_config(enable_metadata_routing=True)"
        raise TypeError(f"{got}; to pass metadata to the classifiers inside, call {remedy} first.")


def member_params(
    owner: object, sample_weight: VectorLike | None, params: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the metadata that the ``fit`` of the only member requests; without routing, the weights."""
    refuse_metadata(owner, params)
    if is_routing():
        return routed(owner, {**params, "sample_weight": sample_weight})
    return {} if sample_weight is None else {"sample_weight": sample_weight}


def _entries(value: object) -> int | None:
    """Return the number of entries of a value, or None if it has none."""
    shape = getattr(value, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) else None
    return len(value) if isinstance(value, list | tuple) else None


def _taken(value: object, rows: NDArray[Any]) -> Any:
    if nw.dependencies.is_into_series(value):
        return nw.from_native(value, series_only=True)[rows].to_native()
    if isinstance(value, list | tuple):  # entries may be anything
        return [value[row] for row in rows]
    return take_rows(as_table(value), rows)
