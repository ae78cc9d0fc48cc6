"""Optima that rest on what the author of a game claims: named where unproved, withdrawn where a path refutes it.

On random graphs with heuristics of all kinds (see `support.graph_games`), against exhaustive search. With
UNPUZZLE_THOROUGH=1 that are 3,000 graphs with a heuristic and 2,000 with a way back.
"""

from __future__ import annotations

from collections import Counter
from math import isnan

import pytest

from support.graph_games import BROKEN, KINDS, NEVER, SOUND, GraphGame, TwoEnds, guided, random_game
from support.thorough import THOROUGH
from unpuzzle import check_heuristic, solve
from unpuzzle.base.errors import GameFault, UnsupportedFeature
from unpuzzle.base.outcomes import GAVE_UP, SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.model import Heuristic
from unpuzzle.model.capabilities import HasHeuristics, Staged
from unpuzzle.model.heuristic import Subgoal
from unpuzzle.model.position import Position
from unpuzzle.planning import running
from unpuzzle.planning.planner import SearchOptions

GRAPHS = 300 if THOROUGH else 30
"""The graphs for each kind of heuristic."""
CLAIM = "h is admissible"
SEARCHES = ("astar(h)", "wastar=1(h)", "idastar(h)")


def run(game, search):
    return running.run(f"rules:{search}", game(0), options=SearchOptions(max_expanded=20_000))


def is_estimate(value):
    return not isnan(value) and value >= 0


