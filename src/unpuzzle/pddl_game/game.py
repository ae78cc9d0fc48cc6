"""PddlGame and PddlPosition: the game that a PDDL domain describes, by the meaning that `pddl.compiled` gives to it."""

from __future__ import annotations

from unpuzzle.pddl.formulas import effects
from unpuzzle.pddl.nodes import Atom, Domain, GroundAction, Problem, Task
from unpuzzle.pddl_game.level import Level, level_key
from unpuzzle.pddl_game.spelling import move_of
from unpuzzle.pddl_game.table import facts_table
from unpuzzle.puzzle.capabilities import Generating, Traced
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.puzzle.puzzle import late
from unpuzzle.puzzle.task import foreign
from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping
    from random import Random
    from typing import Any

    from unpuzzle.puzzle.capabilities import Tracing
    from unpuzzle.puzzle.options import Option

FACTS_SHOWN = 6
"""Of a position, on one line."""
MOST_LEVELS = 64
"""The levels that a game remembers, so that equal texts give positions of the same level."""


class PddlGame(Game, Generating, Traced):
    """The game of a PDDL domain.

    Attributes: `levels`, the problems by name, which are read when they are asked for; `file`, the domain's, if known.
    """

    options: Mapping[str, Option] = late("unpuzzle.pddl_game.making", "OPTIONS")
    one_letter_moves = False
    idle_moves = True
    moves_are_actions = True
    level_ending = ".pddl"

    def __init__(self, domain: Domain, levels: Mapping[str, str] | None = None, file: str | None = None) -> None:
        self.name: str = domain.name
        self.title: str = f"{domain.name}, a PDDL domain"
        self.levels: Mapping[str, str] = {} if levels is None else levels
        self.file: str | None = file
        self._domain = domain
        parts = [part for action in domain.actions for part in effects(action.effect)]
        self._fluents = frozenset([part.predicate for part in parts if isinstance(part, Atom)])
        self._kept: dict[Hashable, Level] = {}

    def domain(self) -> Domain:
        return self._domain

    def parse(self, text: str, source: str | None = None) -> PddlPosition:
        """Return the first state of a problem. Raises ParseError with its place, and UnsupportedFeature."""
        from unpuzzle.pddl.reading.reader import parse_problem

        return self.position(parse_problem(text.removeprefix("\ufeff"), self._domain, source))

    def position(self, problem: Problem) -> PddlPosition:
        """Return the first state of a problem of this domain."""
        key = level_key(problem, self._fluents)
        level = self._kept.get(key)
        if level is None:
            level = Level(self._domain, problem, key)
            if len(self._kept) >= MOST_LEVELS:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = level
        return PddlPosition(self, level, level.state(problem))

    def read_moves(self, text: str) -> tuple[str, ...]:
        """Return moves separated by blanks, or those of a plan: `(unstack a b) (put-down a)`, also without brackets."""
        if "(" not in text:
            lines = [line.lower().split() for line in text.splitlines()]
            return tuple([move for words in lines for move in self._moves_in(words)])
        from unpuzzle.pddl.plans import parse_plan

        return tuple([move_of(action) for action in parse_plan(text)])

    def _moves_in(self, words: list[str]) -> list[str]:
        """Return the words of a line as moves; `unstack a b`, an action with all its arguments, is one."""
        if len(words) > 1 and not any(":" in word for word in words):
            for schema in self._domain.actions:
                if schema.name == words[0] and len(schema.parameters) == len(words) - 1:
                    return [move_of(GroundAction(words[0], tuple(words[1:])))]
        return words

    def generate(self, rng: Random, options: Mapping[str, Any]) -> Position:
        """Return one of the given problems that begins elsewhere; see `making.py`."""
        from unpuzzle.pddl_game.making import make_problem

        return make_problem(self, rng, options)

    def sample(self, rng: Random) -> Position:
        """Return a state some random steps on from a given problem."""
        return self.generate(rng, {"from": (), "steps": 20, "walk": "start"})

    def trace(
        self, level: str, inputs: str, *, engine: str = "", seed: str = "", through: bool = False, states: bool = False
    ) -> Tracing:
        """Return a plan on a level, which shows what each step changes; see `tracing.py`."""
        from unpuzzle.pddl_game.tracing import PlanTracing, require_no_rules

        require_no_rules(engine=engine, seed=seed, through=through)
        return PlanTracing(self, level, inputs, states)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return super().__reduce__() if self.home else (PddlGame, (self._domain, dict(self.levels), self.file))


class PddlPosition(Position):
    """A state of a planning task."""

    __slots__ = ("_game", "_level", "_state")

    def __init__(self, game: PddlGame, level: Level, state: int) -> None:
        self._game = game
        self._level = level
        self._state = state

    @property
    def game(self) -> PddlGame:
        return self._game

    def __str__(self) -> str:
        from unpuzzle.pddl.writer import write

        return write(self.task().problem)

    def __repr__(self) -> str:
        atoms = sorted(map(str, self.atoms()))
        shown = " ".join(atoms[:FACTS_SHOWN]) + (" ..." if len(atoms) > FACTS_SHOWN else "")
        missing = sum(not holds for _, holds in self.goals())
        name = f"{self._game.name!r}, {self._level.task.problem.name!r}"
        return f"PddlPosition({name}, {count(len(atoms), 'fact')}: {shown}; {count(missing, 'goal')} missing)"

    def moves(self) -> tuple[str, ...]:
        return self._level.moves(self._state)

    def apply(self, move: str) -> PddlPosition:
        return PddlPosition(self._game, self._level, self._level.after(self._state, move))

    def cost(self, move: str) -> int:
        return self._level.cost(move)

    def solved(self) -> bool:
        return self._level.solved(self._state)

    def task(self) -> Task:
        return Task(self._game.domain(), self._level.problem(self._state))

    def atoms(self) -> frozenset[Atom]:
        return self._level.atoms(self._state)

    def goals(self) -> tuple[tuple[str, bool], ...]:
        """Return the parts of the goal as PDDL, each with whether it is true here."""
        return self._level.goals(self._state)

    def decode(self, action: GroundAction) -> str:
        domain = self._game.domain()
        schema = next((schema for schema in domain.actions if schema.name == action.name), None)
        if schema is None or len(schema.parameters) != len(action.arguments):
            raise foreign(action, f"the domain {domain.name} has no such action")
        return move_of(action)

    def draw(self) -> str:
        """Return the facts in a table, a line a predicate, and the goals that are missing."""
        return facts_table(self.atoms(), self._level.missing(self._state))

    def _key(self) -> Hashable:
        return self.atoms(), self._level.key

    def __eq__(self, other: object) -> bool:
        if isinstance(other, PddlPosition) and self._level is other._level:
            return self._state == other._state
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(self.atoms())

    def __reduce__(self) -> tuple[Any, ...]:
        return PddlGame.position, (self._game, self.task().problem)
