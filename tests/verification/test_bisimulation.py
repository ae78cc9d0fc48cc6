"""same(): told by the definition on small random tasks, by renaming, and by what is known of puzzles."""

from functools import cache
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.command_line import TINY_DOMAIN, TINY_PROBLEM, run, run_json
from support.domain_faults import KINDS, planted
from support.random_tasks import random_task
from support.registry import WITH_PDDL
from support.relations import Explored
from support.renaming import renamed
from unpuzzle import same, translators
from unpuzzle.base.run import Limits
from unpuzzle.pddl import read, write
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_problem
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.verification.report import GOAL, MISSING, SILENT_GOAL

HANOI = translators.find("hanoi")
seeds = st.integers(0, 2**32)
some = settings(max_examples=30, derandomize=True, deadline=None)


def other_task(rng, task):
    """A task of the same problem and a domain with a fault, or another random task."""
    for kind in rng.sample(sorted(KINDS), 6):
        for _, domain in islice(planted(kind, task), rng.randrange(3), None):
            return Task(domain, parse_problem(write(task.problem), domain))
    return random_task(Random(rng.random()))


class Definition:
    """What it takes to tell two states apart, by the words of the definition: slow, and only for a few states."""

    def __init__(self, first, second):
        self.sides = Semantics(first), Semantics(second)
        self.parted = cache(self.parted)
        self.steps = cache(self.steps)

    def steps(self, side, state):
        semantics = self.sides[side]
        return [(semantics.cost(action), semantics.apply(state, action)) for action in semantics.applicable(state)]

    def parted(self, rounds, one, two):
        """Whether two states are told apart in so many steps."""
        if self.sides[0].solved(one) != self.sides[1].solved(two):
            return True
        if rounds == 0:
            return False
        ours, theirs = self.steps(0, one), self.steps(1, two)
        return any(
            all(cost != other or self.parted(rounds - 1, after, there) for other, there in theirs)
            for cost, after in ours
        ) or any(
            all(cost != other or self.parted(rounds - 1, here, after) for other, here in ours) for cost, after in theirs
        )

    def rounds(self, most):
        """In how many steps the two starts are told apart at the earliest; None if in more than `most`."""
        starts = self.sides[0].initial, self.sides[1].initial
        return next((rounds for rounds in range(most + 1) if self.parted(rounds, *starts)), None)


def replayed(task, steps):
    """The costs of steps of a task, and the state after them."""
    semantics = Semantics(task)
    state, costs = semantics.initial, []
    for step in steps:
        action = next(action for action in semantics.applicable(state) if str(action) == step)
        costs.append(semantics.cost(action))
        state = semantics.apply(state, action)
    return costs, semantics, state


def confirm(difference, first, second):
    """A difference is one: its steps are possible at equal costs, and then the two differ as it says."""
    costs, ours, here = replayed(first, difference.moves)
    others, theirs, there = replayed(second, difference.counterparts)
    assert costs == others
    if difference.kind == GOAL:
        assert ours.solved(here) != theirs.solved(there)
        return
    sides = ((ours, here), (theirs, there))
    (can, state), (cannot, other) = sides if difference.kind == MISSING else sides[::-1]
    action = next(action for action in can.applicable(state) if str(action) == difference.step)
    assert can.cost(action) not in {cannot.cost(each) for each in cannot.applicable(other)}


@settings(some)
@given(seeds)
def test_random_tasks_are_told_apart_as_the_definition_says_and_as_soon(seed):
    rng = Random(seed)
    first = random_task(Random(seed))
    second = other_task(rng, first)
    found = same(first, second, max_states=50)
    definition = Definition(first, second)
    if found.difference is None:
        assert definition.rounds(3 if found.exhaustive else min(3, found.depth)) is None
        return
    difference = found.difference
    confirm(difference, first, second)
    rounds = len(difference.moves) + (difference.kind != GOAL)
    if rounds <= 3:
        assert definition.rounds(rounds) == rounds


@some
@given(seeds)
def test_other_names_and_orders_change_nothing(seed):
    task = random_task(Random(seed))
    other = renamed(Random(seed), task)
    found = same(task, other, max_states=1_000)
    words = sum(len(out) for out in Explored(task, 1_000).steps)
    assert found.relation in ("renamed", "identical", *([] if words else [SILENT_GOAL])), str(found)
    assert found.states[0] == found.states[1]


@pytest.mark.parametrize("name", WITH_PDDL)
def test_the_rules_of_a_puzzle_and_its_pddl_are_the_same(name):
    for seed in range(3):
        position = translators.find(name).sample(Random(seed))
        found = same(position, renamed(Random(seed), position.task()), max_states=1_000)
        assert found.same, str(found)


# ---- limits


def test_what_is_too_large_is_compared_as_deep_as_it_was_seen():
    tiles = translators.find("sliding-tiles")
    level = tiles.parse("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15\n")
    found = same(level, level.task(), max_states=500)
    assert found.same is None
    assert not found.exhaustive
    assert found.depth >= 5
    assert "there may be more" in str(found)
    solvable = tiles.parse(f"{level}goal\n1 2 3 4\n5 6 7 8\n9 10 11 12\n0 13 14 15\n")
    found = same(level, solvable, max_states=500)  # one of them is a move from its goal, the other one two
    assert (found.difference.kind, len(found.difference.moves)) == (GOAL, 1)


