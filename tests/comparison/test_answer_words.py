"""The answer as people read it: what to use, what the baseline gets, and who else may be the best."""

from dataclasses import replace

from classica.comparison.results.sentences import answer, score_text
from classica.comparison.results.summary import MetricFacts
from tests.comparison.summaries import interval, model, summary, unjudged

SCORE = interval(0.9, 0.85, 0.95)
USE, SCORED = "Use lda: ", "90.0% accuracy on new data (95% CI 85.0–95.0%)."
BASELINE = "scores 50.0%"


def last_sentence(text):
    return text.rstrip(".").rpartition(". ")[2]


def board(*others, **more):
    return summary([model("lda", score=SCORE, tied=True), *others], **more)


def test_what_to_use_how_sure_that_is_and_who_else():
    alone = answer(board(model("c45")))
    assert alone.startswith(USE + SCORED)
    assert BASELINE in alone
    assert "significantly worse" in last_sentence(alone)
    one = last_sentence(answer(board(model("c45", tied=True), model("knn"))))
    assert one.startswith("C45 is ")
    assert "tied" in one
    assert "knn" not in one
    five = last_sentence(answer(board(*(model(name, tied=True) for name in ("k-NN", *"BCDE")))))
    assert five.startswith("k-NN, B, C and 2 more are ")


def test_a_sentence_begins_with_a_capital_letter():
    found = answer(board(model("random forest", tied=True)))
    assert last_sentence(found).startswith("Random forest is ")


def test_a_simpler_model_that_is_as_good_is_recommended_and_both_are_named():
    found = summary([model("svm", 0.91, tied=True), model("lda", 0.9, tied=True)], recommended="lda")
    first, second, third = answer(found).split(". ")
    assert first == "Use lda: 90.0% accuracy on new data"
    assert "Svm" in second
    assert "91.0%" in second
    assert "not significantly better" in second
    assert BASELINE in third


def test_the_baseline_is_not_praised():
    found = answer(summary([model("chance", 0.5), model("lda", 0.4, p_baseline=None)]))
    assert found.startswith("No model is significantly better than the majority-class baseline.")
    assert "50.0%, and no model scores higher." in found
    found = answer(summary([model("lda", 0.6, p_baseline=None), model("chance", 0.5)]))
    assert BASELINE in found
    assert last_sentence(found).startswith("Lda ")
    assert "60.0%" in last_sentence(found)


def test_a_recommended_model_that_does_not_beat_the_baseline_significantly_is_told():
    found = answer(summary([model("tree", 0.8, tied=True, p_baseline=None), model("lda", 0.75, tied=True)]))
    assert f"{BASELINE}; only lda is significantly better" in found


def test_few_folds_show_little():
    lucky = [model("tree", 0.8, p_baseline=None), model("chance", 0.5)]
    assert "baseline, but 2 folds are few." in answer(summary(lucky, folds=2))
    assert "baseline, but one fold cannot show it." in answer(summary(lucky, folds=1))


def test_a_stopped_run_says_what_its_answer_rests_on():
    late = unjudged("svm", "skipped", "The run was stopped before its first fold was done.")
    found = answer(board(model("c45"), late, folds=3, planned=10, thorough=True))
    assert last_sentence(found).endswith("3 of 10 folds and 2 of 3 models")
    raced = answer(board(model("c45"), late, folds=3, planned=10, is_interrupted=True))
    assert last_sentence(raced).endswith("3 of 10 folds")
    early = last_sentence(answer(board(model("c45"), late, is_provisional=True, is_interrupted=True)))
    assert "provisional" in early
    assert "at most 90 of 100 rows" in early
    nothing = answer(summary([late]))
    assert nothing.startswith("No model ")
    assert nothing.endswith(late.reason)


def test_of_a_loss_lower_is_better():
    loss = MetricFacts("log_loss", "log loss", False, False, 1.1)
    found = answer(board(metric=loss))
    assert found.startswith("Use lda: log loss 0.900 on new data, lower is better (95% CI 0.850–0.950).")
    assert "Always predicting the class frequencies scores 1.100." in found


def test_numbers_stand_one_below_the_other():
    assert [score_text(value, share=False) for value in (0.002123, 0.09, 2.66, 1234.5)] == [
        "0.002",
        "0.090",
        "2.660",
        "1234",
    ]


def test_without_a_judged_baseline_nobody_is_said_to_be_no_better():
    late = replace(unjudged("chance", "skipped", "The run was stopped."), role="baseline")
    boards = [model("lda", 0.9, tied=True, p_baseline=None), model("c45", tied=True, p_baseline=None), late]
    found = answer(summary(boards, recommended="c45", folds=1, planned=10))
    assert found.startswith("No model can be recommended yet: ")
    assert "C45 is statistically tied" in found
