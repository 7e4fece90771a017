"""Checks of what comes in, random numbers, and how the core was built."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import classica._core as _core
from classica.arrays import Floats, Rows, Vector
from classica.native.row_arguments import row_arguments

#: What `sparse_form` finds.
SPARSE_FORMS: tuple[str, ...] = _core.SPARSE_FORMS


def configuration() -> dict[str, Any]:
    """Return how the core was built and which instruction level it uses."""
    return dict(_core.configuration())


def first_bad(values: Rows, largest: float, allow_nan: bool, threads: int) -> int:
    """Return the row-major index of the first value that is not finite or too large, or -1."""
    return int(_core.first_bad(values, largest, allow_nan, threads))


def sparse_form(columns: Vector, starts: Vector, rows: int, width: int) -> tuple[str, int]:
    """Return what the structure of sparse rows is like, and the row or entry where it goes wrong."""
    form, position = _core.sparse_form(columns, starts, rows, width)
    return form, int(position)


def row_draws(X: Rows, seed: int, threads: int) -> Floats:
    """Return a uniform number per row, keyed by the seed and the row's content."""
    out = np.empty(X.shape[0])
    _core.row_draws(*row_arguments(X), seed, threads, out)
    return out


def philox(seed: int, stream: int, counter: int, blocks: int) -> NDArray[np.uint64]:
    """Return the random blocks of consecutive counters, four numbers each."""
    out = np.empty((blocks, 4), dtype=np.uint64)
    _core.philox(seed, stream, counter, out)
    return out


def sleep_loop(chunks: int, milliseconds: int, threads: int, fail_at: int = -1) -> None:
    """Run a parallel loop that only sleeps; the chunk ``fail_at`` raises. For tests of the pool."""
    _core.sleep_loop(chunks, milliseconds, threads, fail_at)
