"""What is known of the levels of a game whose text changes, and the offsets of its places."""

import pytest

from support.script_texts import script
from unpuzzle.servers.lsp.diagnosing import faults_in_full
from unpuzzle.servers.lsp.jobs import Lengths
from unpuzzle.workspace.documents import Document, Documents, Lines, applied, difference

FIRST, SECOND = "#####\n#p*o#\n#####", "######\n#p.*o#\n######"
GAME = script(levels=f"{FIRST}\n\n{SECOND}")


@pytest.mark.parametrize(
    ("text", "known"),
    [
        (GAME.replace(SECOND, FIRST), True),
        (GAME.replace(FIRST, SECOND), False),
        (GAME.replace("RULES", "RULES\n[ Crate ] -> [ Crate ]", 1), False),
    ],
)
def test_an_answer_stands_until_its_level_or_the_rules_change(text: str, known: bool) -> None:
    lengths, game = Lengths(), Document("/w/game.txt", GAME)
    levels = lengths.unknown(game)
    assert len(levels) == 2
    lengths.put(game, levels[0], {"status": "solved_optimally", "cost": 1})
    assert lengths.unknown(game) == levels[1:]
    assert lengths.get(Document("/w/game.txt", text), levels[0]) == ("1 move" if known else None)


@pytest.mark.parametrize("text", ["one\ntwo\n", "o\N{GRINNING FACE}e\ntwo\n"])
def test_each_place_has_its_offset_and_each_offset_its_place(text: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        place = lines.position(offset)
        assert lines.offset(place.line, place.column) == offset
    assert (lines.offset(-1, 2), lines.offset(0, 99), lines.offset(9, 0)) == (0, 3, len(text))


@pytest.mark.parametrize(
    "new", ["", "a\nb\nc\nd\n", "a\nx\nc\nd\n", "a\nb\nd\n", "b\nb\nc\nd\ne", "x", "a\nb\nb\nc\nd\n"]
)
def test_the_change_between_two_texts_makes_one_of_the_other_and_keeps_the_lines_around(new: str) -> None:
    old = "a\nb\nc\nd\n"
    change = difference(old, new)
    assert (change is None) == (new == old)
    assert applied(old, [change] if change else []) == new
    for number in range(3):  # a line alone is replaced alone
        lines = [f"line {each}\n" for each in range(3)]
        start, end = 7 * number, 7 * number + 7
        assert difference("".join(lines), "".join([*lines[:number], "x\n", *lines[number + 1 :]])) == (
            start,
            end,
            "x\n",
        )


def test_the_faults_of_a_game_are_those_of_its_document() -> None:
    documents, text = Documents(), GAME.replace("RULES", "RULES\n[ Plaier ] -> [ Crate ]", 1)
    game = documents.open("/w/game.txt", text)
    ((path, (fault,)),) = faults_in_full(documents, game).items()
    assert (path, fault.line) == ("/w/game.txt", text.split("\n").index("[ Plaier ] -> [ Crate ]") + 1)
