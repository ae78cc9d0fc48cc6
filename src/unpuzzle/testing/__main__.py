"""Check the expectations in files without pytest: `python -m unpuzzle.testing FILE...`.

Exit code 0: all are met, or there are none; 1: one is not; 3: one is undecided, and none is unmet.
"""

from __future__ import annotations

import sys

from unpuzzle.base.files import read_bytes
from unpuzzle.base.run import Limits
from unpuzzle.testing.expectations import expectations, judge

SECONDS, MEMORY = 60.0, 2 << 30
"""The limits of each expectation."""


def main(paths: list[str]) -> int:
    """Check the expectations in files, print those that are not met, and return the exit code."""
    code = 0
    for path in paths:
        text = read_bytes(path).decode("utf-8", "replace").replace("\r\n", "\n")
        for expectation in expectations(path, text):
            judgement = judge(path, expectation, Limits(SECONDS, MEMORY))
            if not judgement.met:
                word = "undecided" if judgement.met is None else "but"
                line = f"{path}:{expectation.line}: expected: {expectation.text}\n  {word}: {judgement.said}\n"
                sys.stdout.write(line)
                code = 1 if judgement.met is False or code == 1 else 3
    return code


if __name__ == "__main__":
    try:
        raise SystemExit(main(sys.argv[1:]))
    except OSError as error:
        raise SystemExit(f"{error.filename}: {error.strerror}") from None
