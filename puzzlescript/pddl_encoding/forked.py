"""The PDDL of a level, which is valid for all positions that can be reached in the level.

(at ?thing ?cell)           facts that may change            (next ?from ?to ?direction)   neighbours
(fixed ?thing ?cell)        facts that do not              (clockwise ?first ?second)    directions
(won), (unmarked)           see `steps`                (place-N …)                   see `schemas`

The results of the last levels are cached, as PDDL or as the error, with the number of steps. A cached result counts as
many steps as when it was found, so that limits decide the same at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from unpuzzle.base.errors import EffortSpent, UnsupportedFeature
from unpuzzle.base.text import count
from unpuzzle.model.task import atom, foreign
from unpuzzle.pddl.nodes import And, Atom, Condition, Domain, GroundAction, Not, Or, Predicate, Problem, Task, TypedName
from unpuzzle.puzzlescript.compiling.compiled import WIN, Compiled, WinCondition, bits, has
from unpuzzle.puzzlescript.compiling.compiler import without_collecting
from unpuzzle.puzzlescript.engine.board import board_of, conditions_hold
from unpuzzle.puzzlescript.engine.states import State
from unpuzzle.puzzlescript.pddl_encoding.boards import CountedEngine, Effort, Number, require_affordable
from unpuzzle.puzzlescript.pddl_encoding.paths import Assumptions, BrokenError, Forker, Players, TurnPath
from unpuzzle.puzzlescript.pddl_encoding.schemas import (
    ActionWriter,
    LevelParts,
    Lifting,
    cell_name,
    domain_name,
    key_of,
    thing_names,
)
from unpuzzle.puzzlescript.pddl_encoding.steps import UNMARKED, WON, Frames, GroundStep, Marks, marks_of, steps_of

MANY_PATHS = 300
"""The wasted paths of a wrong guess after which it is worth exploring farther before guessing again."""


class Forked:
    """The PDDL of the level that begins in a state. Raises UnsupportedFeature if it has no translation.

    Attributes: `domain`; `steps`, the ground actions; `schemas`; `parameters`, the number of parameters of each action,
    by name.
    """

    def __init__(self, game: Compiled, start: State, keys: Sequence[str], effort: Effort, name: str) -> None:
        self.game = game
        self.start = start
        self.things: tuple[str, ...] = thing_names(game.objects)
        self.engine: CountedEngine = CountedEngine(game, effort)
        turner = self.engine.turner(start.width, start.height)
        self.assumed: Assumptions = Assumptions(game, turner, start)
        self.assumed.play(self.engine, start, keys)
        self.forker: Forker = Forker(game, start, turner, self.assumed, effort)
        if self.assumed.given_up:
            self.forker.refuse_again()
        paths = self._paths(keys)
        self.placements: set[Players] = {path.after for path in paths} | {self.forker.players_of(start.cells)}
        players = [objects for placement in self.placements for _, objects in placement]
        self.changing: int = reduce(or_, players, self.assumed.changing)
        self.static: list[int]
        self.static, unknown = self.forker.certain()
        tracked, mates_of = self.changing & self.assumed.tracked, self.forker.mates_of
        pairs = zip(self.static, unknown, strict=True)
        self.unknown: list[int] = [objects | tracked & ~mates_of(static) for static, objects in pairs]
        goals = Goals(game, self.static, self.unknown, self.forker.numbers, self.at)
        self.condition: Truth = goals.condition()
        self.marks: Marks = marks_of(paths, bool(game.wins), self._unmarked(start))
        if self.marks.won and game.wins:
            line = next(rule.line for rule in game.all_rules() if rule.commands & WIN)
            sentence = (
                "this level cannot be written as PDDL: "
                "the game is won by this rule's command or by win conditions, which PDDL cannot distinguish"
            )
            raise UnsupportedFeature(sentence, feature="PDDL", file=effort.file, line=line)
        lost = {placement for placement in self.placements if self.condition is False or goals.fails(placement)}
        self.steps: list[GroundStep] = steps_of(self.forker, paths, self.marks, self.placements, lost)
        changed = {fact for step in self.steps for fact, _ in step.effects}
        self.marks = self.marks._replace(
            won=self.marks.won and WON in changed,
            unmarked=self._unmarked(start) or (self.marks.unmarked and UNMARKED in changed),
        )  # a fact that no action adds is false for ever, and not declared
        lifting = Lifting(self.steps, self.placements, Frames(start.width, start.height), self.static, effort)
        about = (self.things, self.condition, self.marks, self.changing, self.static, self.unknown, lifting.net)
        self.writer: ActionWriter = ActionWriter(LevelParts(start.width, start.height, *about), lifting.schemas())
        self.domain: Domain = self._domain(name)
        self.fluents: set[str] = {{WON: "won", UNMARKED: "unmarked"}.get(fact, "at") for fact in changed}
        self.parameters: dict[str, int] = {action.name: len(action.parameters) for action in self.domain.actions}

    def _paths(self, keys: Sequence[str]) -> list[TurnPath]:
        """Search for all paths of the level, again if a path disproves an assumption; return the paths."""
        wandered = False
        while True:
            try:
                return self.forker.paths(keys)
            except BrokenError:
                if self.forker.count >= MANY_PATHS and not wandered:
                    self.assumed.play_randomly(self.engine, self.start, keys)
                    wandered = True

    def at(self, number: int, cell: int) -> Atom:
        return atom("at", self.things[number], cell_name(cell, self.start.height))

    def atoms(self, state: State) -> Iterator[Atom]:
        """Yield those atoms that are true in a state and that an action adds or deletes."""
        return (fact for fact in self.facts(state) if fact.predicate in self.fluents)

    def facts(self, state: State) -> Iterator[Atom]:
        """Yield the atoms that are true in a state, except those of static predicates."""
        for cell, objects in enumerate(state.cells):
            for number in bits(objects & self.changing):
                yield self.at(number, cell)
        if state.won != conditions_hold(self.game, board_of(state.cells, self.game)):
            yield atom("won" if state.won else "unmarked")

    def _unmarked(self, state: State) -> bool:
        return not state.won and conditions_hold(self.game, board_of(state.cells, self.game))

    def decode(self, action: GroundAction) -> str:
        if self.parameters.get(action.name) != len(action.arguments):
            raise foreign(
                action, f"the level has no action '{action.name}' with {count(len(action.arguments), 'argument')}"
            )
        key = key_of(action.name, action.arguments)
        if key is None:
            raise foreign(action, "the last argument of the action is not a direction")
        return key

    def _domain(self, name: str) -> Domain:
        """Return the PDDL domain of the level."""
        writer = self.writer
        return Domain(
            name=domain_name(name),
            types=tuple([TypedName(kind) for kind in ("cell", "thing", "direction")]),
            constants=writer.constants(),
            predicates=tuple([Predicate(*each) for each in writer.predicates()]),
            actions=writer.actions,
        )

    def task(self, state: State) -> Task:
        """Return the PDDL task that begins in a state of this level."""
        problem = Problem(
            name=f"{self.domain.name}-level",
            domain_name=self.domain.name,
            objects=self.writer.objects(),
            init=(*self.facts(state), *self.writer.statics()),
            goal=self.goal(),
        )
        return Task(self.domain, problem.trusted(self.domain))  # it uses only names that the domain declares

    def only_player(self) -> str | None:
        """Return the name of the player's object if a level always has exactly one; else None.

        Then a step that changes nothing but the player replaces one fact by another one.
        """
        placements = [objects for placement in self.placements for _, objects in placement]
        alone = len(placements) == len(self.placements) and len(set(placements)) == 1 and placements[0].bit_count() == 1
        if not alone or self.game.player != placements[0] or self.marks.won or self.marks.unmarked:
            return None
        return self.things[placements[0].bit_length() - 1]

    def goal(self) -> Condition:
        """Return the goal of the level as a PDDL condition."""
        not_marked = Not(atom("unmarked")) if self.marks.unmarked else True
        goal = any_of((all_of((self.condition, not_marked)), atom("won") if self.marks.won else False))
        return Or() if goal is False else And() if goal is True else goal


MOST_KEPT = 64
"""The number of cached levels."""


class KeptLevels:
    """A cache of the PDDL of a game's levels; two threads may compute the same level at once."""

    def __init__(self, game: Compiled, name: str, file: str | None) -> None:
        self._game, self._name, self._file = game, name, file
        self._levels: tuple[tuple[State, Forked | UnsupportedFeature, int], ...] = ()

    def forked(self, state: State, most_steps: int | None = None) -> Forked:
        """Return the PDDL of the level that begins in a state.

        Raises UnsupportedFeature if there is none, and EffortSpent if this takes more steps than allowed, whether the
        result is cached or not.
        """
        level = next((level for level in self._levels if level[0] is state or level[0] == state), None)
        if level is None:
            level = (state, *self._fork(state, Effort(self._file, most_steps)))
            self._levels = (level, *self._levels[: MOST_KEPT - 1])
        require_affordable(level[2], most_steps)
        if isinstance(level[1], UnsupportedFeature):
            raise level[1].with_traceback(None)
        return level[1]

    def _fork(self, state: State, effort: Effort) -> tuple[Forked | UnsupportedFeature, int]:
        """Translate a level; return its PDDL, or the error, and the steps of work. Raises EffortSpent."""
        reason, line = self._game.overlooked(state[:3])
        stacking = self._game.stacking()
        if not reason and stacking is not None:
            reason, line = (
                f"the rule in line {stacking.line} puts two objects of one layer into one cell",
                stacking.line,
            )
        if reason:
            return UnsupportedFeature(
                f"this level cannot be written as PDDL: {reason}", feature="PDDL", file=self._file, line=line
            ), 0
        try:
            keys = self._game.keys()
            return without_collecting(lambda: Forked(self._game, state, keys, effort, self._name)), effort.steps
        except EffortSpent:
            raise
        except UnsupportedFeature as refusal:
            return refusal, effort.steps


