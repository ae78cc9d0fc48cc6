"""PDDL by forking: what its goals say, and that they say what the win conditions do."""

from __future__ import annotations

import pytest

from support.script_texts import PUSH, script
from unpuzzle.base.errors import ParseError
from unpuzzle.pddl import parse_task
from unpuzzle.pddl.formulas import walk
from unpuzzle.pddl.linting import faults
from unpuzzle.pddl.nodes import And, Atom, Not, Problem, Task
from unpuzzle.pddl.writer import write
from unpuzzle.puzzlescript.game import ScriptPosition, game_of
from unpuzzle.solving import solve
from unpuzzle.verification.side_by_side import check


def level_of(text: str) -> ScriptPosition:
    """The first level of a game."""
    game = game_of(text, "tiny")
    return game.parse(game.levels["0"])


def unlike(cells: str, *things: str) -> str:
    """That there is nothing of the kind on some cells."""
    return " ".join(f"(not (at {thing} {cell}))" for cell in cells.split() for thing in things or ("crate",))


GOALS = {
    "as many crates as targets": ({"levels": "p.*.\n..*.\no..o"}, "(and (at crate r3c1) (at crate r3c4))"),
    "one of each": ({"levels": "p*.o"}, "(at crate r1c4)"),
    "a crate that stays where it is": ({"levels": "p*.o#o#*"}, "(and (at crate r1c4) (at crate r1c6))"),
    "more targets than crates": ({"levels": "p.*.\no..o"}, f"(and {unlike('r1c1 r1c2 r2c2 r1c3 r2c3 r1c4')})"),
    "fewer targets than crates": ({"levels": "p.*.\n..*o"}, f"(and {unlike('r1c1 r2c1 r1c2 r2c2 r1c3 r2c3 r1c4')})"),
    "crates that vanish": (
        {"levels": "p.**oo", "rules": "[ > Player | Crate | Crate ] -> [ > Player | | ]"},
        f"(and {unlike('r1c3 r1c4')})"),
    "targets that come": (
        {"levels": "p*o", "rules": f"{PUSH}\nlate right [ Player | Crate ] -> [ Player | Crate Target ]"},
        "(and (or (not (at crate r1c1)) (at target r1c1)) (or (not (at crate r1c2)) (at target r1c2)))"),
    "either of two kinds": (
        {"levels": "p*.@o", "rules": "[ > Player | Solid ] -> [ > Player | > Solid ]",
         "legend": "@ = Wall and Target\nSolid = Crate or Wall", "wins": "all Solid on Target"},
        f"(and {unlike('r1c1 r1c2 r1c3', 'wall', 'crate')})"),
    "two kinds, one of which stays": (
        {"levels": "p*.o@", "legend": "@ = Wall and Target\nSolid = Crate or Wall", "wins": "all Solid on Target"},
        "(at crate r1c4)"),
    "things of two layers": (
        {"levels": "p*oo", "legend": "Thing = Crate or Target", "wins": "all Thing on Target"},
        f"(and {unlike('r1c1 r1c2')})"),
    "the other way round": ({"levels": "p*.o", "wins": "all Target on Crate"}, "(at crate r1c4)"),
}  # fmt: skip


@pytest.mark.parametrize("name", GOALS)
def test_a_goal_says_where_crates_should_be_if_there_is_one_for_each_target(name: str) -> None:
    made, wanted = GOALS[name]
    level = level_of(script(**made))
    goal = " ".join(write(level.task())[1].partition("(:goal ")[2].split()).removesuffix("))")
    assert goal == wanted
    found = check(level, max_states=400, walks=5, steps=20)
    assert found.same is not False, str(found)
    assert solve(level, "native:hmax").cost == solve(level, "rules:bfs").cost


@pytest.mark.parametrize("wins", ["all Player on Target", "no Player on Wall\nall Crate on Target", "no Player"])
def test_no_action_is_for_players_that_stand_where_nothing_is_won(wins: str) -> None:
    text = script(prelude="require_player_movement", levels="p..o\n..*.\n...o", wins=wins)
    level = level_of(text)
    solved = [step for step in level.fork().steps if step.solved]
    cells = {cell for step in solved for cell, _ in step.players}
    assert cells == {"all Player on Target": {9, 11}, "no Player": set()}.get(wins, set(range(12)))
    assert check(level, max_states=400, walks=5, steps=20).same is not False


MARKS = {
    "a turn that is cancelled for ever": (
        {"rules": "late [ Wall ] -> [ ] cancel", "levels": "p*o#"}, {"won", "unmarked"}),
    "the same, on a board that would win": (
        {"rules": "late [ Wall ] -> [ ] cancel", "levels": "p@#", "legend": "@ = Crate and Target"}, {"won"}),
    "nothing moves": ({"rules": "", "levels": "p#*o"}, {"won", "unmarked"}),
    "nothing wins": (
        {"rules": "[ > Player | Crate ] -> cancel\n[ Wall | Crate | Wall ] -> win", "levels": "p*o"}, {"won"}),
}  # fmt: skip


@pytest.mark.parametrize("name", MARKS)
def test_what_the_goal_mentions_is_declared(name: str) -> None:
    """Marks that no action changes are false for ever: they are no part of the goal."""
    made, absent = MARKS[name]
    level = level_of(script(**made))
    task = level.task()
    faults.check_domain(task.domain)
    faults.check_task(task.domain, task.problem)
    assert parse_task(*write(task)) == task
    named = {part.predicate for part in walk(task.problem.goal) if isinstance(part, Atom)}
    assert not named & absent
    assert {predicate.name for predicate in task.domain.predicates} >= named
    for planner in ("native:pdb", "native:lmcut", "reference", "rules:bfs"):
        assert solve(level, planner).status == "unsolvable"
    assert check(level).same


def test_check_refuses_a_task_with_an_undeclared_predicate() -> None:
    level = level_of(script(levels="p*.o"))
    task = level.task()
    goal = And((task.problem.goal, Not(Atom("unmarked"))))
    problem = Problem("p", task.domain.name, (), task.problem.objects, task.problem.init, goal=goal)
    wrong = Task(task.domain, problem.trusted(task.domain))
    with pytest.raises(ParseError, match="unknown predicate 'unmarked'"):
        check(level, task=wrong)
