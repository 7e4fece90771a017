"""Tests of significance: against published packages, by what they promise, and where folds say nothing."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from classica.displays import CriticalDifferenceDisplay
from classica.errors import ClassicaError
from classica.statistics import (
    bayesian_t_test,
    better_than,
    compare_tests,
    corrected_interval,
    corrected_t_test,
    friedman_nemenyi,
    holm,
    tied_for_best,
)

EXPECTED = json.loads(
    (Path(__file__).parents[1] / "data" / "tests_of_significance" / "expected.json").read_text()
)
A, B = [0.90, 0.95, 0.85, 0.92, 0.88], [0.85, 0.86, 0.84, 0.88, 0.82]


@pytest.mark.parametrize("case", EXPECTED["bayesian"], ids=lambda case: f"{len(case['a'])}-{case['rope']}")
def test_the_bayesian_test_is_baycomps(case):
    found = bayesian_t_test(case["a"], case["b"], case["test_fraction"], case["rope"])
    better, worse = case["probs"][0], case["probs"][-1]
    assert (found.better, found.worse) == pytest.approx((better, worse), abs=1e-12)
    assert found.worse + found.equal + found.better == pytest.approx(1, abs=1e-12)


def test_the_corrected_t_test_by_hand():
    """Differences 5, 9, 1, 4, 6 hundredths: mean 5, variance 8.5, and (1/5 + 1/4) · 8.5 = 3.825."""
    found = corrected_t_test(A, B, 0.2)
    assert found.difference == pytest.approx(0.05)
    assert found.t == pytest.approx(5 / math.sqrt(3.825), rel=1e-12)
    assert found.p == pytest.approx(2 * stats.t.sf(5 / math.sqrt(3.825), 4), rel=1e-12)
    assert corrected_t_test(A, B, 0.2, alternative="greater").p == pytest.approx(found.p / 2)
    assert corrected_t_test(A, B, 0.2, alternative="less").p == pytest.approx(1 - found.p / 2)
    # With almost nothing tested there is no correction left: the plain paired test.
    assert corrected_t_test(A, B, 1e-12).p == pytest.approx(stats.ttest_rel(A, B).pvalue, rel=1e-9)


def test_the_interval_is_the_test_turned_round():
    """A difference lies at the end of its interval exactly if p is one minus the confidence."""
    p = corrected_t_test(A, B, 0.2).p
    interval = corrected_interval(np.subtract(A, B), 0.2, 1 - p)
    assert interval.low == pytest.approx(0, abs=1e-12)
    assert interval.mean == pytest.approx(0.05)


def test_an_interval_keeps_to_its_limits():
    assert corrected_interval([0.99, 1.0, 0.98], 1 / 3, limits=(0, 1)).high == 1
    assert corrected_interval([0.99, 1.0, 0.98], 1 / 3).high > 1


def test_one_fold_says_nothing():
    interval = corrected_interval([0.8], 0.3)
    assert interval.mean == 0.8
    assert math.isnan(interval.low)
    assert "single fold" in str(interval)
    assert math.isnan(corrected_t_test([0.8], [0.7], 0.3).p)
    assert math.isnan(bayesian_t_test([0.8], [0.7], 0.3).equal)
    assert compare_tests({"a": [0.8], "b": [0.1]}, 0.3).tied == ["a", "b"]


def test_equal_scores_are_tied_and_not_different():
    assert corrected_t_test(A, A, 0.2).p == 1
    assert bayesian_t_test(A, A, 0.2).equal == 1
    found = compare_tests({"a": A, "b": A, "c": A}, 0.2)
    assert found.tied == ["a", "b", "c"]
    assert [each.gap.high for each in found.standings] == [0, 0, 0]
    assert "the spread is unknown" in str(corrected_interval([1.0] * 5, 0.2))


@pytest.mark.parametrize("folds", [2, 3, 10])
def test_a_constant_difference_counts_as_if_one_fold_had_none(folds):
    """Two folds that both differ by one row prove nothing."""
    rng = np.random.default_rng(folds)
    b = rng.uniform(0.1, 0.9, folds)
    found = corrected_t_test(b + 0.1, b, 1 / folds)  # up to rounding
    as_if = corrected_t_test([0.1] * (folds - 1) + [0.0], [0.0] * folds, 1 / folds)
    assert found.t == pytest.approx(as_if.t * folds / (folds - 1))  # the same spread, and the whole mean
    assert (found.p < 0.05) == (folds == 10)
    assert corrected_t_test(b, b + 0.1, 1 / folds, alternative="less").p == pytest.approx(found.p / 2)
    assert corrected_t_test(b, b + 0.1, 1 / folds, alternative="greater").p == pytest.approx(1 - found.p / 2)
    assert bayesian_t_test(b + 0.1, b, 1 / folds, 0.0).better == pytest.approx(1 - found.p / 2)


def test_perfect_models_are_better_than_chance_if_the_size_of_a_fold_is_known():
    """Five folds, all right, where chance always gets half: no spread at all, in twenty models."""
    perfect = {str(i): [1.0] * 5 for i in range(20)}
    assert better_than(perfect, [0.5] * 5, 0.2) == {}
    assert len(better_than(perfect, [0.5] * 5, 0.2, resolution=1 / 30)) == 20
    found = compare_tests(perfect, 0.2, limits=(0, 1), resolution=1 / 30)
    assert len(found.tied) == 20
    score = found.standings[0].score
    assert score.high == 1
    assert 0.95 < score.low < 1
    # A step that is larger than the difference cannot be one.
    small = corrected_t_test([0.51] * 5, [0.5] * 5, 0.2, resolution=0.1)
    assert small.p == corrected_t_test([0.51] * 5, [0.5] * 5, 0.2).p


def test_a_failed_model_is_set_apart():
    found = compare_tests({"a": A, "broken": [0.99, np.nan, 0.99, 0.99, 0.99], "b": B}, 0.2)
    assert found.failed == ["broken"]
    assert [each.name for each in found.standings] == ["a", "b"]
    assert found.standings[1].p_holm == found.standings[1].p  # it counts for no correction
    assert "Failed: broken." in str(found)
    nothing = compare_tests({"broken": [np.nan, 1.0]}, 0.5)
    assert nothing.best is None
    assert str(nothing) == "No model finished all folds."
    assert better_than({"broken": [np.nan, 1.0]}, 0.5, 0.5) == {}


@given(st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=8))
def test_holm_is_the_closed_form(p_values):
    """Adjusted p_(i) is the largest of (m - j + 1) p_(j) for j up to i, at most 1."""
    adjusted = holm(p_values)
    known = sorted(p for p in p_values if not math.isnan(p))
    for p, got in zip(p_values, adjusted, strict=True):
        if math.isnan(p):
            assert math.isnan(got)
        else:
            wanted = max((len(known) - j) * q for j, q in enumerate(known) if q <= p)
            # Of equal p-values the first has the largest factor, which all then have.
            assert got == pytest.approx(min(1, wanted))


def test_the_ranking_says_what_each_part_says():
    rng = np.random.default_rng(3)
    scores = {
        "near": 0.80 + rng.normal(0, 0.01, 10),
        "best": 0.81 + rng.normal(0, 0.01, 10),
        "far": 0.60 + rng.normal(0, 0.01, 10),
    }
    found = compare_tests(scores, 0.1, rope=0.02)
    assert found.best == "best"
    assert found.tied == tied_for_best(scores, 0.1) == ["best", "near"]
    near, far = found.standings[1:]
    assert far.p == corrected_t_test(scores["far"], scores["best"], 0.1).p
    assert far.p_holm == pytest.approx(min(1, 2 * far.p))
    assert near.against_best == bayesian_t_test(scores["near"], scores["best"], 0.1, 0.02)
    assert far.against_best.worse > 0.999
    assert far.gap.low < 0.21 < far.gap.high
    assert str(found).startswith("Best: best, tied with near. Its mean: 0.8")
    assert found.table().count("\n*") == 2
    json.dumps(found.record(), allow_nan=False)


def test_equal_means_are_equal_in_whatever_order_they_were_added():
    # A tenth more and a tenth less: the sums differ in the last bit only.
    scores = {"simple": [0.7, 0.8, 0.9], "complex": [0.9, 0.8, 0.7]}
    assert np.mean(scores["complex"]) > np.mean(scores["simple"])
    assert compare_tests(scores, 1 / 3).best == "simple"


def test_a_gap_is_as_sure_as_the_test_of_it():
    """Where all folds differ by the same, the interval has room if and only if the test has doubts."""
    found = compare_tests({"a": [0.9] * 5, "b": [0.8] * 5}, 0.2, resolution=0.1)
    first, second = found.standings
    assert (first.gap.low, first.gap.high) == (0, 0)
    assert (second.gap.low <= 0) == (second.p > 0.05)
    assert second.gap.low < second.gap.mean < second.gap.high


def test_less_can_be_better():
    found = compare_tests({"a": A, "b": B}, 0.2, higher_is_better=False)
    assert found.best == "b"
    assert found.standings[1].gap.mean == pytest.approx(0.05)
    assert found.standings[1].against_best.worse > 0.9
    assert list(better_than({"b": B, "a": A}, 0.95, 0.2, higher_is_better=False)) == ["b"]


def excluded(models, folds, campaigns, seed):
    """Return how often a model as good as all others is left out of the tied set.

    Folds share training rows, which makes their scores correlate by about their test fraction.
    """
    rng = np.random.default_rng(seed)
    rho = 1 / folds
    left_out = 0
    for _ in range(campaigns):
        shared = rng.normal(0, math.sqrt(rho), (models, 1))
        scores = shared + rng.normal(0, math.sqrt(1 - rho), (models, folds))
        left_out += "0" not in tied_for_best({str(i): each for i, each in enumerate(scores)}, rho)
    return left_out


def test_the_best_is_rarely_left_out():
    assert excluded(models=8, folds=10, campaigns=60, seed=0) <= 4  # 2.5% promised


@pytest.mark.full
def test_the_best_is_rarely_left_out_of_many_comparisons():
    for models in (2, 8, 20):
        count = excluded(models, folds=10, campaigns=2000, seed=models)
        print(f"{models} equal models, 2000 comparisons: one was left out {count} times")
        assert count <= 0.025 * 2000 + 3 * math.sqrt(0.025 * 2000)


def claims(tables):
    """Return on how many tables of pure noise one of four models is claimed to be better than chance."""
    claimed = 0
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((100, 5)), rng.integers(0, 2, 100)
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        models = [DecisionTreeClassifier(random_state=0), GaussianNB(), KNeighborsClassifier(1)]
        models.append(KNeighborsClassifier(5))
        scores = {str(i): cross_val_score(model, X, y, cv=folds) for i, model in enumerate(models)}
        claimed += bool(better_than(scores, cross_val_score(DummyClassifier(), X, y, cv=folds), 0.1))
    return claimed


def test_noise_is_rarely_better_than_the_majority_class():
    assert claims(12) <= 2


@pytest.mark.full
def test_noise_is_rarely_better_than_the_majority_class_on_200_tables():
    count = claims(200)
    print(f"200 tables of noise: {count} claims")
    assert count <= 16


@pytest.mark.parametrize("case", EXPECTED["friedman"], ids=lambda case: f"{len(case['scores'])} models")
def test_friedman_and_nemenyi_are_scipys_and_scikit_posthocs(case):
    scores = {str(i): values for i, values in enumerate(case["scores"])}
    found = friedman_nemenyi(scores)
    assert found.statistic == pytest.approx(case["chi2"], rel=1e-10)
    for i in scores:
        for j in scores:
            wanted = case["pairs"][int(i)][int(j)]
            assert found.pairs[i][j] == pytest.approx(wanted, abs=1e-6), (i, j)
    # The critical difference tells apart exactly the pairs whose p-value does.
    for i, first in found.ranks.items():
        for j, second in found.ranks.items():
            apart = abs(first - second) > found.critical_difference
            assert apart == (found.pairs[i][j] < 0.05)
            together = any(i in group and j in group for group in found.groups)
            assert i == j or together == (not apart)


#: The upper 5% points of the studentized range with infinite degrees of freedom, as tables print them.
RANGES = {2: 2.772, 3: 3.314, 4: 3.633, 5: 3.858, 6: 4.030, 7: 4.170, 8: 4.286, 9: 4.387, 10: 4.474}


@pytest.mark.parametrize(("models", "q"), RANGES.items())
def test_the_critical_difference_is_by_the_printed_studentized_range(models, q):
    rng = np.random.default_rng(models)
    found = friedman_nemenyi({str(i): rng.normal(size=14) for i in range(models)})
    unit = math.sqrt(models * (models + 1) / (6 * 14))
    assert found.critical_difference / unit * math.sqrt(2) == pytest.approx(q, abs=5.5e-4)


def test_ranks_of_ties_failures_and_all_equal():
    found = friedman_nemenyi({"a": [1.0, 1.0], "b": [1.0, np.nan], "c": [0.5, np.nan]})
    assert found.ranks == {"a": 1.25, "b": 2.0, "c": 2.75}
    equal = friedman_nemenyi({"a": [1.0, 2.0], "b": [1.0, 2.0]})
    assert (equal.statistic, equal.p) == (0, 1)
    assert equal.groups == [["a", "b"]]
    always = friedman_nemenyi({"a": [2.0] * 4, "b": [1.0] * 4})
    assert (always.f, always.p) == (math.inf, 2 / 2**4)
    json.dumps(always.record(), allow_nan=False)
    assert friedman_nemenyi({"a": [1, 1, 1], "b": [2, 2, 2]}, higher_is_better=False).ranks["a"] == 1


#: Models, tables, χ² and how often that much comes by chance, as tables of Friedman's exact test print it.
EXACT = [(3, 3, 6.0, 0.028), (3, 4, 6.5, 0.042), (3, 4, 8.0, 0.0046), (4, 2, 6.0, 0.042), (2, 2, 2.0, 0.5)]


@pytest.mark.parametrize(("models", "tables", "chi2", "p"), EXACT)
def test_few_tables_have_the_exact_p_value(models, tables, chi2, p):
    rng = np.random.default_rng(0)
    found = (
        friedman_nemenyi(dict(zip("abcd", rng.normal(size=(models, tables)), strict=False)))
        for _ in range(5000)
    )
    hit = next(each for each in found if each.statistic == pytest.approx(chi2))
    assert hit.p == pytest.approx(p, abs=6e-4)


def test_two_tables_that_agree_prove_nothing():
    """F would be infinite and its p-value 0, in half of all pairs of tables."""
    found = friedman_nemenyi({"a": [0.9, 0.8], "b": [0.8, 0.7]})
    assert (found.f, found.p) == (math.inf, 0.5)
    assert "are not significantly different" in str(found)


def test_the_diagram_shows_every_model_and_every_group():
    rng = np.random.default_rng(0)
    scores = {f"model {i}": rng.normal(i / 2, 1, 30) for i in range(7)}
    display = CriticalDifferenceDisplay.from_scores(scores)
    told = [text.get_text() for text in display.ax_.texts]
    for name, rank in display.result.ranks.items():
        assert any(name in text and f"{rank:.2f}" in text for text in told)
    bars = [line for line in display.ax_.lines if line.get_label() == "_group"]
    assert [sorted(bar.get_xdata()) for bar in bars] == [
        [display.result.ranks[group[0]] - 0.04, display.result.ranks[group[-1]] + 0.04]
        for group in display.result.groups
    ]
    ax = Figure().subplots()
    assert display.plot(ax).ax_ is ax


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: corrected_interval([], 0.1), "scores must be one number for each fold, got []."),
        (
            lambda: corrected_interval([math.inf], 0.1),
            "scores must be finite, or NaN where a fold failed, got inf.",
        ),
        (lambda: corrected_interval([1, 2], 1), "test_fraction must be a number above 0 and below 1, got 1."),
        (
            lambda: corrected_interval([1, 2], 0.1, 0),
            "confidence must be a number above 0 and below 1, got 0.",
        ),
        (lambda: corrected_t_test([1, 2], [1], 0.1), "b must be 2 scores long, as long as a, got 1."),
        (
            lambda: corrected_t_test([1], [1], 0.1, alternative="more"),
            "alternative must be 'two-sided', 'greater' or 'less', got 'more'.",
        ),
        (
            lambda: corrected_t_test([1], [1], 0.1, resolution=0),
            "resolution must be a number above 0 or None, got 0.",
        ),
        (lambda: bayesian_t_test([1], [1], 0.1, -1), "rope must be a number of at least 0, got -1."),
        (lambda: holm([0.5, 2]), "p_values must be a sequence of numbers from 0 to 1, got [0.5, 2]."),
        (
            lambda: compare_tests({"a": [1, 2], "b": [1]}, 0.1),
            "scores must be of the same folds for every model, got [1, 2].",
        ),
        (lambda: friedman_nemenyi({"a": [1, 2]}), "scores must be of at least 2 models, got 1."),
        (lambda: friedman_nemenyi({"a": [1], "b": [2]}), "scores must be of at least 2 tables, got 1."),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_sentence(call, message):
    with pytest.raises(ClassicaError) as refused:
        call()
    assert str(refused.value) == message
