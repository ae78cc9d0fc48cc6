"""The face: its docstring is true, and every name that it offers is there."""

from __future__ import annotations

import doctest
import re

import pytest

import unpuzzle


def test_the_docstring_of_the_package_is_true():
    result = doctest.testmod(unpuzzle, optionflags=doctest.ELLIPSIS)
    assert result.attempted >= 5
    assert result.failed == 0


@pytest.mark.parametrize("name", unpuzzle.__all__)
def test_every_name_is_there(name):
    assert getattr(unpuzzle, name) is not None
    assert name in dir(unpuzzle)


def test_the_docstring_names_what_is_offered():
    offered = re.findall(r"^    (\w+)\(", unpuzzle.__doc__, re.MULTILINE)
    assert len(offered) > 10
    assert set(offered) <= set(unpuzzle.__all__)


def test_an_unknown_name_is_an_error():
    with pytest.raises(AttributeError, match="has no attribute 'solev'"):
        _ = unpuzzle.solev
