"""What a comparison says: leaks are named, noise is no success, quantities are refused."""

import numpy as np
import polars as pl
import pytest

from classica.comparison import compare
from classica.comparison.comparison_result import ComparisonResult
from classica.errors import ClassicaError
from classica.tables import load_table
from tests.comparison.in_process import compared

FAST = ["naive-bayes", "lda", "c45", "knn", "chance"]


def noise(seed, rows=100, columns=5):
    random = np.random.default_rng(seed)
    cells = {f"x{j}": random.normal(size=rows) for j in range(columns)}
    return pl.DataFrame(cells | {"y": random.choice(["a", "b"], size=rows)})


def claims(folder, seeds):
    """Return on how many tables of noise some model is claimed to be better than the baseline."""
    count = 0
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir()
        found = compared(place, noise(seed), FAST, "y", tune=False, seed=seed)
        is_claimed = any(model.p_baseline is not None for model in found.models)
        assert is_claimed == ("No model is significantly better" not in found.answer)
        assert is_claimed == ("E503" not in [finding.code for finding in found.findings])
        assert is_claimed or not found.tied
        count += is_claimed
    return count


def test_noise_is_no_success(tmp_path):
    # One in 20 claims at most, so more than 2 of 6 would be seen once in 500 times.
    assert claims(tmp_path, range(6)) <= 2


@pytest.mark.full
def test_noise_is_no_success_on_200_tables(tmp_path):
    count = claims(tmp_path, range(200))
    print(f"200 tables of noise, 4 models: {count} claims")
    assert count <= 16


#: Columns that give the classes away, by their numbers.
LEAKS = {
    "copy": lambda codes, random: [f"it was {code}" for code in codes],
    "number": lambda codes, random: codes * 1.5 + 7,
    "measured after": lambda codes, random: codes * 10 + random.random(len(codes)),
    "almost": lambda codes, random: [
        f"it was {c}" for c in np.where(random.random(len(codes)) < 0.01, 0, codes)
    ],
    "only for others": lambda codes, random: [None if code == 1 else "moved" for code in codes],
}


def with_leak(table, kind):
    codes = np.unique(table.y, return_inverse=True)[1]
    cells = pl.Series("planted", LEAKS[kind](codes, np.random.default_rng(0)))
    return table.frame.with_columns(cells)


# One column for "others" gives two classes away, not three.
@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in ("hepatitis", "vote") for kind in LEAKS]
    + [("iris", kind) for kind in LEAKS if kind != "only for others"],
)
def test_a_planted_leak_is_named_with_what_to_do(tmp_path, name, kind):
    table = load_table(name)
    target, few = table.schema.target, {"models": ["naive-bayes", "chance"], "folds": 2, "tune": False}
    found = compared(tmp_path, with_leak(table, kind), target=target, **few)
    leak = found.findings[0]
    assert leak.code == "E501"
    assert "'planted'" in leak.detail
    assert leak.columns == ("planted",)
    assert leak.remedy
    # Printing the result in Python shows it, too.
    assert str(ComparisonResult(tmp_path, found)).endswith(str(leak))


def test_no_leak_is_named_where_none_is(tmp_path):
    for name in ("iris", "hepatitis", "vote"):
        (tmp_path / name).mkdir()
        found = compared(tmp_path / name, load_table(name), ["lda", "chance"], folds=2, tune=False)
        assert "E501" not in [finding.code for finding in found.findings]


def test_a_summary_of_iris(tmp_path):
    found = compared(tmp_path, load_table("iris"), FAST, folds=5, repeats=2, tune=False)
    assert found.answer.startswith("Use LDA: 9")
    assert "(95% CI 9" in found.answer
    assert "scores 33.3%" in found.answer
    assert {model.name for model in found.models if model.p_baseline is not None} == {*FAST} - {"chance"}
    assert found.models[-1].name == "chance"
    assert len(found.models[0].folds) == 10
    assert found.diversity.names == [model.name for model in found.models[:4]]
    assert found.diversity.rows == 150  # each row once, however often folds are drawn
    assert 0.9 < found.diversity.vote_accuracy <= 1
    for finding in found.findings:
        assert finding.code[0] == "E"
        assert finding.detail.endswith((".", ")"))
        assert finding.remedy.endswith(".")
    text = str(ComparisonResult(tmp_path, found))
    assert text.splitlines()[0] == found.answer
    assert all(model.title in text for model in found.judged if model.role == "model")


def test_the_simpler_of_equal_models_is_best(tmp_path):
    # Both get every row right.
    frame = pl.DataFrame({"x": np.arange(40.0) + 100 * (np.arange(40) >= 20), "y": ["a"] * 20 + ["b"] * 20})
    found = compared(tmp_path, frame, ["svm", "tree", "chance"], "y", folds=4, tune=False)
    assert [model.score.mean for model in found.models[:2]] == [1.0, 1.0]
    assert found.best == "tree"


def quantity():
    return pl.DataFrame({"x": np.arange(200.0), "y": np.sqrt(np.arange(200.0))})


def labelled(labels):
    return pl.DataFrame({"x": np.arange(float(len(labels))), "y": labels})


@pytest.mark.parametrize(
    ("source", "more", "text"),
    [
        (quantity(), {}, "200 distinct numbers in 200 rows"),
        (
            labelled([20 + k % 41 for k in range(270)]),
            {},
            "with 41 distinct numbers",
        ),
        (
            labelled([f"p{k}" for k in range(80)]),
            {},
            "each of 80 rows has its own class.",
        ),
        (labelled(["a"] * 30), {}, "every row has the class 'a'"),
        (labelled(["a", "b", "a"]), {}, "must have at least 4 rows with a label, got 3 rows"),
        (pl.DataFrame({"y": ["a", "b"] * 20}), {}, "no column can be used as a feature"),
        (noise(0), {"target": None}, "no target"),
        (noise(0), {"target": "z"}, "'z'"),
        (noise(0), {"models": []}, "models must be at least one classifier"),
        (noise(0), {"models": ["lda", "lda"]}, "models must be different classifiers"),
        (noise(0), {"models": ["ldda"]}, "ldda"),
        (noise(0), {"models": ["no.such:Model"]}, "Cannot import the model 'no.such:Model'"),
        (noise(0), {"models": ["math:pi"]}, "A model must be a slug"),
        (noise(0), {"models": ["sklearn.linear_model:LinearRegression"]}, "must be a classifier"),
        (noise(0), {"models": ["svm-regressor"]}, "must be a classifier"),
        (noise(0), {"metric": "luck"}, "metric must be"),
        (noise(0), {"metric": "cost"}, "costs must be given for the metric 'cost'"),
        (noise(0), {"costs": [[0, 1], [1, 0]]}, "metric must be 'cost' where there are costs"),
        (
            noise(0),
            {"groups": "patient"},
            "for groups: polars frame has no such column",
        ),
        (noise(0), {"folds": 0}, "folds must be"),
        (noise(0), {"budget": -1.0}, "budget"),
        (noise(0), {"limit": 0.0}, "must be"),
        (noise(0), {"workers": 0}, "workers must be"),
        ("no-such-file.csv", {}, "no-such-file.csv"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_a_sentence(tmp_path, source, more, text):
    with pytest.raises(ClassicaError) as caught:
        compare(source, **{"target": "y", "models": ["lda"], "out": tmp_path / "run", **more})
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "run" / "journal.jsonl").exists()


def test_the_old_name_of_the_result_still_works():
    import classica
    from classica import comparison

    for module in (classica, comparison):
        with pytest.warns(DeprecationWarning, match="ComparisonResult"):
            assert module.Compared is ComparisonResult
