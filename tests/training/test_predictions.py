"""Predictions for tables of any length: the same answers, order and ids, and what does not fit is told."""

import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from classica import (
    BayesDecisionClassifier,
    C45Classifier,
    DecisionTreeRegressor,
    NearestMeanClassifier,
    predict_batches,
    train,
)
from classica.errors import DataError, ParameterError, TableError
from classica.tables import Schema, load_table, write_batches
from classica.training import evaluate
from tests.training.test_train import rows


def joined(answers):
    return pl.concat(list(answers))


@pytest.fixture(scope="module")
def model():
    return train(rows(), "y", model="naive-bayes")


@pytest.mark.parametrize("batch", [1, 7, 60, 1000])
def test_batches_change_nothing(model, batch):
    answers = predict_batches(model, rows(), batch, probabilities=True)
    found = joined(answers)
    assert found["row"].to_list() == list(range(1, 61))
    assert found["prediction"].to_list() == model.predict(rows()).tolist()
    shares = found.select("p(no)", "p(yes)").to_numpy()
    np.testing.assert_array_equal(shares, model.predict_proba(rows()))
    assert answers.rows == 60


def test_columns_by_name_in_any_order_others_ignored(model):
    turned = rows().select("y", "c", "x").with_columns(more=pl.lit(1), other=pl.lit("u"))
    answers = predict_batches(model, turned)
    assert joined(answers)["prediction"].to_list() == model.predict(rows()).tolist()
    assert answers.extra == ["more", "other"]


def test_the_target_may_hold_anything(model):
    answers = joined(predict_batches(model, rows().with_columns(y=pl.Series(range(60)))))
    assert answers["prediction"].to_list() == model.predict(rows()).tolist()


def test_a_missing_column_is_named(model, tmp_path):
    path = tmp_path / "new.csv"
    rows().drop("c").write_csv(path)
    with pytest.raises(DataError, match=r"new\.csv must have every column .* got no column 'c'"):
        list(predict_batches(model, path))


@pytest.mark.parametrize("batch", [4, 1000])
def test_a_changed_type_is_named_with_its_row_of_the_whole_table(model, tmp_path, batch):
    cells = rows()["x"].cast(pl.String).to_list()
    cells[41] = "much"
    path = tmp_path / "new.csv"
    rows().with_columns(x=pl.Series(cells)).write_csv(path)
    with pytest.raises(DataError, match=r"column 'x' of .*new\.csv must be numeric.* got 'much' in row 42"):
        list(predict_batches(model, path, batch))


def test_unseen_categories_are_counted_over_all_batches(model):
    words = ["pink", "mauve", "pink", *rows()["c"].to_list()[3:]]
    answers = predict_batches(model, rows().with_columns(c=pl.Series(words)), 2)
    assert joined(answers).height == 60
    assert answers.unseen == {"c": {"pink": 2, "mauve": 1}}


def test_ids_are_carried_along_as_they_were_read(tmp_path):
    path = tmp_path / "t.csv"
    codes = pl.Series([f"{k:06}" for k in range(60)])
    rows().with_columns(code=codes).write_csv(path)
    given = Schema.from_record({"columns": [{"name": "code", "kind": "identifier", "role": "id"}]})
    model = train(path, "y", schema=given)
    found = joined(predict_batches(model, path, 7))
    assert found.columns == ["code", "prediction"]
    assert found["code"].to_list() == codes.to_list()
    both = joined(predict_batches(model, path, ids=["x", "id"]))
    assert both.columns == ["x", "id", "code", "prediction"]
    assert joined(predict_batches(model, rows())).columns == ["row", "prediction"]


def test_ids_that_are_not_there_or_have_the_name_of_an_answer(model):
    with pytest.raises(DataError, match="to copy must be one of its columns"):
        list(predict_batches(model, rows(), ids=["code"]))
    with pytest.raises(DataError, match="than a column of predictions, got 'prediction'"):
        list(predict_batches(model, rows(prediction=pl.Series(range(60))), ids=["prediction"]))


