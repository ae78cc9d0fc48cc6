"""A function called in a process of its own: for libraries that compute for long and never ask whether they still may.

    data = elsewhere("unpuzzle.rendering.saving", "rendered", (scene, ".png"), deadline, "drawing")

What goes there and what comes back is pickled, errors included. The process has what is left of the run's time and
memory; where that does not suffice, LimitReached is raised here, and nothing of it is left.
"""

from __future__ import annotations

import json
import os
import pickle
import sys

from unpuzzle.errors import LimitReached, PlannerFailed
from unpuzzle.planners.external import process
from unpuzzle.result import MEMOUT, TIMEOUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from unpuzzle.limits import Deadline

_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "elsewhere_child.py")
CALL, ANSWER, PATH = "call.pickle", "answer.pickle", "path.json"


def elsewhere(module: str, name: str, arguments: tuple[Any, ...], deadline: Deadline, doing: str) -> Any:
    """Return what a function of a module returns, called in a process of its own.

    Raises what the function raises, LimitReached, and PlannerFailed where the process breaks. `doing` is what it does,
    for messages.
    """
    with process.PrivateDirectory({PATH: json.dumps(sys.path)}, planner=doing) as directory:
        with open(directory.file(CALL), "wb") as file:
            pickle.dump((module, name, arguments), file)
        limits = deadline.limits
        limits.memory = deadline.memory_left()
        # Without -P the child's folder is on its path, and our `process.py` is everybody's `process`.
        run = process.run([sys.executable, "-P", _CHILD], directory, limits)
        if run.timed_out:
            raise LimitReached(TIMEOUT, f"the time limit was reached while {doing}")
        if run.out_of_memory:
            raise LimitReached(MEMOUT, f"the memory limit was reached while {doing}")
        return _answer(directory, run, doing)


def _answer(directory: process.PrivateDirectory, run: process.Run, doing: str) -> Any:
    try:
        with open(directory.file(ANSWER), "rb") as file:
            returned, value = pickle.load(file)  # noqa: S301  # of our own process, in a private folder
    except (OSError, EOFError, pickle.UnpicklingError):
        raise PlannerFailed(f"the process for {doing} {run.ending()}", planner="python", log=run.log) from None
    if not returned:
        raise value
    return value
