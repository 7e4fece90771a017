"""The border to the compiled core: the only importer of ``_core``.

Each function allocates its result with NumPy and hands plain arrays to a kernel. Matrices are
float32 or float64 in any memory order, or SciPy CSR; nothing is converted or copied here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

import classica._core as _core

Floats = NDArray[np.float64]
Codes = NDArray[np.int32]

#: The point scores are seen from, weights (one row per score), offsets.
LinearModel = tuple[Floats, Floats, Floats]

#: The point all is seen from, centers as seen from there, upper triangular factors in `factor_strips`.
QuadraticModel = tuple[Floats, Floats, Floats]

#: Means, inverse spreads (or None), where each class's means start, log priors.
MeanModel = tuple[Floats, Floats | None, Codes, Floats]

#: Places in X, where each column's keys start, the keys, and 1 for categories (0 for intervals).
CodedColumns = tuple[Codes, Codes, Floats, NDArray[np.uint8]]

#: Places in X; means, inverse spreads and log norms per class and column.
GaussianModel = tuple[Codes, Floats, Floats, Floats]


def configuration() -> dict[str, Any]:
    """Return how the core was built and which instruction level it uses."""
    return dict(_core.configuration())


def first_bad(values: Any, largest: float, allow_nan: bool, threads: int) -> int:
    """Return the row-major index of the first value that is not finite or too large, or -1."""
    return int(_core.first_bad(values, largest, allow_nan, threads))


#: What `sparse_form` finds, in the order of the core.
SPARSE_FORMS = ("canonical", "unordered", "bad_start", "bad_column", "bad_length")


def sparse_form(columns: NDArray[Any], starts: NDArray[Any], rows: int, width: int) -> tuple[str, int]:
    """Return what the structure of sparse rows is like, and the row or entry where it goes wrong."""
    form, position = _core.sparse_form(columns, starts, rows, width)
    return SPARSE_FORMS[form], int(position)


def row_draws(X: Any, seed: int, threads: int) -> Floats:
    """Return a uniform number per row, keyed by the seed and the row's content."""
    out = np.empty(X.shape[0])
    _core.row_draws(*_rows(X), seed, threads, out)
    return out


def philox(seed: int, stream: int, counter: int, blocks: int) -> NDArray[np.uint64]:
    """Return the random blocks of consecutive counters, four numbers each."""
    out = np.empty((blocks, 4), dtype=np.uint64)
    _core.philox(seed, stream, counter, out)
    return out


def grouped_moments(
    X: Any, group: Codes, groups: int, weights: Floats | None, squares: bool, threads: int
) -> tuple[Floats, Floats, Floats | None]:
    """Return counts, sums and (if asked for) square sums of the rows of each group.

    All are double-double, the high parts and then the low parts: counts of shape (2, groups), the others
    (2, groups, columns).
    """
    counts = np.zeros((2, groups))
    sums = np.zeros((2, groups, X.shape[1]))
    square_sums = np.zeros_like(sums) if squares else None
    _core.grouped_moments(*_rows(X), group, weights, threads, counts, sums, square_sums, None)
    return counts, sums, square_sums


