"""Every bundled puzzle obeys the laws of all games; a new one in translators/ comes under them at once."""

from __future__ import annotations

import pytest

from support.thorough import PART
from unpuzzle import translators
from unpuzzle.testing import laws


@pytest.mark.parametrize("name", translators.names())
def test_a_bundled_puzzle_is_found(name):
    assert translators.find(name).name == name


for _name in translators.names():
    globals()[f"test_laws_of_{_name}"] = laws(translators.find(_name), share=PART)
