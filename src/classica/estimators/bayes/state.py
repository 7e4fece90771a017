"""Naive Bayes: Gaussian, coded and kernel-density columns."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from classica.estimators.base.state_parts import CLASSES, LEVELS, ascending, check_levels
from classica.estimators.bayes.bayes_model import BayesModel
from classica.estimators.bayes.bayes_statistics import BayesStatistics
from classica.estimators.bayes.code_counts import CodeCounts
from classica.estimators.bayes.code_table import CodeTable
from classica.estimators.bayes.column_kinds import KINDS
from classica.estimators.bayes.gaussian_columns import GaussianColumns
from classica.estimators.bayes.kernel_columns import KernelColumns
from classica.estimators.bayes.known_moments import KnownMoments
from classica.estimators.bayes.naive_bayes import NaiveBayesClassifier
from classica.kinds import Array, DictOf, Kind, ListOf, Maybe, Number, Scope, TupleOf, Whole
from classica.persist.description import RecordOf, describe_estimator, describe_record
from classica.persist.label_kinds import NAMES, Levels, LogPriors, Shares

_PLACES = Array("i4", "k", low=0, below="d")

describe_record(
    KnownMoments,
    {
        "count_pairs": Array("f8", 2, "c"),
        "known": Array("f8", 2, "c", "k"),
        "sums": Array("f8", 2, "c", "k"),
        "squares": Array("f8", 2, "c", "k"),
    },
)


def _check_counts(counts: CodeCounts, scope: Scope) -> None:
    indices, starts, keys, _ = counts.columns
    scope.require(ascending(starts, len(keys)), "made with keys of its columns")
    slots = len(keys) + len(indices)
    shapes = counts.declared.shape == (slots,) and counts.pairs.shape[2] == slots
    scope.require(shapes, f"made with {slots} slots", counts.pairs.shape)
    inside = np.ones(max(len(keys) - 1, 0), dtype=bool)
    inside[starts[1:-1][(starts[1:-1] > 0) & (starts[1:-1] < len(keys))] - 1] = False
    scope.require((np.diff(keys)[inside] >= 0).all(), "made with ascending keys")
    if counts.levels is not None:
        lengths = [len(levels) for levels in counts.levels]
        scope.require(lengths == np.diff(starts).tolist(), "made with a level for each key", lengths)


class _Keys(Kind):
    """The levels of a column: numbers of an array, or categories of a frame."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check whichever it is."""
        if isinstance(value, np.ndarray):
            scope.require(value.ndim == 1 and value.dtype == np.float64, "an array of numbers", value)
        else:
            Levels().check(value, scope)


describe_record(
    CodeCounts,
    {
        "columns": TupleOf(
            _PLACES, Array("i4", "k+1", low=0), Array("f8", "keys"), Array("u1", "k", below=2)
        ),
        "declared": Array("b1", "slots"),
        "pairs": Array("f8", 2, "c", "slots"),
        "levels": Maybe(ListOf(_Keys(), made=tuple)),
    },
    _check_counts,
)
describe_record(
    BayesStatistics,
    {
        "moments": RecordOf(KnownMoments),
        "intervals": RecordOf(CodeCounts),
        "categories": RecordOf(CodeCounts),
    },
)
describe_record(
    GaussianColumns,
    {
        "places": _PLACES,
        "means": Array("f8", "c", "k", most=1e300),
        "variances": Array("f8", "c", "k"),
        "used": Array("b1", "k"),
        "inverse_spreads": Array("f8", "c", "k", low=0),
        "log_norms": Array("f8", "c", "k"),
        "least": Array("f8", "k"),
    },
)


#: The logarithm of a probability of one, but for rounding.
_CERTAIN = 1e-9


def _check_table(table: CodeTable, scope: Scope) -> None:
    slots = len(table.counts.declared)
    scope.require(len(table.logs) == slots, f"made with {slots} slots", len(table.logs))


describe_record(
    CodeTable,
    {
        "counts": RecordOf(CodeCounts),
        "alpha": Number(low=0),
        "probabilities": Array("f8", "slots", "c"),
        "logs": Array("f8", "slots", "c", inf="-", high=_CERTAIN),
        "zeros": Maybe(Array("u1", "slots", "c", below=2)),
    },
    _check_table,
)


def _check_kernels(columns: KernelColumns, scope: Scope) -> None:
    starts, rows = columns.starts, columns.values.shape[1]
    rising = (starts[:, 0] == 0).all() and (np.diff(starts, axis=1) >= 0).all() and (starts <= rows).all()
    scope.require(rising, "made with values of its classes")
    wide = columns.bandwidths > 0
    scope.require(
        (wide.all(axis=0) | ~wide.any(axis=0)).all(), "made with bandwidths above 0 for all classes"
    )
    for values, masses, ends in zip(columns.values, columns.masses, starts, strict=True):
        for first, last in pairwise(ends.tolist()):
            scope.require((np.diff(values[first:last]) >= 0).all(), "made with ascending values")
            scope.require((masses[first:last] > 0).all(), "made with values that have weight", 0)


describe_record(
    KernelColumns,
    {
        "places": _PLACES,
        "values": Array("f8", "k", "rows"),
        "masses": Array("f8", "k", "rows", low=0),
        "starts": Array("i8", "k", "c+1", low=0),
        "bandwidths": Array("f8", "c", "k", low=0),
    },
    _check_kernels,
)
describe_record(
    BayesModel,
    {
        "log_prior": LogPriors("c"),
        "gaussian": RecordOf(GaussianColumns),
        "intervals": RecordOf(CodeTable),
        "categories": RecordOf(CodeTable),
        "kernel": Maybe(RecordOf(KernelColumns)),
    },
)


def _check_bayes(model: NaiveBayesClassifier, scope: Scope) -> None:
    check_levels(model, scope)
    made = model._model
    kernel = [] if made.kernel is None else [made.kernel.places]
    indices = [
        made.gaussian.places,
        made.intervals.counts.columns[0],
        made.categories.counts.columns[0],
        *kernel,
    ]
    joined = np.sort(np.concatenate(indices))
    scope.require(np.array_equal(joined, np.arange(scope.size("d"))), "made with one part for each column")


describe_estimator(
    NaiveBayesClassifier,
    {
        **CLASSES,
        **LEVELS,
        "_kinds": Array("i1", "d", low=0, below=len(KINDS)),
        "class_prior_": Shares("c"),
        "_learned": RecordOf(BayesStatistics),
        "_model": RecordOf(BayesModel),
    },
    {**NAMES, "cut_points_": DictOf(Whole(0, "d"), Array("f8", "*"))},
    _check_bayes,
)
