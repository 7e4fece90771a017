"""The codes of a report lead to what they mean, on the same page."""

import pytest

from classica.interfaces.finding_codes import CODES
from classica.interfaces.report import report_html
from tests.interfaces.report.page_reader import PageReader


@pytest.fixture(scope="module")
def read(compared):
    return PageReader(report_html(compared, pictures=0))


def test_every_code_leads_to_its_meaning_and_no_other_is_explained(compared, read):
    summary = compared.summary
    occurring = {finding.code for finding in [*summary.findings, *summary.table.profile.findings]}
    assert occurring
    assert {link for link in read.values("href") if link.startswith("#code-")} == {
        f"#code-{code}" for code in occurring
    }
    assert {name for name in read.values("id") if name.startswith("code-")} == {
        f"code-{code}" for code in occurring
    }
    for code in occurring:
        for text in (CODES[code].meaning, CODES[code].rule, CODES[code].remedy):
            assert text in read.text
