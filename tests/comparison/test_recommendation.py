"""The rule of the recommendation: who may be recommended, and what counts as simple."""

from dataclasses import replace

import numpy as np
import pytest

from classica.comparison import ComparisonResult, compare
from classica.comparison.results.gathering import by_simplicity, readability
from classica.comparison.results.old_summary import current
from classica.comparison.results.ranking import recommended
from classica.comparison.results.summary import FoldScore, Summary
from classica.errors import ParameterError
from classica.statistics.fold_ranking import Comparison
from tests.comparison.race.test_racing import blobs
from tests.comparison.summaries import model, summary


def sized(name, family, parameters, **more):
    found = model(name, family=family, **more)
    folds = tuple(replace(fold, model_parameters=parameters) for fold in found.folds)
    return replace(found, folds=folds)


def test_what_can_be_read_comes_first_then_what_is_small_then_what_is_fast():
    models = [
        sized("mlp", "neural", 500),
        sized("random-forest", "ensembles", 400),
        sized("knn", "neighbours", 600),
        sized("c45", "trees", 90),
        sized("logistic", "linear", 11),
        sized("qda", "gaussian", 90),
        sized("lda", "gaussian", None),
    ]
    names = [each.name for each in by_simplicity(models)]
    # Of 90 parameters each, the tree is fitted faster by its card; a size that is not known comes last.
    assert names[0] == "logistic"
    assert set(names[1:3]) == {"c45", "qda"}
    assert names[3:] == ["lda", "knn", "random-forest", "mlp"]
    assert readability("trees") == readability("linear") < readability("neighbours") < readability("sklearn")


def ranking(*models):
    return Comparison([each.standing for each in models], [], [], 0.05)


def test_the_simplest_of_those_that_are_probably_as_good_is_recommended():
    svm = sized("svm", "kernel", 900, as_good=1.0)
    lda, tree = sized("lda", "gaussian", 20, as_good=0.62), sized("c45", "trees", 5, as_good=0.48)
    simplest = by_simplicity([svm, lda, tree])
    ranked = ranking(svm, lda, tree)
    assert recommended(ranked, simplest, {"svm", "lda", "c45"}) == "lda"
    assert recommended(ranked, simplest, {"svm", "c45"}) == "svm"  # LDA does not beat the baseline
    assert recommended(ranked, simplest, {"c45"}) == "c45"  # nor does the best
    assert recommended(ranked, simplest, {}) is None
    unknown = sized("lda", "gaussian", 20, as_good=np.nan)
    assert recommended(ranking(svm, unknown), by_simplicity([svm, unknown]), {"svm", "lda"}) == "svm"


def test_nothing_is_tied_or_recommended_or_delivered_as_best_where_all_is_noise(tmp_path):
    random = np.random.default_rng(3)
    noise = blobs(90).with_columns(y=random.permutation(blobs(90)["y"].to_numpy()))
    models = ["lda", "c45", "mlp"]
    found = compare(noise, "y", models=models, folds=4, effort=4.0, out=tmp_path / "run", reference=False)
    told = found.summary.recommendation
    assert (told.model, told.why_none, told.reasons) == (None, "not better than baseline", ())
    assert found.recommended is found.summary.best_file is None
    assert found.summary.tied == []
    assert not (tmp_path / "run" / "best.classica").exists()
    assert found.answer.startswith("No model is significantly better")


def test_the_positive_class_is_named_as_people_write_it(tmp_path):
    with pytest.raises(ParameterError, match=r"got 'c0O'\. Did you mean 'c0[01]'\?"):
        compare(blobs(), "y", models=["lda"], positive="c0O", out=tmp_path / "run")
    assert not (tmp_path / "run").exists()
    result = ComparisonResult(tmp_path, summary([model("lda")]))
    assert result.with_positive("a").summary.settings.positive == "a"
    with pytest.raises(ParameterError, match="one of the classes 'a', 'b'"):
        result.with_positive("c")


def test_a_summary_of_version_2_opens_without_what_has_been_added_since():
    record = summary([model("lda", tied=True)]).record()
    for name in ("recommendation", "most_accurate_file"):
        del record[name]
    del record["settings"]["positive"]
    for entry in record["models"]:
        del entry["metrics"], entry["classes"]
        for fold in entry["folds"]:
            del fold["model_parameters"]
    found = Summary.from_record(current({**record, "classica_summary": 2}))
    assert found.models[0].name == "lda"
    assert isinstance(found.models[0].folds[0], FoldScore)
    assert found.recommendation is None
