"""Commands as child processes: what `unpuzzle COMMAND ... --json` answers, within limits that hold from outside."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.limits import Limits
from unpuzzle.base.run import Run
from unpuzzle.base.values import Record, field
from unpuzzle.planners.external import process
from unpuzzle.planners.external.leftovers import PrivateDirectory

VERDICTS = {0: "yes", 1: "no", 2: "refused", 3: "undecided", 4: "broken"}
"""By the exit code of a command."""


class Outcome(Record):
    """What a command answered.

    Attributes:
        verdict: `yes`, `no`, `refused`, `undecided` or `broken`, by the exit code.
        fields: its JSON object; of a list of rows an object with `rows`.
        files: the texts of files that it wrote, where they were asked for.
    """

    verdict: str
    fields: dict[str, Any]
    files: dict[str, str] = field(default_factory=dict)

    def get(self, name: str, other: Any = None) -> Any:
        return self.fields.get(name, other)


def answer_of(
    words: Sequence[str], limits: Limits, files: Mapping[str, str] | None = None, *, made: str = "", most: int = 8 << 20
) -> Outcome:
    """Return the answer of a command, run in a folder of its own that has some files.

    `made` is the pattern of files that it writes; an answer of more than `most` bytes is refused. Never raises because
    of what the command does.
    """
    command = [sys.executable, "-P", "-m", "unpuzzle", words[0], "--json", *words[1:]]
    try:
        with Run(limits), PrivateDirectory(files or {}, planner="unpuzzle") as directory:
            run = process.run(command, directory, split=True)
            written = directory.read(made) if made else {}
    except UnpuzzleError as error:
        return _broken("error", str(error))
    if run.limit:
        return Outcome("undecided", {"status": run.limit, "message": f"the command {run.ending()}"})
    if len(run.output) > most:
        return _broken("too_large", f"the answer has {len(run.output):,} bytes, more than {most:,}: ask for less")
    try:
        fields = json.loads(run.output)
    except ValueError:
        return _broken("error", f"the command {run.ending()} without an answer")
    fields = fields if isinstance(fields, dict) else {"rows": fields}
    return Outcome(VERDICTS.get(-1 if run.exit_code is None else run.exit_code, "broken"), fields, written)


def _broken(status: str, message: str) -> Outcome:
    return Outcome("broken", {"status": status, "message": message})
