"""Sokoban: texts, rules, dead squares, and that plans found through PDDL are as short as can be."""

from __future__ import annotations

import re
from itertools import permutations
from math import inf
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.dijkstra import by_rules, cheapest_first
from support.thorough import at_most
from unpuzzle.base.distances import distances
from unpuzzle.base.errors import ParseError
from unpuzzle.testing.game_laws.rules import pictures_show_what_moves_change
from unpuzzle.testing.game_laws.subject import LawSubject
from unpuzzle.translators.sokoban import Sokoban, boards
from unpuzzle.translators.sokoban.rules import assignment
from unpuzzle.verification.heuristics import check_heuristic
from unpuzzle.verification.side_by_side import check


def shortest(level):
    """The length of a shortest solution, by the rules; None if there is none."""
    found = cheapest_first([level], by_rules)
    return next((length for length, position in found if position.solved()), None)


# ---- text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("#####\n#@$.#\n#####\n", "#####\n#@$.#\n#####\n"),
        ("#####\n#@$.#_ \n#####---\n\n", "#####\n#@$.#\n#####\n"),  # floor outside is nothing
        ("      \n\n  #####\n  #@$.#\n  #####", "#####\n#@$.#\n#####\n"),  # nor do empty rows and columns count
        ("@$.", "@$.\n"),  # no walls at all
        ("@$.\n-", "@$.\n ##\n"),  # a row that is shorter than the floor beside it ends in a wall
        ("@$.\n    ", "@$.#\n----\n"),
        ("; 1: a title\n#####\n#+$ #\n#####\n", "#####\n#+$ #\n#####\n"),
        ("@ #  \n### $", "@ #\n### $\n"),  # a box that nobody comes to is still there
    ],
)
def test_texts_that_mean_the_same_are_kept_as_one(text, kept):
    assert str(Sokoban.parse(text)) == kept
    assert Sokoban.parse(kept) == Sokoban.parse(text)


@given(
    rows=st.lists(st.text("#$*.-_  ", max_size=6), min_size=1, max_size=5), player=st.sampled_from("@+"), data=st.data()
)
@settings(max_examples=at_most(150), derandomize=True, deadline=None)
def test_any_rows_with_one_player_come_back_and_can_be_played(rows, player, data):
    row = data.draw(st.integers(0, len(rows) - 1))
    place = data.draw(st.integers(0, len(rows[row])))
    rows[row] = rows[row][:place] + player + rows[row][place:]
    level = Sokoban.parse("\n".join(rows))
    positions = [level, *level.following().values(), *level.symmetries()]
    for position in positions:
        assert Sokoban.parse(str(position)) == position
        assert all(line == line.rstrip(" ") for line in str(position).split("\n"))
        assert position.draw()
        assert position.atoms() <= set(position.task().problem.init)
        for heuristic in Sokoban.heuristics.values():
            assert heuristic.estimate(position) >= 0
        assert (position.impossible() is None) >= position.solved()
    assert check(level, max_states=30, walks=1).same is not False


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("#####\n# $.#\n#####\n", "no player: one cell needs '@'", 1, 1),
        ("#####\n#@$+#\n#####\n", "there are two players, but only one is allowed: at 2:2 and 2:4", 2, 4),
        ("@$.\n #x", "bad symbol 'x': a cell must be '#' a wall, '@' the player,", 2, 3),
        ("@$.\n\t#", "bad symbol '\\t'", 2, 1),
    ],
)
def test_what_is_no_level_is_refused(text, message, line, column):
    with pytest.raises(ParseError) as caught:
        Sokoban.parse(text)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_symmetries_of_open_levels_can_be_written():
    level = Sokoban.parse("@$.\n--\n")
    assert len(list(level.symmetries())) == 8
    for other in level.symmetries():
        assert Sokoban.parse(str(other)) == other
        assert shortest(other) == shortest(level) == 1


def test_a_picture():
    assert Sokoban.parse("#####\n#+$*#\n#####").draw() == "██████████\n██+ □ ■ ██\n██████████"


