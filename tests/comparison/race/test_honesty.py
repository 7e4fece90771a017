"""What a race promises, where the truth is known: no claims about noise, and intervals that hold."""

import numpy as np
import polars as pl
import pytest

from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import with_encoder
from classica.comparison.race.points import Points
from classica.comparison.race.results import race_results
from classica.comparison.results.ranking import better_than_baseline
from classica.comparison.work.judging import final_model
from classica.comparison.work.units import tuned_parameters
from classica.persist import load
from tests.comparison.race.playing import played, race_workspace, searched, summary_of

#: Work that a race may spend: enough to search every grid inside every fold, to race, and far too little.
EFFORTS = (600.0, 60.0, 10.0)
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

    workspace = race_workspace(noise(seed), "y", MODELS, seed=seed, effort=EFFORTS[seed // 6 % 3])
    race = played(folder, workspace, look)
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


def drawn(folder, generate, rows, seed, fresh_rows):
    """Return the race on a table, and what tells how often a model is right on fresh rows of its kind."""
    random = np.random.default_rng([5, seed])
    effort = EFFORTS[seed // 12 % 3]
    workspace = race_workspace(frame(*generate(rows, random)), "y", MODELS, seed=seed, effort=effort)
    race = played(folder, workspace)
    asked = frame(*generate(fresh_rows, random))

    def truth(model):
        return float(np.mean(model.predict(asked.drop("y")) == asked["y"].to_numpy()))

    return race, truth


def delivered_by(race, summary):
    """Return the recommended model of a race, fitted on all rows."""
    workspace, name = race.workspace, summary.recommended
    entry, contender = race.entries[name], Contender(name)
    if race.is_searched(entry):
        chosen = tuned_parameters(workspace, contender, -1)[0]
    else:
        chosen = Points(contender, workspace.settings).all[race.judged_point(entry)]
    model = with_encoder(final_model(contender, workspace.settings, chosen), workspace.schema)
    return model.fit(workspace.X, workspace.y)


def covered(folder, generate, rows, seed, fresh_rows=100_000):
    """Return whether the headline's interval holds the accuracy of the delivered model on fresh rows.

    None where no model is significantly better than the baseline: then none is recommended.
    """
    race, truth = drawn(folder, generate, rows, seed, fresh_rows)
    summary = summary_of(race)
    if summary.recommended is None:
        return None
    return summary.headline.low <= truth(delivered_by(race, summary)) <= summary.headline.high


def regret(folder, generate, rows, seed, fresh_rows=100_000):
    """Return by how much the model of the exhaustive search is right more often than that of the race."""
    race, truth = drawn(folder, generate, rows, seed, fresh_rows)
    summary = summary_of(race)
    if summary.recommended is None:  # neither has the search anything to recommend then
        return 0.0
    raced = delivered_by(race, summary)
    _, file = searched(folder / "exhaustive", race.workspace)
    return truth(load(file)) - truth(raced)


def test_noise_is_not_called_better_than_the_baseline(tmp_path):
    """A bounded form: of three tables at most one may be claimed at any look."""
    found = np.array([claims(tmp_path / str(seed), seed) for seed in range(3)])
    assert (found.sum(axis=0) <= 1).all()


def test_the_interval_of_the_headline_holds_the_truth(tmp_path):
    """A bounded form: of three tables at most one interval may miss."""
    tables = [(linear, 200), (steps, 400), (rings, 200)]
    found = [
        covered(tmp_path / str(seed), *table, seed, fresh_rows=20_000) for seed, table in enumerate(tables)
    ]
    known = [each for each in found if each is not None]
    assert len(known) >= 2
    assert sum(known) >= len(known) - 1


@pytest.mark.full
def test_a_thousand_tables_of_noise(tmp_path):
    found = np.array([claims(tmp_path / str(seed), seed) for seed in range(1000)])
    print("claims at the four looks:", found.sum(axis=0).tolist())
    assert (found.sum(axis=0) <= 64).all()


@pytest.mark.full
def test_intervals_hold_the_truth_in_92_per_cent_of_400_tables(tmp_path):
    tables = [(generate, rows) for generate in (linear, steps, rings) for rows in (80, 200, 600, 2500)]
    found = [covered(tmp_path / str(seed), *tables[seed % len(tables)], seed) for seed in range(400)]
    known = [each for each in found if each is not None]
    print(f"coverage {np.mean(known):.1%} of {len(known)}")
    assert len(known) >= 300
    assert np.mean(known) >= 0.92


@pytest.mark.full
def test_the_race_delivers_what_an_exhaustive_search_would(tmp_path):
    """Where the search is not the plan itself, two good choices among equals differ by chance, either way."""
    tables = [(generate, rows) for generate in (linear, steps, rings) for rows in (80, 600, 2500, 8000)]
    found = np.array([regret(tmp_path / str(seed), *tables[seed % len(tables)], seed) for seed in range(240)])
    by_effort = {effort: found[np.arange(240) // 12 % 3 == i] for i, effort in enumerate(EFFORTS)}
    for effort, each in by_effort.items():
        worse, better = np.mean(each > 0.005), np.mean(each < -0.005)
        print(f"effort {effort:g}: worse {worse:.1%}, better {better:.1%}, mean {100 * each.mean():.2f}")
    assert np.mean(by_effort[600.0] > 0.005) <= 0.05
    assert found.mean() <= 0.005
