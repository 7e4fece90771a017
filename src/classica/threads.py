"""Convert ``n_jobs`` to a number of threads."""

from __future__ import annotations

import functools
import multiprocessing
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import joblib
from threadpoolctl import ThreadpoolController

from classica.errors import ParameterError, must

#: How many threads ``n_jobs=None`` and ``n_jobs=-1`` may use at most.
VARIABLE = "CLASSICA_NUM_THREADS"
#: The largest number of threads.
MOST = 1024


@functools.cache
def cores() -> int:
    """Return the number of cores that this process may use, with respect to affinity and container limits."""
    return int(joblib.cpu_count())


def threads_for(n_jobs: int | None) -> int:
    """Return the number of threads for ``n_jobs``.

    A positive number is used as it is, up to `MOST`. ``None`` and ``-1`` mean every available core, ``-2``
    all but one, and so on. "Available" is limited by the environment: ``CLASSICA_NUM_THREADS`` first, then
    ``OMP_NUM_THREADS``, which joblib sets in its workers so that they share the cores; a worker of a
    ``multiprocessing`` pool has one.
    """
    if n_jobs is None:
        return _available()
    if n_jobs == 0:
        raise ParameterError(must("n_jobs", "None or an integer other than 0", n_jobs))
    return min(n_jobs, MOST) if n_jobs > 0 else max(1, _available() + 1 + n_jobs)


def _available() -> int:
    limit = os.environ.get(VARIABLE)
    if limit is not None:
        if not limit.isdecimal() or int(limit) < 1:
            rule = "a positive integer"
            raise ParameterError(must(f"The environment variable {VARIABLE}", rule, limit))
        return min(cores(), int(limit))
    if multiprocessing.current_process().daemon:
        return 1
    # May be a list for nested regions ("4,2"); the first entry applies.
    openmp = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
    return min(cores(), int(openmp)) if openmp.isdecimal() and int(openmp) > 0 else cores()


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Limit LAPACK to one thread inside a ``with``, because the bits of its results depend on the number."""
    # The limit is per process: concurrent callers would restore each other's value.
    with _LIMITING, _libraries().limit(limits=1, user_api="blas"):
        yield


_LIMITING = threading.RLock()


@functools.cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()
