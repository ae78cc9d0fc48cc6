"""Candidate levels of `generate`: the requested properties, and how candidates are made from random numbers.

The origin of a candidate is plain data from which every process makes the same level, since positions are sent as text
between processes: its number, its text, or changes of one of the hardest levels so far. A game that can vary a level
(`Generating.variation`) does so. For any other game, `generate` runs again with a few of the level's random numbers
exchanged: most of the level stays as it was, and all of it still follows the options.

    new     number 17                        the random numbers of the seed and 17
    child   number 17, its 5th is 0.3        the same, except for one
    child   of a level's text, number 90     varied by the game, with the random numbers of the seed and 90

About every fourth candidate is new, and the number of a level's children is limited, so that the search leaves local
maxima. The parents of a chunk are chosen from the answers to all earlier chunks except the last few. So the number and
speed of the workers change nothing: equal numbers of candidates give equal levels.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice
from random import Random
from time import time as clock
from typing import Any

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import LIMITS, UNSOLVABLE
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.base.text import listing, shorten, suggestion
from unpuzzle.base.values import Record
from unpuzzle.model.capabilities import Generating, Translated, generated, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.model.replaying import task_within
from unpuzzle.pddl.nodes import And, Atom, Predicate, Task, TypedName
from unpuzzle.planning.planner import MOVES
from unpuzzle.solving import solve
from unpuzzle.state_space.difficulty import MEASURES, Difficulty, Requirement

REASONS = {
    "unsolvable": "unsolvable",
    "too_easy": "too easy",
    "too_hard": "too hard",
    "too_large": "too large to judge",
    "several_solutions": "with several solutions",
    "dead_ends": "with dead ends",
    "not_required": "not as required",
    "not_needed": "solvable without what must be used",
}
"""The reasons for refusing a candidate, with words for people."""
ACTION, OBJECT = "action", "object"
SHOWN = 20
"""Names of objects that a message lists."""
OF_PDDL = {
    ACTION: "an action of its PDDL by its name, such as `action unstack`",
    OBJECT: "an object of its PDDL by its name, such as `object b`, which then is not an argument of any step",
}
Origins = Sequence["int | str | Origin"]
"""For each of some candidates its number, its text, or its origin by changes."""
PARENTS = 12
"""The number of hardest levels that have children."""
CHILDREN = 200
"""The most children of a level."""
NEW = 0.25
"""The share of candidates that are new."""
MOST_EXCHANGED = 3
"""The most random numbers that a child exchanges."""
LEAST_AHEAD, MOST_AHEAD, CHUNKS_AHEAD = 3, 63, 4
"""The number of latest chunks whose answers are not awaited: three at first, one more after every fourth chunk."""


# Requirements on solutions: a rule, object, box or action without which the level must be unsolvable.
#
#     must("rule 31")          a game written as rules: the level in the game without the rule in line 31
#     must("object lever")     the same: no cell has a lever at the start, and no rule makes one
#     must("box r3c4")         Sokoban: the box that begins at row 3, column 4 cannot be pushed
#     must("action unstack")   any game with PDDL: no step is an action of this schema
#     must("object b")         the same: no step is an action that has `b` among its arguments
#
# A game with `parts` defines its own things, and levels without them; other things come from the PDDL. A level is
# accepted only if a complete search finds no solution without the thing: undecided is not enough.


class Must(Record):
    """A part of a level, such as a rule or an object, that each solution must use."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class Proof(Record):
    """The result of an attempt to prove that a level is unsolvable without a certain part.

    Attributes:
        needed: True if that is proved, False if there is a solution without it, None if unknown.
        expanded: the states expanded by the search without it; 0 if no search was needed.
        reason: why there is no solution, or why the answer is unknown; may be empty.
    """

    needed: bool | None
    expanded: int = 0
    reason: str = ""


def must(text: str) -> Must:
    """Return the part of a level that a text such as `rule 31` names. Raises UsageError for any other text."""
    words = text.split()
    if len(words) != 2:
        raise UsageError(f"expected a kind and a name, such as 'rule 31', not {shorten(text)}")
    return Must(*words)


def musts(words: Iterable[str]) -> list[Must]:
    """Return the parts of a level that words name: a kind, then a name, as in `rule 31` or `object lever, box r3c4`."""
    parts = " ".join(words).replace(",", " ").split()
    return [must(" ".join(parts[start : start + 2])) for start in range(0, len(parts), 2)]


