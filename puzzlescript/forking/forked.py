"""A level as PDDL: its paths, steps and schemas put together; good for all positions that the level leads to.

(at ?thing ?cell)           what may change            (next ?from ?to ?direction)   neighbours
(fixed ?thing ?cell)        what does not              (clockwise ?first ?second)    directions
(won), (unmarked)           see `steps`                (place-N …)                   see `guards`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unpuzzle.errors import UnsupportedFeature
from unpuzzle.pddl.nodes import And, Atom, Condition, Domain, GroundAction, Not, Or, Predicate, Problem, Task, TypedName
from unpuzzle.puzzle.task import atom, foreign
from unpuzzle.puzzlescript.compiling.compiled import WIN, Compiled
from unpuzzle.puzzlescript.forking.actions import ActionWriter, Stage, cell_name, domain_name, key_of, thing_names
from unpuzzle.puzzlescript.forking.assumptions import Assumptions, BrokenError
from unpuzzle.puzzlescript.forking.counted import CountedEngine, Effort
from unpuzzle.puzzlescript.forking.frames import Frames
from unpuzzle.puzzlescript.forking.goals import Goals, all_of, any_of
from unpuzzle.puzzlescript.forking.lifting import Lifting
from unpuzzle.puzzlescript.forking.paths import Forker, TurnPath
from unpuzzle.puzzlescript.forking.steps import UNMARKED, WON, marks_of, standing_alone, steps_of, without_implied
from unpuzzle.puzzlescript.playing.board import board_of, conditions_hold
from unpuzzle.puzzlescript.playing.engine import rules_of
from unpuzzle.puzzlescript.playing.sets import bits
from unpuzzle.puzzlescript.playing.states import State

MANY_PATHS = 300
"""If so many are lost by a guess that was too strong, it is worth while to look farther before guessing again."""


class Forked:
    """The PDDL of a level, which begins with a state. Raises UnsupportedFeature, saying why, where there is none.

    Attributes: `domain`; `steps`, the ground actions; `schemas`; `parameters`, how many each action has, by name.
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
        paths = self._paths(keys)
        self.stands = {path.after for path in paths} | {self.forker.players_of(start.cells)}
        self.changing = self.assumed.changing
        for players in self.stands:
            for _, objects in players:
                self.changing |= objects
        self.static, unknown = self.forker.certain()
        self.unknown: list[int] = [self._with_players(*cell) for cell in zip(self.static, unknown, strict=True)]
        goals = Goals(game, self.static, self.unknown, self.forker.numbers, self.at)
        self.condition = goals.condition()
        self.marks = marks_of(paths, bool(game.wins), self._unmarked(start))
        if self.marks.won and game.wins:
            line = next(rule.line for rule in rules_of(game) if rule.commands & WIN)
            sentence = "no PDDL: the game is won by this rule's command and by win conditions, which are not told apart"
            raise UnsupportedFeature(sentence, feature="PDDL", file=effort.file, line=line)
        lost = {players for players in self.stands if self.condition is False or goals.fails(players)}
        possible = [step for step in steps_of(paths, self.marks, effort) if not step.solved or step.players not in lost]
        steps = without_implied(possible, self.forker.mates)
        self.steps = standing_alone(steps, self.stands)
        changed = {fact for step in self.steps for fact, _ in step.effects}
        self.marks = self.marks._replace(
            won=self.marks.won and WON in changed,
            unmarked=self._unmarked(start) or (self.marks.unmarked and UNMARKED in changed),
        )  # what no action changes is false for ever, and not declared
        lifting = Lifting(self.steps, self.stands, Frames(start.width, start.height), self.static, effort)
        about = (self.things, self.condition, self.marks, self.changing, self.static, self.unknown, lifting.net)
        self.writer: ActionWriter = ActionWriter(Stage(start.width, start.height, *about), lifting.schemas())
        self.domain: Domain = self._domain(name)
        self.fluents: set[str] = {{WON: "won", UNMARKED: "unmarked"}.get(fact, "at") for fact in changed}
        self.parameters: dict[str, int] = {action.name: len(action.parameters) for action in self.domain.actions}

    def _paths(self, keys: Sequence[str]) -> list[TurnPath]:
        """Return all paths, under assumptions that none of them breaks."""
        wandered = False
        while True:
            try:
                return self.forker.paths(keys)
            except BrokenError:
                if self.forker.count >= MANY_PATHS and not wandered:
                    self.assumed.wander(self.engine, self.start, keys)
                    wandered = True

    def _with_players(self, static: int, unknown: int) -> int:
        """Return the objects that may be on a cell besides those that are there for good."""
        return unknown | self.changing & self.assumed.tracked & ~self.forker.mates_of(static)

    def at(self, number: int, cell: int) -> Atom:
        """Return the fact that an object is on a cell."""
        return atom("at", self.things[number], cell_name(cell, self.start.height))

    def atoms(self, state: State) -> Iterator[Atom]:
        """Yield the facts that are true in a state and that some action changes."""
        return (fact for fact in self.facts(state) if fact.predicate in self.fluents)

    def facts(self, state: State) -> Iterator[Atom]:
        """Yield the facts that are true in a state, without those that are certain before actions are looked at."""
        for cell, objects in enumerate(state.cells):
            for number in bits(objects & self.changing):
                yield self.at(number, cell)
        holds = conditions_hold(self.game, board_of(state.cells, self.game))
        if state.won != holds:
            yield atom("won" if state.won else "unmarked")

    def _unmarked(self, state: State) -> bool:
        return not state.won and conditions_hold(self.game, board_of(state.cells, self.game))

    def decode(self, action: GroundAction) -> str:
        """Return the input that an action stands for."""
        if self.parameters.get(action.name) != len(action.arguments):
            raise foreign(action, "the level has no such action")
        key = key_of(action.name, action.arguments)
        if key is None:
            raise foreign(action, "its last argument is no direction")
        return key

    def _domain(self, name: str) -> Domain:
        writer = self.writer
        return Domain(
            name=domain_name(name),
            types=tuple([TypedName(kind) for kind in ("cell", "thing", "direction")]),
            constants=writer.constants(),
            predicates=tuple([Predicate(*each) for each in writer.predicates()]),
            actions=tuple(writer.actions),
        )

    def task(self, state: State) -> Task:
        """Return the task that begins with a state of this level."""
        problem = Problem(
            name=f"{self.domain.name}-level",
            domain_name=self.domain.name,
            objects=self.writer.objects(),
            init=(*self.facts(state), *self.writer.statics()),
            goal=self.goal(),
        )
        return Task(self.domain, problem.trusted(self.domain))  # put together from what the domain declares

    def goal(self) -> Condition:
        """Return the condition under which a position is solved."""
        not_marked = Not(atom("unmarked")) if self.marks.unmarked else True
        goal = any_of((all_of((self.condition, not_marked)), atom("won") if self.marks.won else False))
        return Or() if goal is False else And() if goal is True else goal
