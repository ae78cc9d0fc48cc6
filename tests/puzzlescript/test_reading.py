"""Files of games as editors write them, and files that are no games."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from support.golden import assert_golden
from support.modules import ROOT
from support.script_texts import PUSH, script
from unpuzzle import find
from unpuzzle.base.errors import ParseError
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.compiling.text import FaultyGame, text_of
from unpuzzle.puzzlescript.explaining import told
from unpuzzle.puzzlescript.files import ScriptFormat

TEXT = script(title="Caf\u00e9")


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.replace("\n", "\r\n").encode(),
        TEXT.replace("\n", "\r").encode(),
    ],
)
def test_editors_write_the_same_game_in_several_ways(data: bytes) -> None:
    assert text_of(data) == TEXT


def test_a_letter_in_another_encoding_does_not_matter(tmp_path: Path) -> None:
    file = tmp_path / "old.txt"
    file.write_bytes(TEXT.encode("latin-1"))
    game = find(str(file))
    assert (game.title, list(game.levels)) == ("Caf\ufffd", ["0"])


def test_what_is_no_text_is_refused_with_its_place() -> None:
    with pytest.raises(ParseError, match="character with the number 0") as caught:
        text_of(b"title x\n\x7fELF\0\0", "game.txt")
    assert (caught.value.file, caught.value.line, caught.value.column) == ("game.txt", 2, 5)


def test_a_game_that_is_played_in_spite_of_errors_warns() -> None:
    wrong = script(rules=f"{PUSH}\n[ > Player Plaier ] -> [ > Player ]")
    with pytest.warns(FaultyGame, match="plaier is not defined, did you mean 'player'.*column 12") as caught:
        compile_game(wrong, "game.txt")
    assert (caught[0].filename, caught[0].lineno) == ("game.txt", 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile_game(script(), "game.txt")
        compile_game(wrong)


def test_the_warning_does_not_say_what_becomes_of_the_faulty_part() -> None:
    """A win condition that begins with a wrong word is not left out: the engine takes it for `some`."""
    with pytest.warns(FaultyGame, match=r"not with al, .*the game is played in spite of it\)"):
        compile_game(script(wins="al Crate on Target"), "game.txt")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("Crate\norange", ["**crate**, an object in collision layer 3 of 3", "colours: orange", "in levels: `*`"]),
        ("Thing =", ["**thing** is any of wall, crate"]),
        ("p*o", ["`p` is player"]),
        ("Target\nPlayer, Wall", ["**target**, an object in collision layer 2 of 3", "in levels: `o`"]),
    ],
)
def test_what_a_name_or_a_glyph_is(place: str, said: list[str]) -> None:
    text = script(legend="Thing = Wall or Crate")
    found = told(text, text[: text.index(place)].count("\n") + 1, 1)
    assert found is not None
    assert [part for part in said if part not in found.text.split("\n\n")] == []


def test_the_outline_of_a_game_and_the_level_at_each_line() -> None:
    file = ROOT / "puzzlescript" / "games" / "storeroom.txt"
    text = file.read_text(encoding="utf-8")
    script, lines = ScriptFormat(), list[str]()
    game, waiting = script.game_in(text, str(file)), [*reversed(script.outline(text))]
    while waiting:
        part = waiting.pop()
        waiting += reversed(part.inside)
        lines.append(f"{part.line}-{part.end_line} {part.kind} {part.name} [{part.detail}] {part.level}".rstrip())
    lines += [f"{line}: {script.level_at(game, line)}" for line in range(1, text.count("\n") + 2)]
    assert_golden("outline-storeroom", "\n".join(lines) + "\n")
