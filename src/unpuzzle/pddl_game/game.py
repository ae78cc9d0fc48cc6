"""A PDDL domain as a game, played by the semantics in `pddl.compiled`, with the problem files near it as levels.

The problems of a domain are the `.pddl` files of its folder, and of the folders `instances` and `problems` there, that
say `(:domain NAME)`. A domain in a folder `domains` has those of the folders beside it, too. They are searched for when
the levels are first used; each is read when it is used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random
from typing import Any

from unpuzzle.base.errors import LimitReached, ParseError, UsageError
from unpuzzle.base.files import found_files
from unpuzzle.base.outcomes import LIMITS
from unpuzzle.base.text import count, listed
from unpuzzle.drawing import Ground, Piece, plain
from unpuzzle.model.capabilities import Generating, Pictured, Traced, Tracing
from unpuzzle.model.options import Choice, Levels, Number, Option, by_name
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import pushing, replay
from unpuzzle.model.task import foreign
from unpuzzle.pddl.linting.plan_faults import read_with_notes
from unpuzzle.pddl.matching import DOMAINS, PddlText, domain_for, domains_in, read_text_of, wanted_domain
from unpuzzle.pddl.nodes import Atom, Domain, GroundAction, Plan, Problem, Task
from unpuzzle.pddl.normal_form import fluent_predicates
from unpuzzle.pddl.plans import parse_plan
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem, read_domain
from unpuzzle.pddl.syntax import read_text
from unpuzzle.pddl.tracing import Trace, TraceStep, trace_plan
from unpuzzle.pddl.world import Costs
from unpuzzle.pddl.writer import write
from unpuzzle.pddl_game.fact_pictures import facts_picture, facts_table
from unpuzzle.pddl_game.level import Level, block_text, has_block, level_key
from unpuzzle.pddl_game.spelling import action_of, move_of
from unpuzzle.solving import solve
from unpuzzle.translators import find

GOAL, START = "goal", "start"
OPTIONS = by_name(
    Levels("from", "the problems to begin elsewhere"),
    Number("steps", "the length of the walk, at most", 30, least=1, most=10_000),
    Choice("walk", "where it begins", GOAL, (GOAL, START)),
)
MOST_EXPANDED = 200_000
FOLDERS = ("instances", "problems")
STEP_FACTS_SHOWN = 12
"""The most facts of a step shown on one line; JSON has all."""
FACTS_SHOWN = 6
"""The most facts of a position shown on one line."""
MOST_LEVELS = 64
"""The most levels that a game caches, so that equal texts give positions of the same level."""


class PddlGame(Game, Generating, Traced):
    """The game of a PDDL domain, with problems as levels.

    Attributes: `levels`, the problems by name, each read when it is used; `file`, the domain's, if known.
    """

    options: Mapping[str, Option] = OPTIONS
    one_letter_moves = False
    idle_moves = True
    moves_are_actions = True
    level_ending = ".pddl"

    def __init__(
        self,
        domain: Domain,
        levels: Mapping[str, str] | None = None,
        file: str | None = None,
        picture: tuple[str, str | None] | None = None,
    ) -> None:
        self.name: str = domain.name
        self.title: str = f"{domain.name}, a PDDL domain"
        self.levels: Mapping[str, str] = {} if levels is None else levels
        self.file: str | None = file
        self.pushing: bool | None = pushing(domain)
        self._domain = domain
        self._picture = picture or _text_with_block(domain)
        self._fluents = fluent_predicates(domain)
        self._kept: dict[Hashable, Level] = {}

    def domain(self) -> Domain:
        return self._domain

    def parse(self, text: str, source: str | None = None) -> PddlPosition:
        """Return the first state of a problem. Raises ParseError with the line and column, and UnsupportedFeature."""
        return self.position(parse_problem(text.removeprefix("\ufeff"), self._domain, source))

    def position(self, problem: Problem) -> PddlPosition:
        """Return the first state of a problem of this domain, as a position."""
        return self.pictured_position(problem, _text_with_block(problem))

    def pictured_position(self, problem: Problem, picture: tuple[str, str | None] | None) -> PddlPosition:
        """Return the first state of a problem, drawn by the picture lines in a text, by default those of the domain."""
        block = (*picture, True) if picture else (*self._picture, False) if self._picture else None
        key = level_key(problem, self._fluents)
        level, state = self._kept.get((key, block)), None
        if level is not None:
            state = level.state(problem)
        else:
            level = Level(self._domain, problem, key, block)
            Costs(level.task)  # a task that was read can only be refused for its costs
            if len(self._kept) >= MOST_LEVELS:
                del self._kept[next(iter(self._kept))]
            self._kept[key, block] = level
        return (PicturedPosition if block else PddlPosition)(self, level, state)

    def read_moves(self, text: str) -> tuple[str, ...]:
        """Return the moves in a text, as words separated by blanks or as actions such as `(unstack a b)`."""
        if "(" not in text:
            lines = [line.lower().split() for line in text.splitlines()]
            return tuple([move for words in lines for move in self._moves_in(words)])

        return tuple([move_of(action) for action in parse_plan(text)])

    def _moves_in(self, words: list[str]) -> list[str]:
        """Return the moves in a line of words; an action with all its arguments, such as `unstack a b`, is one move."""
        if len(words) > 1 and not any(":" in word for word in words):
            for schema in self._domain.actions:
                if schema.name == words[0] and len(schema.parameters) == len(words) - 1:
                    return [move_of(GroundAction(words[0], tuple(words[1:])))]
        return words

    def generate(self, rng: Random, options: Mapping[str, Any]) -> Position:
        """Return one of the given problems with a new initial state; see `make_problem`."""
        return make_problem(self, rng, options)

    def sample(self, rng: Random) -> Position:
        """Return a state that is a random number of random moves away from the start of a random problem."""
        return self.generate(rng, {"from": (), "steps": 20, "walk": "start"})

    def trace(
        self,
        level: str,
        inputs: str,
        *,
        engine: str = "",
        seed: str = "",
        through: bool = False,
        states: bool = False,
        rules: bool = False,
    ) -> Tracing:
        """Return a trace of a plan on a level: the changes that each step makes; see `PlanTracing`."""
        require_no_rules(engine=engine, seed=seed, through=through, rules=rules)
        return PlanTracing(self, level, inputs, states)

    def __reduce__(self) -> str | tuple[Any, ...]:
        return (
            super().__reduce__()
            if self.home
            else (PddlGame, (self._domain, dict(self.levels), self.file, self._picture))
        )


class PddlPosition(Position):
    """A state of a planning task; for the first state of a level, its number is computed only when needed."""

    __slots__ = ("_game", "_known_state", "_level")

    def __init__(self, game: PddlGame, level: Level, state: int | None) -> None:
        self._game = game
        self._level = level
        self._known_state = state

    @property
    def _state(self) -> int:
        return self._level.start if self._known_state is None else self._known_state

    @property
    def game(self) -> PddlGame:
        return self._game

    def __str__(self) -> str:
        block = self._level.block
        if block is None or not block[2]:
            return write(self.task().problem)

        return block_text(block[0]) + write(self.task().problem)

    def __repr__(self) -> str:
        atoms = sorted(map(str, self.atoms()))
        shown = " ".join(atoms[:FACTS_SHOWN]) + (" ..." if len(atoms) > FACTS_SHOWN else "")
        missing = sum(not holds for _, holds in self.goals())
        name = f"{self._game.name!r}, {self._level.task.problem.name!r}"
        return f"PddlPosition({name}, {count(len(atoms), 'fact')}: {shown}; {count(missing, 'goal')} missing)"

    def moves(self) -> tuple[str, ...]:
        return self._level.moves(self._state)

    def apply(self, move: str) -> PddlPosition:
        return type(self)(self._game, self._level, self._level.after(self._state, move))

    def cost(self, move: str) -> int:
        return self._level.cost(move)

    def unit_cost(self) -> bool:
        return self._level.task.problem.metric is None

    def solved(self) -> bool:
        return self._level.solved(self._state)

    def task(self) -> Task:
        return Task(self._game.domain(), self._level.problem(self._known_state))

    def atoms(self) -> frozenset[Atom]:
        return self._level.atoms(self._state)

    def goals(self) -> tuple[tuple[str, bool], ...]:
        """Return the conjuncts of the goal as PDDL texts, and whether each is true in this state."""
        return self._level.goals(self._state)

    def decode(self, action: GroundAction) -> str:
        domain = self._game.domain()
        schema = next((schema for schema in domain.actions if schema.name == action.name), None)
        if schema is None or len(schema.parameters) != len(action.arguments):
            raise foreign(
                action,
                f"the domain {domain.name} has no action '{action.name}' with "
                f"{count(len(action.arguments), 'argument')}",
            )
        return move_of(action)

    def draw(self) -> str:
        """Return the table of the facts, one line per predicate, and the goals that are still false."""
        return facts_table(self.atoms(), self._level.missing(self._state))

    def draw_after(self, before: Position, *, colours: bool = False) -> str:
        return facts_table(self.atoms(), self._level.missing(self._state), before.atoms(), colours)

    def drawn_facts(self, before: Position | None = None) -> tuple[Ground, Sequence[Piece]]:
        """Return the table of facts as a drawing."""
        missing = self._level.missing(self._state)
        return facts_picture(self.atoms(), missing, None if before is None else before.atoms())

    def _key(self) -> Hashable:
        return self.atoms(), self._level.key

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PddlPosition):
            return False
        return self._state == other._state if self._level is other._level else self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self.atoms())

    def __reduce__(self) -> tuple[Any, ...]:
        block = self._level.block
        return PddlGame.pictured_position, (self._game, self.task().problem, block[:2] if block and block[2] else None)


class PicturedPosition(Pictured, PddlPosition):
    """A state drawn according to picture lines or, if these lines are faulty, as a table of facts."""

    __slots__ = ()

    draw_after = Position.draw_after

    def ground(self) -> Ground:
        return self._picture()[0]

    def pieces(self) -> Sequence[Piece]:
        return self._picture()[1]

    def seen(self) -> Hashable:
        """Return the pieces of the picture, because facts without picture lines cannot be seen."""
        return tuple(sorted(self.pieces()))

    def require_picture(self) -> None:
        """Raise ParseError, with line and column, for faulty picture lines."""
        self._level.ground()

    def _picture(self) -> tuple[Ground, Sequence[Piece]]:
        try:
            return self._level.ground(), self._level.pieces(self._state)
        except ParseError:
            return plain(PddlPosition.draw(self))


def _text_with_block(node: Domain | Problem) -> tuple[str, str | None] | None:
    """Return the text and the file name of a domain or problem if the text has picture lines, else None."""
    source = node.span.source if node.span is not None else None
    if source is None or "picture:" not in source.text.lower():
        return None

    return (source.text, source.name) if has_block(source.text) else None


# New problems of a domain: given ones with another initial state, a random walk away from their goal or start.
#
#     unpuzzle generate domain.pddl --from p01 --walk goal --steps 30 --moves 12..20 --count 5 --output problems
#
# A walk from the goal begins at the end of a plan for the problem, so most of its problems can be solved; longer walks
# give harder problems. If such a walk gets stuck too early, since little can happen after the plan, another one begins
# at the start. The caller has to find out whether a problem can be solved, and how hard it is.


def make_problem(game: Game, rng: Random, options: Mapping[str, Any]) -> Position:
    """Return a problem that starts where a random walk ends. Raises ParseError if no problem can begin the walk."""
    texts = [game.levels.get(name, name) for name in options["from"]] or list(game.levels.values())
    if not texts:
        raise ParseError(f"{game.name} has no problems to start from: name problem files with --from")
    start = game.parse(rng.choice(texts))
    steps = rng.randint(1, options["steps"])
    if options["walk"] == GOAL:
        position, walked = _walk(_end(start), rng, steps)
        if walked == steps:
            return position
    return _walk(start, rng, steps)[0]


def _walk(position: Position, rng: Random, steps: int) -> tuple[Position, int]:
    """Return the last position of a random walk without repeated positions, and the number of its steps."""
    seen = {position}
    for number in range(steps):
        following = [after for move in position.moves() if (after := position.apply(move)) not in seen]
        if not following:
            return position, number
        position = rng.choice(following)
        seen.add(position)
    return position, steps


@lru_cache(maxsize=16)
def _end(start: Position) -> Position:
    """Return the last state of a plan. Raises ParseError if no plan was found, LimitReached."""
    result = solve(start, "native:gbfs", max_expanded=MOST_EXPANDED)
    if result.moves is None and result.status in LIMITS:
        raise LimitReached(
            result.status, f"a walk from the goal needs a plan, and none was found: {result.message}; try --walk start"
        )
    if result.moves is None:
        raise ParseError(f"a walk from the goal needs a plan, and none was found: {result.status}; try --walk start")
    return replay(start, result.moves).position


# Plans executed on a level, with the changes of each step, for `unpuzzle trace`:
#
#     step 1  (pick-up b)                          cost 1
#       - (clear b) (handempty) (ontable b)        no longer true
#       + (holding b)                              true now
#       missing (on b a)                           goals


@dataclass
class PlanTracing:
    """A replay of a plan on a level; if `states`, its data and text show the state after each step."""

    game: Game
    level: str
    moves: str
    states: bool = False
    trace: Trace | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def ended(self) -> bool:
        return True

    @property
    def valid(self) -> bool:
        """Whether the plan solves the level."""
        return self.trace is not None and self.trace.valid

    def run(self) -> None:
        """Execute the plan. Raises ParseError for an invalid problem or plan."""
        task = self.game.parse(self.game.levels.get(self.level, self.level)).task()
        plan: Plan | list[GroundAction]
        plan = [] if "(" in self.moves else [action_of(move) for move in self.game.read_moves(self.moves)]
        names = {action.name for action in task.domain.actions}
        if not plan or not names.issuperset(step.name for step in plan):  # a plan in some notation, or other text
            plan, odd = read_with_notes(self.moves, None, task)
            self.notes = [str(fault) for fault in odd]
        self.trace = trace_plan(task, plan)

    def picture(self) -> None:
        """Return None, because a plan is shown only as text."""

    def place(self) -> str:
        return "the plan"

    def to_dict(self) -> dict[str, Any]:
        return {} if self.trace is None else self.trace.to_dict(states=self.states)

    def lines(self) -> list[str]:
        """Return the steps and the verdict as lines of text."""
        if self.trace is None:
            return []
        lines = [*self.notes]
        lines += [line for number, step in enumerate(self.trace.steps, 1) for line in self._step(number, step)]
        verdict = self.trace.verdict
        if verdict.valid:
            return [*lines, f"valid: cost {verdict.cost}"]
        parts = [f"  {part}" for part in (*verdict.false, *verdict.missing)]
        return [*lines, f"invalid: {verdict.reason}", *parts]

    def _step(self, number: int, step: TraceStep) -> list[str]:
        rows = [("-", step.deleted), ("+", step.added)]
        lines = [f"step {number}  {step.action}  cost {step.cost}"]
        lines += [f"  {sign} {listed(atoms, STEP_FACTS_SHOWN, ' ')}" for sign, atoms in rows if atoms]
        lines += [f"  when {fired.condition}: {_effects(fired)}" for fired in step.fired]
        if step.derived:
            lines.append(f"  derived {listed(step.derived, STEP_FACTS_SHOWN, ' ')}")
        if self.states:
            lines.append(f"  state {listed(step.state, STEP_FACTS_SHOWN, ' ')}")
        return [
            *lines,
            f"  missing {listed(step.missing, STEP_FACTS_SHOWN, ' ')}" if step.missing else "  all goals hold",
        ]


def _effects(fired: Any) -> str:
    changes = [*(f"+ {atom}" for atom in fired.adds), *(f"- {atom}" for atom in fired.deletes)]
    return ", ".join(changes) or count(0, "change")


def require_no_rules(**options: object) -> None:
    """Raise UsageError for options that need a game with its own rules."""
    for name, value in options.items():
        if value:
            raise UsageError(
                f"--{name} is for games that are played by their own rules; a PDDL domain has no such rules"
            )


class ProblemFiles(Mapping[str, str]):
    """The texts of the problems beside a domain file, by file name without `.pddl`, in natural order."""

    def __init__(self, domain: str, file: str) -> None:
        self._domain = domain
        self._file = file
        self._paths: dict[str, str] | None = None

    def __getitem__(self, name: str) -> str:
        return read_text(self._listed()[name])[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())

    def __contains__(self, name: object) -> bool:
        return name in self._listed()

    def paths(self) -> list[str]:
        return list(self._listed().values())

    def _listed(self) -> dict[str, str]:
        if self._paths is None:
            self._paths = dict(sorted(self._found(), key=lambda item: natural_key(item[0])))
        return self._paths

    def _found(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the path of each problem of the domain, in the folders where problems may be."""
        home = os.path.dirname(self._file) or "."
        rivals = list(domains_in(home, self._domain))
        inside = os.path.basename(os.path.abspath(home)) == DOMAINS
        root = os.path.normpath(os.path.join(home, os.pardir)) if inside else home
        for place in (home, *(os.path.join(root, folder) for folder in FOLDERS)):
            for path in found_files(place, ".pddl", root=root) if os.path.isdir(place) else ():
                if _domain_named_in(path) == self._domain and self._is_of(path, rivals):
                    yield os.path.splitext(os.path.basename(path))[0], path

    def _is_of(self, path: str, rivals: list[PddlText]) -> bool:
        """Return whether a problem belongs to this domain file, not to another one with the same domain name."""
        if len(rivals) < 2:
            return True
        try:
            return os.path.samefile(domain_for(read_text_of(path), [rivals]).name, self._file)
        except (UsageError, ParseError, OSError):  # nobody can say which is meant: the named one
            return True


def read_game(path: str, name: str = "") -> PddlGame:
    """Return the game of a domain file, by default with the domain's name. Raises ParseError, UnsupportedFeature."""
    game = _game_of(read_domain(path), path)
    if name:
        game.name = name

    game.home = (find, (str(game.file),))
    return game


def game_in(text: str, path: str) -> PddlGame:
    """Return the game of a domain given as text; `path` is its file name. Raises ParseError, UnsupportedFeature."""
    return _game_of(parse_domain(text, path), path)


def _game_of(domain: Domain, path: str) -> PddlGame:
    full = os.path.abspath(path)
    return PddlGame(domain, ProblemFiles(domain.name, full), full)


def _domain_named_in(path: str) -> str | None:
    """Return the name of the domain that a problem file needs; None for other files and for unreadable files."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return wanted_domain(file.read())
    except OSError:
        return None


def natural_key(name: str) -> list[tuple[int, str]]:
    """Return a sort key that compares numbers in names by value, so that `p2` comes before `p10`."""
    return [(int(part) if part.isdigit() else -1, part) for part in re.split(r"(\d+)", name)]