# Win conditions as PDDL: with quantifiers over cells unrolled and static objects decided at once.
#
# `all Crate on Target` means that no crate is elsewhere, which is a long goal and a poor guide. If there are always as
# many crates as targets, this is equivalent to a crate on each target.

Truth = Condition | bool
"""A condition, or its certain truth value."""


class Goals(NamedTuple):
    """The goal of a level as a PDDL condition; `static` are the certain objects by cell, `unknown` the possible ones.

    `numbers` has the least and the largest number of each object.
    """

    game: Compiled
    static: Sequence[int]
    unknown: Sequence[int]
    numbers: Sequence[Number]
    at: Callable[[int, int], Atom]

    def condition(self) -> Truth:
        """Return the conjunction of all win conditions; True or False if its value is always the same."""
        if not self.game.wins:
            return False
        return all_of(self._win(win) for win in self.game.wins)

    def fails(self, players: Players) -> bool:
        """Return whether the objects in the player's cells make a win condition certainly false.

        Other possible objects there are assumed to be as needed.
        """
        return any(self._fails(win, cell, objects) for cell, objects in players for win in self.game.wins)

    def _fails(self, win: WinCondition, cell: int, objects: int) -> bool:
        sure, may = self.static[cell] | objects, self.static[cell] | objects | self.unknown[cell]
        if not win.quantifier or not has(sure, win.first, win.first_is_aggregate):
            return False
        if win.quantifier < 0:
            return win.anything or has(sure, win.second, win.second_is_aggregate)
        return not (win.anything or has(may, win.second, win.second_is_aggregate))

    def _win(self, win: WinCondition) -> Truth:
        """Return one win condition as a PDDL condition."""
        cells = range(len(self.static))
        if win.quantifier > 0:
            filled = self._filled(win)
            if filled is not None:
                return filled
            return all_of(any_of((negation(self._first(win, cell)), self._second(win, cell))) for cell in cells)
        both = (all_of((self._first(win, cell), self._second(win, cell))) for cell in cells)
        if win.quantifier < 0:
            return all_of(map(negation, both))
        return any_of(both)

    def _filled(self, win: WinCondition) -> Truth | None:
        """Return the condition that each target has an object, if the win condition `win` is equal to it; else None.

        It is equivalent if the target cells are certain and as many as the objects, and no two objects share a cell.
        """
        seconds = [self._second(win, cell) for cell in range(len(self.static))]
        if not all(isinstance(second, bool) for second in seconds) or not self._fill_exactly(win, seconds.count(True)):
            return None
        filled = [self._first(win, cell) for cell, second in enumerate(seconds) if second]
        return None if any(isinstance(part, Or) for part in filled) else all_of(filled)

    def _fill_exactly(self, win: WinCondition, cells: int) -> bool:
        """Return whether the objects of a win condition are always in exactly `cells` cells."""
        layers = sum(1 for layer in self.game.layers if layer & win.first)
        numbers = [self.numbers[number] for number in bits(win.first)]
        certain = all(least == most for least, most in numbers)
        apart = layers == 1 and (not win.first_is_aggregate or len(numbers) == 1)
        return apart and certain and sum(least for least, _ in numbers) == cells

    def _first(self, win: WinCondition, cell: int) -> Truth:
        return self._has(cell, win.first, win.first_is_aggregate)

    def _second(self, win: WinCondition, cell: int) -> Truth:
        return win.anything or self._has(cell, win.second, win.second_is_aggregate)

    def _has(self, cell: int, objects: int, whole: bool) -> Truth:
        unknown, static = self.unknown[cell], self.static[cell]
        each = [self.at(n, cell) if unknown >> n & 1 else bool(static >> n & 1) for n in bits(objects)]
        return all_of(each) if whole else any_of(each)


def all_of(parts: Iterable[Truth]) -> Truth:
    """Return the conjunction of conditions: True is left out of it, and False makes the whole of it False."""
    return _join(And, parts, neutral=True)


def any_of(parts: Iterable[Truth]) -> Truth:
    """Return the disjunction of conditions: False is left out of it, and True makes the whole of it True."""
    return _join(Or, parts, neutral=False)


def _join(kind: type[And] | type[Or], parts: Iterable[Truth], *, neutral: bool) -> Truth:
    """Join conditions by `And` or `Or`; `neutral`, True or False, is left out, and the opposite is the whole result."""
    operands: dict[Condition, None] = {}
    for part in parts:
        if part is (not neutral):
            return not neutral
        if part is not neutral:
            operands.update(dict.fromkeys(part.operands if isinstance(part, kind) else (part,)))
    return next(iter(operands)) if len(operands) == 1 else kind(tuple(operands)) if operands else neutral


def negation(part: Truth) -> Truth:
    """Return the negation of a condition, with `not` only before atoms."""
    match part:
        case bool():
            return not part
        case Not():
            return part.operand
        case And() | Or():
            return (any_of if isinstance(part, And) else all_of)(map(negation, part.operands))
    return Not(part)
