"""Optimal lines and difficulty: equal to what listing every optimal solution says, on random small levels."""

from itertools import accumulate, combinations, product
from random import Random

import networkx as nx
import pytest
from planning.test_shadows import stones

from support.enumeration import Enumeration, TooManyError
from support.pushing_roads import pushing_task
from support.script_texts import PUSH, script
from support.thorough import THOROUGH
from unpuzzle import explore, find, survey
from unpuzzle.base.run import Limits
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Atom, Not, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planning.walking import walker_of
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.state_space import difficulty as figures_of
from unpuzzle.state_space import lines as counting
from unpuzzle.state_space.difficulty import ChangeCounter, OptimalPaths, requirement
from unpuzzle.state_space.lines import LineCount, count_lines, fold
from unpuzzle.state_space.space import reachable

LEVELS = 125 if THOROUGH else 8
"""Of each of the nine puzzles; with all of them, more than 1,000."""


def without(symbols):
    """Return the function that gives a grid's cells without the walker, by number."""
    drop = str.maketrans(symbols)
    return lambda position: frozenset(enumerate(str(position).translate(drop)))


def boxup_rest(position):
    rows = [row.split() for row in str(position).splitlines()]
    return frozenset((r, c, cell.replace("@", "") or ".") for r, row in enumerate(rows) for c, cell in enumerate(row))


def script_rest(position):
    board, *others = str(position).splitlines()
    rows = [row.split(",") for row in board.split("/")]
    cells = [(r, c, name) for r, row in enumerate(rows) for c, cell in enumerate(row) for name in cell.split()]
    return frozenset([cell for cell in cells if cell[2] != "player"] + others)


BOARD = "####\n#p*#\n#.o#\n####"
CRATES = {
    "crates": game_of(script(levels=BOARD), "crates"),
    "pits": game_of(script(f"{PUSH}\nlate [ Player Target ] -> [ Target ]", levels=BOARD), "pits"),
}
"""In one game a target is a pit for the player, who then is nowhere."""


def crates(name, rng):
    """Return a random board of a crate game, with one or two crates."""
    number, size = rng.randint(1, 2), rng.choice([(3, 3), (3, 4), (4, 3)])
    cells = ["."] * (size[0] * size[1])
    places = rng.sample(range(len(cells)), 1 + 2 * number + rng.randint(0, 2))
    for place, glyph in zip(places, "p" + "*o" * number + "##", strict=False):
        cells[place] = glyph
    return CRATES[name].parse("\n".join("".join(cells[r * size[1] : (r + 1) * size[1]]) for r in range(size[0])))


RESTS = {
    "sokoban": without({"@": " ", "+": "."}),
    "pacman": without({"P": " "}),
    "boxup": boxup_rest,
    "crates": script_rest,
    "pits": script_rest,
    "hanoi": None,
    "lights-out": None,
    "sliding-tiles": None,
    "blocksworld": None,
}


def rest_of(name, level):
    """Return what there is besides the walker: a single disc of Hanoi walks from peg to peg, and is all there is."""
    discs = [word for word in str(level).partition("goal")[0].split() if word.isdigit()]
    return (lambda position: frozenset()) if name == "hanoi" and len(discs) == 1 else RESTS[name]


def levels(name):
    """Yield random levels of a puzzle that are small enough to list their solutions."""
    rng, number = Random(f"lines {name}"), 0
    while number < LEVELS:
        level = crates(name, rng) if name in CRATES else find(name).sample(rng)
        try:
            twin = Enumeration(level, rest_of(name, level))
        except TooManyError:
            continue
        number += 1
        yield level, twin


def unmet_goals(level):
    """Return the function that counts the facts of the goal that a position lacks."""
    goal = level.task().problem.goal
    parts = getattr(goal, "operands", [goal])

    def unmet(position):
        atoms = position.atoms()
        return sum((part.operand in atoms) if isinstance(part, Not) else part not in atoms for part in parts)

    assert all(isinstance(part, Atom | Not) for part in parts)
    return unmet


def close(value, exact):
    return value == pytest.approx(float(exact), abs=1e-6)


