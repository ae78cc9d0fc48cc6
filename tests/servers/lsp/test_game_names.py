"""Names in a game's text: found wherever the compiler reads them, and changed, so that the game stays the same."""

import re
from pathlib import Path

import pytest

from support.editor import Editor, Failed, applied
from support.limited import Called
from support.modules import ROOT
from support.puzzlescript_data import GAMES, lines_of, needs_games, texts
from support.thorough import some_of
from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.puzzlescript.compiling.compiler import compile_text
from unpuzzle.puzzlescript.compiling.text import FaultCollector, read_text
from unpuzzle.puzzlescript.explaining import mentions, require_same
from unpuzzle.servers.lsp.language_features import definition, highlights, references, renamable, renamed
from unpuzzle.workspace.documents import Document, Documents

GAME = """title Crate and hero
(a Crate in a comment)

========
OBJECTS
========

Background
green

Hero h (Crate)
white
00000
0...0
0...0
0...0
00000

Crate
brown

Spot
yellow

=======
LEGEND
=======

. = Background
# = Crate
@ = Crate and Spot
O = Spot
Player = Hero
Thing = CRATE or Hero

=======
SOUNDS
=======

Crate move 1
Sfx0 12 (Crate)

================
COLLISIONLAYERS
================

Background
Spot
Hero, Crate

======
RULES
======

[ > Hero | crate ] -> [ > Hero | > Crate ] sfx0 (crate)
late [Crate|Thing]->[Crate|Thing] message Crate at rest

==============
WINCONDITIONS
==============

All Spot on Crate

=======
LEVELS
=======

message the Crate h

h.#O
h@..
"""
FILES = [*sorted((ROOT / "puzzlescript" / "games").glob("*.txt")), *sorted((GAMES / "demos").glob("*.txt"))]


@pytest.fixture
def game() -> tuple[Documents, Document]:
    documents = Documents()
    return documents, documents.open("/w/game.txt", GAME)


def place(what: str) -> int:
    return GAME.index(what) + 1


def lines_at(places: list[tuple[Document, int, int]]) -> list[str]:
    return [GAME[GAME.rindex("\n", 0, start) + 1 :].split("\n", maxsplit=1)[0] for _, start, _ in places]


@pytest.mark.parametrize(
    ("where", "declared"),
    [
        ("crate ] ->", ["Crate"]),
        ("CRATE or", ["Crate"]),
        ("Crate move", ["Crate"]),
        ("Crate\n\n======\nRULES", ["Crate"]),
        ("Crate\n\n=======\nLEVELS", ["Crate"]),
        ("Thing]->", ["Thing = CRATE or Hero"]),
        ("#O\n", ["# = Crate"]),
        ("h@", ["Hero h (Crate)"]),
        ("message the", []),
        ("Crate at rest", []),
        ("(crate)", []),
        ("late [", []),
        ("sfx0", []),
    ],
)
def test_where_a_name_is_declared(where: str, declared: list[str], game: tuple[Documents, Document]) -> None:
    assert lines_at(definition(*game, place(where) - (where[0] in "#h"))) == declared


def test_every_place_of_a_name(game: tuple[Documents, Document]) -> None:
    assert lines_at(references(*game, place("Crate\nbrown"))) == [
        "Crate",
        "# = Crate",
        "@ = Crate and Spot",
        "Thing = CRATE or Hero",
        "Crate move 1",
        "Hero, Crate",
        *["[ > Hero | crate ] -> [ > Hero | > Crate ] sfx0 (crate)"] * 2,
        *["late [Crate|Thing]->[Crate|Thing] message Crate at rest"] * 2,
        "All Spot on Crate",
    ]
    assert lines_at(highlights(game[1], place("h.#O") - 1)) == ["Hero h (Crate)", "h.#O", "h@.."]
    assert lines_at(references(*game, place("h.#O") - 1, declared=False)) == ["h.#O", "h@.."]


@pytest.mark.parametrize(
    ("where", "new", "why"),
    [
        ("crate ] ->", "spot", "the name spot is already used"),
        ("crate ] ->", "Player", "the name Player is already used"),
        ("crate ] ->", "LATE", "'LATE' is a reserved word of PuzzleScript and cannot be a name"),
        ("crate ] ->", "move", "is a reserved word of PuzzleScript"),
        ("crate ] ->", "two words", "is not a name"),
        ("crate ] ->", "a|b", "is not a name"),
        ("crate ] ->", "", "is not a name"),
        ("crate ] ->", "*", "in OBJECTS and COLLISIONLAYERS, a name consists of letters, digits and _"),
        ("#O\n", "wall", "in LEVELS, a name is one character"),
        ("#O\n", "v", "is a reserved word of PuzzleScript"),
        ("Player =", "Me", "every game needs the name player, so this name cannot be changed"),
        ("message the", "x", "the cursor is not on a name that can be changed"),
    ],
)
def test_a_name_with_which_the_game_would_change_is_refused(
    where: str, new: str, why: str, game: tuple[Documents, Document]
) -> None:
    with pytest.raises(UsageError, match=re.escape(why)):
        renamed(*game, place(where) - (where[0] == "#"), new)


