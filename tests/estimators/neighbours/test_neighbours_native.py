"""The neighbour kernels at their border: equal to the reference, and no way past the ends of an array."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from classica import native
from tests.reference import neighbours as reference

pytestmark = pytest.mark.native

MINKOWSKI = ["euclidean", "manhattan", "chebyshev", "minkowski"]
PAIRS = [
    *itertools.product(["brute", "partial"], native.METRICS),
    *itertools.product(["kd_tree", "annulus"], MINKOWSKI),
    *itertools.product(["ball_tree"], [*MINKOWSKI, "hamming"]),
]


X8 = np.arange(48.0).reshape(12, 4)


def index_of(X, structure="brute", metric="euclidean", leaf_tiles=1, threads=1):
    categorical = np.arange(X.shape[1]) % 2 == 0
    mask = categorical.astype(np.uint8) if metric in ("heom", "gower") else None
    return native.build_index(X, structure, metric, 3.0, mask, leaf_tiles, threads), mask


def find(X, queries, k, structure="brute", metric="euclidean", *, leaf_tiles=1, threads=1, **options):
    index, mask = index_of(X, structure, metric, leaf_tiles, threads)
    told = {"excluded": None, "backtrack": True, "threads": threads, **options}
    tiles = index[0].shape[0]
    return native.find_neighbours(index, structure, metric, 3.0, mask, tiles, leaf_tiles, queries, k, **told)


def as_lists(lists):
    starts, ranks, rows = lists
    places = [slice(*pair) for pair in itertools.pairwise(starts.tolist())]
    return [(rows[place].tolist(), ranks[place].tolist()) for place in places]


def wanted_lists(ranks, k, excluded=None):
    found = []
    for i, rank in enumerate(ranks):
        rows = np.argsort(rank, kind="stable")
        rows = rows if excluded is None else rows[rows != excluded[i]]
        rows = rows[rank[rows] <= rank[rows[min(k, len(rows)) - 1]]]
        found.append((rows.tolist(), rank[rows].tolist()))
    return found


def everyone(X):
    return np.arange(len(X), dtype=np.int32)


def reference_ranks(queries, X, metric):
    categorical = range(0, X.shape[1], 2) if metric in ("heom", "gower") else ()
    return reference.ranks(queries, X, metric, categorical=categorical)


whole = st.integers(-3, 3).map(float)
holes = st.one_of(whole, st.just(float("nan")))


def tables(cells):
    return arrays(np.float64, st.tuples(st.integers(1, 40), st.integers(1, 5)), elements=cells)


# Search


@given(tables(whole), st.integers(1, 45), st.sampled_from(PAIRS), st.integers(1, 3), st.booleans(), st.data())
def test_lists_equal_the_reference(X, k, pair, leaf_tiles, single, data):
    structure, metric = pair
    X = X.astype(np.float32) if single else X
    threads, left_out = data.draw(st.sampled_from([1, 2, 5])), data.draw(st.booleans()) and len(X) > 1
    queries = X.astype(np.float64) if left_out else np.vstack([X[::3], X[:2] + 1]).astype(np.float64)
    excluded = everyone(X)[::-1].copy() if left_out else None
    told = {"leaf_tiles": leaf_tiles, "threads": threads, "excluded": excluded}
    found = find(X, queries, k, structure, metric, **told)
    assert as_lists(found) == wanted_lists(reference_ranks(queries, X, metric), k, excluded)


@given(
    tables(holes),
    st.integers(1, 45),
    st.sampled_from(["heom", "gower"]),
    st.sampled_from(["brute", "partial"]),
)
def test_missing_cells_equal_the_reference(X, k, metric, structure):
    found = find(X, X, k, structure, metric)
    assert as_lists(found) == wanted_lists(reference_ranks(X, X, metric), k)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("rows", [255, 256, 257, 300, 500])
def test_the_sieve_passes_all_that_can_matter(rows, single):
    random = np.random.default_rng(rows)
    for spread, columns, queries, k in ((2, 4, 16, 3), (1000, 9, 97, 1), (3, 5, 100, 400), (50, 33, 20, 7)):
        X = random.integers(-spread, spread + 1, size=(rows, columns)).astype(
            np.float32 if single else np.float64
        )
        asked = random.integers(-spread, spread + 1, size=(queries, columns)).astype(np.float64)
        ranks = reference_ranks(asked, X, "euclidean")
        for threads in (1, 2):
            assert as_lists(find(X, asked, k, threads=threads)) == wanted_lists(ranks, k)
        own = X.astype(np.float64)
        left_out = wanted_lists(reference_ranks(own, X, "euclidean"), k, everyone(X))
        assert as_lists(find(X, own, k, excluded=everyone(X))) == left_out


@pytest.mark.parametrize("structure", native.STRUCTURES)
def test_removed_rows_and_rows_behind_the_structure(structure):
    random = np.random.default_rng(0)
    X = random.integers(-4, 5, size=(320, 4)).astype(float)
    built, _ = index_of(X[:280], structure)
    tail, _ = index_of(X[280:])
    order = np.concatenate([built[1], np.where(tail[1] >= 0, tail[1] + 280, -1)]).astype(np.int32)
    gone = np.isin(order, np.arange(0, 320, 3))
    order[gone] = -1
    covered = len(built[0]) if structure in ("kd_tree", "ball_tree", "annulus") else 40
    joined = np.concatenate([built[0], tail[0]]), order, built[2]
    kept = np.setdiff1d(np.arange(320), np.arange(0, 320, 3))
    for k in (1, 6, len(kept)):
        found = native.find_neighbours(
            joined, structure, "euclidean", 2.0, None, covered, 1, X[:50], k,
            excluded=None, backtrack=True, threads=1,
        )  # fmt: skip
        wanted = wanted_lists(reference_ranks(X[:50], X[kept], "euclidean"), k)
        assert as_lists(found) == [(kept[rows].tolist(), ranks) for rows, ranks in wanted]


@given(tables(whole), st.integers(1, 45), st.booleans(), st.sampled_from([1, 2, 5]))
def test_given_ranks_are_selected_as_the_reference_does(X, k, left_out, threads):
    ranks = reference_ranks(X, X, "manhattan")
    excluded = everyone(X) if left_out and len(X) > 1 else None
    found = native.select_neighbours(ranks, k, excluded=excluded, threads=threads)
    assert as_lists(found) == wanted_lists(ranks, k, excluded)


def test_ranks_that_are_no_numbers_stay_inside():
    ranks = np.array([[np.nan, 1.0, np.inf, np.nan], [np.nan] * 4, [np.inf] * 4])
    for k in (1, 2, 4, 9):
        starts, _, rows = native.select_neighbours(ranks, k, excluded=None, threads=1)
        assert starts[0] == 0
        assert starts[-1] == len(rows)
        assert set(rows.tolist()) <= {0, 1, 2, 3}


def test_the_approximate_search_looks_into_one_leaf():
    X = np.arange(64.0)[:, None]
    starts, ranks, rows = find(X, X, 3, "kd_tree", backtrack=False)
    assert (np.diff(starts) >= 3).all()
    assert (rows // 8 == np.repeat(np.arange(64) // 8, np.diff(starts))).all()
    assert (ranks == (X[rows, 0] - np.repeat(X[:, 0], np.diff(starts))) ** 2).all()


def test_excluded_rows_are_one_per_query():
    for excluded in (np.zeros(3, np.int32), np.zeros(0, np.int32)):
        with pytest.raises(ValueError, match="excluded must have one row per query"):
            find(X8, X8, 1, excluded=excluded)
        with pytest.raises(ValueError, match="excluded must have one row per query"):
            native.select_neighbours(X8, 1, excluded=excluded, threads=1)


def test_excluded_rows_that_do_not_exist_exclude_nothing():
    excluded = np.array([-1, 12, 2**31 - 1, -(2**31)] * 3, np.int32)
    assert as_lists(find(X8, X8, 2, excluded=excluded)) == as_lists(find(X8, X8, 2))


# Votes


def some_ranks(data, rows):
    """Return ranks of the rows for some queries, and the codes of the rows."""
    ranks = data.draw(
        arrays(np.float64, (data.draw(st.integers(1, 12)), rows), elements=st.integers(0, 6).map(float))
    )
    return ranks, data.draw(arrays(np.int32, rows, elements=st.integers(0, 2)))


@given(st.integers(1, 25), st.integers(1, 30), st.sampled_from(native.TIES), st.data())
def test_votes_equal_the_reference(rows, k, ties, data):
    ranks, codes = some_ranks(data, rows)
    lists = native.select_neighbours(ranks, rows, excluded=None, threads=1)
    shares, used = native.count_votes(
        lists, None, codes, 3, k, ties, True, data.draw(st.sampled_from([1, 2, 5]))
    )
    wanted = [reference.vote(rank, codes, 3, k, ties) for rank in ranks]
    assert shares.tolist() == [share.tolist() for share, _ in wanted]
    assert used.tolist() == [len(voters) for _, voters in wanted]


@given(st.integers(1, 25), st.integers(1, 30), st.sampled_from(native.TIES), st.data())
def test_weighted_votes_equal_the_reference(rows, k, ties, data):
    ranks, codes = some_ranks(data, rows)
    lists = native.select_neighbours(ranks, rows, excluded=None, threads=1)
    weights = 0.5 ** lists[1]
    shares, _ = native.count_votes(lists, weights, codes, 3, k, ties, True, 1)
    wanted = [reference.vote(rank, codes, 3, k, ties, 0.5**rank)[0] for rank in ranks]
    assert shares.tolist() == [share.tolist() for share in wanted]


@given(st.integers(2, 25), st.integers(1, 24), st.data())
def test_a_list_too_short_for_the_rule_says_so(rows, k, data):
    ranks, codes = some_ranks(data, rows)
    k = min(k, rows)
    short = native.select_neighbours(ranks, k, excluded=None, threads=1)
    shares, used = native.count_votes(short, None, codes, 3, k, "increase", False, 1)
    for i, rank in enumerate(ranks):
        share, voters = reference.vote(rank, codes, 3, k, "increase")
        if used[i] >= 0:
            assert (shares[i].tolist(), used[i]) == (share.tolist(), len(voters))
        else:
            assert (share == share.max()).sum() > 1 or len(voters) > np.diff(short[0])[i]


@given(st.integers(2, 18), st.integers(1, 17), st.data())
def test_errors_of_every_k_equal_the_reference(rows, largest, data):
    ranks, codes = some_ranks(data, rows)
    largest = min(largest, rows)
    truths = data.draw(arrays(np.int32, len(ranks), elements=st.integers(0, 2)))
    lists = native.select_neighbours(ranks, rows, excluded=None, threads=1)
    errors, unsettled = native.leave_one_out_errors(lists, None, codes, truths, 3, largest, True)
    assert not unsettled.any()
    for row, ties in zip(errors, native.TIES, strict=True):
        wanted = [
            sum(
                int(reference.vote(rank, codes, 3, k, ties)[0].argmax() != truth)
                for rank, truth in zip(ranks, truths, strict=True)
            )
            for k in range(1, largest + 1)
        ]
        assert row.tolist() == wanted


# What is refused


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        ({"queries": np.zeros((2, 3))}, "queries must have the columns of the training rows."),
        ({"neighbours": 0}, "neighbours must be positive."),
        ({"neighbours": -3}, "neighbours must be positive."),
        ({"built_tiles": 3}, "an index must have rows."),
        ({"built_tiles": 0}, "an index must have rows."),
        ({"leaf_tiles": 0}, "an index must have rows."),
        ({"order": np.zeros(15, np.int32)}, "order must fit the tiles."),
        ({"bounds": np.zeros(3)}, "bounds must be as long as the structure says."),
        ({"metric": "heom"}, "categorical must have one entry per column."),
        (
            {"metric": "gower", "categorical": np.zeros(3, np.uint8)},
            "categorical must have one entry per column.",
        ),
    ],
)
def test_an_index_that_does_not_fit_is_refused(changed, text):
    (tiles, order, bounds), _ = index_of(X8)
    told = {
        "order": order, "bounds": bounds, "metric": "euclidean", "categorical": None, "built_tiles": 2,
        "leaf_tiles": 1, "queries": X8, "neighbours": 1, **changed,
    }  # fmt: skip
    with pytest.raises(ValueError, match=text.replace(".", r"\.")):
        native.find_neighbours(
            (tiles, told["order"], told["bounds"]), "brute", told["metric"], 2.0, told["categorical"],
            told["built_tiles"], told["leaf_tiles"], told["queries"], told["neighbours"],
            excluded=None, backtrack=True, threads=1,
        )  # fmt: skip


@pytest.mark.parametrize("structure", ["kd_tree", "ball_tree", "annulus"])
def test_bounds_of_another_structure_are_refused(structure):
    (tiles, order, bounds), _ = index_of(X8, structure)
    for wrong in (bounds[:-1].copy(), np.append(bounds, 0.0), np.empty(0)):
        with pytest.raises(ValueError, match="bounds must be as long"):
            native.find_neighbours(
                (tiles, order, wrong), structure, "euclidean", 2.0, None, 2, 1, X8, 1,
                excluded=None, backtrack=True, threads=1,
            )  # fmt: skip


def test_arrays_of_another_type_are_refused():
    (tiles, order, bounds), _ = index_of(X8)
    for index, queries in (
        ((tiles, order.astype(np.int64), bounds), X8),
        ((tiles.astype(np.int32), order, bounds), X8),
        ((tiles, order, bounds.astype(np.float32)), X8),
        ((tiles, order, bounds), X8.astype(np.float32)),
        ((tiles, order, bounds), np.asfortranarray(X8)),
        ((tiles, order, bounds), X8[:, ::-1]),
        ((tiles, order, bounds), X8[0]),
        ((tiles[0], order, bounds), X8),
    ):
        with pytest.raises(TypeError):
            native.find_neighbours(
                index, "brute", "euclidean", 2.0, None, 2, 1, queries, 1,
                excluded=None, backtrack=True, threads=1,
            )  # fmt: skip
    with pytest.raises(ValueError, match="'heap' must be one of: brute, partial"):
        native.build_index(X8, "heap", "euclidean", 2.0, None, 1, 1)


def test_rows_that_are_none_are_refused():
    with pytest.raises(ValueError, match="an index must have rows"):
        native.build_index(np.empty((0, 3)), "brute", "euclidean", 2.0, None, 1, 1)


LISTS = np.array([0, 2, 3]), np.array([0.0, 1.0, 0.0]), np.array([0, 1, 2], np.int32)
CODES = np.array([0, 1, 1], np.int32)


@pytest.mark.parametrize(
    ("place", "wrong", "text"),
    [
        (0, [1, 2, 3], "starts must begin at 0"),
        (0, [0, 2, 4], "end at the number of entries"),
        (0, [0, 3, 3], "every list must have a neighbour"),
        (0, [0, 5, 3], "every list must have a neighbour"),
        (1, [0.0, 1.0], "ranks and rows must have one entry per neighbour"),
        (2, [0, 1, 3], "rows must be training rows"),
        (2, [0, -1, 2], "rows must be training rows"),
    ],
)
def test_lists_that_do_not_fit_are_refused(place, wrong, text):
    lists = list(LISTS)
    lists[place] = np.array(wrong, dtype=LISTS[place].dtype)
    with pytest.raises(ValueError, match=text):
        native.count_votes(tuple(lists), None, CODES, 2, 1, "decrease", True, 1)
    truths = np.zeros(2, np.int32)
    with pytest.raises(ValueError, match=text):
        native.leave_one_out_errors(tuple(lists), None, CODES, truths, 2, 1, True)


@pytest.mark.parametrize("codes", [[0, 1, 2], [0, -1, 1]])
def test_codes_beyond_the_classes_are_refused(codes):
    codes = np.array(codes, np.int32)
    with pytest.raises(ValueError, match="codes must be classes"):
        native.count_votes(LISTS, None, codes, 2, 2, "decrease", True, 1)
    with pytest.raises(ValueError, match="codes must be classes"):
        native.leave_one_out_errors(LISTS, None, codes, np.zeros(2, np.int32), 2, 2, True)


def test_weights_and_truths_are_one_each():
    with pytest.raises(ValueError, match="weights must have one entry per neighbour"):
        native.count_votes(LISTS, np.ones(2), CODES, 2, 1, "decrease", True, 1)
    with pytest.raises(ValueError, match="weights must have one entry per neighbour"):
        native.leave_one_out_errors(LISTS, np.ones(4), CODES, np.zeros(2, np.int32), 2, 1, True)
    with pytest.raises(ValueError, match="truths must be one per list"):
        native.leave_one_out_errors(LISTS, None, CODES, np.zeros(3, np.int32), 2, 1, True)


def test_ranks_must_be_packed_doubles():
    for wrong in (np.zeros((3, 3), np.float32), np.zeros(3), np.zeros((4, 3)).T):
        with pytest.raises(TypeError):
            native.select_neighbours(wrong, 1, excluded=None, threads=1)
    with pytest.raises(ValueError, match="neighbours must be positive"):
        native.select_neighbours(np.zeros((3, 3)), 0, excluded=None, threads=1)
