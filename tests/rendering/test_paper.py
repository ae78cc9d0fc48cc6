"""PDF: pages of positions, booklets with solutions."""

import re
from io import BytesIO
from typing import Any

import pytest

from unpuzzle import Position, find, solve
from unpuzzle.base.errors import UsageError
from unpuzzle.rendering.paper import MARGIN, SIZES, BookletEntry, Front, Paper, _grouped, booklet
from unpuzzle.rendering.saving import render
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import END, MOVE, REST
from unpuzzle.rendering.themes import COVERED, FONT, LICENCE, covers

pytest.importorskip("reportlab")


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
    with pytest.raises(UsageError, match="there is no paper size 'a5'; the sizes are a4, letter"):
        Paper("a5")


def test_it_is_drawn_in_black_and_white(monkeypatch: pytest.MonkeyPatch) -> None:
    """All colours of a page are grey: equal parts of red, green and blue."""
    monkeypatch.setattr("reportlab.rl_config.pageCompression", 0)
    data = render(Scene.of(level("sokoban", "1")), ".pdf")
    colours = set(re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", data))
    assert len(colours) > 2
    assert all(red == green == blue for red, green, blue in colours)


# ---- PNG, GIF, APNG and WebP: of the right size, with all moves, from no font but the bundled one


image = pytest.importorskip("PIL.Image")
resvg = pytest.importorskip("resvg_py")

BOXUP = find("boxup")
START = BOXUP.parse(BOXUP.levels["1"])


def opened(kind: str, moves: str = "", **how: Any) -> Any:
    return image.open(BytesIO(render(Scene.of(START, moves, pixels=20, **how), kind)))


def test_a_png_is_the_last_position() -> None:
    assert opened(".png").size == (68, 68)
    assert opened(".png", "UD").tobytes() == opened(".png").tobytes() != opened(".png", "U").tobytes()


@pytest.mark.parametrize("kind", [".gif", ".apng", ".webp"])
def test_an_animation_lasts_as_long_as_its_moves(kind: str) -> None:
    """Frames that are the same are one, which is shown longer; GIF counts hundredths of seconds."""
    found = opened(kind, "UL")
    shown = 0.0
    for frame in range(found.n_frames):
        found.seek(frame)
        found.load()
        shown += found.info["duration"]
    assert found.n_frames > 4
    assert shown == pytest.approx(1000 * (REST + 2 * MOVE + END - MOVE + 0.3), abs=300)


@pytest.mark.parametrize("kind", [".gif", ".apng", ".webp"])
def test_an_animation_begins_and_ends_where_the_moves_do(kind: str) -> None:
    found = opened(kind, "UL")
    for frame, moves in ((0, ""), (found.n_frames - 1, "UL")):
        found.seek(frame)
        still = opened(".png", moves).convert("RGB")
        difference = pytest.importorskip("PIL.ImageChops").difference(found.convert("RGB"), still)
        assert sum(difference.convert("L").histogram()[40:]) < 20


@pytest.mark.parametrize("kind", [".gif", ".apng", ".webp"])
def test_one_position_is_one_frame(kind: str) -> None:
    assert getattr(opened(kind), "n_frames", 1) == 1


def test_many_moves_have_no_frames_between() -> None:
    assert opened(".gif", "UD" * 31).n_frames <= 63


def test_themes() -> None:
    light, dark = (opened(".png", theme=theme).convert("RGB").getpixel((34, 1)) for theme in ("auto", "dark"))
    assert light == (255, 255, 255)
    assert sum(dark) < 100


def test_no_font_of_the_machine_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    real = resvg.svg_to_bytes
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **how: calls.append(how) or real(**how))
    tiles = find("sliding-tiles")
    render(Scene.of(tiles.parse("1 0\n2 3\n")), ".png")
    assert calls[0]["skip_system_fonts"] is True
    assert calls[0]["font_files"] == [FONT]


def test_text_is_there_without_fonts_of_the_machine() -> None:
    tiles = find("sliding-tiles")
    one, two = (render(Scene.of(tiles.parse(text)), ".png") for text in ("1 0\n2 3\n", "2 0\n1 3\n"))
    assert one != two


def test_the_font_has_the_characters_that_it_is_said_to_have() -> None:
    fonts = pytest.importorskip("fontTools.ttLib")
    has = set(fonts.TTFont(FONT).getBestCmap())
    assert {code for codes in COVERED for code in codes} - has <= set(range(0x2010, 0x2027)) | {0x00AD}
    assert covers("Aé→✓")
    assert not covers("世")
    with open(LICENCE, encoding="utf-8") as file:
        assert "Bitstream Vera" in file.read()
