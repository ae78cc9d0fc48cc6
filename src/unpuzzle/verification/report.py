"""The reports of `check` and of the function `same`, as data for JSON and as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from unpuzzle.base.outcomes import GAVE_UP
from unpuzzle.base.text import count
from unpuzzle.base.values import Record, plain, schema_name
from unpuzzle.model.faults import after
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import joined_moves, replay
from unpuzzle.pddl.nodes import Atom
from unpuzzle.state_space.space import COMPLETE
from unpuzzle.verification.compared_spaces import Renaming

FOREIGN, POSSIBLE, IMPOSSIBLE, SOLVED, UNSOLVED, COST, ATOMS, MERGED, CONSTRAINTS = (
    "foreign action", "illegal move possible", "legal move impossible", "goal holds", "goal does not hold", "cost",
    "atoms", "equal positions, different facts", "constraints",
)  # fmt: skip
"""The kinds of differences of PDDL, or constraints, from the rules."""
GOAL, MISSING, SUPERFLUOUS = "goal", "missing step", "superfluous step"
"""How two states differ: only one is a goal; only the first has a step; only the second has a step."""
RELATIONS = DIFFERENT, UNDECIDED, SILENT_GOAL, SAME_BEHAVIOUR, RENAMED, IDENTICAL = (
    "different", "undecided", "the goal cannot tell them apart", "same behaviour", "renamed", "identical",
)  # fmt: skip
"""The relations between two games, the weakest first."""
_STEPS_SHOWN = 12


class LevelReport(Record):
    """The base class of reports on one level, which may have been explored completely or only in part."""

    @property
    def complete(self: Any) -> bool:
        """Whether the work ended by itself, not because of a limit or an interrupt."""
        ended: bool = self.status in (COMPLETE, GAVE_UP)
        return ended


def verdict(counterexample: object, exhaustive: bool) -> bool | None:
    """Return False if there is a counterexample, True if a complete search found none, and otherwise None."""
    return False if counterexample is not None else True if exhaustive else None


class Difference(Record):
    """The first difference found between a game's rules and its PDDL or its constraints.

    Attributes:
        rules, pddl, constraints: what each of them says there, in words; empty for those that were not compared.
        kind: the kind of difference, such as `cost`.
        atoms: the state of the PDDL, or the one that only the PDDL allows; None if both are in one.
        other_moves: moves to another position, which is equal by the rules but another state in the PDDL; else None.
    """

    moves: tuple[str, ...]
    rules: str
    pddl: str
    kind: str = ""
    atoms: frozenset[Atom] | None = None
    other_moves: tuple[str, ...] | None = None
    constraints: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as data for JSON."""
        words = {"rules": self.rules, "pddl": self.pddl or None, "constraints": self.constraints or None}
        return {"moves": list(self.moves), **words, "other_moves": plain(self.other_moves)}

    def __str__(self) -> str:
        where = f"rules and PDDL differ {after(self.moves)}"
        if self.other_moves is not None:
            where = f"{MERGED}: {after(self.other_moves)}, and {after(self.moves)}"
        if self.constraints:
            where = f"the constraints differ from the rules {after(self.moves)}"
            return f"{where}\n  rules:       {self.rules}\n  constraints: {self.constraints}"
        return f"{where}\n  rules: {self.rules}\n  PDDL:  {self.pddl}"

    def picture(self, start: Position) -> str:
        """Return drawings of the position that shows the difference, with the moves to it."""
        ways = [self.moves] if self.other_moves is None else [self.other_moves, self.moves]
        return "\n\n".join([_drawing(start, moves) for moves in ways])


