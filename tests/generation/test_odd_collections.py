"""Collections of Sokoban as odd files have them: each is read right, and reads equal after it was written back."""

from __future__ import annotations

import pytest

from unpuzzle import find
from unpuzzle.generation import read_collection, write_collection

ONE, TWO = "#####\n#@$.#\n#####\n", "######\n#@ $.#\n######\n"


def in_rows(board: str) -> str:
    return board.rstrip("\n").replace("\n", "|") + "\n"


BOTH = {
    "boards alone": (f"{ONE}\n{TWO}", ["", ""], []),
    "many blank lines": (f"\n\n{ONE}\n\n\n{TWO}\n\n", ["", ""], []),
    "titles above": (f"Title: One\n{ONE}\nTitle: Two\n{TWO}", ["One", "Two"], []),
    "titles below": (f"{ONE}Title: One\n\n{TWO}Title: Two\n", ["One", "Two"], []),
    "a title below the first alone": (f"{ONE}Title: One\n\n{TWO}", ["One", ""], []),
    "a title above the second alone": (f"{ONE}\nTitle: Two\n{TWO}", ["", "Two"], []),
    "an author below the first alone": (f"{ONE}Author: Me\n\n\n{TWO}", ["", ""], []),
    "semicolons above": (f"; One\n\n{ONE}\n; Two\n\n{TWO}", ["One", "Two"], []),
    "semicolons below": (f"{ONE}; One\n\n{TWO}; Two\n", ["One", "Two"], []),
    "numbers above": (f"1\n\n{ONE}\n2\n\n{TWO}", ["1", "2"], []),
    "a comment between": (f"{ONE}Comment:\nfoo\n\n####\nComment-End:\n\n{TWO}", ["", ""], []),
    "runs of symbols": ("5#|#@$.#|5#\n\n6#|#@-$.#|6#\n", ["", ""], []),
    "rows in one line": (in_rows(ONE) + in_rows(TWO), ["", ""], []),
    "lines that end in Windows": (f"{ONE}Title: One\n\n{TWO}".replace("\n", "\r\n"), ["One", ""], []),
    "lines that end as on old Macs": (f"{ONE}\n{TWO}".replace("\n", "\r"), ["", ""], []),
    "a byte order mark": (f"\ufeff{ONE}\n{TWO}", ["", ""], []),
    "blanks behind": (f"{ONE}\n{TWO}".replace("\n", "  \n"), ["", ""], []),
    "no last line end": (f"{ONE}\n{TWO}".rstrip("\n"), ["", ""], []),
    "a head": (f":: A file ::\n\nCollection: Mine\nAuthor: Me\n\nOne\n\n{ONE}\nTwo\n\n{TWO}", ["One", "Two"], []),
    "a solution in capitals": (f"{ONE}\n{TWO}Solution: rR\n", ["", ""], ["rR"]),
    "a solution in small letters": (f"{ONE}\n{TWO}Solution:\nrr\n", ["", ""], ["rr"]),
    "a solution on two lines": (f"{ONE}\n{TWO}\nSolution (moves 2)\nr\nR\n", ["", ""], ["rR"]),
    "a solution with runs": (f"{ONE}\n{TWO}\nSolution\n2R\n", ["", ""], ["RR"]),
    "two solutions": (f"{ONE}\n{TWO}Solution/Moves: rR\nSolution/Pushes: rR\n", ["", ""], ["rR", "rR"]),
    "a game that was saved": (f"{ONE}\n{TWO}\nSnapshot\nr\n", ["", ""], []),
    "a saved game before the solution": (f"{ONE}\n{TWO}Snapshot 1: r\n\nSolution\nrR\n", ["", ""], ["rR"]),
    "a saved game below the solution": (f"{ONE}\n{TWO}Solution: rR\nSnapshot 1: r\n", ["", ""], ["rR"]),
}


@pytest.mark.parametrize("what", BOTH)
def test_two_levels_are_read_and_written_back(what: str) -> None:
    text, titles, solutions = BOTH[what]
    collection = read_collection(text)
    sokoban = find("sokoban")
    boards = [str(sokoban.parse(level.board)) for level in collection.levels]
    assert boards == [str(sokoban.parse(board)) for board in (ONE, TWO)]
    assert [level.title for level in collection.levels] == titles
    assert [[solution.moves for solution in level.solutions] for level in collection.levels] == [[], solutions]
    written = write_collection(collection)
    assert read_collection(written) == collection
    assert write_collection(read_collection(written)) == written
