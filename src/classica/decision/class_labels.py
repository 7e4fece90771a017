"""Labels as people write them, matched with the classes of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.arrays import VectorLike
from classica.decision.rows import one_per_row
from classica.errors import DataError, ParameterError, must
from classica.targets import encode_target
from classica.wording import did_you_mean, listed


def match_labels(labels: Sequence[Any], classes: NDArray[Any], what: str) -> list[int]:
    """Return the index of each class among the labels, which must name every class once.

    Labels read from a file are text, so the text "7" names the class 7.
    """
    numeric = classes.dtype.kind in "iuf"
    wanted = [_key(label, numeric) for label in classes.tolist()]
    indices: dict[Any, int] = {}
    for index, label in enumerate(labels):
        key = _key(label, numeric)
        if key in indices:
            raise ParameterError(f"{what} must name every class once, got {label!r} twice.")
        if key not in wanted:
            shown = ", ".join(map(repr, classes.tolist()))
            raise ParameterError(must(what, f"labelled by the classes {shown}", label))
        indices[key] = index
    for key, label in zip(wanted, classes.tolist(), strict=True):
        if key not in indices:
            raise ParameterError(f"{what} must name every class, got nothing for {label!r}.")
    return [indices[key] for key in wanted]


def name_classes(labels: Sequence[Any], classes: NDArray[Any]) -> bool:
    """Return whether every label is that of a class."""
    numeric = classes.dtype.kind in "iuf"
    wanted = {_key(label, numeric) for label in classes.tolist()}
    return all(_key(label, numeric) in wanted for label in labels)


def named_class(name: Any, classes: Sequence[Any], what: str = "positive") -> Any:
    """Return the class that a label or its text names; any other is refused with the closest class.

    Examples
    --------
    >>> named_class("1", [0, 1])
    1
    """
    numeric = np.asarray(classes).dtype.kind in "iuf"
    keys = [_key(label, numeric) for label in classes]
    key = _key(name, numeric)
    if key not in keys:
        hint = did_you_mean(str(name), [str(label) for label in classes])
        raise ParameterError(must(what, f"one of the classes {listed(classes)}", name) + hint)
    return classes[keys.index(key)]


def label_codes(y: VectorLike, classes: NDArray[Any]) -> NDArray[np.intp]:
    """Return the index of each row's label among the classes, and -1 for a label that is none of them."""
    labels = one_per_row(y, "y")
    listed = y if isinstance(y, list | tuple) else labels  # a list still distinguishes None from text
    present, inverse = encode_target(listed, len(labels), "The cost of a prediction")
    code_of = {label: code for code, label in enumerate(classes.tolist())}
    codes = np.array([code_of.get(label, -1) for label in present.tolist()], dtype=np.intp)
    coded: NDArray[np.intp] = codes[inverse]
    return coded


def known_codes(y: VectorLike, classes: NDArray[Any], rows: int) -> NDArray[np.intp]:
    """Return the same, where every label must be a class and every row must have one."""
    labels = one_per_row(y, "y")
    if len(labels) != rows:
        raise DataError(must("y", f"{rows} labels long, one for each row", len(labels)))
    codes = label_codes(y, classes)
    if (codes < 0).any():
        row = int(np.argmin(codes))
        label = labels.tolist()[row]
        raise DataError(f"y must have classes of the model, got {label!r} in row {row}.")
    return codes


def _key(label: Any, numeric: bool) -> Any:
    """Return what two spellings of one label have in common."""
    text = str(label)
    if not numeric:
        return text
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)  # equal to the integer, and hashed like it
    except ValueError:
        return text
