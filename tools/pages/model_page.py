"""The page of one classifier."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from classica.registry import Card
from tools.pages.abilities import Abilities
from tools.pages.docstring import examples, markdown, paragraphs, sections, table, wrapped
from tools.pages.findings_page import NOTE

#: How the paragraph of the Notes begins that says when to use a classifier.
USE = "Use it "

#: The table the example learns from, where it is not iris.
_TABLES = {"id3": "golf", "winnow": "vote"}

#: What `partial_fit` and its like do.
_ONLINE = {
    "partial_fit": "`partial_fit` adds rows",
    "merge": "`merge` combines the models of two tables",
    "forget": "`forget` removes rows",
}


def model_page(card: Card, can: Abilities, cards: Sequence[Card]) -> str:
    """Return the page of a classifier, with links to those of the others."""
    links = {other.name: f"{other.slug}.md" for other in cards if other.slug != card.slug}
    text = sections(card.estimator)
    notes = paragraphs(text["Notes"])
    use = [part for part in notes if part.startswith(USE)]
    rest = [part for part in notes if part not in use]
    how = paragraphs(text[""])[1:]
    parts = {
        "How it works": markdown("\n\n".join(how), links),
        "When to use it": markdown("\n\n".join(use), links),
        "Parameters": _parameters(card),
        "Tuning": _grid(card, can),
        "Input": "\n".join(f"* {line}" for line in _takes(card, can)),
        "Output": "\n".join(f"* {line}" for line in _tells(card, can)),
        "Cost": f"Fit: {card.fit_cost}. Predict: {card.predict_cost}. "
        "Here n is the number of rows, d of columns and C of classes.",
        "Notes": markdown("\n\n".join(rest), links),
        "Example": f"{examples(text['Examples'], links)}\n\n{_command(card, can)}".strip(),
        "Source": f"{card.source}. For the letters, see [Lectures](README.md#lectures).",
        "See also": _others(card, cards),
    }
    head = [
        NOTE.format(source=f"the docstring and the card of {card.name}"),
        f"# {_capital(card.title)} (`{card.name}`)",
    ]
    head += [
        f"{card.summary} Name on the command line: `{card.slug}`. Family: {card.family}.",
        f"> {card.plain_rule}",
    ]
    body = [f"## {title}\n\n{part}" for title, part in parts.items() if part]
    return "\n\n".join(map(wrapped, [*head, *body])) + "\n"


def _capital(title: str) -> str:
    """Return a title as the first word of a heading; k-NN and its like stay as they are."""
    return title if title.startswith("k-") else title[0].upper() + title[1:]


def _parameters(card: Card) -> str:
    rows = [
        [f"`{each.name}`", f"`{_code(each.default)}`", each.rule, markdown(each.description, {})]
        for each in card.parameters
    ]
    return table(["name", "default", "allowed values", "description"], rows)


def _code(value: Any) -> str:
    """Return a value as it is written in Python; of an estimator only how it is built."""
    return " ".join(repr(value).split())


def _grid(card: Card, can: Abilities) -> str:
    if not card.grid:
        return "No hyper-parameters are tuned: `classica compare` uses the default settings."
    points = math.prod(len(values) for values in card.grid.values())
    tried = table(
        ["name", "values"],
        [[f"`{name}`", ", ".join(f"`{_code(value)}`" for value in each)] for name, each in card.grid.items()],
    )
    who = (
        f"`classica compare` tunes over these {points} settings by inner cross-validation on each training "
        "set; `classica.select_parameters` does the same on its own."
        if can.classifies
        else f"These {points} settings are a starting point for scikit-learn's `GridSearchCV`."
    )
    return f"{who}\n\n{tried}"


def _takes(card: Card, can: Abilities) -> Iterator[str]:
    for kind, instead in _INSTEAD.items():
        no = instead if can.classifies else "no"
        yield f"{kind[0].upper()}{kind[1:]}: {'yes' if kind in card.takes else no}."
    if can.standardised:
        how = (
            "the commands standardise numeric columns to mean 0 and variance 1"
            if can.classifies
            else "standardise columns first"
        )
        yield f"Scale of the columns: matters; {how}."
    yield f"Sample weights (`sample_weight`): {'yes' if can.weights else 'no'}."
    if can.classifies and "more than two classes" not in card.takes:
        yield "Classes: two."
    online = [_ONLINE[name] for name in card.learns_online]
    yield f"Online learning: {', '.join(online) if online else 'no'}."


_INSTEAD: Mapping[str, str] = {
    "categorical columns": "no; the commands one-hot encode them",
    "missing values": "no; the commands impute the mean, or the most frequent level",
    "sparse matrices": "no",
}


def _tells(card: Card, can: Abilities) -> Iterator[str]:
    if can.classifies:
        made = "built in; calibrate them" if can.probabilities else "after calibration"
        yield f"Probabilities: {made} with `BayesDecisionClassifier`."
    explain = "classica explain" if can.classifies else "classica.explain.explain_model"
    if can.model_parts:
        yield f"`{explain}`, model: {'; '.join(can.model_parts)}."
    if can.row_parts:
        yield f"`{explain}`, row: {'; '.join(can.row_parts)}."
    if can.classifies:
        shown = "every step of the lecture's computation" if can.traced else "the fitted model, without steps"
        yield f"`classica trace`: {shown}."
    export = "classica export" if can.classifies else "classica.export.export_model"
    yield f"`{export}`: {', '.join(can.forms)}."


def _command(card: Card, can: Abilities) -> str:
    if not can.classifies:
        return "Regressors are available in Python only: the commands classify."
    table_name = _TABLES.get(card.slug, "iris")
    return (
        "On the command line:\n\n```sh\n"
        f"classica train {table_name} --model {card.slug} --out {card.slug}.classica\n"
        f"classica explain {card.slug}.classica\n```"
    )


def _others(card: Card, cards: Sequence[Card]) -> str:
    family = [other for other in cards if other.family == card.family and other.slug != card.slug]
    lines = [f"* [{_capital(other.title)}]({other.slug}.md): {other.summary}" for other in family]
    return "\n".join([*lines, "* [All models](README.md), [Findings](../findings.md)"])
