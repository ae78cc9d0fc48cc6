"""The rules of a compiled game, with all that is computed from them, such as symmetries and heuristics.

A game does not change in use. Its cached properties depend on the text alone, so two threads may use one game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache, reduce
from itertools import product
from operator import or_
from random import Random
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.text import cut, shorten, suggestion
from unpuzzle.base.type_hints import TYPE_CHECKING
from unpuzzle.model.capabilities import HasHeuristics
from unpuzzle.model.heuristic import Heuristic
from unpuzzle.model.position import Game
from unpuzzle.pddl.nodes import Domain
from unpuzzle.planners.native.compiled import core
from unpuzzle.puzzlescript.compiling.compiled import (
    AGAIN,
    RESTART,
    WIN,
    CellPattern,
    Compiled,
    Group,
    Replacement,
    Rule,
    bits,
    has,
)
from unpuzzle.puzzlescript.compiling.compiler import compile_game
from unpuzzle.puzzlescript.engine.engine import Engine, PythonEngine
from unpuzzle.puzzlescript.engine.states import Glyphs, LevelTexts, State, StateText
from unpuzzle.puzzlescript.engine.turns import ALL, Endless, endless_message
from unpuzzle.puzzlescript.painter import Painter
from unpuzzle.puzzlescript.searching.native_engine import NativeEngine, core_game

if TYPE_CHECKING:
    from unpuzzle.puzzlescript.pddl_encoding.forked import KeptLevels

RULE, OBJECT = "rule", "object"
PARTS = {
    RULE: "a rule by its line, such as `rule 31`",
    OBJECT: "an object by its name, such as `object lever`, which is removed from the level, and which no rule creates",
}
SHOWN_LINES = 12
_ONE = 1
_NEVER = CellPattern(present=_ONE, missing=_ONE, any=(), moves_present=0, moves_missing=0, replacement=None)
WALKED_LEVELS, WALK_STEPS, MOST_CELLS = 6, 8, 400
"""The number of levels for walks, their largest size in cells, and the length of walks."""
UPWARDS, LEFTWARDS = 1, 4
"""Directions of rules; opposite directions are twice as much."""
DIRECTION_KEYS = "udlr"
"""The keys of up, down, left, right, in the order of their bits."""
ABOUT_HEURISTICS = {
    "distance": "distance of the farthest object from its place in a win condition",
    "goalcount": "number of cells for which win conditions fail",
    "sum": "distances of all objects from their places in win conditions, summed",
}
HEURISTICS: tuple[str, ...] = tuple(ABOUT_HEURISTICS)
STEPPING = 0b01111
"""Movements of a layer that are not `action`."""


class EndlessRules(UserWarning):
    """A warning that endless rules of a game were cut off."""


class ScriptRules(Game, HasHeuristics):
    """A compiled PuzzleScript game with its engine, symmetries and heuristics.

    Attributes: `compiled`, the game as plain data; `source`, the text; `file`, its name, if it has one; `engine`, which
    plays it; `text`, which writes and reads its states; `chance`, the first random rule, if there is one; `left_out`,
    the kind and name of an omitted rule or object (`without_part`), or None; `given_up`, the starts from which a
    key was met after which `again` continues for too long.
    """

    levels: LevelTexts
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
        self.levels = LevelTexts(self.compiled)
        self.engine: Engine = engine_of(engine, self.compiled)
        self.text: StateText = StateText(self.compiled)
        self.has_restart: bool = self.compiled.has_restart()
        self.chance: Rule | None = self.compiled.chance()
        self.given_up: set[State] = set()
        self._warned: dict[str | tuple[str, type[Warning], int], int] = {}  # so that each is shown once

    @cached_property
    def core(self) -> core.ScriptGame:
        """The game as an object of the C++ core. Raises DependencyMissing if the core is not compiled."""
        return core_game(self.compiled)

    @cached_property
    def heuristics(self) -> Mapping[str, Heuristic]:  # type: ignore[override]
        """The heuristics of the game, which estimate distances in the win conditions."""
        return heuristics(self.compiled)

    @cached_property
    def shortened(self) -> tuple[int, ...]:
        """By how much one move can shorten the distances in each win condition."""
        return shortened(self.compiled)

    @cached_property
    def pushing(self) -> bool:  # type: ignore[override]
        """Whether a rule pushes: a moving object makes the object in front of it move."""
        return self.compiled.pushes()

    @cached_property
    def symmetries(self) -> tuple[BoardSymmetry, ...]:
        """The reflections and rotations that do not change the rules."""
        game = self.compiled
        return symmetries_of(game, self.engine, self.keys, self.chance is None)

    @cached_property
    def painter(self) -> Painter:
        """The painter of the game's states."""
        return Painter(self.compiled)

    @cached_property
    def glyphs(self) -> Glyphs:
        """The converter of boards to rows of level characters."""
        return Glyphs(self.compiled)

    @cached_property
    def forks(self) -> KeptLevels:
        """The cache of the PDDL of the game's levels."""
        from unpuzzle.puzzlescript.pddl_encoding.forked import KeptLevels  # small levels are solved by the rules alone

        return KeptLevels(self.compiled, self.name, self.file)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys that can be pressed, such as up and action."""
        return self.compiled.keys()

    def require_certainty(self, state: State) -> None:
        """Raise UnsupportedFeature for a state without a seed if the game has random rules."""
        rule = None if state.seed is not None else self.chance
        if rule is not None:
            raise UnsupportedFeature(
                "this rule is random: to search this level, write a line such as `seed 1` after its board",
                feature="random",
                file=self.file,
                line=rule.line,
            )

    def warn_of(self, endless: Iterable[Endless]) -> None:
        """Warn a game's author about groups and loops of rules that never end."""
        for line, loop in endless:
            warn_explicit(endless_message(loop), EndlessRules, self.file or self.name, line, registry=self._warned)

    def no_level(self, name: str) -> str:
        """Return a reason why the game has no such level; empty if the level's name is just unknown."""
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
    """Return a game without one rule or one object. Raises UsageError if the game has no such part.

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
    """Return the number of an object. Raises UsageError for an unknown object and for the background."""
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


# The reflections and rotations of boards that preserve a game's rules.
#
# A symmetry maps directions to directions. It belongs to the game if it maps the rules of each group to rules of that
# group. This ignores the order of cells and rules, which can matter if matches overlap or two objects move to the same
# cell; so it is also tested in play: some walks from the game's own levels, and the same walks reflected, must agree.
# Games with chance have no symmetries.


class BoardSymmetry:
    """A symmetry of boards: columns are flipped or not, then rows, then rows and columns are exchanged or not.

    `directions` are the images of up, down, left and right.
    """

    __slots__ = ("columns", "directions", "exchanged", "rows")

    def __init__(self, columns: bool, rows: bool, exchanged: bool) -> None:
        self.columns: bool = columns
        self.rows: bool = rows
        self.exchanged: bool = exchanged
        flips = (rows, rows, columns, columns)
        self.directions: list[int] = [direction ^ flips[direction] ^ 2 * exchanged for direction in range(4)]

    def state(self, state: State) -> State:
        """Return the image of a state under this symmetry."""
        width, height = state.width, state.height
        order = _cell_order(width, height, self.columns, self.rows, self.exchanged)
        if self.exchanged:
            width, height = height, width
        target = None if state.target is None else tuple([state.target[place] for place in order])
        cells = tuple([state.cells[place] for place in order])
        return state._replace(width=width, height=height, cells=cells, target=target)

    def key(self, key: str) -> str:
        return DIRECTION_KEYS[self.directions[DIRECTION_KEYS.index(key)]] if key in DIRECTION_KEYS else key

    def after(self, other: BoardSymmetry) -> tuple[int, ...]:
        """Return the images of up, down, left and right under `other` followed by this symmetry."""
        return tuple([self.directions[direction] for direction in other.directions])


@lru_cache(maxsize=64)
def _cell_order(width: int, height: int, columns: bool, rows: bool, exchanged: bool) -> Sequence[int]:
    """Return, for each cell of the transformed board, the cell of the old board."""
    across, down = range(width)[:: -1 if columns else 1], range(height)[:: -1 if rows else 1]
    if exchanged:
        return [x * height + y for y in down for x in across]
    return [x * height + y for x in across for y in down]


SYMMETRIES: tuple[BoardSymmetry, ...] = tuple([BoardSymmetry(*flags) for flags in product((False, True), repeat=3)])
"""The first one is the identity."""


def symmetries_of(game: Compiled, engine: Engine, keys: Sequence[str], certain: bool) -> tuple[BoardSymmetry, ...]:
    """Return the symmetries of a game; if `certain` is False (random rules), only the identity."""
    if not certain:
        return SYMMETRIES[:1]
    groups = (*game.rules, *game.late)
    plain = [{_mirrored(rule, SYMMETRIES[0]) for rule in group.rules} for group in groups]
    pairs = list(zip(groups, plain, strict=True))
    candidates = [
        one
        for one in SYMMETRIES[1:]
        if all({_mirrored(rule, one) for rule in group.rules} == own for group, own in pairs)
    ]
    symmetries = [SYMMETRIES[0], *_in_play(game, engine, keys, candidates)]
    directions = {tuple(symmetry.directions) for symmetry in symmetries}
    closed = all(one.after(other) in directions for one in symmetries for other in symmetries)
    return tuple(symmetries) if closed else SYMMETRIES[:1]


def _mirrored(rule: Rule, symmetry: BoardSymmetry) -> Rule:
    """Apply a symmetry to a rule; the result is in a normal form, so that results can be compared."""
    directed = any(len(row) > 1 for row in rule.rows)
    rows = tuple([tuple([cell and _mirrored_cell(cell, symmetry) for cell in row]) for row in rule.rows])
    direction = 1 << symmetry.directions[rule.direction.bit_length() - 1] if directed else 0
    if direction in (UPWARDS, LEFTWARDS):
        direction, rows = direction << 1, tuple([row[::-1] for row in rows])
    return rule._replace(direction=direction, rows=rows)


def _mirrored_cell(cell: CellPattern, symmetry: BoardSymmetry) -> CellPattern:
    """Apply a symmetry to the directions in a cell pattern."""
    new = cell.replacement
    if new is not None:
        new = new._replace(
            moves_clear=_mirrored_moves(new.moves_clear, symmetry), moves_set=_mirrored_moves(new.moves_set, symmetry)
        )
    present, missing = _mirrored_moves(cell.moves_present, symmetry), _mirrored_moves(cell.moves_missing, symmetry)
    return cell._replace(moves_present=present, moves_missing=missing, replacement=new)


def _mirrored_moves(moves: int, symmetry: BoardSymmetry) -> int:
    moved, first = 0, 0
    while moves >> first:
        for direction, new in enumerate((*symmetry.directions, 4)):
            moved |= (moves >> first + direction & 1) << first + new
        first += 5
    return moved


def _in_play(
    game: Compiled, engine: Engine, keys: Sequence[str], candidates: Iterable[BoardSymmetry]
) -> list[BoardSymmetry]:
    """Return those of the candidates that no random play on small levels disproves."""
    left = list(candidates)
    for state, key in _random_plays(game, engine, keys) if left else ():
        after = engine.after(state, key)
        left = [one for one in left if engine.after(one.state(state), one.key(key)) == (after and one.state(after))]
    return left


def _random_plays(game: Compiled, engine: Engine, keys: Sequence[str]) -> Iterable[tuple[State, str]]:
    """Yield states from random plays on small levels, each with the key that is pressed next."""
    rng = Random(0)
    small = [level for level in game.levels if 0 < level.width * level.height <= MOST_CELLS]
    for level in small[:WALKED_LEVELS]:
        state: State | None = State(level.width, level.height, level.cells)
        for _ in range(WALK_STEPS):
            if state is None:
                break
            key = rng.choice(keys)
            yield state, key
            state = engine.after(state, key)


# Heuristics for the number of moves to a win, from the win conditions; and for which games they are admissible.
#
#     distance    the largest distance of an object from its place in a win condition
#     goalcount   the number of cells for which conditions fail; may overestimate
#     sum         distances summed over objects; may overestimate, too
#
# Distances are Manhattan distances over all cells. `distance` is admissible if no move brings an object more than one
# cell further: no `again`, no command that wins or restarts, and objects of the conditions are only moved, never
# created or removed. A distance is divided by two if both its ends may move. `doubt` returns the reason if it is not
# admissible.
#
# The core computes the same (`planners/native/core/script/estimate.cpp`); this is the slow version.


def heuristics(game: Compiled) -> Mapping[str, Heuristic]:
    sure = {name: name == "distance" and doubt(game) is None for name in HEURISTICS}
    return {
        name: Heuristic(name, about, Estimator(game, name).of_position, admissible=sure[name], consistent=sure[name])
        for name, about in ABOUT_HEURISTICS.items()
    }


class Estimator:
    """A heuristic of a game: it estimates moves by the distances between objects in the win conditions."""

    def __init__(self, game: Compiled, name: str) -> None:
        self.game = game
        self.name = name
        self.shortened: tuple[int, ...] = shortened(game)

    def of_position(self, position: object) -> int:
        return self.of(position.state)  # type: ignore[attr-defined]

    def of(self, state: State) -> int:
        """Return the estimate for a state: 0 if the level is won, otherwise 1 or more."""
        if state.won:
            return 0
        parts = [self._condition(number, state) for number in range(len(self.game.wins))]
        return max(1, max(parts, default=0) if self.name == "distance" else sum(parts))

    def _condition(self, number: int, state: State) -> int:
        """Return the estimate for one win condition: 0 if it holds."""
        win, shortened = self.game.wins[number], self.shortened[number]
        first = _cells_with(state, win.first, win.first_is_aggregate)
        second = range(len(state.cells)) if win.anything else _cells_with(state, win.second, win.second_is_aggregate)
        there = set(second)
        wrong = [cell for cell in first if (cell in there) != (win.quantifier > 0)]
        if not win.quantifier:
            wrong = [] if wrong else first
        count = len(wrong) if win.quantifier else int(not any(cell in there for cell in first))
        if not count:
            return 0
        if self.name == "goalcount" or win.quantifier < 0 or win.anything or not shortened:
            return 1 if self.name == "distance" else count
        distances = _distances(wrong, there, state.height)
        if win.quantifier:
            distance = max(distances) if self.name == "distance" else sum(distances)
        else:
            distance = min(distances, default=1)
        return -(-distance // shortened)


def _distances(cells: Sequence[int], ends: Iterable[int], height: int) -> list[int]:
    """Return the distance from each of `cells` to the nearest of `ends`; if `ends` is empty, 1."""
    places = [divmod(cell, height) for cell in ends]
    starts = [divmod(cell, height) for cell in cells]
    return [min([abs(column - x) + abs(row - y) for x, y in places], default=1) for column, row in starts]


def _cells_with(state: State, mask: int, whole: bool) -> list[int]:
    return [cell for cell, objects in enumerate(state.cells) if has(objects, mask, whole)]


def shortened(game: Compiled) -> tuple[int, ...]:
    """Return by how much one move can shorten the distances in each win condition; 0 if they are not used."""
    layer_of = game.layers_by_object()
    moving = {layer_of[number] for number in bits(game.player)}
    for rule in game.all_rules():
        for _, new in rule.replacements():
            moving |= {bit // 5 for bit in bits(new.moves_set | new.random_directions) if bit % 5 < 4}
    ends = []
    for win in game.wins:
        moves = [any(layer_of[number] in moving for number in bits(mask)) for mask in (win.first, win.second)]
        vague = win.quantifier < 0 or win.anything or win.first_is_aggregate or win.second_is_aggregate
        ends.append(0 if vague else max(1, sum(moves)))
    return tuple(ends)


def doubt(game: Compiled) -> str | None:
    """Return a reason why the heuristic may overestimate the number of moves; None if it certainly does not."""
    for rule in game.all_rules():
        if rule.commands & (AGAIN | RESTART | WIN):
            return f"the rule in line {rule.line} repeats turns, wins or restarts"
    if (rule_of_two := game.stacking()) is not None:
        return f"the rule in line {rule_of_two.line} puts two objects of one layer into one cell"
    if not any(shortened(game)):
        return "no win condition says where objects should be"
    wins = zip(game.wins, shortened(game), strict=True)
    named = reduce(or_, [win.first | win.second for win, by in wins if by], 0)
    layers = [(number, mask) for number, mask in enumerate(game.layers) if mask & named]
    late = {id(rule) for group in game.late for rule in group.rules}
    replacements = [(rule, cell, new) for rule in game.all_rules() for cell, new in rule.replacements()]
    for rule, cell, new in replacements:
        for number, mask in layers:
            if _creates_or_removes(cell, new, named & mask, mask) or not _only_moves_objects(
                rule, cell, new, number, mask, id(rule) in late
            ):
                return f"the rule in line {rule.line} does more than move objects of a win condition"
    return None


def _creates_or_removes(cell: CellPattern, new: Replacement, named: int, layer: int) -> bool:
    """Return whether a rule may create or remove one of the objects `named` in a layer."""
    if new.random_objects & layer:
        return True
    gone = new.clear & ~new.set & named & ~cell.missing
    if cell.present & layer:
        gone &= cell.present
    for group in cell.any:
        if not group & ~layer:
            gone &= group
    return bool(gone or new.set & ~cell.present & named)


def _only_moves_objects(rule: Rule, cell: CellPattern, new: Replacement, number: int, layer: int, late: bool) -> bool:
    """Return whether a rule moves a layer's objects without creating any, so that none moves twice in a turn."""
    moves = (new.moves_set >> 5 * number & STEPPING) or (new.random_directions >> 5 * number & ALL)
    empties = bool(new.clear & layer & ~cell.missing) and not new.set & layer
    if empties and (moves or (new.moves_clear | new.moves_layers) >> 5 * number & ALL != ALL or len(rule.rows) > 1):
        return False
    sure = new.set & layer or cell.present & layer or any(not group & ~layer for group in cell.any)
    return not moves or (bool(sure) and not late)
