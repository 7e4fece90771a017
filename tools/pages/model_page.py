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
    "merge": "`merge` joins the models of two tables",
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
        "When to use it, and when not": markdown("\n\n".join(use), links),
        "Parameters": _parameters(card),
        "What is searched": _grid(card, can),
        "What it takes": "\n".join(f"* {line}" for line in _takes(card, can)),
        "What it tells": "\n".join(f"* {line}" for line in _tells(card, can)),
        "Cost": f"To learn: {card.fit_cost}. To answer: {card.predict_cost}. "
        "Here n is the number of rows, d of columns, C of classes.",
        "Notes": markdown("\n\n".join(rest), links),
        "Example": f"{examples(text['Examples'], links)}\n\n{_command(card, can)}".strip(),
        "Source": f"{card.source}. Letters: [lectures](README.md#lectures).",
        "See also": _others(card, cards),
    }
    head = [NOTE.format(source=f"the docstring and the card of {card.name}"), f"# {card.slug}: {card.name}"]
    head += [f"{card.summary} Family: {card.family}.", f"> {card.plain_rule}"]
    body = [f"## {title}\n\n{part}" for title, part in parts.items() if part]
    return "\n\n".join(map(wrapped, [*head, *body])) + "\n"


def _parameters(card: Card) -> str:
    rows = [
        [f"`{each.name}`", f"`{_code(each.default)}`", each.rule, markdown(each.description, {})]
        for each in card.parameters
    ]
    return table(["name", "default", "may be", "what it does"], rows)


def _code(value: Any) -> str:
    """Return a value as it is written in Python; of an estimator only how it is built."""
    return " ".join(repr(value).split())


def _grid(card: Card, can: Abilities) -> str:
    if not card.grid:
        return "Nothing: `classica compare` takes it as it comes."
    points = math.prod(len(values) for values in card.grid.values())
    tried = table(
        ["name", "tried"],
        [[f"`{name}`", ", ".join(f"`{_code(value)}`" for value in each)] for name, each in card.grid.items()],
    )
    who = (
        f"`classica compare` tries these {points} settings inside each training part and takes the best "
        "there; `classica.select_parameters` does it alone."
        if can.classifies
        else f"These {points} settings are a start for scikit-learn's `GridSearchCV`."
    )
    return f"{who}\n\n{tried}"


def _takes(card: Card, can: Abilities) -> Iterator[str]:
    for kind, instead in _INSTEAD.items():
        no = instead if can.classifies else "no"
        yield f"{kind[0].upper()}{kind[1:]}: {'yes' if kind in card.takes else no}."
    if can.standardised:
        how = (
            "the commands give every number mean 0 and variance 1"
            if can.classifies
            else "scale columns first"
        )
        yield f"Scale: its answers depend on it; {how}."
    yield f"Weights of rows (`sample_weight`): {'yes' if can.weights else 'no'}."
    if can.classifies and "more than two classes" not in card.takes:
        yield "Classes: two."
    online = [_ONLINE[name] for name in card.learns_online]
    yield f"Later: {', '.join(online) if online else 'no; it learns from the whole table at once'}."


_INSTEAD: Mapping[str, str] = {
    "categorical columns": "no; the commands make a column of 0 and 1 of each level",
    "missing cells": "no; the commands fill in the mean, or the most frequent level",
    "sparse matrices": "no",
}


def _tells(card: Card, can: Abilities) -> Iterator[str]:
    if can.classifies:
        made = "as they come, or calibrated" if can.probabilities else "after calibration only"
        yield f"Probabilities: {made} (`BayesDecisionClassifier`)."
    explain = "classica explain" if can.classifies else "classica.explain.explain_model"
    if can.model_parts:
        yield f"`{explain}`, of the model: {'; '.join(can.model_parts)}."
    if can.row_parts:
        yield f"`{explain}`, of a row: {'; '.join(can.row_parts)}."
    if can.classifies:
        shown = "every step of the lecture's computation" if can.traced else "what it has learned, no steps"
        yield f"`classica trace`: {shown}."
    export = "classica export" if can.classifies else "classica.export.export_model"
    yield f"`{export}`: {', '.join(can.forms)}."


def _command(card: Card, can: Abilities) -> str:
    if not can.classifies:
        return "It predicts quantities, so it is for Python only: the commands classify."
    table_name = _TABLES.get(card.slug, "iris")
    return (
        "Without Python:\n\n```sh\n"
        f"classica train {table_name} --model {card.slug} --out {card.slug}.classica\n"
        f"classica explain {card.slug}.classica\n```"
    )


def _others(card: Card, cards: Sequence[Card]) -> str:
    family = [other for other in cards if other.family == card.family and other.slug != card.slug]
    lines = [f"* [{other.slug}]({other.slug}.md): {other.summary}" for other in family]
    return "\n".join([*lines, "* [All models](README.md), [what findings mean](../findings.md)"])
