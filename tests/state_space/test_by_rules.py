"""State spaces by the rules alone are those of the native core, also where moves cost nothing, much, or go round."""

from random import Random

import pytest

from support.limited import within
from support.registry import WITH_PDDL
from unpuzzle import Limits, explore, translators
from unpuzzle.base.errors import IllegalMove
from unpuzzle.model import Puzzle
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.planning import registry
from unpuzzle.state_space.space import ENDLESS, MANY, RulesSpace, reachable, reachable_by_rules

needs_core = pytest.mark.skipif(registry.missing("native") is not None, reason=str(registry.missing("native")))


class Walk(Puzzle):
    """A puzzle for tests: edges (from, name, to, cost) to walk along from node 0. Its PDDL has an action an edge.

    Moves of one name may stand in the PDDL as several actions: `doubled` says which, and they count once.
    """

    name = "walk"
    one_letter_moves = False

    def __init__(self, edges, goals, node=0, doubled=()):
        self.edges, self.goals, self.node, self.doubled = tuple(edges), frozenset(goals), node, tuple(doubled)

    def _key(self):
        return self.node

    @classmethod
    def parse(cls, text, source=None):
        raise NotImplementedError

    @classmethod
    def sample(cls, rng):
        nodes, costs = rng.randint(1, 9), rng.choice(((1,), (0, 1, 1, 2, 5)))
        edges = [
            (rng.randrange(nodes), f"m{number}", rng.randrange(nodes), rng.choice(costs))
            for number in range(rng.randint(1, 3 * nodes))
        ]
        return cls(edges, rng.sample(range(nodes), rng.choice((0, 1, 1, min(2, nodes)))))

    def __str__(self):
        return f"{self.node}\n"

    def draw(self):
        return f"({self.node})"

    def _found(self):
        return {name: (to, cost) for start, name, to, cost in self.edges if start == self.node}

    def moves(self):
        return tuple(self._found())

    def apply(self, move):
        if move not in self._found():
            raise IllegalMove(f"{move} is not a move", move=move)
        return Walk(self.edges, self.goals, self._found()[move][0], self.doubled)

    def cost(self, move):
        return self._found()[move][1]

    def solved(self):
        return self.node in self.goals

    def atoms(self):
        return frozenset([Atom("at", (f"n{self.node}",))])

    def decode(self, action):
        return action.name.removeprefix("again-")

    def task(self):
        nodes = {0, *self.goals, *(n for start, _, to, _ in self.edges for n in (start, to))}
        names = " ".join(f"n{node}" for node in sorted(nodes))
        actions = "".join(
            f"(:action {again}{name} :parameters () :precondition (at n{start}) "
            f":effect (and (not (at n{start})) (at n{to}) (increase (total-cost) {cost})))"
            if start != to
            else f"(:action {again}{name} :parameters () :precondition (at n{start}) "
            f":effect (and (at n{to}) (increase (total-cost) {cost})))"
            for start, name, to, cost in self.edges
            for again in (("", "again-") if name in self.doubled else ("",))
        )
        domain = parse_domain(
            "(define (domain walk) (:requirements :adl :action-costs) (:types node) "
            f"(:constants {names} - node) (:predicates (at ?n - node)) (:functions (total-cost)) {actions})"
        )
        goal = " ".join(f"(at n{node})" for node in sorted(self.goals))
        problem = parse_problem(
            f"(define (problem p) (:domain walk) (:init (at n{self.node}) (= (total-cost) 0)) "
            f"(:goal (or {goal})) (:metric minimize (total-cost)))",
            domain,
        )
        return Task(domain, problem)


def assert_same_space(level: Puzzle) -> None:
    """States are matched by their atoms; everything must be equal, state by state."""
    ours, core = reachable_by_rules(level), reachable(level)
    number = {position.atoms(): state for state, position in enumerate(ours.positions)}
    place = [number[core.atoms(state)] for state in range(core.states)]
    assert sorted(place) == list(range(ours.states))
    assert (ours.transitions, ours.depths()) == (core.transitions, core.depths())
    for state, other in enumerate(place):
        successors = {level.decode(action): place[target] for action, target in core.successors(state)}
        assert dict(ours.successors(other)) == successors
        for array in ("depth", "goals", "distance", "goal_distance", "plans"):
            assert getattr(core, array)[state] == getattr(ours, array)[other], array
        assert core.optimal_plans(state) == ours.optimal_plans(other)
    assert sorted(place[state] for state in core.dead_ends) == ours.dead_ends
    assert (core.hardest is None) == (ours.hardest is None)


