"""The answer as people read it: what to use, what the baseline gets, and who else may be the best."""

from dataclasses import replace

import pytest

from classica.comparison.results.recommending import recommendation
from classica.comparison.results.sentences import answer, score_text
from classica.comparison.results.summary import Delivered, MetricFacts
from classica.diagnosis.finding import Finding
from classica.metrics import confusion
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
    one = last_sentence(answer(board(model("c45", tied=True), model("knn", as_good=0.2))))
    assert one == "C45 is about as accurate"
    tied = last_sentence(answer(board(model("c45", tied=True, as_good=0.3), model("knn", as_good=0.2))))
    assert tied.startswith("C45 is statistically tied")
    assert "knn" not in tied
    five = last_sentence(answer(board(*(model(name, tied=True) for name in ("k-NN", *"BCDE")))))
    assert five.startswith("k-NN, B, C and 2 more are ")


def test_a_sentence_begins_with_a_capital_letter():
    found = answer(board(model("random forest", tied=True)))
    assert last_sentence(found).startswith("Random forest is ")


def test_a_simpler_model_that_is_as_good_is_recommended_and_both_are_named():
    found = summary([model("svm", 0.91, tied=True), model("lda", 0.9, tied=True)], recommended="lda")
    first, second, third = answer(found).split(". ")
    assert first == "Use lda: as accurate as the best (90.0%)"
    assert second == "Svm scores best (91.0%), by at most 1 percentage point with 80% probability"
    assert BASELINE in third


def test_the_reasons_are_told_as_people_say_them():
    svm, lda = model("svm", 0.91, tied=True, family="kernel"), model("lda", 0.9, tied=True)
    sized = [
        replace(each, delivered=Delivered({}, bytes=size)) for each, size in ((svm, 48_000), (lda, 5000))
    ]
    found = summary(sized, recommended="lda", headline=SCORE)
    told = recommendation(found)
    assert [(each.code, each.value) for each in told.reasons[:2]] == [("as_good", 0.8), ("smaller", 9.6)]
    assert told.reasons[2].code == "readable"
    first = answer(found).split(". ")[0]
    assert first == "Use lda: as accurate as the best (90.0%, 95% CI 85.0–95.0%), 10 times smaller, readable"
    assert [each.code for each in recommendation(summary([lda, svm])).reasons] == ["most_accurate"]


def test_what_is_missed_of_the_weakest_class_is_told():
    found = confusion(["good"] * 70 + ["bad"] * 30, ["good"] * 82 + ["bad"] * 18)
    told = recommendation(summary([model("lda", tied=True, confusion=found)]))
    weak = told.weakest_class
    assert (weak.label, weak.rows, weak.taken_for) == ("bad", 30, "good")
    assert weak.missed == pytest.approx(0.4)
    assert "Lda misses 40% of 'bad'." in answer(summary([model("lda", tied=True, confusion=found)]))
    perfect = confusion(["good", "bad"], ["good", "bad"])
    assert recommendation(summary([model("lda", confusion=perfect)])).weakest_class is None
    # A class of a row or two says little: the larger ones count.
    rare = confusion(["a"] * 20 + ["b"] * 20 + ["c"], ["a"] * 20 + ["b"] * 15 + ["a"] * 5 + ["a"])
    assert recommendation(summary([model("lda", confusion=rare)])).weakest_class.label == "b"


def test_the_first_finding_that_can_be_acted_on_is_what_helps_most():
    findings = [
        Finding.of("E303", "Tied.", "Use lda.", models=["lda"]),
        Finding.of("E101", "Overfits.", "Prune it.", models=["tree"]),
        Finding.of("E103", "Too few rows.", "Collect more rows.", models=["lda"]),
    ]
    found = board(model("tree"), findings=findings)
    assert recommendation(found).helps == "E103"
    assert answer(found).endswith("What would help most (E103): Collect more rows.")


def test_the_baseline_is_not_praised():
    found = answer(summary([model("chance", 0.5), model("lda", 0.4, p_baseline=None)]))
    assert found.startswith("No model is significantly better than the majority-class baseline.")
    assert "50.0%, and no model scores higher." in found
    found = answer(summary([model("lda", 0.6, p_baseline=None), model("chance", 0.5)]))
    assert BASELINE in found
    assert last_sentence(found).startswith("Lda ")
    assert "60.0%" in last_sentence(found)


def test_what_does_not_beat_the_baseline_significantly_is_not_recommended():
    lucky = model("tree", 0.8, p_baseline=None)
    found = summary([lucky, model("lda", 0.75, tied=True)])
    assert recommendation(found).model is None
    assert recommendation(found).why_none == "not better than baseline"
    found = summary([lucky, model("lda", 0.75, tied=True)], recommended="lda")
    told = recommendation(found)
    assert (told.model, told.most_accurate) == ("lda", "tree")
    assert "tree" not in told.alternatives


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
