"""Calls: a command, run on the inputs of a call within the server's bounds.

The command has the limits of the call, so that it says itself what it found until then. The process has a little more,
for a command that does not come to an end; the guardian of `planners.external.process` ends it when the server is gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from unpuzzle.agents.bounds import ANSWER, Bounds
from unpuzzle.agents.commands import Outcome, answer_of
from unpuzzle.agents.inputs import Inputs
from unpuzzle.limits import Limits

GRACE = 30.0
"""Seconds that a command gets to start and to answer, beyond its limit."""
OWN = 1 << 30
"""Bytes of address space for Python and its libraries, beyond the limit of memory."""


async def call(
    words: Sequence[str],
    inputs: Inputs,
    bounds: Bounds,
    wish: float | None = None,
    *,
    made: str = "",
    limited: bool = True,
) -> Outcome:
    """Return what a command answers; cancelled, it ends the command first.

    `wish` is the time limit that was asked for, `made` the pattern of files that the command writes; one that takes no
    limits is not `limited`.
    """
    limits = Limits(bounds.time(wish) + GRACE, bounds.memory + OWN)
    own = ["--time-limit", f"{bounds.time(wish):g}", "--memory-limit", str(bounds.memory)] if limited else []
    try:
        line = [words[0], *own, *words[1:]]
        outcome = await asyncio.to_thread(answer_of, line, limits, inputs.files, made=made, most=ANSWER)
    finally:
        limits.cancel()
    return outcome.replace(fields=_named(outcome.fields, inputs.shown))


def _named(fields: Any, shown: dict[str, str]) -> Any:
    """Return fields in which files have the names that the call gave them."""
    if isinstance(fields, dict):
        return {name: shown.get(each, each) if name == "file" else _named(each, shown) for name, each in fields.items()}
    return [_named(each, shown) for each in fields] if isinstance(fields, list) else fields
