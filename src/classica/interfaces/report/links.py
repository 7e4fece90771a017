"""Which findings speak of which models, so that each leads to the other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

#: Numbers of a finding whose words name no models, or only the one that the others are measured by.
_OTHERS = ("classes", "class_errors", "columns", "majority", "best")


#: Models that a finding leads to; more are counted.
_LINKS = 6


def anchors(names: Sequence[str], kind: str) -> list[str]:
    """Return a place on the page for each name; names that would give the same place get a number.

    Examples
    --------
    >>> anchors(["c45", "a:b", "a-b"], "model")
    ['model-c45', 'model-a-b', 'model-a-b-3']
    """
    found: list[str] = []
    for number, name in enumerate(names, 1):
        place = f"{kind}-{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-') or number}"
        found.append(f"{place}-{number}" if place in found else place)
    return found


def linked_findings(
    findings: Sequence[Mapping[str, Any]], entries: Sequence[Mapping[str, Any]], places: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the findings with their own places, and the models they speak of with theirs.

    Parameters
    ----------
    findings : sequence of mappings
        As the summary has them.
    entries : sequence of mappings
        The models that have a part of the page.
    places : mapping
        Name of a model → where it is on the page.
    """
    own = anchors([finding["code"] for finding in findings], "finding")
    return [
        dict(finding)
        | {
            "place": place,
            **_linked([entry for entry in entries if entry["name"] in _spoken_of(finding)], places),
        }
        for finding, place in zip(findings, own, strict=True)
    ]


def _linked(entries: Sequence[Mapping[str, Any]], places: Mapping[str, str]) -> dict[str, Any]:
    """Return all models a finding speaks of, and how many of them are not worth a link of their own."""
    models = [
        {"name": entry["name"], "title": entry["title"], "place": places[entry["name"]]} for entry in entries
    ]
    return {"models": models, "more_models": max(len(models) - _LINKS, 0), "most_models": _LINKS}


def _spoken_of(finding: Mapping[str, Any]) -> set[str]:
    """Return the names in the numbers of a finding, and the first words of its text."""
    told = re.match(r"(?:The best, )?([^\s,]+)", finding["detail"])
    return {*_words(finding["numbers"]), *([told[1]] if told else [])}


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key not in _OTHERS:
                yield str(key)
                yield from _words(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)
