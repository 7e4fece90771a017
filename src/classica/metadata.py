"""Metadata of rows, which scikit-learn's metadata routing brings to the classifiers inside a classifier."""

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
    """What ``fit`` gets beside rows and labels: values by row, and others that are about all of them."""

    by_row: Mapping[str, Any]
    whole: Mapping[str, Any]

    @classmethod
    def of(cls, values: Mapping[str, Any], rows: int) -> Metadata:
        """Tell apart what has one entry for each row, and what has not."""
        by_row = {name: value for name, value in values.items() if _entries(value) == rows}
        return cls(by_row, {name: value for name, value in values.items() if name not in by_row})

    def take(self, rows: NDArray[Any]) -> Metadata:
        """Return the metadata of the rows of these numbers, in this order."""
        return Metadata({name: _taken(value, rows) for name, value in self.by_row.items()}, self.whole)

    def __bool__(self) -> bool:
        return bool(self.by_row or self.whole)

    @property
    def values(self) -> dict[str, Any]:
        """All of them by name."""
        return {**self.whole, **self.by_row}


NO_METADATA = Metadata({}, {})


def is_routing() -> bool:
    """Return whether scikit-learn's metadata routing is switched on."""
    return bool(get_config().get("enable_metadata_routing", False))


def fit_router(owner: object, members: Mapping[str, Any]) -> MetadataRouter:
    """Return the router of a classifier whose ``fit`` calls that of its members.

    Parameters
    ----------
    owner : classifier
        The one they are inside of, which has requests of its own, too: at least what its ``score`` takes.
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
    """Return what a method of a member requests of the metadata given to the ``fit`` of its owner.

    Parameters
    ----------
    owner : classifier
        One with ``get_metadata_routing``, which knows the member by this name.
    params : mapping from str to metadata
        Those given; None is as good as not given.
    name, method : str
        Of the member. One that the owner does not route to gets nothing.
    """
    given = {key: value for key, value in params.items() if value is not None}
    if not given or not is_routing():
        return {}
    return dict(process_routing(owner, "fit", **given).get(name, {}).get(method, {}))


def refuse_metadata(owner: object, params: Mapping[str, Any]) -> None:
    """Refuse arguments that are metadata only where routing is switched on."""
    if params and not is_routing():
        got = f"{type(owner).__name__}.fit() got an unexpected keyword argument {next(iter(params))!r}"
        remedy = "sklearn.set_config(enable_metadata_routing=True)"
        raise TypeError(f"{got}; to pass metadata to the classifiers inside, call {remedy} first.")


def member_params(
    owner: object, sample_weight: VectorLike | None, params: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what the ``fit`` of the only member gets: what it requests, or the weights without routing."""
    refuse_metadata(owner, params)
    if is_routing():
        return routed(owner, {**params, "sample_weight": sample_weight})
    return {} if sample_weight is None else {"sample_weight": sample_weight}


def _entries(value: object) -> int | None:
    """Return how many entries a value has, if these can be told by their number."""
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
