"""Faults of a game's class: told when the class is made, with file and line; lawful classes are left alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.switches import Forgets
from unpuzzle import Game, Position, Puzzle, find, translators
from unpuzzle.base.errors import GameFault, ParseError, UnpuzzleError
from unpuzzle.base.text import distance
from unpuzzle.model import capabilities
from unpuzzle.model.capabilities import (
    Generating,
    HasHeuristics,
    Pictured,
    Reversible,
    Staged,
    Symmetric,
    offered,
    required,
)
from unpuzzle.model.classes import HEIR_OF, faults, place_of
from unpuzzle.model.faults import require_attributes

OUTSIDE = Path(__file__).parents[1] / "translators" / "outside"
CORRIDOR = (OUTSIDE / "old_style.py").read_text()
BASES = "class OldStyle(Puzzle, Generating, HasHeuristics, Symmetric, Reversible, Staged, Scored)"
METHOD = "    def solved(self):"


def made(tmp_path, *changes):
    """The game of a file in which the corridor is changed."""
    text = CORRIDOR
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "corridor-domain.pddl").write_text((OUTSIDE / "corridor-domain.pddl").read_text())
    (tmp_path / "corridor.py").write_text(text)
    return find(str(tmp_path / "corridor.py"))


def line_of(text, words):
    """The number of the line of a text that has these words."""
    return next(number for number, line in enumerate(text.split("\n"), 1) if words in line)


@pytest.mark.parametrize(
    ("old", "new", "at", "sentence"),
    [
        (", Reversible", "", "def goal_position", "to offer `goal_position`, inherit Reversible"),
        (", Staged", "", "def subgoals", "to offer `subgoals`, inherit Staged: class OldStyle(..., Staged)"),
        (", Symmetric", "", "def symmetries", "to offer `symmetries`, inherit Symmetric"),
        (", Generating", "", "options = {", "to offer `options`, inherit Generating"),
        (", HasHeuristics", "", "heuristics = {", "to offer `heuristics`, inherit HasHeuristics"),
        (", Scored", "", "def level_score", "to offer `level_score`, inherit Scored"),
        ("def predecessors", "def earlier", "class OldStyle", "does not define `predecessors` of Reversible"),
        ("def generate", "def random_one", "class OldStyle", "does not define `generate` of Generating"),
        ("heuristics = {", "guides = {", "class OldStyle", "does not define `heuristics` of HasHeuristics"),
        ("def level_score", "def score", "class OldStyle", "does not define `level_score` of Scored"),
        ("def impossible(", "def imposible(", "def imposible", "`imposible`: did you mean `impossible`?"),
        ("compass = (", "compas = (", "compas = (", "`compas`: did you mean `compass`?"),
        (
            METHOD,
            "    def canonicl(self):\n        return self\n\n" + METHOD,
            "def canonicl",
            "did you mean `canonical`",
        ),
    ],
)
def test_a_fault_is_told_with_its_place(old, new, at, sentence, tmp_path):
    bases = BASES.replace(old, new)
    change = (BASES, bases) if old.startswith(", ") else (old, new)
    with pytest.raises(GameFault) as caught:
        made(tmp_path, change)
    assert sentence in caught.value.message
    assert isinstance(caught.value, ParseError)
    assert caught.value.file.endswith("corridor.py")
    assert caught.value.line == line_of(CORRIDOR.replace(*change), at)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("def subgoals", "def subgoal", "`subgoal`: did you mean `subgoals`?"),
        ("def goal_position", "def goalposition", "`goalposition`: did you mean `goal_position`?"),
        ("def symmetries", "def symetries", "`symetries`: did you mean `symmetries`?"),
        ("heuristics = {", "heuristic = {", "it inherits and does not define `heuristics` of HasHeuristics"),
    ],
)
def test_a_required_member_that_is_misspelt_is_missing(old, new, said, tmp_path):
    with pytest.raises(GameFault, match=re.escape(said)):
        made(tmp_path, (old, new))


def test_a_position_that_lacks_a_member_cannot_be_made():
    """Python says it, where the class is that of a game's positions, which no file is asked for."""
    board = type("Board", (Symmetric,), {"game": None})
    with pytest.raises(TypeError, match=r"Can't instantiate abstract class Board .*symmetries"):
        board()