@pytest.mark.parametrize("name", RESTS)
def test_lines_and_difficulty_are_what_listing_all_solutions_says(name):
    for level, twin in levels(name):
        found = explore(level)
        difficulty, solved = found.difficulty, level in twin.left
        assert (found.measures.lines.least, found.optimal_lines) == (twin.lines(),) * 2, level
        assert close(difficulty.lost, twin.lost())
        if not solved:
            assert (found.optimal_lines, difficulty) == (0, difficulty.__class__(difficulty.lost))
            continue
        walks = any(twin.is_walk(before, after) for before, steps in twin.steps.items() for *_, after in steps)
        if walks:
            assert difficulty.pushes == twin.pushes(), level
        assert (difficulty.traps, difficulty.shortest_trap) == (twin.traps(), twin.shortest_trap()), level
        assert difficulty.trap_lasts == twin.lasts(), level
        for kind in ("optimal", "longer", "fatal"):
            assert close(getattr(difficulty, f"{kind}_choices"), twin.mean(kind)), (kind, level)
        if name not in CRATES:
            assert difficulty.detours == twin.detours(unmet_goals(level)), level


@pytest.mark.parametrize("limit", ["MOST_NODES", "MOST_CLASSES", "MOST_WORK"])
def test_beyond_a_limit_there_is_a_lower_bound(limit, monkeypatch):
    level = find("lights-out").parse(find("lights-out").levels["torus"])
    assert explore(level).measures.lines == LineCount(6, 6)
    monkeypatch.setattr(counting, limit, 3)
    lines = explore(level).measures.lines
    assert lines.number is None
    assert lines.least == (1 if limit == "MOST_NODES" else 6)
    assert lines.unique is (None if limit == "MOST_NODES" else False)
    monkeypatch.setattr(counting, "MOST_SUMS", 4)
    assert explore(level).measures.lines.least <= 4


def test_orders_are_not_listed():
    """Nine presses in any order are 362,880 plans; a sudoku's cells may be filled in any order, too."""
    found = explore(find("lights-out").parse(find("lights-out").levels["3x3"]))
    assert (found.optimal_plans, found.optimal_lines) == (362_880, 1)
    sudoku = explore(find("sudoku").parse(find("sudoku").levels["4x4"]))
    assert (sudoku.optimal_plans, sudoku.optimal_lines) == (362_880, 1)
    (row,) = survey(find("sudoku"), ["4x4"])
    assert (row.optimal_plans, row.optimal_lines, row.unique) == (None, None, True)


def test_changes_that_cost_nothing_may_go_round_without_end():
    text = """
        (define (domain round) (:predicates (on ?x) (off ?x) (end)) (:functions (total-cost))
          (:action up :parameters (?x) :precondition (off ?x)
            :effect (and (on ?x) (not (off ?x)) (increase (total-cost) 0)))
          (:action down :parameters (?x) :precondition (on ?x)
            :effect (and (off ?x) (not (on ?x)) (increase (total-cost) 0)))
          (:action stop :parameters () :precondition () :effect (and (end) (increase (total-cost) 1))))"""
    problem = """(define (problem p) (:domain round) (:objects a) (:init (off a) (= (total-cost) 0)) (:goal (end))
          (:metric minimize (total-cost)))"""
    domain = parse_domain(text)
    found = explore(Task(domain, parse_problem(problem, domain)))
    assert (found.optimal_plans, found.optimal_lines, found.measures.lines.unique) == (None, None, False)


def test_limits_leave_figures_unknown():
    found = explore(find("sokoban").parse(find("sokoban").levels["3"]))
    measures = found.measure(Limits(time=1e-9))
    assert (measures.lines, found.optimal_lines, found.difficulty) == (None, None, None)
    assert "time limit" in measures.message
    assert requirement("lines=1").met_by({"solvable": True, **found.to_dict()}) is None


def test_fatal_choices_lead_from_the_ways_into_dead_ends(monkeypatch):
    level = find("sokoban").parse(find("sokoban").levels["2"])
    found = explore(level)
    space, ways = found.space, OptimalPaths(fold(level, found.space))
    choices = [choice for place in ways.positions for choice in ways.choices(place) if choice.kind == "fatal"]
    going_on = ChangeCounter(ways.folding)
    assert max(going_on.changes(choice.position) for choice in choices) == found.difficulty.trap_lasts == 4
    for choice in choices:
        target, action = space.targets[choice.edge], space.actions[space.operators[choice.edge]]
        assert space.goal_distance[choice.state] >= 0 > space.goal_distance[target]
        assert found.position(choice.state).apply(level.decode(action)) == found.position(target)
    monkeypatch.setattr(figures_of, "MOST_VISITS", 2)
    going_on = ChangeCounter(fold(level, space))
    assert None in [going_on.changes(choice.position) for choice in choices]


