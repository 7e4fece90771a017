"""What fitted Gaussian classes consist of: discriminants, Fisher's direction, class means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from classica.estimators.base.state_parts import CLASSES, ascending, classifier_count, linear_model
from classica.estimators.gaussian.fisher import FisherClassifier
from classica.estimators.gaussian.lda import LinearDiscriminantClassifier
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.estimators.gaussian.qda import QuadraticDiscriminantClassifier
from classica.kinds import Array, Flag, Kind, Maybe, Number, Scope, TupleOf, Whole
from classica.persist.description import describe_estimator
from classica.persist.label_kinds import NAMES, LogPriors, Shares


def _triangle(sizes: Mapping[str, int]) -> int:
    return sizes["d"] * (sizes["d"] + 1) // 2


def _strips(sizes: Mapping[str, int]) -> int:
    return -(-sizes["d"] // 4)


#: Squares of means must not overflow.
_LARGEST = 1e151
_COUNTS: dict[str, Kind] = {"class_counts_": Array("f8", 2, "c"), "class_prior_": Shares("c")}

#: The sums a model can be added to and taken from.
_SUMS: dict[str, Kind] = {
    "class_sums_": Array("f8", 2, "c", "d"),
    "products_": Array("f8", 2, "groups", _triangle),
}

#: The same for fewer rows than columns.
_ROWS: dict[str, Kind] = {
    "rows_": Array("f8", "rows", "d", most=1e150),
    "row_codes_": Array("i4", "rows", low=0, below="c"),
    "row_weights_": Array("f8", "rows", low=np.nextafter(0, 1)),
}


def _check_sums(model: Any, scope: Scope) -> None:
    forms = [all(name in vars(model) for name in form) for form in (_SUMS, _ROWS)]
    scope.require(sum(forms) == 1, "made with either sums or rows", "both" if all(forms) else "neither")


describe_estimator(
    LinearDiscriminantClassifier,
    {
        **CLASSES,
        **_COUNTS,
        "_model": linear_model("c", LogPriors("c")),
        "scalings_": Array("f8", "d", "axes", any_order=True),
        "xbar_": Array("f8", "d"),
        "axis_deviations_": Array("f8", "axes"),
        "means_": Array("f8", "c", "d"),
        "shrinkage_": Number(low=0),
        "rank_": Whole(0),
    },
    # Files of the first release have the covariance, and not what it was shrunken towards.
    NAMES | _SUMS | _ROWS | {"covariance_": Array("f8", "d", "d", any_order=True), "_is_diagonal": Flag()},
    _check_sums,
)
describe_estimator(
    QuadraticDiscriminantClassifier,
    {
        **CLASSES,
        **_COUNTS,
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
    NAMES | {"regularization_": Array("f8", "c", low=0, high=1)},  # files of the first release do not have it
)


def _check_fisher(model: FisherClassifier, scope: Scope) -> None:
    _check_sums(model, scope)
    seen = model._seen
    scope.require(len(seen) and (np.diff(seen) > 0).all(), "made with classes that were seen")
    needed = classifier_count(bool(model._one_vs_all), len(seen))
    scope.require(scope.size("m") == needed, f"made of {needed} binary classifiers", scope.size("m"))


describe_estimator(
    FisherClassifier,
    {
        **CLASSES,
        **_COUNTS,
        "_seen": Array("i8", "seen", low=0, below="c"),
        "_one_vs_all": Flag(),
        "_model": linear_model("m"),
    },
    NAMES | _SUMS | _ROWS,
    _check_fisher,
)


def _check_means(model: NearestMeanClassifier, scope: Scope) -> None:
    starts = model._model[2]
    scope.require(ascending(starts, scope.size("k")), "made with means of its classes")


describe_estimator(
    NearestMeanClassifier,
    {
        **CLASSES,
        "_model": TupleOf(
            Array("f8", "k", "d", most=_LARGEST),
            Maybe(Array("f8", "k", "d", low=0)),
            Array("i4", "c+1", low=0),
            LogPriors("c"),
        ),
        "means_": Array("f8", "k", "d"),
        "mean_class_": Array("i4", "k", low=0, below="c"),
        "spreads_": Maybe(Array("f8", "k", "d")),
        "class_prior_": Shares("c"),
        "class_counts_": Array("f8", 2, "c"),
        "class_sums_": Array("f8", 2, "c", "d"),
        "class_squares_": Maybe(Array("f8", 2, "c", "d")),
        "n_iter_": Whole(0),
    },
    NAMES,
    _check_means,
)
