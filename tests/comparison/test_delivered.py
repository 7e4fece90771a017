"""What a comparison judges in a fold is what it delivers: calibrated, and deciding by its probabilities."""

import numpy as np

from classica import BayesDecisionClassifier, load
from classica.comparison.plan.contender import Contender
from classica.comparison.plan.preparing import with_decision
from classica.comparison.work.fold_predictions import FoldPredictions
from classica.comparison.work.units import answers_path
from classica.tables import load_table
from tests.comparison.in_process import compared, workspace_of

MODELS = ["perceptron", "linear-svm", "sklearn.svm:LinearSVC"]


def test_folds_judge_the_kind_of_model_that_is_delivered(tmp_path):
    iris = load_table("iris")
    compared(tmp_path, iris, MODELS, folds=3)
    workspace = workspace_of(iris, MODELS, folds=3)
    for name in MODELS[:2]:
        delivered = load(tmp_path / "models" / f"{name}.classica").estimator_
        judged = with_decision(Contender(name), workspace.settings)
        assert isinstance(delivered, BayesDecisionClassifier)
        assert delivered.get_params().keys() == judged.get_params().keys()
        assert (delivered.calibration, delivered.cv) == (judged.calibration, judged.cv)
    for name in MODELS:
        for fold in range(3):
            found = FoldPredictions.load(answers_path(tmp_path, name, fold))
            assert found.probabilities is not None
            np.testing.assert_array_equal(found.codes, found.probabilities.argmax(axis=1))


def test_parameters_are_chosen_at_the_price_of_the_bare_machine(tmp_path, monkeypatch):
    fits, fit = [], BayesDecisionClassifier.fit
    monkeypatch.setattr(BayesDecisionClassifier, "fit", lambda *given: fits.append(1) or fit(*given))
    compared(tmp_path, load_table("iris"), ["svm"], folds=2)
    assert len(fits) == 3  # two folds and all rows


def test_calibration_can_be_left_out(tmp_path):
    compared(tmp_path, load_table("iris"), ["perceptron"], folds=2, calibrate=False)
    assert not hasattr(load(tmp_path / "models" / "perceptron.classica"), "predict_proba")
    assert FoldPredictions.load(answers_path(tmp_path, "perceptron", 0)).probabilities is None
