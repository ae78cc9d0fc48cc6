"""A game compiled from its text, perhaps without one of its rules or objects, with everything computed from it;
`game.ScriptGame` adds positions.

A game does not change in use. Its cached properties depend on the text alone, so two threads may use one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.text import cut, shorten, suggestion
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.pddl.nodes import Domain
from unpuzzle.planners.native.compiled import core
from unpuzzle.puzzle.capabilities import HasHeuristics
from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzle.position import Game
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Group, Rule
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.painter import Painter
from unpuzzle.puzzlescript.playing.engine import Engine, PythonEngine
from unpuzzle.puzzlescript.playing.states import Glyphs, Levels, State, StateText
from unpuzzle.puzzlescript.playing.turns import Endless, endless_message
from unpuzzle.puzzlescript.searching.estimates import heuristics, shortened
from unpuzzle.puzzlescript.searching.native_engine import NativeEngine, core_game
from unpuzzle.puzzlescript.searching.symmetry import Symmetry, symmetries_of

if TYPE_CHECKING:
    from unpuzzle.puzzlescript.forking.forked import KeptLevels

RULE, OBJECT = "rule", "object"
PARTS = {
    RULE: "a rule by its line, such as `rule 31`",
    OBJECT: "an object by its name, such as `object lever`, which then is nowhere, and no rule makes one",
}
SHOWN_LINES = 12
_ONE = 1
_NEVER = CellPattern(present=_ONE, missing=_ONE, any=(), moves_present=0, moves_missing=0, replacement=None)


class EndlessRules(UserWarning):
    """A warning that rules that would never have ended were cut off in a turn."""


class ScriptRules(Game, HasHeuristics):
    """The rules of a game in PuzzleScript.

    Attributes: `compiled`, the game as plain data; `source`, the text; `file`, its name, if it has one; `engine`, which
    plays it; `text`, which writes and reads its states; `chance`, the first random rule, if there is one; `left_out`,
    the kind and name of an omitted rule or object (`without_part`), or None; `given_up`, the starts from which a
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


def without_part(game: Compiled, kind: str, name: str) -> Compiled:
    """Return the game without a rule or an object. Raises UsageError if the game has no such part.

    It tests whether a level's solution needs the part. `rule 31` omits all rules of line 31, in every direction.
    `object lever` omits the rules that create a lever; `without_object` removes it from every cell of the level: then
    there is never one. Numbers of groups and objects are unchanged, since jumps of loops and rigid rules use them: a
    group that loses all its rules gets one that never matches.
    """
    if kind == RULE:
        line = _line(game, name)
        return _without_rules(game, lambda rule: rule.line == line)
    number = object_number(game, name)
    return _without_rules(game, lambda rule: _puts(rule, 1 << number))


def _line(game: Compiled, name: str) -> int:
    lines = sorted({rule.line for rule in game.all_rules()})
    if not (name.isascii() and name.isdecimal() and int(name[:9]) in lines):
        listed = ", ".join([*map(str, lines[:SHOWN_LINES]), *(["..."] if len(lines) > SHOWN_LINES else [])])
        raise UsageError(f"there is no rule in line {shorten(name)}: rules are in {listed or 'no line'}")
    return int(name)


def object_number(game: Compiled, name: str) -> int:
    """Return the number of an object. Raises UsageError for an unknown name, and for the background."""
    numbers = {other: number for number, other in enumerate(game.objects)}
    number = numbers.get(name.lower())
    if number is None:
        hint = suggestion(name.lower(), numbers) or f"; the objects are {', '.join(numbers)}"
        raise UsageError(f"the game has no object {shorten(name)}{hint}")
    if game.background >> number & 1:
        raise UsageError(f"the object {game.objects[number]} is the background, which no level can be without")
    return number


def _puts(rule: Rule, objects: int) -> bool:
    """Return whether a rule may put one of the given objects into a cell."""
    return any((new.set | new.random_objects) & objects for _, new in rule.replacements())


def _without_rules(game: Compiled, left_out: Callable[[Rule], bool]) -> Compiled:
    def groups(old: tuple[Group, ...]) -> tuple[Group, ...]:
        return tuple([_kept(group, left_out) for group in old])

    return game._replace(rules=groups(game.rules), late=groups(game.late))


def _kept(group: Group, left_out: Callable[[Rule], bool]) -> Group:
    rules = tuple([rule for rule in group.rules if not left_out(rule)])
    if rules:
        return group._replace(rules=rules)
    idle = group.rules[0]._replace(commands=0, distinct_commands=0, rows=((_NEVER,),), rigid=False, rigid_group=0)
    return group._replace(rules=(idle,), random=False)


def without_object(game: Compiled, state: State, number: int) -> State:
    def cleared(cells: tuple[int, ...]) -> tuple[int, ...]:
        rest = [cell & ~(1 << number) for cell in cells]
        return tuple([cell if cell & game.background_layer else cell | game.background for cell in rest])

    target = None if state.target is None else cleared(state.target)
    return state._replace(cells=cleared(state.cells), target=target)
