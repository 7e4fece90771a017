"""All metrics of a model from its held-out predictions, against scikit-learn on the same predictions."""

import numpy as np
import pytest
from sklearn import metrics as reference

from classica.comparison.work.fold_predictions import FoldPredictions
from classica.metrics import METRICS
from classica.tables import load_table
from tests.comparison.in_process import compared, workspace_of

MODELS = ["chance", "lda", "naive-bayes"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("metrics")
    table = load_table("vote")
    return folder, workspace_of(table, MODELS), compared(folder, table, MODELS, folds=4, tune=False)


def fold_values(folder, workspace, name, measure):
    values = []
    for path in sorted((folder / "answers").glob(f"{name}-*.npz")):
        part = FoldPredictions.load(path)
        values.append(measure(workspace.y[part.rows], workspace.classes[part.codes], part.probabilities))
    assert len(values) == 4
    return np.mean(values)


@pytest.mark.parametrize("name", MODELS)
def test_metrics_are_means_over_folds_as_scikit_learn_has_them(run, name):
    folder, workspace, summary = run
    found, classes = summary.model(name).metrics, workspace.classes

    def near(metric, measure):
        assert found[metric].mean == pytest.approx(fold_values(folder, workspace, name, measure), abs=3e-3), (
            metric
        )
        assert found[metric].low <= found[metric].mean <= found[metric].high

    near("balanced_accuracy", lambda y, said, _: reference.balanced_accuracy_score(y, said))
    near("f1", lambda y, said, _: reference.f1_score(y, said, average="macro"))
    near("log_loss", lambda y, _, p: reference.log_loss(y, p, labels=classes))
    near("brier", lambda y, _, p: reference.brier_score_loss(y == classes[1], p[:, 1]))
    near("auc", lambda y, _, p: reference.roc_auc_score(y == classes[1], p[:, 1]))
    assert set(found) == {*METRICS} - {"cost"}
    assert found["accuracy"] == summary.model(name).score  # one number for what models are ranked by


@pytest.mark.parametrize("name", MODELS[1:])
def test_precision_and_recall_are_those_of_the_confusion_matrix(run, name):
    model = run[2].model(name)
    for each, precision, recall, f1, rows in zip(
        model.classes,
        model.confusion.precision,
        model.confusion.recall,
        model.confusion.f1,
        model.confusion.support,
        strict=True,
    ):
        assert (each.precision.mean, each.recall.mean, each.f1) == pytest.approx((precision, recall, f1))
        assert each.rows == rows
        assert each.recall.low < each.recall.mean < each.recall.high


def test_repeated_folds_make_intervals_no_narrower_than_the_rows_allow(tmp_path, run):
    (tmp_path / "run").mkdir()
    again = compared(tmp_path / "run", load_table("vote"), ["chance", "lda"], folds=4, repeats=3, tune=False)
    for before, after in zip(run[2].model("lda").classes, again.model("lda").classes, strict=True):
        assert after.rows == 3 * before.rows
        width = before.recall.high - before.recall.low
        assert after.recall.high - after.recall.low > 0.75 * width


def test_a_model_that_predicts_one_class_has_no_precision_for_the_other(run):
    chance = run[2].model("chance")
    assert sorted(each.recall.mean for each in chance.classes) == [0.0, 1.0]
    assert sum(np.isnan(each.precision.mean) for each in chance.classes) == 1
