"""explore(): its answers are those of other ways to find them, and graphs of it can be read by others."""

from random import Random

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.limited import Called
from support.registry import EVERY_KIND
from unpuzzle import explore, solve, translators
from unpuzzle.base.errors import ModelMismatch, UsageError
from unpuzzle.model import replay
from unpuzzle.pddl.nodes import Atom, Problem, Task
from unpuzzle.planning import registry
from unpuzzle.state_space.exploration import Exploration, dot, graphml
from unpuzzle.state_space.space import StateSpace, reachable, reachable_by_rules
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.pacman import Pacman
from unpuzzle.translators.sliding_tiles import SlidingTiles

needs_core = pytest.mark.skipif(registry.missing("native") is not None, reason=str(registry.missing("native")))
every_puzzle = pytest.mark.parametrize("puzzle", [translators.find(name) for name in EVERY_KIND])
seeds = st.integers(0, 10**6).map(Random)
some = settings(max_examples=20, derandomize=True, deadline=None)


# One step to the right, and the small box can never come back: the mover leaves it to the left.
STUCK = Boxup.parse("w!@ .\nN!  #\n")


def figures(found: Exploration) -> dict[str, object]:
    return {
        "states": found.states,
        "transitions": found.transitions,
        "depths": found.depths,
        "goals": found.goals,
        "dead_ends": found.dead_ends,
        "hardest": None if found.hardest is None else (found.hardest.cost, found.hardest.number),
        "cost": found.cost,
        "optimal_plans": found.optimal_plans,
        "branching": repr(found.branching),
    }


def layers(level):
    """Positions by fewest moves; and for each position how many sequences of fewest moves lead to it."""
    layer, seen = {level: 1}, {level}
    while layer:
        yield layer
        following: dict = {}
        for position, ways in layer.items():
            for move in position.moves():
                reached = position.apply(move)
                if reached not in seen:
                    following[reached] = following.get(reached, 0) + ways
        seen.update(following)
        layer = following


def saved(positions):
    """The positions from which a goal can be reached."""
    before: dict = {}
    for position in positions:
        for move in position.moves():
            before.setdefault(position.apply(move), []).append(position)
    found = {position for position in positions if position.solved()}
    layer = found
    while layer:
        layer = {previous for position in layer for previous in before.get(position, ())} - found
        found = found | layer
    return found


@needs_core
@every_puzzle
@given(rng=seeds)
@some
def test_the_rules_and_the_core_find_the_same(puzzle, rng):
    level = puzzle.sample(rng)
    assert figures(explore(level)) == figures(Exploration(level, reachable_by_rules(level)))


@every_puzzle
@given(rng=seeds)
@some
def test_figures_are_those_of_a_search_layer_by_layer(puzzle, rng):
    level = puzzle.sample(rng)
    found, by_depth = explore(level), list(layers(level))
    everything = [position for layer in by_depth for position in layer]
    assert found.depths == [len(layer) for layer in by_depth]
    assert (found.states, found.transitions) == (len(everything), sum(len(p.moves()) for p in everything))
    assert found.goals == sum(p.solved() for p in everything)
    numbers = [len(p.moves()) for p in everything]
    assert found.dead_ends == found.states - len(saved(everything))
    assert (found.branching.least, found.branching.most) == (min(numbers), max(numbers))
    assert found.branching.mean == pytest.approx(sum(numbers) / len(numbers))
    # Moves cost 1: the first layer with goals has the shortest solutions.
    first = next((layer for layer in by_depth if any(p.solved() for p in layer)), None)
    assert found.optimal_plans == (0 if first is None else sum(n for p, n in first.items() if p.solved()))
    assert found.cost == (None if first is None else by_depth.index(first))
    assert bool(found.reason) == (first is None)


@needs_core
@every_puzzle
@given(rng=seeds)
@settings(max_examples=10, derandomize=True, deadline=None)
def test_the_hardest_start_is_as_hard_as_solving_it_says(puzzle, rng):
    found = explore(puzzle.sample(rng))
    if found.hardest is None:
        assert found.dead_ends == found.states
        return
    start = puzzle.parse(str(found.hardest.position))
    played = replay(start, found.hardest.moves)
    assert (played.solved, played.cost) == (True, found.hardest.cost)
    assert solve(start).cost == found.hardest.cost
    assert found.hardest.cost >= (found.cost or 0)
    for position in rng.sample(found.positions(), min(5, found.states)):
        assert (solve(position).cost or 0) <= found.hardest.cost


