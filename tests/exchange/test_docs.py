"""The examples of docs/exchange.md run."""

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_examples():
    pytest.importorskip("unified_planning")
    pytest.importorskip("tarski")
    results = doctest.testfile(str(DOCS / "exchange.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0
