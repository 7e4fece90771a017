"""scikit-learn's plain splitters: they are known by name, and made anew from their settings."""

from __future__ import annotations

from typing import Any

from sklearn.model_selection import (
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from classica.errors import ModelFileError
from classica.persist.container import damaged

_FOLDS = ("n_splits", "random_state", "shuffle")
_REPEATED = ("n_repeats", "n_splits", "random_state")
_DRAWS = ("n_splits", "random_state", "test_size", "train_size")
_SPLITTERS: dict[str, tuple[type[Any], tuple[str, ...]]] = {
    "k-fold": (KFold, _FOLDS),
    "leave-one-out": (LeaveOneOut, ()),
    "repeated-k-fold": (RepeatedKFold, _REPEATED),
    "repeated-stratified-k-fold": (RepeatedStratifiedKFold, _REPEATED),
    "shuffle-split": (ShuffleSplit, _DRAWS),
    "stratified-k-fold": (StratifiedKFold, _FOLDS),
    "stratified-shuffle-split": (StratifiedShuffleSplit, _DRAWS),
}


def is_splitter(value: object) -> bool:
    """Return whether a value divides rows into parts, in a way that is known here or not."""
    return hasattr(value, "split") or hasattr(value, "__next__")


def splitter_settings(value: object, where: str) -> tuple[str, dict[str, Any]]:
    """Return name and settings of a splitter, or refuse one that is not known."""
    for name, (cls, settings) in _SPLITTERS.items():
        if type(value) is cls:
            held = vars(value) | vars(value).get("cvargs", {})  # where those that repeat keep them
            return name, {key: held[key] for key in settings}
    rule = "an integer, a list of splits (list(cv.split(X, y)) is one) or a plain splitter of scikit-learn"
    raise ModelFileError(f"{where} must be {rule} to be saved, got a {type(value).__name__}.")


def made_splitter(name: object, settings: dict[str, Any]) -> Any:
    """Return the splitter of that name with these settings."""
    cls, fields = _SPLITTERS.get(name, (None, ())) if isinstance(name, str) else (None, ())
    plain = all(value is None or isinstance(value, bool | int | float) for value in settings.values())
    if cls is None or settings.keys() != set(fields) or not plain:
        raise damaged("splitters of a known kind")
    try:
        return cls(**settings)
    except (TypeError, ValueError, OverflowError):
        raise damaged("splitters with possible settings") from None
