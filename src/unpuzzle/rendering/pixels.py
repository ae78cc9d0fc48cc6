"""Pixel pictures: PNG, GIF, animated PNG and WebP, by resvg and Pillow (the extra `pictures`).

A frame is an SVG of one moment, rendered. No font of the machine is read unless a text has characters that the bundled
font lacks, so the same picture has the same pixels everywhere. Animations have durations, since repeated frames are
dropped, and one palette for all frames: with several palettes colours would flicker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any, cast

from unpuzzle.drawing import Ground, Piece
from unpuzzle.errors import UsageError
from unpuzzle.extras import require
from unpuzzle.rendering.animation import END, MOVE, REST, Film
from unpuzzle.rendering.fonts import FONT, covers
from unpuzzle.rendering.scenes import Scene, picture_of
from unpuzzle.rendering.svg import in_pixels, picture_svg
from unpuzzle.rendering.themes import AUTO

if TYPE_CHECKING:
    from PIL.Image import Image


BETWEEN = 3
"""The frames of a move before its last one, if there are at most `FEW` moves."""
FEW = 60
MOST = 64_000_000
"""The most pixels of a picture; each takes up to ten bytes of memory while it is drawn."""
MOST_OF_ALL = 2_000_000_000
"""The most pixels of all frames of an animation together; each is kept as a byte."""
SIDES = {"GIF": 65_535, "WEBP": 16_383}
"""The most pixels of a side, by the kind of file."""
OPTIONS: dict[str, dict[str, Any]] = {"GIF": {"optimize": False}, "PNG": {}, "WEBP": {"lossless": True, "method": 4}}
"""The options for Pillow, by the kind of animation."""


def png(scene: Scene) -> bytes:
    ground, pieces = picture_of(scene.subjects[-1], scene.subjects[-2] if scene.moves else None)
    _require_room(ground, scene, "PNG")
    return _png(ground, pieces, scene)


def animated(scene: Scene, kind: str) -> bytes:
    """Return the moves of a scene as an animated picture of a kind in `OPTIONS`."""
    film = Film.of(scene)
    durations, frames = zip(*_moments(film, len(scene.moves)), strict=True)
    _require_room(film.ground, scene, kind, len(frames))
    first, *others = _pictures(film.ground, frames, scene)
    more = {"save_all": True, "append_images": others, "duration": [*durations]} if scene.moves else {}
    if kind == "GIF":
        more["palette"] = bytes(first.getpalette() or ())  # otherwise Pillow repeats it for every frame
    file = BytesIO()
    first.save(file, kind, loop=0, **more, **OPTIONS[kind])
    return file.getvalue()


def _require_room(ground: Ground, scene: Scene, kind: str, frames: int = 1) -> None:
    """Raise UsageError for a picture too large for its kind of file or for the memory of machines."""
    width, height = map(round, in_pixels(ground, scene.pixels))
    why = ""
    if max(width, height) > SIDES.get(kind, width + height):
        why = f"a side of {kind} has at most {SIDES[kind]:,} pixels"
    elif width * height > MOST:
        why = f"a picture has at most {MOST:,} pixels"
    elif width * height * frames > MOST_OF_ALL:
        why = f"its {frames:,} frames have at most {MOST_OF_ALL:,} pixels together"
    if why:
        raise UsageError(f"a picture of {width:,} x {height:,} pixels is too large: {why}; draw cells of fewer pixels")


def _moments(film: Film, moves: int) -> Iterator[tuple[int, list[Piece]]]:
    """Yield the frames, each with its duration in milliseconds."""
    between = BETWEEN if moves <= FEW else 0
    step = round(1000 * MOVE / (between + 1))
    yield round(1000 * REST) if moves else 1000, film.between(0, 0)
    for move in range(moves):
        for part in range(1, between + 1):
            yield step, film.between(move, part / (between + 1))
        yield step if move + 1 < moves else round(1000 * END), film.between(move + 1, 0)


def _pictures(ground: Ground, frames: Sequence[list[Piece]], scene: Scene) -> Iterator[Image]:
    """Yield the frames as pictures with one palette, taken from the first, the middle and the last of them."""
    require("pictures", "animations in pixels need", "PIL")
    image = import_module("PIL.Image")

    def draw(frame: Iterable[Piece]) -> Image:
        return cast("Image", image.open(BytesIO(_png(ground, frame, scene))).convert("RGB"))

    samples = [draw(frames[number]) for number in {0, len(frames) // 2, len(frames) - 1}]
    sheet = image.new("RGB", (samples[0].width, sum(picture.height for picture in samples)))
    for number, picture in enumerate(samples):
        sheet.paste(picture, (0, number * picture.height))
    palette = sheet.quantize(255, dither=image.Dither.NONE)
    for frame in frames:
        yield draw(frame).quantize(palette=palette, dither=image.Dither.NONE)


def _png(ground: Ground, pieces: Iterable[Piece], scene: Scene) -> bytes:
    theme = "light" if scene.theme == AUTO else scene.theme
    text = picture_svg(ground, pieces, theme=theme, pixels=scene.pixels)
    require("pictures", "pictures in pixels need", "resvg_py")
    resvg = import_module("resvg_py")
    return bytes(resvg.svg_to_bytes(svg_string=text, font_files=[FONT], skip_system_fonts=covers(text)))
