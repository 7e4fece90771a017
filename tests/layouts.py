"""Other memory layouts of a table, in which kernels must give the same bits."""

import numpy as np


def assert_same_bits(first, second):
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(one, other)


def sliced(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan, dtype=X.dtype)
    wide[1::2, 1::3] = X
    return wide[1::2, 1::3]


def read_only(X):
    X = X.copy()
    X.flags.writeable = False
    return X


LAYOUTS = {
    "columns first": np.asfortranarray,
    "slice": sliced,
    "reversed rows and columns": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "read-only": read_only,
}
