"""Pictures in files; one table maps the ending of a file name to the function that makes the file.

save(position, "level.svg")                         one position
save(position, "solution.gif", moves="ULDRR")       a position and moves: an animation, if the format has them
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from unpuzzle.base.availability import require
from unpuzzle.base.errors import UsageError
from unpuzzle.base.files import save_file
from unpuzzle.base.run import Limits, Run, current, phase
from unpuzzle.base.text import suggestion
from unpuzzle.drawing import Ground, Piece
from unpuzzle.processes.program import call_as_program
from unpuzzle.rendering import paper
from unpuzzle.rendering.scenes import Scene, Subject, picture_of
from unpuzzle.rendering.svg import END, MOVE, REST, Film, animated_svg, in_pixels, picture_svg
from unpuzzle.rendering.themes import AUTO, FONT, covers
from unpuzzle.table import load

if TYPE_CHECKING:
    from PIL.Image import Image


class Kind(NamedTuple):
    """A kind of file: the function that makes the bytes, and the modules of the extra `pictures` for that function."""

    make: Callable[[Scene], bytes]
    needs: tuple[str, ...] = ()


RESVG, PILLOW = "resvg_py", "PIL"


# Pixel pictures: PNG, GIF, animated PNG and WebP, by resvg and Pillow (the extra `pictures`).
#
# A frame is an SVG of one moment, rendered. No font of the machine is read unless a text has characters that the
# bundled font does not have, so the same picture has the same pixels everywhere. Animations have durations, since
# repeated frames are dropped, and one palette for all frames: with several palettes colours would flicker.

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
    """Return the moves of a scene as an animated picture in a format of `OPTIONS`, such as GIF."""
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
    """Raise UsageError if a picture is too large for its kind of file or for memory."""
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
    """Yield the duration in milliseconds and the pieces of each frame."""
    between = BETWEEN if moves <= FEW else 0
    step = round(1000 * MOVE / (between + 1))
    yield round(1000 * REST) if moves else 1000, film.between(0, 0)
    for move in range(moves):
        for part in range(1, between + 1):
            yield step, film.between(move, part / (between + 1))
        yield step if move + 1 < moves else round(1000 * END), film.between(move + 1, 0)


def _pictures(ground: Ground, frames: Sequence[list[Piece]], scene: Scene) -> Iterator[Image]:
    """Yield the frames as pictures with a common palette, taken from the first, middle and last frame."""
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


KINDS = {
    ".svg": Kind(lambda scene: animated_svg(scene).encode()),
    ".png": Kind(png, (RESVG,)),
    ".gif": Kind(lambda scene: animated(scene, "GIF"), (RESVG, PILLOW)),
    ".apng": Kind(lambda scene: animated(scene, "PNG"), (RESVG, PILLOW)),
    ".webp": Kind(lambda scene: animated(scene, "WEBP"), (RESVG, PILLOW)),
    ".pdf": Kind(paper.pdf, ("reportlab",)),
    ".html": Kind(lambda scene: str(load("pictures", ".html")(scene)).encode()),
}
"""The kinds, by the ending of a file's name."""


def save(
    subject: Subject,
    path: str,
    *,
    moves: str | Iterable[str] = (),
    theme: str = AUTO,
    pixels: float | None = None,
    limits: Limits | None = None,
) -> None:
    """Write a picture of a position, a task or moves into a file; an error leaves no partial file.

    The ending of the file's name gives its kind, such as `.svg`. Moves are legal ones, a sequence or a text such as
    `ULDRR`. The theme is `auto` (light or dark, as the reader prefers), `light`, `dark` or `print`; `pixels` is the
    size of a cell, by default 64, fewer on large boards. With limits, libraries draw in a separate process.

    Raises UsageError for an unknown ending or a missing folder, IllegalMove, OSError, LimitReached, and
    DependencyMissing for a missing extra.
    """
    kind = kind_of(path)
    with Run(limits, "drawing"):
        scene = Scene.of(subject, moves, theme=theme, pixels=pixels)
        data = render(scene, kind, apart=limits is not None)
    save_file(path, data)


def render(scene: Scene, kind: str, *, apart: bool = False) -> bytes:
    """Return the bytes of a picture file of a kind, such as `.svg`, that shows a scene.

    Libraries draw in a separate process if `apart`, or if the time is limited.
    """
    run = current()
    with phase("drawing"):
        run.look()
        if KINDS[kind].needs and (apart or run.end is not None or run.cpu_end is not None):
            return bytes(call_as_program(__name__, render.__name__, (scene, kind), run.doing))
        data = KINDS[kind].make(scene)
        run.look()
        return data


def kind_of(path: str, others: Iterable[str] = ()) -> str:
    """Return the kind of picture that a path's ending names, such as `.svg`, if a file of that kind can be written.

    `others` are the endings of other files that the caller writes; an error names them, too.

    Raises UsageError for an unknown ending or a missing folder, DependencyMissing for a missing extra.
    """
    kind = os.path.splitext(path)[1].lower()
    if kind not in KINDS:
        levels = f", or for levels with {', '.join(others)}" if others else ""
        what = "picture or file of levels" if others else "picture"
        reason = (
            f"'{kind}' is not a kind of {what}{suggestion(kind, (*KINDS, *others))}"
            if kind
            else "its name has no ending"
        )
        raise UsageError(f"{path}: {reason}: the name of the file must end with {', '.join(KINDS)}{levels}")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise UsageError(f"{path}: there is no folder '{folder}'")
    if KINDS[kind].needs:
        require("pictures", f"{kind} pictures need", *KINDS[kind].needs)
    return kind
