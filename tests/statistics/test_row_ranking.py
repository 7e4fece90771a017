"""The ranking from rows: who is best, who is tied with it, who beats the baseline."""

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

import classica
from classica.errors import DataError
from classica.statistics.row_differences import row_test
from classica.statistics.row_ranking import better_than_baseline_rows, rank_rows
from classica.statistics.selection_bias import selected_loss


def accuracy(loss):
    return 1 - loss


def errors(rate, rows=2000, seed=0):
    """Return losses of 0 and 1 with this mean, spread over the rows."""
    found = np.zeros(rows)
    found[np.random.default_rng(seed).permutation(rows)[: round(rate * rows)]] = 1
    return found


def ranked(losses, baseline=None, **options):
    """Return the ranking; with a baseline, only models that are better than it can be tied for best."""
    if baseline is not None:
        others = {name: each for name, each in losses.items() if name != baseline}
        options["better"] = better_than_baseline_rows(others, losses[baseline])
    return rank_rows(losses, to_score=accuracy, **options)


def test_models_come_from_the_best_to_the_worst_with_their_scores():
    found = ranked({"a": errors(0.2), "b": errors(0.1, seed=1), "c": errors(0.5, seed=2)})
    assert [each.name for each in found.standings] == ["b", "a", "c"]
    assert [each.score.mean for each in found.standings] == pytest.approx([0.9, 0.8, 0.5])
    assert [each.gap.mean for each in found.standings] == pytest.approx([0, 0.1, 0.4])
    assert all(each.score.low < each.score.mean < each.score.high for each in found.standings)
    assert all(each.gap.low <= each.gap.mean <= each.gap.high for each in found.standings)
    assert (found.best, found.tied, found.failed) == ("b", ["b"], [])
    first = found.standings[0]
    assert (first.p, first.p_holm, first.against_best.equal, first.tied) == (1.0, 1.0, 1.0, True)
    assert found.alpha == pytest.approx(0.05)


def test_a_loss_that_is_the_score_has_its_interval_the_right_way_round():
    random = np.random.default_rng(0)
    found = rank_rows({"a": random.random(200), "b": 2 * random.random(200)}, to_score=float, limits=(0, 1))
    assert found.best == "a"
    for each in found.standings:
        assert 0 <= each.score.low <= each.score.mean <= each.score.high <= 1


def test_the_tests_are_those_of_the_rows():
    one, other = errors(0.20, 500), errors(0.25, 500, 1)
    halves = {"a": np.array([[0.2, 0.3], [0.3, 0.2]]), "b": np.array([[0.4, 0.1], [0.2, 0.5]])}
    found = ranked({"a": one, "b": other}, halves=halves).standings[1]
    by_hand = row_test(one, other, halves["b"] - halves["a"])
    assert (found.p, found.p_holm) == (pytest.approx(by_hand.p), pytest.approx(by_hand.p))
    assert found.gap.high - found.gap.mean == pytest.approx(1.959964 * by_hand.error)
    assert found.against_best.worse + found.against_best.equal + found.against_best.better == pytest.approx(1)
    assert found.against_best.worse > found.against_best.better
    alone = ranked({"a": one, "b": other}, halves={"a": halves["a"]}).standings[1]
    assert alone.p == pytest.approx(row_test(one, other).p)
    failed = ranked({"a": one, "b": other}, halves={**halves, "b": np.full((2, 2), np.nan)}).standings[1]
    assert failed.p == pytest.approx(alone.p)


def test_a_few_rows_are_compared_by_students_t():
    found = ranked({"a": errors(0.2, 20), "b": errors(0.6, 20, 1)}).standings[1]
    reach = found.gap.high - found.gap.mean
    assert reach == pytest.approx(2.093 * row_test(errors(0.2, 20), errors(0.6, 20, 1)).error, rel=1e-3)


def test_of_equal_models_the_first_is_the_best():
    same = errors(0.3)
    found = ranked({"simple": same, "large": same.copy()})
    assert (found.best, found.tied) == ("simple", ["simple", "large"])
    assert found.standings[1].p == 1.0


def test_an_easy_part_of_the_table_is_no_advantage():
    """A model that was stopped after the easy rows looks best by its mean, but was worse on them."""
    hard = errors(0.6, 1000, 1)
    leader = np.concatenate([errors(0.1, 1000), hard])
    stopped = np.concatenate([errors(0.15, 1000), np.full(1000, np.nan)])
    stopped[:1000] = np.maximum(leader[:1000], stopped[:1000])
    found = ranked({"stopped": stopped, "leader": leader})
    assert np.nanmean(stopped) < leader.mean()
    assert found.best == "leader"
    behind = stopped[:1000].mean() - leader[:1000].mean()
    assert found.standings[1].score.mean == pytest.approx(1 - leader.mean() - behind)
    assert found.standings[1].gap.mean == pytest.approx(behind)
    assert found.standings[1].gap.folds == 1000


