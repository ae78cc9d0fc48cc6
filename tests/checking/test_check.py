"""check(): faults planted into the Boxup domain are found, with shortest traces that replay, and explained."""

from __future__ import annotations

import re

import pytest

from support.boxup_faults import DOMAIN, FAULTS, LEVELS, plant
from unpuzzle.checking.side_by_side import check
from unpuzzle.errors import ParseError
from unpuzzle.pddl.nodes import And, Atom, Not, Problem, Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles


def replay(puzzle, semantics, moves):
    """Plays moves on the rules and in PDDL, as far as one action stands for each; yields the pairs."""
    state = semantics.initial
    yield puzzle, state
    for move in moves:
        actions = [action for action in semantics.applicable(state) if decoded(puzzle, action) == move]
        puzzle = puzzle.apply(move)
        state = semantics.apply(state, actions[0]) if len(actions) == 1 else None
        yield puzzle, state


def decoded(puzzle, action):
    try:
        return puzzle.decode(action)
    except ParseError as error:
        return str(error)


def differ(puzzle, semantics, state):
    """Whether a position and a PDDL state differ in themselves or in what can be done there."""
    own = Semantics(puzzle.task())
    changing = own.fluent_predicates | semantics.fluent_predicates
    if {atom for atom in state if atom.predicate in changing} != puzzle.atoms():
        return True
    moves = {decoded(puzzle, action) for action in semantics.applicable(state)}
    return moves != set(puzzle.moves()) or semantics.solved(state) != puzzle.solved()


def shortest(puzzle, semantics):
    """The length of a shortest sequence of moves to a difference, found by trying all, without check()."""
    layer, seen, length = [(puzzle, semantics.initial)], {puzzle}, 0
    while layer:
        if any(differ(position, semantics, state) for position, state in layer):
            return length
        following = []
        for position, state in layer:
            for action in semantics.applicable(state):
                pair = position.apply(position.decode(action)), semantics.apply(state, action)
                if pair[0] not in seen or differ(pair[0], semantics, pair[1]):
                    seen.add(pair[0])
                    following.append(pair)
        layer, length = following, length + 1
    return None


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_found_and_the_trace_replays(name):
    domain, found = plant(*FAULTS[name]), 0
    for text in LEVELS:
        puzzle = Boxup.parse(text)
        task = Task(domain, puzzle.task().problem)
        result = check(puzzle, task=task)
        semantics = Semantics(task)
        assert (None if result.same else len(result.difference.moves)) == shortest(puzzle, semantics)
        assert result.exhaustive == result.same
        if result.same:
            continue
        found += 1
        difference = result.difference
        assert difference.rules
        assert difference.pddl
        assert difference.rules != difference.pddl
        *before, (position, state) = replay(puzzle, semantics, difference.moves)
        assert not any(differ(earlier, semantics, earlier_state) for earlier, earlier_state in before)
        assert state is None or differ(position, semantics, state)
        assert f"{len(difference.moves)} move" in str(result) or "at the start" in str(result)
    assert found, "no level shows it"


def test_the_unspoilt_domain_has_no_fault():
    for text in LEVELS:
        puzzle = Boxup.parse(text)
        result = check(puzzle, task=Task(parse_domain(DOMAIN), puzzle.task().problem))
        assert result.same
        assert result.exhaustive


def spoilt(name, level):
    puzzle = Boxup.parse(Boxup.levels[level])
    return check(puzzle, task=Task(plant(*FAULTS[name]), puzzle.task().problem))


def test_an_illegal_move_is_explained_by_the_rules():
    puzzle = Boxup.parse("n! @ E!\n.  . .")
    result = check(puzzle, task=Task(plant(*FAULTS["entering looks at the small box only"]), puzzle.task().problem))
    assert result.difference.moves == ()
    assert result.difference.rules == "R is illegal: the large box at row 1, column 3 is not open towards the mover"
    action = "(walk r1c2 east r1c3 west north south)"
    assert result.difference.pddl == f"R is possible: {action} is applicable"
    assert str(result).startswith("rules and PDDL differ at the start\n  rules: R is illegal")


def test_a_missing_move_is_named():
    difference = spoilt("a step from box to box is reversed", "3").difference
    assert re.fullmatch("[UDLR] is legal", difference.rules) or difference.rules.startswith("R is illegal")


def test_a_wrong_successor_is_told_by_its_atoms():
    difference = spoilt("the mover is in two places", "1").difference
    assert len(difference.moves) == 1
    assert difference.rules == "(at r2c2) is false"
    assert difference.pddl.startswith("after (walk r2c2 ")
    assert difference.pddl.endswith(", (at r2c2) is true")


def test_a_goal_that_is_missed_or_too_easy():
    puzzle = Boxup.parse(Boxup.levels["1"])
    task = puzzle.task()

    def with_goal(goal):
        p = task.problem
        return Task(task.domain, Problem(p.name, p.domain_name, (), p.objects, p.init, (), goal))

    hard = check(puzzle, task=with_goal(And((Atom("paired", ("red",)), Atom("at", ("r1c1",))))))
    assert hard.difference.moves == tuple("ULDRR")
    assert hard.difference.rules == "the puzzle is solved"
    assert "(at r1c1)" in hard.difference.pddl
    easy = check(puzzle, task=with_goal(Not(Atom("at", ("r2c2",)))))
    assert len(easy.difference.moves) == 1
    assert (easy.difference.rules, easy.difference.pddl) == ("the puzzle is not solved", "the goal holds")


def test_a_wrong_start_is_a_difference_without_moves():
    puzzle, other = (Boxup.parse(text) for text in ("n! @ W!", "n! W! @"))
    result = check(puzzle, task=other.task())
    assert result.difference.moves == ()
    assert "(at r1c2)" in result.difference.rules
    assert "(at r1c3)" in result.difference.pddl
    assert (result.states, result.transitions) == (0, 0)


def test_costs_are_compared():
    puzzle = Pacman.parse("P .\n")
    text = write(puzzle.task().domain).replace("(:predicates", "(:functions (total-cost))\n(:predicates", 1)
    dear = parse_domain(text.replace(":effect (and", ":effect (and (increase (total-cost) 2)"))
    p = puzzle.task().problem
    from unpuzzle.pddl.reading.reader import parse_problem

    problem = parse_problem(write(p).rstrip()[:-1] + "(:metric minimize (total-cost)))", dear)
    difference = check(puzzle, task=Task(dear, problem)).difference
    assert difference.moves == ("E",)
    assert (difference.rules, difference.pddl) == ("E costs 1", "(move r1c1 r1c2) costs 2")


def test_two_actions_for_one_move_may_only_do_the_same():
    puzzle = SlidingTiles.parse("1 0\n2 3")
    text = write(puzzle.task().domain)
    twice = text.rstrip()[:-1] + text[text.index("(:action") :]
    with pytest.raises(ParseError):
        parse_domain(twice)
    puzzle = Pacman.parse("P. \n")
    extra = write(puzzle.task().domain).replace("(and (adjacent ?from ?to) (at ?from))", "(at ?from)")
    difference = check(puzzle, task=Task(parse_domain(extra), puzzle.task().problem)).difference
    assert "is not a move of this puzzle: its cells are not neighbours" in difference.pddl
    assert difference.rules == "the legal moves are E"
