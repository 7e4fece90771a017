import pytest

from benchmarks.benchmark import FASTEST


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (("classica", "classica"), {}, "must have different names, got"),
        (("other", "scikit-learn"), {}, r"must have one of ours, got \[\]"),
        (("classica", "other"), {}, "must be one of its peers, got 'scikit-learn'"),
        (("classica", "other"), {"reference": "classica"}, "must be one of its peers"),
        (("classica", "scikit-learn"), {"one_row": True}, "must be 'predict' with one_row, got"),
        (("classica", "scikit-learn"), {"target": 0}, "must be positive, got 0"),
    ],
)
def test_a_benchmark_that_makes_no_sense_is_refused(clock, benchmark_of, names, options, message):
    contenders = [clock.contender(name, ours=name == "classica") for name in names]
    with pytest.raises(ValueError, match=message):
        benchmark_of(*contenders, **options)


@pytest.mark.parametrize("reference", ["product", FASTEST])
def test_a_yardstick_is_no_peer(clock, benchmark_of, reference):
    pair = [clock.contender("classica", ours=True), clock.contender("product", within=2)]
    with pytest.raises(ValueError, match="must be one of its peers"):
        benchmark_of(*pair, reference=reference)
