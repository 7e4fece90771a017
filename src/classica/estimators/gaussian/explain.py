"""How Gaussian classes and class means are explained: means, spreads, priors and distances."""

from __future__ import annotations

import numpy as np
import polars as pl

from classica.estimators.gaussian.fisher import FisherClassifier
from classica.estimators.gaussian.lda import LinearDiscriminantClassifier
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.estimators.gaussian.qda import QuadraticDiscriminantClassifier
from classica.explain import column_sums
from classica.explain.additive_models import additive_of
from classica.explain.column_sums import sum_section, weight_sections
from classica.explain.explainers import explain_as
from classica.explain.model_layers import ModelLayers
from classica.explain.section import Section
from classica.explain.shown_scores import outcome
from classica.native import Floats
from classica.wording import plain_words


def describe_means(layers: ModelLayers) -> list[Section]:
    """Return means, and spreads where distances are measured by them."""
    model = layers.estimator
    labels = layers.classes or []
    owners = [plain_words(labels[index]) for index in model.mean_class_.tolist()]
    sections = [column_table("Means", layers, owners, model.means_)]
    if model.spreads_ is not None:
        sections.append(column_table("Standard deviations", layers, owners, model.spreads_))
    return sections


def column_table(title: str, layers: ModelLayers, owners: list[str], numbers: Floats) -> Section:
    """Return numbers with a row per column and a column per class."""
    named = zip(layers.seen_names, np.asarray(numbers).T.tolist(), strict=True)
    rows = [[plain_words(name), *row] for name, row in named]
    return Section(title, headings=["column", *owners], rows=rows)


def mean_reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return the distances to the classes, and what each column adds to half their squares."""
    distances = layers.estimator.distances(layers.seen(row))[0].tolist()
    labels = [plain_words(label) for label in layers.classes or ()]
    pairs = sorted(zip(labels, distances, strict=True), key=lambda pair: pair[1])
    near = Section("Distances to the means", headings=["class", "distance"], rows=pairs)
    program = additive_of(layers)
    return [near, *([] if program is None else [sum_section(program, row)]), outcome(layers, row)]


def describe_shared(layers: ModelLayers) -> list[Section]:
    """Return the classes of a linear discriminant: one spread for all, and the weights that follow."""
    model = layers.estimator
    within = [
        [plain_words(name), spread] for name, spread in zip(layers.seen_names, model.deviations_, strict=True)
    ]
    program = additive_of(layers)
    return [
        *_means_and_priors(layers),
        Section("Standard deviations within classes", headings=["column", "all classes"], rows=within),
        *([] if program is None else weight_sections(layers, program)),
    ]


def describe_own(layers: ModelLayers) -> list[Section]:
    """Return the classes of a quadratic discriminant, each with spreads of its own."""
    labels = [plain_words(label) for label in layers.classes or ()]
    spreads = np.sqrt(np.array([np.diag(own) for own in layers.estimator.covariances_]))
    shares = getattr(layers.estimator, "regularization_", np.zeros(0))  # older model files do not have it
    section = Section(
        "Regularisation",
        headings=["", *labels],
        rows=[["weight of the pooled covariance", *shares.tolist()]],
    )
    return [
        *_means_and_priors(layers),
        column_table("Standard deviations", layers, labels, spreads),
        *([section] if shares.any() else []),
    ]


def _means_and_priors(layers: ModelLayers) -> list[Section]:
    model = layers.estimator
    labels = [plain_words(label) for label in layers.classes or ()]
    priors = Section("Priors", headings=["", *labels], rows=[["prior", *model.class_prior_.tolist()]])
    return [priors, column_table("Means", layers, labels, model.means_)]


def reasons(layers: ModelLayers, row: pl.DataFrame) -> list[Section]:
    """Return prior, size of the class and distance of the row, which add up to the score of each class."""
    model = layers.estimator
    squared = model._squared_distances(model._query(layers.seen(row)))[0]
    with np.errstate(divide="ignore"):
        parts = np.array([np.log(model.class_prior_), -0.5 * model.log_determinants_, -0.5 * squared])
    labels = [plain_words(label) for label in layers.classes or ()]
    named = zip(("log prior", "- ½ log determinant", "- ½ squared distance"), parts.tolist(), strict=True)
    rows = [[name, *numbers] for name, numbers in named]
    rows.append(["sum", *parts.sum(axis=0).tolist()])
    return [Section("Log density of the row", headings=["", *labels], rows=rows), outcome(layers, row)]


explain_as(describe_shared, column_sums.reasons, LinearDiscriminantClassifier)
explain_as(describe_own, reasons, QuadraticDiscriminantClassifier)
explain_as(column_sums.describe, column_sums.reasons, FisherClassifier)
explain_as(describe_means, mean_reasons, NearestMeanClassifier)
