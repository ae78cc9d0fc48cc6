"""What same() found, in plain data and in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unpuzzle.record import Plain, schema_name
from unpuzzle.result import GAVE_UP
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count

GOAL, MISSING, SUPERFLUOUS = "goal", "missing step", "superfluous step"
"""How two states differ: one is a goal; the second cannot do what the first can; it can do what the first cannot."""

_STEPS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class GameDifference(Plain):
    """Where two games differ, and the shortest way to see it.

    Attributes:
        moves, counterparts: steps of the first game from its start, and those of the second that answer them.
        kind: `goal`, `missing step` or `superfluous step`, seen from the first.
        first, second: in words, what each is or can do there.
        step: the step that one of them can make there and the other cannot; None of goals.
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


@dataclass(frozen=True, slots=True)
class Sameness(Plain):
    """What a comparison of two games found.

    Attributes:
        states, transitions: of the first and of the second, as far as they were looked at: pairs of numbers.
        depth: how many steps deep they were compared, where that is not all; else None.
        difference: the shortest way to see that they differ, or None.
        status: `complete` where there is an answer, `gave_up` where a part was compared, or the limit that ended the
            comparison: `timeout`, `memout` or `cancelled`.
    """

    states: tuple[int, int]
    transitions: tuple[int, int]
    depth: int | None
    difference: GameDifference | None = None
    status: str = COMPLETE

    schema = "same"

    @property
    def same(self) -> bool | None:
        """Whether the two are the same; None where no difference was found in a part."""
        return False if self.difference is not None else True if self.exhaustive else None

    @property
    def exhaustive(self) -> bool:
        """Whether everything that can be reached in both was compared."""
        return self.depth is None

    @property
    def complete(self) -> bool:
        """Whether the comparison came to its end before a limit of time or memory ended it."""
        return self.status in (COMPLETE, GAVE_UP)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as data for JSON."""
        return {
            "schema": schema_name(self.schema),
            "same": self.same,
            "exhaustive": self.exhaustive,
            "states": self.states[0],
            "transitions": self.transitions[0],
            "second_states": self.states[1],
            "second_transitions": self.transitions[1],
            "depth": self.depth,
            "difference": None if self.difference is None else self.difference.to_dict(),
            "status": self.status,
        }

    def __str__(self) -> str:
        looked = " and ".join(
            f"{count(states, 'state')} with {count(transitions, 'transition')}"
            for states, transitions in zip(self.states, self.transitions, strict=True)
        )
        if self.difference is not None:
            return f"{self.difference}\n({looked} compared)"
        if self.exhaustive:
            return f"the same up to names: {looked}, all that can be reached"
        return f"no difference found in {count(self.depth or 0, 'step')} from the start: {looked}; there may be more"