@needs_core
@every_puzzle
@given(rng=seeds)
@settings(max_examples=8, derandomize=True, deadline=None)
def test_every_state_is_known_as_a_position(puzzle, rng):
    found = explore(puzzle.sample(rng))
    positions = found.positions()
    assert len(set(positions)) == found.states
    for state in range(0, found.states, 1 + found.states // 50):
        assert positions[state] == found.position(state)
        if isinstance(found.space, StateSpace):  # else it was explored by the rules, and its states are the positions
            assert positions[state].atoms() == found.space.atoms(state)
        successors = {move: positions[target] for move, target, _ in found.successors(state)}
        assert successors == {move: positions[state].apply(move) for move in positions[state].moves()}
        assert all(cost == positions[state].cost(move) for move, _, cost in found.successors(state))


@needs_core
def test_the_eight_puzzle():
    found = explore(SlidingTiles.parse("0 1 2\n3 4 5\n6 7 8\n"))
    assert (found.states, found.transitions, found.goals, found.dead_ends) == (181_440, 483_840, 1, 0)
    assert (found.cost, found.optimal_plans, len(found.depths)) == (0, 1, 32)
    assert found.depths[:8] == [1, 2, 4, 8, 16, 20, 39, 62]
    assert found.depths[-2:] == [221, 2]
    assert found.hardest is not None
    assert (found.hardest.cost, found.hardest.number) == (31, 2)
    assert str(found.hardest.position) in {"8 7 6\n0 4 1\n2 5 3\n", "8 0 6\n5 4 7\n2 3 1\n"}


def test_dead_ends():
    found = explore(STUCK)
    assert (found.states, found.goals, found.dead_ends, found.cost, found.optimal_plans) == (5, 1, 3, 1, 1)
    ways = {"".join(found.way(state)) for state in found.space.dead_ends}
    assert ways == {"R", "RL", "RLD"}


def test_what_cannot_be_solved():
    found = explore(SlidingTiles.parse("2 1 0\n"))
    assert (found.states, found.dead_ends, found.hardest, found.optimal_plans) == (3, 3, None, 0)
    assert found.reason == "the order of the tiles in a single line never changes"
    walled = explore(Boxup.parse("n! # W!\n.  # @\n"))
    assert (walled.cost, walled.dead_ends) == (None, walled.states)
    assert walled.reason == "everything that can be reached was searched, and there is no goal"


def test_limits_say_how_far_it_came():
    found = explore(SlidingTiles.parse("0 1 2\n3 4 5\n6 7 8\n"), max_states=100)
    assert (found.complete, found.status, found.states) == (False, "gave_up", 100)
    assert found.reason == "there are more than 100 states"
    assert (found.cost, found.dead_ends, found.hardest, found.optimal_plans, found.branching) == (None,) * 5
    data = found.to_dict()
    assert (data["schema"], data["status"], data["states"]) == ("unpuzzle/explore/1", "gave_up", 100)
    assert (data["cost"], data["depths"], data["message"]) == (None, None, "there are more than 100 states")


def test_what_the_rules_have_seen_until_a_limit_is_kept():
    level = Boxup.parse(Boxup.levels["1"])
    whole, part = reachable_by_rules(level), reachable_by_rules(level, max_states=50)
    assert (part.complete, part.status, part.states) == (False, "gave_up", 50)
    assert part.positions == whole.positions[:50]
    assert 0 < part.transitions < whole.transitions
    assert part.depth.tolist() == whole.depth.tolist()[:50]
    assert part.path(49) == whole.path(49)


@needs_core
@pytest.mark.parametrize("name", ["boxup", "pacman"])
def test_a_task_is_explored_as_the_position_is(name):
    level = translators.find(name).sample(Random(1))
    ours, theirs = explore(level), explore(level.task())
    assert {**figures(theirs), "branching": 0} == {**figures(ours), "branching": 0}
    assert [theirs.atoms(state) for state in range(5)] == [ours.atoms(state) for state in range(5)]
    assert theirs.text(0) == " ".join(sorted(map(str, level.atoms())))
    with pytest.raises(UsageError, match="no positions, and so no pictures"):
        theirs.position(0)
    graph = theirs.graph()
    assert graph.nodes[0]["level"] == theirs.text(0)


def test_what_is_none_is_refused():
    with pytest.raises(UsageError, match="takes a position or a PDDL task, not a str"):
        explore("text")
    with pytest.raises(UsageError, match="max_states must be at least 1, not 0"):
        explore(STUCK, max_states=0)
    with pytest.raises(UsageError, match="needs a position or a task, not a int"):
        reachable(3)


class Forgetful(Pacman):
    """A wrong encoding: the PDDL does not know one of the dots."""

    def task(self):
        task = super().task()
        spot = Atom("food", ("r1c1",))
        problem = task.problem
        init = tuple(atom for atom in problem.init if atom != spot)
        return Task(
            task.domain,
            Problem(problem.name, problem.domain_name, objects=problem.objects, init=init, goal=problem.goal),
        )


@needs_core
def test_where_the_pddl_is_not_the_game_it_is_said():
    with pytest.raises(ModelMismatch, match="the PDDL differs from the rules"):
        _ = explore(Forgetful.parse(".P.\n% %\n% %\n")).hardest


# ---- graphs


@pytest.mark.parametrize(
    "level",
    [Boxup.parse(Boxup.levels["1"]), SlidingTiles.parse("3 2\n1 0\n"), Pacman.parse("%%%%%\n%P .%\n%.%%%\n")],
    ids=lambda level: level.name,
)
def test_graphml_is_read_by_others(level, tmp_path):
    found = explore(level)
    path = tmp_path / "space.graphml"
    path.write_text(graphml(found.graph()), encoding="utf-8")
    graph = networkx.read_graphml(path, node_type=int)
    assert graph.is_directed()
    assert (len(graph), graph.number_of_edges()) == (found.states, found.transitions)
    goals = {state for state, goal in graph.nodes(data="goal") if goal}
    assert len(goals) == found.goals
    assert sum(dead for _, dead in graph.nodes(data="dead_end")) == found.dead_ends
    distances = networkx.single_source_dijkstra_path_length(graph, 0, weight="cost")
    assert min((distances[goal] for goal in goals), default=None) == found.cost == solve(level).cost
    for state, facts in graph.nodes(data=True):
        position = type(level).parse(facts["level"])
        assert position.solved() == facts["goal"]
        assert facts["depth"] == networkx.shortest_path_length(graph, 0, state)
        ways = {facts["move"]: graph.nodes[target]["level"] for _, target, facts in graph.out_edges(state, data=True)}
        assert ways == {move: str(position.apply(move)) for move in position.moves()}
        assert facts["dead_end"] == (facts["goal_distance"] == -1)


@pytest.mark.parametrize("write", [graphml, dot])
def test_whoever_watches_is_called_at_least_once_a_state(write):
    found = explore(STUCK)
    ticks = []
    graph = found.graph()
    with Called(lambda: ticks.append(write)):
        text = write(graph)
    assert len(ticks) >= found.states + found.transitions
    assert text == write(graph)
    assert write is dot or text == "\n".join(networkx.generate_graphml(graph)) + "\n"


def test_dot_has_a_line_a_state_and_a_line_a_move():
    found = explore(STUCK)
    lines = dot(found.graph()).splitlines()
    edges = [line for line in lines if " -> " in line]
    assert len(edges) == found.transitions
    assert len(lines) - len(edges) == found.states + 3
    assert lines[0] == "digraph {"
    assert lines[-1] == "}"
    assert sum("peripheries=2" in line for line in lines) == found.goals
    assert sum("fillcolor=grey" in line for line in lines) == found.dead_ends
    assert r'0 [label="w!@ .\lN!  #\l" depth=0 goal_distance=1 goal=false dead_end=false]' in dot(found.graph())
    assert r"dead_end=true fillcolor=grey]" in dot(found.graph())


def test_dot_quotes_what_a_level_may_hold():
    graph = networkx.MultiDiGraph()
    graph.add_node(0, level='a "b" \\ c\n', goal=False, dead_end=False)
    assert r'0 [label="a \"b\" \\ c\l" goal=false dead_end=false]' in dot(graph)
