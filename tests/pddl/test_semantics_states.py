"""The reference semantics of states and actions: what changes, why an action does not apply, what it costs."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.pddl_texts import GRAPH, act, atoms, task, texts
from support.random_tasks import random_task
from support.thorough import at_most
from unpuzzle.base.errors import IllegalMove, ParseError, UnsupportedFeature
from unpuzzle.pddl import semantics as module
from unpuzzle.pddl.nodes import (
    Action,
    And,
    Atom,
    Axiom,
    Domain,
    Forall,
    FunctionTerm,
    Imply,
    Increase,
    Predicate,
    Problem,
    Task,
    TypedName,
    When,
)
from unpuzzle.pddl.semantics import Semantics

# States and actions -------------------------------------------------------------------------------------------------

ROOMS = """(:types room ball) (:predicates (at ?r - room) (door ?a ?b - room) (ball-at ?b - ball ?r - room) (open))
    (:functions (total-cost) (length ?a ?b - room))
    (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b) (not (at ?b)))
        :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b)) (increase (total-cost) 2)))
    (:action wait :parameters () :precondition (forall (?r - room) (imply (at ?r) (exists (?b - ball) (ball-at ?b ?r))))
        :effect (and))
    (:action drop :parameters (?b - ball) :precondition (and (or (at r1) (at r2)) (not (open))) :effect (and (open)))
    """.replace("(:types room ball)", "(:types room ball) (:constants r1 r2 - room)")
ROOMS_PROBLEM = """(:objects r3 - room b1 - ball)
    (:init (at r1) (door r1 r2) (door r2 r3) (ball-at b1 r2) (= (length r1 r2) 5))
    (:goal (and (at r3) (not (open))))"""


@pytest.fixture
def rooms() -> Semantics:
    return Semantics(task(ROOMS, f"{ROOMS_PROBLEM} (:metric minimize (total-cost))"))


def test_predicates_are_static_fluent_or_derived(rooms):
    assert rooms.static_predicates == {"door", "ball-at"}
    assert rooms.fluent_predicates == {"at", "open"}
    assert rooms.derived_predicates == frozenset()
    graph = Semantics(task(GRAPH, "(:objects a) (:init) (:goal (and))"))
    assert graph.static_predicates == {"edge"}
    assert graph.fluent_predicates == {"closed"}
    assert graph.derived_predicates == {"path", "cut", "all-cut"}


def test_a_state_means_the_same_without_its_static_atoms(rooms):
    state = rooms.initial
    fluents = rooms.fluents(state)
    assert fluents == atoms("(at r1)")
    assert rooms.applicable(fluents) == rooms.applicable(state) == (act("(go r1 r2)"), act("(drop b1)"))
    assert rooms.apply(fluents, act("(go r1 r2)")) == atoms("(at r2)")
    assert rooms.apply(state, act("(go r1 r2)")) == (state - atoms("(at r1)")) | atoms("(at r2)")


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("(go r1 r3)", "(door r1 r3) is false (static: no action changes it)"),
        ("(go r2 r3)", "(at r2) is false"),
        ("(go r1 r1)", "(door r1 r1) is false (static: no action changes it)"),
        ("(wait)", "for ?r = r1: (at r1) holds, but no objects satisfy (exists (?b - ball) (ball-at ?b r1))"),
    ],
)
def test_the_literal_that_fails_is_named(rooms, action, reason):
    assert rooms.why_not(rooms.initial, act(action)) == reason
    with pytest.raises(IllegalMove) as caught:
        rooms.apply(rooms.initial, act(action))
    assert str(caught.value) == f"{action} is not applicable: {reason}"
    assert caught.value.move == action


def test_more_reasons(rooms):
    open_at_2 = atoms("(at r2)", "(open)")
    assert rooms.why_not(open_at_2, act("(drop b1)")) == "(open) is true, but must be false"
    at_3 = atoms("(at r3)")
    assert rooms.why_not(at_3, act("(drop b1)")) == "none of the alternatives in (or (at r1) (at r2)) holds"
    assert rooms.why_not(at_3, act("(go r3 r2)")) == "(door r3 r2) is false (static: no action changes it)"
    assert rooms.why_unsolved(open_at_2) == "(at r3) is false"
    assert rooms.why_unsolved(atoms("(at r3)", "(open)")) == "(open) is true, but must be false"
    assert rooms.why_unsolved(at_3) is None


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("(goo r1 r2)", "unknown action 'goo', did you mean 'go'?"),
        ("(fly r1 r2)", "unknown action 'fly'"),
        ("(go r1)", "(go r1) has 1 argument, but 'go' takes 2 arguments"),
        ("(drop)", "(drop) has 0 arguments, but 'drop' takes 1 argument"),
        ("(go r1 room2)", "unknown object 'room2' in (go r1 room2)"),
        ("(go r1 r22)", "unknown object 'r22' in (go r1 r22), did you mean 'r2'?"),
        ("(go r1 b1)", "'b1' in (go r1 b1) is not of type room, as ?b must be"),
    ],
)
def test_actions_that_the_task_does_not_have(rooms, action, message):
    for ask in (rooms.apply, rooms.why_not, lambda _, action: rooms.cost(action)):
        with pytest.raises(ParseError) as caught:
            ask(rooms.initial, act(action))
        assert caught.value.message.startswith(message)


def test_the_order_of_applicable_actions():
    """By schema, then by objects in the order of the text, constants first."""
    game = task(
        """(:constants z) (:predicates (p))
        (:action two :parameters (?x ?y) :effect (p)) (:action one :parameters (?x) :effect (p))""",
        "(:objects y x) (:init) (:goal (p))",
    )
    semantics = Semantics(game)
    found = ["".join(action.arguments) for action in semantics.applicable(semantics.initial)]
    assert found == ["zz", "zy", "zx", "yz", "yy", "yx", "xz", "xy", "xx", "z", "y", "x"]


# Costs --------------------------------------------------------------------------------------------------------------


def test_the_cost_is_the_sum_of_all_increases(rooms):
    assert rooms.cost(act("(go r1 r2)")) == 7
    assert rooms.cost(act("(wait)")) == 0


def test_without_a_metric_every_action_costs_one():
    semantics = Semantics(task(ROOMS, ROOMS_PROBLEM))
    assert semantics.cost(act("(go r1 r2)")) == 1
    assert semantics.cost(act("(go r2 r3)")) == 1
    assert semantics.cost(act("(wait)")) == 1


def test_a_missing_value_is_told_when_it_is_needed(rooms):
    """Not before: mostly an action without a value for its cost is never applicable."""
    with pytest.raises(ParseError, match="an action costs \\(length r2 r3\\), but the initial state gives it no value"):
        rooms.cost(act("(go r2 r3)"))


ONE = Increase(FunctionTerm("total-cost"), 1)
X = (TypedName("?x"),)


@pytest.mark.parametrize(
    "effect",
    [When(Atom("p"), ONE), Forall(X, ONE), Forall(X, When(Atom("p"), And((Atom("p"), ONE))))],
    ids=["when", "forall", "both"],
)
def test_conditional_costs_are_refused(effect):
    action = Action("a", (), And(), And((Atom("p"), effect)))
    game = Task(Domain("d", predicates=(Predicate("p"),), actions=(action,)), Problem("p", "d"))
    with pytest.raises(UnsupportedFeature, match="action 'a' increases \\(total-cost\\) under 'when' or 'forall'"):
        Semantics(game)


def test_negative_costs_are_refused():
    game = task(ROOMS, f"{ROOMS_PROBLEM} (:metric minimize (total-cost))")
    lowered = type(game.problem.values[0])(FunctionTerm("length", ("r1", "r2")), -3)
    problem = Problem("p", "d", (), game.problem.objects, game.problem.init, (lowered,), And(), game.problem.metric)
    with pytest.raises(UnsupportedFeature, match="an action has the negative cost -3"):
        Semantics(Task(game.domain, problem)).cost(act("(go r1 r2)"))


def test_other_metrics_are_refused():
    domain = Domain("d")
    game = Task(domain, Problem("p", "d", metric=FunctionTerm("fuel")).trusted(domain))
    with pytest.raises(UnsupportedFeature, match="only \\(total-cost\\) can be minimized, not \\(fuel\\)"):
        Semantics(game)


# Module functions ---------------------------------------------------------------------------------------------------


def test_module_functions():
    game = task("(:predicates (p)) (:action a :parameters () :effect (p))", "(:init) (:goal (p))")
    state = module.initial(game)
    assert state == frozenset()
    (action,) = module.applicable(game, state)
    assert module.holds(game, module.apply(game, state, action), game.problem.goal)


# ---- The reference semantics of axioms: recursion, negation by strata, and what is refused


def test_recursion_and_negation_by_strata():
    game = task(GRAPH, "(:objects a b c d) (:init (edge a b) (edge b c) (edge c b) (edge d a)) (:goal (all-cut d))")
    semantics = Semantics(game)
    state = semantics.initial
    paths = {"ab", "ac", "bb", "bc", "cb", "cc", "da", "db", "dc"}
    assert {a.arguments for a in semantics.derived(state) if a.predicate == "path"} == {tuple(path) for path in paths}
    assert len([a for a in semantics.derived(state) if a.predicate == "cut"]) == 16 - len(paths)
    assert not any(a.predicate == "all-cut" for a in semantics.derived(state))
    state = semantics.apply(state, act("(close b)"))
    paths_and_ends = [a for a in semantics.derived(state) if a.predicate in ("path", "all-cut")]
    assert texts(paths_and_ends) == ["(all-cut a)", "(all-cut c)", "(path b c)", "(path d a)"]
    assert texts(semantics.applicable(state)) == ["(close b)", "(close d)"]
    assert not semantics.solved(state)
    assert semantics.solved(state | atoms("(closed a)"))


def test_mutual_recursion_shares_a_stratum():
    game = task(
        """(:predicates (next ?x ?y) (zero ?x) (even ?x) (odd ?x))
        (:derived (even ?x) (or (zero ?x) (exists (?y) (and (next ?y ?x) (odd ?y)))))
        (:derived (odd ?x) (exists (?y) (and (next ?y ?x) (even ?y))))""",
        "(:objects n0 n1 n2 n3) (:init (zero n0) (next n0 n1) (next n1 n2) (next n2 n3)) (:goal (odd n3))",
    )
    semantics = Semantics(game)
    assert texts(semantics.derived(semantics.initial)) == ["(even n0)", "(even n2)", "(odd n1)", "(odd n3)"]
    assert semantics.solved(semantics.initial)


def test_recursion_through_forall_is_a_least_fixpoint():
    """What leads only to safe places is safe; a circle never becomes so."""
    game = task(
        """(:predicates (edge ?x ?y) (safe ?x))
        (:derived (safe ?x) (forall (?y) (imply (edge ?x ?y) (safe ?y))))""",
        "(:objects a b c d e) (:init (edge a b) (edge b c) (edge d e) (edge e d) (edge c c)) (:goal (and))",
    )
    semantics = Semantics(game)
    assert not semantics.derived(semantics.initial)
    without_loop = semantics.initial - atoms("(edge c c)")
    game = Task(game.domain, Problem("p", "d", objects=game.problem.objects, init=tuple(without_loop)))
    semantics = Semantics(game)
    assert texts(semantics.derived(semantics.initial)) == ["(safe a)", "(safe b)", "(safe c)"]


def test_axioms_that_negate_themselves_are_refused():
    x = (TypedName("?x"),)
    p, q, r = (Atom(name, ("?x",)) for name in "pqr")
    rules = (Axiom(Predicate("p", x), Imply(q, r)), Axiom(Predicate("q", x), p))
    domain = Domain("d", predicates=(Predicate("p", x), Predicate("q", x), Predicate("r", x)), axioms=rules)
    with pytest.raises(ParseError, match=r"'p' depends on its own negation: p needs \(not \(q \?x\)\), q needs p"):
        Task(domain, Problem("p", "d"))


@settings(max_examples=at_most(60), deadline=None)
@given(st.integers(0, 10**9))
def test_the_world_after_an_action_is_the_world_of_its_state(seed: int) -> None:
    """Along a plan the tables of facts are carried over, where an action leaves them as they are."""
    any_task = random_task(Random(seed))
    semantics, random = Semantics(any_task), Random(seed)
    state = semantics.initial
    for _ in range(6):
        if not (actions := semantics.applicable(state)):
            break
        state = semantics.apply(state, random.choice(actions))
        carried, made = semantics.world(state), Semantics(any_task).world(state)
        for predicate in any_task.domain.predicates:
            assert carried.facts(predicate.name).tuples == made.facts(predicate.name).tuples