def test_bounds_and_what_is_not_known():
    figures = {"solvable": True, "optimal_lines": None, "least_lines": 3, "traps": 1, "lost": 0.5, "pushes": None}
    figures |= {"trap_lasts": None, "fatal_choices": 1.0, "shortest_trap": 2, "detours": None}
    answers = {
        **{"lines>=3": True, "lines>=4": None, "lines=1": False, "lines=3": None, "lines=1..2": False},
        **{"traps=1": True, "traps=2..": False, "lost<=0.5": True, "pushes>=0": False, "trap-lasts=1..": None},
        **{"detours=0": None, "shortest-trap=..2": True},
    }
    assert {text: requirement(text).met_by(figures) for text in answers} == answers
    assert requirement("traps=0..").met_by({"solvable": False}) is False


def test_lines_without_end_or_too_many_are_not_one():
    assert [LineCount(0, 0).unique, LineCount(1, 1).unique, LineCount(2, 2).unique] == [False, True, False]
    assert [LineCount(None, 1).unique, LineCount(None, 2).unique] == [None, False]
    level = find("sokoban").parse(find("sokoban").levels["3"])
    assert count_lines(fold(level, explore(level).space)) == LineCount(2, 2)


# ---- classes of lines: each exchange of two neighbours by itself


def automaton(rng):
    """Return random nodes, each after its successors."""
    nodes = [(True, {}, {})]
    for _ in range(rng.randint(3, 7)):
        letters = rng.sample([*product(range(3), range(2))], rng.randint(1, 4))
        following = {letter: rng.randrange(len(nodes)) for letter in letters}
        names = {letter: frozenset({letter[0], rng.randrange(3)}) for letter in letters}
        nodes.append((rng.random() < 0.2, following, names))
    return nodes


def words_from(nodes, node):
    longer = [(letter, *word) for letter, target in nodes[node][1].items() for word in words_from(nodes, target)]
    return [()] * nodes[node][0] + longer


def exchanged(nodes, one, other):
    """Whether two words differ in two neighbours only, of which each has a name of the other in the other word."""
    at = next(at for at, (letter, another) in enumerate(zip(one, other, strict=False)) if letter != another)
    if len(one) < at + 2 or one[at + 2 :] != other[at + 2 :] or one[at + 1][1] != other[at + 1][1]:
        return False
    (first, then_second), (second, then_first) = (names_along(nodes, word)[at : at + 2] for word in (one, other))
    return bool(first & then_first and second & then_second)


def names_along(nodes, word):
    way = accumulate(word, lambda node, letter: nodes[node][1][letter], initial=len(nodes) - 1)
    return [nodes[node][2][letter] for node, letter in zip(way, word, strict=False)]


def test_classes_of_lines_are_what_exchanging_neighbours_leaves_apart():
    for seed in range(100):
        nodes = automaton(Random(seed))
        words = words_from(nodes, len(nodes) - 1)
        apart = nx.Graph()
        apart.add_nodes_from(words)
        pairs = ((one, other) for one, other in combinations(words, 2) if len(one) == len(other))
        apart.add_edges_from(pair for pair in pairs if exchanged(nodes, *pair))
        assert counting._Classes(nodes).count() == nx.number_connected_components(apart), seed


def test_walks_are_folded_away_as_the_judge_counts_them() -> None:
    """Also where the walker casts a shadow: a fact that says only where it is not changes with each of its steps."""
    shadowed = 0
    for task in [stones(), *[pushing_task(seed) for seed in range(90)]]:
        walker, space = walker_of(task), reachable(task, max_states=300)
        if walker is None or not space.complete:
            continue
        shadowed += walker.shadow is not None
        folding, semantics = fold(task, space), Semantics(task)
        static = semantics.initial - semantics.fluents(semantics.initial)
        for state in range(space.states):
            for edge in space.edges(state):
                action = space.actions[space.operators[edge]]
                walk = walker.is_walk(static | space.atoms(state), action)
                assert (folding.change(state, edge) is None) == walk, (task, state, action)
    assert shadowed > 5
    assert explore(stones()).difficulty.pushes == 2
