"""The table of complexity parameters, as rpart prints it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classica.native import Floats
from classica.trees.growing.tree import Longs, Tree
from classica.trees.pruning.pruning_cv import CrossValidation
from classica.trees.pruning.pruning_path import PruningPath


@dataclass(frozen=True, repr=False)
class CpTable:
    """The trees of a pruning path, the smallest first.

    Attributes
    ----------
    alpha : float64 array
        From which alpha on each tree is the best one.
    cp : float64 array
        The same, as a share of the risk of the root.
    nsplit : int64 array
        How many nodes are divided.
    rel_error : float64 array
        The risk of the tree, as a share of that of the root.
    xerror, xstd : float64 array or None
        The mean loss in cross-validation and its standard error, as shares of the loss of the root; with
        classes that is the share of wrong ones.
    chosen : int or None
        The row that cross-validation has chosen.
    """

    alpha: Floats
    cp: Floats
    nsplit: Longs
    rel_error: Floats
    xerror: Floats | None = None
    xstd: Floats | None = None
    chosen: int | None = None

    @classmethod
    def of(
        cls, tree: Tree, path: PruningPath, validated: CrossValidation | None, chosen: int | None
    ) -> CpTable:
        """Return the table of a grown tree."""
        risk, loss = path.risks[-1] or 1.0, tree.risk[0] / tree.weight[0] or 1.0
        inner = np.sort(path.node_alpha[~tree.is_leaf])
        return cls(
            alpha=path.alphas[::-1],
            cp=path.alphas[::-1] / risk,
            nsplit=(len(inner) - np.searchsorted(inner, path.alphas, side="right"))[::-1].astype(np.int64),
            rel_error=path.risks[::-1] / risk,
            xerror=None if validated is None else validated.errors[::-1] / loss,
            xstd=None if validated is None else validated.stds[::-1] / loss,
            chosen=None if chosen is None else len(path.alphas) - 1 - chosen,
        )

    def __repr__(self) -> str:
        columns: dict[str, Floats | Longs] = {
            "CP": self.cp,
            "nsplit": self.nsplit,
            "rel error": self.rel_error,
        }
        if self.xerror is not None and self.xstd is not None:
            columns |= {"xerror": self.xerror, "xstd": self.xstd}
        numbers = [str(k + 1) for k in range(len(self.cp))]
        cells = [_aligned(numbers)] + [_aligned(_shown(values), name) for name, values in columns.items()]
        return "\n".join(" ".join(line).rstrip() for line in zip(*cells, strict=True))


def _shown(values: Floats | Longs) -> list[str]:
    """Return numbers with five significant digits of the smallest, but no more than six places."""
    if values.dtype.kind == "i":
        return [str(value) for value in values]
    texts = [f"{value:.5g}" for value in values]
    indices = max((len(text.partition(".")[2]) for text in texts if "e" not in text), default=0)
    return [f"{value:.{min(indices, 6)}f}" for value in values]


def _aligned(texts: list[str], title: str = "") -> list[str]:
    width = max(map(len, [title, *texts]))
    return [text.rjust(width) for text in [title, *texts]]