def grouped_known_moments(
    X: Any, group: Codes, groups: int, weights: Floats | None, threads: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the same of a dense matrix with missing cells: counts, absent weights, sums, square sums."""
    counts = np.zeros((2, groups))
    sums, squares, absent = (np.zeros((2, groups, X.shape[1])) for _ in range(3))
    _core.grouped_moments(X, group, weights, threads, counts, sums, squares, absent)
    return counts, absent, sums, squares


def add_pairs(a: Floats, b: Floats, sign: float) -> Floats:
    """Return ``a + sign * b`` for double-double arrays."""
    out = np.empty_like(a)
    _core.add_pairs(a, b, sign, out)
    return out


def settle(counts: Floats, sums: Floats, squares: Floats | None, constant: NDArray[np.bool_]) -> None:
    """Let sums (and squares) be those of equal rows where ``constant`` says so, per group and column."""
    _core.settle(counts, sums, squares, np.ascontiguousarray(constant).view(np.uint8))


def mean_pairs(counts: Floats, sums: Floats) -> Floats:
    """Return the mean of each group and column as double-double, in the shape of the sums."""
    out = np.empty_like(sums)
    _core.mean_pairs(counts, sums, out)
    return out


def means_and_variances(counts: Floats, sums: Floats, squares: Floats | None) -> tuple[Floats, Floats | None]:
    """Return the mean and (with squares) the variance of each group and column."""
    means = np.empty(sums.shape[1:])
    variances = None if squares is None else np.empty_like(means)
    _core.means_and_variances(counts, sums, squares, means, variances)
    return means, variances


def grouped_products(
    X: Any, group: Codes | None, groups: int, weights: Floats | None, threads: int, *, ones: bool = False
) -> Floats:
    """Return the sums of the products of every two columns, one lower triangle per group of rows.

    Double-double, of shape (2, groups, columns * (columns + 1) / 2). Without ``group`` all rows are one.
    With ``ones`` there is one more column, of ones: the last row of a triangle then holds sums and count.
    """
    columns = X.shape[1] + ones
    products = np.zeros((2, groups, columns * (columns + 1) // 2))
    _core.grouped_products(X, group, weights, threads, products)
    return products


def scatter_matrices(counts: Floats, sums: Floats, products: Floats) -> Floats:
    """Return the scatter about the group means: of each group, or summed where products are of all rows."""
    columns = sums.shape[2]
    out = np.empty((products.shape[1], columns, columns))
    _core.scatter_matrices(counts, sums, products, out)
    return out


def linear_scores(X: Any, model: LinearModel, threads: int) -> Floats:
    """Return ``(X - center) @ weights.T + offsets``."""
    if sp.issparse(X):
        center, weights, offsets = model
        sums: Floats = X @ weights.T + (offsets - np.einsum("mj,j->m", weights, center))
        return sums
    out = np.empty((X.shape[0], model[1].shape[0]))
    _core.linear_scores(X, *model, threads, out)
    return out


def quadratic_forms(X: Any, model: QuadraticModel, threads: int) -> Floats:
    """Return the squared length of ``factor @ (row - center - centers[c])`` for each row and c."""
    out = np.empty((X.shape[0], model[1].shape[0]))
    _core.quadratic_forms(X, *model, threads, out)
    return out


def factor_strips(factors: Floats) -> Floats:
    """Return upper triangular matrices in the layout of `quadratic_forms`: strips of four rows."""
    forms, columns, _ = factors.shape
    strips = -(-columns // 4)
    padded = np.zeros((forms, strips * 4, columns))
    padded[:, :columns] = factors
    by_strip = padded.reshape(forms, strips, 4, columns).swapaxes(2, 3)
    return np.ascontiguousarray(by_strip).reshape(forms, strips, 4 * columns)


def nearest_mean_predict(X: Any, model: MeanModel, threads: int) -> NDArray[np.int64]:
    """Return the class code of each row."""
    out = np.empty(X.shape[0], dtype=np.int64)
    _core.nearest_mean_predict(*_rows(X), *model, threads, out)
    return out


def nearest_mean_posteriors(X: Any, model: MeanModel, threads: int) -> Floats:
    """Return the posterior probability of each class for each row."""
    out = np.empty((X.shape[0], model[3].shape[0]))
    _core.nearest_mean_posteriors(*_rows(X), *model, threads, out)
    return out


def nearest_mean_distances(X: Any, model: MeanModel, threads: int) -> Floats:
    """Return the distance from each row to the closest mean of each class."""
    out = np.empty((X.shape[0], model[3].shape[0]))
    _core.nearest_mean_distances(*_rows(X), *model, threads, out)
    return out


def highest_scores(scores: Floats, threads: int) -> NDArray[np.int64]:
    """Return the first column with the highest score of each row."""
    out = np.empty(len(scores), dtype=np.int64)
    _core.highest_scores(scores, threads, out)
    return out


def scores_to_posteriors(scores: Floats, threads: int) -> Floats:
    """Return the posterior probabilities of log scores; minus infinity stands for an impossible class."""
    out = np.empty_like(scores)
    _core.scores_to_posteriors(scores, threads, out)
    return out


def distinct_values(X: Any, places: Codes, threads: int) -> list[Floats]:
    """Return the distinct known values of each chosen column, ascending."""
    starts, values = _core.distinct_values(X, places, threads)
    return np.split(values, starts[1:-1]) if len(places) else []


def cut_points(
    X: Any, places: Codes, group: Codes, weights: Floats | None, classes: int, threads: int
) -> list[Floats]:
    """Return where the entropy and description-length rule cuts each chosen column."""
    starts, values = _core.cut_points(X, places, group, weights, classes, threads)
    return np.split(values, starts[1:-1]) if len(places) else []


def count_codes(
    X: Any, columns: CodedColumns, group: Codes, classes: int, weights: Floats | None, threads: int
) -> Floats:
    """Return the weight of the rows of each class with each code, double-double: (2, classes, slots)."""
    counts = np.zeros((2, classes, len(columns[2]) + len(columns[0])))
    _core.count_codes(*_rows(X), *columns, group, weights, threads, counts)
    return counts


def add_code_scores(
    X: Any,
    columns: CodedColumns,
    logs: Floats,
    zeros: NDArray[np.uint8] | None,
    threads: int,
    scores: Floats,
    zero_counts: Codes | None,
) -> None:
    """Add the table entries (slots, classes) of each row's cells to its scores."""
    _core.add_code_scores(*_rows(X), *columns, logs, zeros, threads, scores, zero_counts)


def add_left_out_code_scores(
    X: Any,
    columns: CodedColumns,
    logs: Floats,
    zeros: NDArray[np.uint8] | None,
    counts: tuple[Floats, Floats, NDArray[np.uint8], float],
    group: Codes,
    weights: Floats | None,
    threads: int,
    scores: Floats,
    zero_counts: Codes,
) -> None:
    """Do the same as if each row had not been counted; ``counts``: pairs, cases, declared codes, alpha."""
    _core.left_out_codes(X, *columns, logs, zeros, *counts, group, weights, threads, scores, zero_counts)


def add_gaussian_scores(X: Any, model: GaussianModel, threads: int, scores: Floats) -> None:
    """Add the log density of each row in each class to its scores."""
    _core.add_gaussian_scores(X, *model, threads, scores)


def left_out_gaussian_scores(
    X: Any,
    model: GaussianModel,
    sums: tuple[Floats, Floats, Floats, Floats, float],
    group: Codes,
    weights: Floats | None,
    threads: int,
) -> Floats:
    """Return the log density of each row in its class without that row, NaN where it has to be refitted.

    ``sums``: known weights, sums and square sums as pairs, the smallest variances allowed, ddof.
    """
    out = np.empty(X.shape[0])
    _core.left_out_gaussian(X, *model, *sums, group, weights, threads, out)
    return out


def sort_columns(
    X: Any, places: Codes, group: Codes, classes: int, weights: Floats | None, threads: int
) -> tuple[Floats, Floats, NDArray[np.int64], Floats, Floats]:
    """Return the values of each column by class, ascending: values, masses, starts, quartiles, gaps.

    Values and masses are (columns, rows), equal values of a class joined; starts (columns, classes + 1)
    tell where those of each class begin; quartiles are (columns, classes, 2); gaps (columns,) are the mean
    gaps between the distinct values of all classes.
    """
    values, masses = np.zeros((2, len(places), X.shape[0]))
    starts = np.zeros((len(places), classes + 1), dtype=np.int64)
    quartiles, gaps = np.zeros((len(places), classes, 2)), np.zeros(len(places))
    _core.sort_columns(X, places, group, weights, threads, values, masses, starts, quartiles, gaps)
    return values, masses, starts, quartiles, gaps


def add_density_scores(
    X: Any,
    places: Codes,
    values: Floats,
    masses: Floats,
    starts: NDArray[np.int64],
    bandwidths: Floats,
    threads: int,
    scores: Floats,
) -> None:
    """Add the log kernel density of each row in each class to its scores."""
    _core.add_density_scores(X, places, values, masses, starts, bandwidths, threads, scores)


#: Structures and metrics in the order of the compiled enumerations.
STRUCTURES = ("brute", "partial", "kd_tree", "ball_tree", "annulus")
METRICS = ("euclidean", "manhattan", "chebyshev", "minkowski", "hamming", "heom", "gower")
TIES = ("decrease", "increase", "lowest")
TILE_ROWS = 8

#: Starts, ranks and rows of neighbour lists: see `find_neighbours`.
Lists = tuple[NDArray[np.int64], Floats, Codes]


def build_index(
    X: Any, structure: str, metric: str, power: float, categorical: Any, leaf_tiles: int, threads: int
) -> tuple[Any, Codes, Floats]:
    """Return the tiles, the order of the rows and the bounds of a search structure."""
    rows, columns = X.shape
    count = -(-rows // TILE_ROWS)
    nodes = 2 * -(-count // leaf_tiles) - 1
    sizes = {"kd_tree": 2 * columns * nodes, "ball_tree": (columns + 1) * nodes}
    sizes["annulus"] = count * TILE_ROWS + columns
    tiles = np.empty((count, columns, TILE_ROWS), dtype=X.dtype)
    order = np.empty(count * TILE_ROWS, dtype=np.int32)
    bounds = np.empty(sizes.get(structure, 0))
    codes = STRUCTURES.index(structure), METRICS.index(metric)
    _core.build_index(X, *codes, power, categorical, leaf_tiles, threads, tiles, order, bounds)
    return tiles, order, bounds


def find_neighbours(
    arrays: tuple[Any, Codes, Floats],
    structure: str,
    metric: str,
    power: float,
    categorical: Any,
    built_tiles: int,
    leaf_tiles: int,
    queries: Floats,
    neighbours: int,
    *,
    excluded: Codes | None,
    backtrack: bool,
    threads: int,
) -> Lists:
    """Return starts, ranks and rows of the neighbour lists of the queries, nearest first.

    A list is longer than asked for when rows tie at its end. ``excluded`` names, per query, a
    training row it must not find.
    """
    codes = STRUCTURES.index(structure), METRICS.index(metric)
    lists: Lists = _core.find_neighbours(
        *arrays,
        *codes,
        power,
        categorical,
        built_tiles,
        leaf_tiles,
        queries,
        neighbours,
        excluded,
        backtrack,
        threads,
    )
    return lists


def select_neighbours(ranks: Floats, neighbours: int, *, excluded: Codes | None, threads: int) -> Lists:
    """Return the same lists for given ranks, one row per query."""
    lists: Lists = _core.select_neighbours(ranks, neighbours, excluded, threads)
    return lists


def count_votes(
    lists: Lists,
    weights: Floats | None,
    codes: Codes,
    classes: int,
    neighbours: int,
    ties: str,
    complete: bool,
    threads: int,
) -> tuple[Floats, Codes]:
    """Return the share of each class and the number of neighbours used, -1 where it needs more of them."""
    shares = np.empty((len(lists[0]) - 1, classes))
    used = np.empty(len(lists[0]) - 1, dtype=np.int32)
    rule = TIES.index(ties)
    _core.count_votes(*lists, weights, codes, neighbours, rule, complete, threads, shares, used)
    return shares, used


def leave_one_out_errors(
    lists: Lists,
    weights: Floats | None,
    codes: Codes,
    truths: Codes,
    classes: int,
    largest: int,
    complete: bool,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the errors of each rule of `TIES` for every K, and which lists are too short to tell."""
    errors = np.zeros((3, largest), dtype=np.int64)
    unsettled = np.zeros(len(truths), dtype=bool)
    _core.leave_one_out_errors(*lists, weights, codes, truths, classes, complete, errors, unsettled)
    return errors, unsettled


def sleep_loop(chunks: int, milliseconds: int, threads: int, fail_at: int = -1) -> None:
    """Run a parallel loop that only sleeps; the chunk ``fail_at`` raises. For tests of the pool."""
    _core.sleep_loop(chunks, milliseconds, threads, fail_at)


def _rows(X: Any) -> tuple[Any, ...]:
    return (X.data, X.indices, X.indptr, X.shape[1]) if sp.issparse(X) else (X,)
