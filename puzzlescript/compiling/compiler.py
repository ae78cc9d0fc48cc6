"""The main functions of the compiler, which run its passes on the text of a game."""

from __future__ import annotations

import gc
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple, TypeVar

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import checkpoint
from unpuzzle.puzzlescript.compiling.choices import Directed, TooManyError, choices_of, has_extent
from unpuzzle.puzzlescript.compiling.compiled import SOUND, CellPattern, Compiled, Group, Replacement, Rule
from unpuzzle.puzzlescript.compiling.names import ObjectNames, read_names
from unpuzzle.puzzlescript.compiling.objects import read_objects, screen_of, sprites_of
from unpuzzle.puzzlescript.compiling.rule_text import (
    ABSOLUTE,
    ELLIPSIS,
    Cell,
    Loop,
    Rows,
    RuleLine,
    check_rules,
    read_rules,
)
from unpuzzle.puzzlescript.compiling.sections import check_sounds, options_of, read_levels, read_prelude, read_wins
from unpuzzle.puzzlescript.compiling.text import FaultCollector, GivenUpError, sections_of

T = TypeVar("T")

MOST_TEXT = 4_000_000
"""Characters; the largest game that is known has some hundred thousand."""


def compile_game(text: str, file: str | None = None) -> Compiled:
    """Compile the text of a game. Raises ParseError if it is not a game or has too many errors.

    Faults of a file that is played in spite of them are warnings (`FaultyGame`).
    """
    check_size(text, file)
    faults = FaultCollector(text, file)
    game = compile_text(text, faults)
    faults.refuse()
    assert game is not None
    if file is not None:
        faults.warn()
    errors = [fault.line for fault in faults.errors() if fault.code != "script-level"]
    return game._replace(faulty=errors[0]) if errors else game


def check_size(text: str, file: str | None = None) -> None:
    if len(text) > MOST_TEXT:
        raise ParseError(f"a game of {len(text):,} characters is too long: at most {MOST_TEXT:,} are read", file=file)


def compile_text(text: str, faults: FaultCollector) -> Compiled | None:
    """Compile a game even if its text has errors, which are added to `faults`; return None if that is impossible."""
    try:
        return without_collecting(lambda: _compiled(text, faults))
    except GivenUpError:
        return None


def _compiled(text: str, faults: FaultCollector) -> Compiled:
    """Compile a game's sections one after the other; errors are added to `faults`. Raises GivenUpError."""
    sections = sections_of(text, faults)
    title, settings = read_prelude(sections["prelude"], faults)
    things, synonyms = read_objects(sections["objects"], faults)
    names = read_names(things, synonyms, sections["legend"], sections["collisionlayers"], faults)
    if not names.objects:
        faults.fatal(
            "script-layers",
            faults.last_line,
            "no object is in a collision layer: COLLISIONLAYERS names the objects of each layer",
        )
    # A level needs a background in each cell, but a game without a player can still be shown.
    for name, tell in (("background", faults.fatal), ("player", faults.error)):
        if not names.defines(name):
            tell("script-no-object", 1, f"there is no {name}: an object, a synonym or a property must have this name")
            faults.counted(1, name)  # PuzzleScript reports it once more
    if "background" in names.aggregates:
        faults.error(
            "script-aggregate",
            1,
            "background is an aggregate (and): it must be an object, a synonym or a property (or)",
            1,
        )
    sounds = check_sounds(sections["sounds"], names, faults)
    rules, loops = read_rules(sections["rules"], names, faults)
    check_rules(rules, sounds, faults)
    layer, background = names.background()
    groups = group_rules(rules, loops, names, faults)
    return Compiled(
        title=title,
        objects=tuple(names.objects),
        layers=tuple(names.layers),
        player=names.player(),
        player_is_aggregate="player" in names.aggregates,
        options=options_of(settings),
        wins=read_wins(sections["winconditions"], names, faults),
        rules=groups.rules,
        late=groups.late,
        rigid_groups=groups.rigid,
        levels=read_levels(sections["levels"], names, (layer, background), faults),
        glyphs=tuple(names.glyphs.items()),
        background_layer=layer,
        background=background,
        sprites=sprites_of([things[name] for name in names.objects], settings),
        screen=screen_of(settings),
        author=settings.get("author", ""),
        homepage=settings.get("homepage", ""),
    )


