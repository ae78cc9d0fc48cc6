"""What the command line refuses: bad files, wrong usage, folders and planners that are missing, limits too small."""

from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from support.command_line import run, run_json
from support.fixtures import Capsys, Monkeypatch
from support.script_texts import PUSH, script
from unpuzzle.base import outcomes as exits
from unpuzzle.cli import COMMANDS, main
from unpuzzle.cli.parser import MOST, SEEDS, Parser, option_parser
from unpuzzle.puzzlescript.game import game_of
from unpuzzle.solving import solve

BAD = [
    ("bad symbol", ["solve", "boxup", "{file}"], "@ x\nn! W!\n", 1, "x"),
    ("ragged rows", ["solve", "boxup", "{file}"], "@ . .\nn! W!\n", 2, "2"),
    ("two movers", ["solve", "boxup", "{file}"], "@ @\nn! W!\n", 1, "mover"),
    ("no goal pair", ["solve", "boxup", "{file}"], "@ .\nn W!\n", None, ""),
    ("empty file", ["solve", "boxup", "{file}"], "", None, "empty"),
    ("empty PDDL", ["plan", "{file}", "{file}"], "", None, "empty"),
    ("unbalanced", ["plan", "{file}", "{file}"], "(define (domain d)\n(:predicates (p)", None, ""),
]


