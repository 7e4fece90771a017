"""Classica: the classical classifiers, complete, exact and fast.

Every public name can be imported from here and is loaded on first use, so ``import classica`` is fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.build_config import show_config as show_config
    from classica.comparison import ComparisonResult as ComparisonResult
    from classica.comparison import compare as compare
    from classica.comparison import resume as resume
    from classica.decision import BayesDecisionClassifier as BayesDecisionClassifier
    from classica.diagnosis import diagnose as diagnose
    from classica.estimators import *  # noqa: F403
    from classica.metrics import confusion as confusion
    from classica.persist import load as load
    from classica.persist import save as save
    from classica.selection import coarse_to_fine as coarse_to_fine
    from classica.selection import learning_curve as learning_curve
    from classica.selection import nested_cv as nested_cv
    from classica.selection import select_parameters as select_parameters
    from classica.selection import validation_curve as validation_curve
    from classica.statistics import bayes_error_bracket as bayes_error_bracket
    from classica.statistics import bias_variance as bias_variance
    from classica.statistics import bias_variance_curve as bias_variance_curve
    from classica.statistics import compare_tests as compare_tests
    from classica.statistics import diversity as diversity
    from classica.statistics import gaussian_bayes_error as gaussian_bayes_error
    from classica.statistics import majority_accuracy as majority_accuracy
    from classica.statistics import table_bayes_error as table_bayes_error
    from classica.table_classifier import TableClassifier as TableClassifier
    from classica.training import predict_batches as predict_batches
    from classica.training import train as train

#: Public modules, and public names that live outside `classica.estimators`.
_MODULES = (
    "catalog",
    "comparison",
    "tables",
    "decision",
    "diagnosis",
    "displays",
    "errors",
    "estimators",
    "explain",
    "export",
    "inspection",
    "metrics",
    "persist",
    "selection",
    "statistics",
    "training",
)
_ELSEWHERE = {
    "bayes_error_bracket": "classica.statistics",
    "BayesDecisionClassifier": "classica.decision",
    "bias_variance": "classica.statistics",
    "bias_variance_curve": "classica.statistics",
    "coarse_to_fine": "classica.selection",
    "compare": "classica.comparison",
    "compare_tests": "classica.statistics",
    "ComparisonResult": "classica.comparison",
    "confusion": "classica.metrics",
    "diagnose": "classica.diagnosis",
    "diversity": "classica.statistics",
    "gaussian_bayes_error": "classica.statistics",
    "learning_curve": "classica.selection",
    "load": "classica.persist",
    "majority_accuracy": "classica.statistics",
    "nested_cv": "classica.selection",
    "predict_batches": "classica.training",
    "resume": "classica.comparison",
    "save": "classica.persist",
    "select_parameters": "classica.selection",
    "show_config": "classica.build_config",
    "table_bayes_error": "classica.statistics",
    "TableClassifier": "classica.table_classifier",
    "train": "classica.training",
    "validation_curve": "classica.selection",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("classica")
    if name == "__all__":
        return sorted([*_MODULES, *_ELSEWHERE, *_estimator_names()])
    if name in _MODULES:
        return importlib.import_module(f"classica.{name}")
    if name == "Compared":  # deprecated, which that package warns about
        return importlib.import_module("classica.comparison").Compared
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    # Estimators are classes; other names may be submodules that are being imported.
    if name[0].isupper() and name in _estimator_names():
        return getattr(importlib.import_module("classica.estimators"), name)
    raise _no_such_name(name, from_import=_is_from_import())


def _is_from_import() -> bool:
    """Return whether ``from classica import name`` called `__getattr__`: it would hide an AttributeError."""
    frame = importlib.import_module("inspect").currentframe().f_back.f_back
    opcodes = importlib.import_module("opcode").opmap
    return bool(frame.f_code.co_code[frame.f_lasti] == opcodes["IMPORT_FROM"])


def _no_such_name(name: str, *, from_import: bool) -> AttributeError | ImportError:
    """Return the error for a name that the package does not have, with a suggestion."""
    names = importlib.import_module("classica.sklearn_names")
    there = [*_MODULES, *_ELSEWHERE, *(_estimator_names() if name[0].isupper() else [])]
    meant = None if name.startswith("_") else names.meant_class(name, there)
    hint = f"; did you mean {meant!r}?" if meant else ""
    if from_import:
        return ImportError(f"cannot import name {name!r} from 'classica'{hint}", name="classica")
    return AttributeError(f"module 'classica' has no attribute {name!r}{hint}")


def __dir__() -> list[str]:
    # Without the names that this module imports for its own use.
    own = [name for name in globals() if name.startswith("__") and name.endswith("__")]
    return sorted({*own, "__version__", *__getattr__("__all__")})


def _estimator_names() -> list[str]:
    public = vars(importlib.import_module("classica.estimators"))
    return [name for name, value in public.items() if isinstance(value, type)]
