"""The linear support vector machine on a long float64 table, against the same loss in scikit-learn."""

from benchmarks.benchmark import Benchmark
from benchmarks.hinge import hinge_not_higher, machine, make

BENCHMARK = Benchmark(
    slug="linear-svm",
    work="Linear support vector machine: learn a long float64 table of two classes, hinge loss",
    make=make,
    contenders=[
        machine("classica", "classica:LinearSVMClassifier", "alpha", ours=True),
        machine("scikit-learn", "sklearn.svm:LinearSVC", "C", loss="hinge", dual=True, random_state=0),
    ],
    agree=hinge_not_higher,
    target=20,
    compared="fit",
)
