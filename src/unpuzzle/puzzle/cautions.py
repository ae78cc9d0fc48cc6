"""Collect cautions for authors of games about the results of their rules, such as rules that never came to rest.

    with Cautions() as cautions:
        solve(game.parse(text))
    faults = cautions.faults()

A game reports by `caution`, and stores nothing, so two threads may use it.
"""

from __future__ import annotations

from contextvars import ContextVar, Token

from unpuzzle.pddl.judging.fault import Fault

Said = dict[tuple[str, int, str], None]


_COLLECTED: ContextVar[Said | None] = ContextVar("cautions", default=None)


def caution(file: str, line: int, message: str) -> None:
    """Report a caution for the author of a game's text, counted once by each collector."""
    if (collected := _COLLECTED.get()) is not None:
        collected[file, line, message] = None


class Cautions:
    """A block that collects the cautions of games; repeated ones count once."""

    __slots__ = ("_collected", "_token")

    def __init__(self) -> None:
        self._collected: Said = {}

    def __enter__(self) -> Cautions:
        self._token: Token[Said | None] = _COLLECTED.set(self._collected)
        return self

    def __exit__(self, *error: object) -> None:
        _COLLECTED.reset(self._token)

    def __bool__(self) -> bool:
        return bool(self._collected)

    def faults(self) -> list[Fault]:
        """Return a warning for each caution, in the order of files and lines."""
        return [Fault(file, line, None, "warning", message) for file, line, message in sorted(self._collected)]