def without_collecting(work: Callable[[], T]) -> T:
    """Call a function with Python's garbage collector turned off, which is faster; return the function's result."""
    if not gc.isenabled():
        return work()
    try:
        gc.disable()
        return work()
    finally:
        gc.enable()


ALL = 0b11111
_MOVES = {word: 1 << bit for bit, word in enumerate((*ABSOLUTE, "action"))}
_BY_CHANCE = 0b00101
_DIRECTIONS = {word: 1 << bit for bit, word in enumerate(ABSOLUTE)}
_COMMANDS = ("cancel", "restart", "win", "again", "checkpoint", "message")
"""In the order of their bits in `compiled`."""
MOST_RIGID_GROUPS = 30
MOST_RULES = 100_000
"""The largest number of compiled rules of a game; the largest known game has 38,301."""


class NeverMatchesError(Exception):
    """The error for a cell that no board can match; `harmless` is True if PuzzleScript only warns about it."""

    def __init__(self, message: str, harmless: bool = False) -> None:
        super().__init__(message)
        self.harmless: bool = harmless


class Grouped(NamedTuple):
    """The groups of a game's rules and of its late rules; `rigid` are the indices of the groups with rigid rules."""

    rules: tuple[Group, ...]
    late: tuple[Group, ...]
    rigid: tuple[int, ...]


def group_rules(
    lines: Sequence[RuleLine], loops: Sequence[Loop], names: ObjectNames, faults: FaultCollector
) -> Grouped:
    """Compile the rules of a game and put them into groups."""
    by_group: dict[int, list[RuleLine]] = {}
    for line in lines:
        by_group.setdefault(line.group, []).append(line)
    maker = _RuleMaker(names, faults)
    early: list[list[tuple[RuleLine, Rule]]] = []
    late: list[list[tuple[RuleLine, Rule]]] = []
    for number in sorted(by_group):
        pairs = list(maker.rules(by_group[number]))
        for group, part in ((early, [p for p in pairs if not p[0].late]), (late, [p for p in pairs if p[0].late])):
            if part:
                group.append(part)
    rigid = tuple([index for index, group in enumerate(early) if any(line.rigid for line, _ in group)])
    if len(rigid) > MOST_RIGID_GROUPS:
        message = f"{len(rigid)} groups with rigid rules: at most {MOST_RIGID_GROUPS} are allowed"
        faults.error("script-too-many", early[rigid[0]][0][0].line, message)
    for groups in (early, late):
        _check_loops([(group[0][0].line, group[-1][0].line) for group in groups], loops, faults)
    return Grouped(_groups(early, loops, rigid), _groups(late, loops, ()), rigid)


def _check_loops(groups: Sequence[tuple[int, int]], loops: Sequence[Loop], faults: FaultCollector) -> None:
    """Report loops that begin or end inside a group; `groups` has the first and last line of each group."""
    firsts = [first for first, _ in groups]
    for loop in loops:
        place = bisect_right(firsts, loop.line) - 1
        if place >= 0 and loop.line <= groups[place][1]:
            word = "startloop" if loop.starts else "endloop"
            first, last = groups[place]
            message = f"{word} within the group of rules on the lines {first} to {last}: a rule after it begins with +"
            faults.error("script-loop", loop.line, message, word)


