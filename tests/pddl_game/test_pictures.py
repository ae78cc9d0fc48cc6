"""Picture lines in PDDL: what they draw, and what every picture keeps."""

import pickle
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.pictured import FOLDER, GRID, GRID_PROBLEM, PROBLEMS, drawn, game_of, start_of
from support.river import CROSSING, RIVER
from unpuzzle.base.errors import ParseError
from unpuzzle.model.position import Position
from unpuzzle.pddl import parse_domain
from unpuzzle.pddl_game.game import PddlGame, PicturedPosition
from unpuzzle.rendering import picture_of, svg_of
from unpuzzle.rendering.scenes import Scene
from unpuzzle.testing import laws
from unpuzzle.translators import find

test_laws_of_blocksworld = laws(game_of("blocksworld"), share=0.3)
test_laws_of_sokoban = laws(game_of("sokoban"), share=0.2)

STARTS = {
    "blocksworld": ["hand", "", "  c", "  a    b", "goal  [ ] on a b", "      [ ] on b c"],
    "hanoi": [
        "      █████",
        "   ███████████",
        " ████████████████",
        "      left            middle              right",
        "goal    [ ] on d3 right    [x] on d2 d3",
        "        [x] on d1 d2",
    ],
    "logistics": [
        "paris:                                       rome:",
        " office:               cdg:                   depot:                fco:",
        "  truck1:               plane:                 truck2:",
        "",
        "",
        "",
        "   p1                                           p2",
        "",
        "goal [ ] lies p1 depot  [ ] lies p2 cdg",
    ],
    "river": [
        "left:                right:",
        "  farmer   wolf",
        "  goat     cabbage",
        "goal    [ ] at farmer right",
        "        [ ] at wolf right",
        "        [ ] at goat right",
        "        [ ] at cabbage right",
    ],
    "sokoban": [
        "  ·     ·     ×     ·     ·",
        "  ·     $           ·     ·",
        "  @     ·     $     ×     ·",
        "  ·     ·     ·     ·     ·",
        "goal    [ ] home b1",
        "        [ ] home b2",
    ],
}
THINGS = {
    "blocksworld": {"a", "b", "c"},
    "hanoi": {"d1", "d2", "d3"},
    "logistics": {"truck1", "truck2", "plane", "p1", "p2"},
    "river": {"farmer", "wolf", "goat", "cabbage"},
    "sokoban": {"b1", "b2", '"player"'},
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_terminal_shows_the_board(name: str) -> None:
    assert start_of(name).draw().split("\n") == STARTS[name]


def walks(start: Position, number: int = 4, length: int = 12) -> list[Position]:
    positions = []
    for seed in range(number):
        rng, position = Random(seed), start
        for _ in range(length):
            positions.append(position)
            moves = position.moves()
            position = position.apply(rng.choice(moves)) if moves else start
    return positions


@pytest.mark.parametrize("name", PROBLEMS)
def test_every_thing_that_moves_is_drawn_once(name: str) -> None:
    start = start_of(name)
    for position in walks(start):
        ground, pieces = picture_of(position)
        kinds = Counter(kind for *_, kind in pieces if not kind.startswith("goal"))
        assert kinds == dict.fromkeys(THINGS[name], 1)
        for look, row, column, _ in pieces:
            assert look in ground.looks
            assert 0 <= row <= ground.rows - 1
            assert 0 <= column <= ground.columns - 0.5


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_state_is_drawn_alike_however_it_was_reached(name: str) -> None:
    game = game_of(name)
    seen: dict[Position, Any] = {}
    for position in walks(start_of(name), number=8):
        again = game.parse(str(position))
        assert again == position
        assert picture_of(again) == picture_of(position)
        assert seen.setdefault(position, sorted(picture_of(position)[1])) == sorted(picture_of(position)[1])


def test_things_in_a_frame_lie_inside_of_it() -> None:
    start = start_of("logistics")
    ground, pieces = picture_of(start)
    frames = {at.look: (at.row, at.column) for at in ground.shapes if hasattr(at, "look")}
    sizes = {name: (ground.looks[name].shapes[0].height, ground.looks[name].shapes[0].width) for name in frames}
    for _, row, column, kind in pieces:
        home = {"truck1": "office", "truck2": "depot", "plane": "cdg", "p1": "office", "p2": "depot"}.get(kind)
        if home is not None:
            top, left = frames[home]
            assert top < row < top + sizes[home][0] - 0.9
            assert left < column < left + sizes[home][1] - 0.9


def test_a_grid_by_numbers_in_names() -> None:
    position = drawn(
        "place ?c - cell row ?c.1 column ?c.2\nplace ?r - robot at ?c where (at ?r ?c)\nlook ?r - robot glyph R"
    )
    assert position.draw().split("\n") == ["R · ·", "·   ×", "goal [ ] at r c-2-3"]


def test_a_grid_by_neighbours_is_the_same() -> None:
    lines = """place ?a right of ?b where (right ?a ?b)
      place ?a above ?b where (up ?a ?b)
      place ?r - robot at ?c where (at ?r ?c)
      look ?r - robot glyph R"""
    position = drawn(lines)
    assert position.draw().split("\n")[:2] == ["R · ·", "·   ×"]


def test_looks_follow_the_state_and_later_lines_count() -> None:
    lines = """place ?c - cell row ?c.1 column ?c.2
      look ?c - cell glyph o
      look ?c - cell glyph w colour home where (wet ?c)"""
    position = drawn(lines)
    assert position.draw().split("\n")[:2] == ["o o o", "o   o"]
    after = position.apply("go:r:c-1-1:c-1-2")
    assert after.draw().split("\n")[:2] == ["o w o", "o   o"]
    assert picture_of(after)[0] == picture_of(position)[0]


def test_rows_may_be_ranks_and_numbers() -> None:
    assert drawn('place ?c - cell column ?c\nplace "s" row 0 column 4').draw().split("\n")[0].strip() == "s"
    assert drawn("place ?r - robot row 3 column 5").draw().split("\n")[0].strip() == "r"


def test_an_untyped_domain_is_understood_by_its_actions() -> None:
    domain = """(define (domain gripper)
      (:predicates (room ?r) (ball ?b) (at-robby ?r) (at ?b ?r) (carry ?b))
      (:action move :parameters (?from ?to) :precondition (and (room ?from) (room ?to) (at-robby ?from))
        :effect (and (at-robby ?to) (not (at-robby ?from))))
      (:action pick :parameters (?b ?r) :precondition (and (ball ?b) (room ?r) (at ?b ?r) (at-robby ?r))
        :effect (and (carry ?b) (not (at ?b ?r))))
      (:action drop :parameters (?b ?r) :precondition (and (ball ?b) (room ?r) (carry ?b) (at-robby ?r))
        :effect (and (at ?b ?r) (not (carry ?b)))))"""
    problem = """(define (problem two) (:domain gripper) (:objects x y m n)
      (:init (room x) (room y) (ball m) (ball n) (at-robby x) (at m x) (at n x)) (:goal (at m y)))"""
    lines = """place ?r column ?r where (room ?r)
      place "robot" in ?r where (at-robby ?r)
      place ?b in ?r where (at ?b ?r)
      place ?b in "robot" where (carry ?b)"""
    start = drawn(lines, domain, problem)
    assert start.draw().split("\n")[:4] == ["x:          y:", " robot:", "", "  m   n"]
    after = start.apply("pick:m:x").apply("move:x:y")
    assert after.draw().split("\n")[:4] == ["x:          y:", "             robot:", "               m", "  n"]


def test_numbers_in_names_order_the_objects_of_a_kind_without_types() -> None:
    domain = "(define (domain d) (:predicates (room ?r) (at ?r)) (:action a :parameters (?r) :effect (at ?r)))"
    parts = "(:objects room10 room9 robot) (:init (room room10) (room room9)) (:goal (at robot))"
    position = drawn("place ?r column ?r where (room ?r)", domain, f"(define (problem p) (:domain d) {parts})")
    assert position.draw().split("\n")[0].split() == ["room9", "room10"]


def test_all_problems_of_a_level_have_one_ground_whichever_was_read_first() -> None:
    lines = """; picture: place ?c - cell row ?c.1 column ?c.2
; picture: place ?r - robot at ?c where (at ?r ?c)
; picture: look ?c glyph w where (wet ?c)
"""
    other = GRID_PROBLEM.replace("(at r c-1-1)", "(at r c-2-1) (wet c-2-1)")
    drawings = []
    for texts in ((GRID_PROBLEM, other), (other, GRID_PROBLEM)):
        game = PddlGame(parse_domain(lines + GRID))
        drawings.append({text: picture_of(game.parse(text)) for text in texts})
    assert drawings[0] == drawings[1]
    assert drawings[0][other][0] == drawings[0][GRID_PROBLEM][0]
    alone = PddlGame(parse_domain(lines + GRID)).parse(GRID_PROBLEM)
    for move in ("go:r:c-1-1:c-1-2", "go:r:c-1-2:c-1-3", "go:r:c-1-3:c-2-3"):
        alone = alone.apply(move)
    again = PddlGame(parse_domain(lines + GRID)).parse(str(alone))  # from here nothing else can be reached
    assert picture_of(again) == picture_of(alone)


def test_a_goal_may_name_what_can_never_be() -> None:
    domain = GRID.replace(":precondition (and", ":precondition (and (up ?a ?a)")
    problem = GRID_PROBLEM.replace("(:goal (at r c-2-3))", "(:goal (and (at r c-1-1) (wet c-2-3)))")
    lines = """place ?r at ?c where (at ?r ?c)
      place ?c column ?c where (wet ?c)
      place ?c row 0 column ?d where (right ?c ?d)"""
    assert "[x] at r c-1-1" in drawn(lines, domain, problem).draw()


def test_many_parts_of_a_goal_are_counted() -> None:
    cells = [f"c-1-{number}" for number in range(1, 15)]
    wet = " ".join(f"(wet {cell})" for cell in cells)
    parts = f"(:objects {' '.join(cells)} - cell) (:init (wet c-1-3)) (:goal (and {wet}))"
    problem = f"(define (problem p) (:domain grid) {parts})"
    position = drawn("place ?c - cell row ?c.1 column ?c.2", GRID, problem)
    assert position.draw().split("\n")[-1] == "goal    [ ] 1 of 14"


def test_the_lines_of_a_problem_win_and_stay_with_it() -> None:
    game = game_of("river")
    text = game.levels["crossing"]
    own = (
        "; picture: place ?b - bank row ?b\n; picture: place ?x at ?b where (at ?x ?b)\n; picture: look wolf glyph W\n"
        + text
    )
    position = game.parse(own)
    assert position != game.parse(own.replace("(at wolf left)", "(at wolf right)"))
    assert position == game.parse(text)
    assert picture_of(position) != picture_of(game.parse(text))
    after = position.apply("row:left:right:goat")
    assert str(after).startswith("; picture: place ?b - bank row ?b\n")
    assert picture_of(game.parse(str(after))) == picture_of(after)
    assert picture_of(pickle.loads(pickle.dumps(after))) == picture_of(after)
    assert picture_of(pickle.loads(pickle.dumps(Scene.of(after))).start) == picture_of(after)


def test_lines_of_a_problem_make_no_other_state() -> None:
    game = PddlGame(parse_domain(RIVER))
    plain, drawn_one = game.parse(CROSSING), game.parse("; picture: place wolf row 0\n" + CROSSING)
    assert isinstance(drawn_one, PicturedPosition)
    assert not isinstance(plain, PicturedPosition)
    assert (plain == drawn_one, drawn_one == plain, len({plain, drawn_one})) == (True, True, 1)
    assert drawn_one != plain.apply("row:left:right:goat")


def test_objects_may_stand_in_the_lines_of_a_problem_alone() -> None:
    line = "; picture: look left colour goal\n"
    position = game_of("river").parse(line + game_of("river").levels["crossing"])
    assert isinstance(position, PicturedPosition)
    position.require_picture()
    broken = PddlGame(parse_domain(line + RIVER)).parse(CROSSING)
    assert isinstance(broken, PicturedPosition)
    with pytest.raises(ParseError, match="unknown object 'left'"):
        broken.require_picture()


def test_a_game_without_a_file_keeps_its_lines_in_other_processes() -> None:
    game = PddlGame(parse_domain((FOLDER / "river" / "domain.pddl").read_text()))
    start = game.parse((FOLDER / "river" / "crossing.pddl").read_text())
    assert picture_of(pickle.loads(pickle.dumps(start))) == picture_of(start) == picture_of(start_of("river"))


def test_wrong_lines_leave_the_table(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text("; picture: place ?x upon ?b where (at ?x ?b)\n" + RIVER)
    start = find(str(tmp_path / "domain.pddl")).parse(CROSSING)
    assert isinstance(start, PicturedPosition)
    assert start.draw() == PddlGame(parse_domain(RIVER)).parse(CROSSING).draw()
    assert svg_of(start).startswith("<svg")
    with pytest.raises(ParseError, match="found 'upon', did you mean 'on'") as caught:
        start.require_picture()
    assert (caught.value.file, caught.value.line, caught.value.column) == (str(tmp_path / "domain.pddl"), 1, 21)


def test_comments_that_only_speak_of_pictures_are_none() -> None:
    assert not isinstance(PddlGame(parse_domain("; a picture: none\n" + RIVER)).parse(CROSSING), PicturedPosition)


def test_windows_line_ends_and_tabs_do_no_harm() -> None:
    text = (FOLDER / "river" / "domain.pddl").read_text().replace("; picture:", "\t;;\tPicture:").replace("\n", "\r\n")
    start = PddlGame(parse_domain(text)).parse((FOLDER / "river" / "crossing.pddl").read_text())
    assert picture_of(start) == picture_of(start_of("river"))


def test_what_hangs_on_nothing_is_left_out() -> None:
    position = drawn("place ?c - cell on ?d where (near ?c ?d)\nplace ?r - robot row 0 column 0", GRID, GRID_PROBLEM)
    kinds = {kind for *_, kind in picture_of(position)[1] if not kind.startswith("goal")}
    assert kinds == set()
