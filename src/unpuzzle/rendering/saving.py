"""Pictures in files: the ending of a file's name gives its kind, and one table has a function for each kind.

save(position, "level.svg")                         one position
save(position, "solution.gif", moves="ULDRR")       a position and moves: an animation, if the format has them
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import NamedTuple

from unpuzzle.errors import UsageError
from unpuzzle.extras import require
from unpuzzle.files import save_file
from unpuzzle.limits import Limits
from unpuzzle.planners.external.elsewhere import elsewhere
from unpuzzle.rendering import animation, paper, pixels
from unpuzzle.rendering.scenes import Scene, Subject
from unpuzzle.rendering.themes import AUTO
from unpuzzle.run import Run, current, phase
from unpuzzle.table import load
from unpuzzle.words import suggestion


class Kind(NamedTuple):
    """A kind of file: the function that makes its bytes, and the modules of the extra `pictures` that it needs."""

    make: Callable[[Scene], bytes]
    needs: tuple[str, ...] = ()


RESVG, PILLOW = "resvg_py", "PIL"
KINDS = {
    ".svg": Kind(lambda scene: animation.animated_svg(scene).encode()),
    ".png": Kind(pixels.png, (RESVG,)),
    ".gif": Kind(lambda scene: pixels.animated(scene, "GIF"), (RESVG, PILLOW)),
    ".apng": Kind(lambda scene: pixels.animated(scene, "PNG"), (RESVG, PILLOW)),
    ".webp": Kind(lambda scene: pixels.animated(scene, "WEBP"), (RESVG, PILLOW)),
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
    """Write a picture of a position or a task, or of moves from a position, into a file: as a whole, or not at all.

    The ending of the file's name gives its kind, such as `.svg`. Moves are legal ones, a sequence or a text such as
    `ULDRR`. The theme is `auto` (light or dark, as the reader prefers), `light`, `dark` or `print`; `pixels` is the
    size of a cell, by default 64, fewer on large boards. With limits, libraries draw in a process of their own.

    Raises UsageError for an unknown ending or a missing folder, IllegalMove, OSError, LimitReached, and
    DependencyMissing for a missing extra.
    """
    kind = kind_of(path)
    with Run(limits, "drawing"):
        scene = Scene.of(subject, moves, theme=theme, pixels=pixels)
        data = render(scene, kind, apart=limits is not None)
    save_file(path, data)


def render(scene: Scene, kind: str, *, apart: bool = False) -> bytes:
    """Return the bytes of a file of a kind, such as `.svg`, that shows a scene.

    Libraries draw in a process of their own if `apart`, or if the time is limited.
    """
    run = current()
    with phase("drawing"):
        run.look()
        if KINDS[kind].needs and (apart or run.end is not None or run.cpu_end is not None):
            return bytes(elsewhere(__name__, render.__name__, (scene, kind), run.doing))
        data = KINDS[kind].make(scene)
        run.look()
        return data


def kind_of(path: str, others: Iterable[str] = ()) -> str:
    """Return the kind of picture in a path, such as `.svg`, if such a file can be written.

    `others` are the endings of other files that the caller writes; an error names them, too.

    Raises UsageError for an unknown ending or a missing folder, DependencyMissing for a missing extra.
    """
    kind = os.path.splitext(path)[1].lower()
    if kind not in KINDS:
        levels = f", or for levels with {', '.join(others)}" if others else ""
        what = "picture or file of levels" if others else "picture"
        reason = (
            f"'{kind}' is not a kind of {what}{suggestion(kind, (*KINDS, *others))}" if kind else "its name has no end"
        )
        raise UsageError(f"{path}: {reason}: the name of the file ends with {', '.join(KINDS)}{levels}")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise UsageError(f"{path}: there is no folder '{folder}'")
    if KINDS[kind].needs:
        require("pictures", f"{kind} pictures need", *KINDS[kind].needs)
    return kind
