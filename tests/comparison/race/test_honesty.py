"""What a race promises, where the truth is known: no claims about noise, and intervals that hold."""

import numpy as np
import polars as pl
import pytest

from classica.comparison.contender import Contender
from classica.comparison.judging import delivered
from classica.comparison.preparing import encoded
from classica.comparison.race.points import Points
from classica.comparison.race.results import race_results
from classica.comparison.ranking import better_than_baseline
from tests.comparison.race.playing import played, race_workspace, summary_of

MODELS = ["chance", "lda", "naive-bayes", "tree", "knn", "nearest-mean", "logistic", "qda"]


def frame(X, y):
    return pl.DataFrame({f"x{i}": X[:, i] for i in range(X.shape[1])}).with_columns(
        y=pl.Series(np.array(["a", "b", "c"])[y])
    )


def noise(seed):
    random = np.random.default_rng([77, seed])
    rows, share = (60, 150, 400)[seed % 3], (0.5, 0.7)[seed // 3 % 2]
    return frame(random.normal(size=(rows, 5)), (random.random(rows) >= share).astype(int))


def claims(folder, seed):
    """Return whether a model was claimed to beat the baseline at the first leaderboard, 25%, 50%, the end."""
    found = []

    def look(race):
        found.append((race.meter.spent, bool(better_than_baseline(race.workspace, race_results(race)))))

    race = played(folder, race_workspace(noise(seed), "y", MODELS, seed=seed), look)
    whole = race.meter.spent
    by_then = [[claim for spent, claim in found if spent <= part * whole] for part in (0.25, 0.5)]
    return [found[0][1], *(seen[-1] if seen else found[0][1] for seen in by_then), found[-1][1]]


def linear(rows, random):
    y = random.integers(0, 2, rows)
    return random.normal(size=(rows, 6)) + 0.5 * y[:, None] * (np.arange(6) < 3), y


def steps(rows, random):
    X = random.normal(size=(rows, 5))
    odds = np.exp(3 * (np.sign(X[:, 0]) + (X[:, 1] > 0.5) - (X[:, 2] > 0)))
    return X, (random.random(rows) < odds / (1 + odds)).astype(int)


def rings(rows, random):
    y = random.integers(0, 3, rows)
    angle, radius = random.uniform(0, 2 * np.pi, rows), 1.0 + y + random.normal(scale=0.45, size=rows)
    return np.column_stack([radius * np.cos(angle), radius * np.sin(angle), random.normal(size=rows)]), y


def covered(folder, generate, rows, seed, fresh_rows=100_000):
    """Return whether the headline's interval holds the accuracy of the delivered model on fresh rows."""
    random = np.random.default_rng([5, seed])
    X, y = generate(rows, random)
    workspace = race_workspace(frame(X, y), "y", MODELS, seed=seed)
    race = played(folder, workspace)
    summary = summary_of(race)
    entry, contender = race.entries[summary.recommended], Contender(summary.recommended)
    chosen = Points(contender, workspace.settings).all[race.judged_point(entry)]
    model = encoded(delivered(contender, workspace.settings, chosen), workspace.schema)
    model.fit(workspace.X, workspace.y)
    fresh, labels = generate(fresh_rows, random)
    asked = frame(fresh, labels)
    truth = float(np.mean(model.predict(asked.drop("y")) == asked["y"].to_numpy()))
    return summary.headline.low <= truth <= summary.headline.high


def test_noise_is_not_called_better_than_the_baseline(tmp_path):
    """A bounded form: of three tables at most one may be claimed at any look."""
    found = np.array([claims(tmp_path / str(seed), seed) for seed in range(3)])
    assert (found.sum(axis=0) <= 1).all()


def test_the_interval_of_the_headline_holds_the_truth(tmp_path):
    """A bounded form: of three tables at most one interval may miss."""
    tables = [(linear, 120), (steps, 400), (rings, 120)]
    found = [
        covered(tmp_path / str(seed), *table, seed, fresh_rows=20_000) for seed, table in enumerate(tables)
    ]
    assert sum(found) >= 2


@pytest.mark.full
def test_a_thousand_tables_of_noise(tmp_path):
    found = np.array([claims(tmp_path / str(seed), seed) for seed in range(1000)])
    print("claims at the four looks:", found.sum(axis=0).tolist())
    assert (found.sum(axis=0) <= 64).all()


@pytest.mark.full
def test_intervals_hold_the_truth_in_92_per_cent_of_400_tables(tmp_path):
    sizes = (80, 200, 600, 2500)
    tables = [(generate, rows) for generate in (linear, steps, rings) for rows in sizes]
    found = [covered(tmp_path / str(seed), *tables[seed % len(tables)], seed) for seed in range(400)]
    print(f"coverage {np.mean(found):.1%}")
    assert np.mean(found) >= 0.92
