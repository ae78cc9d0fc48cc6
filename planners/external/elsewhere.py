"""Functions called in a process of their own: for libraries that compute for long and never look at a limit.

    data = elsewhere("unpuzzle.rendering.saving", "rendered", (scene, ".png"), deadline, "drawing")

What goes there and what comes back is pickled, errors included. The process has what is left of the run's time and
memory; where that does not suffice, LimitReached is raised here, and nothing of it is left.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import Any

from unpuzzle.errors import LimitReached, PlannerFailed
from unpuzzle.limits import Deadline
from unpuzzle.planners.external import process
from unpuzzle.planners.external.leftovers import PrivateDirectory
from unpuzzle.result import CANCELLED, MEMOUT

_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "elsewhere_child.py")
CALL, ANSWER, PATH = "call.pickle", "answer.pickle", "path.json"


def elsewhere(module: str, name: str, arguments: tuple[Any, ...], deadline: Deadline, doing: str) -> Any:
    """Return what a function of a module returns, called in a process of its own; messages say what it was `doing`.

    Raises what the function raises, LimitReached, and PlannerFailed where the process breaks.
    """
    with PrivateDirectory({PATH: json.dumps(sys.path)}, planner=doing) as directory:
        with open(directory.file(CALL), "wb") as file:
            pickle.dump((module, name, arguments), file)
        limits = deadline.limits.replace(memory=deadline.memory_left())
        # Without -P the child's folder is on its path, and our `process.py` is everybody's `process`.
        run = process.run([sys.executable, "-P", _CHILD], directory, limits)
        if run.limit:
            ends = {CANCELLED: "the run was cancelled", MEMOUT: "the memory limit was reached"}
            raise LimitReached(run.limit, f"{ends.get(run.limit, 'the time limit was reached')} while {doing}")
        try:
            with open(directory.file(ANSWER), "rb") as file:
                returned, value = pickle.load(file)  # noqa: S301  # of our own process, in a private folder
        except (OSError, EOFError, pickle.UnpicklingError):
            raise PlannerFailed(f"the process for {doing} {run.ending()}", planner="python", log=run.log) from None
    if not returned:
        raise value
    return value
