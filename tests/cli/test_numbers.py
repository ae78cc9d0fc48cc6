"""Every option that takes a number refuses what is too small, too large or none, in a sentence, before any work."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import run, run_json
from unpuzzle.cli import COMMANDS, numbers
from unpuzzle.cli.parser import Parser, option_parser

NONSENSE = ["x", "", "nan", "inf", "-inf", "1e400", "99999999999999999999", "9" * 5000, "1e30", "--", "\x1b[2J", "٣x"]
EXTREME = [str(numbers.MOST), str(numbers.MOST + 1), "-1", "0", "-99999999999999999999", "1e-320", "0.5", "1T", "1e9"]

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
def test_no_number_is_a_fault(command: str, option: str, capsys: pytest.CaptureFixture[str]) -> None:
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
        except numbers.ArgumentTypeError:
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
def test_the_largest_numbers_work(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, *words.format(most=numbers.MOST, seed=numbers.SEEDS).split())
    assert code == 0, err


@pytest.mark.parametrize("value", ["inf", "1e30", "nan", "0", "5X", "-1", "1e-9K"])
def test_memory_limits(value: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, answer = run_json(capsys, "solve", "boxup", "1", f"--memory-limit={value}")
    assert (code, answer["status"]) == (2, "bad_input")
    assert answer["message"] == f"--memory-limit must be a size such as 500M or 4G, at most 1,048,576T, not {value}"
