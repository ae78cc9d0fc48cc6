"""The published depth-first searches on crosswords: their counts, and what becomes of ways that are no legal moves."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.data import DATA, absence
from support.searches import PUBLISHED, run
from support.thorough import at_most, some_of
from unpuzzle import solve
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, TIMEOUT, UNSOLVABLE
from unpuzzle.base.run import Limits
from unpuzzle.translators.crossword import Crossword
from unpuzzle.translators.pacman import Pacman

GAMES = DATA / "crosswords.json"
OVERWRITTEN = {  # the given C leaves a candidate to each slot, but the one solution has an A there
    "grid": ["C.", ".."],
    "horizontal_answers": [["AB", "CD"], ["EF"]],
    "vertical_answers": [["AE", "CE"], ["BF"]],
}


def twin(level, overwrite):
    """The same search on plain strings: the solved grid or None, expanded, generated."""
    grid, slots = level.letters, [(slot.cells, level.layout.candidates[slot.name]) for slot in level.layout.slots]
    stack, closed, expanded, generated = [grid], set(), 0, 0
    while stack:
        grid = stack.pop()
        if grid in closed:
            continue
        if "." not in grid and all("".join(grid[cell] for cell in cells) in words for cells, words in slots):
            return grid, expanded, generated
        closed.add(grid)
        expanded += 1
        for cells, words in slots:
            for word in words:
                after = list(grid)
                if len(word) != len(cells):
                    continue
                if not overwrite and any(
                    grid[cell] not in ("." + letter) for cell, letter in zip(cells, word, strict=True)
                ):
                    continue
                for cell, letter in zip(cells, word, strict=True):
                    after[cell] = letter
                generated += 1
                stack.append("".join(after))
    return None, expanded, generated


@settings(max_examples=at_most(60), derandomize=True, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(PUBLISHED))
def test_counts_are_those_of_the_search_on_plain_strings(seed, search):
    level = Crossword.sample(Random(seed))
    end, expanded, generated = twin(level, overwrite=search == "dfs-overwriting")
    result = run(search, level)
    assert (result.expanded, result.generated) == (expanded, generated)
    assert result.status == (UNSOLVABLE if end is None else SOLVED) or (
        result.status == GAVE_UP and run("bfs", level).status == UNSOLVABLE
    )
    if result.solved:
        assert result.valid
        after = level
        for move in result.moves:
            after = after.apply(move)
        assert after.letters == end


@pytest.mark.skipif(not GAMES.exists(), reason=absence(GAMES))
def test_published_games_are_solved_with_the_counts_of_plain_strings():
    for game in some_of(json.loads(GAMES.read_text())[::-1]):
        level = Crossword.parse(json.dumps(game))
        end, expanded, generated = twin(level, overwrite=False)
        result = run("dfs-consistent", level)
        assert (result.status, result.expanded, result.generated) == (SOLVED, expanded, generated)
        assert [end[start : start + 5].lower() for start in range(0, 25, 5)] == game["solution"]


def test_a_way_over_what_is_given_is_no_answer():
    level = Crossword.parse(json.dumps(OVERWRITTEN))
    assert level.impossible() is None
    result = solve(level, "rules:dfs-overwriting")
    assert (result.status, result.moves) == (GAVE_UP, None)
    assert "the search overwrote given letters" in result.message
    assert solve(level, "rules:dfs-consistent").status == solve(level, "rules:bfs").status == UNSOLVABLE


def test_a_way_that_overwrote_letters_is_told_and_answered_by_legal_moves():
    level = Crossword.parse(Crossword.levels["3x3"])
    result = solve(level, "rules:dfs-overwriting")
    assert result.status == SOLVED
    assert result.valid
    assert len(result.moves) == 3
    assert "overwrote letters on a path of" in result.message


@pytest.mark.parametrize("search", PUBLISHED)
def test_other_puzzles_are_refused_in_words(search):
    sentence = "pacman has no letters to overwrite, as crosswords have: pacman does not inherit Overwriting"
    with pytest.raises(UsageError, match=sentence):
        solve(Pacman.parse("P.\n"), f"rules:{search}")


@pytest.mark.parametrize("search", PUBLISHED)
def test_a_time_limit_holds(search, seconds_per_look):
    level = Crossword.parse(Crossword.levels["5x5"])
    result = run(search, level, Limits(time=40))
    assert result.status == TIMEOUT
    assert 10 < result.expanded <= 40
