"""Runs for tests: one whose checkpoints call a function, and a call within limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from unpuzzle.base.run import Cancellation, Limits, Run

T = TypeVar("T")


class _Asked(Cancellation):
    """A flag that is never raised. Whoever looks at it calls a function."""

    def __init__(self, called: Callable[[], object]) -> None:
        super().__init__()
        self._called = called

    @property
    def requested(self) -> bool:  # type: ignore[override]
        self._called()
        return False

    @requested.setter
    def requested(self, raised: bool) -> None:
        assert not raised


class Called(Run):
    """A run whose checkpoints, and those of its parts, call a function."""

    def __init__(self, called: Callable[[], object]) -> None:
        super().__init__(Limits())
        self.cancellation = _Asked(called)


def within(limits: Limits, function: Callable[..., T], *arguments: object, **options: object) -> T:
    """Return what a function returns, called within limits."""
    with Run(limits):
        return function(*arguments, **options)
