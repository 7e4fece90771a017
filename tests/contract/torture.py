"""Tables that break careless learners. Each is (X in float64, y); float32 is tried where it fits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

Table = tuple[Any, Any]


def _shapes(random: np.random.Generator) -> Iterator[tuple[str, Table]]:
    normal = random.normal(size=(60, 4))
    y = np.arange(60) % 3
    yield "plain", (normal, y)
    yield "one row", (normal[:1], y[:1])
    yield "two rows", (normal[:2], y[:2])
    yield "two equal rows of two classes", (np.ones((2, 3)), np.array([0, 1]))
    yield "one column", (normal[:, :1], y)
    yield "one class", (normal, np.zeros(60, int))
    yield "one-sample class", (normal, np.r_[np.zeros(59, int), 1])
    yield "every row its own class", (normal, np.arange(60))
    yield "fewer rows than columns", (random.normal(size=(5, 50)), np.arange(5) % 2)
    yield "100,000 columns", (random.normal(size=(6, 100_000)), np.arange(6) % 2)
    yield "strongly unbalanced", (random.normal(size=(2000, 3)), (np.arange(2000) < 3).astype(int))
    yield "sorted classes", (normal, np.sort(y))
    yield "many classes", (random.normal(size=(300, 2)), np.arange(300) % 100)


def _dependence(random: np.random.Generator) -> Iterator[tuple[str, Table]]:
    normal = random.normal(size=(60, 4))
    y = np.arange(60) % 3
    yield "constant column", (np.c_[normal, np.full(60, 7.0)], y)
    yield "all columns constant", (np.full((60, 4), 0.1), y)
    yield "all zero", (np.zeros((60, 4)), y)
    yield "duplicates only", (np.tile([[0.1, 0.2]], (60, 1)), y)
    yield "duplicates within classes", (np.c_[y, 0.3 * y].astype(float), y)
    yield "column constant within classes", (np.c_[normal, y * 0.1 + 1e6], y)
    yield "collinear columns", (np.c_[normal, normal.sum(axis=1), 2 * normal[:, 0]], y)
    yield "equal columns", (np.repeat(normal[:, :1], 5, axis=1), y)
    yield "almost collinear", (np.c_[normal, normal[:, 0] + 1e-13 * normal[:, 1]], y)
    yield "column equals the class", (y[:, None].astype(float), y)
    yield "linearly separable", (normal + 100 * y[:, None], y)
    yield "classes on top of each other", (np.repeat(normal[:20], 3, axis=0), y)
    yield "integers", (random.integers(-3, 4, size=(60, 4)).astype(float), y)
    yield "binary columns", (random.integers(0, 2, size=(60, 6)).astype(float), y)
    yield "exclusive or", (np.array([[0, 0], [0, 1], [1, 0], [1, 1.0]] * 5), np.array([0, 1, 1, 0] * 5))


def _magnitudes(random: np.random.Generator) -> Iterator[tuple[str, Table]]:
    normal = random.normal(size=(60, 4))
    y = np.arange(60) % 3
    yield "shifted by 1e8", (normal + 1e8, y)
    yield "shifted by -1e12", (normal - 1e12, y)
    yield "shifted by 1e15", (normal + 1e15, y)
    yield "scales from 1e-12 to 1e12", (normal * np.logspace(-12, 12, 4), y)
    yield "tiny, 1e-30", (normal * 1e-30, y)
    yield "1e-160, squares vanish", (normal * 1e-160, y)
    yield "subnormal", (normal * 1e-310, y)
    yield "one subnormal column", (np.c_[normal, random.random(60) * 5e-324], y)
    yield "large, 1e30", (normal * 1e30, y)
    yield "1e140", (normal * 1e140, y)
    yield "1e160, squares overflow", (normal * 1e160, y)
    yield "plus and minus 1e300", (np.where(normal > 0, 1e300, -1e300), y)
    yield "largest double", (np.full((60, 2), np.finfo(float).max) * np.sign(normal[:, :2]), y)
    outlier = normal.copy()
    outlier[7, 2] = 1e100
    yield "one outlier of 1e100", (outlier, y)
    yield "neighbouring doubles", (1.0 + np.spacing(1.0) * random.integers(0, 4, size=(60, 2)), y)
    yield "negative zero", (np.where(normal > 0, 0.0, -0.0), y)


def _missing(random: np.random.Generator) -> Iterator[tuple[str, Table]]:
    normal = random.normal(size=(60, 4))
    y = np.arange(60) % 3
    for name, value in (("NaN", np.nan), ("inf", np.inf), ("-inf", -np.inf)):
        holed = normal.copy()
        holed[3, 1] = value
        yield f"one {name}", (holed, y)
    yield "column of NaN", (np.c_[normal, np.full(60, np.nan)], y)
    yield "all NaN", (np.full((60, 4), np.nan), y)


def torture_tables() -> dict[str, Table]:
    """Return every table by name."""
    random = np.random.default_rng(7)
    return {
        name: found
        for group in (_shapes, _dependence, _magnitudes, _missing)
        for name, found in group(random)
    }
