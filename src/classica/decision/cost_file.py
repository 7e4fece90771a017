"""Read cost matrices; an error about a file shows an example of a valid one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from classica.decision.costs import is_path, read_costs
from classica.errors import DataError, ParameterError
from classica.native import Floats

#: A larger matrix is no example any more.
_MOST_CLASSES = 3


def read_cost_file(source: Any, classes: Any) -> Floats:
    """Return the cost matrix as `read_costs` does; an error about a file shows how to write it.

    Examples
    --------
    >>> print(_example(["no", "yes"]).partition(": ")[2])
    'predicted,no,yes', 'no,0,5', 'yes,1,0'.
    """
    try:
        return read_costs(source, classes)
    except (DataError, ParameterError) as error:
        if not is_path(source):
            raise
        raise type(error)(f"{error} {_example(np.asarray(classes).tolist())}") from None


def _example(classes: Sequence[Any]) -> str:
    names = [str(label) for label in classes] if len(classes) <= _MOST_CLASSES else ["A", "B"]
    lines = [["predicted", *names]]
    for row, name in enumerate(names):
        # In the example, missing the last class is the worst error.
        costs = ["0" if at == row else "5" if at == len(names) - 1 else "1" for at in range(len(names))]
        lines.append([name, *costs])
    shown = ", ".join(repr(",".join(line)) for line in lines)
    return (
        "A cost matrix has a row for each predicted class and a column for each true class, for example"
        f" the lines: {shown}."
    )
