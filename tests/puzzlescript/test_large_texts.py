"""Texts far larger than any game: they are read in a time that grows with their length, and within the limits."""

from __future__ import annotations

from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.limited import Called
from support.script_texts import PUSH, script
from unpuzzle.base.errors import ParseError
from unpuzzle.cli import main
from unpuzzle.puzzlescript.compiling import compiler, names
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.compiling.rule_text import Loop
from unpuzzle.puzzlescript.compiling.text import MOST_COMPARED
from unpuzzle.puzzlescript.files import faults_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MANY = 3_000


def lines(unit: str, number: int = MANY) -> str:
    """So many lines, in which `{n}` is their number."""
    return "\n".join(unit.format(n=n) for n in range(number))


TEXTS = {
    "prelude": (script(prelude=lines("title {n}")), 2),
    "objects": (script().replace("LEGEND", lines("Thing{n}\nred\n") + "\nLEGEND", 1), 1),
    "legend": (script(legend=lines("Thing{n} = Crate or Wall")), 1),
    "sounds": (script().replace("SOUNDS\n", "SOUNDS\n" + lines("player move {n}") + "\n"), 2),
    "rules": (script(rules=lines("[ > Player | Crate ] -> cancel")), 1),
    "wins": (script(wins=lines("all Crate on Target")), 2),
    "levels": (script(levels=lines("p*o\n")), 2),
    "messages": (script(levels=lines("message {n}") + "\n\np*o"), 2),
}
"""Texts with many lines of one kind, and how often in so many lines the limits are looked at, at least."""


@pytest.mark.parametrize("kind", TEXTS)
def test_limits_are_looked_at_while_a_text_is_compiled(kind: str) -> None:
    text, often = TEXTS[kind]
    looks = count()
    with suppress(ParseError), Called(lambda: next(looks)):
        compile_game(text)
    assert next(looks) >= often * (MANY - 300)


class LateError(Exception):
    """The time is up."""


@pytest.mark.parametrize("last", [0, 5, MANY - 300])
@pytest.mark.parametrize("kind", TEXTS)
def test_compiling_ends_wherever_the_time_is_up(kind: str, last: int) -> None:
    looks = count()

    def late() -> None:
        if next(looks) > last:
            raise LateError

    with pytest.raises(LateError), Called(late):
        compile_game(TEXTS[kind][0])


@pytest.mark.parametrize("words", [["solve"], ["survey"], ["trace"]])
def test_a_command_out_of_time_while_it_reads_the_game_says_so(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = count()
    monkeypatch.setattr("unpuzzle.base.run.perf_counter", lambda: next(seconds))
    file = tmp_path / "large.txt"
    file.write_text(TEXTS["levels"][0])
    operands = {"solve": ["0"], "survey": [], "trace": ["0", "r"]}[words[0]]
    assert main([*words, str(file), *operands, "--time-limit", "5"]) == 3
    assert f"the time limit was reached while reading the game {file}" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        script(legend=lines("Thing{n} = Crte{n} and Targt{n}", 600)),
        script(legend=lines("Thing{n} = Crate", 600), wins=lines("all Crte{n} on Target", 600)),
        script(legend=lines("Thing{n} = Crate", 600), rules=lines("[ Crte{n} ] -> [ ]", 600)),
        script(rules=lines("[ Crate ] -> cncel{n}", 30_000)),
        script().replace("LEGEND", lines("Thing{n}\nrad{n}\n", 30_000) + "\nLEGEND", 1),
    ],
    ids=["legend", "wins", "rules", "commands", "colours"],
)
def test_suggestions_for_unknown_words_compare_with_a_bounded_number_of_names(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared = 0

    def counted(word: str, known: Iterable[str]) -> None:
        nonlocal compared
        compared += len(list(known))

    monkeypatch.setattr("unpuzzle.puzzlescript.compiling.text.nearest", counted)
    monkeypatch.setattr("unpuzzle.base.text.nearest", counted)
    assert faults_of(text).count["error"] > 500
    assert 0 < compared <= MOST_COMPARED


def test_names_that_stand_on_each_other_have_a_bounded_number_of_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        names, "MOST_TOLD", 5 + sum(range(2, 45))
    )  # five signs; two of the first thing, three of the next
    chained = script(
        legend="Thing0 = Crate or Wall\n" + "\n".join(f"Thing{n + 1} = Thing{n} or Crate" for n in range(99))
    )
    with pytest.raises(ParseError, match=r"the names up to thing43 mean more than 994 objects altogether"):
        compile_game(chained)
    (fault,) = faults_of(chained).listed
    assert fault.message.startswith("the names up to thing43")


def test_of_very_many_faults_only_the_number_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unpuzzle.puzzlescript.compiling.text.MOST_KEPT", 10)
    text = script(levels=lines("p?{n}", 20), prelude=lines("nothing{n}", 30))
    found = faults_of(text)
    assert found.count["error"] > 50
    assert len(found.errors()) == 10
    with pytest.raises(ParseError, match=rf"of {found.count['error']} errors; `unpuzzle lint` lists 10 of them"):
        compile_game(text)


def test_lint_says_how_many_faults_it_does_not_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("unpuzzle.puzzlescript.compiling.text.MOST_KEPT", 10)
    file = tmp_path / "wrong.txt"
    file.write_text(script(prelude=lines("nothing{n}", 30)))
    assert main(["lint", str(file)]) == 1
    assert capsys.readouterr().out.endswith("30 errors, 0 warnings, of which 10 are listed\n")


def test_a_warning_does_not_show_a_line_that_is_very_long(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "long.txt"
    file.write_text(script(rules="[ Player ] " * 1000))
    assert main(["solve", str(file), "0"]) == 3  # without that rule nobody knows
    shown = capsys.readouterr().err
    assert f"{file}: warning: a rule" in shown
    assert "a rule must have `->` between its pattern and its effect (line 39, column 1;" in shown
    assert len(shown) < 1000


def test_loops_are_found_without_going_through_all_groups() -> None:
    class Lines(list[int]):
        def __iter__(self) -> Iterator[int]:
            raise AssertionError("all groups are gone through")

    loops = [Loop(line, line % 2 == 0) for line in range(40)]
    assert compiler._jumps(Lines(range(0, 40, 2)), loops) == {}
    assert compiler._jumps(Lines(range(1, 100)), [Loop(4, True), Loop(9, False)]) == {7: 4}


def test_a_large_game_is_played_as_ever() -> None:
    game = compile_game(script(rules=PUSH, levels=lines("p*o\n")))
    assert len(game.levels) == MANY
    assert len(set(game.levels)) == MANY  # they stand on different lines
