"""Families give the answers that solving one by one gives: any starts, any goals, any number of threads."""

from __future__ import annotations

import pickle
import threading
from random import Random

import psutil
import pytest

from support.waiting import cancelling, cpu_seconds, interrupting
from unpuzzle import Limits, UsageError, solve
from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import And, Atom, Not, Or, Task
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.families import CommonGround, Family
from unpuzzle.translators.boxup import Boxup
from unpuzzle.translators.sliding_tiles import SlidingTiles


def key(answer):
    return answer.status, answer.cost, answer.plan, answer.expanded, answer.generated, answer.states


def assert_like_solve(family: Family, start, answer, goal=None) -> None:
    """The answer is that of a grounding of its own, and the plan is valid."""
    alone = solve(family._membership.member(start, goal), "native")
    assert (answer.status, answer.cost) == (alone.status, alone.cost)
    family.check(start, answer, goal)


def boxup_start(rng: Random, rows: int, columns: int) -> Boxup:
    """The goal pair anywhere, open to the north and to the west."""
    cells = [""] * (rows * columns)
    cells[rng.randrange(len(cells))] += "W!"
    cells[rng.randrange(len(cells))] += "n!"
    cells[rng.randrange(len(cells))] += "@"
    lines = [" ".join(cell or "." for cell in cells[row * columns :][:columns]) for row in range(rows)]
    return Boxup.parse("\n".join(lines))


def tiles_start(rng: Random, rows: int, columns: int) -> SlidingTiles:
    numbers = list(range(rows * columns))
    rng.shuffle(numbers)
    return SlidingTiles.parse("\n".join(" ".join(map(str, numbers[row * columns :][:columns])) for row in range(rows)))


# --- puzzles ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", [True, False], ids=["starts known", "starts unknown"])
@pytest.mark.parametrize(
    ("make", "rows", "columns", "count"),
    [(boxup_start, 4, 4, 60), (boxup_start, 2, 5, 60), (tiles_start, 2, 3, 60), (tiles_start, 3, 3, 12)],
)
def test_positions_of_a_board(make, rows, columns, count, given):
    rng = Random(rows * columns)
    positions = [make(rng, rows, columns) for _ in range(count)]
    family = Family(positions[0].task(), starts=positions if given else None)
    together = family.solve_many(positions)
    assert {answer.status for answer in together} == {"solved_optimally", "unsolvable"}
    assert max(answer.cost or 0 for answer in together) > 5
    for position, answer in zip(positions, together, strict=True):
        assert key(family.solve(position)) == key(answer)
        assert_like_solve(family, position.atoms(), answer)
        if answer.solved:
            for action in answer.actions:
                position = position.apply(position.decode(action))
            assert position.solved()


# --- random tasks -------------------------------------------------------------------------------------------------


# --- what does not fit the grounding ------------------------------------------------------------------------------

SHIP = parse_domain(
    """(define (domain ship) (:requirements :strips :typing) (:types port)
       (:predicates (at ?p - port) (way ?a ?b - port) (flag) (paint) (pretty ?p - port))
       (:action sail :parameters (?a ?b - port) :precondition (and (at ?a) (way ?a ?b) (flag))
                :effect (and (not (at ?a)) (at ?b)))
       (:action adorn :parameters (?p - port) :precondition (and (at ?p) (paint)) :effect (pretty ?p))
       (:action hoist :parameters () :precondition (paint) :effect (flag)))"""
)


def ship(init: str, goal: str = "(at c)") -> Task:
    text = f"""(define (problem p) (:domain ship) (:objects a b c - port mole)
               (:init (way a b) (way b c) {init}) (:goal {goal}))"""
    return Task(SHIP, parse_problem(text, SHIP))


def atoms(*texts: str) -> frozenset[Atom]:
    return frozenset(Atom(words[0], tuple(words[1:])) for words in map(str.split, texts))


def test_a_start_with_a_fact_that_was_out_of_reach():
    family = Family(ship("(at b) (flag)"))
    assert family.solve(atoms("at b", "flag")).cost == 1
    answer = family.solve(atoms("at a", "flag"))
    assert (answer.cost, family.groundings) == (2, 2)
    assert [str(action) for action in answer.actions] == ["(sail a b)", "(sail b c)"]


