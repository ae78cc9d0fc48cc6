"""Boxup: the published figures, each rule, the text's refusals, and what Fast Downward makes of the PDDL."""

from __future__ import annotations

import pytest

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.translators.boxup import Boxup
from unpuzzle.verification.side_by_side import check


def level(name):
    return Boxup.parse(Boxup.levels[name])


def explore(position):
    """Length of a shortest solution (None without one), states and transitions; through solved positions, too."""
    lengths, layer, transitions, optimal = {position: 0}, [position], 0, None
    while layer:
        following = []
        for p in layer:
            if optimal is None and p.solved():
                optimal = lengths[p]
            for move in p.moves():
                transitions += 1
                if (q := p.apply(move)) not in lengths:
                    lengths[q] = lengths[p] + 1
                    following.append(q)
        layer = following
    return optimal, len(lengths), transitions


def play(text, moves):
    position = Boxup.parse(text)
    for move in moves:
        position = position.apply(move)
    return str(position)


# ---- the published figures


@pytest.mark.parametrize(("name", "figures"), [("1", (5, 140, 325)), ("2", (14, 204, 468)), ("3", (24, 611, 1350))])
def test_published_figures(name, figures):
    assert explore(level(name)) == figures
    result = check(level(name))
    assert (result.same, result.exhaustive, result.states, result.transitions) == (True, True, *figures[1:])


@pytest.mark.parametrize(
    ("name", "moves"),
    [("1", "ULDRR"), ("2", "RULLDRRDULURDD"), ("2", "RULLDDRRULURDD"), ("3", "RDLURRDDLUULDRULDDRRUULD")],
)
def test_published_plans(name, moves):
    position = level(name)
    for move in moves:
        assert not position.solved()
        position = position.apply(move)
    assert position.solved()
    assert position.moves()


# ---- the rules, one by one


@pytest.mark.parametrize(
    ("before", "moves", "after"),
    [
        ("n! W! @ .", "R", "n! W! . @"),  # walk
        ("n!@ . W!", "R", ". n!@ W!"),  # shut in the direction: carried
        ("e!@ . W!", "R", "e! @ W!"),  # open in the direction: left
        ("W!@ . n!", "R", ". W!@ n!"),  # large, empty, carried
        ("E!@ . n!", "R", "E! @ n!"),
        ("W!e!@ . .", "R", ". W!e!@ ."),  # a small box inside goes along, though open in the direction
        ("E!w!@ . .", "R", "E! w!@ ."),  # the small one is carried out of the large one
        ("E!e!@ . .", "R", "E!e! @ ."),
        ("n!@ W! .", "R", ". W!n!@ ."),  # small into large
        ("n!@ W! . n", "RR", ". . W!n!@ n"),  # and on, with the large one
        ("@ w! . W!", "R", ". w!@ . W!"),  # into a small box
        ("@ W!w! .", "R", ". W!w!@ ."),  # into both at once
    ],
)
def test_what_comes_along(before, moves, after):
    assert play(before, moves).split() == after.split()


@pytest.mark.parametrize(
    ("text", "move", "reason"),
    [
        ("n! W! @", "R", "row 1, column 3 is at the edge of the grid"),
        ("n! W! @", "U", "row 1, column 3 is at the edge of the grid"),
        ("n! W! @ #", "R", "there is a wall at row 1, column 4"),
        ("n! W! @", "L", "the large box at row 1, column 2 is not open towards the mover"),
        ("E! n! @", "L", "the small box at row 1, column 2 is not open towards the mover"),
        ("@ W!n!", "R", "the small box at row 1, column 2 is not open towards the mover"),
        ("@ E!w!", "R", "the large box at row 1, column 2 is not open towards the mover"),
        ("N!@ W n!", "R", "the large box that comes along has no room beside the large box at row 1, column 2"),
        ("N!@ w! .", "R", "the large box that comes along has no room beside the small box at row 1, column 2"),
        ("N!n!@ w .", "R", "the large box that comes along has no room beside the small box at row 1, column 2"),
        ("n!@ w W!", "R", "the small box that comes along has no room beside the small box at row 1, column 2"),
        ("n!@ W!w .", "R", "the small box that comes along has no room beside the small box at row 1, column 2"),
    ],
)
def test_what_is_blocked_and_why(text, move, reason):
    position = Boxup.parse(text)
    assert move not in position.moves()
    with pytest.raises(IllegalMove) as caught:
        position.apply(move)
    assert str(caught.value) == f"{move}: {reason}"


def test_an_unmarked_pair_does_not_solve():
    assert not Boxup.parse("Nn@ N! n!").solved()
    assert not Boxup.parse("N!n@ N n!").solved()
    assert Boxup.parse("N!n! N n@").solved()