@needs_core
@pytest.mark.parametrize("name", WITH_PDDL)
def test_rules_and_core_have_the_same_space(name):
    puzzle = translators.find(name)
    only_by_rules = name in ("hanoi", "sudoku")  # what an action means there depends on the position
    assert isinstance(explore(puzzle.sample(Random(0))).space, RulesSpace) == only_by_rules
    for seed in range(0 if only_by_rules else 25):
        assert_same_space(puzzle.sample(Random(seed)))


@needs_core
def test_whatever_moves_cost():
    sizes = []
    for seed in range(150):
        level = Walk.sample(Random(seed))
        assert_same_space(level)
        space = reachable_by_rules(level)
        sizes.append((space.states, space.optimal_plans(), len(space.dead_ends)))
    assert sum(states > 4 for states, _, _ in sizes) > 30
    assert any(plans is None for _, plans, _ in sizes)
    assert any(plans is not None and plans > 2 for _, plans, _ in sizes)
    assert any(0 < dead_ends < states for states, _, dead_ends in sizes)


@needs_core
def test_actions_that_stand_for_one_move_count_once():
    edges = [(0, "a", 1, 2), (1, "b", 2, 1), (0, "c", 2, 4), (2, "d", 0, 1)]
    level = Walk(edges, [2], doubled=["a", "d"])
    assert sum(action.name.startswith("again-") for action in level.task().domain.actions) == 2
    assert_same_space(level)
    assert [reachable(level).transitions, reachable(level.task()).transitions] == [4, 6]
    assert [reachable(level).optimal_plans(), reachable(level.task()).optimal_plans()] == [1, 2]


def test_paths_are_shortest_and_plans_are_cheapest():
    for seed in range(60):
        space = reachable_by_rules(Walk.sample(Random(seed)))
        for state, position in enumerate(space.positions):
            way = space.path(state)
            reached = space.positions[0]
            for move in way:
                reached = reached.apply(move)
            assert (reached, len(way)) == (position, space.depth[state])
            plan, cost = space.plan(state), 0
            assert (plan is None) == (space.goal_distance[state] < 0)
            for move in plan or ():
                cost += position.cost(move)
                position = position.apply(move)
            assert plan is None or (position.solved() and cost == space.goal_distance[state])


def test_numbers_of_plans_beyond_64_bits_and_without_end():
    ladder = [(node, f"{side}{node}", node + 1, 1) for node in range(70) for side in "lr"]
    space = reachable_by_rules(Walk(ladder, [70]))
    assert space.plans[0] == MANY
    assert space.optimal_plans() == 2**70
    space = reachable_by_rules(Walk([(0, "a", 1, 0), (1, "b", 0, 0), (1, "c", 2, 3)], [2]))
    assert space.plans[0] == ENDLESS
    assert space.optimal_plans() is None
    assert space.plan() == ("a", "c")


def test_a_position_without_moves():
    space = reachable_by_rules(Walk([], [0]))
    assert (space.states, space.transitions, space.depths(), space.optimal_plans()) == (1, 0, [1], 1)


@pytest.mark.parametrize(
    ("limits", "most", "status"),
    [(Limits(time=0.2), None, "timeout"), (Limits(memory=2**20, held=0), None, "memout"), (None, 500, "gave_up")],
)
def test_limits(limits, most, status):
    puzzle = translators.find("sliding-tiles")
    told: list[int] = []
    level = puzzle.parse(puzzle.levels["15-hard"])
    space = within(limits or Limits(), reachable_by_rules, level, max_states=most, progress=told.append)
    assert (space.complete, space.status) == (False, status)
    assert space.states == 500 if most else space.states > 100
    assert len(space.offsets) == len(space.positions) + 1
    assert told == sorted(told)
    assert most or space.message.endswith(" expanded states")  # fewer than `states`, which counts those ahead, too


def test_a_space_of_just_the_limit_is_complete():
    level = translators.find("sliding-tiles").parse("2 1 0\n3 4 5\n")
    told: list[int] = []
    assert reachable_by_rules(level, max_states=360, progress=told.append).states == 360
    assert reachable_by_rules(level, max_states=359).message == "there are more than 359 states"


def test_progress_is_told():
    puzzle = translators.find("pacman")
    told: list[int] = []
    space = reachable_by_rules(puzzle.parse(puzzle.levels["dots"]), progress=told.append)
    assert told
    assert told == sorted(set(told))
    assert told[-1] <= space.states