def needs(position: Position, thing: Must, max_expanded: int | None = None) -> Proof:
    """Prove by a complete search whether a level is unsolvable without a certain part, such as an object.

    The search expands at most `max_expanded` states. Raises UsageError for a thing that no level of the game can have,
    LimitReached.
    """
    try:
        with phase("proving what must be used"):
            rest = without(position, thing)
            if isinstance(rest, str):
                return Proof(True, reason=rest)
            answer = solve(rest, max_expanded=max_expanded)
    except (ParseError, UnsupportedFeature) as error:
        return Proof(None, reason=str(error))
    if answer.status in LIMITS:
        raise LimitReached(answer.status, answer.message)
    needed = True if answer.status == UNSOLVABLE else None if answer.plan is None and answer.moves is None else False
    return Proof(needed, answer.expanded or 0, answer.message)


def without(position: Position, thing: Must) -> Position | Task | str:
    """Return a level without one of its parts, or a text that says why the level is unsolvable without this part.

    Raises UsageError for a thing that no level of the game can have, ParseError if the rest is not a level,
    LimitReached.
    """
    able = offered(position.game, Generating)
    if able is not None and thing.kind in able.parts:
        return able.without(position, thing.kind, thing.name)
    kinds = _kinds(position)
    if thing.kind not in kinds:
        named = listing([f"{about}" for about in kinds.values()], "or") or "nothing"
        hint = suggestion(thing.kind, kinds)
        raise UsageError(
            f"levels of {position.game.name} can be required to use {named}, not {shorten(str(thing))}{hint}"
        )
    task = task_within(position)
    return _without_action(task, thing.name) if thing.kind == ACTION else _without_object(task, thing.name)


def require_known(things: Iterable[Must], levels: Iterable[Position]) -> None:
    """Raise UsageError for a required PDDL object that none of the levels has.

    Other things are checked by `without`. Levels are taken until all objects have been seen. Raises LimitReached.
    """
    with phase("looking for what must be used"):
        missing: dict[str, Must] = {}
        known: dict[str, None] = {}
        for number, level in enumerate(levels):
            if not number:
                able = offered(level.game, Generating)
                parts = able.parts if able else {}
                missing = {
                    thing.name.lower(): thing for thing in things if thing.kind == OBJECT and OBJECT not in parts
                }
            if not missing:
                return
            names = _object_names(task_within(level))
            known |= dict.fromkeys(names)
            missing = {name: thing for name, thing in missing.items() if name not in known}
        for name, thing in missing.items():
            listed = [*islice(known, SHOWN), *(["..."] if len(known) > SHOWN else [])]
            hint = suggestion(name, known) or f": they have {', '.join(listed)}"
            raise UsageError(f"no level that can be made with these options has an object {shorten(thing.name)}{hint}")


def _object_names(task: Task) -> list[str]:
    return [each.name for each in (*task.domain.constants, *task.problem.objects)]


def _kinds(position: Position) -> dict[str, str]:
    """Return the kinds of level parts that can be required in solutions, each with the form of the parts' names."""
    able = offered(position.game, Generating)
    of_pddl = OF_PDDL if offered(position, Translated) is None else {}
    return {**of_pddl, **(able.parts if able else {})}


def _without_action(task: Task, name: str) -> Task:
    actions = {action.name: action for action in task.domain.actions}
    if name.lower() not in actions:
        hint = suggestion(name.lower(), actions) or f"; the actions are {', '.join(actions)}"
        raise UsageError(f"there is no action {shorten(name)}{hint}")
    del actions[name.lower()]
    return Task(task.domain.replace(actions=tuple(actions.values())), _free(task))


def _without_object(task: Task, name: str) -> Task:
    """Return the task with static preconditions that exclude an object from all actions."""
    objects = _object_names(task)
    if name.lower() not in objects:
        return task
    predicates = {predicate.name for predicate in task.domain.predicates}
    words = chain(["other"], map("other-{}".format, count(2)))
    other = next(word for word in words if word not in predicates)
    actions = [
        action.replace(
            precondition=And((action.precondition, *[Atom(other, (each.name,)) for each in action.parameters]))
        )
        for action in task.domain.actions
    ]
    declared = Predicate(other, (TypedName("?any"),))
    domain = task.domain.replace(actions=tuple(actions), predicates=(*task.domain.predicates, declared))
    init = [Atom(other, (each,)) for each in objects if each != name.lower()]
    return Task(domain, _free(task).replace(init=(*task.problem.init, *init)))


def _free(task: Task) -> Any:
    """Return a copy of the task's problem that is not bound to the task's domain."""
    return task.problem.replace(name=task.problem.name)


