"""Races on small tables of all kinds: metrics, groups, times, costs, and tables that leave little to race."""

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import accuracy_score

from classica.comparison import ComparisonResult, compare
from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import with_encoder
from classica.comparison.plan.workspace import Workspace
from classica.comparison.race.points import Points
from classica.comparison.race.results import race_results
from classica.comparison.work.judging import final_model
from classica.comparison.work.units import json_parameters
from classica.persist import load
from classica.tables import load_table
from tests.comparison.here import work_here
from tests.comparison.race.playing import played, race_workspace

FEW = ["lda", "naive-bayes", "c45"]


def blobs(rows=120, classes=2, columns=3, seed=0, **more):
    """Return a table whose columns tell the classes, more or less."""
    random = np.random.default_rng(seed)
    codes = np.arange(rows) % classes
    cells = {f"x{j}": codes * (j == 0) + random.normal(scale=0.7, size=rows) for j in range(columns)}
    return pl.DataFrame({**cells, **more, "y": [f"c{code:02d}" for code in codes]})


@pytest.fixture
def race(tmp_path, monkeypatch):
    """Return what races on a table in this process."""
    work_here(monkeypatch)

    def run(source, target="y", models=FEW, **more):
        folder = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        return compare(source, target, **{"models": models, "folds": 3, "effort": 4.0, "out": folder, **more})

    return run


def check(found, judged=None):
    """An answer, with a model that predicts; return the judged models by name."""
    summary = found.summary
    assert found.recommended == summary.recommended == summary.recommendation.model
    assert not found.is_interrupted
    better = any(model.p_baseline is not None for model in summary.models)
    assert (found.recommended is not None) == better
    assert summary.best_file == ("best.classica" if better else None)
    usable = summary.best_file or summary.most_accurate_file
    assert load(found.folder / usable).predict(Workspace.load(found.folder).table) is not None
    models = {model.name: model for model in summary.judged}
    assert set(models) == {"chance", *(FEW if judged is None else judged)}
    for model in models.values():
        assert model.score.low <= model.score.mean <= model.score.high
    return models


@pytest.mark.parametrize("metric", ["auc", "f1", "balanced_accuracy", "log_loss", "brier"])
def test_every_metric_is_raced_by(race, metric):
    found = race(blobs(classes=3), metric=metric)
    models = check(found)
    assert found.best != "chance"
    for name in FEW:
        assert models[name].p_baseline is not None


def test_costs_with_a_reject(race):
    found = race(blobs(), metric="cost", costs=[[0, 5], [1, 0]], reject_cost=0.3)
    models = check(found)
    assert 0 < models["lda"].confusion.coverage < 1
    assert models["lda"].score.mean <= 0.3
    usable = found.summary.best_file or found.summary.most_accurate_file
    assert load(found.folder / usable).rejects(Workspace.load(found.folder).table).any()


def test_groups_stay_together_and_times_in_order(race):
    who = [f"p{row % 12}" for row in range(120)]
    check(race(blobs(who=who), groups="who"))
    check(race(blobs(day=list(range(120))), time="day"))


def test_repeats_are_judged_on_all_their_folds(race):
    models = check(race(blobs(), repeats=2))
    assert len(models["lda"].folds) == 6


def test_without_tuning_the_defaults_are_judged(race):
    models = check(race(blobs(), tune=False))
    assert all(not model.delivered.parameters for model in models.values())


@pytest.mark.parametrize(
    ("frame", "models"),
    [
        (blobs(90, 30), ["lda", "naive-bayes"]),
        (blobs().with_columns(pl.lit(1.0).alias("constant")), FEW),
        (load_table("vote").frame.rename({"Class": "y"}).head(90), ["naive-bayes", "c45"]),
        (blobs(), ["lda"]),
    ],
    ids=["thirty classes", "a constant column", "only nominal columns", "one model"],
)
def test_odd_tables_are_raced_on(race, frame, models):
    check(race(frame, models=models), models)


def test_a_class_of_one_row_and_a_table_of_four(race):
    labels = pl.Series("y", ["rare", *blobs()["y"][1:]])
    check(race(blobs().with_columns(labels)))
    tiny = race(blobs(4), folds=2)
    assert tiny.answer
    assert {model.state for model in tiny.summary.models} <= {"judged", "failed"}


