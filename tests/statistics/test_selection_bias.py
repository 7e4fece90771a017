"""The loss of the best of many, corrected for the selection: checked where the truth is known."""

import time

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

import classica
from classica.comparison.race.elimination import surviving_points
from classica.errors import DataError, ParameterError
from classica.statistics.row_differences import error_law, row_test
from classica.statistics.selection_bias import selected_by_group, selected_loss
from classica.statistics.selection_rules import simplest


def losses(rates, rows, random):
    """Return losses of 0 and 1 of configurations with these error rates."""
    return (random.random((rows, len(rates))) < np.asarray(rates)).astype(float)


def test_a_single_configuration_keeps_its_mean():
    table = losses([0.3], 400, np.random.default_rng(0))
    found = selected_loss(table)
    assert found.mean == pytest.approx(table.mean(), abs=0.005)
    assert found.optimism == pytest.approx(0, abs=0.005)
    assert found.low < table.mean() < found.high
    assert np.isnan([found.gain, found.gain_low, found.gain_high]).all()


def test_the_luckiest_of_many_equals_is_not_better():
    """Over 60 tables the mean of the luckiest of 40 flatters by four points; corrected, it does not."""
    plain, corrected = [], []
    for seed in range(60):
        table = losses([0.4] * 40, 150, np.random.default_rng(seed))
        found = selected_loss(table, samples=100, random_state=seed)
        plain.append(table[:, found.chosen].mean())
        corrected.append(found.mean)
    assert np.mean(plain) < 0.33
    assert np.mean(corrected) == pytest.approx(0.4, abs=0.01)


def test_noise_beats_no_baseline():
    """The gain over a baseline that is as good is claimed by chance alone: in 2.5% of tables at most."""
    claims = 0
    for seed in range(100):
        random = np.random.default_rng(seed)
        table = losses([0.5] * 30, 200, random)
        found = selected_loss(table, losses([0.5], 200, random), samples=100, random_state=seed)
        claims += found.gain_low > 0
    assert claims <= 7  # more would be seen once in a thousand times


def test_a_real_gain_is_seen():
    random = np.random.default_rng(0)
    found = selected_loss(losses([0.2, 0.4, 0.4], 500, random), losses([0.5], 500, random))
    assert found.chosen == 0
    assert found.gain_low > 0.15
    assert found.gain == pytest.approx(0.3, abs=0.06)


def test_of_equal_means_the_first_is_selected():
    table = np.tile(np.arange(10.0)[:, None], 3)
    assert selected_loss(table).chosen == 0


def test_memory_does_not_grow_with_the_samples(monkeypatch):
    table = losses([0.2, 0.3], 300, np.random.default_rng(0))
    whole = selected_loss(table, samples=50)
    monkeypatch.setattr("classica.statistics.selection_bias._BLOCK", 1000)
    assert selected_loss(table, samples=50).mean == pytest.approx(whole.mean, abs=1e-12)


def test_rows_that_not_all_have_predicted_are_left_out():
    table = losses([0.2, 0.3, 0.3], 300, np.random.default_rng(0))
    part = table.copy()
    part[200:, 1] = np.nan
    part[:10, 2] = np.nan
    assert selected_loss(part).record() == selected_loss(table[10:200]).record()
    assert selected_loss(part).rows == 190
    floor = np.where(np.arange(300) < 50, np.nan, 0.5)
    assert selected_loss(part, floor).rows == 150


def test_what_left_early_is_imputed_and_never_chosen():
    table = losses([0.3, 0.3, 0.5], 300, np.random.default_rng(0))
    table[100:, 2] = np.nan
    table[:100, 2] = 0  # so far the best
    found = selected_loss(table, impute=True)
    assert found.rows == 300
    assert found.chosen == selected_loss(table[:, :2]).chosen
    assert selected_loss(table[:, :2], impute=True).record() == selected_loss(table[:, :2]).record()
    nothing = np.column_stack([table[:, :2], np.full(300, np.nan)])
    assert selected_loss(nothing, impute=True).mean == pytest.approx(selected_loss(table[:, :2]).mean)


