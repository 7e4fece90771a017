"""For classifiers without steps of their own: what was learned, and how it decides about a row."""

from __future__ import annotations

from classica.explain.kinds import kind_of
from classica.explain.section import Section
from classica.explain.settings import settings_sections
from classica.explain.traces.traced import Traced


def steps(traced: Traced) -> list[Section]:
    """Return what was learned, and the computation for the row."""
    kind = kind_of(traced.estimator)
    about = Section(f"For {traced.about_row}")
    learned = [*settings_sections(traced.opened), *kind.describe(traced.opened)]
    return [*learned, about, *kind.reasons(traced.opened, traced.row)]
