"""For classifiers without steps of their own: what was learned, and how it decides about a row."""

from __future__ import annotations

from classica.explain.explainers import explainer_of
from classica.explain.section import Section
from classica.explain.settings_shown import settings_sections
from classica.explain.traced import Traced


def steps(traced: Traced) -> list[Section]:
    """Return what was learned, and the computation for the row."""
    explainer = explainer_of(traced.estimator)
    about = Section(f"For {traced.about_row}")
    learned = [*settings_sections(traced.opened), *explainer.describe(traced.opened)]
    return [*learned, about, *explainer.reasons(traced.opened, traced.row)]