def test_the_survivors_of_many_equals_are_not_better():
    """Of 40 equal configurations three go on after 30% of the rows; what that flatters is corrected, too."""
    alone, imputed = [], []
    for seed in range(60):
        random = np.random.default_rng(seed)
        common = random.random((200, 1))
        draws = np.where(random.random((200, 1)) < 0.8, common, random.random((200, 40)))
        table = (draws < 0.4).astype(float)
        kept = surviving_points({place: table[:60, place] for place in range(40)}, 3)
        alone.append(selected_loss(table[:, kept], samples=100).mean)
        table[60:, np.setdiff1d(np.arange(40), kept)] = np.nan
        imputed.append(selected_loss(table, impute=True, samples=100).mean)
    assert np.mean(alone) < 0.395
    assert np.mean(imputed) == pytest.approx(0.4, abs=0.012)
    assert np.mean(imputed) > np.mean(alone)


def test_groups_share_the_samples_but_not_the_selection():
    table = losses([0.4] * 6, 150, np.random.default_rng(0))
    found = selected_by_group(table, [0, 0, 0, 1, 1, 1])
    assert found[0].record() == selected_loss(table[:, :3]).record()
    assert found[1].mean == selected_loss(table[:, 3:]).mean
    assert found[1].chosen == selected_loss(table[:, 3:]).chosen + 3


def simplest_by_hand(table, groups, margin, probability):
    """Return the best configuration of the simplest model that is probably as good as the best."""
    means = table.mean(axis=0)
    leader = int(np.argmin(means))
    for group in np.unique(groups):
        places = np.flatnonzero(groups == group)
        place = int(places[np.argmin(means[places])])
        test = row_test(table[:, leader], table[:, place])
        if place == leader or as_good(test, margin) >= probability - 1e-9:
            return place
    return leader


def as_good(test, margin):
    """Return how probably the second model of a test is at most the margin worse."""
    if not test.error:
        return float(test.difference <= margin)
    return error_law(test.units).cdf((margin - test.difference) / test.error)


@pytest.mark.parametrize("probability", [0.5, 0.8])
@pytest.mark.parametrize("margin", [0.0, 0.01, 0.05, 0.5])
def test_the_simplest_is_selected_as_by_hand(margin, probability):
    groups = np.array([0, 0, 1, 1, 1, 2])
    for seed in range(20):
        random = np.random.default_rng(seed)
        table = random.gamma(1, 1, (60, 6)) * [1.1, 1.2, 1.0, 1.1, 1.0, 0.9]
        select = simplest(table, np.ones(60), groups, margin, probability)
        weights = random.multinomial(60, np.full(60, 1 / 60), size=30).astype(float)
        found = select(weights, weights @ table / 60)
        drawn = [np.repeat(table, counts.astype(int), axis=0) for counts in weights]
        assert found.tolist() == [simplest_by_hand(each, groups, margin, probability) for each in drawn]
        options = {"margin": margin, "probability": probability, "samples": 20}
        chosen = selected_loss(table, rule="simplest", groups=groups, **options).chosen
        assert chosen == simplest_by_hand(table, groups, margin, probability)


def test_rows_that_are_copies_prove_no_more_than_one_does():
    table = losses([0.3, 0.32, 0.25], 80, np.random.default_rng(0))
    groups, copies = [0, 0, 1], np.repeat(np.arange(80), 4)
    for options in ({}, {"rule": "simplest", "groups": groups, "margin": 0.1}):
        alone = selected_loss(table, table[:, 0], **options).record()
        found = selected_loss(table[copies], table[copies, 0], clusters=copies, **options).record()
        assert found.pop("rows") == 4 * alone.pop("rows")
        assert found == pytest.approx(alone)


def test_the_simplest_costs_what_it_is_worse():
    random = np.random.default_rng(0)
    table = losses([0.21, 0.2], 2000, random)
    best = selected_loss(table, rule="best")
    simple = selected_loss(table, rule="simplest", groups=[0, 1], margin=0.05)
    assert (best.chosen, simple.chosen) == (1, 0)
    assert simple.mean > best.mean


