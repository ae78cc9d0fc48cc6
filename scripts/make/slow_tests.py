"""Write the list of slow tests, which `scripts/test` leaves out, from the recorded times of a run of all tests.

    scripts/test --all --junitxml build/tests.xml
    python scripts/make/slow_tests.py build/tests.xml [--seconds 335]

The slowest tests are listed until the others take no more than so many seconds in all. Tests on which a promise of the
documents rests, the sessions, which guard many rooms at once, and those of the pages that newcomers read first, are not
listed. Times are those of the machine: it should be quiet.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from support.promises import promised_tests  # noqa: E402
from support.selection import SLOW  # noqa: E402

SESSIONS = "tests/test_sessions.py::test_sessions"
FIRST_PAGES = ("README.md", "docs/tutorials/first-puzzle.md", "docs/tutorials/first-domain.md")


def times(record: Path) -> dict[str, float]:
    """Return the seconds of each test by its node id, from a record in the format of JUnit."""
    seconds = {}
    for case in ElementTree.parse(record).iter("testcase"):
        *folders, name = case.get("classname", "").split(".")
        file = "/".join([*folders, f"{name}.py"])
        seconds[f"{file}::{case.get('name')}"] = float(case.get("time", 0))
    return seconds


def slow(seconds: dict[str, float], most: float) -> list[str]:
    """Return the slowest tests, without which the others take `most` seconds; functions if all cases are slow."""
    kept, left, chosen = {*promised_tests(), SESSIONS}, sum(seconds.values()), set[str]()
    for node in sorted(seconds, key=lambda node: -seconds[node]):
        if left <= most:
            break
        if node.partition("[")[0] not in kept and not node.endswith(tuple(f"[{page}]" for page in FIRST_PAGES)):
            chosen.add(node)
            left -= seconds[node]
    functions = defaultdict[str, list[str]](list)
    for node in seconds:
        functions[node.partition("[")[0]].append(node)
    for function, nodes in functions.items():
        if chosen.issuperset(nodes):
            chosen = chosen.difference(nodes) | {function}
    return sorted(chosen)


def main() -> None:
    """Read the command line and write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("record", type=Path, metavar="XML")
    parser.add_argument("--seconds", type=float, default=335, help="for the tests that are not listed (default 335)")
    arguments = parser.parse_args()
    SLOW.write_text("".join(f"{node}\n" for node in slow(times(arguments.record), arguments.seconds)))


if __name__ == "__main__":
    main()
