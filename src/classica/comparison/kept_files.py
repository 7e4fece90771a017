"""What the files of a run folder may contain: all that is read back is checked before anything uses it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from classica.errors import RunError
from classica.evaluation import Extrapolation, TableBayesError
from classica.evaluation.runs import Outcome
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

#: A name that can stand in the name of a file and in a command.
_MODEL = Matching(r"\w[\w.-]*(:\w+)?", "a slug of the catalog or module:Class")
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


def _fields_of(cls: type, **kinds: Kind) -> Fields:
    """Return what a dataclass is written as: numbers, where no other kind is given."""
    return Fields({field.name: kinds.get(field.name, _NUMBER) for field in fields(cls)})


_BRACKET = _fields_of(TableBayesError, best_k=_COUNT, rows=_COUNT, classes=_COUNT, notes=_TEXTS)
_EXTRAPOLATION = _fields_of(Extrapolation, rows=_COUNT, more_rows=_COUNT, reason=_TEXT)
_ERRORS = ListOf(ListOf(_NUMBER, "folds"), "sizes")
_CURVE = _open(sizes=ListOf(Whole(1), "sizes"), train_errors=_ERRORS, test_errors=_ERRORS)
_LOSS = DictOf(_TEXT, _NUMBER)
_PARTS = _open(squared=Maybe(_LOSS), zero_one=Maybe(_LOSS), rows=_COUNT, n_samples=_COUNT, noise_known=Flag())
#: What the units of the closer look return, by their keys.
_LOOKS: dict[str, Fields] = {
    "bayes error": _open(bracket=_BRACKET, text=_TEXT),
    "learning curve": _open(curve=_CURVE, extrapolation=_EXTRAPOLATION, text=_TEXT),
    "bias and variance": _open(parts=_PARTS, text=_TEXT),
}


def checked_outcomes(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return the outcomes of units of a comparison, once their results are such as the units return."""
    for outcome in outcomes:
        if outcome.result is not None:
            otherwise = _FINAL if outcome.key.endswith(" all rows") else _FOLD
            scope = Scope(f"The result of {outcome.key!r} in the journal", error=RunError)
            _LOOKS.get(outcome.key, otherwise).check(outcome.result, scope)
    return list(outcomes)


_INTERVAL = _open(mean=_NUMBER, low=_NUMBER, high=_NUMBER)
_CONFUSION = _open(
    classes=ListOf(Plain(), "c"),
    matrix=ListOf(ListOf(_COUNT, "c"), "c"),
    class_errors=ListOf(_NUMBER, "c"),
    support=ListOf(_COUNT, "c"),
    error=_NUMBER,
)
_FINDING = _open(
    numbers=_PARAMETERS,
    code=Matching(r"[A-Z]\d{3}", "a code such as D301"),
    detail=_TEXT,
    remedy=_TEXT,
    title=_TEXT,
)
_MODEL_FIELDS: dict[str, Kind] = {
    "name": _MODEL,
    "title": _TEXT,
    "family": _TEXT,
    "status": _TEXT,
    "reason": _TEXT,
    "readable": _TEXT,
    "file": _MODEL_FILE,
    "bytes": Maybe(_COUNT),
    "model_parameters": Maybe(_COUNT),
    "parameters": Maybe(_PARAMETERS),
    "summary": _TEXT,
    "plain_rule": _TEXT,
}
_JUDGED = _open(
    **_MODEL_FIELDS,
    score=_INTERVAL,
    behind_best=_INTERVAL,
    p_holm=_NUMBER,
    equal=_NUMBER,
    better=_NUMBER,
    tied=Flag(),
    train_score=_NUMBER,
    inner_score=_NUMBER,
    fit_seconds=_NUMBER,
    select_seconds=_NUMBER,
    predict_seconds_per_row=_NUMBER,
    chosen=ListOf(_open(parameters=_PARAMETERS, folds=_COUNT)),
    confusion=_CONFUSION,
)
_COLUMN = _open(
    name=_TEXT,
    kind=_TEXT,
    role=_TEXT,
    missing=_NUMBER,
    different=_COUNT,
    counts=Maybe(ListOf(Plain())),
    low=Plain(),
    mean=_NUMBER,
    high=Plain(),
)
_DIVERSITY = _open(
    names=_TEXTS,
    measures=_open(overlap=ListOf(_NUMBERS)),
    vote_accuracy=Number(),
    accuracies=ListOf(Number()),
)


class _Column(Kind):
    """A column of the profile: its levels with their counts, or its range, of numbers where it has a mean."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check the fields, and what depends on others."""
        _COLUMN.check(value, scope)
        for pair in value["counts"] or []:
            scope.require(type(pair) is list and len(pair) == 2, "made with levels and counts", pair)
            _COUNT.check(pair[1], scope)
        if value["mean"] is not None:
            for end in ("low", "high"):
                Number().check(value[end], scope.part(f".{end}"))


_PROFILE = _open(
    columns=ListOf(_Column()), findings=ListOf(_open(code=_TEXT, column=Maybe(_TEXT), text=_TEXT))
)


class _Model(Kind):
    """A model of the summary: one that was judged has scores."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check the fields that its status asks for."""
        other = _open(**_MODEL_FIELDS)
        other.check(value, scope)
        if value["status"] == "done":
            _JUDGED.check(value, scope)


class _Look(Kind):
    """A closer look of the summary: the result of its unit, if it is done."""

    def check(self, value: Any, scope: Scope) -> None:
        """Check the fields that its status asks for; the last part of the scope is its name."""
        _open(status=_TEXT, reason=_TEXT).check(value, scope)
        if value["status"] == "done":
            known = [kind for name, kind in _LOOKS.items() if scope.where.endswith(f"[{name!r}]")]
            for kind in known:
                kind.check(value, scope.own())


#: The summary, as far as terminal and report read it.
SUMMARY_KIND = _open(
    classica_summary=Whole(1, 2),
    answer=_TEXT,
    best=Maybe(_MODEL),
    best_file=Maybe(Word("best.classica")),
    models=ListOf(_Model()),
    settings=_SETTINGS,
    metric=_open(title=_TEXT, is_share=Flag(), higher_is_better=Flag(), chance=_NUMBER),
    folds=_open(planned=Whole(0, 10**5), counted=Whole(0, 10**5)),
    looks=DictOf(_TEXT, _Look()),
    findings=ListOf(_FINDING),
    table=_open(
        source=_TEXT,
        rows=Whole(1),
        features=_COUNT,
        target=_TEXT,
        classes=ListOf(_open(label=Plain(), rows=_COUNT)),
        fingerprint=_TEXT,
        notes=_TEXTS,
        profile=_PROFILE,
    ),
    versions=DictOf(_TEXT, _TEXT),
    python=_TEXT,
    diversity=Maybe(_DIVERSITY),
)