class LevelRequest(Record):
    """The requested properties of levels; `least` and `most` bound the cost or the pushes of an optimal solution."""

    least: int | None
    most: int | None
    unique: bool
    no_dead_ends: bool
    max_states: int
    bounds: tuple[Requirement, ...] = ()
    objective: str = MOVES
    musts: tuple[Must, ...] = ()

    @property
    def of_spaces(self) -> bool:
        """Whether the request can be judged only by the whole state space of a level."""
        return self.unique or self.no_dead_ends or bool(self.bounds)

    def misfit(self, cost: int, pushes: int | None = None) -> str | None:
        """Return why a level with this cost and number of pushes is rejected (a word in `REASONS`); None if it fits."""
        number = cost if self.objective.startswith(MOVES) or pushes is None else pushes
        if self.least is not None and number < self.least:
            return "too_easy"
        return "too_hard" if self.most is not None and number > self.most else None


class Chunk(Record):
    """A batch of candidate levels to be judged together.

    All of them are judged, or up to `enough` levels.
    """

    game: Game
    options: Mapping[str, Any]
    seed: int
    origins: Origins
    wish: LevelRequest
    enough: int | None
    limits: Limits
    sent: float

    def begin(self) -> Run:
        """Return a run for judging the batch; the time since the batch was sent counts against its time limit."""
        return Run(self.limits.after(max(clock() - self.sent, 0.0)), "judging levels")

    def positions(self) -> Iterator[Position]:
        """Yield the candidate levels one by one. Raises LimitReached."""
        for origin in self.origins:
            with phase("making levels"):
                if isinstance(origin, str):
                    position = self.game.parse(origin)
                elif isinstance(origin, int):
                    position = candidate(self.game, self.options, self.seed, origin)
                else:
                    position = descendant(self.game, self.options, self.seed, origin)
            yield position


