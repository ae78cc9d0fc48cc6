"""check() sees where a `_key` takes two positions for one: on bundled puzzles, whatever their keys leave out.

For each mutation of a puzzle's key, the right puzzle is walked through: where two positions have different facts and
equal mutated keys, `check` must say that it is different, with both ways; where there are none, that it is the same.
"""

from __future__ import annotations

from random import Random

import pytest

from support.command_line import run, run_json
from support.key_mutations import mutations
from support.registry import EVERY_KIND, WITH_MOVES
from support.switches import Forgets, Switch
from support.thorough import THOROUGH, some_of
from unpuzzle import check, replay, translators
from unpuzzle.checking.report import ATOMS, MERGED
from unpuzzle.errors import UnpuzzleError
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.spaces.by_rules import reachable_by_rules

MOST_STATES, STATES = 5_000, 400
"""Levels of so many positions are walked through; by default smaller ones. Of the larger ones each mutation is tried
on one, the next mutation on the next."""


def levels(game, most):
    """Positions whose every move is soon seen, with all that can be reached from them."""
    starts = [game.parse(text, name) for name, text in game.levels.items()]
    for start in [*starts, *[game.sample(Random(seed)) for seed in range(6)]]:
        space = reachable_by_rules(start, max_states=most)
        if space.complete:
            yield start, space.positions


def apart(positions, mutation):
    """Whether two positions have different facts and equal mutated keys."""
    facts = {}
    return any(
        facts.setdefault(key, atoms) != atoms for key, atoms in ((mutation(key), atoms) for key, atoms in positions)
    )


def judged(monkeypatch, start, positions, mutation):
    """Whether the mutation makes positions equal that are not the same, after `check` was held to it."""
    different = apart(positions, mutation)
    with monkeypatch.context() as patch:
        right = type(start)._key
        patch.setattr(type(start), "_key", lambda position: mutation(right(position)))
        found = check(start, max_states=2 * MOST_STATES, walks=0)
    assert (found.difference is not None) == different
    if not different:
        assert found.exhaustive
        return False
    difference = found.difference
    assert (found.same, difference.kind) == (False, MERGED)
    one, other = (replay(start, moves) for moves in (difference.moves, difference.other_moves))
    assert one.legal
    assert other.legal
    assert mutation(one.position._key()) == mutation(other.position._key())
    assert one.position.atoms() != other.position.atoms()
    return True


@pytest.mark.parametrize("name", WITH_MOVES if THOROUGH else EVERY_KIND)
def test_keys_that_leave_something_out(name, monkeypatch, record_property):
    game = translators.find(name)
    told = []
    walked = list(levels(game, MOST_STATES if THOROUGH else STATES))
    large = [start for start, positions in walked if len(positions) > STATES]
    for start, positions in some_of(walked):
        with_facts = [(position._key(), position.atoms()) for position in positions]
        tried = some_of(list(mutations(start._key())), share=7)
        if start in large:
            tried = tried[large.index(start) :: len(large)]
        told += [judged(monkeypatch, start, with_facts, mutation) for _, mutation in tried]
    assert any(told)
    record_property("mutations", len(told))
    record_property("told", sum(told))


# ---- small ones


def test_a_position_that_forgets_is_no_proof():
    found = check(Forgets(1, 0))
    assert (found.same, found.exhaustive, found.difference.kind) == (False, False, MERGED)
    assert (found.difference.other_moves, found.difference.moves) == (("L",), ("L", "S"))
    assert str(found).startswith(
        "equal positions, different facts: after 1 move (L), and after 2 moves (L S)\n"
        "  rules: the two positions are equal: _key() leaves out what tells them apart\n"
        "  PDDL:  two states: first nothing holds alone, then (on) holds alone\n"
    )
    assert found.difference.picture(Forgets(1, 0)) == (
        "the position there, by the rules, after L:\n0 0\n\nthe position there, by the rules, after LS:\n0 1"
    )
    right = check(Switch(1, 0))
    assert (right.same, right.exhaustive, right.states) == (True, True, 8)


def test_the_start_may_be_taken_for_another_position():
    found = check(Forgets(0, 0))
    assert (found.difference.other_moves, found.difference.moves) == ((), ("S",))
    assert str(found).startswith("equal positions, different facts: at the start, and after 1 move (S)")


class Equal(Switch):
    """All positions in a cell are equal, and all have the facts of the switch being off."""

    def _key(self):
        return self.cell

    def facts(self):
        return [("at", f"c{self.cell}")]


def test_what_the_key_and_the_facts_forget_is_seen_by_the_text():
    """The PDDL has no switch at all; in the last cell the rules see two positions, of which one is solved."""
    text = Equal.pddl[: Equal.pddl.index(":effect (and (when (on)")] + ":effect (and)))"
    task = Task(parse_domain(text), Equal(2, 0).task().problem)
    found = check(Equal(2, 0), task=task)
    assert found.difference is not None
    assert found.difference.moves == ("L", "L", "S", "R", "R", "R")
    again = check(Equal(2, 0), task=task, max_states=3, walks=100)
    assert again.difference is not None
    assert replay(Equal(2, 0), again.difference.moves).solved


def test_facts_of_an_equal_position_are_compared_however_late(monkeypatch):
    """By the rules the facts of a position that was met before become wrong after many others were right."""

    class Worn(Switch):
        made = 0

        def apply(self, move):
            position = super().apply(move)
            type(self).made += 1
            position.worn = type(self).made > 20
            return position

        def facts(self):
            return super().facts() + ([("on",)] if getattr(self, "worn", False) and not self.on else [])

    found = check(Worn(1, 0), walks=50, max_states=3)
    assert found.difference is not None
    assert found.difference.kind == ATOMS


def test_the_command_says_no_with_both_ways(tmp_path, capsys):
    file = tmp_path / "forgets.py"
    file.write_text(
        "from support.switches import Switch\n\nclass Mine(Switch):\n    name = 'mine'\n\n"
        "    def _key(self):\n        return self.cell\n"
    )
    code, answer = run_json(capsys, "check", str(file), "1")
    assert (code, answer["same"], answer["exhaustive"]) == (1, False, False)
    assert (answer["difference"]["other_moves"], answer["difference"]["moves"]) == (["L"], ["L", "S"])
    code, _, err = run(capsys, "solve", str(file), "1", "--planner", "rules:bfs")
    assert code == 2
    assert "forgets.py:6: equal positions, different facts: after 1 move (L) nothing holds alone; after 2 moves" in err


def test_a_difference_of_another_kind_names_one_way(capsys):
    code, answer = run_json(capsys, "check", "pacman", "room")
    assert (code, answer["difference"]) == (0, None)
    assert check(Switch(1, 0), task=Switch(2, 0).task()).difference.other_moves is None
    with pytest.raises(UnpuzzleError):
        translators.find("forgets")
