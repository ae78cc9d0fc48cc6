"""check(): faults planted into the Boxup domain are found, with shortest traces that replay."""

from __future__ import annotations

import re
from random import Random

import pytest

from unpuzzle import translators
from unpuzzle.checking.report import Check, Difference
from unpuzzle.checking.side_by_side import check, task_of
from unpuzzle.errors import IllegalMove, ParseError
from unpuzzle.pddl.nodes import And, Atom, Not, Problem, Task
from unpuzzle.pddl.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles

DOMAIN = Boxup.domain().span.source.text

LEVELS = [
    Boxup.levels["1"],
    Boxup.levels["2"],
    "s!@ W!w .\n",
    "N!s! . e\n@    . .\n",
    "n! E! .\n@  .  W\n",
    "n @ W!s!\n",
    "s!@ w W!\n",
    "N!s!@ W .\n",
]


def sides(atom):
    """A regular expression for an atom in a precondition, whatever its side."""
    return re.escape(f"({atom} ") + r"\?(d|back|left|right)\) ?"


# What is done to the text of one action, or of all (None): pattern and replacement.
FAULTS = {
    # told of the lab report's own PDDL
    "a step from box to box is reversed": ("walk", [(r"\?to \?d\)", "?to ?back)"), (r"\?from \?back\)", "?from ?d)")]),
    "a large box is carried without its small one": ("carry-large", [(sides("no-small ?from"), "")]),
    "a small box is carried out of a shut large one": ("carry-small", [(sides("no-large ?from"), "")]),
    "entering looks at the small box only": ("walk", [(sides("no-large ?to"), "")]),
    "entering looks at the large box only": ("walk", [(sides("no-small ?to"), "")]),
    "leaving looks at the small box only": ("walk", [(sides("no-large ?from"), "")]),
    "leaving looks at the large box only": ("walk", [(sides("no-small ?from"), "")]),
    "a second small box enters a large one": ("pair-up", [(sides("no-small ?to"), "")]),
    "a second small box enters a cell": ("carry-small", [(sides("no-small ?to"), "")]),
    "a cell is empty when its small box left": (
        "carry-small",
        [(r"\(no-small \?from \?s\)", "(no-small ?from ?s) (no-large ?from ?d)")],
    ),
    "a superfluous parameter": ("walk", [(r":parameters \(", ":parameters (?x - cell ")]),
    "a superfluous parameter, last": ("walk", [(r"right - side\)", "right - side ?x - cell)")]),
    # others
    "a large box goes into an occupied cell": ("carry-large", [(sides("no-small ?to"), "")]),
    "a large box goes into another": ("carry-both", [(sides("no-large ?to"), "")]),
    "an empty large box is never carried": (
        "carry-large",
        [(r":precondition \(and", ":precondition (and (without ?from ?l)")],
    ),
    "the mover is in two places": ("walk", [(r"\(not \(at \?from\)\)", "")]),
    "the small box stays behind": ("carry-both", [(r"\(not \(small-at \?b \?from\)\)", "")]),
    "the cell left stays full": ("carry-small", [(r"\(no-small \?from \?s\)", "")]),
    "the cell entered stays empty": ("carry-large", [(r"\(not \(no-large \?to \?ls\)\)", "")]),
    "the pair is not noticed": ("pair-up", [(r"\(paired \?b\)\)\)", "))")]),
    "the pair is noticed too early": ("carry-small", [(r"\(not \(paired \?b\)\)", "(paired ?b)")]),
    "the pair is never parted": ("carry-small", [(r"\(not \(paired \?b\)\)", "")]),
    "the blue box is forgotten": ("carry-both", [(r"\(not \(without \?to \?l\)\)", "")]),
    "no effect tells of pairs": (None, [(r"\(not \(paired \?b\)\)", ""), (r"\(paired \?b\)\)\)", "))")]),
    "left is right for carrying": ("carry-small", [(r"\(shut \?b \?d\)", "(shut ?b ?back)")]),
    "boxes are pulled": ("carry-large", [(r"\(large-at \?l \?from\)", "(large-at ?l ?to)")]),
    "an action too many": (None, [(r"\(:action walk", "(:action wait :parameters () :effect (and))\n  (:action walk")]),
}


def plant(action, changes):
    """The domain with a fault."""
    parts = re.split(r"(?=\(:action )", DOMAIN)
    changed = []
    for part in parts:
        text = part
        if action is None or part.startswith(f"(:action {action}\n"):
            for pattern, replacement in changes:
                text = re.sub(pattern, replacement, text)
        changed.append(text)
    assert changed != parts, "the fault is not in the domain"
    return parse_domain("".join(changed))


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


# ---- what is said


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
    assert difference.rules.startswith("nothing is true by the rules and false in the PDDL after (walk r2c2 ")
    assert difference.pddl.startswith("true in the PDDL after (walk r2c2 ")
    assert difference.pddl.endswith(", false by the rules: (at r2c2)")


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
    from unpuzzle.pddl.reader import parse_problem

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


# ---- limits


def test_up_to_the_limit_and_beyond_it_random_walks():
    puzzle = SlidingTiles.parse(SlidingTiles.levels["8-hard"])
    result = check(puzzle, max_states=500, walks=10, steps=20)
    assert result.same
    assert not result.exhaustive
    assert result.walks == 10
    assert 500 < result.states <= 500 + 10 * 20
    assert "breadth first, then 10 random walks; there are more" in str(result)
    again = check(puzzle, max_states=500, walks=10, steps=20)
    assert (result.states, result.transitions) == (again.states, again.transitions)
    assert check(puzzle, max_states=500, walks=10, steps=20, seed=1).states != result.states
    none = check(puzzle, max_states=500, walks=0)
    assert (none.states, none.exhaustive) == (500, False)


