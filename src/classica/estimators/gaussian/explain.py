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
from classica.explain.opened import Opened
from classica.explain.section import Section
from classica.explain.shown_scores import outcome
from classica.native import Floats
from classica.wording import plain_words


def describe_means(opened: Opened) -> list[Section]:
    """Return means, and spreads where distances are measured by them."""
    model = opened.estimator
    labels = opened.classes or []
    owners = [plain_words(labels[index]) for index in model.mean_class_.tolist()]
    sections = [column_table("Means", opened, owners, model.means_)]
    if model.spreads_ is not None:
        sections.append(column_table("Standard deviations", opened, owners, model.spreads_))
    return sections


def column_table(title: str, opened: Opened, owners: list[str], numbers: Floats) -> Section:
    """Return numbers with a row per column and a column per class."""
    named = zip(opened.seen_names, np.asarray(numbers).T.tolist(), strict=True)
    rows = [[plain_words(name), *row] for name, row in named]
    return Section(title, headings=["column", *owners], rows=rows)


def mean_reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return the distances to the classes, and what each column adds to half their squares."""
    distances = opened.estimator.distances(opened.seen(row))[0].tolist()
    labels = [plain_words(label) for label in opened.classes or ()]
    pairs = sorted(zip(labels, distances, strict=True), key=lambda pair: pair[1])
    near = Section("Distances to the means", headings=["class", "distance"], rows=pairs)
    found = additive_of(opened)
    return [near, *([] if found is None else [sum_section(found, row)]), outcome(opened, row)]


def describe_shared(opened: Opened) -> list[Section]:
    """Return the classes of a linear discriminant: one spread for all, and the weights that follow."""
    model = opened.estimator
    within = [
        [plain_words(name), spread] for name, spread in zip(opened.seen_names, model.deviations_, strict=True)
    ]
    found = additive_of(opened)
    return [
        *_means_and_priors(opened),
        Section("Standard deviations within classes", headings=["column", "all classes"], rows=within),
        *([] if found is None else weight_sections(opened, found)),
    ]


def describe_own(opened: Opened) -> list[Section]:
    """Return the classes of a quadratic discriminant, each with spreads of its own."""
    labels = [plain_words(label) for label in opened.classes or ()]
    spreads = np.sqrt(np.array([np.diag(own) for own in opened.estimator.covariances_]))
    shares = getattr(opened.estimator, "regularization_", np.zeros(0))  # older model files do not have it
    told = Section(
        "Regularisation",
        headings=["", *labels],
        rows=[["weight of the pooled covariance", *shares.tolist()]],
    )
    return [
        *_means_and_priors(opened),
        column_table("Standard deviations", opened, labels, spreads),
        *([told] if shares.any() else []),
    ]


def _means_and_priors(opened: Opened) -> list[Section]:
    model = opened.estimator
    labels = [plain_words(label) for label in opened.classes or ()]
    priors = Section("Priors", headings=["", *labels], rows=[["prior", *model.class_prior_.tolist()]])
    return [priors, column_table("Means", opened, labels, model.means_)]


def reasons(opened: Opened, row: pl.DataFrame) -> list[Section]:
    """Return prior, size of the class and distance of the row, which add up to the score of each class."""
    model = opened.estimator
    squared = model._squared_distances(model._query(opened.seen(row)))[0]
    with np.errstate(divide="ignore"):
        parts = np.array([np.log(model.class_prior_), -0.5 * model.log_determinants_, -0.5 * squared])
    labels = [plain_words(label) for label in opened.classes or ()]
    named = zip(("log prior", "- ½ log determinant", "- ½ squared distance"), parts.tolist(), strict=True)
    rows = [[name, *numbers] for name, numbers in named]
    rows.append(["sum", *parts.sum(axis=0).tolist()])
    return [Section("Log density of the row", headings=["", *labels], rows=rows), outcome(opened, row)]


explain_as(describe_shared, column_sums.reasons, LinearDiscriminantClassifier)
explain_as(describe_own, reasons, QuadraticDiscriminantClassifier)
explain_as(column_sums.describe, column_sums.reasons, FisherClassifier)
explain_as(describe_means, mean_reasons, NearestMeanClassifier)
