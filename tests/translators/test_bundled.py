"""What is wanted of bundled puzzles, beyond the laws of all games: the registry, how they refuse, how they look."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.registry import WITH_PDDL
from support.thorough import at_most
from unpuzzle import reachable, translators
from unpuzzle.checking.side_by_side import check
from unpuzzle.errors import IllegalMove, ParseError, UnpuzzleError, UsageError
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.writer import write
from unpuzzle.planning import registry
from unpuzzle.puzzle.capabilities import Reversible, completed, offered, subgoals_of

FIRST_THREE = ("boxup", "pacman", "sliding-tiles")
"""Walks in a grid: their moves are single letters, their cells have names in PDDL, their samples are many and small."""
WITH_CONDITIONAL_EFFECTS = {"crossword", "gogen", "lights-out"}
"""On purpose: lights out keeps everything else honest about ADL; a letter of a Gogen or a word of a crossword bears on
many others at once."""

every_puzzle = pytest.mark.parametrize("puzzle", [translators.find(name) for name in translators.names()])
with_pddl = pytest.mark.parametrize("puzzle", [translators.find(name) for name in WITH_PDDL])
first_three = pytest.mark.parametrize("puzzle", [translators.find(name) for name in FIRST_THREE])
every_level = pytest.mark.parametrize(
    ("puzzle", "level"),
    [(translators.find(name), level) for name in translators.names() for level in translators.find(name).levels],
)
seeds = st.integers(0, 10**6).map(Random)
some = settings(max_examples=at_most(40), derandomize=True, deadline=None)


def goal_position(position):
    return position.goal_position() if offered(position, Reversible) else None


def wander(position, rng, steps=25):
    """Positions on a random walk."""
    for _ in range(steps):
        yield position
        if not (moves := position.moves()):
            break
        position = position.apply(rng.choice(moves))


def optimal_length(position, limit=50_000):
    """The length of a shortest solution; None if everything was searched in vain."""
    seen, layer, length = {position}, [position], 0
    while layer:
        if any(p.solved() for p in layer):
            return length
        layer = list({q: None for p in layer for q in map(p.apply, p.moves()) if q not in seen})
        seen.update(layer)
        length += 1
        assert len(seen) < limit, "a sample has too many states"
    return None


# ---- the registry


def test_the_registry_is_the_list_of_files():
    assert {"boxup", "pacman", "sliding-tiles"} <= set(translators.names())
    assert {"ice-walk", "storeroom"} <= set(translators.names())
    for name in translators.bundled_files():
        assert translators.find(name).file.endswith(f"{name.replace('-', '_')}.txt")
    for name in set(translators.names()) - set(translators.bundled_files()):
        module = f"unpuzzle.translators.{name.replace('-', '_')}"
        assert translators.find(name).__module__ in (module, f"{module}.rules")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("boxap", "did you mean 'boxup'?"),
        ("sliding_tiles", "did you mean 'sliding-tiles'?"),
        ("qqq", "there are: 24, blocksworld, boxup"),
    ],
)
def test_an_unknown_name_is_refused_with_a_hint(name, hint):
    with pytest.raises(UsageError, match="unknown puzzle") as caught:
        translators.find(name)
    assert hint in str(caught.value)


def test_a_file_of_that_name_is_pointed_at(tmp_path, monkeypatch):
    (tmp_path / "rush_hour.py").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"the file is \./rush_hour\.py"):
        translators.find("rush_hour")


@pytest.mark.parametrize("name", ["", "../boxup", "boxup.py", "_text", "-text", "--init--", "BOXUP", "x" * 10_000])
def test_what_is_no_puzzle_is_not_found(name):
    with pytest.raises((ParseError, UsageError)) as caught:
        translators.find(name)
    assert len(str(caught.value)) < 400


def test_finding_a_puzzle_imports_no_other():
    code = (
        "import sys, unpuzzle.translators as t; t.find('pacman'); print(*[m for m in sys.modules if 'unpuzzle' in m])"
    )
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "unpuzzle.translators.pacman" in modules
    assert not {"unpuzzle.translators.boxup", "unpuzzle.translators.sliding_tiles"} & set(modules)


def test_a_file_that_is_dropped_in_is_a_puzzle(tmp_path, monkeypatch):
    monkeypatch.setattr(translators, "__path__", [*translators.__path__, str(tmp_path)])
    text = "from unpuzzle.translators.pacman import Pacman\nclass Ghost(Pacman):\n    name = 'my-ghost'\n"
    (tmp_path / "my_ghost.py").write_text(text)
    (tmp_path / "nothing.py").write_text("from unpuzzle.translators.pacman import Pacman\n")
    (tmp_path / "wrong_name.py").write_text(text)
    assert {"my-ghost", "nothing", "wrong-name", "boxup"} <= set(translators.names())
    assert translators.find("my-ghost").parse("P.").moves() == ("E",)
    with pytest.raises(UnpuzzleError, match="one subclass of Puzzle, with name = 'nothing'; found: none"):
        translators.find("nothing")
    with pytest.raises(UnpuzzleError, match="with name = 'wrong-name'; found: Ghost \\(name = 'my-ghost'\\)"):
        translators.find("wrong-name")


# ---- levels and text


@with_pddl
def test_a_puzzle_says_what_it_is(puzzle):
    assert len(puzzle.title) > 10
    assert len(puzzle.levels) >= 4
    assert not any(set(name) & set("/. \t") for name in puzzle.levels)


@first_three
def test_a_position_shows_how_to_make_it(puzzle):
    for position in wander(puzzle.sample(Random(1)), Random(1)):
        assert eval(repr(position), {puzzle.__name__: puzzle}) == position


@first_three
def test_samples_vary(puzzle):
    samples = [puzzle.sample(Random(seed)) for seed in range(60)]
    assert len(set(samples)) > 50
    assert any(len(set(map(len, str(p).splitlines()))) == 1 for p in samples)
    assert sum(optimal_length(p) is not None for p in samples) > 10
    assert any(p.impossible() or not p.moves() or optimal_length(p) is None for p in samples)


BAD = [
    "",
    "\n\n",
    " \n",
    "\0",
    "%PDF-1.4\n\x93\x8c\x8b\x9e\x00\x01",
    "P.\0",
    "\x7fELF\x02\x01",
    "\udc80",
    "((((",
    "\ufeff",
]


@every_puzzle
@pytest.mark.parametrize("text", BAD)
def test_what_is_no_level_is_refused_with_its_place(puzzle, text):
    with pytest.raises(ParseError) as caught:
        puzzle.parse(text, "my.level")
    error = caught.value
    assert error.file == "my.level"
    assert error.line is not None
    assert error.column is not None
    assert str(error).startswith(f"my.level:{error.line}:{error.column}: ")
    assert len(str(error)) < 400


@every_puzzle
def test_a_megabyte_of_brackets_is_refused(puzzle):
    for text in ("(" * 10**6, "( " * 10**4, "(\n" * 10**4):
        with pytest.raises(ParseError) as caught:
            puzzle.parse(text)
        assert len(str(caught.value)) < 400


# ---- rules


@first_three
def test_an_unknown_move_is_told_the_letters(puzzle):
    position = next(p for p in (puzzle.sample(Random(seed)) for seed in range(99)) if p.moves())
    for move in ("x", "", "up" * 1000):
        with pytest.raises(IllegalMove, match=r"is not a move: the moves are .(, .)* and .$") as caught:
            position.apply(move)
        assert len(str(caught.value)) < 100


# ---- what a puzzle may say of itself


def test_some_puzzles_name_subgoals():
    named = {name: subgoals_of(translators.find(name).sample(Random(0))) is not None for name in FIRST_THREE}
    assert named == {"boxup": False, "pacman": True, "sliding-tiles": True}


def test_some_puzzles_know_their_goal_position():
    samples = {name: [translators.find(name).sample(Random(seed)) for seed in range(40)] for name in FIRST_THREE}
    known = {name: sum(goal_position(level) is not None for level in levels) for name, levels in samples.items()}
    assert known["boxup"] == 0
    assert 5 < known["pacman"] < 35
    assert 5 < known["sliding-tiles"] < 35


# ---- symmetries

NATIVE = registry.missing("native")


def measures(position):
    """What no symmetry changes: the least cost, the states and transitions, how many states are how deep."""
    space = reachable(position)
    return space.goal_distance[0], space.states, space.transitions, space.depths(), len(space.dead_ends)


@first_three
@given(rng=seeds)
@settings(max_examples=10, derandomize=True, deadline=None)
@pytest.mark.skipif(NATIVE is not None, reason=str(NATIVE))
def test_symmetries_are_equally_hard(puzzle, rng):
    position = puzzle.sample(rng)
    expected = measures(position)
    for other in {*position.symmetries(), position.canonical()}:
        assert measures(other) == expected


# ---- PDDL


@with_pddl
def test_the_language_is_small(puzzle):
    if puzzle.name in WITH_CONDITIONAL_EFFECTS:
        pytest.skip("made with conditional effects on purpose")
    domain = next(iter(puzzle.levels.values()))
    text = write(puzzle.parse(domain).task().domain)
    assert not any(f"({word} " in text for word in ("forall", "exists", "when", "or", "imply", "=", ":derived"))
    assert puzzle.domain().name == (puzzle.name if puzzle.name[0].isalpha() else f"game-{puzzle.name}")


@first_three
@given(rng=seeds)
@settings(max_examples=at_most(70), derandomize=True, deadline=None)
def test_the_pddl_of_a_sample_is_the_game(puzzle, rng):
    result = check(puzzle.sample(rng))
    assert result.same, str(result)
    assert result.exhaustive


@first_three
@pytest.mark.parametrize(
    "action",
    [
        ("",),
        ("teleport", "r1c1"),
        ("walk",),
        ("walk", "r1c1", "up", "r1c2", "down"),
        ("walk", "r1c1", "north"),
        ("move", "r1c1", "r3c1"),
        ("move", "r1c1", "home"),
        ("move", "r1c1", "rXc1"),
        ("move", "r1c1", "r1c2", "r1c3"),
        ("slide", "t1", "r1c1", "r1c1"),
        ("slide", "t1", "c", "r"),
        ("slide", "t1", "r²c1", "r1c1"),
    ],
)
def test_a_foreign_action_is_refused(puzzle, action):
    with pytest.raises(ParseError, match="is not a move of this puzzle"):
        puzzle.sample(Random(0)).decode(GroundAction(action[0], action[1:]))


def test_domains_are_read_wherever_one_works(tmp_path):
    code = (
        "from random import Random; from unpuzzle import translators as t; "
        f"print(*[t.find(name).sample(Random(1)).task().domain.name for name in {WITH_PDDL}])"
    )
    environment = {**os.environ, "LC_ALL": "C"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [translators.find(name).domain().name for name in WITH_PDDL]


# ---- levels that are asked for


@first_three
def test_generated_levels_vary_and_some_can_be_solved(puzzle):
    options = completed(puzzle, {})
    levels = [puzzle.generate(Random(seed), options) for seed in range(60)]
    assert len(set(levels)) > 50
    assert any(level.impossible() is None and not level.solved() for level in levels)
