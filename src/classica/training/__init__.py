"""Train models on tables and predict with them: the Python functions behind the commands.

`train` trains a classifier on a table, `learn` also returns the training record, `predict_batches` predicts
tables of any length, and `evaluate` compares predictions with labels.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classica.training.learning import learn as learn
    from classica.training.learning import train as train
    from classica.training.model_importance import TableImportances as TableImportances
    from classica.training.model_importance import table_importances as table_importances
    from classica.training.model_scores import Judged as Judged
    from classica.training.model_scores import evaluate as evaluate
    from classica.training.predictions import Predictions as Predictions
    from classica.training.predictions import predict_batches as predict_batches
    from classica.training.recipe import Recipe as Recipe
    from classica.training.recipe import parameter_values as parameter_values
    from classica.training.trained import Training as Training

#: Public name → the module it is imported from on first use.
_EXPORTS = {
    "Judged": "classica.training.model_scores",
    "evaluate": "classica.training.model_scores",
    "learn": "classica.training.learning",
    "train": "classica.training.learning",
    "Training": "classica.training.trained",
    "parameter_values": "classica.training.recipe",
    "Predictions": "classica.training.predictions",
    "predict_batches": "classica.training.predictions",
    "Recipe": "classica.training.recipe",
    "table_importances": "classica.training.model_importance",
    "TableImportances": "classica.training.model_importance",
}

__all__ = list(_EXPORTS)


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    raise AttributeError(f"module 'classica.training' has no attribute {name!r}")
