"""Groups of rules, and loops, that would go on without end: cut off like in the reference, and said with their line."""

from __future__ import annotations

import json
from pathlib import Path
from warnings import catch_warnings, simplefilter

import pytest

from support.puzzlescript_data import trace
from support.script_texts import PUSH, script
from unpuzzle import solve
from unpuzzle.cli import main
from unpuzzle.puzzlescript.files import faults_of
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.puzzlescript.rules import EndlessRules, engine_of

GROUP = f"{PUSH}\n[ left Crate ] -> [ right Crate ]\n+ [ right Crate ] -> [ left Crate ]"
LOOP = f"{PUSH}\nstartloop\n[ left Crate ] -> [ right Crate ]\n[ right Crate ] -> [ left Crate ]\nendloop"
TURNS = "[ Crate | no Crate ] -> [ no Crate | Crate ]\n+ [ no Crate | Crate ] -> [ Crate | no Crate ]"
LEVEL = "p*..o"


def line_of(text: str, start: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if line.startswith(start))


@pytest.mark.parametrize("engine", ["python", "native"])
@pytest.mark.parametrize(("rules", "loop"), [(GROUP, False), (LOOP, True)])
def test_a_trace_says_which_rules_were_cut_off(rules: str, loop: bool, engine: str) -> None:
    text = script(rules, levels=LEVEL)
    game = game_of(text, "mirror")
    played = trace(game, "0", "ur", engine_of(engine, game.compiled))
    assert played.endless == [(2, (line_of(text, "[ left Crate"), loop))]
    assert not played.capped


def test_what_is_cut_off_at_the_start_has_the_number_0() -> None:
    rules = "[ Crate | ] -> [ | Crate ]\n+ [ | Crate ] -> [ Crate | ]"
    text = script(rules, levels="p.*.", prelude="run_rules_on_level_start")
    game = game_of(text, "mirror")
    played = trace(game, "0", "", engine_of("python", game.compiled))
    assert played.endless == [(0, (line_of(text, "[ Crate"), False))]


@pytest.mark.parametrize("planner", ["puzzlescript", "native:bfs", "rules:bfs"])
def test_whoever_searches_hears_of_it(planner: str) -> None:
    text = script(GROUP, levels=LEVEL)
    game = game_of(text, "mirror", "mirror.txt")
    level = game.parse(game.levels["0"])
    with catch_warnings(record=True) as found:
        simplefilter("default")
        solve(level, planner)
    (warning,) = found
    assert (warning.filename, warning.lineno) == ("mirror.txt", line_of(text, "[ left Crate"))
    assert (warning.category, "cut off after 200 passes" in str(warning.message)) == (EndlessRules, True)


@pytest.mark.parametrize("rules", [PUSH, f"{PUSH}\n[ left Crate ] -> [ right Crate ]"])
def test_rules_that_end_are_not_warned_of(rules: str) -> None:
    game = game_of(script(rules, levels=LEVEL), "quiet")
    with catch_warnings(action="error"):
        solve(game.parse(game.levels["0"]))
    assert trace(game, "0", "rrr", engine_of("python", game.compiled)).endless == []


@pytest.mark.parametrize("rules", [GROUP, TURNS])
def test_lint_warns_where_a_group_undoes_itself(rules: str) -> None:
    text = script(rules, levels=LEVEL)
    (fault,) = faults_of(text).listed
    assert (fault.severity, "undoes what it does" in fault.message) == ("warning", True)


@pytest.mark.parametrize("rules", [PUSH, LOOP, "random [ Crate ] -> [ Wall ]\n+ [ Wall ] -> [ Crate ]"])
def test_lint_says_nothing_of_others(rules: str) -> None:
    assert faults_of(script(rules, levels=LEVEL)).listed == []


@pytest.mark.parametrize("command", ["solve", "survey", "trace", "explore"])
def test_commands_warn_with_the_line(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(GROUP, levels=LEVEL)
    file = tmp_path / "mirror.txt"
    file.write_text(text)
    arguments = {"survey": [], "trace": ["0", "r"]}.get(command, ["0"])
    main([command, str(file), *arguments])
    out, err = capsys.readouterr()
    line = line_of(text, "[ left Crate")
    if command == "trace":
        assert f"in input 1, line {line}: the group of rules that begins here does not come to an end" in out
    else:
        assert f"{file}:{line}: warning: the group of rules that begins here does not come to an end" in err


def test_json_has_what_was_cut_off(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(LOOP, levels=LEVEL)
    file = tmp_path / "mirror.txt"
    file.write_text(text)
    main(["trace", str(file), "0", "ur", "--json"])
    (loop,) = json.loads(capsys.readouterr().out)["loops"]
    assert (loop["input"], loop["line"]) == (2, line_of(text, "[ left Crate"))
    main(["solve", str(file), "0", "--json"])
    (warning,) = json.loads(capsys.readouterr().out)["warnings"]
    assert warning.startswith(f"{file}:{loop['line']}: warning: the loop that begins with this rule")