def test_a_start_without_a_fact_that_was_certain():
    family = Family(ship("(at a) (flag)"))
    assert family.solve(atoms("at a")).status == "unsolvable"
    assert family.solve(atoms("at a", "flag")).cost == 2


def test_a_start_that_violates_a_mutex_group():
    family = Family(ship("(at a) (flag)"))
    both = atoms("at a", "at b", "flag")
    assert family.solve(both).cost == 1
    assert family.solve(both, And((Atom("at", ("b",)), Atom("at", ("c",))))).cost == 2
    assert family.solve(atoms("flag")).status == "unsolvable"
    assert family.solve(atoms("flag"), Not(Atom("at", ("c",)))).cost == 0
    assert family.solve(atoms("at a", "flag")).cost == 2


def test_a_goal_that_pruning_had_dropped():
    family = Family(ship("(at a) (flag) (paint)"), varying=["paint"])
    start = atoms("at a", "flag", "paint")
    assert family.solve(start).cost == 2
    pretty = And((Atom("pretty", ("a",)), Atom("pretty", ("c",))))
    assert family.solve(start, pretty).cost == 4
    assert family.solve(start, Not(Atom("paint", ()))).status == "unsolvable"
    assert family.solve(start - atoms("paint"), Not(Atom("paint", ()))).cost == 0


def test_goals_named_first_need_no_further_grounding():
    goals = [Atom("pretty", ("b",)), Not(Atom("at", ("b",))), Or((Atom("pretty", ("a",)), Atom("at", ("b",))))]
    starts = [atoms("at a", "flag", "paint"), atoms("at b", "flag"), atoms("at c", "paint")]
    family = Family(ship("(at a) (flag) (paint)"), starts, goals, varying=["paint"])
    first = family.groundings
    answers = [family.solve(start, goal).cost for goal in goals for start in starts]
    assert answers == [2, None, None, 0, 1, 0, 1, 0, None]
    assert family.groundings == first


def test_packed_starts_survive_another_grounding():
    family = Family(ship("(at b) (flag)"))
    packed = family.pack(atoms("at b", "flag"))
    before = key(family.solve(packed))
    family.solve(atoms("at a"))
    assert family.groundings > 1
    assert key(family.solve(packed))[:2] == before[:2]


def test_packed_starts_of_another_family_are_read_anew():
    """In each family the words of a start mean something else: here the same ones stand for two ports."""
    near, far = Family(ship("(at b) (flag)")), Family(ship("(at a) (flag)"))
    start = atoms("at b", "flag")
    packed, own = far.pack(start), near.pack(start)
    assert [near.solve(each).cost for each in (start, own, packed)] == [1, 1, 1]
    assert [far.solve(each).cost for each in (start, packed, own)] == [1, 1, 1]
    copied = pickle.loads(pickle.dumps(own))
    assert near.solve(copied).cost == 1


def test_what_another_thread_has_looked_at_takes_no_facts_from_a_start():
    """Two threads that add to what was looked at may lose what the other one adds."""
    family = Family(ship("(at a) (flag)"))

    class Forgetful(type(family._membership)):
        valid = property(lambda self: frozenset(), lambda self, value: None)

    del family._membership.valid
    family._membership.__class__ = Forgetful
    start = atoms("at b", "flag", "way a b")
    assert family._membership.fluents(start) == atoms("at b", "flag")
    assert family.solve(start, validate=True).cost == 1


def test_a_caller_may_change_the_numbers_of_atoms():
    task = ship("(at a) (flag)")
    common = CommonGround(task, [frozenset(task.problem.init)], [task.problem.goal])
    numbers = {atom: number for number, (atom, _, _) in enumerate(common.start_facts)}
    parts = common.task(), common._grounding, numbers, common.actions
    family = _core.Family(*parts)
    before = family.pack(atoms("at b", "flag"))
    assert before is not None
    other = family.pack(atoms("at a", "flag"))
    for atom in numbers:
        numbers[atom] = 2**31
    assert family.pack(atoms("at b", "flag")) == before != other
    with pytest.raises(ValueError, match="has no place"):
        _core.Family(*parts)