def _groups(
    groups: Sequence[Sequence[tuple[RuleLine, Rule]]], loops: Sequence[Loop], rigid: Sequence[int]
) -> tuple[Group, ...]:
    """Return the compiled groups, each with the group that follows it in a loop."""
    jumps = _jumps([group[0][0].line for group in groups], loops)
    numbers = {index: number for number, index in enumerate(rigid, 1)}
    compiled = []
    for i, group in enumerate(groups):
        rules = [r._replace(rigid_group=numbers[i]) if r.rigid and i in numbers else r for _, r in group]
        compiled.append(Group(tuple(rules), random=group[0][0].random, jump=jumps.get(i, -1)))
    return tuple(compiled)


def _jumps(lines: Sequence[int], loops: Sequence[Loop]) -> dict[int, int]:
    """Map the index of the last group in each loop to the index of the loop's first group."""
    pairs = zip(loops[::2], loops[1::2], strict=False)
    ends = [(bisect_right(lines, start.line), bisect_left(lines, end.line) - 1) for start, end in pairs]
    return {last: first for first, last in ends if first <= last}


class _RuleMaker:
    """A compiler of the rules of one game; it keeps the pattern, or the error, of each different cell."""

    def __init__(self, names: ObjectNames, faults: FaultCollector) -> None:
        self.names = names
        self.faults = faults
        self.patterns: dict[tuple[Cell, Cell | None], CellPattern | NeverMatchesError] = {}
        self.count = self.line = 0

    def rules(self, lines: Iterable[RuleLine]) -> Iterator[tuple[RuleLine, Rule]]:
        """Compile the rules of the given lines, and yield each with its line."""
        for line in lines:
            if self.count > MOST_RULES:
                return
            for rule in self._of_line(line):
                checkpoint()
                self.count += 1
                yield line, rule
            if self.count > MOST_RULES:
                self.faults.fatal(
                    "script-too-many", line.line, f"the rules up to this line expand to more than {MOST_RULES:,} rules"
                )

    def _of_line(self, line: RuleLine) -> Iterator[Rule]:
        """Yield the rules to which the rule of one line expands, compiled; report rules that can never match."""
        different: dict[object, Directed] = {}
        try:
            for choice in choices_of(line, self.names, self.faults):
                rule = choice._replace(right=self._stationary_where_spawned(choice))
                key = (rule.direction if has_extent(rule.left) else "", rule.left, rule.right)
                different.pop(key, None)
                different[key] = rule
        except TooManyError as error:
            self.faults.error("script-too-many", line.line, str(error))
            return
        errors: list[NeverMatchesError] = []
        for rule in different.values():
            try:
                yield self._compiled(rule)
            except NeverMatchesError as error:
                errors.append(error)
        if errors and len(errors) == len(different):
            tell = self.faults.warning if any(error.harmless for error in errors) else self.faults.error
            tell("script-never-matches", line.line, f"this rule never matches: {errors[0]}")

    def _stationary_where_spawned(self, rule: Directed) -> Rows:
        """Return a rule's right side in which each object that appears on an empty layer is marked `stationary`."""
        if rule.source.late or not rule.right:
            return rule.right
        names = self.names

        def spawned(before: Cell, after: Cell) -> Cell:
            if all(word or name not in names.number for word, name in after):
                return after
            touched = set().union(*[names.layers_of(name) for _, name in before])
            new = {name for _, name in after if name in names.number and names.layer_of.get(name) not in touched}
            return tuple([("stationary" if not word and name in new else word, name) for word, name in after])

        sides = zip(rule.left, rule.right, strict=True)
        return tuple([tuple(map(spawned, befores, afters)) for befores, afters in sides])

    def _compiled(self, rule: Directed) -> Rule:
        """Compile a rule that has one direction and single objects."""
        self.line = rule.source.line
        line, right = rule.source, rule.right or [[None] * len(row) for row in rule.left]
        bits = [1 << _COMMANDS.index(command) if command in _COMMANDS else SOUND for command in line.commands]
        return Rule(
            direction=_DIRECTIONS[rule.direction],
            has_right=line.has_right,
            rigid=line.rigid,
            commands=reduce(or_, bits, 0),
            distinct_commands=len(line.commands),
            rows=tuple([tuple(map(self._pattern, *rows)) for rows in zip(rule.left, right, strict=True)]),
            rigid_group=0,
            line=line.line,
        )

    def _pattern(self, before: Cell, after: Cell | None) -> CellPattern | None:
        """Return the pattern of a left and a right cell, cached; None for an ellipsis. Raises NeverMatchesError."""
        if before == ELLIPSIS:
            return None
        key = (before, after)
        if key not in self.patterns:
            try:
                self.patterns[key] = self._new_pattern(before, after)
            except NeverMatchesError as error:
                self.patterns[key] = error
        pattern = self.patterns[key]
        if isinstance(pattern, NeverMatchesError):
            raise pattern
        return pattern

    def _new_pattern(self, before: Cell, after: Cell | None) -> CellPattern:
        """Compile a left and a right cell to a pattern. Raises NeverMatchesError."""
        names, left = self.names, self._by_layer(before)
        present, missing = 0, self._all_of(before, "no")
        properties: list[int] = []
        moves_present = moves_missing = 0
        for layer, (word, name) in left.items():
            if name in names.number:
                present |= names.masks[name]
            else:
                properties.append(names.masks[name])
            moves_missing |= (ALL if word == "stationary" else 0) << 5 * layer
            moves_present |= _MOVES.get(word, 0) << 5 * layer
        if present & missing:
            raise NeverMatchesError(
                "the rule requires an object and the absence of this object in one cell", harmless=True
            )
        new = None if after is None else self._replacement(left, present, moves_present, after)
        return CellPattern(present, missing, tuple(properties), moves_present, moves_missing, new)

    def _by_layer(self, cell: Cell, right: bool = False) -> Mapping[int, tuple[str, str]]:
        """Map each layer used in a cell to its direction word and its name. Raises NeverMatchesError for two names."""
        pairs: dict[int, tuple[str, str]] = {}
        for word, name in cell:
            layer = None if word in ("no", "random") else self.names.layer(name)
            if layer is None:
                continue
            if layer in pairs and not right:
                raise NeverMatchesError(
                    f"{pairs[layer][1]} and {name} are in one layer, so the two can never be in one cell"
                )
            pairs[layer] = (word, name)
        return pairs

    def _all_of(self, cell: Cell, word: str) -> int:
        return reduce(or_, [self.names.masks.get(name, 0) for other, name in cell if other == word], 0)

    def _replacement(
        self, left: Mapping[int, tuple[str, str]], present: int, moves_present: int, after: Cell
    ) -> Replacement | None:
        """Return the changes that a rule makes in a matching cell; None if the rule changes nothing there."""
        names, right = self.names, self._by_layer(after, right=True)
        clear = self._all_of(after, "no")
        put = moves_clear = moves_set = moves_layers = directions = 0
        for word, name in after:
            layer = None if word in ("no", "random") else names.layer(name)
            if layer is None:
                continue
            if right[layer] != (word, name):
                message = f"{name} and {right[layer][1]} are in one layer, but this rule puts both into one cell"
                self.faults.error("script-aggregate", self.line, message, name)
            if name in names.number:
                put |= names.masks[name]
                clear |= names.layers[layer]
            moves_layers |= (ALL if word else 0) << 5 * layer
            moves_clear |= (ALL if word == "stationary" else 0) << 5 * layer
            directions |= (_BY_CHANCE if word == "randomdir" else 0) << 5 * layer
            moves_set |= _MOVES.get(word, 0) << 5 * layer
        clear |= present if present & ~put else 0  # as in PuzzleScript: all required objects, unless all are put back
        moves_clear |= moves_present if moves_present & ~moves_set else 0
        for layer, (_, name) in left.items():  # objects named only on the left disappear
            if layer not in right:
                clear |= names.layers[layer]
            if layer not in right or (name in names.number and right[layer][1] not in names.number):
                moves_layers |= ALL << 5 * layer
        new = Replacement(clear, put, moves_clear, moves_set, moves_layers, self._all_of(after, "random"), directions)
        return new if any(new) else None
