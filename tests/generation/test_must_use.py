"""What solutions must use: a level is unsolvable without it, which searches written here for this prove once more.

The twins share nothing with `unpuzzle.generation.candidates`: a rule is blanked in the game's text, an object in texts
of game and level, and a box of Sokoban is told apart by its number, and never pushed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from support.command_line import run, run_json
from support.dijkstra import by_rules, cheapest_first
from support.thorough import THOROUGH
from unpuzzle import find, generate
from unpuzzle.base.errors import UsageError
from unpuzzle.generation.candidates import Must, musts, needs
from unpuzzle.puzzlescript.game import ScriptGame, game_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NUMBER = 50 if THOROUGH else 10
"""Levels for each kind of thing."""
COLOURS = {
    **{"Background": "black", "Goal": "yellow", "Lever": "green", "Player": "pink"},
    **{"Wall": "brown", "Gate": "grey", "Crate": "orange"},
}
OBJECTS = "\n\n".join(f"{name}\n{colour}" for name, colour in COLOURS.items())
LEVERS = f"""title Levers
OBJECTS

{OBJECTS}

LEGEND

. = Background
P = Player
# = Wall
* = Crate
O = Goal
L = Lever
G = Gate

SOUNDS

COLLISIONLAYERS

Background
Goal, Lever
Player, Wall, Crate, Gate

RULES

[ > Player | Crate ] -> [ > Player | > Crate ]
late [ Lever Crate ] [ Gate ] -> [ Lever Crate ] [ ]
late [ Player Goal ] -> [ Player Goal ] message There

WINCONDITIONS

some Player on Goal

LEVELS