def test_static_facts_may_be_there_or_not():
    task = ship("(at a) (flag)")
    family = Family(task)
    assert key(family.solve(frozenset(task.problem.init))) == key(family.solve(atoms("at a", "flag")))


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (atoms("way a c"), "static and false"),
        (atoms("at d"), "no object 'd'"),
        (atoms("at a b"), "takes 1 argument, but 2 are given"),
        (atoms("at mole"), r"'at' takes port, but 'mole' is of another type"),
        (atoms("fly a"), "no predicate 'fly'"),
    ],
)
def test_strangers_are_refused_in_words(start, message):
    family = Family(ship("(at a) (flag)"))
    with pytest.raises(UsageError, match=message):
        family.solve(start)
    with pytest.raises(UsageError, match=message):
        family.solve_many([atoms("at a"), start])
    with pytest.raises(UsageError, match=message):
        Family(ship("(at a)"), [start])


def test_goals_of_strangers_are_refused_in_words():
    family = Family(ship("(at a) (flag)"))
    for goal, message in [
        (Atom("fly", ("a",)), "no predicate"),
        (And((Atom("at", ("d",)),)), "no object"),
        (Not(Atom("at", ("?x",))), r"no object '\?x'"),
    ]:
        with pytest.raises(UsageError, match=message):
            family.solve(atoms("at a"), goal)


def test_derived_atoms_are_no_start():
    domain = parse_domain(
        """(define (domain d) (:predicates (p) (q)) (:derived (q) (p))
           (:action a :parameters () :precondition () :effect (p)))"""
    )
    problem = parse_problem("(define (problem x) (:domain d) (:init) (:goal (q)))", domain)
    family = Family(Task(domain, problem))
    assert family.solve(frozenset()).cost == 1
    with pytest.raises(UsageError, match="derived"):
        family.solve(atoms("q"))


# --- many at once -------------------------------------------------------------------------------------------------


def test_threads_change_nothing():
    rng = Random(3)
    positions = [boxup_start(rng, 3, 4) for _ in range(150)]
    family = Family(positions[0].task(), positions)
    answers = [[key(a) for a in family.solve_many(positions, threads=threads)] for threads in (1, 2, 7)]
    assert answers[0] == answers[1] == answers[2]
    fresh = Family(positions[0].task(), positions)
    assert [key(fresh.solve(position)) for position in reversed(positions)] == answers[0][::-1]


def test_python_threads_may_share_a_family():
    rng = Random(4)
    positions = [boxup_start(rng, 3, 3) for _ in range(50)]
    family = Family(positions[0].task(), positions)
    expected = [key(answer) for answer in family.solve_many(positions)]
    found: dict[int, list[object]] = {}

    def work(number: int) -> None:
        found[number] = [key(family.solve(position)) for position in positions]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number] == expected for number in range(4))


def test_python_threads_may_meet_new_starts_and_goals_at_once():
    starts = [atoms("at a", "flag"), atoms("at b"), atoms("at c", "flag"), atoms("at a", "at b", "flag"), atoms("flag")]
    goals = [
        Atom("at", ("c",)),
        Not(Atom("at", ("b",))),
        Atom("pretty", ("b",)),
        Or((Atom("flag"), Atom("at", ("b",)))),
    ]
    pairs = [(start, goal) for start in starts for goal in goals]
    alone = Family(ship("(at a) (paint)"), starts, goals)
    expected = {pair: (alone.solve(*pair).status, alone.solve(*pair).cost) for pair in pairs}
    for _ in range(5):
        family = Family(ship("(at a) (paint)"))
        wrong: list[object] = []

        def work(seed: int, family=family, wrong=wrong) -> None:
            mine = Random(seed).sample(pairs, len(pairs))
            for pair in mine:
                answer = family.solve(*pair)
                if (answer.status, answer.cost) != expected[pair]:
                    wrong.append((pair, answer))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert wrong == []


