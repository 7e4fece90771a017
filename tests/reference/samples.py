"""Samples of rows draw by draw, in plain Python on top of the blocks of Philox."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from classica.native import philox


def uniforms(seed: int, number: int, count: int) -> Any:
    """Return the first numbers on [0, 1) of a sample, four from each block."""
    return [int(bits >> 11) * 2.0**-53 for bits in philox(seed, number, 0, -(-count // 4)).ravel()[:count]]


def counts(samples: Any, number: int) -> Any:
    """Return how often each row is in a sample."""
    cases, size = samples.order.tolist(), samples.size
    draws = uniforms(samples.seed, number, max(size, len(cases)))
    if samples.replace:
        taken = [_place(samples.up_to.tolist(), len(cases), draw) for draw in draws[:size]]
    elif len(samples.up_to) and size < len(cases):  # the first of clocks that run as fast as rows weigh
        weights = np.diff(samples.up_to, prepend=0.0)
        rings = [-math.log1p(-draw) / weight for draw, weight in zip(draws, weights, strict=True)]
        taken = sorted(range(len(cases)), key=lambda place: rings[place])[:size]
    else:
        left = list(range(len(cases)))
        for k, draw in enumerate(draws[:size]):
            other = k + int(draw * (len(cases) - k))
            left[k], left[other] = left[other], left[k]
        taken = left[:size]
    return np.bincount([cases[place] for place in taken], minlength=samples.rows)


def _place(up_to: Any, cases: int, draw: float) -> int:
    if not up_to:
        return int(draw * cases)
    return min(sum(edge <= draw * up_to[-1] for edge in up_to), cases - 1)
