"""Calls: a command, run in a child process, with limits that hold from outside, too.

The command has the limits of the call, so that it says itself what it found until then. The process has a little more,
for a command that does not come to an end; the guardian of `planners.external.process` ends it when the server is gone.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unpuzzle.agents.bounds import ANSWER, Bounds
from unpuzzle.agents.inputs import Inputs
from unpuzzle.errors import UnpuzzleError
from unpuzzle.limits import Limits
from unpuzzle.planners.external import process
from unpuzzle.planners.external.leftovers import PrivateDirectory
from unpuzzle.result import MEMOUT

GRACE = 10.0
"""Seconds that a command gets to start and to answer, beyond its limit."""
OWN = 1 << 30
"""Bytes of address space for Python and its libraries, beyond the limit of memory."""
VERDICTS = {0: "yes", 1: "no", 2: "refused", 3: "undecided", 4: "broken"}
"""By the exit code of a command."""


@dataclass(frozen=True)
class Outcome:
    """What a command answered: `yes`, `no`, `refused`, `undecided` or `broken`, and its JSON object."""

    verdict: str
    fields: dict[str, Any]
    files: dict[str, str]

    def get(self, name: str, other: Any = None) -> Any:
        """Return a field of the object."""
        return self.fields.get(name, other)


async def call(
    words: Sequence[str], inputs: Inputs, bounds: Bounds, wish: float | None = None, *, made: str = "", limited: bool = True
) -> Outcome:
    """Run a command line on the inputs; `made` is a file that it writes, which the outcome has, too.

    Cancelled, it ends the command first.
    """
    limits = Limits(bounds.time(wish) + GRACE, bounds.memory + OWN)
    own = ["--time-limit", f"{bounds.time(wish):g}", "--memory-limit", str(bounds.memory)] if limited else []
    command = [sys.executable, "-P", "-m", "unpuzzle", words[0], "--json", *own, *words[1:]]
    try:
        return await asyncio.to_thread(_run, command, inputs, limits, made)
    finally:
        limits.cancel()


def _run(command: list[str], inputs: Inputs, limits: Limits, made: str) -> Outcome:
    try:
        with PrivateDirectory(inputs.files, planner="unpuzzle") as directory:
            run = process.run(command, directory, limits, split=True)
            files = directory.read(made) if made else {}
    except UnpuzzleError as error:
        return _broken("error", str(error))
    if run.limit:
        return Outcome("undecided", {"status": run.limit, "message": f"the command {run.ending()}"}, {})
    if len(run.output) > ANSWER:
        return _broken("too_large", f"the answer has {len(run.output):,} bytes, more than {ANSWER:,}: ask for less")
    try:
        fields = json.loads(run.output)
    except ValueError:
        limit = MEMOUT if run.exit_code is None else ""
        message = f"the command {run.ending()} without an answer"
        return Outcome("undecided", {"status": limit, "message": message}, {}) if limit else _broken("error", message)
    fields = fields if isinstance(fields, dict) else {"rows": fields}
    return Outcome(VERDICTS.get(run.exit_code or 0, "broken"), _named(fields, inputs.shown), files)


def _broken(status: str, message: str) -> Outcome:
    return Outcome("broken", {"status": status, "message": message}, {})


def _named(fields: Any, shown: dict[str, str]) -> Any:
    """Return fields in which files have the names that the call gave them."""
    if isinstance(fields, dict):
        return {name: shown.get(each, each) if name == "file" else _named(each, shown) for name, each in fields.items()}
    return [_named(each, shown) for each in fields] if isinstance(fields, list) else fields
