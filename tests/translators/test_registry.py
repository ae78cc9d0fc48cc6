"""The registry of bundled puzzles, and what is wanted of them beyond the laws of all games (`test_laws.py`)."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from support.registry import WITH_PDDL
from unpuzzle import reachable, translators
from unpuzzle.base.errors import IllegalMove, ParseError, UnpuzzleError, UsageError
from unpuzzle.model.capabilities import Reversible, completed, offered, subgoals_of
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.writer import write

FIRST_THREE = ("boxup", "pacman", "sliding-tiles")
"""Walks in a grid: their moves are single letters, their cells have names in PDDL, their samples are many and small."""
WITH_CONDITIONAL_EFFECTS = {"crossword", "gogen", "lights-out"}
"""On purpose: lights out keeps everything else honest about ADL; a letter of a Gogen or a word of a crossword bears on
many others at once."""

first_three = pytest.mark.parametrize("puzzle", [translators.find(name) for name in FIRST_THREE])


# ---- the registry


def test_the_registry_is_the_list_of_files():
    assert {"boxup", "pacman", "sliding-tiles"} <= set(translators.names())
    assert {"ice-walk", "storeroom"} <= set(translators.names())
    for name in translators.bundled_files():
        assert translators.find(name).file.endswith(f"{name.replace('-', '_')}.txt")
    for name in set(translators.names()) - set(translators.bundled_files()):
        module = f"unpuzzle.translators.{name.replace('-', '_')}"
        assert translators.find(name).__module__ in (module, f"{module}.rules")
    assert all(len(translators.find(name).levels) >= 4 for name in WITH_PDDL)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("boxap", "did you mean 'boxup'?"),
        ("sliding_tiles", "did you mean 'sliding-tiles'?"),
        ("qqq", "the puzzles are: 24, blocksworld, boxup"),
    ],
)
def test_an_unknown_name_is_refused_with_a_hint(name, hint):
    with pytest.raises(UsageError, match="unknown puzzle") as caught:
        translators.find(name)
    assert hint in str(caught.value)


def test_a_file_of_that_name_is_pointed_at(tmp_path, monkeypatch):
    (tmp_path / "rush_hour.py").touch()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"write \./rush_hour\.py to use the file"):
        translators.find("rush_hour")


def test_a_missing_file_and_a_folder_are_no_unknown_puzzles(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ipc").mkdir()
    with pytest.raises(UsageError, match=r"'domain\.pdl' is neither a file that exists nor a puzzle"):
        translators.find("domain.pdl")
    with pytest.raises(UsageError, match="'ipc' is a folder, not a puzzle; `unpuzzle experiment ipc`"):
        translators.find("ipc")


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


# ---- texts, moves and actions


@pytest.mark.parametrize("puzzle", [translators.find(name) for name in translators.names()])
def test_what_is_no_level_is_refused_in_a_few_words(puzzle):
    for text in ("", "%PDF-1.4\n\x93\x8c\x00\x01", "P.\0", "\x7fELF\x02", "(" * 10**6, "( " * 10**4, "(\n" * 10**4):
        with pytest.raises(ParseError) as caught:
            puzzle.parse(text)
        assert len(str(caught.value)) < 400


@first_three
def test_a_position_shows_how_to_make_it(puzzle):
    start = puzzle.sample(Random(1))
    for position in (start, *map(start.apply, start.moves())):
        assert eval(repr(position), {puzzle.__name__: puzzle}) == position


@first_three
def test_an_unknown_move_is_told_the_letters(puzzle):
    position = next(p for p in (puzzle.sample(Random(seed)) for seed in range(99)) if p.moves())
    for move in ("x", "", "up" * 1000):
        with pytest.raises(IllegalMove, match=r"is not a move: the moves are .(, .)* and .$") as caught:
            position.apply(move)
        assert len(str(caught.value)) < 100


@first_three
def test_an_action_between_other_cells_is_refused(puzzle):
    """A law refuses other names and numbers of arguments."""
    actions = ["walk r1c1 up r1c2 down", "walk r1c1 north", "move r1c1 r3c1", "move r1c1 home", "move r1c1 rXc1"]
    for action in [*actions, "slide t1 r1c1 r1c1", "slide t1 c r", "slide t1 r²c1 r1c1", "teleport r1c1"]:
        name, *arguments = action.split()
        with pytest.raises(ParseError, match="is not a move of this puzzle"):
            puzzle.sample(Random(0)).decode(GroundAction(name, tuple(arguments)))


@pytest.mark.parametrize("name", sorted({*WITH_PDDL} - WITH_CONDITIONAL_EFFECTS))
def test_the_language_is_small(name):
    puzzle = translators.find(name)
    text = write(puzzle.parse(next(iter(puzzle.levels.values()))).task().domain)
    assert not any(f"({word} " in text for word in ("forall", "exists", "when", "or", "imply", "=", ":derived"))
    assert puzzle.domain().name == (name if name[0].isalpha() else f"game-{name}")


# ---- samples are worth testing: the laws see all sides of them


@first_three
def test_samples_and_generated_levels_are_of_all_sorts(puzzle):
    samples = [puzzle.sample(Random(seed)) for seed in range(60)]
    assert len(set(samples)) > 50
    assert any(len(set(map(len, str(p).splitlines()))) == 1 for p in samples)
    assert 10 < sum(reachable(p).goal_distance[0] >= 0 for p in samples) < 60
    levels = [puzzle.generate(Random(seed), completed(puzzle, {})) for seed in range(60)]
    assert any(level.impossible() is None and not level.solved() for level in levels)


def test_some_puzzles_name_subgoals_and_their_goal_position():
    samples = {name: [translators.find(name).sample(Random(seed)) for seed in range(40)] for name in FIRST_THREE}
    named = {name: subgoals_of(levels[0]) is not None for name, levels in samples.items()}
    assert named == {"boxup": False, "pacman": True, "sliding-tiles": True}
    known = {
        name: sum(offered(p, Reversible) is not None and p.goal_position() is not None for p in levels)
        for name, levels in samples.items()
    }
    assert known["boxup"] == 0
    assert 5 < known["pacman"] < 35
    assert 5 < known["sliding-tiles"] < 35
