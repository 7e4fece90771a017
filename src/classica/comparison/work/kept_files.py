"""What the files of a run folder may contain: all that is read back is checked before anything uses it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from classica.comparison.plan.contender import is_canonical
from classica.comparison.results.summary import Summary
from classica.errors import DataError, RunError
from classica.kinds import (
    DictOf,
    Fields,
    Flag,
    Kind,
    ListOf,
    Matching,
    Maybe,
    Number,
    Plain,
    Scope,
    Whole,
    Word,
)
from classica.runs import Outcome


class _ModelName(Word):
    """The canonical name of a contender: it can stand in the key of a unit and in a command."""

    def check(self, value: Any, scope: Scope) -> None:
        """Raise for anything else."""
        super().check(value, scope)
        scope.require(
            is_canonical(value), "a slug of the catalog or module:Class, perhaps with parameters", value
        )


_MODEL = _ModelName()
_MODEL_FILE = Maybe(Matching(r"models/\w[\w.-]*\.classica", "a file in the folder models"))
#: Larger numbers would overflow in means and spreads.
_NUMBER, _TEXT, _COUNT = Maybe(Number(most=1e100)), Word(), Whole(0, 2**40)
_NUMBERS, _TEXTS = ListOf(_NUMBER), ListOf(_TEXT)
_PARAMETERS = DictOf(_TEXT, Plain())


def _open(**kinds: Kind) -> Fields:
    """Return an object that has these fields; others are let through unread."""
    return Fields(kinds, open_ended=True)


_SETTINGS = _open(
    metric=_TEXT,
    folds=Whole(2, 10**6),
    repeats=Whole(1, 10**6),
    confidence=Number(above=0),
    rope=Number(low=0),
    inner_folds=Whole(2, 10**6),
    tune=Flag(),
    groups=Maybe(_TEXT),
    time=Maybe(_TEXT),
    costs=Maybe(ListOf(_NUMBERS)),
)
ABOUT = Fields(
    {
        "classica_comparison": Whole(1),
        "source": _TEXT,
        "fingerprint": _TEXT,
        "models": ListOf(_MODEL),
        "settings": _SETTINGS,
        "notes": _TEXTS,
    }
)
_FOLD = _open(
    parameters=_PARAMETERS,
    inner_score=_NUMBER,
    train_score=_NUMBER,
    test_score=_NUMBER,
    select_seconds=Number(low=0),
    fit_seconds=Number(low=0),
    predict_seconds=Number(low=0),
    test_rows=Whole(1),
)
_FINAL = _open(
    parameters=_PARAMETERS,
    file=_MODEL_FILE,
    bytes=Maybe(_COUNT),
    model_parameters=Maybe(_COUNT),
    select_seconds=Number(low=0),
    fit_seconds=Number(low=0),
)


_JUDGED = Fields({"folds": ListOf(_open(**_FOLD.needed, fold=_COUNT, learned_rows=Whole(1)))})
#: What the trials of a race return, by their tasks.
TRIAL_RESULTS = {
    "tune": Fields({"folds": ListOf(_open(fold=_COUNT, test_rows=Whole(1)))}),
    "judge": _JUDGED,
    "search": _JUDGED,
    "halves": Fields({"halves": ListOf(ListOf(Number(most=1e100), size=2))}),
}

#: What units return, by their keys.
_RESULTS = {re.compile(r".+ fold \d+"): _FOLD, re.compile(r".+ all rows"): _FINAL}


def checked_outcomes(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes of units of a comparison, once their results are such as the units return."""
    for outcome in outcomes:
        if outcome.result is not None:
            scope = Scope(f"The result of {outcome.key!r} in the journal", error=RunError)
            # Those of the closer look become dataclasses, field by field.
            kind = next((kind for form, kind in _RESULTS.items() if form.fullmatch(outcome.key)), Plain())
            kind.check(outcome.result, scope)
    return list(outcomes)


def checked_summary(summary: Summary, path: Path) -> Summary:
    """Return a summary that was read back, once what its types cannot say holds: names, files and sizes."""
    scope = Scope(str(path), error=DataError)
    for model in summary.models:
        _MODEL.check(model.name, scope.part(f" ({model.name!r:.40})"))
        if model.delivered is not None:
            _MODEL_FILE.check(model.delivered.file, scope.part(f" ({model.name}).file"))
    Maybe(Word("best.classica")).check(summary.best_file, scope.part(".best_file"))
    name = Maybe(Word("most-accurate.classica"))
    name.check(summary.most_accurate_file, scope.part(".most_accurate_file"))
    Whole(1).check(summary.table.rows, scope.part(".table.rows"))
    ListOf(Whole(0, 10**6), made=tuple).check(summary.folds.counted, scope.part(".folds.counted"))
    return summary
