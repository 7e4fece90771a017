"""The codes of all findings, of tables and of comparisons, and what each means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from itertools import chain

from classica.diagnosis.diagnosis_codes import CODES as _OF_COMPARISONS
from classica.diagnosis.finding import Finding as ModelFinding
from classica.errors import ParameterError, must
from classica.finding_code import FindingCode
from classica.tables.table_finding import CODES as _OF_TABLES
from classica.tables.table_finding import Finding as TableFinding

#: Code → what it means; those of comparisons first.
CODES = _OF_COMPARISONS | _OF_TABLES


def explained_code(code: str) -> FindingCode:
    """Return what a code means, or say which codes come close."""
    found = CODES.get(code.upper())
    if found is None:
        close = difflib.get_close_matches(code.upper(), CODES, n=4, cutoff=0.5) or list(CODES)[:4]
        raise ParameterError(must("The code", f"one of the known ones such as {', '.join(close)}", code))
    return found


def occurring_codes(*findings: Iterable[ModelFinding | TableFinding]) -> list[FindingCode]:
    """Return what the codes of some findings mean, each once, in the order of the list of all codes.

    A summary may be of a later version: a code that is not known here is left out.
    """
    found = {finding.code for finding in chain(*findings)}
    return [each for code, each in CODES.items() if code in found]
