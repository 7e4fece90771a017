"""Fixtures of the tests of model files."""

import pytest

from classica.persist import names
from tests.persist.anything import Anything


@pytest.fixture
def anything(monkeypatch):
    """Let estimators with any plain value be in model files, and return what makes them."""
    monkeypatch.setitem(names._OTHERS, "anything", Anything)
    return Anything.with_value
