"""The two rings of the lecture: no line tells them apart."""

from __future__ import annotations

from typing import Any

import numpy as np


def rings(outer: int, inner: int, seed: int) -> tuple[Any, Any]:
    """Return points about circles of radius 1 (class 0) and 0.5 (class 1), with noise of 0.05."""
    random = np.random.default_rng(seed)
    y = np.repeat([0, 1], [outer, inner])
    angles = random.uniform(0, 2 * np.pi, outer + inner)
    circle = np.column_stack([np.cos(angles), np.sin(angles)]) * np.where(y == 0, 1.0, 0.5)[:, None]
    return circle + 0.05 * random.normal(size=circle.shape), y


def lifted(X: Any) -> Any:
    """Return the points with their squared distance from the middle as a third column."""
    return np.column_stack([X, (X**2).sum(axis=1)])
