"""The answer as people read it: who comes first, who else may be the best, and numbers."""

from classica.comparison.sentences import answer, shown


def summary(*names, tied=(), better=("lda",), metric=None):
    score = {"mean": 0.9, "low": 0.85, "high": 0.95, "confidence": 0.95}
    models = [
        {"name": name, "title": name, "status": "done", "score": score, "tied": name in tied}
        for name in names
    ]
    share = {"title": "accuracy", "is_share": True, "chance": 0.5, "higher_is_better": True}
    return {
        "best": names[0],
        "models": models,
        "better_than_chance": dict.fromkeys(better, 0.01),
        "metric": metric or share,
        "folds": {"planned": 10, "counted": 10},
    }


def test_who_is_first_how_sure_that_is_and_who_else():
    said = "lda comes first with accuracy 90.0 % on new rows (85.0 to 95.0 % with 95 % confidence);"
    assert answer(summary("lda", "c45")) == f"{said} chance has 50.0 %. All others are shown to be worse."
    one = answer(summary("lda", "c45", "knn", tied=["lda", "c45"]))
    assert one == f"{said} chance has 50.0 %. 1 other is tied with it, that is, not shown to be worse: c45."
    five = answer(summary("lda", *"abcde", tied=["lda", *"abcde"]))
    assert five.endswith("5 others are tied with it, that is, not shown to be worse: a, b, c and 2 more.")


def test_chance_is_not_praised():
    said = answer(summary("chance", "lda", better=()))
    assert said == "No model is shown to be better than chance, which has accuracy 50.0 % and comes first."
    assert answer(summary("lda", "chance", better=())).endswith(", but that may be luck.")


def test_of_a_loss_less_is_better():
    loss = {"title": "log loss", "is_share": False, "chance": 1.1, "higher_is_better": False}
    said = answer(summary("lda", metric=loss))
    assert said.startswith("lda comes first with log loss 0.900 on new rows, less is better (0.850 to 0.950")
    assert "chance has 1.100." in said


def test_numbers_stand_one_below_the_other():
    assert [shown(value, share=False) for value in (0.002123, 0.09, 2.66, 1234.5)] == [
        "0.002",
        "0.090",
        "2.660",
        "1234",
    ]
