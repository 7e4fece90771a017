"""Which findings speak of which models, so that each leads to the other."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from classica.comparison.results.summary import ModelResult
from classica.diagnosis.finding import Finding

#: Models that a finding leads to; more are counted.
_LINKS = 6


@dataclass(frozen=True)
class ModelLink:
    """A model and where it is on the page."""

    name: str
    title: str
    anchor: str


@dataclass(frozen=True)
class LinkedFinding:
    """A finding, where it is on the page, and where the models are that it speaks of."""

    finding: Finding
    anchor: str
    models: tuple[ModelLink, ...]

    @property
    def shown(self) -> tuple[ModelLink, ...]:
        """The models that are worth a link."""
        return self.models[:_LINKS]

    @property
    def more(self) -> int:
        """How many others there are."""
        return len(self.models) - len(self.shown)


def anchors(names: Sequence[str], kind: str) -> list[str]:
    """Return an anchor on the page for each name; names that would give the same one get a number.

    Examples
    --------
    >>> anchors(["c45", "a:b", "a-b"], "model")
    ['model-c45', 'model-a-b', 'model-a-b-3']
    """
    found: list[str] = []
    for number, name in enumerate(names, 1):
        anchor = f"{kind}-{re.sub(r'[^A-Za-z0-9]+', '-', name).strip('-') or number}"
        found.append(f"{anchor}-{number}" if anchor in found else anchor)
    return found


def linked_findings(
    findings: Sequence[Finding], models: Sequence[ModelResult], anchors_by_name: Mapping[str, str]
) -> list[LinkedFinding]:
    """Return the findings with their own anchors, and the models they speak of with theirs.

    Parameters
    ----------
    findings : sequence of Finding
        As the summary has them.
    models : sequence of ModelResult
        The models that have a section on the page.
    anchors_by_name : mapping
        Name of a model → its anchor.
    """
    own = anchors([finding.code for finding in findings], "finding")
    return [
        LinkedFinding(
            finding,
            anchor,
            tuple(
                ModelLink(model.name, model.title, anchors_by_name[model.name])
                for model in models
                if model.name in finding.models
            ),
        )
        for finding, anchor in zip(findings, own, strict=True)
    ]
