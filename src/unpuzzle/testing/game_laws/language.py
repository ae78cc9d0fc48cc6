"""Laws about the PDDL of a game: it describes the same game as the rules. They skip games without PDDL."""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import words_of
from unpuzzle.model.position import Position
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.testing.game_laws.subject import LawSubject, require, skip
from unpuzzle.verification.side_by_side import check

STATES = 1_000
"""The positions of each sample that are compared with their PDDL, breadth first, before random walks."""
MANY_MOVES = 50
"""The number of moves in a position beyond which a few states have thousands of successors to compare."""
STATES_OF_LEVELS = 300


def a_task_is_written_and_read_again(subject: LawSubject) -> None:
    """Require that a task stays the same when written as PDDL and read again."""
    for start in subject.starts:
        task = start.task()
        domain = parse_domain(write(task.domain))
        require(domain == task.domain, f"the domain changes when it is written and read again, for\n{start}")
        again = parse_problem(write(task.problem), domain)
        require(again == task.problem, f"the problem changes when it is written and read again, for\n{start}")
        same = task.problem.domain_name == task.domain.name
        require(same, f"the problem is of domain {task.problem.domain_name}, but its domain is {task.domain.name}")


def the_domain_is_that_of_the_tasks(subject: LawSubject) -> None:
    """Require that `game.domain()` equals the domain of each level's task; skipped if it raises ParseError."""
    for start in subject.starts:
        start.task()
    try:
        subject.game.domain()
    except ParseError as error:
        skip(f"{subject.game.name} has tasks with their own domain: {error}")
    for start in subject.starts:
        same = start.task().domain == subject.game.domain()
        require(same, f"game.domain() is not the domain of the task of\n{start}")


def atoms_are_the_fluents_of_the_task(subject: LawSubject) -> None:
    """Require that `atoms()` gives the initial state's fluent atoms, each once, and no static or derived atoms."""

    def holds(position: Position) -> None:
        task = position.task()
        semantics = Semantics(task)
        expected, atoms = semantics.fluents(semantics.initial), position.atoms()
        surplus, missing = (", ".join(sorted(map(str, some))) for some in (atoms - expected, expected - atoms))
        require(not surplus, f"atoms() has {surplus}, which task() does not have, or which no action changes")
        require(not missing, f"atoms() misses {missing}, which actions change and task() has")
        init = task.problem.init
        require(len(init) == len(set(init)), "the initial state of task() has an atom twice")

    subject.everywhere(holds, examples=40, steps=6)


def the_pddl_of_samples_is_the_game(subject: LawSubject) -> None:
    """Require that the PDDL and the rules of samples agree on moves, costs, successors and goals."""
    for sample in subject.samples:
        _same(sample, STATES)


def the_pddl_of_bundled_levels_is_the_game(subject: LawSubject) -> None:
    """Require that the PDDL and the rules of bundled levels agree, up to a limit of states."""
    for level in subject.levels.values():
        _same(level, STATES_OF_LEVELS)


def _same(level: Position, most: int) -> None:
    many = len(level.moves()) >= MANY_MOVES
    report = check(level, max_states=most // 5 if many else most, walks=1 if many else 5)
    require(report.same is not False, f"{report}\nin the level\n{level}")


def a_foreign_action_is_refused(subject: LawSubject) -> None:
    """Require that `decode` raises ParseError for an unknown action name or a wrong number of arguments."""
    for start in subject.starts[:5]:
        for action in _foreign(start):
            try:
                move = start.decode(action)
            except ParseError as error:
                require(str(error).strip(), f"the error for {action} has an empty message")
                continue
            except Exception as error:
                said = words_of(error)
                raise AssertionError(f"decode({action}) should raise ParseError, but it raised {said}") from error
            raise AssertionError(f"decode({action}) gave the move {move!r}, although the PDDL has no such action")


def _foreign(position: Position) -> Iterator[GroundAction]:
    """Yield actions that the domain does not have."""
    task = position.task()
    objects = [thing.name for thing in (*task.domain.constants, *task.problem.objects)] or ["a"]
    forms = {(action.name, len(action.parameters)) for action in task.domain.actions}
    names = {name for name, _ in forms}
    for action in task.domain.actions:
        length = len(action.parameters)
        arguments = tuple(objects[i % len(objects)] for i in range(length + 2))
        for number in {0, max(length - 1, 0), length + 1, length + 2}:
            if (action.name, number) not in forms:
                yield GroundAction(action.name, arguments[:number])
        for name in (action.name + "-", "no-" + action.name, ""):
            if name not in names:
                yield GroundAction(name, arguments[:length])
