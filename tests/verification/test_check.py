"""check(): faults planted into the Boxup domain are found, with shortest traces that replay, and explained."""

from random import Random

import pytest

from support.boxup_faults import FAULTS, LEVELS, plant
from support.command_line import run, run_json
from support.key_mutations import mutations
from support.registry import EVERY_KIND, WITH_MOVES
from support.switches import Forgets, Switch
from support.thorough import THOROUGH, some_of
from unpuzzle import replay, translators
from unpuzzle.base.errors import ParseError, UnpuzzleError
from unpuzzle.pddl.nodes import And, Atom, Not, Problem, Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.state_space.space import reachable_by_rules
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.verification.report import ATOMS, MERGED
from unpuzzle.verification.side_by_side import check


def pairs_of(puzzle, semantics, moves):
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
        *before, (position, state) = pairs_of(puzzle, semantics, difference.moves)
        assert not any(differ(earlier, semantics, earlier_state) for earlier, earlier_state in before)
        assert state is None or differ(position, semantics, state)
        assert f"{len(difference.moves)} move" in str(result) or "at the start" in str(result)
    assert found, "no level shows it"


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


# ---- check() sees where a `_key` takes two positions for one: on bundled puzzles, whatever their keys leave out


MOST_STATES, STATES = 5_000, 400
"""Levels of so many positions are walked through; by default smaller ones. Of the larger ones each mutation is tried
on one, the next mutation on the next."""


def levels(game, most):
    """Positions whose every move is soon seen, with all that can be reached from them."""
    starts = [game.parse(text, name) for name, text in game.levels.items()]
    for start in [*starts, *[game.sample(Random(seed)) for seed in range(6)]]:
        space = reachable_by_rules(start, max_states=most)
        if space.complete:
            yield start, space.positions


def apart(positions, mutation):
    """Whether two positions have different facts and equal mutated keys."""
    facts = {}
    return any(
        facts.setdefault(key, atoms) != atoms for key, atoms in ((mutation(key), atoms) for key, atoms in positions)
    )


def judged(monkeypatch, start, positions, mutation):
    """Whether the mutation makes positions equal that are not the same, after `check` was held to it."""
    different = apart(positions, mutation)
    with monkeypatch.context() as patch:
        right = type(start)._key
        patch.setattr(type(start), "_key", lambda position: mutation(right(position)))
        found = check(start, max_states=2 * MOST_STATES, walks=0)
    assert (found.difference is not None) == different
    if not different:
        assert found.exhaustive
        return False
    difference = found.difference
    assert (found.same, difference.kind) == (False, MERGED)
    one, other = (replay(start, moves) for moves in (difference.moves, difference.other_moves))
    assert one.legal
    assert other.legal
    assert mutation(one.position._key()) == mutation(other.position._key())
    assert one.position.atoms() != other.position.atoms()
    return True


@pytest.mark.parametrize("name", WITH_MOVES if THOROUGH else EVERY_KIND)
def test_keys_that_leave_something_out(name, monkeypatch, record_property):
    game = translators.find(name)
    told = []
    walked = list(levels(game, MOST_STATES if THOROUGH else STATES))
    large = [start for start, positions in walked if len(positions) > STATES]
    for start, positions in some_of(walked):
        with_facts = [(position._key(), position.atoms()) for position in positions]
        tried = some_of(list(mutations(start._key())), share=7)
        if start in large:
            tried = tried[large.index(start) :: len(large)]
        told += [judged(monkeypatch, start, with_facts, mutation) for _, mutation in tried]
    assert any(told)
    record_property("mutations", len(told))
    record_property("told", sum(told))


# ---- small ones


def test_a_position_that_forgets_is_no_proof():
    found = check(Forgets(1, 0))
    assert (found.same, found.exhaustive, found.difference.kind) == (False, False, MERGED)
    assert (found.difference.other_moves, found.difference.moves) == (("L",), ("L", "S"))
    assert str(found).startswith(
        "equal positions, different facts: after 1 move (L), and after 2 moves (L S)\n"
        "  rules: the two positions are equal: _key() leaves out the difference between them\n"
        "  PDDL:  two states: first nothing is true only there, then (on) is true only there\n"
    )
    assert found.difference.picture(Forgets(1, 0)) == (
        "the position there, by the rules, after L:\n0 0\n\nthe position there, by the rules, after LS:\n0 1"
    )
    right = check(Switch(1, 0))
    assert (right.same, right.exhaustive, right.states) == (True, True, 8)


def test_the_start_may_be_taken_for_another_position():
    found = check(Forgets(0, 0))
    assert (found.difference.other_moves, found.difference.moves) == ((), ("S",))
    assert str(found).startswith("equal positions, different facts: at the start, and after 1 move (S)")


class Equal(Switch):
    """All positions in a cell are equal, and all have the facts of the switch being off."""

    def _key(self):
        return self.cell

    def facts(self):
        return [("at", f"c{self.cell}")]


def test_what_the_key_and_the_facts_forget_is_seen_by_the_text():
    """The PDDL has no switch at all; in the last cell the rules see two positions, of which one is solved."""
    text = Equal.pddl[: Equal.pddl.index(":effect (and (when (on)")] + ":effect (and)))"
    task = Task(parse_domain(text), Equal(2, 0).task().problem)
    found = check(Equal(2, 0), task=task)
    assert found.difference is not None
    assert found.difference.moves == ("L", "L", "S", "R", "R", "R")
    again = check(Equal(2, 0), task=task, max_states=3, walks=100)
    assert again.difference is not None
    assert replay(Equal(2, 0), again.difference.moves).solved


def test_facts_of_an_equal_position_are_compared_however_late(monkeypatch):
    """By the rules the facts of a position that was met before become wrong after many others were right."""

    class Worn(Switch):
        made = 0

        def apply(self, move):
            position = super().apply(move)
            type(self).made += 1
            position.worn = type(self).made > 20
            return position

        def facts(self):
            return super().facts() + ([("on",)] if getattr(self, "worn", False) and not self.on else [])

    found = check(Worn(1, 0), walks=50, max_states=3)
    assert found.difference is not None
    assert found.difference.kind == ATOMS


def test_the_command_says_no_with_both_ways(tmp_path, capsys):
    file = tmp_path / "forgets.py"
    file.write_text(
        "from support.switches import Switch\n\nclass Mine(Switch):\n    name = 'mine'\n\n"
        "    def _key(self):\n        return self.cell\n"
    )
    code, answer = run_json(capsys, "check", str(file), "1")
    assert (code, answer["same"], answer["exhaustive"]) == (1, False, False)
    assert (answer["difference"]["other_moves"], answer["difference"]["moves"]) == (["L"], ["L", "S"])
    code, _, err = run(capsys, "solve", str(file), "1", "--planner", "rules:bfs")
    assert code == 2
    assert (
        "forgets.py:6: two equal positions have different facts: "
        "after 1 move (L) nothing is true only there; after 2 moves" in err
    )


def test_a_difference_of_another_kind_names_one_way(capsys):
    code, answer = run_json(capsys, "check", "pacman", "room")
    assert (code, answer["difference"]) == (0, None)
    assert check(Switch(1, 0), task=Switch(2, 0).task()).difference.other_moves is None
    with pytest.raises(UnpuzzleError):
        translators.find("forgets")
