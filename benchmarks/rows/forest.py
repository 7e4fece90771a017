"""A random forest of 100 whole trees on a long float32 table, on every core."""

from typing import Any

from benchmarks.agreement import accuracy_within_chance
from benchmarks.benchmark import Benchmark, Data
from benchmarks.estimator import estimator
from benchmarks.regions import labelled_regions


def make(quick: bool, seed: int) -> Data:
    """Draw five classes that curved regions of 50 columns tell apart, with noise."""
    n_rows, n_new = (5_000, 5_000) if quick else (100_000, 25_000)
    return labelled_regions(n_rows, n_new, n_columns=50, n_classes=5, seed=seed)


def _benchmark(slug: str, peer: str, module: str, target: float, **ours: Any) -> Benchmark:
    options: dict[str, Any] = {"n_estimators": 100, "random_state": 0}
    return Benchmark(
        slug=slug,
        work=f"Random forest of 100 trees: grow, predict a quarter as many rows; against {peer}",
        make=make,
        contenders=[
            # Its out-of-bag error is an extra that the peers do not work out by default.
            estimator(
                "classica", "classica:RandomForestClassifier", ours=True, oob_score=False, **options, **ours
            ),
            estimator(peer, f"{module}.ensemble:RandomForestClassifier", n_jobs=-1, **options),
        ],
        agree=accuracy_within_chance,
        target=target,
        reference=peer,
    )


BENCHMARKS = [
    _benchmark("forest", "scikit-learn", "sklearn", target=10),
    # It puts values into 256 groups; ours fit in a byte with one to spare for missing cells.
    _benchmark("forest-intelex", "scikit-learn-intelex", "sklearnex", target=3, max_bins=254),
]
