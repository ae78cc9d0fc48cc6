"""How much work a translation has taken, counted and not timed: what is refused, is refused on every machine.

Work is counted in steps of about half a microsecond each, where it is done: looks at matches, questions, cells of
boards that are copied, places that are tried for schemas. `MOST_STEPS` take about ten seconds. Who has less to spend
says so, and is told by another error that it was not enough.
"""

from __future__ import annotations

from unpuzzle.errors import EffortSpent, UnsupportedFeature

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MOST_STEPS = 24_000_000
STEPS_PER_TICK = 4_000


class Effort:
    """Counts the work of one translation. `tick` is called now and then, and raises where a limit is reached."""

    def __init__(self, tick: Callable[[], None], file: str | None, most: int | None = None) -> None:
        self.tick = tick
        self.file = file
        self.most = most
        """Steps that may be spent, if these are fewer than `MOST_STEPS`; None is no other limit."""
        self.steps = self._next = 0
        self.by_line: dict[int, int] = {}
        """By the line of a rule what its questions took."""

    def spend(self, steps: int, line: int = 0) -> None:
        """Counts steps, which a rule's line is to blame for.

        Raises UnsupportedFeature where they become too many, EffortSpent where they are only more than may be spent.
        """
        self.steps += steps
        if line:
            self.by_line[line] = self.by_line.get(line, 0) + steps
        if self.steps >= self._next:
            self._next = self.steps + STEPS_PER_TICK
            self.tick()
            if self.steps > MOST_STEPS:
                raise self._refusal()
            require_affordable(self.steps, self.most)

    def _refusal(self) -> UnsupportedFeature:
        line = max(self.by_line, key=self.by_line.__getitem__, default=None)
        sentence = "no PDDL: this rule and others ask so much about the board that there are too many cases"
        return UnsupportedFeature(sentence, feature="PDDL", file=self.file, line=line)


def require_affordable(steps: int, most: int | None) -> None:
    """Raises EffortSpent for more steps than may be spent; None is no limit."""
    if most is not None and steps > most:
        raise EffortSpent(f"no PDDL was found in {most:,} steps", feature="PDDL")