class Check(LevelReport):
    """The report of a comparison of a game's rules with its PDDL.

    Attributes:
        states, transitions: the numbers of positions, and of moves out of them, that were compared.
        exhaustive: whether all reachable positions were compared, without a difference.
        walks: the number of random walks made, because not all positions could be reached breadth first.
        difference: the first difference, or None.
        status: `complete` if there is an answer, `gave_up` if only a part was compared, or the limit that ended the
            comparison: `timeout`, `memout` or `cancelled`.
        solutions: the number of compared solutions of the constraints; None for a puzzle without constraints.
    """

    states: int
    transitions: int
    exhaustive: bool
    walks: int = 0
    difference: Difference | None = None
    status: str = COMPLETE
    solutions: int | None = None

    schema = "check"

    @property
    def same(self) -> bool | None:
        """Whether rules and PDDL are the same; None if a partial comparison found no difference."""
        return verdict(self.difference, self.exhaustive)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON."""
        names = ["same", "exhaustive", "states", "transitions", *([] if self.solutions is None else ["solutions"])]
        fields = {name: plain(getattr(self, name)) for name in [*names, "difference", "status"]}
        return {"schema": schema_name(self.schema), **fields}

    def __str__(self) -> str:
        if not self.states and self.difference is None:
            return "nothing was compared: the rules were still being translated into PDDL"
        compared = f"{count(self.states, 'state')} and {count(self.transitions, 'transition')} compared"
        if self.difference is not None:
            return f"{self.difference}\n({compared})"
        if self.exhaustive and self.solutions is not None:
            compared = f"{compared.removesuffix(' compared')}, {count(self.solutions, 'solution')} compared"
            return f"rules, PDDL and constraints are the same game: {compared}, all that can be reached"
        if self.exhaustive:
            return f"rules and PDDL are the same game: {compared}, all that can be reached"
        walks = f", then {count(self.walks, 'random walk')}" if self.walks else ""
        more = "there are more" if self.complete and not self.walks else "there may be more"
        return f"no difference found: {compared}, breadth first{walks}; {more}"


def _drawing(start: Position, moves: tuple[str, ...]) -> str:
    position = replay(start, moves).position
    way = f", after {joined_moves(start.game, moves)}" if moves else ""
    return f"the position there, by the rules{way}:\n{position.draw().rstrip()}"


def weakest(relations: Iterable[str]) -> str:
    """Return the weakest relation in `relations`; `undecided` if there are none."""
    return min(relations, key=RELATIONS.index, default=UNDECIDED)


class GameDifference(Record):
    """The first difference found between two games or tasks.

    Attributes:
        moves, counterparts: steps of the first game from its start, and the second game's answers to them.
        kind: `goal`, `missing step` or `superfluous step`, seen from the first.
        first, second: in words, the state or the possible steps of each.
        step: the step that only one of them can make; None for goals.
        states: the two states, for people.
    """

    moves: tuple[str, ...]
    counterparts: tuple[str, ...]
    kind: str
    first: str
    second: str
    step: str | None
    states: tuple[str, str]

    def to_dict(self) -> dict[str, Any]:
        """Return the difference as data for JSON."""
        ways = {"moves": list(self.moves), "counterparts": list(self.counterparts)}
        return {**ways, "kind": self.kind, "first": self.first, "second": self.second}

    def __str__(self) -> str:
        steps = [f"  {move}  ~  {other}" for move, other in zip(self.moves, self.counterparts, strict=True)]
        if len(steps) > _STEPS_SHOWN:
            half = _STEPS_SHOWN // 2
            steps[half:-half] = [f"  ... {len(steps) - 2 * half} more ..."]
        after = f"after {count(len(steps), 'step')}" if steps else "at the start"
        return "\n".join([f"the two differ {after}", *steps, f"  first:  {self.first}", f"  second: {self.second}"])


class Sameness(LevelReport):
    """The report of a comparison of two games or tasks by their state spaces.

    Attributes:
        states, transitions: pairs of numbers, explored in the first and in the second game.
        depth: the number of steps to which they were compared; None if completely.
        relation: `identical`, `renamed`, `same behaviour`, `the goal cannot tell them apart`, `different` or
            `undecided`.
        difference: the shortest way to see that they differ, or None.
        bijection: of the names, if the relation is `renamed`; else None.
        status: `complete` if there is an answer, `gave_up` if only a part was compared, or the limit that ended the
            comparison: `timeout`, `memout` or `cancelled`.
    """

    states: tuple[int, int]
    transitions: tuple[int, int]
    depth: int | None
    relation: str = UNDECIDED
    difference: GameDifference | None = None
    bijection: Renaming | None = None
    status: str = COMPLETE

    schema = "same"

    @property
    def same(self) -> bool | None:
        """Whether both games are the same up to names; None if undecided, or if only their behaviour is equal."""
        return {IDENTICAL: True, RENAMED: True, DIFFERENT: False}.get(self.relation)

    @property
    def exhaustive(self) -> bool:
        """Whether all reachable states of both games were compared."""
        return self.depth is None

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON."""
        names = ("states", "transitions", "second_states", "second_transitions")
        numbers = [number for pair in zip(self.states, self.transitions, strict=True) for number in pair]
        figures = {"exhaustive": self.exhaustive, **dict(zip(names, numbers, strict=True)), "depth": self.depth}
        fields = {"same": self.same, "relation": self.relation, "bijection": plain(self.bijection), **figures}
        fields |= {"difference": plain(self.difference), "status": self.status}
        return {"schema": schema_name(self.schema), **fields}

    def __str__(self) -> str:
        looked = " and ".join(
            f"{count(states, 'state')} with {count(transitions, 'transition')}"
            for states, transitions in zip(self.states, self.transitions, strict=True)
        )
        if self.difference is not None:
            return f"{self.difference}\n({looked} compared)"
        if not self.exhaustive:
            steps = count(self.depth or 0, "step")
            return f"up to names, no difference found in {steps} from the start: {looked}; there may be more"
        words = {
            IDENTICAL: "identical, with equal names",
            RENAMED: "renamed, the same up to names",
            SAME_BEHAVIOUR: "same behaviour, but not the same up to names",
            SILENT_GOAL: "the goal cannot tell them apart (no state or each state is one)",
            UNDECIDED: "same behaviour; whether they are the same up to names is undecided",
        }[self.relation]
        if self.relation == SILENT_GOAL and any(self.transitions):  # else perhaps there are no names to compare
            words += "; not the same up to names"
        text = f"{words}: {looked}, all that can be reached"
        return text if self.bijection is None else f"{text}\n{self.bijection}"


