"""Pacman: published figures on the classroom mazes, the project's own mazes, the text's refusals."""

from __future__ import annotations

import json
import runpy
from collections import deque
from pathlib import Path

import pytest

from support.data import MAZES, needs_mazes
from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.cli import main
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.translators.pacman import Pacman
from unpuzzle.verification.side_by_side import check

ROOT = Path(__file__).parents[2]


def breadth_first(start):
    """Cost, and how many positions were expanded before the goal was popped."""
    lengths, queue, expanded = {start: 0}, deque([start]), 0
    while queue:
        position = queue.popleft()
        if position.solved():
            return lengths[position], expanded
        expanded += 1
        for move in position.moves():
            if (successor := position.apply(move)) not in lengths:
                lengths[successor] = lengths[position] + 1
                queue.append(successor)
    return None, expanded


@needs_mazes
@pytest.mark.parametrize(
    ("maze", "cost", "expanded"),
    [
        ("bigMaze", 210, 620),
        ("mediumMaze", 68, 269),
        ("smallMaze", 19, 92),
        ("tinyMaze", 8, 15),
        ("testMaze", 7, 7),
        ("openMaze", 54, 682),
        ("contoursMaze", 13, 170),
        ("tinyCorners", 28, 252),
        ("mediumCorners", 106, 1966),
        ("testSearch", 7, 14),
        ("tinySearch", 27, 5057),
        ("trickySearch", 60, 16688),
    ],
)
def test_published_figures(maze, cost, expanded):
    """With moves in the order N, S, E, W breadth-first search expands just as many positions as was published."""
    position = Pacman.parse((MAZES / f"{maze}.lay").read_text(), maze)
    assert breadth_first(position) == (cost, expanded)


@needs_mazes
def test_classroom_mazes_are_the_same_game_in_pddl():
    for file in sorted(MAZES.glob("*.lay")):
        result = check(Pacman.parse(file.read_text()), max_states=150, walks=3)
        assert result.same is not False, f"{file.name}: {result}"


def test_the_bundled_mazes_are_what_the_script_makes():
    script = runpy.run_path(str(ROOT / "scripts" / "make" / "make_mazes.py"))
    assert {name: script["maze"](*options) for name, options in script["MAZES"].items()} == Pacman.levels


# ---- rules


def test_food_is_eaten_where_pacman_enters():
    position = Pacman.parse("P.. \n%.%%\n")
    assert str(position.apply("E")) == " P. \n%.%%\n"
    assert str(position.apply("E").apply("S").apply("N").apply("W")) == "P . \n% %%\n"
    assert position.apply("E").apply("S").apply("N").apply("E").solved()


def test_a_level_without_food_is_solved():
    position = Pacman.parse("P")
    assert position.solved()
    assert position.moves() == ()
    assert check(position).states == 1


def test_other_symbols_are_floor():
    assert Pacman.parse("%G.o%\n%Px1%\n") == Pacman.parse("% . %\n%P  %\n")


@pytest.mark.parametrize(("text", "place"), [("####\n#P.#\n####\n", (1, 1)), ("P x.\n", (1, 3))])
def test_a_maze_whose_walls_are_written_otherwise_is_refused(text, place):
    """They would be floor: another maze."""
    with pytest.raises(ParseError, match="would count as floor, but there is no wall: walls are written '%'") as caught:
        Pacman.parse(text)
    assert (caught.value.line, caught.value.column) == place
    assert Pacman.parse("P.oG1\n") == Pacman.parse("P.   \n")


def test_food_that_cannot_be_reached():
    assert Pacman.parse("P.%.\n").impossible() == "the food at row 1, column 4 cannot be reached"
    assert Pacman.parse("P %\n %.\n").impossible() == "the food at row 2, column 3 cannot be reached"
    assert Pacman.parse("P % \n").impossible() is None


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("N", "N: the maze ends north of row 1, column 2"),
        ("E", "E: there is a wall east of row 1, column 2"),
        ("U", "'U' is not a move: the moves are N, S, E and W"),
        ("n", "'n' is not a move"),
    ],
)
def test_illegal_moves_say_why(move, reason):
    with pytest.raises(IllegalMove) as caught:
        Pacman.parse(" P%\n.  \n").apply(move)
    assert str(caught.value).startswith(reason)