def test_the_choice_among_many_points_does_not_win_by_luck():
    random = np.random.default_rng(3)
    tuned = (random.random((150, 40)) < 0.4).astype(float)
    best = tuned[:, tuned.mean(axis=0).argmin()]
    plain = errors(0.39, 150, 5)
    assert ranked({"plain": plain, "tuned": best}).best == "tuned"
    found = ranked({"plain": plain, "tuned": best}, points={"tuned": tuned})
    assert found.best == "plain"
    optimism = selected_loss(tuned, samples=400).optimism
    assert found.standings[1].score.mean == pytest.approx(1 - best.mean() - optimism)


def test_a_model_that_was_judged_otherwise_than_its_points_has_an_interval_of_its_own():
    """Calibration may cost a tuned model much of its accuracy: the points say nothing about its score."""
    tuned = np.column_stack([errors(0.002, seed=1), errors(0.004, seed=2)])
    judged = errors(0.16, seed=3)
    alone = ranked({"a": judged, "b": errors(0.3, seed=4)}).standings[0].score
    found = ranked({"a": judged, "b": errors(0.3, seed=4)}, points={"a": tuned}).standings[0].score
    assert found.mean == pytest.approx(0.84, abs=0.002)
    assert found.high - found.low == pytest.approx(alone.high - alone.low, rel=0.1)
    assert alone.high - alone.low > 0.03


def test_points_that_left_early_count_but_are_never_chosen():
    table = np.column_stack([errors(0.3, 100), errors(0.1, 100, 1)])
    table[30:, 1] = np.nan
    found = ranked({"a": table[:, 0]}, points={"a": table})
    assert found.standings[0].score.mean == pytest.approx(0.7)  # not better for what was not delivered
    assert found.standings[0].score.folds == 100
    table[0, 0] = np.nan  # no point has predicted what the model has: nothing to correct by
    assert ranked({"a": errors(0.3, 100)}, points={"a": table}).standings[0].score.mean == 0.7


def test_the_tied_set_has_no_baseline_and_nobody_who_does_not_beat_it():
    same = errors(0.2)
    table = {"a": same, "b": errors(0.21, seed=1), "chance": errors(0.3, seed=2), "c": errors(0.31, seed=3)}
    assert ranked(table, baseline="chance").tied == ["a", "b"]
    even = {"a": errors(0.49, 200), "chance": errors(0.5, 200, 1), "b": errors(0.5, 200, 2)}
    assert ranked(even).tied == ["a", "chance", "b"]
    assert ranked(even, baseline="chance").tied == []
    assert "not significantly better than the baseline" in str(ranked(even, baseline="chance"))


def test_there_are_no_holes():
    """A model on a few rows is not tied where one that is better is significantly worse than the best."""
    few = np.full(2000, np.nan)
    few[:8] = errors(0.5, 8, 4)
    found = ranked({"best": errors(0.05), "worse": errors(0.15, seed=1), "few": few})
    assert [each.name for each in found.standings] == ["best", "worse", "few"]
    assert found.standings[2].p_holm > 0.05
    assert found.tied == ["best"]


def test_a_leader_on_few_rows_does_not_hide_that_others_beat_the_baseline():
    few = np.full(2000, np.nan)
    few[:30] = 0.0
    table = {"few": few, "solid": errors(0.2), "chance": errors(0.3, seed=1)}
    found = ranked(table, baseline="chance")
    assert found.best == "few"
    assert "solid" in found.tied


def test_models_that_predicted_nothing_have_failed():
    nothing = np.full(50, np.nan)
    found = ranked({"a": nothing, "b": errors(0.2, 50)})
    assert (found.best, found.failed) == ("b", ["a"])
    assert ranked({"a": nothing}).standings == []


def test_models_without_common_rows_cannot_be_told_apart():
    one, other = errors(0.1, 100), errors(0.6, 100, 1)
    one[:50], other[50:] = np.nan, np.nan
    found = ranked({"a": one, "b": other})
    assert found.tied == ["a", "b"]
    assert np.isnan(
        [found.standings[1].p, found.standings[1].gap.low, found.standings[1].against_best.equal]
    ).all()


def test_better_than_the_baseline_is_one_sided_and_adjusted():
    baseline = errors(0.3, 500)
    table = {"good": errors(0.15, 500, 1), "even": errors(0.29, 500, 2), "bad": errors(0.6, 500, 3)}
    found = better_than_baseline_rows(table, baseline)
    assert list(found) == ["good"]
    assert found["good"] == pytest.approx(3 * row_test(baseline, table["good"]).p / 2)
    assert better_than_baseline_rows(table, np.full(500, np.nan)) == {}


def test_a_baseline_that_is_worse_than_a_constant_is_taken_to_be_as_good():
    baseline, model = errors(0.6, 500), {"a": errors(0.5, 500, 1)}
    assert better_than_baseline_rows(model, baseline)
    assert not better_than_baseline_rows(model, baseline, constant=0.5)
    assert better_than_baseline_rows(model, baseline, constant=0.9) == better_than_baseline_rows(
        model, baseline
    )