@pytest.mark.parametrize(("words", "text", "line", "said"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_input(words: list[str], text: str, line: int | None, said: str, tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "input"
    file.write_text(text)
    words = [word.format(file=file) for word in words]
    code, answer = run_json(capsys, *words)
    assert code == exits.BAD_INPUT
    assert {"status", "message", "file", "line", "column"} <= set(answer)
    assert answer["status"] == "bad_input"
    assert answer["file"] == str(file)
    assert said in answer["message"]
    if line is not None:
        assert answer["line"] == line
    code, out, err = run(capsys, *words)
    assert (code, out) == (exits.BAD_INPUT, "")
    assert err.startswith("unpuzzle: ")
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["solve boxup {file}", "plan {file} {file}", "lint {file}", "check pacman {file}"])
@pytest.mark.parametrize("content", [b"\x00\xff\xfe\x80", b"\x7fELF\x02\x01\x01\x00\x00", b"caf\xe9"])
def test_binary_files(command: str, content: bytes, tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "input"
    file.write_bytes(content)
    code, answer = run_json(capsys, *command.format(file=file).split())
    assert (code, answer["status"], answer["file"]) == (2, "bad_input", str(file))


@pytest.mark.parametrize("bracket", ["(", ")", "()"])
def test_ten_megabytes_of_brackets(bracket: str, tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "input"
    file.write_text(bracket * (10_000_000 // len(bracket)))
    code, answer = run_json(capsys, "plan", str(file), str(file))
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["line"] == 1


@pytest.mark.parametrize(
    "words",
    [
        "solve boxup nosuch",
        "solve nosuch 1",
        "solve boxup 1 --planner nosuch",
        "solve boxup 1 --planner native:nosuch",
        "solve boxup 1 --planner rules:nosuch",
        "solve boxup 1 --time-limit 0",
        "solve boxup 1 --time-limit x",
        "solve boxup 1 --memory-limit 5X",
        "solve boxup",
        "solve boxup 1 --nosuch",
        "solve boxup 1 -- --nosuch",
        "solve boxup 1 --= --",
        "solve boxup 1 --planner rules:bfs --plan-file x",
        "nosuch",
        "check boxup 1 --max-states 0",
        "plan nosuch.pddl nosuch.pddl",
        "validate nosuch.pddl nosuch.pddl nosuch.txt",
        "plan /dev/null /dev/null",
    ],
)
def test_wrong_usage(words: str, capsys: Capsys) -> None:
    code, answer = run_json(capsys, *words.split())
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["message"]


def test_an_unwritable_folder(tmp_path: Path, capsys: Capsys) -> None:
    (tmp_path / "file").write_text("")
    code, answer = run_json(capsys, "pddl", "boxup", "1", "--output", str(tmp_path / "file" / "folder"))
    assert (code, answer["status"]) == (2, "bad_input")


def test_a_missing_planner_says_how_to_get_it(capsys: Capsys, monkeypatch: Monkeypatch) -> None:
    for module in ("native", "native.planner"):
        monkeypatch.setattr(f"unpuzzle.planners.{module}.missing", lambda: "install it")
    code, answer = run_json(capsys, "solve", "boxup", "1", "--planner", "native")
    assert (code, answer["message"]) == (4, "install it")
    code, answer = run_json(capsys, "solve", "boxup", "1")
    assert (code, answer["planner"], answer["cost"]) == (0, "reference", 5)


def test_a_time_limit_that_is_too_short(capsys: Capsys) -> None:
    code, answer = run_json(capsys, "solve", "boxup", "3", "--time-limit", "0.000001")
    assert (code, answer["status"], answer["plan"]) == (3, "timeout", None)


def test_a_memory_limit_that_is_too_small(capsys: Capsys) -> None:
    for planner in ("native", "reference"):
        code, answer = run_json(capsys, "solve", "boxup", "3", "--memory-limit", "1M", "--planner", planner)
        assert (code, answer["status"]) == (3, "memout")


def test_near_misses_of_configurations(capsys: Capsys) -> None:
    code, _, err = run(capsys, "solve", "boxup", "1", "--planner", "native:blid")
    assert (code, err.splitlines()[0]) == (2, "unpuzzle: unknown configuration 'native:blid', did you mean 'blind'?")


# ---- Every option that takes a number refuses what is too small, too large or none, in a sentence, before any work


NONSENSE = ["x", "", "nan", "inf", "-inf", "1e400", "99999999999999999999", "9" * 5000, "1e30", "--", "\x1b[2J", "٣x"]
EXTREME = [str(MOST), str(MOST + 1), "-1", "0", "-99999999999999999999", "1e-320", "0.5", "1T", "1e9"]

SERVING = {"mcp": ["--root", "nosuch"], "studio": ["nosuch"]}
"""Commands that would serve for ever: what they are refused for at once."""


def numeric_options() -> list[tuple[str, str]]:
    """Every command with each of its options whose value is read as something else than text."""
    found = []
    for command in COMMANDS:
        _, parser = option_parser(command, [])
        found += [(command, action.option_strings[-1]) for action in parser._actions if action.type is not None]
    return found


def words_for(command: str, option: str, value: str) -> list[str]:
    """A command line that is complete but for the option's value."""
    _, parser = option_parser(command, [])
    needed = [
        each for each in parser._actions if each.required or (not each.option_strings and each.nargs in (None, "+"))
    ]
    words = [word for action in needed for word in ([*action.option_strings[-1:], "nosuch"])]
    if command == "generate":  # it looks at the puzzle first; a folder that is not empty is refused before any work
        words = ["boxup", "--output", str(Path(__file__).parent)]
    words = SERVING.get(command, words)
    return [command, *words, f"{option}={value}"]


def test_there_are_such_options() -> None:
    found = numeric_options()
    assert {command for command, _ in found} >= {"solve", "plan", "explore", "generate", "play", "survey", "compare"}
    assert {option for _, option in found} >= {"--memory-limit", "--time-limit", "--max-states", "--pixels", "--count"}


@pytest.mark.parametrize(("command", "option"), numeric_options())
def test_no_number_is_a_fault(command: str, option: str, capsys: Capsys) -> None:
    """All else that the commands get is refused, too: the answer is always 2, and about the number if that is wrong."""
    for value in NONSENSE + EXTREME:
        code, out, err = run(capsys, *words_for(command, option, value))
        assert (code, out) == (2, ""), (value, err)
        if value in NONSENSE:
            assert f"{option} must be " in err or value == "--", (value, err)
            assert len(err.splitlines()[0]) < 300


@pytest.mark.parametrize(("command", "option"), numeric_options())
def test_what_is_accepted_is_within_what_the_core_counts(command: str, option: str) -> None:
    _, parser = option_parser(command, [])
    action = next(action for action in parser._actions if option in action.option_strings)
    assert isinstance(parser, Parser)
    assert callable(action.type)
    for value in EXTREME:
        try:
            number = action.type(value)
        except ArgumentTypeError:
            continue
        assert abs(number) < 2**63


@pytest.mark.parametrize(
    "words",
    [
        "explore boxup 1 --max-states {most}",
        "survey grass-fire 1 --max-states {most}",
        "check boxup 1 --max-states {most} --seed -{seed}",
        "compare pacman room --algorithms mouse --seeds 2 --memory-limit 1048576T --time-limit 1e9",
        "solve boxup 1 --time-limit 1e9 --memory-limit 1048576T",
        "solve sudoku 4x4 --planner backtracking --count {most}",
        "generate boxup --count 1 --candidates {most} --max-states {most} --workers 1 --seed -{seed}",
    ],
)
def test_the_largest_numbers_work(words: str, capsys: Capsys) -> None:
    code, _, err = run(capsys, *words.format(most=MOST, seed=SEEDS).split())
    assert code == 0, err


@pytest.mark.parametrize("value", ["inf", "1e30", "nan", "0", "5X", "-1", "1e-9K"])
def test_memory_limits(value: str, capsys: Capsys) -> None:
    code, answer = run_json(capsys, "solve", "boxup", "1", f"--memory-limit={value}")
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["message"] == f"--memory-limit must be a size such as 500M or 4G, at most 1,048,576T, not {value}"


# ---- A level without a player, and a game without levels: told in a sentence with the line, by every command


TOLD = "this level (line 47) has no player, and no rule does anything without one"


def game_file(tmp_path: Path, rules: str = PUSH, levels: str = "*.o") -> str:
    file = tmp_path / "game.txt"
    file.write_text(script(rules=rules, levels=levels))
    return str(file)


@pytest.mark.parametrize(
    ("words", "code"), [(["solve"], 1), (["check"], 0), (["pddl"], 0), (["trace", "rx"], 0), (["explore"], 0)], ids=str
)
def test_a_level_without_a_player_is_told(tmp_path: Path, words: list[str], code: int, capsys: Capsys) -> None:
    assert main([words[0], game_file(tmp_path), "0", *words[1:]]) == code
    told = capsys.readouterr()
    assert TOLD in told.err + told.out


def test_a_survey_tells_which_level_has_no_player(tmp_path: Path, capsys: Capsys) -> None:
    assert main(["survey", game_file(tmp_path, levels="p*o\n\n*.o")]) == 1
    assert "level 1: unsolvable: this level (line 49) has no player" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rules", "levels", "cost"),
    [
        ("[ Crate | ] -> [ | Crate ]", "*o", 1),  # rules that act without a player
        ("late [ Crate | no Player ] -> [ Crate | Player ]\n" + PUSH, "*o.", 1),  # that make one
        (PUSH, "...", 1),  # a level that any input wins
    ],
)
def test_levels_without_a_player_can_be_played_where_something_happens(rules: str, levels: str, cost: int) -> None:
    game = game_of(script(rules=rules, levels=levels), "acting")
    level = game.parse(game.levels["0"])
    assert level.impossible() is None
    result = solve(level)
    assert "no player" not in result.message
    if result.solved:
        assert result.cost == cost


def test_a_level_left_to_chance_is_not_judged() -> None:
    game = game_of(script(rules="[ Crate ] -> [ randomdir Crate ]", levels="*.o"), "chance")
    assert game.parse(game.levels["0"]).impossible() is None


@pytest.mark.parametrize("words", [["solve", "0"], ["check", "0"], ["trace", "0", "r"], ["pddl", "0"], ["survey"]])
@pytest.mark.parametrize(
    ("levels", "told"), [("", "has no levels"), ("message Hello\n\nmessage You", "only messages (from line 47 on)")]
)
def test_a_game_without_levels_is_told(
    tmp_path: Path, words: list[str], levels: str, told: str, capsys: Capsys
) -> None:
    file = game_file(tmp_path, levels=levels)
    assert main([words[0], file, *words[1:]]) == 2
    assert told in capsys.readouterr().err


def test_a_message_is_no_level(tmp_path: Path, capsys: Capsys) -> None:
    file = game_file(tmp_path, levels="message Hello\n\np*o")
    assert main(["solve", file, "0"]) == 2
    said = f"number 0 of {file} is not a level, but the message in line 47; its levels are 1"
    assert said in capsys.readouterr().err
