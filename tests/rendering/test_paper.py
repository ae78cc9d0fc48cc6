"""PDF: pages of positions, booklets with solutions."""

from __future__ import annotations

import re

import pytest

from unpuzzle import Position, find, solve
from unpuzzle.errors import UsageError
from unpuzzle.rendering.saving import render
from unpuzzle.rendering.scenes import Scene

pytest.importorskip("reportlab")

from unpuzzle.rendering.booklet import BookletEntry, Front, _grouped, booklet
from unpuzzle.rendering.paper import MARGIN, SIZES, Paper


def pages(data: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", data))


def box(data: bytes) -> tuple[float, ...]:
    return tuple(map(float, re.search(rb"/MediaBox \[ ?([\d. ]+)\]", data)[1].split()[2:]))  # type: ignore[index]


def level(name: str, label: str) -> Position:
    game = find(name)
    return game.parse(game.levels[label])


def entry(name: str, label: str) -> BookletEntry:
    position = level(name, label)
    return BookletEntry(position, "easy", solve(position).moves)


def test_one_position_is_one_page() -> None:
    data = render(Scene.of(level("sudoku", "32-clues")), ".pdf")
    assert data.startswith(b"%PDF-")
    assert pages(data) == 1
    assert data == render(Scene.of(level("sudoku", "32-clues")), ".pdf")


def test_moves_are_pictures_with_numbers() -> None:
    assert pages(render(Scene.of(level("boxup", "1"), "ULDRR"), ".pdf")) == 1
    assert pages(render(Scene.of(level("boxup", "1"), "UD" * 20), ".pdf")) == 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("name", "label"), [("boxup", "2"), ("sudoku", "4x4"), ("crossword", "4x4"), ("gogen", "four")]
)
def test_a_booklet_has_the_solutions_at_its_end(name: str, label: str, size: str) -> None:
    entries = [entry(name, label)] * 2
    data = booklet(entries, "Title: more", size=size)
    assert pages(data) == 2
    assert box(data) == pytest.approx(SIZES[size], abs=0.1)
    assert len(data) < 25_000


def test_entries_have_as_many_pages_as_they_need() -> None:
    assert pages(booklet([entry("boxup", "1")] * 13, "Boxup")) == 3 + 1
    assert pages(booklet([entry("crossword", "3x3")] * 3, "Crosswords")) == 2 + 1


def test_no_entry_is_alone_on_the_last_page() -> None:
    numbers = [number for *_, number in placed(7, (2, 3))]
    assert numbers == [1, 1, 1, 1, 2, 2, 2]
    assert [number for *_, number in placed(13, (2, 3))] == [1] * 5 + [2] * 4 + [3] * 4


def placed(count: int, grid: tuple[int, int]) -> list[tuple[float, float, int]]:
    paper = Paper()
    return [(x, y, paper.page) for x, y, _, _ in paper.cells(count, grid, 100)]


def test_pictures_of_the_same_height_have_the_same_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    scales: list[float] = []
    draw = Paper.picture
    monkeypatch.setattr(Paper, "picture", lambda *args: (scales.append(args[7]) if args[7:] else None, draw(*args))[1])
    wide = level("gogen", "sample")
    narrow = type(wide).parse("\n".join(str(wide).splitlines()[:12]))
    booklet([BookletEntry(one, "", None) for one in (narrow, wide)], "Gogen")
    assert scales[0] == scales[1]


def test_many_moves_leave_room_for_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[tuple[float, str]] = []
    monkeypatch.setattr(Paper, "write", lambda paper, x, y, words, *_, **__: written.append((y, words)))
    booklet([BookletEntry(level("boxup", "1"), "", "UD" * 500)], "Boxup")
    heights = {words: y for y, words in written}
    assert heights["…"] - heights["1."] < (SIZES["a4"][1] - 2 * MARGIN) / 5 / 3, "a third of a solution's room"


def test_unsolved_entries_have_no_solution() -> None:
    assert pages(booklet([BookletEntry(level("boxup", "1"), "?", None)], "Boxup")) == 1


@pytest.mark.parametrize(("front", "more"), [(Front("A. N. Author", cover=True), 1), (Front(rules="Push. " * 4000), 3)])
def test_cover_and_rules_have_pages_of_their_own(front: Front, more: int) -> None:
    entries = [BookletEntry(level("boxup", "1"), "?", None)]
    assert pages(booklet(entries, "Boxup: more", front=front)) == 1 + more


def test_moves_are_written_in_groups() -> None:
    assert _grouped(level("boxup", "1"), "ULDRRUL") == "ULDRR UL"
    assert _grouped(level("hanoi", "3"), ["AC", "AB"]) == "AC AB"


def test_clues_or_else_candidates_stand_beside_a_crossword() -> None:
    assert level("crossword", "4x4").notes()[0] == (
        "Across",
        ["1  A young bear", "4  Not many, but some", "6  What one eats", "7  Have a go"],
    )
    assert level("crossword", "3x3").notes()[1] == ("Down", ["1  BIT, PAN", "2  ARE, ICE", "3  LET, TEE, TEN"])


def test_lines_are_as_wide_as_there_is_room() -> None:
    paper = Paper()
    lines = paper.lines("some words and an endlessendlessendlessendless one", 80)
    assert len(lines) > 3
    assert "".join(lines).replace(" ", "") == "somewordsandanendlessendlessendlessendlessone"
    assert paper.lines("", 80) == []


def test_an_unknown_paper_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no paper 'a5': a4, letter"):
        Paper("a5")


def test_it_is_drawn_in_black_and_white(monkeypatch: pytest.MonkeyPatch) -> None:
    """All colours of a page are grey: equal parts of red, green and blue."""
    monkeypatch.setattr("reportlab.rl_config.pageCompression", 0)
    data = render(Scene.of(level("sokoban", "1")), ".pdf")
    colours = set(re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", data))
    assert len(colours) > 2
    assert all(red == green == blue for red, green, blue in colours)