def test_a_reference_is_never_recommended(race):
    # What a tree over both columns sees and a line does not.
    random = np.random.default_rng(0)
    x, z = random.uniform(-1, 1, size=(2, 200))
    frame = pl.DataFrame({"x": x, "z": z, "y": np.where((x > 0) == (z > 0), "same", "other")})
    found = race(frame, models=["lda", "hist-gradient-boosting"])
    reference = found.summary.model("hist-gradient-boosting")
    assert reference.role == "reference"
    assert reference.score.mean > 0.8
    assert reference.delivered is None
    assert found.best != reference.name != found.recommended


@pytest.mark.parametrize("effort", [4.0, 60.0], ids=["race", "search"])
def test_scores_are_those_of_a_direct_fit_and_what_is_judged_is_delivered(race, effort):
    """The protocol of scikit-learn: clone, fit on the training rows of a fold, predict its test rows."""
    found = race(load_table("iris"), None, models=["knn", "c45", "perceptron"], folds=5, effort=effort)
    workspace = Workspace.load(found.folder)
    for name in ("knn", "c45", "perceptron"):
        model, contender = found.summary.model(name), Contender(name)
        points = [json_parameters(point) for point in Points(contender, workspace.settings).all]
        chosen = model.delivered.parameters
        assert chosen in points
        for fold in model.folds:
            assert fold.parameters in points
            assert effort > 4.0 or fold.parameters == chosen
            train, test = workspace.splits[fold.fold]
            pipeline = with_encoder(
                final_model(contender, workspace.settings, fold.parameters), workspace.table.schema
            )
            pipeline.fit(workspace.X[train], workspace.y[train])
            direct = accuracy_score(workspace.y[test], pipeline.predict(workspace.X[test]))
            assert fold.test_score == pytest.approx(direct)
            assert (fold.learned_rows, fold.test_rows) == (len(train), len(test))


def test_where_it_takes_little_the_race_is_the_exhaustive_search(race):
    """The same folds, parameters tuned inside each of them, scores and model as a thorough comparison."""
    frame = load_table("iris").frame.sample(90, seed=1)
    found = race(frame, "class", effort=60.0).summary
    thorough = race(frame, "class", thorough=True, effort=None).summary
    assert (found.best, found.recommended, found.tied) == (thorough.best, thorough.recommended, thorough.tied)
    assert found.headline == thorough.headline
    for model in thorough.judged:
        same = found.model(model.name)
        assert same.delivered.parameters == model.delivered.parameters
        assert [(fold.parameters, fold.test_score, fold.inner_score) for fold in same.folds] == [
            (fold.parameters, fold.test_score, fold.inner_score) for fold in model.folds
        ]


def test_models_as_good_as_the_leader_are_settled_early(race):
    """They are ranked on the folds they have; the leader and the recommended model are judged on all."""
    random = np.random.default_rng(0)
    codes = random.integers(0, 2, 1500)
    cells = random.normal(size=(1500, 3)) + 5.0 * codes[:, None] * (np.arange(3) == 0)
    frame = pl.DataFrame(cells, schema=["x0", "x1", "x2"]).with_columns(y=np.array(["a", "b"])[codes])
    models = ["lda", "naive-bayes", "logistic", "knn", "c45"]
    found = race(frame, models=models, folds=10)
    judged = check(found, models)
    folds = {name: len(model.folds) for name, model in judged.items()}
    settled = [name for name, many in folds.items() if many < 10]
    assert settled
    assert folds[found.best] == folds[found.recommended] == folds["chance"] == 10
    assert found.summary.is_complete
    for name in settled:
        standing = judged[name].standing
        assert folds[name] >= 3
        assert standing.tied
        assert standing.gap.high <= 0.01 + 1e-9
    assert found.summary.headline.low <= judged[found.recommended].score.mean <= found.summary.headline.high
    (found.folder / "summary.json").unlink()  # the decisions are in the plans of the rounds
    again = ComparisonResult.load(found.folder).summary
    assert {model.name: len(model.folds) for model in again.judged} == folds
    assert [model.standing for model in again.judged] == [model.standing for model in found.summary.judged]


def test_one_fold_of_a_model_is_an_answer_where_the_baseline_has_more(tmp_path):
    """The baseline is judged first: a race that is cut short after it has judged one fold of a model."""
    workspace = race_workspace(blobs(400), "y", ["chance", *FEW], effort=4.0, folds=5)
    race = played(tmp_path / "run", workspace)
    for entry in race.entries.values():
        if entry.name != "chance":
            entry.folds = {0: entry.folds[0]} if entry.name == "lda" else {}
    found = race_results(race)
    assert found.counted == [0]
    assert not found.is_provisional
    assert {model.name: model.state for model in found.models if model.folds} == {
        "chance": "judged",
        "lda": "judged",
    }