def test_the_first_form_of_a_puzzle_says_what_to_inherit(tmp_path):
    """Then a class offered whatever it had a method for."""
    with pytest.raises(GameFault, match=", inherit Generating"):
        made(tmp_path, (BASES, "class OldStyle(Puzzle)"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (METHOD, "    def heuristic(self):\n        return 1\n\n" + METHOD),  # a method, and the other is a value
        ("def goal_position(", "def goals_position(self):\n        return 1\n\n    def goal_position("),  # both there
        ('__slots__ = ("length", "place")', '__slots__ = ("length", "option", "place")'),
        (METHOD, "    def _subgoal(self):\n        return 1\n\n" + METHOD),
        (METHOD, "    def lime(self):\n        return 1\n\n" + METHOD),  # `line` is an everyday word
    ],
)
def test_names_that_are_fine(old, new, tmp_path):
    assert list(faults(made(tmp_path, (old, new)))) == []


@pytest.mark.parametrize("name", translators.names())
def test_bundled_games_are_sound(name):
    game = find(name)
    level = game.parse(next(iter(game.levels.values())))
    kinds = {type(level), game if isinstance(game, type) else type(game)}
    bases = {base for kind in kinds for base in kind.__mro__ if not base.__module__.startswith("unpuzzle.model.")}
    assert [fault for base in bases - {object} for fault in faults(base)] == []


def test_capabilities_are_named_by_what_they_define():
    for name, heir in HEIR_OF.items():
        kind = getattr(capabilities, heir)
        assert name in vars(kind) or name in kind.__annotations__


def test_two_classes_offer_what_is_theirs():
    class Board(Position):
        options = 3  # of positions it means nothing

    class Shop(Game):
        symmetries = 4

    with pytest.raises(GameFault, match="Board: to offer `subgoals`, inherit Staged"):
        type("Board", (Board,), {"subgoals": None})
    with pytest.raises(GameFault, match="Shop: to offer `options`, inherit Generating"):
        type("Shop", (Shop,), {"options": {}})
    with pytest.raises(GameFault, match="Shown: to offer `pieces`, inherit Pictured"):
        type("Shown", (Puzzle,), {"pieces": lambda self: (), "ground": lambda self: None})
    assert type("Shown", (Puzzle,), {"pieces": lambda self: ()}).pieces is not None


def test_what_objects_have_may_be_annotated():
    class Shop(Game, HasHeuristics):
        heuristics: dict[str, object]

        def __init__(self) -> None:
            self.heuristics = {}

    assert offered(Shop(), HasHeuristics).heuristics == {}


def test_what_init_sets_is_there():
    class Shop(Game, HasHeuristics):
        def __init__(self) -> None:
            self.heuristics = {}

    assert offered(Shop(), HasHeuristics).heuristics == {}
    with pytest.raises(GameFault, match="heuristics is None, which is not a mapping from names to heuristics"):
        require_attributes(type("Other", (Game, HasHeuristics), {})())


def test_an_inherited_member_has_its_place_in_the_file_of_its_class():
    """It was the file of the class that inherits, with the line of the other file."""

    class Inheriting(Forgets):
        pass

    file, line = place_of(Inheriting(0, 0), "apply")
    assert file.endswith("switches.py")
    assert line == line_of(Path(file).read_text(), "def apply")
    assert place_of(Inheriting(0, 0))[0].endswith("test_classes.py")
    assert place_of(Inheriting(0, 0), "domain") == (place_of(Inheriting)[0], None)
    assert place_of(type("Bare", (), {}), "__hash__") == (place_of(Inheriting)[0], None)  # which is Python's


def test_a_near_miss_of_a_capability_that_is_not_inherited():
    with pytest.raises(GameFault, match="`symetries`: did you mean `symmetries` of Symmetric"):
        type("Board", (Puzzle,), {"symetries": lambda self: ()})
    assert type("Board", (Puzzle,), {"option": 3, "symetries": 4}).option == 3


def test_offered_and_required():
    hanoi, lights = find("hanoi"), find("sokoban")
    assert offered(hanoi, Generating) is hanoi
    position = hanoi.parse(hanoi.levels["3"])
    assert offered(position, Reversible) is position
    assert offered(position, Staged) is None
    assert offered(position, Pictured) is position
    with pytest.raises(UnpuzzleError, match="sokoban cannot be halved: sokoban does not inherit Staged"):
        required(lights.parse(lights.levels["1"]), Staged, "cannot be halved")


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("heuristic", "heuristics", True),
        ("heuristiscs", "heuristics", True),
        ("heuristcis", "heuristics", True),
        ("heuristigs", "heuristics", True),
        ("heuristics", "heuristics", False),
        ("heurists", "heuristics", False),
        ("heuirstcis", "heuristics", False),
        ("", "a", True),
    ],
)
def test_words_that_are_one_edit_apart(one, other, near):
    assert (distance(one, other) == 1) is (distance(other, one) == 1) is near