def test_decoding():
    position = Pacman.parse(" P%\n.  \n")
    assert position.moves() == ("S", "W")
    assert position.decode(GroundAction("move", ("r1c2", "r2c2"))) == "S"
    assert position.decode(GroundAction("move", ("r10c12", "r10c11"))) == "W"


# ---- text


def test_what_is_beyond_the_first_row_is_ignored_if_blank():
    assert Pacman.parse("%P.%\n%  %  \n%%%%\t\n") == Pacman.parse("%P.%\n%  %\n%%%%\n")


def test_blanks_behind_the_first_row_are_cells_only_if_all_rows_have_them():
    assert Pacman.parse("%P.% \n%  %\n%%%%\n") == Pacman.parse("%P.%\n%  %\n%%%%\n")
    assert Pacman.parse("%P.%  \n%  % \n%%%%\t\n") == Pacman.parse("%P.%\n%  %\n%%%%\n")
    with pytest.raises(ParseError, match="row 2 has 3 cells, but row 1 has 4"):
        Pacman.parse("%P.%  \n%  \n%%%%\n")


def test_ghosts_and_capsules_are_obstacles_if_asked(capsys, tmp_path):
    """Berkeley's layouts have them; here they are floor unless an option says otherwise."""
    file = tmp_path / "small.lay"
    file.write_text("%%%%%%%\n%PG1o.%\n% %%% %\n%     %\n%%%%%%%\n")

    def cost(*words):
        code = main(["solve", "pacman", str(file), "--json", *words])
        answer = json.loads(capsys.readouterr().out)
        return code, answer["cost"]

    assert cost() == (0, 4)
    assert cost("--obstacles", "G1") == (0, 8)
    assert cost("--obstacles", "o") == (0, 8)
    main(["draw", "pacman", str(file), "--obstacles", "G"])
    assert "there are no ghosts and capsules in this game: '1', 'o' count as floor" in capsys.readouterr().out
    main(["draw", "pacman", str(file), "--obstacles", "G1o"])
    assert "count as floor" not in capsys.readouterr().out
    file.write_text("%%%%%\n%PG.%\n%%%%%\n")
    assert cost("--obstacles", "G") == (1, None)
    assert main(["solve", "boxup", "1", "--obstacles", "G"]) == 2
    assert "levels of boxup have no signs that may count as walls" in capsys.readouterr().err


def test_what_does_not_count_is_reported():
    position = Pacman.parse("%G.o%\n%Px1%\n")
    (remark,) = position.remarks()
    assert remark == "there are no ghosts and capsules in this game: '1', 'G', 'o', 'x' count as floor"
    assert position.apply("N").remarks() == (remark,)
    assert Pacman.parse("P.").remarks() == ()


def test_blanks_at_the_ends_of_rows_are_floor():
    position = Pacman.parse(".P  \n    \n")
    assert str(position) == ".P  \n    \n"
    assert str(Pacman.parse("  \nP \n")) == "  \nP \n"
    assert (position.rows, position.columns) == (2, 4)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("%%%\n%.%\n", (1, 1), "no 'P': Pacman must start somewhere"),
        ("P.\n.P\n", (2, 2), "there are two 'P's, but only one is allowed: at 1:1 and 2:2"),
        ("PPP", (1, 2), "there are 3 'P's, but only one is allowed: at 1:1 and 1:2, ..."),
        ("P..\n..\n...\n", (2, 3), "row 2 has 2 cells, but row 1 has 3"),
        ("P.\n\n..\n", (2, 1), "row 2 has 0 cells, but row 1 has 2"),
        ("P.\n..  %\n", (2, 5), "row 2 is longer than the 2 cells of row 1"),
        ("P.\n...\n", (2, 3), "row 2 is longer than the 2 cells of row 1"),
        ("\nP.\n", (1, 1), "row 1 of the level is empty"),
        ("P\t.\n", (1, 2), "a tab is not a cell: write blanks"),
        ("P.\n.\0\n", (2, 2), "character U+0000 is not allowed in a level"),
    ],
)
def test_refusals(text, place, message):
    with pytest.raises(ParseError) as caught:
        Pacman.parse(text, "a.lay")
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == ("a.lay", *place)


def test_a_picture_looked_at():
    assert (
        Pacman.parse("P.%.\n .  \n%%  \n. % \n").draw()
        == """\
┌─────┬───┐
│ @ · ╵ · │
│   ·     │
├───╴     │
│ ·   ╷   │
└─────┴───┘"""
    )
