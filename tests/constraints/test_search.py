"""Solutions of constraint models: what propagation and search find is what trying all values finds."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from support.limited import Called
from support.thorough import at_most
from unpuzzle.base.errors import LimitReached
from unpuzzle.base.run import Limits
from unpuzzle.constraints import Constraints, Relation, Search, TooManyNodesError, conflict, given, solutions, violated


def random_model(rng: Random) -> Constraints:
    """Up to five variables over up to four values, and some relations of each kind."""
    names = [f"v{number}" for number in range(rng.randint(1, 5))]
    domains = {name: rng.sample(range(4), rng.randint(1, 4)) for name in names}
    relations = []
    for number in range(rng.randint(0, 5)):
        some = rng.sample(names, rng.randint(1, len(names)))
        kind = rng.choice(("all_different", "table", "path", "parity"))
        data: object = None
        if kind == "table":
            if rng.random() < 0.2:
                some.append(some[0])  # the same variable twice
            data = [tuple(rng.choices(range(5), k=len(some))) for _ in range(rng.randint(0, 12))]
        elif kind == "path":
            data = {value: rng.sample(range(4), rng.randint(0, 3)) for value in range(4)}
        elif kind == "parity":
            data = rng.randint(0, 1)
            some = [name for name in some if set(domains[name]) <= {0, 1}]
        relations.append(Relation(kind, some, data, rng.choice(("", f"relation {number}"))))
    return Constraints(domains, relations)


def by_trying_all(model: Constraints) -> list[dict[str, object]]:
    rows = [dict(zip(model.domains, values, strict=True)) for values in product(*model.domains.values())]
    return [row for row in rows if violated(model, row) is None]


@settings(max_examples=at_most(400))
@examples(st.integers(0, 2**32))
def test_the_solutions_are_those_that_trying_all_values_finds(seed: int) -> None:
    model = random_model(Random(seed))
    found = list(solutions(model))
    assert sorted(tuple(row.items()) for row in found) == sorted(tuple(row.items()) for row in by_trying_all(model))
    assert found == list(solutions(model)), "in one order"


@settings(max_examples=at_most(200))
@examples(st.integers(0, 2**32))
def test_a_conflict_is_one_and_none_of_it_can_go(seed: int) -> None:
    model = random_model(Random(seed))
    names = conflict(model)
    assert (names is None) == bool(by_trying_all(model))
    if names is not None:
        kept = [each for each in model.relations if not each.name or each.name in names]
        assert not by_trying_all(model.with_relations(kept))
        for name in names:
            assert by_trying_all(model.with_relations([each for each in kept if each.name != name]))


def test_without_takes_values_away() -> None:
    search = Search(Constraints({"a": (1, 2), "b": (1, 2)}, [Relation("all_different", ("a", "b"))]))
    assert list(search.solutions({"a": 1})) == [{"a": 2, "b": 1}]
    assert list(search.solutions({"a": 3})) == [{"a": 1, "b": 2}, {"a": 2, "b": 1}]
    assert list(search.solutions({"a": 1, "b": 1})) == []


def test_limits_end_the_search() -> None:
    def look() -> None:
        raise TimeoutError

    model, limits = Constraints({"a": (1, 2)}), Limits()
    with pytest.raises(TimeoutError), Called(look):
        next(Search(model).solutions())
    limits.cancel()
    with pytest.raises(LimitReached, match="cancelled while searching"):
        next(solutions(model, limits=limits))
    with pytest.raises(LimitReached, match="cancelled while looking for a conflict"):
        conflict(model, limits=limits)
    search = Search(model, most_nodes=1)
    with pytest.raises(TooManyNodesError):
        next(search.solutions())
    assert search.nodes == 1


def test_relations_without_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind of relation 'alldiff'"):
        Relation("alldiff", ("a",))
    with pytest.raises(ValueError, match="'b' is not a variable"):
        Constraints({"a": (1,)}, [given("b", 1)])


def test_parity_is_of_variables_of_0_and_1() -> None:
    """Else sums are what a solution is judged by, and propagation knows of ones only: it would find none here."""
    assert Relation("parity", ("a", "b"), 0).holds({"a": 2, "b": 2})
    with pytest.raises(ValueError, match="relation parity: the domain of 'a' contains 2; only 0 and 1 are allowed"):
        Constraints({"a": (2,), "b": (2, 3)}, [Relation("parity", ("a", "b"), 0)])
    model = Constraints({"a": (False, True), "b": (1,)}, [Relation("parity", ("a", "b"), 1)])
    assert list(solutions(model)) == [{"a": 0, "b": 1}]


def test_costs_count_what_is_named() -> None:
    model = Constraints({"a": (0, 1), "b": (0, 1)}, costs={"a": {1: 5}, "b": {1: 2, 0: 1}})
    assert model.cost({"a": 1, "b": 0}) == 6
    assert model.cost({"a": 0, "b": 1}) == 2
