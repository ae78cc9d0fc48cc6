"""The child process of `elsewhere.py`: one call of one function.

In the working directory it reads `path.json` (where modules are found) and `call.pickle` (module, function, arguments)
and writes `answer.pickle`: whether the function returned, and its value or error. A lack of memory ends it.
"""

from __future__ import annotations

import json
import pickle
import sys
from importlib import import_module


def main() -> None:
    """Make the call."""
    with open("path.json", encoding="utf-8") as places:
        sys.path[:] = json.load(places)
    with open("call.pickle", "rb") as call:
        module, name, arguments = pickle.load(call)  # noqa: S301  # of the process that started this one
    try:
        from unpuzzle.planners.external import memory  # from the parent's path

        answer = True, getattr(import_module(module), name)(*arguments)
    except MemoryError:
        raise
    except Exception as error:
        if isinstance(error, (ImportError, OSError)) and not memory.is_left():
            raise MemoryError from error
        answer = False, error
    with open("answer.pickle", "wb") as file:
        pickle.dump(answer, file)


if __name__ == "__main__":
    main()
