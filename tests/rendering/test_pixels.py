"""PNG, GIF, APNG and WebP: of the right size, with all moves, from no font but the bundled one."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest

from unpuzzle import find
from unpuzzle.rendering.animation import END, MOVE, REST
from unpuzzle.rendering.fonts import COVERED, FONT, LICENCE, covers
from unpuzzle.rendering.saving import render
from unpuzzle.rendering.scenes import Scene

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
