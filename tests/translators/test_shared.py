"""The public place of what puzzles have in common."""

from __future__ import annotations

import subprocess
import sys

import pytest

from unpuzzle import translators
from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.translators import shared
from unpuzzle.translators.shared import Page


@pytest.mark.parametrize("name", shared.__all__)
def test_every_name_is_there_and_says_what_it_is(name):
    assert getattr(shared, name).__doc__


def test_an_unknown_name_is_told():
    with pytest.raises(AttributeError, match="has no attribute 'GridPuzle'"):
        _ = shared.GridPuzle


def test_it_is_no_puzzle():
    assert "shared" not in translators.names()
    with pytest.raises(UsageError, match="unknown puzzle 'shared'"):
        translators.find("shared")


def test_what_a_puzzle_reads_with_loads_no_pictures():
    code = "import sys; from unpuzzle.translators.shared import Page, cell_names; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not [name for name in run.stdout.split() if "picture" in name or name.endswith("shared.grid")]


def read(text):
    """As the docstring of the reader of texts has it."""
    page = Page(text, "my.txt")
    rows = page.rows()
    page.require_rectangle(rows)
    if len(rows[0]) != 2:
        raise page.error_at("a line has two numbers", rows[0][-1])
    return [page.number(word, least=0, most=9) for word in rows[0]]


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("", (1, 1), "the level is empty"),
        ("; three\n 3", (2, 2), "a line has two numbers"),
        ("3 5\n7", (2, 1), "row 2 has 1 cell, but row 1 has 2"),
        ("3  12", (1, 4), "'12' is not a whole number from 0 to 9"),
        ("3 \x07", (1, 3), "character U+0007 is not allowed in a level"),
    ],
)
def test_a_text_is_refused_with_its_place(text, place, said):
    with pytest.raises(ParseError) as caught:
        read(text)
    assert said in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == ("my.txt", *place)


def test_a_text_is_read():
    assert read("\ufeff; five\r\n3 5 ; and no more\r\n") == [3, 5]


@pytest.mark.parametrize("mark", ["goal", "Goal", "GOAL:", "goal:"])
def test_a_mark_alone_on_its_line_may_have_capitals_and_a_colon(mark):
    above, below = Page(f"a\n{mark}\nb c\n").parts("goal")
    assert [[word.text for word in row] for row in (*above, *(below or ()))] == [["a"], ["b", "c"]]
    assert Page(f"a\n{mark} x\n").parts("end")[1] is None