def test_no_error_at_all_is_no_proof_of_perfection():
    """Of 100 rows without an error the upper end is the rule of three's, by Clopper and Pearson."""
    found = selected_loss(np.zeros((100, 3)))
    assert (found.mean, found.low) == (0.0, 0.0)
    assert found.high == pytest.approx(1 - 0.025 ** (1 / 100))
    assert selected_loss(np.ones((100, 3))).low == pytest.approx(0.025 ** (1 / 100))
    some = selected_loss(np.eye(200)[:, :1])
    assert some.high >= 0.0275  # one error of 200
    assert selected_loss(np.full((100, 2), 0.3)).high == pytest.approx(0.3)  # no share: nothing is known


def test_a_few_rows_have_wider_intervals():
    random = np.random.default_rng(0)
    table = random.normal(size=(29, 1))
    few, more = selected_loss(table), selected_loss(np.vstack([table, table[:1]]))
    assert few.high - few.low > more.high - more.low


@pytest.mark.parametrize(("rows", "configurations", "most"), [(5000, 150, 1.5), (60_000, 60, 4.0)])
@pytest.mark.parametrize("rule", ["best", "simplest"])
def test_large_tables_take_little_time(rows, configurations, most, rule):
    """In time of the processor, which other work on the machine does not add to."""
    rates = np.linspace(0.2, 0.22, configurations)
    table = losses(rates, rows, np.random.default_rng(0))
    start = time.process_time()
    selected_loss(table, rule=rule, groups=np.arange(configurations) // 8, margin=0.01)
    assert time.process_time() - start < most


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"rule": "worst"}, ParameterError, "rule must be 'best' or 'simplest'"),
        ({"rule": "simplest"}, DataError, "groups must be given"),
        ({"rule": "simplest", "groups": [0.0, 1.0]}, DataError, "groups must be 2 whole numbers"),
        ({"baseline": [0.0, 1.0]}, DataError, "baseline must be 3 finite numbers"),
        ({"confidence": 1.0}, ParameterError, "confidence must be a number above 0 and below 1"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, error, text):
    with pytest.raises(error, match=text):
        selected_loss(np.zeros((3, 2)), **options)


@pytest.mark.parametrize("wrong", [[[0.0, np.nan]] * 3, [[0.0]], np.empty((5, 0)), [[[0.0]]]])
def test_what_are_no_losses_is_refused(wrong):
    with pytest.raises(DataError, match="losses must be a finite number for every row and configuration"):
        selected_loss(wrong)


CONFIGURATIONS = (
    classica.KNeighborsClassifier(n_neighbors=9),
    classica.KNeighborsClassifier(n_neighbors=1),
    classica.LinearDiscriminantClassifier(),
    classica.NaiveBayesClassifier(),
    classica.DecisionTreeClassifier(max_depth=3),
    classica.DecisionTreeClassifier(),
    classica.C45Classifier(),
    classica.LogisticClassifier(C=0.1),
    classica.LogisticClassifier(C=10.0),
)
#: Models with grids as a race has them.
GRIDS = (
    [classica.LinearDiscriminantClassifier()],
    [classica.LogisticClassifier(C=strength) for strength in (0.001, 0.01, 0.1, 1.0, 10.0)],
    [classica.DecisionTreeClassifier(max_depth=depth) for depth in (1, 2, 3, 4, 6, None)],
    [classica.KNeighborsClassifier(n_neighbors=count) for count in (1, 3, 5, 9, 15, 25)],
)


def linear(rows, random):
    y = random.integers(0, 2, rows)
    return random.normal(size=(rows, 6)) + 0.5 * y[:, None] * (np.arange(6) < 3), y


def steps(rows, random):
    X = random.normal(size=(rows, 5))
    odds = np.exp(3 * (np.sign(X[:, 0]) + (X[:, 1] > 0.5) - (X[:, 2] > 0)))
    return X, (random.random(rows) < odds / (1 + odds)).astype(int)