def test_nothing_to_solve():
    family = Family(ship("(at a)"))
    assert family.solve_many([]) == []
    with pytest.raises(ValueError, match="there are 1 goals for 0 initial states"):
        family.solve_many([], [None])


# --- limits -------------------------------------------------------------------------------------------------------

HARD = "14 13 15 7\n11 12 9 5\n6 0 2 1\n4 8 10 3\n"


@pytest.mark.parametrize("threads", [1, 2])
def test_time_limit(threads):
    level = SlidingTiles.parse(HARD)
    family = Family(level.task())
    answers = family.solve_many([level] * 40, threads=threads, limits=Limits(time=0.3))
    assert {answer.status for answer in answers} == {"timeout"}
    assert answers[-1].expanded == 0, "the limit is of all together"
    assert answers[0].plan is answers[0].actions is answers[0].cost is None
    assert family.solve(level, limits=Limits(time=0.05)).status == "timeout"


def test_memory_limit_is_of_each_search_and_the_same_for_all_threads():
    level = SlidingTiles.parse(HARD)
    family = Family(level.task())
    one, two = (
        [key(a) for a in family.solve_many([level] * 4, threads=threads, limits=Limits(memory=20_000_000))]
        for threads in (1, 2)
    )
    assert one == two
    assert {answer[0] for answer in one} == {"memout"}
    assert 50_000 < one[0][5] < 1_000_000


def test_node_budget():
    level = tiles_start(Random(1), 3, 3)
    family = Family(level.task())
    answer = family.solve(level, max_expanded=10)
    assert (answer.status, answer.expanded) == ("gave_up", 10)
    many = family.solve_many([level] * 30, max_expanded=10)
    assert {key(a) for a in many} == {key(answer)}


@pytest.mark.parametrize("threads", [1, 2])
def test_answers_from_before_a_cancel_are_kept(threads):
    """All were lost: what the core had found went with the error of the limit."""
    hard, easy = SlidingTiles.parse(HARD), SlidingTiles.parse("1 0 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15\n")
    family, limits = Family(hard.task()), Limits()
    used = cpu_seconds(psutil.Process()) + 0.5
    with cancelling(limits, lambda: cpu_seconds(psutil.Process()) > used):
        answers = family.solve_many([*[easy] * 3, *[hard] * 30], threads=threads, limits=limits)
    assert [(answer.status, answer.cost) for answer in answers[:3]] == [("solved_optimally", 1)] * 3
    assert {answer.status for answer in answers[3:]} == {"cancelled"}


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_batch(threads):
    level = SlidingTiles.parse(HARD)
    family = Family(level.task())
    used = cpu_seconds(psutil.Process()) + 0.3
    with pytest.raises(KeyboardInterrupt), interrupting(lambda: cpu_seconds(psutil.Process()) > used):
        family.solve_many([level] * 1000, threads=threads)  # without an end


def test_the_graph_is_dropped_when_it_is_of_no_use():
    """Unrelated searches one after the other: answers stay those of fresh families."""
    rng = Random(8)
    positions = [tiles_start(rng, 3, 3) for _ in range(12)]
    family = Family(positions[0].task(), positions)
    answers = [key(family.solve(position, max_expanded=20_000)) for position in positions]
    for position, answer in zip(positions, answers, strict=True):
        assert key(Family(position.task(), positions).solve(position, max_expanded=20_000))[:2] == answer[:2]


def test_packed_starts_of_values_that_do_not_exist() -> None:
    """Searches look values up in tables, so a wrong one would be read from beyond their ends."""
    level = SlidingTiles.parse(SlidingTiles.levels["3x2"])
    family = Family(level.task())
    core = family._current.core
    size = len(core.pack(level.atoms()))
    goal = core.add_goal([])
    for start in (b"\xff" * size, b"\xee" * size):
        with pytest.raises(ValueError, match="there is no such value"):
            core.solve(start, goal)
        with pytest.raises(ValueError, match="there is no such value"):
            core.solve_many(core.pack(level.atoms()) + start, [goal])
