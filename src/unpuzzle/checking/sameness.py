"""What same() found, in plain data and in words."""

from __future__ import annotations

from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

GOAL, MISSING, SUPERFLUOUS = "goal", "missing step", "superfluous step"
"""How two states differ: one is a goal; the second cannot do what the first can; it can do what the first cannot."""

_STEPS_SHOWN = 12


class Difference:
    """Where two games part.

    Attributes:
        moves, counterparts: steps of the first one from its start, and those of the second that answer them.
        kind: `goal`, `missing step` or `superfluous step`, seen from the first.
        step: the step that one of them can make there and the other cannot; None of goals.
        first, second: in words, what each is or can do there.
        states: the two states, for people.
    """

    __slots__ = ("counterparts", "first", "kind", "moves", "second", "states", "step")

    def __init__(
        self,
        ways: tuple[list[str], list[str]],
        kind: str,
        step: str | None,
        said: tuple[str, str],
        states: tuple[str, str],
    ) -> None:
        self.moves, self.counterparts = tuple(ways[0]), tuple(ways[1])
        self.kind = kind
        self.step = step
        self.first, self.second = said
        self.states = states

    @property
    def fields(self) -> dict[str, Any]:
        """The difference as plain data."""
        return {
            "moves": list(self.moves),
            "counterparts": list(self.counterparts),
            "kind": self.kind,
            "first": self.first,
            "second": self.second,
        }

    def __str__(self) -> str:
        steps = [f"  {move}  ~  {other}" for move, other in zip(self.moves, self.counterparts, strict=True)]
        if len(steps) > _STEPS_SHOWN:
            half = _STEPS_SHOWN // 2
            steps[half:-half] = [f"  ... {len(steps) - 2 * half} more ..."]
        after = f"after {count(len(steps), 'step')}" if steps else "at the start"
        return "\n".join([f"the two differ {after}", *steps, f"  first:  {self.first}", f"  second: {self.second}"])

    def __repr__(self) -> str:
        return f"Difference({self.kind!r}, {self.moves!r}, {self.counterparts!r}, {self.first!r}, {self.second!r})"


class Sameness:
    """What a comparison found.

    Attributes:
        same: False where there is a difference, True where everything that can be reached in both was compared and
            there is none, None where it is undecided: no difference was found in a part.
        exhaustive: everything that can be reached in both was compared.
        states, transitions: of the first and of the second, as far as they were looked at: pairs of numbers.
        depth: how many steps deep they were compared, where that is not all; else None.
        difference: one that takes the fewest steps to be seen, or None.
        stopped: the limit that ended the comparison, `timeout` or `memout`; else empty.
    """

    __slots__ = ("depth", "difference", "states", "stopped", "transitions")

    def __init__(
        self,
        states: tuple[int, int],
        transitions: tuple[int, int],
        depth: int | None,
        difference: Difference | None,
        stopped: str = "",
    ) -> None:
        self.stopped = stopped
        self.states = states
        self.transitions = transitions
        self.depth = depth
        self.difference = difference

    @property
    def same(self) -> bool | None:
        return False if self.difference is not None else True if self.exhaustive else None

    @property
    def exhaustive(self) -> bool:
        return self.depth is None

    @property
    def fields(self) -> dict[str, Any]:
        """The JSON of `unpuzzle same`."""
        return {
            "same": self.same,
            "exhaustive": self.exhaustive,
            "states": self.states[0],
            "transitions": self.transitions[0],
            "second_states": self.states[1],
            "second_transitions": self.transitions[1],
            "depth": self.depth,
            "difference": None if self.difference is None else self.difference.fields,
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

    def __repr__(self) -> str:
        return f"Sameness(states={self.states}, depth={self.depth}, difference={self.difference!r})"
