"""Command lines of the docs and the tests before the commands were renamed, and what each of them answered.

A line of `tests/golden/command_lines.jsonl` has the words, the exit code, and the JSON that was printed: its schema and
its fields, and where two runs printed the same, a checksum of all values but seconds and memory. A refusal has its
status and the file that it names. Lines of servers, lines that took long, and lines with limits that few runs keep have
no answer here.

`scripts/make/record_command_lines.py` made the list. Lines that name files of a test find none, or those of `prepare`.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

from support.modules import ROOT

FILE = ROOT / "tests" / "golden" / "command_lines.jsonl"
VOLATILE = {"seconds", "peak_memory_mb", "report", "log", "version", "plans", "commands", "to_try", "help", "parts"}
DOMAIN = """(define (domain tiny) (:requirements :strips)
  (:predicates (here) (there) (nowhere))
  (:action go :parameters () :precondition (here) :effect (and (not (here)) (there))))
"""
PROBLEM = "(define (problem p) (:domain tiny) (:init (here)) (:goal (there)))\n"
SOKOBAN = "#####\n#@$.#\n#####\n"
PARTS = """def successors(state, tiles):
    return []


def is_goal(state, tiles):
    return False
"""


def prepare(folder: Path) -> None:
    """Write files with the names that pages and tests use most."""
    names = ["domain.pddl", "d.pddl", "other-domain.pddl", "my-boxup.pddl", "./d.pddl"]
    texts = dict.fromkeys(names, DOMAIN)
    texts |= dict.fromkeys(["problem.pddl", "p.pddl", "other-problem.pddl", "p01.pddl", "./p.pddl"], PROBLEM)
    texts |= dict.fromkeys(["plan.txt", "p.plan", "./plan"], "(go)\n")
    texts |= dict.fromkeys(["mine.txt", "level.txt", "levels.sok", "mine.sok"], SOKOBAN)
    texts |= {"my-sokoban.py": PARTS, "parts.py": PARTS, "rules.txt": "Push all boxes.\n"}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")


def outcome(code: int, out: str) -> dict[str, Any]:
    """Return what is recorded of an answer: the exit code and the JSON."""
    try:
        data = json.loads(out)
    except ValueError:
        return {"exit": code}
    first = data[0] if isinstance(data, list) and data else data
    if not isinstance(first, dict):
        return {"exit": code}
    recorded: dict[str, Any] = {"exit": code, "schema": first.get("schema")}
    if recorded["schema"] == "unpuzzle/error/1":
        return recorded | {"status": first["status"], "file": first["file"]}
    text = json.dumps(_lasting(data), sort_keys=True)
    return recorded | {"fields": sorted(first), "sum": sha256(text.encode()).hexdigest()[:12]}


def _lasting(data: Any) -> Any:
    """Return data without what differs from run to run."""
    if isinstance(data, dict):
        return {name: _lasting(value) for name, value in data.items() if name not in VOLATILE}
    return [_lasting(value) for value in data] if isinstance(data, list) else data


def as_json(words: list[str]) -> list[str]:
    """Return the words of a line that asks for JSON."""
    if not words or "--json" in words or "--format" in words or any(word.startswith("--format=") for word in words):
        return words
    place = words.index("--") if "--" in words else len(words)
    return [*words[:place], "--json", *words[place:]]


def recorded() -> list[dict[str, Any]]:
    """Return the recorded lines."""
    return [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