########
#P..*.L#
#....*.#
###G####
#...O..#
########
"""
GAME = game_of(LEVERS, "levers")
PUSH, OPENS, TOLD = (
    LEVERS[: LEVERS.index(text)].count("\n") + 1 for text in ("[ > Player | Crate", "late [ Lever", "late [ Player")
)
ROOM = "########\n#   #  #\n#@$ *. #\n#   #  #\n########\n"


def solvable(game: ScriptGame, text: str) -> bool:
    """Whether a level has a solution, by the engine in Python and a search of all positions."""
    return any(position.solved() for _, position in cheapest_first([game.parse(text)], by_rules))


def without_line(line: int) -> ScriptGame:
    lines = LEVERS.split("\n")
    assert "->" in lines[line - 1]
    lines[line - 1] = ""
    return game_of("\n".join(lines), "fewer-rules")


def pushed(text: str, fixed: tuple[int, int] | None) -> bool:
    """Whether a level of Sokoban can be solved where one box, by its row and column, is never pushed."""
    rows = text.split("\n")
    cells = {(r, c): symbol for r, row in enumerate(rows, 1) for c, symbol in enumerate(row, 1)}
    walls = {cell for cell, symbol in cells.items() if symbol == "#"}
    goals = {cell for cell, symbol in cells.items() if symbol in ".+*"}
    boxes = tuple(cell for cell, symbol in cells.items() if symbol in "$*")
    player = next(cell for cell, symbol in cells.items() if symbol in "@+")

    def after(state: Any) -> Iterable[Any]:
        (row, column), places = state
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            to, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if to in walls or to not in cells:
                continue
            if to not in places:
                yield 1, (to, places)
            elif beyond in cells and beyond not in walls and beyond not in places:
                number = places.index(to)
                if boxes[number] != fixed:
                    yield 1, (to, (*places[:number], beyond, *places[number + 1 :]))

    return any(goals.issuperset(state[1]) for _, state in cheapest_first([(player, boxes)], after))


@pytest.mark.parametrize("line", [PUSH, OPENS])
def test_without_the_rule_no_level_can_be_solved(line: int) -> None:
    made = generate(GAME, seed=3, count=NUMBER // 2, max_states=1_000, must_use=[f"rule {line}"])
    assert len(made.levels) == NUMBER // 2
    fewer = without_line(line)
    for level in made.levels:
        assert solvable(GAME, level.text)
        assert not solvable(fewer, level.text), level.text
        assert dict(level.unsolvable_without).keys() == {f"rule {line}"}


def test_without_the_object_no_level_can_be_solved() -> None:
    made = generate(GAME, seed=5, count=NUMBER, max_states=1_000, must_use=["object Lever"])
    assert len(made.levels) == NUMBER
    for level in made.levels:
        assert solvable(GAME, level.text)
        assert not solvable(GAME, level.text.replace("L", ".").replace("l", ".")), level.text


def test_without_pushing_the_box_no_level_can_be_solved() -> None:
    sokoban = find("sokoban")
    made = generate(sokoban, {"from": (ROOM,), "locked": "c5"}, seed=1, count=NUMBER, must_use=["box r3c5"])
    assert len(made.levels) == NUMBER
    for level in made.levels:
        assert level.text.split("\n")[2][4] == "*"
        assert pushed(level.text, None)
        assert not pushed(level.text, (3, 5)), level.text


def test_what_is_not_needed_is_refused() -> None:
    made = generate(GAME, seed=3, count=5, max_states=1_000, must_use=[f"rule {TOLD}"], candidates=60)
    plain = generate(GAME, seed=3, count=60, max_states=1_000, candidates=60)
    fewer = without_line(TOLD)
    needed = [level.text for level in plain.levels if not solvable(fewer, level.text)]
    assert [level.text for level in made.levels] == [text for text in needed if text][:5]
    assert made.rejected["not_needed"] > 0


def test_undecided_is_not_enough() -> None:
    level = GAME.parse(GAME.levels["0"])
    assert needs(level, Must("rule", str(OPENS))).needed is True
    few = needs(level, Must("rule", str(OPENS)), max_expanded=3)
    assert few.needed is None
    assert few.reason


def test_a_box_that_begins_on_no_goal_must_be_pushed() -> None:
    sokoban = find("sokoban")
    proof = needs(sokoban.parse(ROOM), Must("box", "r3c3"))
    assert (proof.needed, proof.expanded) == (True, 0)
    assert "row 3, column 3" in proof.reason
    assert needs(sokoban.parse(ROOM), Must("box", "r4c4")).needed is False
    assert needs(sokoban.parse(ROOM), Must("box", "r99c4")).needed is False


def test_actions_and_objects_of_pddl() -> None:
    blocks = find("blocksworld")
    level = blocks.parse("a b\nc\ngoal\nb a\nc\n")
    assert needs(level, Must("action", "unstack")).needed is True
    assert needs(level, Must("object", "a")).needed is True
    assert needs(level, Must("object", "c")).needed is False
    assert needs(level, Must("object", "nothing")).needed is False


def test_a_domain_is_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = run_json(capsys, "pddl", "blocksworld", "sussman", "--output", str(tmp_path))
    assert code == 0
    words = ["generate", str(tmp_path / "domain.pddl"), "--from", "problem", "--must-use", "action unstack"]
    code, answer = run_json(capsys, *words, "--count", "2", "--workers", "1")
    assert code == 0, answer
    assert [list(level["unsolvable_without"]) for level in answer["levels"]] == [["action unstack"]] * 2


@pytest.mark.parametrize(
    ("game", "words", "sentence"),
    [
        ("sokoban", ["box 3"], "a cell must be named by its row and column, such as r3c4, not '3'"),
        ("storeroom", ["rule 7"], "there is no rule in line '7': rules are in 74"),
        ("storeroom", ["object crat"], "did you mean 'crate'"),
        ("storeroom", ["object background"], "is the background"),
        ("storeroom", ["box r1c1"], "levels of storeroom can be required to use a rule by its line"),
        ("blocksworld", ["action unstuck"], "did you mean 'unstack'"),
        (
            "blocksworld",
            ["object bb"],
            "no level that can be made with these options has an object 'bb', did you mean 'b'",
        ),
        ("sokoban", ["object q"], "no level that can be made with these options has an object 'q': they have"),
        (
            "storeroom",
            ["rule"],
            "--must-use: expected a kind and a name, such as 'rule 31', not 'rule'",
        ),
        ("sudoku", ["rule 3"], "are judged by their constraints"),
        ("24", ["rule 3"], "levels of 24 can be required to use"),
    ],
)
def test_wrong_things_are_refused_in_words(
    game: str, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(capsys, "generate", game, "--must-use", *words, "--workers", "1")
    assert (code, out) == (2, "")
    assert sentence in err


def test_things_are_named_in_pairs() -> None:
    assert musts(["rule", "31", "object lever,box r3c4"]) == [
        Must("rule", "31"),
        Must("object", "lever"),
        Must("box", "r3c4"),
    ]
    with pytest.raises(UsageError, match="a kind and a name"):
        musts(["rule 31 object"])


def test_the_answer_says_what_was_proved(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "storeroom", "--must-use", "rule 74", "object player", "--count", "2", "--workers", "1"]
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert len(re.findall("unsolvable without rule 74, unsolvable without object player", out)) == 2
    code, answer = run_json(capsys, *words)
    assert [set(level["unsolvable_without"]) for level in answer["levels"]] == [{"rule 74", "object player"}] * 2
