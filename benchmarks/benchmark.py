"""What a benchmark is: the work, the data, the contenders and the check of their answers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Phase = Literal["fit", "predict", "total"]

#: The reference of a row whose target is stated against whichever peer is fastest in the run.
FASTEST = "the fastest peer"


@dataclass(frozen=True)
class Data:
    """Rows and labels to learn from, and new rows to predict."""

    rows: NDArray[Any]
    labels: NDArray[Any]
    new_rows: NDArray[Any]
    new_labels: NDArray[Any]

    def __post_init__(self) -> None:
        # The contenders share these arrays: one that writes into them must fail, not harm the rest.
        for array in (self.rows, self.labels, self.new_rows, self.new_labels):
            array.setflags(write=False)

    def sizes(self) -> dict[str, int | str]:
        """Return the numbers that describe the work."""
        return {
            "rows": self.rows.shape[0],
            "new_rows": self.new_rows.shape[0],
            "columns": self.rows.shape[1],
            "classes": int(np.unique(self.labels).size),
            "dtype": str(self.rows.dtype),
        }

    def one_row_each(self) -> list["Data"]:
        """Return this data once per new row, with that row as the only new one."""
        return [
            replace(self, new_rows=self.new_rows[i : i + 1], new_labels=self.new_labels[i : i + 1])
            for i in range(self.new_rows.shape[0])
        ]


@dataclass(frozen=True)
class Contender:
    """One implementation of the work.

    Parameters
    ----------
    name : str
        How it is called in tables.
    fit : callable
        Learns a model from the data.
    predict : callable
        Answers the new rows of the data with that model.
    requires : str or None
        The top-level module that has to be importable.
    ours : bool
        Whether this is the implementation the others are compared with.
    within : float or None
        Makes this a yardstick and no peer: some plain work that tells what the machine can do. Ours is meant
        to take at most this many times its time; its answer is not compared.
    """

    name: str
    fit: Callable[[Data], Any]
    predict: Callable[[Data, Any], NDArray[Any]]
    requires: str | None = None
    ours: bool = False
    within: float | None = None


# (data, our answer, the peer's answer) -> None if they agree, else what differs, in a few words.
Agreement = Callable[[Data, NDArray[Any], NDArray[Any]], str | None]


@dataclass(frozen=True)
class Benchmark:
    """One row of the results.

    Parameters
    ----------
    slug : str
        The name on the command line.
    work : str
        One sentence that names the work.
    make : callable
        ``make(quick, seed)`` returns the data at full or quick size.
    contenders : sequence of Contender
        Ours and its peers.
    agree : callable
        Compares our answer with that of a peer.
    target : float
        How many times faster than `reference` ours is meant to be.
    reference : str
        The name of the peer the target is stated against, or `FASTEST`.
    compared : {"fit", "predict", "total"}
        The time the ratio is taken of.
    one_row : bool
        Predict the new rows one call at a time; the predict time is then the median call.
    """

    slug: str
    work: str
    make: Callable[[bool, int], Data]
    contenders: Sequence[Contender]
    agree: Agreement
    target: float
    reference: str = "scikit-learn"
    compared: Phase = "total"
    one_row: bool = False

    def __post_init__(self) -> None:
        names = [contender.name for contender in self.contenders]
        ours = [contender.name for contender in self.contenders if contender.ours]
        peers = [each.name for each in self.contenders if not each.ours and each.within is None]
        if len(set(names)) != len(names):
            raise ValueError(f"contenders of {self.slug} must have different names, got {names}")
        if len(ours) != 1:
            raise ValueError(f"contenders of {self.slug} must have one of ours, got {ours}")
        if not peers or self.reference not in (*peers, FASTEST):
            raise ValueError(f"reference of {self.slug} must be one of its peers, got {self.reference!r}")
        if self.one_row and self.compared != "predict":
            raise ValueError(f"compared of {self.slug} must be 'predict' with one_row, got {self.compared!r}")
        if not self.target > 0:
            raise ValueError(f"target of {self.slug} must be positive, got {self.target}")