def test_exactly_as_many_states_as_the_limit_is_exhaustive():
    puzzle = Boxup.parse(Boxup.levels["1"])
    assert check(puzzle, max_states=140).exhaustive
    assert not check(puzzle, max_states=139, walks=0).exhaustive
    assert check(puzzle, max_states=139, walks=0).states == 139


def test_a_random_walk_finds_what_lies_deep():
    """The fault shows where Pacman turns back in the last cell of a long corridor."""
    puzzle = Pacman.parse("P" + " " * 40 + ".\n")
    text = write(puzzle.task().domain).replace("(not (food ?to))", "(food ?from)")
    result = check(puzzle, task=Task(parse_domain(text), puzzle.task().problem), max_states=20, walks=100, steps=50)
    assert not result.same
    task = puzzle.task()
    init = tuple(atom for atom in task.problem.init if atom != Atom("adjacent", ("r1c42", "r1c41")))
    one_way = Task(
        task.domain, Problem(task.problem.name, "pacman", (), task.problem.objects, init, (), task.problem.goal)
    )
    result = check(puzzle, task=one_way, max_states=30, walks=100, steps=200)
    assert result.walks > 0
    assert result.difference.moves == ("E",) * 41
    assert result.difference.pddl == "W is impossible: no applicable action stands for it"
    position = puzzle
    for move in result.difference.moves:
        position = position.apply(move)
    assert "W" in position.moves()


def test_progress_is_told():
    told = []
    check(SlidingTiles.parse(SlidingTiles.levels["8-hard"]), max_states=1000, walks=0, progress=told.append)
    assert told == [256, 512, 768]


def test_a_limit_of_nothing_is_refused():
    with pytest.raises(ValueError, match="max_states must be at least 1, not 0"):
        check(Boxup.parse(Boxup.levels["1"]), max_states=0)


def test_results_are_readable():
    assert (
        str(Check(1, 0, exhaustive=True))
        == "rules and PDDL are the same game: 1 state and 0 transitions compared, all that can be reached"
    )
    assert "Difference(('U',), 'a', 'b')" in repr(
        Check(5, 7, exhaustive=False, difference=Difference(("U",), "a", "b"))
    )
    assert str(Difference(("U", "L"), "a", "b")) == "rules and PDDL differ after 2 moves (U L)\n  rules: a\n  PDDL:  b"


# ---- files of the user's


def test_a_domain_file_with_the_puzzles_own_problem(tmp_path):
    path = tmp_path / "mine.pddl"
    path.write_text(DOMAIN.replace("(not (at ?from))", "", 1))
    puzzle = Boxup.parse(Boxup.levels["1"])
    assert not check(puzzle, task=task_of(puzzle, str(path))).same
    path.write_text(DOMAIN)
    assert check(puzzle, task=task_of(puzzle, str(path))).same


def test_a_domain_file_with_a_problem_file(tmp_path):
    (tmp_path / "d.pddl").write_text(DOMAIN)
    puzzle, other = (Boxup.parse(Boxup.levels[name]) for name in "12")
    for position, same in ((puzzle, True), (other, False)):
        (tmp_path / "p.pddl").write_text(write(position.task().problem))
        assert check(puzzle, task=task_of(puzzle, str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"))).same is same


def test_a_domain_that_does_not_fit_is_a_sentence(tmp_path):
    puzzle = Boxup.parse(Boxup.levels["1"])
    with pytest.raises(ParseError, match="problem of boxup for"):
        task_of(puzzle, SlidingTiles.domain().span.file)
    with pytest.raises(OSError, match="nowhere"):
        task_of(puzzle, str(tmp_path / "nowhere.pddl"))


def test_other_names_are_a_difference_not_a_crash(tmp_path):
    text = DOMAIN.replace("carry-large", "haul").replace("walk", "stroll")
    (tmp_path / "d.pddl").write_text(text)
    puzzle = Boxup.parse(Boxup.levels["1"])
    difference = check(puzzle, task=task_of(puzzle, str(tmp_path / "d.pddl"))).difference
    assert difference.rules == "the legal moves are U, D, R"
    assert "(stroll r2c2 " in difference.pddl
    assert "is not a move of this puzzle: the actions are walk, " in difference.pddl
    maze = Pacman.parse("P.")
    (tmp_path / "d.pddl").write_text(write(maze.task().domain).replace("(at ", "(is-at "))
    (tmp_path / "p.pddl").write_text(write(maze.task().problem).replace("(at ", "(is-at "))
    difference = check(maze, task=task_of(maze, str(tmp_path / "d.pddl"), str(tmp_path / "p.pddl"))).difference
    assert difference.moves == ()
    assert "(at r1c1)" in difference.rules
    assert "(is-at r1c1)" in difference.pddl


@pytest.mark.parametrize("name", translators.names())
def test_a_puzzle_against_another_ones_task(name):
    position = translators.find(name).sample(Random(3))
    for other in translators.names():
        if other != name:
            assert not check(position, task=translators.find(other).sample(Random(4)).task()).same


def test_a_rule_that_answers_differently_each_time_is_no_crash():
    class Odd(Pacman):
        __slots__ = ()

        def moves(self):
            return (*super().moves(), "X")

        def apply(self, move):
            if move == "X":
                raise IllegalMove("X: never", move=move)
            return super().apply(move)

    difference = check(Odd.parse("P.")).difference
    assert difference.rules == "X is legal"
