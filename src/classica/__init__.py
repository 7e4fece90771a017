"""Classica: the classical classifiers, complete, exact and fast.

Every public name is importable from here and loaded on first use, so ``import classica`` is cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.comparison import Compared as Compared
    from classica.comparison import compare as compare
    from classica.comparison import resume as resume
    from classica.config import show_config as show_config
    from classica.decision import BayesDecisionClassifier as BayesDecisionClassifier
    from classica.estimators import *  # noqa: F403
    from classica.evaluation import bayes_error_bracket as bayes_error_bracket
    from classica.evaluation import bias_variance as bias_variance
    from classica.evaluation import bias_variance_curve as bias_variance_curve
    from classica.evaluation import coarse_to_fine as coarse_to_fine
    from classica.evaluation import compare_tests as compare_tests
    from classica.evaluation import confusion as confusion
    from classica.evaluation import diagnose as diagnose
    from classica.evaluation import diversity as diversity
    from classica.evaluation import gaussian_bayes_error as gaussian_bayes_error
    from classica.evaluation import learning_curve as learning_curve
    from classica.evaluation import majority_accuracy as majority_accuracy
    from classica.evaluation import nested_cv as nested_cv
    from classica.evaluation import select_parameters as select_parameters
    from classica.evaluation import table_bayes_error as table_bayes_error
    from classica.evaluation import validation_curve as validation_curve
    from classica.persist import load as load
    from classica.persist import save as save
    from classica.table_classifier import TableClassifier as TableClassifier
    from classica.training import predict_batches as predict_batches
    from classica.training import train as train

#: Public modules, and public names that live outside `classica.estimators`.
_MODULES = (
    "catalog",
    "comparison",
    "tables",
    "decision",
    "errors",
    "estimators",
    "evaluation",
    "explain",
    "export",
    "persist",
    "training",
)
_ELSEWHERE = {
    "bayes_error_bracket": "classica.evaluation",
    "BayesDecisionClassifier": "classica.decision",
    "bias_variance": "classica.evaluation",
    "bias_variance_curve": "classica.evaluation",
    "coarse_to_fine": "classica.evaluation",
    "compare": "classica.comparison",
    "compare_tests": "classica.evaluation",
    "Compared": "classica.comparison",
    "confusion": "classica.evaluation",
    "diagnose": "classica.evaluation",
    "diversity": "classica.evaluation",
    "gaussian_bayes_error": "classica.evaluation",
    "learning_curve": "classica.evaluation",
    "load": "classica.persist",
    "majority_accuracy": "classica.evaluation",
    "nested_cv": "classica.evaluation",
    "predict_batches": "classica.training",
    "resume": "classica.comparison",
    "save": "classica.persist",
    "select_parameters": "classica.evaluation",
    "show_config": "classica.config",
    "table_bayes_error": "classica.evaluation",
    "TableClassifier": "classica.table_classifier",
    "train": "classica.training",
    "validation_curve": "classica.evaluation",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("classica")
    if name == "__all__":
        return sorted([*_MODULES, *_ELSEWHERE, *_estimator_names()])
    if name in _MODULES:
        return importlib.import_module(f"classica.{name}")
    if name in _ELSEWHERE:
        return getattr(importlib.import_module(_ELSEWHERE[name]), name)
    # Estimators are classes; other names may be submodules on their way to being imported.
    if name[0].isupper() and name in _estimator_names():
        return getattr(importlib.import_module("classica.estimators"), name)
    raise AttributeError(f"module 'classica' has no attribute {name!r}")


def __dir__() -> list[str]:
    # Not what this module has imported for itself.
    own = [name for name in globals() if name.startswith("__") and name.endswith("__")]
    return sorted({*own, "__version__", *__getattr__("__all__")})


def _estimator_names() -> list[str]:
    public = vars(importlib.import_module("classica.estimators"))
    return [name for name, value in public.items() if isinstance(value, type)]
