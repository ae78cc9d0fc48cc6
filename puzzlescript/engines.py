"""The engines of PuzzleScript by name: `python`, which is to be read, and `native`, which is fast."""

from __future__ import annotations

from unpuzzle.errors import UsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.puzzlescript.compiling.compiled import Compiled
    from unpuzzle.puzzlescript.playing.engine import Engine


def engine_of(name: str, game: Compiled) -> Engine:
    """Return an engine of a compiled game.

    Raises UsageError for an unknown name, DependencyMissing where the core was not compiled.
    """
    if name == "python":
        from unpuzzle.puzzlescript.playing.engine import PythonEngine

        return PythonEngine(game)
    if name == "native":
        from unpuzzle.puzzlescript.searching.native_engine import NativeEngine

        return NativeEngine(game)
    raise UsageError(f"unknown engine {name!r}: there are python and native")
