"""Pictures on the command line: positions as text, and files of pictures."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from itertools import zip_longest

from unpuzzle.base.errors import UsageError
from unpuzzle.base.files import save_file
from unpuzzle.base.run import phase
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import mark_colours, printable
from unpuzzle.cli.parser import has_limits
from unpuzzle.drawing import blocks, terminal
from unpuzzle.drawing.panels import Panels
from unpuzzle.drawing.picture import UPPER
from unpuzzle.model.capabilities import Pictured
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import replay
from unpuzzle.pddl_game.fact_pictures import ANSI, MOST_NODES, ObjectGraph
from unpuzzle.pddl_game.game import PicturedPosition
from unpuzzle.rendering.saving import kind_of, render
from unpuzzle.rendering.scenes import Scene, drawn_state, picture_of
from unpuzzle.rendering.themes import themes
from unpuzzle.verification.report import Difference


def pictures(puzzle: Position, moves: Iterable[str]) -> str:
    """Return pictures of the start and of the position after each legal move, each with a heading."""
    parts = [f"start\n{text_picture(puzzle)}\n"]
    for number, move in enumerate(moves, 1):
        before, puzzle = puzzle, puzzle.apply(move)
        parts.append(f"{number}. {move}\n{text_picture(puzzle, before)}\n")
    return "\n".join(parts) + "\n"


def compare_pictures(one: Position, other: Position) -> str:
    """Return two pictures, one above the other; carets mark where the second differs from the first."""
    first, second = (position.draw().rstrip().split("\n") for position in (one, other))
    lines = [*first, ""]
    for above, line in zip_longest(first, second, fillvalue=""):
        marks = "".join(" " if a == b else "^" for a, b in zip_longest(above, line, fillvalue=" ")).rstrip()
        lines += [line, *([marks] if marks else [])]
    return "\n".join(lines) + "\n"


def text_picture(position: Position, before: Position | None = None) -> str:
    """Return the picture of a position, in colours on a terminal unless `NO_COLOR` is set (https://no-color.org).

    Bitmaps become half blocks, if the terminal is wide enough. A position with its own `draw` has no colours, except
    for marks of the changes since `before` in tables of facts.
    """
    marks = before if type(position).draw_after is not Position.draw_after else None
    if not _has_colours():
        return (position.draw() if marks is None else position.draw_after(marks)).rstrip()
    if marks is not None:
        return mark_colours(position.draw_after(marks, colours=True))
    ground, pieces = picture_of(position)
    from shutil import get_terminal_size  # which loads what unpacks archives

    fits = ground.grain and ground.columns * ground.grain <= get_terminal_size().columns
    if fits and printable(UPPER, sys.stdout.encoding) == UPPER:
        full = os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit")
        return mark_colours(blocks(ground, pieces, full))
    if type(position).draw not in (Position.draw, Pictured.draw):
        return position.draw().rstrip()
    return mark_colours(terminal(ground, pieces, colours=True))


def _has_colours() -> bool:
    """Return whether standard output is a terminal with colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and sys.stdout.isatty()


def changes_in_colours(lines: Iterable[str]) -> list[str]:
    """Return the lines of a trace; on a terminal, lines that begin with `+` or `-` are coloured."""
    if not _has_colours():
        return list(lines)
    signs = {f"  {sign} ": code for sign, code in ANSI.items()}
    return [mark_colours(f"\033[{signs[line[:4]]}m{line}\033[0m") if line[:4] in signs else line for line in lines]


def picture_by_pddl(difference: Difference, puzzle: Position) -> str:
    """Return a picture of the PDDL state at a difference; empty if it equals the picture by the rules."""
    picture = None if difference.atoms is None else drawn_state(puzzle, difference.moves, difference.atoms)
    if picture is None or difference.picture(puzzle).endswith(f":\n{picture.rstrip()}"):
        return ""
    return f"\n\nthe state there, by the PDDL:\n{picture.rstrip()}"


class PictureFile(Record):
    """A file for a picture, or None if no picture is wanted, with settings such as the theme.

    Attributes:
        theme: `light`, `dark`, `print` or `auto`.
        pixels: the size of a cell; None depends on the board.
        apart: whether it is drawn in a separate process, since there are limits.
    """

    path: str | None = None
    theme: str = "auto"
    pixels: int | None = None
    apart: bool = False

    def require(self, game: Game | None = None, others: Iterable[str] = ()) -> None:
        """Raise UsageError, before any work, for an unknown theme or a file that cannot be written."""
        themes(self.theme)
        if self.path is not None and (game is None or _writer(game, self.path) is None):
            kind_of(self.path, others)

    def require_panels(self, what: str = "this") -> None:
        """Raise UsageError as `require` does, and also for a web page, which cannot show panels."""
        self.require()
        if self.path is not None and kind_of(self.path) == ".html":
            raise UsageError(
                f"{self.path}: {what} is a picture, not a page to play on: name a file of a picture, such as x.svg"
            )

    def draw(self, position: Position, moves: Iterable[str] = ()) -> str | None:
        """Draw a position and the moves from this position; return the name of the file, or None without a file."""
        if self.path is not None and (writer := _writer(position.game, self.path)) is not None:
            save_file(self.path, writer(replay(position, moves).position))
        elif self.path is not None:
            with phase("drawing"):
                self._save(Scene.of(position, moves, theme=self.theme, pixels=self.pixels))
        return self.path

    def draw_panels(self, panels: Panels) -> str | None:
        """Draw pictures side by side into the file; return the name of the file."""
        self._save(Scene((panels,), (), self.theme, self.pixels))
        return self.path

    def draw_graph(self, position: Position) -> str:
        """Draw a graph of the objects of a position; if a table of facts is drawn instead, return the reason."""
        graph = ObjectGraph(position.task())
        readable = len(graph.objects) <= MOST_NODES
        self._save(Scene((graph if readable else graph.task,), (), self.theme, self.pixels))
        if readable:
            return ""
        objects = count(len(graph.objects), "object")
        return f"{self.path} is a table of facts: a graph of {objects} cannot be read, at most {MOST_NODES} can"

    def _save(self, scene: Scene) -> None:
        assert self.path is not None
        save_file(self.path, render(scene, kind_of(self.path), apart=self.apart))


def picture_file(options: Namespace, path: str | None) -> PictureFile:
    """Return the picture file for a path, with the theme and the size that the options request."""
    looks = {name: getattr(options, name) for name in ("theme", "pixels") if hasattr(options, name)}
    return PictureFile(path, apart=has_limits(options), **looks)


def _writer(game: Game, path: str) -> Callable[[Position], bytes] | None:
    """Return the game's function that writes positions to files with this ending; None if there is none."""
    return game.writers.get(os.path.splitext(path)[1].lower())


def require_picture(position: Position) -> None:
    """Raise ParseError, with line and column, if a PDDL game describes its picture by invalid lines."""
    if isinstance(position, PicturedPosition):
        position.require_picture()
