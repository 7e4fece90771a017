"""One uniform number per row from the seed and the row's content, in Python integers."""

from __future__ import annotations

from typing import Any

import numpy as np

MASK = 2**64 - 1


def philox(seed: int, stream: int, counter: int) -> Any:
    """Return the four numbers of one counter; NumPy counts up before its first block."""
    key = np.array([seed, stream], dtype=np.uint64)
    return np.random.Philox(key=key, counter=(counter - 1) % 2**256).random_raw(4)


def mix(bits: int) -> int:
    """Return the finaliser of SplitMix64."""
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & MASK
    return bits ^ (bits >> 31)


def row_key(row: Any) -> int:
    """Return the sum of the keys of the non-zero values, each rounded to float32."""
    with np.errstate(over="ignore"):
        single = np.asarray(row).astype(np.float32)
    contents = np.where(np.isnan(single), 0x7FC00000, single.view(np.uint32)).tolist()
    keys = (mix(mix(j + 0x9E3779B97F4A7C15) ^ bits) for j, bits in enumerate(contents) if single[j])
    return sum(keys) & MASK


def row_draws(X: Any, seed: int) -> Any:
    """Return the draws on [0, 1)."""
    firsts = [int(philox(seed, 1, row_key(row))[0]) for row in X]
    return np.array([(bits >> 11) * 2.0**-53 for bits in firsts])
