"""What grid puzzles share, seen on a puzzle that is made of nothing else."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from unpuzzle import find
from unpuzzle.base.errors import GameFault, IllegalMove, ParseError, UsageError
from unpuzzle.model import Game, Position
from unpuzzle.translators.shared.cells import STEPS, cell_names, cell_of, groups, neighbours, reachable
from unpuzzle.translators.shared.grid import GridPuzzle
from unpuzzle.verification.side_by_side import check

STEPS_BY_NAME = {name: step for step, name in STEPS.items()}


class Lonely(GridPuzzle):
    """As in the docstring of GridPuzzle, with PDDL, ragged rows and a keyword."""

    name = "lonely"
    levels = {"1": "@.#\n..F\n"}
    symbols = {"#": "a wall", ".": "floor", "@": "the walker", "F": "the flag"}
    aliases = {"_": "."}
    filler = "#"
    single = {"walker": "@", "flag": "F"}
    known_keywords = ("torus",)
    directions = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}
    predicates = {"@": ("walker",), "F": ("flag",)}
    solid = "#"
    actions = {"walk": "{1[0]}"}
    pddl = """(define (domain lonely) (:types cell direction - object)
        (:predicates (next ?a - cell ?d - direction ?b - cell) (walker ?c - cell) (flag ?c - cell))
        (:action walk :parameters (?a - cell ?d - direction ?b - cell)
          :precondition (and (walker ?a) (next ?a ?d ?b))
          :effect (and (not (walker ?a)) (walker ?b) (not (flag ?b)))))"""

    def following(self):
        walker = self.cells.index("@")
        steps = self.around[walker].items()
        return {move: self.changed({walker: ".", to: "@"}) for move, to in steps if self.cells[to] != "#"}

    def solved(self):
        return "F" not in self.cells

    def objects(self):
        return {**super().objects(), "direction": ["up", "down", "left", "right"]}

    def statics(self):
        long = {"u": "up", "d": "down", "l": "left", "r": "right"}
        free = [cell for cell in range(len(self.cells)) if self.cells[cell] != "#"]
        steps = [(a, move, b) for a in free for move, b in self.around[a].items() if b in free]
        return [("next", self.names[a], long[move], self.names[b]) for a, move, b in steps]

    def goal_condition(self):
        return [("not", "flag", name) for name in self.objects()["cell"]]


def test_text_comes_back():
    for text in ("@.#\n..F\n", "torus\n@F\n", "@\n..F\n.\n", "@F\n"):
        assert str(Lonely.parse(text)) == text.replace("#\n", "\n")
        assert Lonely.parse(str(Lonely.parse(text))) == Lonely.parse(text)


@pytest.mark.parametrize(
    "text", ["; a title\n\n@.F ; a remark\n", "  @_F\n\n", "\ufeff@.F\r\n", "###\n#@.F#\n#", "@.F##"]
)
def test_what_means_the_same_is_the_same(text):
    assert Lonely.parse(text) == Lonely.parse("@.F")


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("", "the level is empty", 1, 1),
        ("; nothing\n\n", "the level is empty", 1, 1),
        ("torus\n", "the level is empty", 1, 1),
        ("@F\n torus\n", "bad symbol 't': a cell must be '#' a wall, '.' floor", 2, 2),
        ("torus\ntorus\n@F", "there is a second 'torus', but only one is allowed", 2, 1),
        ("#F\n", "no walker: one cell needs '@'", 1, 1),
        ("\n  #F@\n  ..@", "there are two walkers, but only one is allowed: at 2:5 and 3:5", 3, 5),
        ("@F\n.x", "bad symbol 'x'", 2, 2),
        ("@F\n. .", "bad symbol ' '", 2, 2),
        ("@F\n.\x00", "character U+0000 is not allowed in a level", 2, 2),
        ("@F" + "." * 1000 + "\n." * 1000, "1,001 rows of up to 1,002 cells: more than 250,000 in all", 1, 1),
    ],
)
def test_what_is_no_grid_is_refused_with_its_place(text, message, line, column):
    with pytest.raises(ParseError, match="my") as caught:
        Lonely.parse(text, "my.level")
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_rows_of_a_puzzle_without_a_filler_are_equally_long():
    class Square(Lonely):
        filler = ""

    assert str(Square.parse("##\n@F\n")) == "##\n@F\n"
    for text, column in (("@F\n.\n", 2), ("@F\n...\n", 3)):
        with pytest.raises(ParseError, match=r"row 2 has . cells?, but row 1 has 2") as caught:
            Square.parse(text)
        assert (caught.value.line, caught.value.column) == (2, column)


def test_the_name_of_a_cell_names_it_alone():
    assert [cell_of(name, 2, 3) for name in cell_names(2, 3)] == [*range(6)]
    assert [cell_of(name, 2, 3) for name in ("r3c1", "r1c4")] == [None, None]
    for word in ("", "r0c1", "r1c1 ", "c1r1", "r1", "1 1"):
        with pytest.raises(UsageError, match="a cell must be named by its row and column, such as r3c4, not "):
            cell_of(word, 2, 3)


def test_moves_come_from_the_positions_that_follow():
    position = Lonely.parse("@.#\n..F\n")
    assert position.moves() == ("d", "r")
    assert str(position.apply("d")) == "..\n@.F\n"
    assert position.following() == {move: position.apply(move) for move in position.moves()}
    with pytest.raises(IllegalMove, match="'u' is not a move in this position: the moves are d, r"):
        position.apply("u")
    with pytest.raises(IllegalMove, match=r"'uuuuuuuuuuuuuuuuu\.\.\.' is not a move in this position: there are none"):
        Lonely.parse("@#F").apply("u" * 1000)


def test_the_positions_that_follow_come_from_the_moves():
    class Old(Lonely):
        def moves(self):
            return ("r",)

        def apply(self, move):
            return self

        following = Position.following

    position = Old.parse("@F")
    assert position.following() == {"r": position}


def test_what_follows_is_not_mixed_up_between_games():
    class Step(Position):
        def __init__(self, game, place):
            self._game, self.place = game, place

        game = property(lambda self: self._game)

        def __str__(self):
            return f"{self.place}\n"

        def following(self):
            return {"on": Step(self.game, self.place + self.game.stride)}

        def solved(self):
            return False

    class Strides(Game):
        def __init__(self, stride):
            self.stride = stride

    one, two = (Step(Strides(stride), 0) for stride in (1, 2))
    assert one == two
    assert (one.apply("on").place, two.apply("on").place) == (1, 2)


def test_the_pddl_is_the_game():
    for text in ("@.#\n..F\n", "torus\n@.#\n#.F\n", "torus\n@F\n", "@\n..F\n.\n"):
        result = check(Lonely.parse(text))
        assert result.same, str(result)
        assert result.exhaustive


def test_symmetries_of_ragged_rows():
    texts = {str(position) for position in Lonely.parse("@\n..F\n").symmetries()}
    assert texts == {
        "@\n..F\n",
        "##@\nF..\n",
        "..F\n@\n",
        "F..\n##@\n",
        "@.\n#.\n#F\n",
        "#F\n#.\n@.\n",
        ".@\n.\nF\n",
        "F\n.\n.@\n",
    }
    for position in Lonely.parse("@\n..F\n").symmetries():
        assert Lonely.parse(str(position)) == position
        assert position.canonical() == Lonely.parse("@\n..F\n").canonical()


def test_cells_around_a_cell():
    grid = neighbours(2, 3, STEPS_BY_NAME)
    assert grid[0] == {"E": 1, "S": 3}
    assert grid[4] == {"N": 1, "E": 5, "W": 3}
    torus = neighbours(2, 3, STEPS_BY_NAME, torus=True)
    assert torus[0] == {"N": 3, "E": 1, "S": 3, "W": 2}
    assert neighbours(1, 1, STEPS_BY_NAME, torus=True)[0] == dict.fromkeys("NESW", 0)
    assert neighbours(2, 3, STEPS_BY_NAME) is grid
    assert cell_names(2, 2) == ("r1c1", "r1c2", "r2c1", "r2c2")


def test_what_can_be_reached():
    rng = Random(4)
    for _ in range(50):
        walls = set(rng.sample(range(20), 8))
        around = {
            cell: {side: to for side, to in steps.items() if to not in walls}
            for cell, steps in enumerate(neighbours(4, 5, STEPS_BY_NAME))
        }
        start = rng.choice(sorted(set(range(20)) - walls))
        found, grown = {start}, set()
        while found != grown:
            grown, found = found, found | {to for cell in found for to in around[cell].values()}
        assert reachable(start, around) == found


# ---- faults


RUSH_HOUR = find(str(Path(__file__).parent / "outside" / "rush_hour.py"))


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ("..A\nXX.\n...\n", (1, 3), "the car A does not cover two or more cells in a line"),
        ("\n; mine\n .AA\n XXA\n ...\n", (4, 4), "the car A does not cover two or more cells in a line"),
        ("AA.AA\n.....\n.XX..\n", (1, 4), "there are two cars A"),
        (".X.\n.X.\n", (1, 2), "the car X stands upright"),
        ("X\nX\n", (1, 1), "the car X stands upright"),
        ("..\nAA\n", (1, 1), "there is no car X, which wants out"),
    ],
)
def test_a_fault_is_told_with_the_place_of_its_cell(text, place, said):
    with pytest.raises(ParseError) as caught:
        RUSH_HOUR.parse(text, "my.txt")
    assert said in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == ("my.txt", *place)
    assert caught.value.text == text.split("\n")[place[0] - 1]


def test_faults_point_into_the_text_before_empty_edges_are_left_out():
    class Edged(Lonely):
        def fault(self):
            return "here", self.cells.index("F")

    with pytest.raises(ParseError, match="here") as caught:
        Edged.parse("#####\n#@.F#\n#####\n")
    assert (caught.value.line, caught.value.column) == (2, 4)


def test_steps_go_from_cell_to_cell_but_solid_ones():
    assert Lonely.parse("@.#\n..F\n").steps() == [
        (0, "d", 3),
        (0, "r", 1),
        (1, "d", 4),
        (1, "l", 0),
        (3, "u", 0),
        (3, "r", 4),
        (4, "u", 1),
        (4, "l", 3),
        (4, "r", 5),
        (5, "l", 4),
    ]


def test_groups_of_cells():
    assert groups("AA.ABBA", 7, "AB") == ((0, 1), (3,), (4, 5), (6,))
    assert groups("AAAA", 2, "A") == ((0, 1, 2, 3),)
    assert groups("A..A", 2, "A") == ((0,), (3,))
    assert groups("....", 2, "A") == ()


@pytest.mark.parametrize("fault", ["a sentence alone", (3, "the wrong way round"), ("a sentence", None)])
def test_a_fault_is_a_sentence_and_a_cell(fault: object) -> None:
    class Careless(Lonely):
        def fault(self):
            return fault

    with pytest.raises(GameFault, match=r"fault\(\) returned .* not None or \(sentence, number of a cell\)"):
        Careless.parse(Careless.levels["1"])


def test_inherited_symmetries_that_the_rules_do_not_have_lose_no_level() -> None:
    """A walker that only goes right: a level and its mirror image are different puzzles."""

    class Right(GridPuzzle):
        name = "right"
        title = "Right: walk to the flag"
        symbols: ClassVar = {".": "floor", "@": "the walker", "f": "the flag"}
        levels: ClassVar = {"1": "@.f\n"}

        def moves(self) -> tuple[str, ...]:
            return ("R",) if "@" in self.cells[:-1] else ()

        def apply(self, move: str) -> Right:
            cells, at = list(self.cells), self.cells.index("@")
            cells[at], cells[at + 1] = ".", "@"
            return Right("".join(cells), self.columns)

        def solved(self) -> bool:
            return "f" not in self.cells

    there, back = Right.parse("@.f\n"), Right.parse("f.@\n")
    assert back in there.symmetries()
    assert there.canonical() == there != back.canonical()
