"""What a classifier can do, found by letting it learn from small tables."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from classica import TableClassifier
from classica.explain import explain_model
from classica.explain.model_layers import ModelLayers
from classica.explain.tracers import has_steps
from classica.export import FORMS
from classica.registry import Card
from classica.tables import Table, TableEncoder, load_table

#: One of numbers, one of categories.
_TABLES = ("iris", "golf")


@dataclass(frozen=True)
class Abilities:
    """What a page says a classifier can do.

    Attributes
    ----------
    classifies : bool
        Whether it is a classifier, not a regressor.
    probabilities, weights : bool
        Whether it predicts probabilities, and supports sample weights.
    standardised : bool
        Whether the commands standardise columns for it.
    traced : bool
        Whether ``classica trace`` shows its steps.
    model_parts, row_parts : tuple of str
        The headings of the explanation of a model, and of a row.
    forms : tuple of str
        The forms a model can be exported to.
    """

    classifies: bool
    probabilities: bool
    weights: bool
    standardised: bool
    traced: bool
    model_parts: tuple[str, ...]
    row_parts: tuple[str, ...]
    forms: tuple[str, ...]

    @classmethod
    def of(cls, card: Card) -> Abilities:
        """Return what the classifier of a card can do with its defaults."""
        built = card.build()
        tables = [load_table(name) for name in _TABLES]
        encoder = TableEncoder.for_estimator(built, tables[0].schema)
        models = [_fitted(card, table) for table in tables]
        explanations = [
            explain_model(model, rows, [1])
            for model, rows in zip(models, map(_rows(card), tables), strict=True)
        ]
        columns = {name for table in tables for name in table.schema.feature_names()}
        return cls(
            classifies=is_classifier(built),
            probabilities=hasattr(models[0], "predict_proba"),
            weights=has_fit_parameter(built, "sample_weight"),
            standardised=encoder.standardise,
            traced=is_classifier(built) and has_steps(built),
            model_parts=_titles((part for each in explanations for part in each.sections), columns, card),
            row_parts=_titles(
                (part for each in explanations for part in each.rows[0].sections), columns, card
            ),
            forms=tuple(
                name
                for name, form in FORMS.items()
                if all(form.fits(ModelLayers.of(model)) for model in models)
            ),
        )


def _rows(card: Card) -> Any:
    """Return the function that prepares a table for the predictions of a model of the card."""
    return (lambda table: table) if is_classifier(card.build()) else _numbers


def _fitted(card: Card, table: Table) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # whether a model converges on golf does not matter here
        if is_classifier(card.build()):
            return TableClassifier(card.build(), table.schema).fit(table, table.y)
        rows = _numbers(table)
        return card.build().fit(rows, range(len(rows)))


def _numbers(table: Table) -> Any:
    """Return a table as numbers: regressors are for Python, where nobody encodes for them."""
    return TableEncoder(table.schema).fit(table.X).transform(table.X)


def _titles(parts: Iterable[Any], columns: set[str], card: Card) -> tuple[str, ...]:
    """Return the titles of parts, each once; those of single columns are one, empty ones none."""
    named = "|".join(map(re.escape, sorted(columns, key=len, reverse=True)))
    titles = [re.sub(rf"^(?:{named}): ", "each column: ", part.title) for part in parts]
    kept = [_lower(title) for title in titles if title not in ("", card.name)]
    return tuple(dict.fromkeys(kept))


def _lower(title: str) -> str:
    return title[0].lower() + title[1:]
