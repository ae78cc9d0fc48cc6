"""Pictures on the command line: positions as text, and files of pictures."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Iterable
from itertools import zip_longest
from shutil import get_terminal_size

from unpuzzle.checking.report import Difference
from unpuzzle.cli.edge.delivery import mark_colours, printable
from unpuzzle.cli.parser import has_limits
from unpuzzle.drawing import blocks, terminal
from unpuzzle.drawing.panels import Panels
from unpuzzle.drawing.terminal import UPPER
from unpuzzle.errors import UsageError
from unpuzzle.files import save_file
from unpuzzle.pddl_game.game import PicturedPosition
from unpuzzle.pddl_game.picturing.graph import MOST_NODES, ObjectGraph
from unpuzzle.pddl_game.table import ANSI
from unpuzzle.puzzle.capabilities import Pictured
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.rendering.saving import kind_of, render
from unpuzzle.rendering.scenes import Scene, drawn_state, picture_of
from unpuzzle.rendering.themes import themes
from unpuzzle.run import phase
from unpuzzle.words import count


def pictures(puzzle: Position, moves: Iterable[str]) -> str:
    """Return the start and the position after each legal move, each under its heading."""
    parts = [f"start\n{text_picture(puzzle)}\n"]
    for number, move in enumerate(moves, 1):
        before, puzzle = puzzle, puzzle.apply(move)
        parts.append(f"{number}. {move}\n{text_picture(puzzle, before)}\n")
    return "\n".join(parts) + "\n"


def compare_pictures(one: Position, other: Position) -> str:
    """Return two pictures, one after the other; carets below the second show where it differs from the first."""
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
    """Return a picture of the PDDL state at a difference from the rules; empty if it looks the same."""
    picture = None if difference.atoms is None else drawn_state(puzzle, difference.moves, difference.atoms)
    if picture is None or difference.picture(puzzle).endswith(f":\n{picture.rstrip()}"):
        return ""
    return f"\n\nthe state there, by the PDDL:\n{picture.rstrip()}"


def require_output(options: Namespace, game: Game | None = None, others: Iterable[str] = ()) -> None:
    """Raise UsageError, before any work, for an unknown theme or a file that cannot be written."""
    themes(options.theme)
    if options.output is not None and (game is None or _writer(game, options.output) is None):
        kind_of(options.output, others)


def _writer(game: Game, path: str) -> Callable[[Position], bytes] | None:
    """Return what writes the position itself, instead of a picture, into a file of this ending; None for pictures."""
    return game.writers.get(os.path.splitext(path)[1].lower())


def require_picture(position: Position) -> None:
    """Raise ParseError, with its place, if a PDDL game's picture is described by invalid lines."""
    if isinstance(position, PicturedPosition):
        position.require_picture()


def require_graph(options: Namespace) -> None:
    """Raise UsageError, before any work, for a file of --graph that cannot be written or is no picture."""
    if kind_of(options.graph) == ".html":
        raise UsageError(f"{options.graph}: a graph of objects is a picture, not a page to play on")


def draw_graph(position: Position, options: Namespace) -> tuple[str, str]:
    """Draw the objects of a position into the file of --graph; return its name, and why it is a table, if it is one."""
    path = str(options.graph)
    graph = ObjectGraph(position.task())
    scene = Scene((graph if graph.readable else graph.task,), (), options.theme, options.pixels)
    save_file(path, render(scene, kind_of(path), apart=has_limits(options)))
    objects = count(len(graph.objects), "object")
    why = f"unpuzzle: {path} is a table of facts: a graph of {objects} cannot be read, at most {MOST_NODES} can"
    return path, "" if graph.readable else why


def draw_file(position: Position, moves: Iterable[str], options: Namespace) -> str | None:
    """Draw a position and the moves from there into the file of --output; return its name, or None without one."""
    if options.output is None:
        return None
    path = str(options.output)
    if (writer := _writer(position.game, path)) is not None:
        save_file(path, writer(replay(position, moves).position))
        return path
    with phase("drawing"):
        scene = Scene.of(position, moves, theme=options.theme, pixels=options.pixels)
        save_file(path, render(scene, kind_of(path), apart=has_limits(options)))
    return path


def require_panels(options: Namespace) -> None:
    """Raise UsageError, before any work, as `require_output` does, and for a page, which cannot show panels."""
    require_output(options)
    if options.output is not None:
        require_picture_file(options.output)


def require_picture_file(path: str) -> None:
    """Raise UsageError, before any work, for a file that cannot be written or is no picture."""
    if kind_of(path) == ".html":
        raise UsageError(f"{path}: this is a picture, not a page to play on")


def draw_panels(panels: Panels, path: str, options: Namespace) -> str:
    """Draw pictures side by side into a file; return its name."""
    theme, pixels = getattr(options, "theme", "auto"), getattr(options, "pixels", None)
    scene = Scene((panels,), (), theme, pixels)
    save_file(path, render(scene, kind_of(path), apart=has_limits(options)))
    return path
