"""AdaBoost round by round: weights of the rows, error, vote."""

from __future__ import annotations

from typing import Any

from sklearn.base import BaseEstimator

from classica.estimators.ensembles.adaboost import AdaBoostClassifier
from classica.estimators.ensembles.explain import boosted_reasons, describe_boosted
from classica.explain.section import Section
from classica.explain.traced import Traced
from classica.explain.tracers import trace_as
from classica.wording import plain_words


def steps(traced: Traced) -> list[Section]:
    """Return each round: what the member asks, who is wrong, error, vote and the weights of the rows."""
    model = traced.estimator
    weights = list(model.staged_row_weights(traced.seen, traced.labels))
    predictions = [codes.tolist() for codes in model._members.answers(traced.seen)]
    labels = traced.layers.classes or []
    truth = [labels.index(label) for label in traced.labels.tolist()]
    rounds = []
    for number, (own, codes, member) in enumerate(
        zip(weights, predictions, model.estimators_, strict=True), 1
    ):
        wrong = [index + 1 for index, (a, b) in enumerate(zip(codes, truth, strict=True)) if a != b]
        rounds.append(_round(model, number, own.tolist(), wrong, member))
    about = [Section(f"For {traced.about_row}"), *boosted_reasons(traced.layers, traced.row)]
    return [*rounds, *describe_boosted(traced.layers)[:1], *about]


def _round(model: Any, number: int, weights: list[float], wrong: list[int], member: BaseEstimator) -> Section:
    facts: dict[str, Any] = {
        "misclassified rows": wrong or "none",
        "error ε": float(model.estimator_errors_[number - 1]),
        "vote α": float(model.estimator_weights_[number - 1]),
    }
    text = member.to_text() if hasattr(member, "to_text") else plain_words(type(member).__name__)
    rows = [
        [index, weight, "misclassified" if index in wrong else ""] for index, weight in enumerate(weights, 1)
    ]
    return Section(f"Round {number}", text, facts, ["row", "weight before", ""], rows)


trace_as(steps, AdaBoostClassifier)
