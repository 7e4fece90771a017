"""Gaussian classes, Fisher's discriminant, and guessing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from classica.estimators import (
    ChanceClassifier,
    FisherClassifier,
    LinearDiscriminantClassifier,
    QuadraticDiscriminantClassifier,
)
from classica.kinds import Array, Flag, Kind, Number, Scope, TupleOf, Whole
from classica.persist.description import describe_estimator
from classica.persist.families.common import CLASSES, NAMES, SEED, linear_model, machine_count
from classica.persist.labels import LogPriors, Shares


def _triangle(sizes: Mapping[str, int]) -> int:
    return sizes["d"] * (sizes["d"] + 1) // 2


def _strips(sizes: Mapping[str, int]) -> int:
    return -(-sizes["d"] // 4)


#: The sums a model can be added to and taken from.
_SUMS: dict[str, Kind] = {
    "class_counts_": Array("f8", 2, "c"),
    "class_sums_": Array("f8", 2, "c", "d"),
    "products_": Array("f8", 2, "groups", _triangle),
    "class_prior_": Shares("c"),
}

describe_estimator(
    LinearDiscriminantClassifier,
    {
        **CLASSES,
        **_SUMS,
        "_model": linear_model("c", LogPriors("c")),
        "scalings_": Array("f8", "d", "axes", any_order=True),
        "xbar_": Array("f8", "d"),
        "axis_deviations_": Array("f8", "axes"),
        "means_": Array("f8", "c", "d"),
        "covariance_": Array("f8", "d", "d", any_order=True),
        "shrinkage_": Number(low=0),
        "rank_": Whole(0),
    },
    NAMES,
)
describe_estimator(
    QuadraticDiscriminantClassifier,
    {
        **CLASSES,
        **_SUMS,
        "_model": TupleOf(
            Array("f8", "d"), Array("f8", "c", "d"), Array("f8", "c", _strips, lambda sizes: 4 * sizes["d"])
        ),
        "_offsets": LogPriors("c"),
        "means_": Array("f8", "c", "d"),
        "covariances_": Array("f8", "c", "d", "d", any_order=True),
        "shrinkage_": Array("f8", "c", low=0),
        "log_determinants_": Array("f8", "c"),
        "ranks_": Array("i8", "c", low=0),
    },
    NAMES,
)


def _check_fisher(model: Any, scope: Scope) -> None:
    seen = model._seen
    scope.require(len(seen) and (np.diff(seen) > 0).all(), "made with classes that were seen")
    needed = machine_count(bool(model._one_vs_all), len(seen))
    scope.require(scope.size("m") == needed, f"made of {needed} machines", scope.size("m"))


describe_estimator(
    FisherClassifier,
    {
        **CLASSES,
        **_SUMS,
        "_seen": Array("i8", "seen", low=0, below="c"),
        "_one_vs_all": Flag(),
        "_model": linear_model("m"),
    },
    NAMES,
    _check_fisher,
)
describe_estimator(
    ChanceClassifier,
    {**CLASSES, "class_prior_": Shares("c"), "seed_": SEED},
    NAMES,
)
