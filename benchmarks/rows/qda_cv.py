"""Ten-fold cross-validation of the quadratic discriminant: taking parts away against a loop of fits."""

from dataclasses import replace
from typing import Any

from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from benchmarks.agreement import nearly_same_labels
from benchmarks.benchmark import Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator

_PARTS = StratifiedKFold(10)


def make(quick: bool, seed: int) -> Data:
    """Draw ten overlapping classes in 50 columns; the few new rows are not asked for."""
    return gaussian_blobs(6_000 if quick else 200_000, 200, n_columns=50, n_classes=10, seed=seed)


def _from_sums(data: Data, model: Any) -> NDArray[Any]:
    answer: NDArray[Any] = model.classes_[
        model.cross_val_posteriors(data.rows, data.labels, _PARTS).argmax(axis=1)
    ]
    return answer


def _loop(data: Data, model: Any) -> NDArray[Any]:
    answer: NDArray[Any] = cross_val_predict(model, data.rows, data.labels, cv=_PARTS)
    return answer


BENCHMARK = Benchmark(
    slug="qda-cv",
    work="Quadratic discriminant: ten-fold cross-validated labels",
    make=make,
    contenders=[
        replace(
            estimator("classica", "classica:QuadraticDiscriminantClassifier", ours=True), predict=_from_sums
        ),
        replace(
            estimator("scikit-learn", "sklearn.discriminant_analysis:QuadraticDiscriminantAnalysis"),
            predict=_loop,
        ),
    ],
    agree=nearly_same_labels(1e-3),
    target=30,
    compared="predict",
)