def three(rows, random):
    y = random.integers(0, 3, rows)
    X = random.normal(size=(rows, 4))
    X[:, 0] += 1.2 * (y == 1)
    X[:, 1] += 1.2 * (y == 2)
    return X, y


def held_out(models, X, y, folds):
    """Return the errors of each model on every row."""
    table = np.empty((len(y), len(models)))
    for train, test in folds:
        for number, model in enumerate(models):
            table[test, number] = model.fit(X[train], y[train]).predict(X[test]) != y[test]
    return table


def folds_of(X, y, seed):
    return list(StratifiedKFold(10, shuffle=True, random_state=seed).split(X, y))


def covered(generate, rows, seed):
    """Return whether the interval holds the error of the delivered model on 20,000 fresh rows."""
    random = np.random.default_rng([5, seed])
    X, y = generate(rows, random)
    table = held_out(CONFIGURATIONS, X, y, folds_of(X, y, seed))
    found = selected_loss(table, random_state=seed, samples=200)
    fresh, labels = generate(20_000, random)
    truth = np.mean(CONFIGURATIONS[found.chosen].fit(X, y).predict(fresh) != labels)
    return found.low <= truth <= found.high


def raced(generate, rows, seed):
    """Return how far four corrections are off after a race, and whether their intervals hold the truth.

    Grid points leave after three of ten folds; the corrections see all points as if none had left, the
    survivors, and the survivors with what left imputed, at last by the rule that selects the simplest.
    """
    random = np.random.default_rng([6, seed])
    X, y = generate(rows, random)
    folds, models = folds_of(X, y, seed), [model for grid in GRIDS for model in grid]
    groups = np.repeat(np.arange(len(GRIDS)), [len(grid) for grid in GRIDS])
    table = held_out(models, X, y, folds)
    early = np.concatenate([test for _, test in folds[:3]])
    left = np.ones(len(models), dtype=bool)
    for group in range(len(GRIDS)):
        points = {place: table[early, place] for place in np.flatnonzero(groups == group)}
        left[surviving_points(points, 3)] = False
    partly = np.where(left & ~np.isin(np.arange(rows), early)[:, None], np.nan, table)
    fresh, labels = generate(20_000, random)
    found, whole = [], groups >= 0
    for losses, places, rule in (
        (table, whole, "best"),
        (table, ~left, "best"),
        (partly, whole, "best"),
        (partly, whole, "simplest"),
    ):
        score = selected_loss(
            losses[:, places],
            impute=True,
            rule=rule,
            groups=groups[places],
            margin=0.01,
            random_state=seed,
            samples=200,
        )
        model = np.array(models, dtype=object)[places][score.chosen]
        truth = np.mean(model.fit(X, y).predict(fresh) != labels)
        found.append((score.mean - truth, score.low <= truth <= score.high))
    return found


def test_intervals_hold_after_a_race():
    """A bounded form: of 16 tables at least 12."""
    found = np.array([raced(linear, 80, seed) for seed in range(16)])
    assert (found[:, :, 1].sum(axis=0) >= 12).all()


@pytest.mark.full
def test_intervals_hold_the_truth_after_a_race():
    tables = [(generate, rows) for generate in (linear, steps, three) for rows in (80, 200, 600)]
    found = np.array([[raced(*table, seed) for seed in range(30)] for table in tables])
    print("all, survivors, imputed, simplest: off by", found[..., 0].mean(axis=(0, 1)).round(4))
    print(
        "coverage", found[..., 1].mean(axis=(0, 1)).round(3), "least", found[..., 1].mean(axis=1).min(axis=0)
    )
    assert (found[..., 1].mean(axis=(0, 1)) >= 0.92).all()


@pytest.mark.full
def test_intervals_hold_the_truth_of_the_delivered_model():
    tables = [(generate, rows) for generate in (linear, steps, three) for rows in (80, 200, 600)]
    hits = {
        f"{generate.__name__} {rows}": np.mean([covered(generate, rows, seed) for seed in range(50)])
        for generate, rows in tables
    }
    print(hits)
    assert np.mean(list(hits.values())) >= 0.92
