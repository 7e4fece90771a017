"""Contenders that take the time they are told to, on a clock that only they move."""

import gc
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from benchmarks.agreement import same_labels
from benchmarks.benchmark import Benchmark, Contender, Data


class FakeClock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def contender(
        self,
        name: str,
        fit: Sequence[float] = (1.0,),
        predict: float = 1.0,
        answer: int = 0,
        **options: Any,
    ) -> Contender:
        """Make a contender whose n-th fit, warm-up first, takes ``fit[n]`` (then the last)."""
        seconds = list(fit)

        def run_fit(data: Data) -> None:
            self.now += seconds.pop(0) if len(seconds) > 1 else seconds[0]

        def run_predict(data: Data, model: Any) -> np.ndarray[Any, Any]:
            self.now += predict
            return np.full(data.new_rows.shape[0], answer)

        return Contender(name, run_fit, run_predict, **options)


def tiny(quick: bool, seed: int) -> Data:
    n = 4 if quick else 8
    return Data(np.zeros((n, 2)), np.arange(n) % 2, np.zeros((3, 2)), np.zeros(3, dtype=int))


@pytest.fixture(autouse=True)
def no_collections(monkeypatch: pytest.MonkeyPatch) -> None:
    # A full collection before each lap is slow on the large heap of a test run.
    monkeypatch.setattr(gc, "collect", lambda: 0)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def benchmark_of() -> Callable[..., Benchmark]:
    def make(*contenders: Contender, **options: Any) -> Benchmark:
        settings = {"slug": "fake", "agree": same_labels, "target": 4, "make": tiny, **options}
        return Benchmark(work="Fake work", contenders=contenders, **settings)

    return make
