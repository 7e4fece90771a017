"""Fitted models of tables, which several tests look at."""

import functools
import warnings

from classica import TableClassifier, catalog
from classica.tables import load_table

#: Every classifier of the catalog with each of its test settings.
CLASSIFIERS = [
    (card.slug, number)
    for card in catalog.cards()
    if not card.slug.endswith("regressor")
    for number in range(len(card.test_parameters))
]


@functools.cache
def fitted(table, slug, number=0):
    """Return a model of a table that comes along, or None where the settings do not fit the table."""
    card, rows = catalog.card(slug), load_table(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            estimator = card.build(**card.test_parameters[number])
            return TableClassifier(estimator, rows.schema).fit(rows, rows.y)
        except (ValueError, TypeError):
            return None