def test_rejected_rows_have_no_answer():
    model = train(rows(), "y", model="naive-bayes", reject_cost=0.2)
    answers = predict_batches(model, rows(), 9)
    found = joined(answers)
    rejected = model.rejects(rows())
    assert 0 < rejected.sum() == answers.rejected < 60
    assert found["rejected"].to_list() == rejected.tolist()
    assert found["prediction"].is_null().to_list() == rejected.tolist()
    assert found["prediction"].dtype == pl.String


def test_scores_of_two_and_of_more_classes():
    model = train(rows(), "y", model="svm")
    found = joined(predict_batches(model, rows(), scores=True))
    bare = train(rows(), "y", model="svm", calibration=None)
    np.testing.assert_array_equal(found["score(yes)"].to_numpy(), bare.decision_function(rows()))
    iris = load_table("iris")
    wide = joined(predict_batches(train(iris, model="linear-svm"), iris, 40, scores=True))
    assert wide.columns[2:] == [f"score(Iris-{name})" for name in ("setosa", "versicolor", "virginica")]
    with pytest.raises(ParameterError, match="has only scores"):
        predict_batches(bare, rows(), probabilities=True)


def test_a_table_without_rows(model):
    (none,) = predict_batches(model, b"x,c\n", probabilities=True)
    assert none.columns == ["row", "prediction", "p(no)", "p(yes)"]
    assert none.height == 0


def test_labels_keep_their_type():
    golf = load_table("golf")
    assert joined(predict_batches(train(golf), golf))["prediction"].dtype == pl.Int64
    flags = rows().with_columns(y=pl.col("y") == "yes")
    assert joined(predict_batches(train(flags, "y"), flags))["prediction"].dtype == pl.Boolean


def test_only_fitted_classifiers_answer():
    for model in (
        NearestMeanClassifier(),
        NearestMeanClassifier,
        DecisionTreeRegressor().fit([[0.0]], [1.0]),
    ):
        with pytest.raises(ParameterError, match="model must be a fitted classifier, got"):
            predict_batches(model, rows())


