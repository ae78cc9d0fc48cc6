"""What `elsewhere.py` runs as a process of its own: one call of one function.

Reads `path.json` (where modules are found) and `call.pickle` (module, function, arguments) and writes `answer.pickle`:
whether the function returned, and what it returned or raised; all in the working directory. A lack of memory is left to
show as what it is, so that the one who waits can see it.
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
        answer = True, getattr(import_module(module), name)(*arguments)
    except MemoryError:
        raise
    except Exception as error:
        answer = False, error
    with open("answer.pickle", "wb") as file:
        pickle.dump(answer, file)


if __name__ == "__main__":
    main()
