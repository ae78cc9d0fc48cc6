"""Functions called in a child process: for libraries that run for long and never check a limit.

    data = elsewhere("unpuzzle.rendering.saving", "rendered", (scene, ".png"), "drawing")

Arguments, results and errors are pickled. The process has the rest of the run's time and memory; if that is not enough,
LimitReached is raised here, and the process is gone.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from typing import Any

from unpuzzle.base.errors import LimitReached, PlannerFailed
from unpuzzle.base.limits import Limits
from unpuzzle.base.outcomes import CANCELLED, MEMOUT
from unpuzzle.base.run import Run, current
from unpuzzle.planners.external import process
from unpuzzle.planners.external.leftovers import PrivateDirectory

_CHILD = os.path.join(os.path.dirname(os.path.abspath(__file__)), "elsewhere_child.py")
CALL, ANSWER, PATH = "call.pickle", "answer.pickle", "path.json"


def elsewhere(module: str, name: str, arguments: tuple[Any, ...], doing: str) -> Any:
    """Return the result of a function of a module, called in a child process; messages say `doing` for its work.

    Raises the errors of the function, LimitReached, and PlannerFailed if the process breaks.
    """
    with PrivateDirectory({PATH: json.dumps(sys.path)}, planner=doing) as directory:
        with open(directory.file(CALL), "wb") as file:
            pickle.dump((module, name, arguments), file)
        # Without -P the child's folder is on its path, and our `process.py` would hide other modules of this name.
        with Run(Limits(memory=current().memory_left())):
            run = process.run([sys.executable, "-P", _CHILD], directory)
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
