"""Generated tables as they come in practice: columns of mixed kinds with missing values, and many classes."""

import itertools
import string
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

#: Kinds of columns, repeated until there are enough; the class depends on the first seven columns.
_KINDS = ("normal", "nominal", "skewed", "integer", "nominal", "normal", "nominal")
#: Different values of the nominal columns, in turn.
_LEVELS = (3, 5, 8, 12, 20, 40)
#: One column of so many has missing values, and their share in it.
_MISSING_EVERY, _MISSING = 5, 0.04
#: Clusters of each letter, and the largest integer.
_CLUSTERS, _LARGEST = 3, 15


def mixed_table(rows: int, columns: int, seed: int) -> pl.DataFrame:
    """Draw columns of mixed kinds and a binary class that some of them predict, nonlinearly and with noise.

    Parameters
    ----------
    rows, columns : int
        The size without the class; at least seven columns.
    seed : int
        Random seed.

    Returns
    -------
    polars.DataFrame
        The class is the last column, ``class``.
    """
    rng = np.random.default_rng(seed)
    drawn = _draw_columns(rows, columns, rng)
    evidence = _evidence(drawn) + 0.7 * rng.logistic(size=rows)
    labels = np.where(evidence > 0, "yes", "no")
    table = pl.DataFrame([_series(name, values) for name, values in drawn.items()])
    # Removed after the class is drawn, so that a missing value hides something.
    for name in table.columns[_MISSING_EVERY - 1 :: _MISSING_EVERY]:
        is_missing = pl.Series(rng.random(rows) < _MISSING)
        table = table.with_columns(pl.when(~is_missing).then(pl.col(name)).alias(name))
    return table.with_columns(pl.Series("class", labels))


def letters_table(rows: int, columns: int, seed: int) -> pl.DataFrame:
    """Draw integers from 0 to 15 in three clusters for each of 26 letters, the last column, ``class``."""
    rng = np.random.default_rng(seed)
    letters = string.ascii_uppercase
    centres = 2.2 * rng.standard_normal((_CLUSTERS * len(letters), columns))
    clusters = rng.integers(len(centres), size=rows)
    points = centres[clusters] + 1.3 * rng.standard_normal((rows, columns))
    integers = np.clip(np.round(2 * points + 8), 0, _LARGEST).astype(np.int64)
    table = pl.DataFrame(integers, schema=[f"a{index}" for index in range(columns)])
    return table.with_columns(pl.Series("class", list(letters)).gather(clusters % len(letters)))


def _draw_columns(rows: int, columns: int, rng: np.random.Generator) -> dict[str, NDArray[Any]]:
    """Return the columns by name, such as ``skewed2``; nominal ones as codes."""
    levels = itertools.cycle(_LEVELS)
    drawn: dict[str, NDArray[Any]] = {}
    for index in range(columns):
        kind = _KINDS[index % len(_KINDS)]
        if kind == "nominal":
            values: NDArray[Any] = rng.integers(next(levels), size=rows)
        elif kind == "integer":
            values = rng.integers(17, 90, size=rows)
        else:
            values = rng.standard_normal(rows, dtype=np.float32)
        drawn[f"{kind}{index}"] = np.exp(values) if kind == "skewed" else values
    return drawn


def _evidence(drawn: dict[str, NDArray[Any]]) -> NDArray[Any]:
    """Return what speaks for the class "yes": bends, steps and an interaction, one for each kind of model."""
    evidence: NDArray[Any] = (
        drawn["normal0"]
        + 0.8 * drawn["normal5"] * (drawn["nominal1"] == 1)
        + 0.5 * np.log(drawn["skewed2"])
        - 0.7 * ((drawn["integer3"] - 53) / 21) ** 2
        + 0.6 * np.sin(drawn["nominal4"])
        + 0.6 * (drawn["nominal6"] % 3 == 1)
    )
    return evidence


def _series(name: str, values: NDArray[Any]) -> pl.Series:
    if not name.startswith("nominal"):
        return pl.Series(name, values)
    return pl.Series(name, [f"v{level}" for level in range(values.max() + 1)]).gather(values)