class GeneratedLevel(Record):
    """A generated level and its difficulty.

    Attributes:
        text: as the puzzle's `parse` reads it.
        cost, moves: of an optimal solution: one that is best for the objective.
        pushes: the number of its moves that do more than walk; None if the objective does not need it.
        expanded: states that the search expanded.
        optimal_plans: the number of optimal solutions (None: infinite, or not counted).
        optimal_lines: the number of optimal solutions up to walks and the order of independent changes (None:
            infinite, too many, or not counted).
        dead_ends: the number of reachable positions from which no goal can be reached; None if not counted.
        difficulty: the difficulty by the whole state space; None if it was not explored.
        unsolvable_without: for each thing that must be used, the states expanded by the complete search without it.
        rank, grade: the difficulty for people, as a number that sorts, and in words; 0 and empty if unknown.
    """

    text: str
    cost: int
    moves: tuple[str, ...]
    expanded: int
    optimal_plans: int | None = None
    dead_ends: int | None = None
    rank: int = 0
    grade: str = ""
    pushes: int | None = None
    optimal_lines: int | None = None
    difficulty: Difficulty | None = None
    unsolvable_without: tuple[tuple[str, int], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the level as data for JSON."""
        data = super().to_dict()
        text, _, grade = data.pop("text"), data.pop("rank"), data.pop("grade")
        pushes, without = data.pop("pushes"), self.unsolvable_without
        del data["unsolvable_without"]
        hard = dict.fromkeys(MEASURES) | (data.pop("difficulty") or {})
        hard["pushes"] = hard["pushes"] if pushes is None else pushes
        further = {"grade": grade} if grade else {}
        further |= {"unsolvable_without": dict(without)} if without else {}
        return {"level": text, **data, **hard, **further}


Verdict = GeneratedLevel | str
"""A level of the requested kind, or one of `REASONS`."""


class ChunkVerdicts(Record):
    """The verdicts on a batch of candidates; `status` names the limit that ended the work, if any."""

    verdicts: tuple[tuple[str, Verdict], ...]
    status: str | None = None


def candidate(game: Game, options: Mapping[str, Any], seed: int, number: int) -> Position:
    """Return the candidate level that a game, its options, a seed and a number determine."""
    return generated(game, Random(f"{game.name} {seed} {number}"), options)


class Origin(Record):
    """The origin of a candidate level: the seed of its random numbers, and numbers that replace some of these.

    Attributes:
        number: the candidate's number.
        base: the number of its first ancestor, or its own; with the seed, it determines the random numbers.
        exchanged: indices of random numbers, each with its replacement.
        parent: the text of the level that it varies; empty for a new candidate.
    """

    number: int
    base: int
    exchanged: tuple[tuple[int, float], ...] = ()
    parent: str = ""

    def child(self, number: int, text: str, exchanged: Mapping[int, float]) -> Origin:
        """Return the origin of a variant of this candidate: replacements for further random numbers are added."""
        both = {**dict(self.exchanged), **exchanged}
        return Origin(number, self.base, tuple(sorted(both.items())), text)


class Numbers(Random):
    """A random generator in which single numbers are replaced, to make variants of a level.

    All methods of `Random` except `getrandbits` and `randbytes` call `random()` here.
    """

    def __init__(self, game: Game, seed: int, origin: Origin) -> None:
        super().__init__(f"{game.name} {seed} {origin.base}")
        self.used = 0
        self._exchanged = dict(origin.exchanged)

    def random(self) -> float:
        """Return the next random number from 0 to 1, or its replacement."""
        number = super().random()
        self.used += 1
        return self._exchanged.get(self.used - 1, number)


def numbers_used(game: Game, options: Mapping[str, Any], seed: int, origin: Origin) -> int:
    """Return how many random numbers it takes to make a candidate level."""
    numbers = Numbers(game, seed, origin)
    generated(game, numbers, options)
    return numbers.used


def descendant(game: Game, options: Mapping[str, Any], seed: int, origin: Origin) -> Position:
    """Return a candidate level: a variation of its parent, or a level from partly replaced random numbers."""
    able = offered(game, Generating)
    if able is not None and origin.parent:
        try:
            rng = Random(f"{game.name} {seed} {origin.number}")
            varied = able.variation(game.parse(origin.parent), rng, options)
        except ParseError:  # of this parent
            varied = None
        if varied is not None:
            return varied
    return generated(game, Numbers(game, seed, origin), options)


class _Parent:
    def __init__(self, difficulty: tuple[Any, ...], origin: Origin, text: str, numbers: int) -> None:
        self.difficulty, self.origin, self.text, self.numbers = difficulty, origin, text, numbers
        self.children = 0


class HardLevelSearch:
    """A search for the hardest levels: later batches of candidates are variants of the hardest levels so far."""

    def __init__(
        self, game: Game, options: Mapping[str, Any], seed: int, difficulty: Callable[[GeneratedLevel], tuple[Any, ...]]
    ) -> None:
        self.game, self.options, self.seed, self._difficulty = game, options, seed, difficulty
        self._parents: list[_Parent] = []
        self._seen: set[str] = set()
        self._sent: deque[tuple[Origin, ...]] = deque()
        self._answers: deque[ChunkVerdicts] = deque()
        self._chunks = self._learnt = 0

    def origins(self, numbers: Sequence[int]) -> tuple[Origin, ...] | None:
        """Return the origins of the next batch of candidates; None if earlier batches must first be judged."""
        ahead = min(LEAST_AHEAD + self._chunks // CHUNKS_AHEAD, MOST_AHEAD)
        while self._learnt < self._chunks - ahead:
            if not self._answers:
                return None
            self._learn(self._sent.popleft(), self._answers.popleft())
        chunk = tuple([self._origin(number) for number in numbers])
        self._chunks += 1
        self._sent.append(chunk)
        return chunk

    def answer(self, verdicts: ChunkVerdicts) -> None:
        """Store the verdicts on a batch; batches must be answered in the order in which they were sent."""
        self._answers.append(verdicts)

    def _learn(self, origins: Sequence[Origin], answer: ChunkVerdicts) -> None:
        self._learnt += 1
        for origin, (key, verdict) in zip(origins, answer.verdicts, strict=answer.status is None):
            if isinstance(verdict, GeneratedLevel) and key not in self._seen:
                self._seen.add(key)
                self._add_parent(origin, verdict)

    def _add_parent(self, origin: Origin, level: GeneratedLevel) -> None:
        """Use a level as a parent of later candidates if it is one of the hardest levels so far."""
        difficulty = self._difficulty(level)
        if len(self._parents) == PARENTS and difficulty < self._parents[0].difficulty:
            return
        numbers = numbers_used(self.game, self.options, self.seed, origin)
        self._parents.append(_Parent(difficulty, origin, level.text, numbers))
        self._parents.sort(key=lambda parent: parent.difficulty)
        del self._parents[:-PARENTS]

    def _origin(self, number: int) -> Origin:
        """Return the origin of a new random candidate, or of a variant of one of the hardest levels."""
        rng = Random(f"{self.game.name} {self.seed} {number} origin")
        if not self._parents or rng.random() < NEW:
            return Origin(number, number)
        place = int(len(self._parents) * rng.random() ** 2)
        parent = self._parents[-1 - place]
        parent.children += 1
        if parent.children == CHILDREN:
            self._parents.remove(parent)
        exchanged = {rng.randrange(max(parent.numbers, 1)): rng.random() for _ in range(rng.randint(1, MOST_EXCHANGED))}
        return parent.origin.child(number, parent.text, exchanged)