# Findings: faults in another author's part, worded so that this author can act on them.


class Finding(Record):
    """A fault that a test found, with a counterexample.

    Attributes:
        kind: the sort of fault, in a few words such as `missing successor`.
        moves: the shortest known moves from a level's start to `state`; None if the state is no game position.
        state: the state with the fault, as plain data or text.
        got: the actual result, as plain data or text.
        expected: the correct result.
        message: one or more sentences for the author.
    """

    kind: str
    moves: tuple[str, ...] | None
    state: object
    got: object
    expected: object
    message: str

    @property
    def text(self) -> str:
        """The finding as text: the message, the state, the actual and the expected result."""
        lines = [f"{self.kind}: {self.message}"]
        if self.moves:
            lines.append(f"  after:    {' '.join(self.moves)}")
        for label, value in (("state:", self.state), ("got:", self.got), ("expected:", self.expected)):
            if value is not None:
                lines.append(f"  {label:<9} {_in_python(value)}")
        return "\n".join(lines) + "\n"


class Report(Record):
    """The report of a test of functions: at most one finding for each function and kind of fault.

    Attributes:
        sound: whether the part offered nothing that the game forbids; None if unknown.
        complete: whether the part offered everything that the game allows; None if unknown.
        findings: the counterexamples, one of each kind.
        score: counts, such as tests made and passed; plain data.
    """

    sound: bool | None
    complete: bool | None
    findings: tuple[Finding, ...]
    score: Mapping[str, Any]

    schema = "test-components"

    @property
    def right(self) -> bool:
        """Whether the tests found no fault and prove that the tested functions are sound and complete."""
        return bool(self.sound and self.complete and not self.findings)

    @property
    def text(self) -> str:
        """The verdict and all findings, as text."""
        verdicts = f"{_verdict('sound', self.sound)}, {_verdict('complete', self.complete)}\n"
        return "\n".join([verdicts, *(finding.text for finding in self.findings)])


def _verdict(word: str, holds: bool | None) -> str:
    return f"perhaps not {word} (some calls gave no answer)" if holds is None else word if holds else f"not {word}"


def _in_python(value: object, limit: int = 1000) -> str:
    """Return a value in Python's notation, shortened if necessary."""
    if isinstance(value, list | tuple) and len(value) > 1 and all(isinstance(part, _ROWS) for part in value):
        text = "[" + ",\n ".join(repr(part) for part in value) + "]"
    else:
        text = value if isinstance(value, str) else repr(value)
    if len(text) > limit:
        text = f"{text[:limit]} ... ({len(text)} characters)"
    return text.replace("\n", "\n" + " " * 12)


_ROWS = (list, tuple, str, dict)
