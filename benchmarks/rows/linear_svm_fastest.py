"""The linear support vector machine against the fastest linear machines of any loss and any exactness."""

from benchmarks.benchmark import FASTEST, Benchmark
from benchmarks.hinge import hinge_not_higher, machine, make

BENCHMARK = Benchmark(
    slug="linear-svm-fastest",
    work="Linear support vector machine: the same table, against other losses and gradient descent",
    make=make,
    contenders=[
        machine("classica", "classica:LinearSVMClassifier", "alpha", ours=True),
        machine("squared hinge", "sklearn.svm:LinearSVC", "C", dual=False),
        machine("gradient descent", "sklearn.linear_model:SGDClassifier", "alpha", random_state=0),
    ],
    agree=hinge_not_higher,
    target=1.5,
    reference=FASTEST,
    compared="fit",
)
