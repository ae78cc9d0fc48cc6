"""A game compiled from its text, with everything computed from it; `game.ScriptGame` adds positions.

A game does not change in use. Its cached properties depend on the text alone, so two threads may use one game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.text import cut
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.pddl.nodes import Domain
from unpuzzle.planners.native.compiled import core
from unpuzzle.puzzle.capabilities import HasHeuristics
from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzle.position import Game
from unpuzzle.puzzlescript.compiling.compiled import Compiled, Rule
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.levels.listed import Glyphs, Levels
from unpuzzle.puzzlescript.levels.omitting import without_part
from unpuzzle.puzzlescript.levels.painter import Painter
from unpuzzle.puzzlescript.playing.applying import Endless, endless_message
from unpuzzle.puzzlescript.playing.engine import Engine, PythonEngine
from unpuzzle.puzzlescript.playing.states import State, StateText
from unpuzzle.puzzlescript.searching.estimates import heuristics, shortened
from unpuzzle.puzzlescript.searching.native_engine import NativeEngine, core_game
from unpuzzle.puzzlescript.searching.symmetry import Symmetry, symmetries_of

if TYPE_CHECKING:
    from unpuzzle.puzzlescript.forking.forked import KeptLevels


class EndlessRules(UserWarning):
    """A warning that rules that would never have ended were cut off in a turn."""


class ScriptRules(Game, HasHeuristics):
    """The rules of a game in PuzzleScript.

    Attributes: `compiled`, the game as plain data; `source`, the text; `file`, its name, if it has one; `engine`, which
    plays it; `text`, which writes and reads its states; `chance`, the first random rule, if there is one; `left_out`,
    the kind and name of an omitted rule or object (`levels/omitting.py`), or None; `given_up`, the starts from which a
    key was met after which `again` continues for too long.
    """

    levels: Levels
    planner = "puzzlescript"

    def __init__(
        self,
        text: str,
        name: str,
        file: str | None = None,
        *,
        engine: str = "python",
        left_out: tuple[str, str] | None = None,
    ) -> None:
        self.source = text
        self.file = file
        self.name = name
        self.left_out = left_out
        self.compiled: Compiled = compile_game(text, file)
        if left_out is not None:
            self.compiled = without_part(self.compiled, *left_out)
        self.title: str = self.compiled.title or name
        self.author: str = self.compiled.author
        self.homepage: str = self.compiled.homepage
        self.levels = Levels(self.compiled)
        self.engine: Engine = engine_of(engine, self.compiled)
        self.text: StateText = StateText(self.compiled)
        self.has_restart: bool = self.compiled.has_restart()
        self.chance: Rule | None = self.compiled.chance()
        self.given_up: set[State] = set()
        self._warned: dict[str | tuple[str, type[Warning], int], int] = {}  # so that each is shown once

    @cached_property
    def core(self) -> core.ScriptGame:
        """The game in the C++ core. Raises DependencyMissing if the core is not compiled."""
        return core_game(self.compiled)

    @cached_property
    def heuristics(self) -> Mapping[str, Heuristic]:  # type: ignore[override]
        """The heuristics, which are computed from the win conditions."""
        return heuristics(self.compiled)

    @cached_property
    def shortened(self) -> tuple[int, ...]:
        """For each win condition, the most by which one move shortens its distances; see `searching/estimates.py`."""
        return shortened(self.compiled)

    @cached_property
    def pushing(self) -> bool:  # type: ignore[override]
        """Whether a rule moves an object that is in front of a moving object, in the same direction."""
        return self.compiled.pushes()

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The reflections and rotations that preserve the rules."""
        game = self.compiled
        return symmetries_of(game, self.engine, self.keys, self.chance is None)

    @cached_property
    def painter(self) -> Painter:
        """The painter that describes pictures of the game's states."""
        return Painter(self.compiled)

    @cached_property
    def glyphs(self) -> Glyphs:
        """The writer of boards in the form of levels, as rows of glyphs."""
        return Glyphs(self.compiled)

    @cached_property
    def forks(self) -> KeptLevels:
        """The cache of the PDDL of the most recently used levels."""
        from unpuzzle.puzzlescript.forking.forked import KeptLevels  # small levels are solved by the rules alone

        return KeptLevels(self.compiled, self.name, self.file)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The inputs of the game."""
        return self.compiled.keys()

    def require_certainty(self, state: State) -> None:
        """Raise UnsupportedFeature for a game that depends on chance if the state has no seed."""
        rule = None if state.seed is not None else self.chance
        if rule is not None:
            raise UnsupportedFeature(
                "this rule is random: to search this level, write a line such as `seed 1` after its board",
                feature="random",
                file=self.file,
                line=rule.line,
            )

    def warn_of(self, endless: Iterable[Endless]) -> None:
        """Warn the author about groups of rules and loops that were cut off in a turn."""
        for line, loop in endless:
            warn_explicit(endless_message(loop), EndlessRules, self.file or self.name, line, registry=self._warned)

    def no_level(self, name: str) -> str:
        """Return why no level has the given name; empty if there is no reason to give."""
        levels = self.compiled.levels
        if not self.levels:
            messages = f", only messages (from line {levels[0].line} on)" if levels else ""
            return f"{self.file or self.name} has no levels{messages}"
        if name.isdecimal() and int(name) < len(levels):
            level = levels[int(name)]
            reason = f"number {name} of {self.file or self.name} is not a level, but the message in line {level.line}"
            return f"{reason}; its levels are {cut(', '.join(self.levels), 60)}"
        return ""

    def domain(self) -> Domain:
        """Raise ParseError because each level has its own PDDL domain."""
        raise ParseError(f"{self.name} has no domain for all levels: each level has its own", file=self.file)

    def __repr__(self) -> str:
        return f"game_of({self.file or self.name!r})"


def engine_of(name: str, game: Compiled) -> Engine:
    """Return the engine with the given name for a compiled game.

    Raises UsageError for an unknown name, DependencyMissing if the core is not compiled.
    """
    if name == "python":
        return PythonEngine(game)
    if name == "native":
        return NativeEngine(game)
    raise UsageError(f"unknown engine {name!r}: the engines are python and native")