@some
@given(seeds, st.integers(1, 40))
def test_a_difference_that_is_seen_early_is_one(seed, most):
    first = random_task(Random(seed))
    second = other_task(Random(seed), first)
    early = same(first, second, max_states=most)
    if early.difference is not None:
        confirm(early.difference, first, second)
    elif early.exhaustive:
        assert same(first, second).relation == early.relation != "different"


def test_without_time_nothing_is_claimed():
    level = HANOI.parse(HANOI.levels["3"])
    found = same(level, level, limits=Limits(1e-9))
    assert (found.same, found.status) == (None, "timeout")
    assert not found.exhaustive
    with pytest.raises(ValueError, match="max_states must be at least 1, not 0"):
        same(level, level, max_states=0)


# ---- the command


@pytest.fixture
def tiny(tmp_path):
    def path(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    files = [path("d.pddl", TINY_DOMAIN), path("p.pddl", TINY_PROBLEM)]
    task = renamed(Random(0), read(*files))
    return files, [path("d2.pddl", write(task.domain)), path("p2.pddl", write(task.problem))], path


def test_the_command_says_yes(tiny, capsys):
    first, second, _ = tiny
    code, answer = run_json(capsys, "diff", *first, *second)
    assert code == 0
    assert answer == {
        "schema": "unpuzzle/same/1", "status": "complete", "same": True, "relation": "renamed",
        "bijection": answer["bijection"],
        "exhaustive": True, "states": 2, "transitions": 1, "second_states": 2, "second_transitions": 1,
        "depth": None, "difference": None,
    }  # fmt: skip
    assert run(capsys, "diff", *first, *second)[1].startswith(
        "renamed, the same up to names: 2 states with 1 transition and"
    )
    assert len(answer["bijection"]["actions"]) == len(answer["bijection"]["predicates"]) - 1 == 1
    assert run_json(capsys, "diff", *first, *first)[1]["relation"] == "identical"


def test_the_command_says_no_and_where(tiny, capsys):
    first, _, path = tiny
    other = path("d3.pddl", TINY_DOMAIN.replace("(and (not (here)) (there))", "(there)"))
    code, answer = run_json(capsys, "diff", *first, other, first[1])
    assert (code, answer["same"]) == (1, False)
    assert answer["difference"] == {
        "moves": ["(go)"], "counterparts": ["(go)"], "kind": "superfluous step",
        "first": "no step is possible", "second": "(go) is possible, for 1",
    }  # fmt: skip
    _, out, _ = run(capsys, "diff", *first, other, first[1])
    assert "the two differ after 1 step\n  (go)  ~  (go)\n" in out
    assert "there, in the first:\n  (there)\nand in the second:\n  (there)\n" in out


def test_a_part_is_no_answer_unless_it_is_asked_for(tmp_path, capsys):
    """Two 15-puzzles, of which one is unsolvable: nobody can look at all states of either."""
    tiles, files = translators.find("sliding-tiles"), []
    for number, last in enumerate(("13 14 0 15", "14 13 0 15")):
        task = tiles.parse(f"0 2 3 4\n5 6 7 8\n9 10 11 12\n{last.replace('0', '1')}\n").task()
        for name, text in (("d", write(task.domain)), ("p", write(task.problem))):
            files.append(str(tmp_path / f"{name}{number}.pddl"))
            (tmp_path / f"{name}{number}.pddl").write_text(text)
    code, answer = run_json(capsys, "diff", *files, "--max-states", "200")
    assert (code, answer["same"], answer["exhaustive"], answer["status"]) == (3, None, False, "gave_up")
    code, out, err = run(capsys, "diff", *files, "--max-states", "200")
    assert code == 3
    assert out.startswith("with equal names they differ: at the start, ")
    assert out.splitlines()[1].startswith("up to names, no difference found in ")
    assert err == (
        "unpuzzle: undecided: there are more states than 200; --max-states compares more, --partial accepts a part\n"
    )
    code, answer = run_json(capsys, "diff", *files, "--max-states", "200", "--partial")
    assert (code, answer["same"], answer["status"]) == (0, None, "gave_up")
    code, answer = run_json(capsys, "diff", *files, "--time-limit", "0.0001", "--partial")
    assert (code, answer["same"], answer["status"]) == (3, None, "timeout")


def test_exactly_as_many_states_as_the_limit_are_all(tiny, capsys):
    first, second, _ = tiny
    assert run_json(capsys, "diff", *first, *second, "--max-states", "2")[0] == 0
    assert run_json(capsys, "diff", *first, *second, "--max-states", "1")[0] == 3


def test_the_command_refuses(tiny, capsys):
    first, second, path = tiny
    assert run(capsys, "diff", *first, *second, "--max-states", "0")[0] == 2
    assert run(capsys, "diff", *first, second[0])[0] == 2
    assert run(capsys, "diff", *first, second[0], first[1])[0] == 2  # a problem of another domain
    assert run(capsys, "diff", *first, path("no.pddl", "("), first[1])[0] == 2
