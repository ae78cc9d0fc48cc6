"""All faults of a game: those that its compiler finds, levels that nobody can play, rules that go round without end."""

from __future__ import annotations

from unpuzzle.puzzlescript.compiling.compiler import check_size, compile_text
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.playing.play import has_player
from unpuzzle.puzzlescript.playing.undoing import undoing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.puzzlescript.compiling.compiled import Compiled


def faults_of(text: str, file: str | None = None) -> Faults:
    """The faults of a game, in the order of lines."""
    check_size(text, file)
    faults = Faults(text, file)
    game = compile_text(text, faults)
    if game is not None:
        _look_at_levels(game, faults)
        for line in undoing(game, faults.tick):
            faults.warning(line, "this group of rules undoes what it does: it is cut off after 200 passes")
    faults.found.sort(key=lambda fault: (fault.line, fault.column or 0))
    return faults


def _look_at_levels(game: Compiled, faults: Faults) -> None:
    for level in game.levels:
        if level.width and not has_player(game, level.cells):
            faults.warning(level.line, "this level has no player", 1)
    if not any(level.width for level in game.levels):
        faults.error(faults.last_line, "the game has no level", 1)
