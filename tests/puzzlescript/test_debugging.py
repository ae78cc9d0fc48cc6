"""What the debugger notes: steps of turns, rules that fire in levels, and what is never there."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.reference_plays import recorded_plays
from support.script_texts import PUSH, script
from unpuzzle.base.run import Limits
from unpuzzle.puzzlescript.debugging.covering import Possible, RuleCovering, cover_level
from unpuzzle.puzzlescript.debugging.recording import COMMANDS, MOVEMENT, RIGID, RULE
from unpuzzle.puzzlescript.debugging.recording import PUSH as PUSHED
from unpuzzle.puzzlescript.debugging.showing import KeyDebugger, RuleTracing, panels_of
from unpuzzle.puzzlescript.game import game_of

TINY = Path(__file__).parents[1] / "golden" / "puzzlescript"


def _traced(text: str, inputs: str, level: str = "0") -> RuleTracing:
    tracing = RuleTracing(game_of(text, "game"), level, inputs)
    tracing.run()
    return tracing


def _line(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if part in line)


def test_a_push_has_its_steps() -> None:
    text = script(levels="p*.o")
    (turn,) = _traced(text, "r").turns
    assert [step.kind for step in turn.steps] == [PUSHED, RULE, MOVEMENT]
    rule = turn.steps[1]
    assert (rule.line, rule.direction, rule.towards, rule.late) == (_line(text, PUSH), "right", "right", False)
    assert rule.matches == ((0, 1),)
    assert [change.cell for change in rule.changes] == [1]
    assert [change.cell for change in turn.steps[2].changes] == [0, 1, 2]
    assert turn.before != turn.after


def test_a_step_is_drawn_on_the_board_before_and_after_it() -> None:
    game = game_of(script(levels="p*.o"), "game")
    debugger, position = KeyDebugger(game), game.parse(game.levels["0"])
    before, after = debugger.boards(position, "r", 0, 2)
    assert (before.rows, before.columns) == (after.rows, after.columns) == (1, 4)
    assert before != after
    with pytest.raises(IndexError):
        debugger.boards(position, "r", 0, 3)


def test_the_steps_lead_from_the_board_before_to_the_one_after() -> None:
    for play in recorded_plays():
        if play["errors"] or play["won"] is not None:
            continue
        game = game_of(play["text"], "game")
        if play["level"] >= len(game.compiled.levels) or not game.compiled.levels[play["level"]].width:
            continue
        for turn in _traced(play["text"], play["inputs"], str(play["level"])).turns:
            panels = panels_of(turn)
            assert panels[-1].cells == turn.after, play["name"]
            if not turn.ends:
                assert not any(panels[-1].moves) or turn.steps[-1].kind != MOVEMENT


@pytest.mark.parametrize(
    ("name", "inputs", "ends"),
    [
        ("cancel", "rr", ["", "cancel"]),
        ("restart", "rrr", ["", "", "restart"]),
        ("player_must_move", "l", ["no player moved"]),
        ("again", "x", ["again", "again", ""]),
    ],
)
def test_turns_end_as_commands_say(name: str, inputs: str, ends: list[str]) -> None:
    tracing = _traced((TINY / f"{name}.txt").read_text(), inputs)
    assert [turn.ends for turn in tracing.turns] == ends
    assert tracing.lines()


def test_rigid_bodies_that_are_stopped_take_all_back() -> None:
    tracing = _traced((TINY / "rigid_body.txt").read_text(), "r")
    (turn,) = tracing.turns
    assert [step.kind for step in turn.steps if step.kind in (RULE, RIGID)] == [RULE, RULE, RULE, RIGID]
    assert turn.before == turn.after
    assert any("taken back" in line for line in tracing.lines())


def test_commands_are_told_as_they_are_written() -> None:
    rules = f"{PUSH} sfx2 again\n[ Player | Target ] -> message Nearly (there)"
    tracing = _traced(script(rules, levels="p*.o"), "rr")
    commands = [step.commands for turn in tracing.turns for step in turn.steps if step.kind == COMMANDS]
    assert ("sfx2", "again") in commands
    tracing = _traced(script(rules, levels="po.*"), "x")
    commands = [step.commands for turn in tracing.turns for step in turn.steps if step.kind == COMMANDS]
    assert commands == [("message Nearly (there)",)]


def test_boards_are_printed_as_levels_are_written() -> None:
    game = game_of(script(levels="p*.o"), "game")
    tracing = game.trace("0", "rl!")
    tracing.run()
    assert tracing.lines() == ["start", "p*.o", "1: r", ".p*o", "2: l", "p.*o", "3: !", "p*.o"]
    tracing = game.trace("0", "u")
    tracing.run()
    assert tracing.lines() == ["start", "p*.o", "1: u  nothing changes"]


def test_undo_has_no_turn() -> None:
    tracing = _traced(script(levels="p*..o"), "rz")
    assert [turn.input for turn in tracing.turns] == [1]
    assert "2: z" in tracing.lines()


# ---- which rules fire


def test_rules_that_fire_in_some_and_in_all_solutions() -> None:
    rules = f"{PUSH}\n[ action Player | Crate ] -> [ Player | ]\nlate [ Player | Wall ] -> [ Player | Wall ] sfx1"
    text = script(rules, levels="p*o")
    row = cover_level(game_of(text, "game"), "0")
    assert row.whole
    push, wipe = _line(text, PUSH), _line(text, "action Player")
    assert row.in_some == (push, wipe)
    assert row.in_all == ()  # where there are no crates all of them are on targets
    assert row.fired == (push, wipe)
    assert row.conditions == (False,)


def test_what_never_fires_and_is_never_there_is_said() -> None:
    text = script(f"{PUSH}\n[ > Player | Player ] -> [ Player | ]", levels="p*.o\n....")
    covering = RuleCovering(game_of(text, "game"))
    covering.run()
    coverage = covering.coverage()
    assert coverage.whole
    assert coverage.never == (_line(text, "| Player ]"),)
    assert coverage.absent == ("wall",)
    assert "    never fires" in covering.lines()


def test_what_was_not_seen_is_not_said_to_be_never() -> None:
    text = script(
        f"{PUSH}\n[ > Player | Target ] -> [ > Player | Wall ]\n[ Wall | Wall ] -> [ Wall | ]", levels="p...*..o"
    )
    covering = RuleCovering(game_of(text, "game"), max_states=1)
    covering.run()
    coverage = covering.coverage()
    assert not coverage.whole
    assert coverage.never == ()
    assert coverage.not_seen == (_line(text, PUSH), _line(text, "| Target ]"), _line(text, "[ Wall | Wall ]"))
    assert coverage.not_seen_objects == ("wall",)
    assert any("was not seen to fire" in line for line in covering.lines())


def test_what_is_impossible_is_said_of_levels_that_are_too_large_too() -> None:
    text = script(f"{PUSH}\n[ Wall ] -> [ Target ]", levels="p...*..o")
    covering = RuleCovering(game_of(text, "game"), max_states=1)
    covering.run()
    coverage = covering.coverage()
    assert coverage.never == (_line(text, "[ Wall ] ->"),)
    assert coverage.absent == ("wall",)


def test_levels_that_begin_solved() -> None:
    covering = RuleCovering(game_of(script(levels="p@o\n\np*o", legend="@ = Crate and Target"), "game"))
    covering.run()
    assert covering.coverage().begin_solved == ("0",)


def test_a_level_without_all_others_proves_nothing_of_the_game() -> None:
    covering = RuleCovering(game_of(script(levels="p.o\n\np*.o"), "game"), {"0": ""})
    covering.run()
    assert covering.rows[0].whole
    assert not covering.coverage().whole
    assert covering.coverage().never == ()


def test_chance_and_limits_are_said() -> None:
    row = cover_level(game_of(script("random [ > Player ] -> [ ]"), "game"), "0")
    assert not row.whole
    assert "is random" in row.reason
    row = cover_level(game_of(script(levels="p*.o"), "game"), "0", limits=Limits(time=1e-9))
    assert not row.whole
    assert row.reason


def test_what_happens_is_possible() -> None:
    for play in recorded_plays():
        if play["errors"]:
            continue
        game = game_of(play["text"], "game")
        if play["level"] >= len(game.compiled.levels) or not game.compiled.levels[play["level"]].width:
            continue
        possible = Possible(game.compiled)
        for turn in _traced(play["text"], play["inputs"], str(play["level"])).turns:
            assert all(not cell & ~possible.objects for cell in turn.after), play["name"]
            assert {step.line for step in turn.fired} <= possible.lines, play["name"]