def test_a_damaged_file_is_an_error_of_the_reader(model):
    with pytest.raises(TableError, match="ragged row"):
        list(predict_batches(model, b"x,c\n1,red\n2\n"))


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_batches_are_written_whole_and_the_same(tmp_path, ending, model):
    one, many = tmp_path / f"one.{ending}", tmp_path / f"many.{ending}"
    write_batches(predict_batches(model, rows(), probabilities=True), one)
    write_batches(predict_batches(model, rows(), 7, probabilities=True), many)
    read = {"csv": pl.read_csv, "jsonl": pl.read_ndjson, "parquet": pl.read_parquet}[ending]
    assert read(one).equals(read(many))
    assert read(one)["p(yes)"].to_list() == model.predict_proba(rows())[:, 1].tolist()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([one.name, many.name])


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_an_error_half_way_leaves_the_old_file(tmp_path, ending, model):
    path = tmp_path / f"answers.{ending}"
    path.write_text("old")
    cells = [*rows()["x"].cast(pl.String).to_list()[:-1], "much"]
    with pytest.raises(DataError, match="row 60"):
        write_batches(predict_batches(model, rows().with_columns(x=pl.Series(cells)), 7), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_formulas_in_ids_are_neutralised(tmp_path, model):
    notes = pl.Series(["=1+1", "@x", "-5", *(["plain"] * 57)])
    write_batches(predict_batches(model, rows(note=notes), 2, ids=["note"]), tmp_path / "a.csv")
    found = pl.read_csv(tmp_path / "a.csv", infer_schema=False)["note"].to_list()
    assert found[:4] == ["'=1+1", "'@x", "-5", "plain"]


def test_another_ending_is_refused(tmp_path):
    with pytest.raises(ParameterError, match=r"ends with \.csv"):
        write_batches([], tmp_path / "a.doc")


def test_evaluation_in_batches_is_the_same():
    model = train(rows(), "y", model="naive-bayes", reject_cost=0.2)
    labels = [None, "maybe", *rows()["y"].to_list()[2:]]
    table = rows().with_columns(y=pl.Series(labels))
    found = [json.dumps(evaluate(model, table, batch_rows=n).scores.record()) for n in (1, 7, 1000)]
    assert len(set(found)) == 1
    judged = evaluate(model, table)
    assert (judged.unlabelled, judged.scores.unknown, judged.scores.rows) == (1, 1, 59)
    assert judged.scores.labels == ["no", "yes", "maybe"]


def test_evaluation_uses_the_costs_of_the_model_or_others():
    costs = {"no": {"yes": 9.0}, "yes": {"no": 1.0}}
    model = train(rows(), "y", model="naive-bayes", costs=costs)
    assert isinstance(model.estimator_, BayesDecisionClassifier)
    said, truth = model.predict(rows()), rows()["y"].to_numpy()
    own = evaluate(model, rows()).scores.mean_cost
    assert own == np.mean([costs[s].get(t, 0.0) for s, t in zip(said, truth, strict=True)])
    assert evaluate(model, rows(), costs=[[0, 1], [1, 0]]).scores.mean_cost == np.mean(said != truth)


def test_evaluation_needs_labels(model):
    with pytest.raises(DataError, match="got no column 'y'"):
        evaluate(model, rows().drop("y"))
    with pytest.raises(DataError, match="must have rows with a label"):
        evaluate(model, rows().with_columns(y=pl.lit(None, pl.String)))
    with pytest.raises(ParameterError, match="must be a fitted classifier"):
        evaluate(C45Classifier(), rows())


MEASURED = """
import resource, sys
from classica import load, predict_batches
from classica.tables import write_batches
model = load(sys.argv[1])
write_batches(predict_batches(model, sys.argv[2], int(sys.argv[4])), sys.argv[3])
def own():
    words = open('/proc/self/statm').read().split()
    return (int(words[1]) - int(words[2])) * resource.getpagesize()
before, most = own(), 0
answers = predict_batches(model, sys.argv[5], int(sys.argv[4]), probabilities=True)
def watched():
    global most
    for batch in answers:
        most = max(most, own() - before)
        yield batch
write_batches(watched(), sys.argv[3])
print(answers.rows, most)
"""


def most_memory(folder, blocks, batch):
    """Return how much memory predictions for a large file took, how large it is, and how many rows."""
    from classica import save

    frame = rows(
        20_000, **{f"n{k}": np.round(np.random.default_rng(k).normal(size=20_000), 6) for k in range(10)}
    )
    save(train(frame, "y", model="naive-bayes"), folder / "m.classica")
    frame.head(1000).write_csv(folder / "small.csv")
    with (folder / "large.csv").open("wb") as file:
        frame.head(0).write_csv(file)
        text = frame.write_csv(include_header=False).encode()
        for _ in range(blocks):
            file.write(text)
    names = ("m.classica", "small.csv", "out.csv")
    arguments = [*(str(folder / name) for name in names), str(batch), str(folder / "large.csv")]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *arguments], capture_output=True, text=True, check=True
    )
    found, most = map(int, done.stdout.split())
    assert found == 20_000 * blocks == pl.scan_csv(folder / "out.csv").select(pl.len()).collect().item()
    return most, (folder / "large.csv").stat().st_size, found


def test_memory_does_not_grow_with_the_table(tmp_path):
    most, size, count = most_memory(tmp_path, 8, 5000)
    print(f"{count:,} rows of {size / 1e6:.0f} MB: {most / 1e6:.1f} MB")
    assert most < 30e6


@pytest.mark.full
def test_memory_of_a_large_table(tmp_path):
    most, size, count = most_memory(tmp_path, 105, 20_000)
    print(f"{count:,} rows of {size / 1e6:.0f} MB: {most / 1e6:.1f} MB")
    assert size > 200e6
    assert most < 80e6
