"""What drives the recommended model and where it fails, as a comparison finds it out."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from classica.comparison import compare, resume
from classica.comparison.comparison_result import ComparisonResult, summary_of_run
from classica.comparison.results.model_evidence import insight_of
from classica.comparison.work.driver_looks import LookSizes
from classica.runs import Outcome
from tests.comparison.here import without_times, work_here
from tests.comparison.summaries import model


def mixed(rows=300, seed=0):
    """Return a table where a level and a number decide, a date and a missing-prone number are noise."""
    random = np.random.default_rng(seed)
    kind = random.choice(["red", "green", "blue"], rows)
    size = random.normal(size=rows)
    noise = np.where(random.random(rows) < 0.2, None, random.normal(size=rows).round(2))
    days = pl.Series("day", np.datetime64("2020-01-01") + random.integers(0, 900, rows)).cast(pl.Date)
    score = 2.0 * (kind == "red") + 1.5 * size - 0.6
    y = np.where(random.random(rows) < 1 / (1 + np.exp(-2 * score)), "yes", "no")
    return pl.DataFrame(
        {
            "kind": kind,
            "size": size,
            "noise": pl.Series(noise.tolist(), dtype=pl.Float64),
            "day": days,
            "y": y,
        }
    )


def compared(table, folder, monkeypatch, models=("logistic", "id3"), **settings):
    worker = work_here(monkeypatch)
    told = {"folds": 4, "budget": None, "tune": False, "reference": False, **settings}
    return compare(table, "y", models=list(models), out=folder, **told), worker


def test_drivers_and_failures_are_in_the_summary(tmp_path, monkeypatch):
    table = mixed()
    result, _ = compared(table, tmp_path / "run", monkeypatch)
    summary = result.summary
    assert summary.recommended == "logistic"
    drivers, errors = summary.insight.drivers, summary.insight.error_analysis
    assert drivers.model == errors.model == "logistic"
    assert {*drivers.importances.names(2)} == {"kind", "size"}
    matter = {each.column for each in drivers.importances.columns if each.matters}
    assert matter
    assert matter <= {"kind", "size"}
    assert {*drivers.importances.names()} == {"kind", "size", "noise", "day"}, (
        "columns of the table, dates whole"
    )
    assert drivers.importances.folds == 4
    # The models that were fitted again are those that were judged.
    assert drivers.importances.score == pytest.approx(summary.model("logistic").mean("test_score"))
    assert drivers.importances.rows == 300
    assert {each.column for each in drivers.dependences} >= {"kind", "size"}
    [kind] = [each for each in drivers.dependences if each.column == "kind"]
    assert kind.values == ("blue", "green", "red")
    assert kind.average[1].argmax() == 2
    assert drivers.interactions.strongest.strength < 0.05
    named = {term.name: term for term in drivers.coefficients.terms}
    assert named["kind = red"].low > 0
    assert named["size"].low > 0
    assert named["noise"].low < 0 < named["noise"].high
    confusion = summary.model("logistic").confusion
    assert errors.errors == confusion.matrix.sum() - np.trace(confusion.matrix)
    assert errors.rows == 300
    y = table["y"].to_list()
    for row in errors.hardest:
        assert row.true == y[row.row - 1] != row.predicted
        assert row.probability > 0.5
        assert row.cells["size"] == table["size"][row.row - 1]
        assert set(row.others) == {"id3"}
    shares = [row.probability for row in errors.hardest]
    assert shares == sorted(shares, reverse=True)
    assert errors.thresholds.positive == "yes"
    assert errors.coverage.risk[-1] == pytest.approx(errors.errors / 300)
    again = ComparisonResult.load(tmp_path / "run").summary
    assert again.insight.record() == summary.insight.record()


def test_what_is_done_is_not_done_again(tmp_path, monkeypatch):
    result, worker = compared(mixed(), tmp_path / "run", monkeypatch)
    before = worker.done.total()
    names = {key for _, key in worker.done}
    assert {
        "importance 1",
        "importance 4",
        "partial dependence",
        "interactions",
        "coefficients",
        "errors",
    } <= names
    again = resume(tmp_path / "run")
    assert worker.done.total() == before
    assert again.summary.insight.record() == result.summary.insight.record()
    kept = summary_of_run(tmp_path / "run").insight
    assert kept.drivers.record() == result.summary.insight.drivers.record()
    assert kept.error_analysis.record() == result.summary.insight.error_analysis.record()


def test_a_stop_in_the_closer_look_keeps_what_is_known(tmp_path, monkeypatch):
    whole, worker = compared(mixed(), tmp_path / "whole", monkeypatch)
    places = [key for _, key in worker.done]
    worker = work_here(monkeypatch, stop_after=places.index("importance 3"))
    stopped = compare(
        mixed(), "y", models=["logistic", "id3"], folds=4, budget=None, tune=False, reference=False,
        out=tmp_path / "run",
    )  # fmt: skip
    assert stopped.is_interrupted
    assert stopped.summary.insight.drivers is None
    finished = resume(tmp_path / "run")
    assert worker.done[next(place for place in worker.done if place[1] == "importance 1")] == 1
    # How many rows curves rest on depends on the clock, the importances of small tables do not.
    drivers = finished.summary.insight.drivers
    assert drivers.importances == whole.summary.insight.drivers.importances
    assert drivers.coefficients == whole.summary.insight.drivers.coefficients


def test_under_effort_nothing_depends_on_the_clock(tmp_path, monkeypatch):
    records = []
    for number, seconds in enumerate([0.001, 5.0]):
        work_here(monkeypatch, seconds=lambda key, seconds=seconds: seconds)
        found = compare(
            mixed(), "y", models=["logistic", "id3"], folds=4, effort=30, reference=False,
            out=tmp_path / str(number),
        )  # fmt: skip
        records.append(without_times(found.summary.record()))
    assert records[0]["insight"]["drivers"] == records[1]["insight"]["drivers"]
    assert records[0]["insight"]["error_analysis"] == records[1]["insight"]["error_analysis"]


def test_where_nothing_is_recommended_nothing_is_looked_at(tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    noise = pl.DataFrame({"x": random.normal(size=120), "y": random.choice(["a", "b"], 120, p=[0.8, 0.2])})
    result, _ = compared(noise, tmp_path / "run", monkeypatch, models=["id3"])
    assert result.summary.recommended is None
    assert result.summary.insight.drivers is None
    assert result.summary.insight.error_analysis is None


def test_errors_of_groups_are_not_searched_for_segments(tmp_path, monkeypatch):
    table = mixed().with_columns(pl.Series("who", np.arange(300) // 5))
    result, _ = compared(table, tmp_path / "run", monkeypatch, groups="who")
    assert result.summary.insight.error_analysis.segments is None
    assert "who" not in result.summary.insight.drivers.importances.names()


def test_costs_give_the_operating_point_and_the_risk(tmp_path, monkeypatch):
    costs = [[0, 6], [1, 0]]
    settings = {"metric": "cost", "costs": costs, "reject_cost": 0.5}
    result, _ = compared(mixed(600), tmp_path / "run", monkeypatch, **settings)
    assert result.summary.recommended == "logistic"
    found = result.summary.insight.error_analysis
    assert found.thresholds.implied.threshold == pytest.approx(1 / 7)
    assert not found.thresholds.is_balanced
    assert found.coverage.risk[-1] == pytest.approx(
        result.summary.insight.error_analysis.thresholds.points[1].cost
    )
    assert result.summary.insight.drivers.importances.metric == "cost"


@pytest.mark.parametrize(("positive", "threshold"), [("yes", 1 / 7), ("no", 6 / 7)])
def test_thresholds_are_those_of_the_positive_class(tmp_path, monkeypatch, positive, threshold):
    settings = {"metric": "cost", "costs": [[0, 6], [1, 0]], "positive": positive}
    result, _ = compared(mixed(600), tmp_path / "run", monkeypatch, **settings)
    found = result.summary.insight.error_analysis.thresholds
    assert found.positive == positive
    assert found.implied.threshold == pytest.approx(threshold)


def test_a_third_party_model_without_a_file_is_looked_at_too(tmp_path, monkeypatch):
    name = "sklearn.ensemble:ExtraTreesClassifier(n_estimators=20)"
    result, _ = compared(mixed(), tmp_path / "run", monkeypatch, models=[name])
    drivers = result.summary.insight.drivers
    assert drivers.model.startswith("sklearn.ensemble:ExtraTreesClassifier")
    assert {each.column for each in drivers.dependences} >= {"kind", "size"}
    assert drivers.coefficients is None
    assert result.summary.insight.failures == {}


def test_many_classes_have_no_threshold(tmp_path, monkeypatch):
    table = mixed().with_columns(pl.Series("y", np.random.default_rng(0).choice(list("abc"), 300)))
    table = table.with_columns(y=pl.when(pl.col("kind") == "red").then(pl.lit("d")).otherwise(pl.col("y")))
    result, _ = compared(table, tmp_path / "run", monkeypatch, models=["naive-bayes"])
    found = result.summary.insight
    assert found.error_analysis.thresholds is None
    assert found.error_analysis.coverage is not None
    assert found.drivers.importances.names(1) == ["kind"]


def timed(fit, per_row, rows=45_000, tests=5_000, folds=10):
    """Return a judged model whose folds took these times."""
    one = model("forest").folds[0]
    each = replace(one, learned_rows=rows, test_rows=tests, fit_seconds=fit, predict_seconds=per_row * tests)
    return replace(model("forest"), folds=tuple(replace(each, fold=fold) for fold in range(folds)))


@pytest.mark.parametrize("fit", [0.001, 0.2, 2.0, 60.0])
@pytest.mark.parametrize("per_row", [1e-7, 1e-5, 1e-3])
@pytest.mark.parametrize("columns", [3, 14, 800])
def test_sizes_keep_to_the_time(fit, per_row, columns):
    rows = 50_000
    sizes = LookSizes.of(timed(fit, per_row), rows, columns)
    patience = min(max(1e-5 * rows * columns, 3.0), 10.0)
    share = 1.0 if sizes.learned_rows is None else (sizes.learned_rows / 45_000) ** 1.5
    fits = len(sizes.folds) * fit * share
    assert 5 <= len(sizes.folds) <= 10
    assert fits <= 1.01 * patience or sizes.learned_rows == 1000
    asked = len(sizes.folds) * columns * sizes.repeats * sizes.test_rows * per_row
    assert asked <= 0.51 * patience or (sizes.repeats, sizes.test_rows) == (1, 50)
    assert 50 <= sizes.curve_rows <= 300


def test_small_tables_are_looked_at_as_a_whole():
    sizes = LookSizes.of(timed(0.001, 2e-5, rows=135, tests=15), 150, 4)
    assert (len(sizes.folds), sizes.learned_rows, sizes.test_rows, sizes.repeats) == (10, None, 15, 5)


def test_folds_that_failed_are_told_only_if_all_did():
    done = {"of_model": "a", "fold_result": {
        "model": "a", "metric": "accuracy", "repeats": 2, "confidence": 0.95, "names": ["x"],
        "importance": {"score": 0.9, "drops": [0.2], "rows": 10, "learned_rows": 90},
    }}  # fmt: skip
    looks = {
        "importance 1": Outcome("importance 1", "done", result=done),
        "importance 2": Outcome("importance 2", "failed", reason="Out of memory."),
    }
    found = insight_of(looks)
    assert found.drivers.importances.columns[0].drop.mean == pytest.approx(0.2)
    assert found.failures == {}
    alone = insight_of({"importance 2": looks["importance 2"]})
    assert alone.drivers is None
    assert alone.failures == {"importance": "Out of memory."}


def test_segments_of_a_planted_weakness_reach_the_summary(tmp_path, monkeypatch):
    table = mixed(800, seed=3)
    random = np.random.default_rng(4)
    flipped = random.choice(["yes", "no"], 800)
    y = np.where((table["kind"] == "blue").to_numpy(), flipped, table["y"].to_numpy())
    result, _ = compared(table.with_columns(pl.Series("y", y)), tmp_path / "run", monkeypatch, models=["id3"])
    found = result.summary.insight.error_analysis.segments
    assert found.segments[0].name == "kind = blue"
    assert found.sampled == found.rows == 800
