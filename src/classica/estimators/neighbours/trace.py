"""Nearest neighbours: the distances of a row from all others, and the vote."""

from __future__ import annotations

from classica.estimators.neighbours import explain as neighbours
from classica.estimators.neighbours.knn import KNeighborsClassifier
from classica.explain.section import Section
from classica.explain.settings_shown import settings_sections
from classica.explain.traced import Traced
from classica.explain.tracers import trace_as
from classica.wording import plain_words


def steps(traced: Traced) -> list[Section]:
    """Return the distances from a row to all others, nearest first, and who votes."""
    model, others = traced.estimator, traced.features.height - 1
    distances, indices = model.kneighbors(None, max(others, 1))
    labels = [plain_words(label) for label in traced.labels.tolist()]
    own = zip(indices[traced.number - 1].tolist(), distances[traced.number - 1].tolist(), strict=True)
    rows = [[index + 1, distance, labels[index]] for index, distance in own]
    explanation = model.explain(None)[traced.number - 1]
    shares = [[plain_words(label), share] for label, share in explanation.shares.items()]
    title = f"Distances from {traced.about_row} to the other rows"
    vote = Section(
        f"The vote of the {explanation.used} nearest, {traced.about_row} held out",
        headings=["class", "share"],
        rows=shares,
        note=f"Prediction: {plain_words(explanation.label)}.",
    )
    return [
        *settings_sections(traced.layers),
        *neighbours.describe(traced.layers),
        Section(title, headings=["row", "distance", "class"], rows=rows),
        vote,
    ]


trace_as(steps, KNeighborsClassifier)
