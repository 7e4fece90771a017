"""A model that does harm is a row with its reason, and harms no other."""

import time

from classica.comparison import compare
from classica.tables import load_table
from tests.comparison.in_process import compared
from tests.comparison.poison import MARKS

REASONS = {
    "Raises": "I do not like this table.",
    "Exits": "7",
    "Sleeps": "longer than the limit",
    "Eats": "memory",
    "Prints": "longer than the limit",
    "SaysNothing": "probabilities of a model must be finite numbers, got nan",
    "SaysWhatIsNot": "must be classes of the table, got 'no such class'",
}


def test_a_poison_model_is_a_row_with_its_reason_and_harms_no_other(tmp_path, monkeypatch):
    (tmp_path / "marks").mkdir()
    monkeypatch.setenv(MARKS, str(tmp_path / "marks"))
    poison = [f"tests.comparison.poison:{name}" for name in REASONS]
    settings = {"folds": 2, "tune": False}
    iris = load_table("iris")
    began = time.perf_counter()
    alone = compared(tmp_path, iris, ["lda", "naive-bayes", "chance"], **settings)
    # Each honest fit has as long as four times all of them took just now, however busy the machine is.
    limit = max(3.0, 4 * (time.perf_counter() - began))
    found = compare(
        iris,
        models=["lda", *poison, "naive-bayes"],
        out=tmp_path / "run",
        limit=limit,
        memory=200_000_000,
        workers=2,
        **settings,
    )
    models = {model.title: model for model in found.summary.models}
    for name, reason in REASONS.items():
        assert (name, models[name].state) == (name, "failed")
        assert reason in models[name].reason
        assert "\n" not in models[name].reason
        assert f"{name}: {models[name].reason}" in str(found)
    failed = next(each for each in found.summary.findings if each.code == "E506")
    assert len(failed.models) == len(REASONS)
    assert scores(found.summary) == scores(alone)
    assert found.best == alone.best


def scores(summary):
    """Return the scores of the models that finished."""
    return {model.name: model.values("test_score").tolist() for model in summary.judged}
