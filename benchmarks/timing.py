"""The stopwatch: one fit and one predict of one contender."""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.benchmark import Contender, Data

Clock = Callable[[], float]


@dataclass(frozen=True)
class Lap:
    """The seconds of a fit and a predict, and what was predicted."""

    fit: float
    predict: float
    answer: NDArray[Any]


def time_once(contender: Contender, data: Data, clock: Clock, *, one_row: bool) -> Lap:
    """Fit, then predict all new rows in one call, or each in a call of its own."""
    with _collector_off():
        start = clock()
        model = contender.fit(data)
        fit = clock() - start
        time_predict = _time_each_row if one_row else _time_all_rows
        return Lap(fit, *time_predict(contender, data, model, clock))


def _time_all_rows(contender: Contender, data: Data, model: Any, clock: Clock) -> tuple[float, NDArray[Any]]:
    start = clock()
    answer = contender.predict(data, model)
    return clock() - start, answer


def _time_each_row(contender: Contender, data: Data, model: Any, clock: Clock) -> tuple[float, NDArray[Any]]:
    calls = [_time_all_rows(contender, one, model, clock) for one in data.one_row_each()]
    return median(seconds for seconds, _ in calls), np.concatenate([answer for _, answer in calls])


@contextmanager
def _collector_off() -> Iterator[None]:
    """Keep the garbage collector out of the timing, and earlier garbage out of memory."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
