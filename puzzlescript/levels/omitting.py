"""A game without one of its rules or objects, to test whether a level's solution needs it.

`rule 31` omits all rules of line 31, in every direction. `object lever` omits the rules that create a lever, and
removes it from every cell of the level: then there is never one. Numbers of groups and objects are unchanged, since
jumps of loops and rigid rules use them: a group that loses all its rules gets one that never matches.
"""

from __future__ import annotations

from collections.abc import Callable

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import shorten, suggestion
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Group, Rule
from unpuzzle.puzzlescript.playing.states import State

RULE, OBJECT = "rule", "object"
PARTS = {
    RULE: "a rule by its line, such as `rule 31`",
    OBJECT: "an object by its name, such as `object lever`, which then is nowhere, and no rule makes one",
}
SHOWN_LINES = 12
_ONE = 1
_NEVER = CellPattern(present=_ONE, missing=_ONE, any=(), moves_present=0, moves_missing=0, replacement=None)


def without_part(game: Compiled, kind: str, name: str) -> Compiled:
    """Return the game without a rule or an object. Raises UsageError if the game has no such part."""
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
