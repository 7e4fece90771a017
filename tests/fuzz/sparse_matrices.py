"""Sparse matrices damaged at random, and the slow reference that says which of them are still sound."""

import itertools

import numpy as np
import scipy.sparse as sp

FORMATS = ("csr", "csr", "csr", "csc", "coo", "bsr", "lil", "dok", "dia")
ODD_INDICES = (-1, -2, 1, 7, 8, 9, 1000, 10**6, 2**31 - 1, -(2**31), 2**40, 2**62, -(2**62))
ODD_TYPES = ("f8", "i2", "u1", "u8", ">i4", "O", "U3", "?", "c16", "i8", "M8[s]")


def damaged(seed):
    """Return a sparse matrix of ten rows and eight columns that may have been damaged."""
    random = np.random.default_rng(seed)
    X = np.where(random.random((10, 8)) < 0.4, random.integers(1, 5, (10, 8)), 0).astype(
        random.choice(["f8", "f4", "i8"])
    )
    form = str(random.choice(FORMATS))
    array = random.random() < 0.5
    kind = getattr(sp, f"{form}_{'array' if array else 'matrix'}")
    matrix = kind(X, blocksize=(2, 2)) if form == "bsr" else kind(X)
    matrix.data = np.array(matrix.data) if form not in ("dok", "lil") else getattr(matrix, "data", None)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        DAMAGES.get(form, damage_arrays)(matrix, random)
    return matrix


def damage_arrays(X, random):
    """Change one of the arrays that a compressed matrix consists of."""
    name = str(random.choice(["indices", "indptr", "data"]))
    if random.random() < 0.1 and X.format == "csr":  # what SciPy remembers, and is wrong about
        X.indices = X.indices[::-1].copy()
        X.has_canonical_format = True
        return
    if random.random() < 0.05:
        X._shape = (
            X.shape[0] + int(random.integers(-3, 4)),
            max(1, X.shape[1] + int(random.integers(-3, 4))),
        )
        return
    setattr(X, name, damaged_array(getattr(X, name), random))


def damaged_array(values, random):
    """Return an array with an odd value, or of another length, type, shape or layout."""
    how = random.integers(8)
    values = np.array(values)
    place = int(random.integers(max(1, values.size)))
    if how <= 3 and values.size:
        odd = random.choice(ODD_INDICES)
        values = values.astype("i8") if values.dtype.kind == "i" else values
        if values.dtype.kind in "ifc":
            values.flat[place] = odd
    elif how == 4:
        values = values[:place] if random.random() < 0.5 else np.concatenate([values, values[:place]])
    elif how == 5:
        try:
            values = values.astype(str(random.choice(ODD_TYPES)))
        except (TypeError, ValueError):
            values = values.astype(object)
    elif how == 6:
        values = values[::-1] if random.random() < 0.5 else np.repeat(values, 2, axis=0)[::2]
    else:
        values = values[None] if random.random() < 0.5 else np.sort(values, axis=0)
    return values


def damage_coordinates(X, random):
    """Change the rows, columns or values of a matrix by coordinates."""
    which = int(random.integers(4))
    if which == 3:
        X.data = damaged_array(X.data, random)
        return
    changed = [damaged_array(place, random) if which in (n, 2) else place for n, place in enumerate(X.coords)]
    X.coords = tuple(changed if random.random() < 0.9 else changed[:1])


def damage_lists(X, random):
    """Change a list of columns or of values."""
    row, odd = int(random.integers(10)), int(random.choice(ODD_INDICES))
    lists = X.rows if random.random() < 0.7 else X.data
    lists[row] = [odd, *lists[row]] if random.random() < 0.5 else [*lists[row][:-1], odd]


def damage_dictionary(X, random):
    """Put in a key that lies outside, or is none."""
    odd = int(random.choice(ODD_INDICES))
    key = [(odd, 0), (0, odd), (odd, odd), (1,), "key", (0, "a")][int(random.integers(6))]
    X._dict[key] = 1.0


def damage_diagonals(X, random):
    """Change offsets or values."""
    name = "offsets" if random.random() < 0.7 else "data"
    setattr(X, name, damaged_array(getattr(X, name), random))


DAMAGES = {"coo": damage_coordinates, "lil": damage_lists, "dok": damage_dictionary, "dia": damage_diagonals}


def is_sound(X):
    """Return whether every index of a CSR matrix lies where it must, entry by entry."""
    columns, starts = np.asarray(X.indices), np.asarray(X.indptr)
    if columns.ndim != 1 or starts.ndim != 1 or {columns.dtype.kind, starts.dtype.kind} - set("iu"):
        return False
    if np.ndim(X.data) != 1 or len(X.data) != len(columns) or len(starts) != X.shape[0] + 1 or starts[0] != 0:
        return False
    rising = all(int(first) <= int(second) for first, second in itertools.pairwise(starts))
    if not rising or int(starts[-1]) > len(columns):
        return False
    return all(0 <= int(column) < X.shape[1] for column in columns[: int(starts[-1])])


def as_table(X):
    """Return a sound CSR matrix as an array, entry by entry."""
    table = np.zeros(X.shape)
    for row in range(X.shape[0]):
        for entry in range(int(X.indptr[row]), int(X.indptr[row + 1])):
            table[row, int(X.indices[entry])] += X.data[entry]
    return table
