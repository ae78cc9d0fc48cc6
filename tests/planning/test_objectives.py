"""Objectives: what is least is least by an independent search, and those that cannot have it are refused in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import pytest

from support.dijkstra import by_rules, cheapest_first
from support.pushes import RULES_THAT_TELL
from unpuzzle import Result, UsageError, find, improve, solve
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE, UNSUPPORTED
from unpuzzle.generation.generating import generate
from unpuzzle.model.position import Position
from unpuzzle.planning.planner import OBJECTIVES, Planner, SearchOptions
from unpuzzle.solving import default_planner
from unpuzzle.state_space.surveying import survey

MOST = 3_000
SOKOBAN = find("sokoban")


def best(start: Position, objective: str, is_push: Callable[[Position, str, Position], bool]) -> tuple[int, ...] | None:
    """Return the least cost, pushes, or both, as the objective has them; None without a solution."""
    first, *second = objective.split(",")

    def steps(position: Position) -> Iterator[tuple[int, Position]]:
        for move, after in [(move, position.apply(move)) for move in position.moves()]:
            values = {"moves": position.cost(move), "pushes": int(is_push(position, move, after))}
            yield values[first] * MOST**2 + sum(values[name] for name in second), after

    least = next((cost for cost, position in cheapest_first([start], steps) if position.solved()), None)
    return None if least is None else divmod(least, MOST**2)[: 1 + len(second)]


def small(name: str, seed: int) -> Position | None:
    """Return a sample with few positions, or None."""
    position = find(name).sample(Random(f"objectives {name} {seed}"))
    found = cheapest_first([position], by_rules)
    return position if sum(1 for _ in islice(found, MOST)) < MOST else None


def figures(result: Result) -> tuple[int, ...]:
    values = {"moves": result.cost, "pushes": result.pushes}
    return tuple(values[name] or 0 for name in result.objective.split(","))


@pytest.mark.parametrize("name", RULES_THAT_TELL)
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_what_is_least_is_least(name: str, objective: str) -> None:
    compared = 0
    for seed in range(12):
        start = small(name, seed)
        if start is None or start.impossible() is not None:
            continue
        expected = best(start, objective, RULES_THAT_TELL[name])
        planners = ["rules:ucs", *(["reference"] if seed < 3 else []), default_planner(start, objective)]
        for planner in dict.fromkeys(planners):
            result = solve(start, planner, objective=objective)
            assert result.objective == objective
            assert result.status == (UNSOLVABLE if expected is None else SOLVED_OPTIMALLY)
            if expected is not None:
                assert figures(result) == expected, (planner, str(start))
                compared += 1
    assert compared > 2


@pytest.mark.parametrize("name", ["storeroom", "falling-crates", "ice-walk"])
def test_objectives_agree_with_each_other(name: str) -> None:
    game = find(name)
    start = game.parse(next(iter(game.levels.values())))
    results = {objective: solve(start, objective=objective) for objective in OBJECTIVES}
    assert {result.status for result in results.values()} == {SOLVED_OPTIMALLY}
    cost, pushes = results["moves"].cost, results["pushes"].pushes
    assert results["moves,pushes"].cost == cost
    assert results["pushes,moves"].pushes == pushes
    assert (results["pushes"].cost or 0) >= (results["pushes,moves"].cost or 0) >= (cost or 0)
    assert (results["moves"].pushes or 0) >= (results["moves,pushes"].pushes or 0) >= (pushes or 0)


def test_refusals() -> None:
    level = SOKOBAN.parse(SOKOBAN.levels["2"])
    with pytest.raises(UsageError, match="unknown objective 'pushs', did you mean 'pushes'"):
        solve(level, objective="pushs")
    with pytest.raises(UsageError, match="unknown objective"):
        list(improve(level, objective=""))
    with pytest.raises(UsageError, match="unknown objective"):
        survey(SOKOBAN, ["1"], objective="steps")
    with pytest.raises(UsageError, match="unknown objective"):
        generate(SOKOBAN, objective="steps")
    bfs = solve(level, "rules:bfs", objective="pushes")
    assert (bfs.status, bfs.objective, bfs.pushes) == (UNSUPPORTED, "pushes", None)
    assert "'rules:bfs' cannot minimize 'pushes'" in bfs.message
    hanoi = find("hanoi")
    nobody = solve(hanoi.parse(hanoi.levels["3"]), "reference", objective="moves,pushes")
    assert (nobody.status, nobody.plan) == (UNSUPPORTED, None)
    assert "needs a walker" in nobody.message
    assert solve(hanoi.parse(hanoi.levels["3"])).pushes is None


class Replaying(Planner):
    """Gives plans that somebody made, claims pushes, and honours all objectives."""

    name = "replaying"
    reads = ("rules",)
    objectives = OBJECTIVES
    improves = True

    def __init__(self, *plans: str, pushes: int | None = None) -> None:
        self.plans, self.pushes = plans, pushes

    def solve(self, subject: object, options: object = None) -> Result:
        return Result(SOLVED, self.name, moves=tuple(self.plans[-1]), pushes=self.pushes)

    def improving(self, subject: object, options: object = None):  # type: ignore[no-untyped-def]
        for plan in self.plans:
            yield Result(SOLVED, self.name, moves=tuple(plan), intermediate=True)
        yield self.solve(subject)


def test_the_judge_counts_pushes_itself() -> None:
    level = SOKOBAN.parse(SOKOBAN.levels["2"])
    plan = "rRurDlDullddrR"
    assert solve(level, Replaying(plan, pushes=4), objective="pushes").pushes == 4
    wrong = solve(level, Replaying(plan, pushes=3), objective="pushes")
    assert (wrong.status, wrong.plan, wrong.pushes) == ("error", None, None)
    assert "claims that the plan pushes 3 times, not 4" in wrong.message
    assert solve(level, Replaying(plan, pushes=4), objective="pushes", validate=False).pushes == 4


def test_better_is_what_is_better_for_the_objective() -> None:
    level = SOKOBAN.parse(SOKOBAN.levels["2"])
    short, detour = "rRurDlDullddrR", "rlrRurDlDullddrR"
    more = solve(level, objective="pushes,moves")
    assert (more.pushes, more.cost) == (4, 14)
    for objective, plans, told in (
        ("moves", (detour, short), [16, 14]),
        ("pushes", (detour, short), [16]),
        ("pushes,moves", (detour, short), [16, 14]),
        ("moves,pushes", (short, detour), [14]),
    ):
        costs: list[int | None] = []
        solve(level, Replaying(*plans), objective=objective, on_plan=lambda plan, costs=costs: costs.append(plan.cost))
        assert costs == told, objective
    last = list(improve(level, Replaying(detour, short), objective="pushes"))[-1]
    assert (last.objective, last.pushes) == ("pushes", 4)


def test_levels_by_pushes() -> None:
    generation = generate(SOKOBAN, seed=4, count=4, moves=(2, 6), objective="pushes,moves")
    keys = [(level.pushes, level.cost) for level in generation.levels]
    assert keys == sorted(keys)
    for level in generation.levels:
        result = solve(SOKOBAN.parse(level.text), "rules:ucs", objective="pushes,moves")
        assert (result.pushes, result.cost) == (level.pushes, level.cost)
        assert 2 <= (level.pushes or 0) <= 6


def test_options_know_their_objectives() -> None:
    assert [SearchOptions(objective=name).objective for name in OBJECTIVES] == list(OBJECTIVES)