def test_a_new_name_stands_at_every_place_and_nowhere_else(game: tuple[Documents, Document]) -> None:
    [(path, changes)] = renamed(*game, place("crate ] ->"), " Box ").items()
    assert path == "/w/game.txt"
    after = applied(GAME, changes)
    assert [line for line in after.split("\n") if "rate" in line] == [
        "title Crate and hero",
        "(a Crate in a comment)",
        "Hero h (Crate)",
        "Sfx0 12 (Crate)",
        "[ > Hero | Box ] -> [ > Hero | > Box ] sfx0 (crate)",
        "late [Box|Thing]->[Box|Thing] message Crate at rest",
        "message the Crate h",
    ]
    [changes] = renamed(*game, place("#O\n") - 1, "%").values()
    assert applied(GAME, changes) == GAME.replace("# =", "% =").replace("#O", "%O")


def test_letters_may_be_made_capitals(game: tuple[Documents, Document]) -> None:
    [changes] = renamed(*game, place("Player ="), "PLAYER").values()
    assert applied(GAME, changes) == GAME.replace("Player =", "PLAYER =")


def test_ends_of_lines_and_a_byte_order_mark_move_no_place() -> None:
    documents = Documents()
    text = "\ufeff" + GAME.replace("\n", "\r\n")
    document = documents.open("/w/game.txt", text)
    [changes] = renamed(documents, document, text.index("crate ] ->"), "Box").values()
    assert applied(text, changes).count("Box") == 11


def test_a_game_with_an_error_that_leaves_no_game_keeps_its_names() -> None:
    with pytest.raises(UsageError, match="correct its error first"):
        require_same(GAME.replace("Hero, Crate", "Hero, Crate" + " Spot" * 10_001), "spot", "goal")


def test_the_comparison_ends_within_its_time() -> None:
    def tick() -> None:
        raise LimitReached("timeout", "the time is over")

    with pytest.raises(LimitReached), Called(tick):
        require_same(GAME + "h@..\n" * 5_000, "h", "k")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_name_of_a_game_can_be_changed(path: Path) -> None:
    text = read_text(str(path))
    documents = Documents()
    document = documents.open(f"/w/{path.name}", text)
    require_changed(documents, document)


@needs_games
def test_names_of_many_games_can_be_changed_or_are_refused() -> None:
    for text in some_of([text for _, versions in sorted(texts().items()) for text in versions], 150):
        documents = Documents()
        require_changed(documents, documents.open("/w/game.txt", text), all_of_them=False)


def require_changed(documents: Documents, document: Document, *, all_of_them: bool = True) -> None:
    """Change each name of a game, and compare the compiled games by a form that has no names."""
    text = document.text
    before, refused = compiled(text), set()
    for name in dict.fromkeys(each.name for each in mentions(text)):
        glyph = next(letter for letter in "qjxz%&~§" if letter not in text.lower())
        start = next(each.start for each in mentions(text) if each.name == name)
        try:
            [changes] = renamed(documents, document, start, glyph if len(name) == 1 else f"Other_{name}").values()
        except UsageError:
            refused.add(name)
            continue
        after = applied(text, changes)
        assert compiled(after) == before
        assert name not in {each.name for each in mentions(after)}
    assert not all_of_them or refused == {"player", "background"}


def compiled(text: str) -> list[str]:
    game = compile_text(text, FaultCollector(text))
    assert game is not None
    return list(lines_of(game))


def test_an_editor_goes_to_a_declaration_and_changes_a_name(tmp_path: Path) -> None:
    with Editor(tmp_path) as editor:
        uri = editor.open(tmp_path / "game.txt", GAME)
        where = editor.at(uri, GAME, "crate ] ->")
        [declared] = editor.ask("textDocument/definition", **where)
        assert declared["range"]["start"] == {"line": GAME[: GAME.index("Crate\nbrown")].count("\n"), "character": 0}
        assert editor.ask("textDocument/prepareRename", **where)["placeholder"] == "crate"
        edit = editor.ask("textDocument/rename", **where, newName="Box")
        assert len(edit["changes"][uri]) == 11
        with pytest.raises(Failed, match="the name Spot is already used"):
            editor.ask("textDocument/rename", **where, newName="Spot")


def test_words_that_name_nothing_cannot_be_renamed(game: tuple[Documents, Document]) -> None:
    assert renamable(game[1], place("late [")) is None
    assert renamable(game[1], place("brown")) is None
