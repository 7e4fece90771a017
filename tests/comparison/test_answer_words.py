"""The answer as people read it: what to use, what the baseline gets, and who else may be the best."""

from dataclasses import replace

from classica.comparison.results.sentences import answer, shown
from classica.comparison.results.summary import MetricFacts
from tests.comparison.summaries import interval, model, summary, unjudged

SCORE = interval(0.9, 0.85, 0.95)
USE = "Use lda: 90.0% accuracy on new data (95% CI 85.0–95.0%)."
BASELINE = "Always predicting the most frequent class scores 50.0%."


def board(*others, **more):
    return summary([model("lda", score=SCORE, tied=True), *others], **more)


def test_what_to_use_how_sure_that_is_and_who_else():
    assert answer(board(model("c45"))) == f"{USE} {BASELINE} All other models are significantly worse."
    one = answer(board(model("c45", tied=True), model("knn")))
    assert one == f"{USE} {BASELINE} c45 is not significantly different from the best."
    five = answer(board(*(model(name, tied=True) for name in "abcde")))
    assert five.endswith("a, b, c and 2 more are not significantly different from the best.")


def test_a_simpler_model_that_is_as_good_is_recommended_and_both_are_named():
    found = summary([model("svm", 0.91, tied=True), model("lda", 0.9, tied=True)], recommended="lda")
    assert answer(found) == (
        "Use lda: 90.0% accuracy on new data. svm scores best (91.0%), but is not significantly better."
        " Always predicting the most frequent class scores 50.0%."
    )


def test_the_baseline_is_not_praised():
    found = answer(summary([model("chance", 0.5), model("lda", 0.4, p_baseline=None)]))
    assert found == (
        "No model is significantly better than the majority-class baseline."
        " Always predicting the most frequent class scores 50.0%, and no model scores higher."
    )
    found = answer(summary([model("lda", 0.6, p_baseline=None), model("chance", 0.5)]))
    assert found.endswith("scores 50.0%; lda scores highest, 60.0% accuracy on new data.")


def test_a_recommended_model_that_does_not_beat_the_baseline_significantly_is_told():
    found = answer(summary([model("tree", 0.8, tied=True, p_baseline=None), model("lda", 0.75, tied=True)]))
    assert "scores 50.0%; only lda is significantly better than that." in found


def test_few_folds_show_little():
    lucky = [model("tree", 0.8, p_baseline=None), model("chance", 0.5)]
    assert "baseline, but 2 folds are few." in answer(summary(lucky, folds=2))
    assert "baseline, but one fold cannot show it." in answer(summary(lucky, folds=1))


def test_a_stopped_run_says_what_its_answer_rests_on():
    late = unjudged("svm", "skipped", "The run was stopped before its first fold was done.")
    found = answer(board(model("c45"), late, folds=3, planned=10, thorough=True))
    assert found.endswith("The run is not complete: this rests on 3 of 10 folds and 2 of 3 models.")
    raced = answer(board(model("c45"), late, folds=3, planned=10, is_interrupted=True))
    assert raced.endswith("The run was stopped: this rests on 3 of 10 folds.")
    early = answer(board(model("c45"), late, is_provisional=True, is_interrupted=True))
    assert early.endswith(
        "This is provisional: models have learned from at most 90 of 100 rows,"
        " and none has been judged on all folds."
    )
    nothing = answer(summary([late]))
    assert nothing == f"No model could be judged: {late.reason}"


def test_of_a_loss_lower_is_better():
    loss = MetricFacts("log_loss", "log loss", False, False, 1.1)
    found = answer(board(metric=loss))
    assert found.startswith("Use lda: log loss 0.900 on new data, lower is better (95% CI 0.850–0.950).")
    assert "Always predicting the class frequencies scores 1.100." in found


def test_numbers_stand_one_below_the_other():
    assert [shown(value, share=False) for value in (0.002123, 0.09, 2.66, 1234.5)] == [
        "0.002",
        "0.090",
        "2.660",
        "1234",
    ]


def test_without_a_judged_baseline_nobody_is_said_to_be_no_better():
    late = replace(unjudged("chance", "skipped", "The run was stopped."), role="baseline")
    boards = [model("lda", 0.9, tied=True, p_baseline=None), model("c45", tied=True, p_baseline=None), late]
    found = answer(summary(boards, recommended="c45", folds=1, planned=10))
    assert found.startswith(
        "No model can be recommended yet: the baseline has not been judged on these folds."
    )
    assert "c45 is not significantly different from the best." in found
