"""Pictures in files: the end of a file's name says what is written, and one table says who writes it.

    save(position, "level.svg")                  one position
    save(position, "solution.gif", "ULDRR")      a position and moves: an animation, where the format has them

A **scene** is what a back-end gets: positions, the moves between them, and how they are wanted. A back-end is a
function `scene -> bytes`, named in `KINDS`, whose module is imported when it is asked for.
"""

from __future__ import annotations

import os
from importlib import import_module
from importlib.util import find_spec

from unpuzzle.errors import DependencyMissing, ParseError
from unpuzzle.limits import Deadline, ticked
from unpuzzle.puzzle.replaying import split_moves
from unpuzzle.rendering.themes import AUTO, themes
from unpuzzle.words import suggestion

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from unpuzzle.limits import Limits
    from unpuzzle.puzzle.position import Game, Position

KINDS = {
    ".svg": ("unpuzzle.rendering.animation", "rendered"),
    ".png": ("unpuzzle.rendering.pixels", "png"),
    ".gif": ("unpuzzle.rendering.pixels", "gif"),
    ".apng": ("unpuzzle.rendering.pixels", "apng"),
    ".webp": ("unpuzzle.rendering.pixels", "webp"),
    ".pdf": ("unpuzzle.rendering.paper", "pdf"),
    ".html": ("unpuzzle.playing.page", "rendered"),
}
"""By the end of a file's name: the module and the function that write such files."""
NEEDS = {
    ".png": ("resvg-py",),
    ".gif": ("resvg-py", "Pillow"),
    ".apng": ("resvg-py", "Pillow"),
    ".webp": ("resvg-py", "Pillow"),
    ".pdf": ("reportlab",),
}
"""The distributions of the extra `pictures` that a kind of file needs, and their modules."""
MODULES = {"resvg-py": "resvg_py", "Pillow": "PIL", "reportlab": "reportlab"}


class Scene:
    """What is to be shown.

    Attributes:
        positions: the first one and the one after each move.
        moves: the moves between them.
        theme: `auto`, `light`, `dark` or `print`.
        pixels: of a cell; None is as many as there is room for.
    """

    __slots__ = ("moves", "pixels", "positions", "theme")

    def __init__(
        self,
        position: Position,
        moves: Iterable[str] = (),
        theme: str = AUTO,
        pixels: float | None = None,
        tick: Callable[[], None] | None = None,
    ) -> None:
        """Play the moves. Raises IllegalMove where one is not legal, ParseError for a theme that there is not.

        `tick` is called before each move, and may raise.
        """
        themes(theme)
        self.positions = [position]
        self.moves = tuple(moves)
        for move in ticked(self.moves, tick):
            self.positions.append(self.positions[-1].apply(move))
        self.theme = theme
        self.pixels = pixels

    def __reduce__(self) -> tuple[Any, ...]:
        # Positions hold hashes, which differ from process to process: they travel as text.
        start = self.positions[0]
        return _again, (start.game, str(start), self.moves, self.theme, self.pixels)


def _again(game: Game, text: str, moves: Iterable[str], theme: str, pixels: float | None) -> Scene:
    """A scene that comes from another process."""
    return Scene(game.parse(text), moves, theme, pixels)


def save(
    position: Position,
    path: str,
    moves: str | Iterable[str] = (),
    theme: str = AUTO,
    pixels: float | None = None,
    *,
    limits: Limits | Deadline | None = None,
) -> None:
    """Write a picture of a position, or of the moves from there, into a file.

    Args:
        position: where to begin.
        path: the file; the end of its name says its kind, such as `.svg`.
        moves: legal moves from there, a sequence or a text such as `ULDRR`.
        theme: `auto` (light or dark, as the reader prefers), `light`, `dark` or `print`.
        pixels: of a cell; by default 64, fewer on large boards.
        limits: of time and memory; a library that draws then runs in a process of its own.

    Raises ParseError where the name has another end or its folder is not there, IllegalMove, OSError, LimitReached,
    and DependencyMissing where an extra has to be installed.
    """
    kind = kind_of(path)
    played = split_moves(position.game, moves) if isinstance(moves, str) else moves
    if limits is None:
        data = rendered(Scene(position, played, theme, pixels), kind)
    else:
        deadline = Deadline.of(limits, "drawing")
        data = rendered_within(Scene(position, played, theme, pixels, deadline), kind, deadline)
    with open(path, "wb") as file:
        file.write(data)


def rendered(scene: Scene, kind: str) -> bytes:
    """What a file of a kind, such as `.svg`, has to hold; what it needs is installed, as `kind_of` has found."""
    module, name = KINDS[kind]
    render: Callable[[Scene], bytes] = getattr(import_module(module), name)
    return render(scene)


def rendered_within(scene: Scene, kind: str, deadline: Deadline) -> bytes:
    """What a file of a kind has to hold, drawn within limits: by libraries in a process of their own."""
    deadline.look()
    if kind not in NEEDS:
        data = rendered(scene, kind)
        deadline.look()
        return data
    from unpuzzle.planners.external.elsewhere import elsewhere

    return bytes(elsewhere(__name__, rendered.__name__, (scene, kind), deadline, "drawing"))


def kind_of(path: str) -> str:
    """The kind of file that a path names, such as `.svg`, if it can be written.

    Raises ParseError for another end of the name or a folder that is not there, DependencyMissing for a missing extra.
    """
    kind = os.path.splitext(path)[1].lower()
    known = ", ".join(KINDS)
    if kind not in KINDS:
        what = f"'{kind}' is not a kind of picture{suggestion(kind, KINDS)}" if kind else "its name has no end"
        raise ParseError(f"{path}: {what}: the name of the file ends with {known}")
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        raise ParseError(f"{path}: there is no folder '{folder}'")
    missing = [name for name in NEEDS.get(kind, ()) if find_spec(MODULES[name]) is None]
    if missing:
        message = f"{kind} pictures need {' and '.join(missing)}: pip install 'unpuzzle[pictures]'"
        raise DependencyMissing(message, dependency=missing[0])
    return kind