def test_the_luckiest_point_does_not_beat_the_baseline():
    random = np.random.default_rng(7)
    points = (random.random((100, 60)) < 0.5).astype(float)
    best = points[:, points.mean(axis=0).argmin()]
    baseline = errors(0.65, 100)
    assert better_than_baseline_rows({"a": best}, baseline)
    assert not better_than_baseline_rows({"a": best}, baseline, points={"a": points})


def test_clusters_that_are_alike_make_differences_seldom():
    """Two models are equally good, but which of them is better differs by cluster, not by row."""
    names = np.repeat(np.arange(30), 20)
    claims = {"rows": 0, "clusters": 0}
    for seed in range(100):
        random = np.random.default_rng(seed)
        rates = random.choice([0.0, 0.6], (2, 30))[:, names]
        table = dict(zip("ab", (random.random((2, 600)) < rates).astype(float), strict=True))
        claims["rows"] += len(ranked(table).tied) == 1
        claims["clusters"] += len(ranked(table, clusters=names).tied) == 1
    assert claims["rows"] > 20
    assert claims["clusters"] <= 8


def test_scores_of_a_few_clusters_are_less_certain():
    table = {"a": np.repeat(errors(0.3, 30), 20)}
    rows = ranked(table).standings[0].score
    clusters = ranked(table, clusters=np.repeat(np.arange(30), 20)).standings[0].score
    assert clusters.high - clusters.low > 3 * (rows.high - rows.low)
    assert clusters.mean == pytest.approx(rows.mean)
    with pytest.raises(DataError, match="clusters must be one name for each row"):
        ranked(table, clusters=np.arange(3))


@pytest.mark.parametrize(
    ("losses", "text"),
    [
        ({"a": [0.0, 1.0], "b": [0.0]}, "losses must be one number for each row"),
        ({}, "losses must be one number for each row"),
        ({"a": [[0.0, 1.0]]}, "losses must be one number for each row"),
        ({"a": [0.0, np.inf]}, "losses must be finite"),
    ],
)
def test_what_cannot_be_ranked_is_refused(losses, text):
    with pytest.raises(DataError, match=text):
        ranked(losses)


def test_halves_of_different_partitions_are_refused():
    halves = {"a": np.zeros((2, 2)), "b": np.zeros((3, 2))}
    with pytest.raises(DataError, match="halves must be of the same partitions"):
        ranked({"a": errors(0.1), "b": errors(0.2)}, halves=halves)


#: Cheap models with small grids, the simplest first.
GRIDS = {
    "lda": [classica.LinearDiscriminantClassifier()],
    "bayes": [classica.NaiveBayesClassifier()],
    "logistic": [classica.LogisticClassifier(C=strength) for strength in (0.01, 1.0, 100.0)],
    "qda": [classica.QuadraticDiscriminantClassifier()],
    "stump": [classica.DecisionTreeClassifier(max_depth=depth) for depth in (1, 2, 3)],
    "tree": [classica.DecisionTreeClassifier(min_samples_leaf=leaf) for leaf in (1, 5, 20)],
    "c45": [classica.C45Classifier()],
    "knn": [classica.KNeighborsClassifier(n_neighbors=count) for count in (1, 5, 15)],
}


def held_out(models, X, y, seed):
    """Return the errors of each model on every row, held out by ten folds."""
    table = np.empty((len(y), len(models)))
    for train, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(X, y):
        for number, model in enumerate(models):
            table[test, number] = model.fit(X[train], y[train]).predict(X[test]) != y[test]
    return table


def claims_something(rows, share, seed):
    """Return whether any model is claimed to be better than the baseline on a table of pure noise."""
    random = np.random.default_rng([17, rows, seed])
    X, y = random.normal(size=(rows, 5)), np.zeros(rows, dtype=int)
    y[random.permutation(rows)[: max(10, random.binomial(rows, share))]] = 1  # in every fold
    points = {name: held_out(models, X, y, seed) for name, models in GRIDS.items()}
    best = {name: table[:, table.mean(axis=0).argmin()] for name, table in points.items()}
    baseline = held_out([classica.ChanceClassifier()], X, y, seed)[:, 0]
    constant = min(y.mean(), 1 - y.mean())
    options = {"points": points, "random_state": seed}
    better = better_than_baseline_rows(best, baseline, constant=constant, **options)
    found = ranked({**best, "chance": baseline}, better=better, **options)
    assert bool(found.tied) == bool(better)
    return bool(better)


def test_noise_is_seldom_claimed_to_beat_the_baseline():
    """A bounded form: of 24 tables no more than 5 (6.4% would exceed that twice in a thousand)."""
    tables = [(60, 0.5), (60, 0.3), (200, 0.5)]
    assert sum(claims_something(*table, seed) for table in tables for seed in range(8)) <= 5


@pytest.mark.full
def test_noise_beats_the_baseline_no_more_often_than_the_level_allows():
    tables = [(rows, share) for rows in (60, 200, 1000) for share in (0.5, 0.3)]
    claims = {table: [claims_something(*table, seed) for seed in range(167)] for table in tables}
    print({table: int(np.sum(each)) for table, each in claims.items()})
    assert np.mean(list(claims.values())) <= 0.064
