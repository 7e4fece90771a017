import numpy as np
import pytest

from benchmarks.agreement import same_labels
from benchmarks.benchmark import Benchmark
from benchmarks.blobs import gaussian_blobs
from benchmarks.estimator import estimator
from benchmarks.measure import measure
from benchmarks.result import Status


def test_real_estimators_run_end_to_end():
    path = "sklearn.neighbors:NearestCentroid"
    benchmark = Benchmark(
        slug="same",
        work="The same classifier twice",
        make=lambda quick, seed: gaussian_blobs(500, 50, 4, 3, seed=seed),
        contenders=[estimator("classica", path, ours=True), estimator("scikit-learn", path)],
        agree=same_labels,
        target=0.01,
    )
    row = measure(benchmark, quick=True, repeats=2)
    assert row.failure() is None
    assert [outcome.status for outcome in row.outcomes] == [Status.MEASURED] * 2
    assert row.outcomes[1].version is not None
    assert row.sizes == {
        "rows": 500,
        "new_rows": 50,
        "columns": 4,
        "classes": 3,
        "dtype": "float64",
    }


def test_parameters_reach_the_class():
    contender = estimator("x", "sklearn.neighbors:NearestCentroid", metric="manhattan")
    model = contender.fit(gaussian_blobs(50, 5, 2, 2, seed=0))
    assert model.metric == "manhattan"
    assert contender.requires == "sklearn"


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_blobs_overlap_but_can_be_told_apart(dtype):
    data = gaussian_blobs(5000, 2000, 50, 10, seed=0, dtype=dtype)
    contender = estimator("x", "sklearn.neighbors:NearestCentroid")
    accuracy = np.mean(contender.predict(data, contender.fit(data)) == data.new_labels)
    assert data.rows.dtype == dtype
    assert 0.6 < accuracy < 0.95
