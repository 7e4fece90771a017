"""Descriptions of all classes that may be in a model file; importing them fills the list."""

from classica.persist.families import (  # noqa: F401
    bayes,
    decisions,
    ensembles,
    forests,
    gaussian,
    kernels,
    linear,
    neighbours,
    networks,
    online,
    rules,
    tables,
    trees,
)
