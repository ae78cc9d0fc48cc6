"""Random tasks and puzzles, misspelt in one place: the sentence is that for texts, and no planner is misled."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from support.lights import TOTAL, A
from support.misspelling import everything, misspelt, renamed, replaced
from support.thorough import at_most
from unpuzzle import Limits, solve, translators
from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import Semantics, lint, parse_domain, parse_problem, write
from unpuzzle.pddl.judging import soundness
from unpuzzle.pddl.nodes import And, Atom, Not, Or, Task, TypedName, When
from unpuzzle.testing.random_tasks import random_task

# The sentences are those for texts -----------------------------------------------------------------------------------


@settings(max_examples=at_most(150))
@given(st.integers(0, 10**9))
def test_a_misspelt_task_gets_the_sentence_of_its_text(seed):
    rng = Random(seed)
    task = random_task(rng)
    part = rng.choice([task.domain, task.problem])
    parents = set(map(id, task.domain.types))  # one that is declared nowhere is declared by that, in texts too
    candidates = [each for each in everything(part) if isinstance(each, Atom | TypedName) and id(each) not in parents]
    if not candidates:
        return
    old = rng.choice(candidates)
    new = renamed(rng, old) if isinstance(old, Atom) else TypedName(old.name, (misspelt(old.types[0]),))
    broken = replaced(part, old, new)
    own, other = (broken, task.problem) if part is task.domain else (copy(task.domain), broken)
    with pytest.raises(ParseError) as made:
        Task(own, other)
    text = write(broken)
    with pytest.raises(ParseError) as read:
        parse_domain(text) if part is task.domain else parse_problem(text, task.domain)
    assert made.value.message.endswith(f": {read.value.message}")
    assert "did you mean" in made.value.message or "argument" in made.value.message


@settings(max_examples=at_most(100))
@given(st.integers(0, 10**9))
def test_the_quick_look_lets_no_fault_pass(seed):
    """An argument is exchanged for any other object or variable: lint says whether that is a fault."""
    rng = Random(seed)
    task = random_task(rng)
    atoms = [each for each in everything(task.problem) if isinstance(each, Atom) and each.arguments]
    if not atoms:
        return
    old = rng.choice(atoms)
    changed = [*old.arguments]
    names = [item.name for item in (*task.domain.constants, *task.problem.objects)]
    changed[rng.randrange(len(changed))] = rng.choice([*names, "?x0", "?y0", "?p0"])
    broken = replaced(task.problem, old, Atom(old.predicate, tuple(changed)))
    faulty = any(fault.severity == "error" for fault in lint(write(task.domain), write(broken)))
    quick = soundness.vocabulary(task.domain).fits(broken)
    assert not (quick and faulty)
    try:
        Task(task.domain, broken)
    except ParseError:
        assert faulty
    else:
        assert not faulty


JUNK = ("x", "?x", "X", "", None, 3, -1, (), ("x",), A, Not(A), Not(And()), Or((A,)), When(A, A), TOTAL, TypedName("x"))


@settings(max_examples=at_most(300))
@example(425)  # a cost that depends on (total-cost)
@given(st.integers(0, 10**9))
def test_anything_anywhere_is_refused_or_understood(seed):
    rng = Random(seed)
    task = random_task(rng)
    parts = [task.domain, task.problem]
    side = rng.randrange(2)
    old = rng.choice(list(everything(parts[side])))
    parts[side] = replaced(parts[side], old, rng.choice(JUNK))
    try:
        broken = Task(*parts)
    except (ParseError, UnsupportedFeature):
        return
    assert isinstance(write(broken), tuple)
    with suppress(UnsupportedFeature):
        Semantics(broken).applicable(Semantics(broken).initial)
    statuses = {solve(broken, planner, limits=Limits(time=5)).status for planner in ("native", "reference")}
    assert "error" not in statuses


# Puzzles -------------------------------------------------------------------------------------------------------------

LEVELS = {"boxup": "1", "sliding-tiles": "8-hard", "pacman": "dots"}


@settings(max_examples=at_most(40))
@given(st.sampled_from(sorted(LEVELS)), st.sampled_from(["native", "reference"]), st.integers(0, 10**9))
def test_a_puzzle_with_a_typo_is_never_unsolvable(name, planner, seed):
    rng = Random(seed)
    kind = translators.find(name)

    class Typo(kind):
        def task(self):
            right = super().task().problem
            old = rng.choice([*right.init, *right.objects, *[each for each in everything(right) if type(each) is Atom]])
            new = renamed(rng, old) if isinstance(old, Atom) else TypedName(old.name, (misspelt(old.types[0]),))
            return Task(super().task().domain, replaced(right, old, new))

    Typo.name = kind.name
    with pytest.raises(ParseError, match=r"did you mean|takes . argument"):
        solve(Typo.parse(kind.levels[LEVELS[name]]), planner)


@pytest.mark.parametrize(("name", "level"), [(n, level) for n in LEVELS for level in translators.find(n).levels])
def test_levels_pass_at_the_first_look(name, level):
    kind = translators.find(name)
    task = kind.parse(kind.levels[level]).task()
    assert soundness.vocabulary(task.domain).fits(task.problem)