def test_a_picture_has_all_lines_of_the_board():
    level = Sokoban.parse("@.##\n $$-\n   .\n----\n")
    assert level.draw() == "@ · ████\n  □ □\n      ·\n"
    subject = LawSubject(Sokoban)
    subject.starts = [level]
    pictures_show_what_moves_change(subject)


# ---- rules


def test_steps_and_pushes():
    level = Sokoban.parse("#######\n#.$@* #\n#######\n")
    assert level.moves() == ("L", "R")
    assert str(level.apply("L")) == "#######\n#*@ * #\n#######\n"
    assert str(level.apply("R")) == "#######\n#.$ +$#\n#######\n"
    assert level.apply("R").apply("l").moves() == ("L", "r")  # the box on the right is at the wall
    assert level.apply("L").solved()
    assert not level.solved()


def test_two_boxes_in_a_row_cannot_be_pushed():
    assert Sokoban.parse("@$$ .").moves() == ()


def test_more_goals_than_boxes_and_more_boxes_than_goals():
    spare = Sokoban.parse("######\n#@$..#\n######\n")
    assert shortest(spare) == 1
    assert check(spare).same
    full = Sokoban.parse("@ $ $ .")
    assert full.impossible() == "there are more boxes than goals"
    assert shortest(full) is None


def test_no_boxes_at_all():
    level = Sokoban.parse("@ .")
    assert level.solved()
    assert check(level).same


def test_a_box_that_nobody_can_come_to():
    level = Sokoban.parse("@ $..#$#")
    assert not level.apply("r").apply("R").solved()
    assert level.impossible() == "the player can never reach the box at row 1, column 7, which is not on a goal"
    assert shortest(level) is None
    assert Sokoban.parse("@ $.#*#").apply("r").apply("R").solved()


@pytest.mark.parametrize("text", ["#########\n#@#  $ .#\n#########", "#####\n#@###\n#####\n# $.#\n#   #\n#####"])
def test_a_player_who_is_walled_in(text):
    """The box could be pushed to its goal by somebody beside it: its square is not dead."""
    assert Sokoban.parse(text).impossible().startswith("the player can never reach the box at row ")


# ---- reasons are true: without what they name they no longer hold


def cells_of(rows):
    return {(row, column): symbol for row, line in enumerate(rows) for column, symbol in enumerate(line)}


def text_of(cells):
    width = 1 + max(column for _, column in cells)
    rows = 1 + max(row for row, _ in cells)
    return "\n".join("".join(cells[row, column] for column in range(width)) for row in range(rows)) + "\n"


def without(cells, symbols, keep=None):
    """The cells without boxes or player, but for the one at `keep`."""
    under = {"@": " ", "+": ".", "$": " ", "*": "."}
    return {at: under[there] if there in symbols and at != keep else there for at, there in cells.items()}


def with_player(cells, at):
    return {**cells, at: {" ": "@", ".": "+"}[cells[at]]}


def beside(at):
    return [(at[0] + row, at[1] + column) for row, column in ((-1, 0), (1, 0), (0, -1), (0, 1))]


def walked(cells):
    """Return the cells that the player could reach if there were no boxes."""
    seen = [at for at, there in cells.items() if there in "@+"]
    for at in seen:  # which grows meanwhile
        seen += [to for to in beside(at) if cells.get(to, "#") != "#" and to not in seen]
    return seen


