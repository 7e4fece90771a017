"""The codes of all findings, of tables and of comparisons, and what each means."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from classica.diagnosis.finding import Finding as ModelFinding
from classica.diagnosis.finding import diagnosis_codes
from classica.errors import ParameterError, must
from classica.finding_rule import FindingRule
from classica.tables.table_finding import Finding as TableFinding
from classica.tables.table_finding import table_codes
from classica.wording import did_you_mean

#: Code → what it means; those of comparisons first.
CODES: dict[str, FindingRule] = {**diagnosis_codes(), **table_codes()}


def explained_code(code: str) -> FindingRule:
    """Return what a code means; an unknown code is an error that suggests the closest one."""
    rule = CODES.get(code.upper())
    if rule is None:
        raise ParameterError(
            must("The code", "one listed by classica codes", code) + did_you_mean(code, CODES)
        )
    return rule


def occurring_codes(*findings: Iterable[ModelFinding | TableFinding]) -> list[FindingRule]:
    """Return what the codes of some findings mean, each once, in the order of the list of all codes.

    A summary may be of a later version: a code that this version does not have is left out.
    """
    occurring = {finding.code for finding in chain(*findings)}
    return [each for code, each in CODES.items() if code in occurring]
