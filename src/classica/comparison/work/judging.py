"""One model on one split: fitted as it would be delivered, and judged on rows it has not seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import with_decision, with_encoder
from classica.comparison.plan.settings import Settings
from classica.comparison.plan.splits import Rows
from classica.comparison.plan.workspace import Workspace
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.scoring import Scoring, spread_out
from classica.decision import BayesDecisionClassifier, expected_costs
from classica.errors import DataError, must
from classica.native import Floats

#: Training rows that the training score is computed on: more of them tell little and may take longer than
#: the fit, as with nearest neighbours.
_MOST_TRAINING_ROWS = 5000


@dataclass(frozen=True)
class FoldEvaluation:
    """What became of a model on one split.

    Attributes
    ----------
    test_score, train_score : float
        The metric on the test rows and on training rows (at most 5,000); NaN where it is not defined.
    fit_seconds, predict_seconds : float
        How long fitting and predicting the test rows took.
    answers : FoldPredictions
        The predictions for the test rows.
    losses : ndarray of shape (n_test,)
        The loss of every test row.
    model_parameters : int or None
        How many numbers the model has learned, if it says so.
    """

    test_score: float
    train_score: float
    fit_seconds: float
    predict_seconds: float
    answers: FoldPredictions
    losses: Floats
    model_parameters: int | None = None


def evaluate_fold(
    workspace: Workspace, contender: Contender, chosen: Mapping[str, Any], train: Rows, test: Rows
) -> FoldEvaluation:
    """Fit a model with its decision and hyper-parameters on training rows, and score it on test rows."""
    pipeline = with_encoder(final_model(contender, workspace.settings, chosen), workspace.schema)
    steps, model = pipeline[:-1], pipeline[-1]
    y, scoring = workspace.y, scoring_of(workspace)
    rows, asked = workspace.features(train), workspace.features(test)
    began = perf_counter()
    learned = steps.fit_transform(rows, y[train])
    model.fit(learned, y[train])
    fitted = perf_counter()
    tested = steps.transform(asked)
    predictions = np.asarray(model.predict(tested))
    predicted = perf_counter()
    answers = _answers(workspace, model, tested, test, predictions)
    few = np.linspace(0, len(train) - 1, min(len(train), _MOST_TRAINING_ROWS)).astype(np.intp)
    known = learned if len(few) == len(train) else learned[few]
    return FoldEvaluation(
        scoring.of_answers(y[test], answers),
        scoring.signed(scoring(model, known, y[train][few])),
        fitted - began,
        predicted - fitted,
        answers,
        scoring.losses_of_answers(y[test], answers),
        _learned_parameters(model),
    )


def _learned_parameters(model: Any) -> int | None:
    """Return how many numbers a fitted classifier has learned, or the one inside a decision."""
    while not hasattr(model, "n_parameters_") and hasattr(model, "estimator_"):
        model = model.estimator_
    found = getattr(model, "n_parameters_", None)
    return int(found) if isinstance(found, int | np.integer) else None


def final_model(contender: Contender, settings: Settings, chosen: Mapping[str, Any]) -> Any:
    """Return the classifier with its decision around it and with the chosen parameters."""
    model = with_decision(contender, settings)
    classifier = model.estimator if isinstance(model, BayesDecisionClassifier) else model
    classifier.set_params(**chosen)
    return model


def scoring_of(workspace: Workspace) -> Scoring:
    """Return the metric of a comparison."""
    settings = workspace.settings
    return Scoring(settings.metric, workspace.classes, settings.costs, settings.reject_cost)


def _answers(
    workspace: Workspace, model: Any, tested: Any, test: Rows, predictions: NDArray[Any]
) -> FoldPredictions:
    classes = workspace.classes
    unknown = predictions[~np.isin(predictions, classes)]
    if len(unknown):
        raise DataError(must("The predictions of a model", "classes of the table", unknown.tolist()[0]))
    codes = np.searchsorted(classes, predictions).astype(np.int32)
    probabilities, scores = (
        None
        if not hasattr(model, method)
        else spread_out(_finite(getattr(model, method)(tested), what), np.asarray(model.classes_), classes)
        for method, what in (("predict_proba", "probabilities"), ("decision_function", "scores"))
    )
    return FoldPredictions(
        test, codes, probabilities, scores, _rejected(workspace.settings, codes, probabilities)
    )


def _rejected(settings: Settings, codes: NDArray[np.int32], probabilities: Floats | None) -> Any:
    """Return which rows the decision rejects: those whose prediction is expected to cost more than that."""
    if settings.reject_cost is None or probabilities is None:
        return None
    expected = expected_costs(probabilities, np.asarray(settings.costs, dtype=np.float64))
    return expected[np.arange(len(codes)), codes] > settings.reject_cost


def _finite(values: Any, what: str) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    wrong = found[~np.isfinite(found)]
    if len(wrong):
        raise DataError(must(f"The {what} of a model", "finite numbers", float(wrong[0])))
    return found


def known_score(score: float) -> float | None:
    """Return a score; None where the metric is not defined, as the area under the ROC curve of one class."""
    return None if np.isnan(score) else score