def test_unmarked_boxes_that_look_the_same_are_the_same():
    assert Boxup.parse(play("n . n@ N! n!", "L")) == Boxup.parse("n n@ . N! n!")
    one_way, other_way = Boxup.parse("n@ . n\n. . .\nN! . n!"), Boxup.parse("n . n@\n. . .\nN! . n!")
    assert explore(one_way)[1] > 50
    assert check(one_way).states == explore(one_way)[1]
    assert check(other_way).same


def test_another_small_box_in_the_marked_large_one():
    start = "n@ W! . n!\n.  .  . ."
    assert play(start, "RR") == ".    .    W!n@ n!\n.    .    .    .\n"
    result = check(Boxup.parse(start))
    assert result.same
    assert result.states == explore(Boxup.parse(start))[1] == 68


def test_a_board_of_one_cell():
    position = Boxup.parse("N!e!@")
    assert position.solved()
    assert position.moves() == ()
    assert check(position).states == 1


# ---- text


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (". . .\n. .\n", (2, 3), "row 2 has 2 cells, but row 1 has 3"),
        (". .\n; a comment\n\n. . @ .\n", (4, 5), "row 2 has 4 cells, but row 1 has 2"),
        (".\n. .\n", (2, 3), "row 2 has 2 cells, but row 1 has 1"),
        (". x .", (1, 3), "bad symbol 'x': a cell must be '.', '#', or"),
        ("n! W!q @", (1, 6), "bad symbol 'q'"),
        ("n! W!@5", (1, 7), "bad symbol '5'"),
        ("n! @ W! @", (1, 9), "there are two movers, but only one is allowed: at 1:4 and 1:9"),
        ("@ @\n@ W!n!", (1, 3), "there are 3 movers, but only one is allowed: at 1:1 and 1:3, ..."),
        ("n! . W!", (1, 1), "no mover: one cell needs an '@'"),
        ("  @ n W", (1, 3), "no goal pair: no small box is marked, as in 'n!'"),
        ("@ n! W", (1, 1), "no goal pair: no large box is marked, as in 'W!'"),
        ("@ n! W! e!", (1, 9), "there are two marked small boxes, but only one is allowed: at 1:3 and 1:9"),
        ("@ n! W! E!", (1, 9), "there are two marked large boxes, but only one is allowed: at 1:6 and 1:9"),
        ("@ NW! n!", (1, 4), "two large boxes in a cell"),
        ("@ W! n!e", (1, 8), "two small boxes in a cell"),
        ("@ W! nE!", (1, 7), "the order in a cell must be: large box, small box, mover"),
        ("@n! W!", (1, 2), "the order in a cell must be: large box, small box, mover"),
        ("@@ n! W!", (1, 2), "two movers in a cell"),
        ("@ n! W!!", (1, 8), "'!' marks a box: it follows a box's letter, once"),
        ("@! n! W!", (1, 2), "'!' marks a box"),
        ("! n! W! @", (1, 1), "'!' marks a box"),
        ("@ n! W!#", (1, 8), "'#' must be alone: nothing can be in a wall"),
        ("@ n! #W!", (1, 6), "'#' must be alone: nothing can be in a wall"),
        ("@ n! W! ##", (1, 9), "'#' must be alone"),
        (".@ n! W!", (1, 1), "'.' must be alone: nothing can be in an empty cell"),
        ("@. n! W!", (1, 2), "'.' must be alone"),
        ("; nothing but a comment", (1, 1), "the level is empty"),
        ("n! @ W!\0", (1, 8), "character U+0000 is not allowed in a level"),
        ("n! @\u00a0W!", (1, 5), "character U+00A0 is not allowed in a level"),
    ],
)
def test_refusals(text, place, message):
    with pytest.raises(ParseError) as caught:
        Boxup.parse(text, "a.boxup")
    assert message in caught.value.message
    assert (caught.value.file, caught.value.line, caught.value.column) == ("a.boxup", *place)


def test_comments_tabs_and_blanks():
    text = "; level 1\n\n .\t. .  ; top\n n! @ W!\n\n . . .;end"
    assert Boxup.parse(text) == level("1")


# ---- pictures


def test_a_picture_looked_at():
    assert (
        Boxup.parse("Se!@ W!\n# n").draw()
        == """\
╭─────────────────╮
│ ┌─────┐ ╔═════╗ │
│ │╔═══╗│       ║ │
│ │║ @  │       ║ │
│ │╚═══╝│       ║ │
│ └     ┘ ╚═════╝ │
│ ███████         │
│ ███████  ┌   ┐  │
│ ███████  │   │  │
│ ███████  └───┘  │
│ ███████         │
╰─────────────────╯"""
    )


# ---- PDDL


def test_decoding():
    action = GroundAction("carry-small", ("r2c1", "east", "r2c2", "west", "north", "south", "red", "north", "blue"))
    assert level("1").decode(action) == "R"
