"""Support vector machines with the rbf kernel, on every core: two classes, and three."""

from typing import Any

from benchmarks.agreement import accuracy_within_chance
from benchmarks.benchmark import FASTEST, Benchmark, Data
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator


def _benchmark(slug: str, n_rows: int, n_classes: int, target: float) -> Benchmark:
    def make(quick: bool, seed: int) -> Data:
        """Draw classes that overlap, so that some tenth of the rows or more are support vectors."""
        rows = n_rows // 10 if quick else n_rows
        return gaussian_blobs(rows, rows // 10, n_columns=30, n_classes=n_classes, seed=seed, spread=0.4)

    options: dict[str, Any] = {"C": 1.0, "gamma": "scale", "tol": 1e-3}
    return Benchmark(
        slug=slug,
        work=f"Support vector machine, rbf, {n_classes} classes: learn, predict a tenth as many rows",
        make=make,
        contenders=[
            estimator("classica", "classica:SVMClassifier", ours=True, **options),
            estimator("scikit-learn", "sklearn.svm:SVC", **options),
            estimator("scikit-learn-intelex", "sklearnex.svm:SVC", **options),
        ],
        agree=accuracy_within_chance,
        target=target,
        reference=FASTEST,
    )


BENCHMARKS = [
    _benchmark("svm", 30_000, 2, target=2),
    _benchmark("svm-3-classes", 10_000, 3, target=1.5),
]
