"""Files with games in PuzzleScript: read, and looked through for faults. What `translators.FILES` names."""

from __future__ import annotations

import os

from unpuzzle.puzzlescript.compiling.compiler import check_size, compile_text
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.reading import read_text
from unpuzzle.puzzlescript.game import ScriptGame
from unpuzzle.puzzlescript.playing.applying import no_limit
from unpuzzle.puzzlescript.playing.play import has_player
from unpuzzle.puzzlescript.playing.undoing import undoing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unpuzzle.pddl import Fault
    from unpuzzle.puzzlescript.compiling.compiled import Compiled


def read_game(path: str, name: str = "", tick: Callable[[], None] | None = None) -> ScriptGame:
    """Return the game of a file, by default named like it. Raises ParseError for what is no game in PuzzleScript.

    `tick` is called often, and may raise to end the work.
    """
    stem = os.path.splitext(os.path.basename(path))[0]
    return ScriptGame(read_text(path, tick), name or stem, path, tick or no_limit)


def lint_file(path: str, tick: Callable[[], None] | None = None) -> tuple[list[Fault], list[str], Mapping[str, int]]:
    """Return the faults of a file that are listed, each with its text for people, and the number of each severity."""
    from unpuzzle.pddl import Fault

    faults = faults_of(read_text(path, tick), path)
    listed = [Fault(path, fault.line, fault.column, fault.severity, fault.message) for fault in faults.found]
    return listed, [str(faults.as_error(fault, told=fault.severity)) for fault in faults.found], faults.count


def faults_of(text: str, file: str | None = None) -> Faults:
    """Return the faults of a game, in the order of lines.

    They are those that the compiler finds, levels that nobody can play, and rules that go round without end.
    """
    check_size(text, file)
    faults = Faults(text, file)
    game = compile_text(text, faults)
    if game is not None:
        _check_levels(game, faults)
        for line in undoing(game, faults.tick):
            faults.warning(line, "this group of rules undoes what it does: it is cut off after 200 passes")
    faults.found.sort(key=lambda fault: (fault.line, fault.column or 0))
    return faults


def _check_levels(game: Compiled, faults: Faults) -> None:
    for level in game.levels:
        if level.width and not has_player(game, level.cells):
            faults.warning(level.line, "this level has no player", 1)
    if not any(level.width for level in game.levels):
        faults.error(faults.last_line, "the game has no level", 1)
