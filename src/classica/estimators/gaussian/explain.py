"""Gaussian classes: means, spreads and priors."""

from __future__ import annotations

import numpy as np
import polars as pl

from classica.estimators.gaussian import explain_means as means
from classica.estimators.gaussian.fisher import FisherClassifier
from classica.estimators.gaussian.lda import LinearDiscriminantClassifier
from classica.estimators.gaussian.nearest_mean import NearestMeanClassifier
from classica.estimators.gaussian.qda import QuadraticDiscriminantClassifier
from classica.explain import column_sums
from classica.explain.additive_models import additive_of
from classica.explain.column_sums import weight_sections
from classica.explain.explainers import explain_as
from classica.explain.opened import Opened
from classica.explain.section import Section
from classica.explain.shown_scores import outcome
from classica.wording import plain_words


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
        rows=[["share of the covariance within all classes", *shares.tolist()]],
    )
    return [
        *_means_and_priors(opened),
        means.table("Standard deviations", opened, labels, spreads),
        *([told] if shares.any() else []),
    ]


def _means_and_priors(opened: Opened) -> list[Section]:
    model = opened.estimator
    labels = [plain_words(label) for label in opened.classes or ()]
    priors = Section("Priors", headings=["", *labels], rows=[["prior", *model.class_prior_.tolist()]])
    return [priors, means.table("Means", opened, labels, model.means_)]


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
explain_as(means.describe, means.reasons, NearestMeanClassifier)