@given(seed=st.integers(0, 2**32), walled=st.booleans())
@settings(max_examples=at_most(1600), derandomize=True, deadline=None)
def test_reasons_are_true(seed, walled):
    rng = Random(seed)
    rows = ["".join(rng.choices("#$*. ", (1, 1, 1, 2, 6), k=5)) for _ in range(rng.randint(1, 3))]
    rows = [f"{row[0]}#{row[2:]}" if walled else row for row in rows]
    cells = cells_of(["#######", *[f"#{row}#" for row in rows], "#######"])
    places = [at for at, there in cells.items() if there in " ."]
    if not places:
        return
    cells = with_player(cells, rng.choice(places))
    reason = Sokoban.parse(text_of(cells)).impossible()
    if reason is None:
        return
    if reason == "there are more boxes than goals":
        assert sum(there in "$*" for there in cells.values()) > sum(there in ".+*" for there in cells.values())
        assert Sokoban.parse(text_of(without(cells, "$*"))).impossible() is None
        return
    row, column = map(int, re.search(r"the box at row (\d+), column (\d+)", reason).groups())
    top, left = corner(cells)
    box = row - 1 + top, column - 1 + left
    assert cells[box] == "$"
    named = Sokoban.parse(text_of({**cells, box: " "})).impossible()
    assert named != reason, "without the box that it names"
    if "can never reach" in reason:
        assert box not in walked(cells)
        near = [at for at in beside(box) if cells[at] in " ."]
        for at in near:
            free = Sokoban.parse(text_of(with_player(without(cells, "@+"), at))).impossible()
            assert free is None or f"reach the box at row {row}, column {column}," not in free, (
                "with a player beside it"
            )
        return
    assert "is on a dead square" in reason
    alone = without(without(cells, "@+"), "$*", box)
    for at in [at for at, there in alone.items() if there in " ."]:
        assert shortest(Sokoban.parse(text_of(with_player(alone, at)))) is None, "wherever the player is"


def corner(cells):
    """By how much rows and columns are counted from another corner in the level: without what is empty around it."""
    inside = walked(cells)
    kept = [at for at, there in cells.items() if there in "#$*." or at in inside]
    return min(row for row, _ in kept), min(column for _, column in kept)


# ---- dead squares and heuristics


@pytest.mark.parametrize("text", ["@ $ .\n", "#####\n#@  #\n# $ #\n#  .#\n#####", "....\n-$$@\n----\n"])
def test_a_box_in_a_corner_is_infinitely_far(text):
    level = Sokoban.parse(text)
    corner = Sokoban.parse("####\n#$ #\n#@.#\n####")
    for name in ("matching", "pushes", "dead-squares"):
        assert Sokoban.heuristics[name].estimate(corner) == inf
        assert check_heuristic(level, name).holds
    assert "dead square" in corner.impossible()


def test_boxes_that_want_the_same_goal():
    level = Sokoban.parse("#########\n#@$ . $.#\n#########")
    assert Sokoban.heuristics["pushes"].estimate(level) == 2 + 1
    crowded = Sokoban.parse("##########\n#.  $.$ @#\n##########")
    estimates = {name: heuristic.estimate(crowded) for name, heuristic in Sokoban.heuristics.items()}
    assert (estimates["pushes"], estimates["matching"], estimates["dead-squares"]) == (1 + 1, 3 + 1, 2)


def test_assignments_are_the_best_of_all():
    rng = Random(2)
    for _ in range(200):
        rows, columns = sorted((rng.randint(1, 4), rng.randint(1, 5)))
        costs = [[rng.randint(0, 9) for _ in range(columns)] for _ in range(rows)]
        best = min(
            sum(costs[row][column] for row, column in enumerate(chosen))
            for chosen in permutations(range(columns), rows)
        )
        assert assignment(costs) == best
    assert assignment([]) == 0


# ---- plans


def test_a_large_level_is_judged_by_one_walk_from_all_goals(monkeypatch: pytest.MonkeyPatch) -> None:
    """There was a walk for each goal: a level of 8 kB with 4,000 of them took 9 seconds."""
    walks: list[int] = []

    def counted(starts, successors, most=None):
        walks.append(len(walks))
        return distances(starts, successors, most)

    monkeypatch.setattr(boards, "distances", counted)
    side = 14
    rows = ["." * side] * (side - 2)
    level = Sokoban.parse(
        "\n".join(
            [
                "#" * (side + 2),
                *(f"#{row}#" for row in ["@" + rows[0][1:], "-$" + rows[0][2:], *rows]),
                "#" * (side + 2),
            ]
        )
    )
    assert level.impossible() is None
    assert len(walks) == 1


@given(st.text("#.-", min_size=12, max_size=30), st.sampled_from([3, 4, 5]))
def test_dead_squares_are_those_from_which_no_goal_is_reached(floor: str, columns: int) -> None:
    floor = floor[: len(floor) // columns * columns]
    alive = {cell for goal in boards.pushes(floor, columns) for cell in goal}
    assert boards.dead_squares(floor, columns) == frozenset(range(len(floor))) - alive