def on_the_way(game, moves, cost):
    """Each node on a way with what the rest of it costs."""
    position, nodes = game(0), []
    for move in moves:
        nodes.append((position.node, cost))
        cost -= position.cost(move)
        position = position.apply(move)
    return [*nodes, (position.node, cost)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_called_optimal_is_so_if_the_heuristic_is_admissible(kind):
    seen = Counter()
    for seed in range(GRAPHS):
        plain = random_game(f"{kind} {seed}")
        least, reachable = plain.distances(), plain.reachable()
        for search in SEARCHES:
            game, first, second = guided(plain, kind, seed)
            given = [(values[node], node) for node in reachable for values in (first, second)]
            sound = all(is_estimate(value) and value <= least[node] for value, node in given)
            seen["sound"] += sound
            try:
                result = run(game, search)
            except GameFault:
                assert not all(is_estimate(value) for value, _ in given)
                seen["faults"] += 1
                continue
            seen[result.status] += 1
            if result.status == GAVE_UP:  # IDA*, on many paths
                assert "no more positions may be expanded" in result.message
                continue
            made_so = sound or all(value <= least[node] or node in game.goals for value, node in given)
            if made_so:
                assert result.cost == (None if least[0] == NEVER else least[0])
            if result.status == UNSOLVABLE:
                assert least[0] == NEVER or (result.condition == CLAIM and not made_so)
                continue
            assert result.status in (SOLVED, SOLVED_OPTIMALLY)
            way = on_the_way(game, result.moves, result.cost)
            shown = any(min(first[node], second[node]) > left for node, left in way)
            false = result.cost > least[0]
            seen["false"] += false
            seen["shown"] += shown
            assert not (shown and result.status == SOLVED_OPTIMALLY), "its own path refutes it"
            if result.status == SOLVED_OPTIMALLY:
                assert (result.condition, result.message) == (CLAIM, f"optimal if {CLAIM}")
                assert not (false and made_so)
                seen["conditional and false"] += false
            else:
                assert not sound
                assert result.condition is None
                assert result.message.startswith("h is not admissible"), result.message
                seen["refuted"] += 1
                if "refutation" in result.details:
                    wrong = result.details["refutation"]
                    node, left = way[len(wrong["moves"])]
                    assert (wrong["position"], wrong["cost"]) == (f"{node}\n", left)
                    assert wrong["solution"] == list(result.moves[len(wrong["moves"]) :])
                    assert wrong["estimate"] is None or wrong["estimate"] > left
    _require_breaks(kind, seen)


def _require_breaks(kind, seen):
    """The generator must break what it says that it breaks."""
    runs = GRAPHS * len(SEARCHES)
    assert seen[GAVE_UP] < runs / 20
    if kind in SOUND:
        assert (seen["sound"], seen["refuted"], seen["false"]) == (runs, 0, 0)
        assert seen[SOLVED_OPTIMALLY] > runs / 3
    if kind in BROKEN:
        assert seen["sound"] < runs * 0.7, seen
    if kind in ("negative", "no number"):
        assert seen["faults"] > runs / 3
    if kind in ("high", "unequal"):
        assert seen["refuted"] > runs / 10
        assert seen["false"] > 0
    if kind == "high at goals":
        assert seen["refuted"] > runs / 3


@pytest.mark.parametrize("kind", KINDS)
def test_check_says_what_is_true_of_all_positions(kind):
    broken = Counter()
    for seed in range(GRAPHS):
        plain = random_game(f"{kind} {seed}")
        game, first, second = guided(plain, kind, seed)
        least, reachable = plain.distances(), plain.reachable()
        report = check_heuristic(game(0), "h")
        one = all(is_estimate(first[node]) and first[node] == second[node] for node in reachable)
        admissible = one and all(first[node] <= least[node] for node in reachable)
        edges = [(node, end, cost) for node in reachable for end, cost in plain.edges[node]]
        consistent = one and all(first[node] <= cost + first[end] for node, end, cost in edges)
        assert (report.admissible, report.consistent) == (admissible, consistent), str(report)
        assert (report.no_estimate is None) == one
        assert report.holds == (admissible and consistent)
        broken["no estimate"] += not one
        broken["inadmissible"] += not admissible
        broken["inconsistent"] += not consistent
    assert broken["inadmissible"] == 0 if kind in SOUND else broken["inadmissible"] > GRAPHS * 0.3
    if kind in ("low", "high"):
        assert broken["inconsistent"] > GRAPHS / 4
    if kind in ("negative", "no number", "unequal"):
        assert broken["no estimate"] > GRAPHS / 4


def test_a_search_from_both_ends_rests_on_the_way_back():
    """Other goals than `goal_position()`, and predecessors that are left out, lead to answers that are false."""
    seen = Counter()
    for seed in range(2000 if THOROUGH else 200):
        game = random_game(f"both {seed}", TwoEnds, ((1,),))
        if not game.goals:
            continue
        edges = [(start, number) for start, steps in enumerate(game.edges) for number in range(len(steps))]
        game.end = min(game.goals)
        game.left_out = frozenset(edge for place, edge in enumerate(edges) if (seed + place) % 5 == 0 and seed % 2)
        game.cost = Position.cost  # so that the search knows that each move costs 1
        least = game.distances()[0]
        result = run(game, "bidirectional-bfs")
        seen[result.status] += 1
        true = result.cost == (None if least == NEVER else least)
        if result.status in (SOLVED_OPTIMALLY, UNSOLVABLE):
            assert result.condition == "goal_position() and predecessors() are complete"
            assert result.condition in result.message
            seen["false"] += not true
            whole = not game.left_out and len(game.goals) == 1
            assert true or not whole
        else:
            assert result.status == SOLVED
            assert result.message.startswith(("goal_position() is not the only goal", "predecessors() misses the move"))
        for number, (node, _) in enumerate(on_the_way(game, result.moves or (), result.cost or 0)[:-1]):
            shown = node in game.goals or (node, int(result.moves[number])) in game.left_out
            assert not (shown and result.status == SOLVED_OPTIMALLY)
            seen["shown"] += shown
    assert min(seen[SOLVED], seen["shown"], seen["false"], seen[SOLVED_OPTIMALLY], seen[UNSOLVABLE]) > 0, seen


class Detour(GraphGame):
    """Nine by a long way, ten by a short one."""

    edges = (((1, 10), (2, 3)), (), ((3, 3),), ((4, 3),), ())
    goals = frozenset((1, 4))


def detour(values, **claims):
    claims = {"admissible": True, "consistent": True, **claims}
    heuristic = Heuristic("h", "for a test", lambda position: values[position.node], **claims)
    return type("Detour", (Detour, HasHeuristics), {"heuristics": {"h": heuristic}})


@pytest.mark.parametrize("search", SEARCHES)
def test_an_estimate_below_0_is_the_authors_fault_with_its_position(search):
    """Two below 0 at the goal of cost 10, 0 elsewhere: that was called optimal, and admissible."""
    game = detour([0, -2, 0, 0, 0])
    with pytest.raises(
        GameFault, match=r"heuristics\['h'\].estimate\(...\) gave -2, but an estimate must be at least 0"
    ):
        run(game, search)
    report = check_heuristic(game(0), "h")
    assert (report.admissible, report.consistent, report.holds) == (False, False, False)
    assert "no estimate after 1 move (0): heuristics['h'].estimate(...) gave -2" in str(report)


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("value", [1, 5, NEVER])
def test_an_estimate_above_0_at_a_goal_hides_no_cheaper_way(search, value):
    result = run(detour([0, 0, 0, 0, value]), search)
    assert (result.cost, result.status) == (9, SOLVED)
    assert f"h is not admissible: after 3 moves (1 0 0), the estimate is {value}" in result.message
    assert result.details["refutation"]["position"] == "4\n"
    assert check_heuristic(detour([0, 0, 0, 0, value])(0), "h").admissible is False


@pytest.mark.parametrize("search", SEARCHES)
def test_a_claim_that_the_own_path_refutes(search):
    result = run(detour([0, 0, 40, 0, 0]), search)
    assert (result.cost, result.status, result.condition) == (10, SOLVED_OPTIMALLY, CLAIM), "nothing shows it"
    result = run(detour([40, 0, 40, 0, 0]), search)
    assert (result.cost, result.status, result.condition) == (10, SOLVED, None)
    said = "h is not admissible: at the start, the estimate is 40, and the rest of this path costs 10\n0"
    assert result.message == said
    assert "refutation" in result.to_dict()


@pytest.mark.parametrize("search", SEARCHES)
def test_an_estimate_that_is_lower_when_asked_again(search):
    estimates = iter([40])
    game = type("Forgetful", (Detour,), {})
    game.heuristics = {"h": Heuristic("h", "", lambda position: next(estimates, 0), admissible=True, consistent=True)}
    result = run(game, search)
    assert (result.status, result.condition) == (SOLVED, None)
    said = f"h is not admissible, or differs for equal positions: g + h had reached 40 where a path costs {result.cost}"
    assert result.message == said
    estimates = iter([1])
    assert "no estimate at the start: 1 at first, and then 0" in str(check_heuristic(game(0), "h"))


class OneStage(GraphGame, Staged):
    """Detour by one subgoal, with an estimate by node."""

    edges, goals = Detour.edges, Detour.goals
    values = (0,) * 5

    def subgoals(self):
        return [
            Subgoal(
                "all", lambda position: position, lambda view: [(m, view.apply(m), view.cost(m)) for m in view.moves()],
                lambda view: view.solved(), lambda view: self.values[view.node], admissible=True,
            )
        ]  # fmt: skip


def test_one_stage_is_optimal_if_its_estimate_is_admissible():
    result = solve(OneStage(0), "subgoals")
    claim = "the estimate of the subgoal all is admissible and consistent"
    assert (result.status, result.cost, result.condition) == (SOLVED_OPTIMALLY, 9, claim)
    assert result.message == f"optimal if {claim}"
    result = solve(type("High", (OneStage,), {"values": (40, 0, 40, 0, 0)})(0), "subgoals")
    assert (result.status, result.cost, result.condition) == (SOLVED, 10, None)
    assert result.message == "the estimate of the subgoal all is not admissible: a path costs 10"


def test_who_claims_nothing_has_no_condition():
    result = run(detour([0, 0, 40, 0, 0], admissible=False, consistent=False), "astar(h)")
    assert (result.status, result.condition, result.message) == (SOLVED, None, "")
    assert "condition" not in result.to_dict()
    result = run(detour([0] * 5), "astar(null)")
    assert (result.status, result.cost, result.condition, result.message) == (SOLVED_OPTIMALLY, 9, None, "")


def test_fractions_of_estimates_count():
    game = type("Fraction", (Chain,), {"edges": (((1, 1), (2, 1)), ((3, 1),), ((3, 5),), ()), "goals": {3}})
    game.values = (1.0, 0.75, 0.25, 0)
    assert run(game, "greedy(h)").cost == 6


def test_large_costs_lose_no_unit():
    """As a float 2**53 + 3 is 2**53 + 4, so with estimates that are floats the dearer way was taken for optimal."""
    game = type("Large", (Detour,), {"edges": (((1, 2**53 + 4), (4, 2**53 + 3)), (), (), (), ((3, 0),))})
    game.goals = {1, 3}
    game.heuristics = {"h": Heuristic("h", "", lambda position: 0.0, admissible=True, consistent=True)}
    for search in SEARCHES:
        assert run(game, search).cost == 2**53 + 3


def test_an_impossible_level_is_so_by_the_word_of_its_game():
    game = type("Hopeless", (Detour,), {"impossible": lambda self: "no way"})
    result = solve(game(0), "rules:ucs")
    assert (result.status, result.message, result.condition) == (UNSOLVABLE, "no way", "impossible() is right")


class Chain(GraphGame):
    """0 leads to 1, and that to 2, the goal; or at once to 2, for less."""

    edges = ((), (), ())
    goals = frozenset({2})
    values = (0, 0, 0)
    heuristics = {"h": Heuristic("h", "x", lambda at: at.values[at.node], admissible=False, consistent=False)}


@pytest.mark.parametrize("search", ["wastar(h)", "wastar=1000(h)", "wastar=1.5(h)", "greedy(h)", "astar(h)"])
@pytest.mark.parametrize("value", [1e308, 1.7e308, 10**400])
def test_a_large_estimate_is_no_dead_end(search, value):
    class Large(Chain):
        edges = (((1, 1),), ((2, 1),), ())
        values = (0, value, 0)

    assert run(Large, search).cost == 2


@pytest.mark.parametrize("search", ["wastar=1.5(h)", "astar(h)", "idastar(h)", "greedy(h)"])
def test_costs_that_no_float_holds(search):
    class Dear(Chain):
        edges = (((1, 10**400), (2, 1)), ((2, 1),), ())
        values = (0, NEVER, 0)

    assert run(Dear, search).cost == 1
    with pytest.raises(UnsupportedFeature, match="least cost"):
        check_heuristic(Dear(0), Dear.heuristics["h"])
