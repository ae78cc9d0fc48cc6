"""CP-SAT and backtracking: what they find is what trying all values finds; limits, interruption, a missing OR-tools."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from support.hiding import hide
from support.thorough import at_most
from unpuzzle import count_solutions, find, solve
from unpuzzle.base.errors import DependencyMissing, LimitReached, UsageError
from unpuzzle.base.outcomes import MEMOUT, TIMEOUT
from unpuzzle.base.run import Limits, Run
from unpuzzle.constraints import Constraints, Relation, violated
from unpuzzle.planners import constraint
from unpuzzle.planning import registry

BOTH = pytest.mark.parametrize("name", ["cp-sat", "backtracking"])


def random_model(rng: Random) -> Constraints:
    """Some variables, of numbers or of words, with relations of each kind."""
    names = [f"v{number}" for number in range(rng.randint(1, 4))]
    values = rng.choice(((0, 1, 2), ("x", "y", "z"), (0, 1)))
    domains = {name: rng.sample(values, rng.randint(1, len(values))) for name in names}
    relations = []
    for _ in range(rng.randint(0, 4)):
        some = rng.sample(names, rng.randint(1, len(names)))
        kind = rng.choice(("all_different", "table", "path", *(("parity",) if values[-1] == 1 else ())))
        data: object = rng.randint(0, 1)
        if kind == "table":
            data = [tuple(rng.choices((*values, "none of them"), k=len(some))) for _ in range(rng.randint(0, 9))]
        elif kind == "path":
            data = {value: rng.sample(values, rng.randint(0, len(values))) for value in values}
        relations.append(Relation(kind, some, data))
    costs = {name: {value: rng.randint(0, 5) for value in values} for name in names if rng.random() < 0.7}
    return Constraints(domains, relations, costs if rng.random() < 0.5 else None)


def by_trying_all(model: Constraints) -> list[dict[str, object]]:
    rows = [dict(zip(model.domains, values, strict=True)) for values in product(*model.domains.values())]
    return [row for row in rows if violated(model, row) is None]


def rows(solutions: list[dict[str, object]]) -> list[str]:
    return sorted(map(str, solutions))


@BOTH
@settings(max_examples=at_most(60))
@examples(seed=st.integers(0, 2**32))
def test_solutions_are_those_that_trying_all_finds(name: str, seed: int) -> None:
    model, planner = random_model(Random(seed)), registry.find(name)
    expected = by_trying_all(model)
    assert rows(list(planner.finder().solutions(model, 1000))) == rows(expected)
    assert len(list(planner.finder().solutions(model, 2))) >= min(2, len(expected))
    finder = planner.finder()
    best = finder.best(model)
    assert (best is None) == (not expected)
    if best is not None:
        assert finder.proved
        assert model.cost(best) == min(map(model.cost, expected))


@BOTH
def test_equal_runs_give_equal_answers(name: str) -> None:
    position = find("lights-out").parse("torus\n....\n.1.1\n....\n")
    assert len({tuple(solve(position, name).moves) for _ in range(3)}) == 1
    planner = registry.find(name)
    assert len({str(list(planner.solutions(position, 5))) for _ in range(3)}) == 1


@BOTH
def test_a_puzzle_without_constraints_is_refused(name: str) -> None:
    game = find("boxup")
    with pytest.raises(UsageError, match=r"boxup cannot be solved by .*: boxup does not inherit Constrained"):
        solve(game.parse(game.levels["1"]), name)
    with pytest.raises(UsageError, match="has no configurations"):
        registry.find(f"{name}:fast")


# ---- limits

PIGEONS = Constraints(
    {f"p{number}": tuple(range(11)) for number in range(12)},
    [Relation("all_different", (f"p{a}", f"p{b}")) for a in range(12) for b in range(a)],
)
"""Twelve pigeons, eleven holes, and nothing that counts them: to be searched for long."""


@BOTH
@pytest.mark.parametrize(("limits", "status"), [(Limits(time=0.2), TIMEOUT), (Limits(memory=1, held=0), MEMOUT)])
def test_limits_end_the_search(name: str, limits: Limits, status: str) -> None:
    finder = registry.find(name).finder()
    model = PIGEONS if name == "backtracking" else hard_for_cp_sat()
    with pytest.raises(LimitReached) as caught, Run(limits, "searching"):
        list(finder.solutions(model, 1_000_000_000))
    assert caught.value.status == status


def hard_for_cp_sat() -> Constraints:
    """More solutions than anybody can list."""
    return Constraints({f"v{number}": tuple(range(9)) for number in range(40)})


def test_an_interruption_ends_the_solver() -> None:
    class Interrupting(Run):
        looked = 0

        def look(self) -> None:
            Interrupting.looked += 1
            if self.looked == 3:
                raise KeyboardInterrupt

    finder = registry.find("cp-sat").finder()
    with pytest.raises(KeyboardInterrupt), Interrupting(Limits()):
        finder.solutions(hard_for_cp_sat(), 1_000_000_000)


def test_without_or_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "ortools")
    assert "pip install 'unpuzzle[sat]'" in (constraint.missing_cp_sat() or "")
    game = find("lights-out")
    position = game.parse(game.levels["3x3"])
    with pytest.raises(DependencyMissing, match=r"pip install 'unpuzzle\[sat\]'.*backtracking"):
        solve(position, "cp-sat")
    assert solve(position, "backtracking").cost == 9


@pytest.mark.parametrize(("name", "text"), [("sudoku", "25-clues"), ("gogen", "five"), ("crossword", "5x5")])
def test_the_base_alone_solves_puzzles_of_constraints(name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "ortools")
    game = find(name)
    result = solve(game.parse(game.levels[text]))
    assert (result.status, result.planner, result.valid) == ("solved_optimally", "backtracking", True)
    assert count_solutions(game.parse(game.levels[text])).result.planner == "backtracking"


def test_impossible_models() -> None:
    for name in ("cp-sat", "backtracking"):
        finder = registry.find(name).finder()
        assert finder.best(Constraints({"a": ()})) is None
        assert finder.best(Constraints({})) == {}
