"""The collection of faulty files: each has one fault, and lint tells it at its place, with what to do, and little else.

`faulty/faults.txt` has the faults as edits of three correct tasks. What lint says of each in full is a golden file.
"""

import ast
import json
import os
import random
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.command_line import run_json as answer
from support.fixtures import Capsys, Monkeypatch
from support.modules import ROOT, tree
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.pddl import lint, parse_task
from unpuzzle.pddl.linting.fault import codes
from unpuzzle.pddl.linting.plan_faults import lint_plan
from unpuzzle.pddl.reading.brackets import Note

FOLDER = Path(__file__).parent / "faulty"
GOLDEN = Path(__file__).parent / "golden" / "faulty.json"
KINDS = ("domain", "problem", "plan")
UNKNOWABLE = {
    "river: a condition is missing that no other action has",
    "river: an action is missing, or one too many",
    "logistics: two arguments of one type are swapped",
    "logistics: a fact about the map is wrong or missing, and the goal can be reached without it",
    "logistics: a cost or a distance has another number",
    "lights: a rule for a derived predicate is missing, and another still makes it true",
    "lights: the goal asks for another room or lamp",
}
"""What nobody can know who does not know what was meant."""


class Planted(NamedTuple):
    """One line of the table."""

    task: str
    kind: str
    code: str
    old: str
    new: str
    words: str


def table() -> list[Planted]:
    """Return the faults of the collection."""
    result = []
    for line in (FOLDER / "faults.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            file, code, edit, words = [*line.rsplit(" | ", 1)[0].split(" | ", 2), line.rsplit(" | ", 1)[1]]
            old, _, new = (" " + edit).replace("\\n", "\n").replace("\\u00a0", "\u00a0").partition(" =>")
            task, kind = file.split(".")
            result.append(Planted(task, kind, code, old[1:], new[1:], words))
    return result


TABLE = table()
NAMES = [f"{number}: {planted.task} {planted.code}" for number, planted in enumerate(TABLE, 1)]


def place_of(text: str) -> tuple[int, int]:
    """Return line and column of the ^ in a text."""
    before = text[: text.index("^")]
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def written(planted: Planted, folder: Path) -> tuple[list[str], tuple[int, int] | None]:
    """Write the files of a task with a fault in one of them; return their paths, and the place of the fault."""
    names = {kind: folder / f"{planted.task}.{kind}{'' if kind == 'plan' else '.pddl'}" for kind in KINDS}
    for path in names.values():
        path.write_bytes((FOLDER / path.name).read_bytes())
    paths = [str(names[kind]) for kind in (KINDS if planted.kind == "plan" else KINDS[:2])]
    path = names[planted.kind]
    text, place = path.read_text(), None
    command, _, argument = planted.old.partition(" ")
    if not command.startswith("@"):
        assert planted.old in text, planted.old
        text = text.replace(planted.old, planted.new, 1)
        changed = text
    else:
        changed = whole(command, argument, text)
        text = changed
    if "^" in changed:
        place = place_of(changed)
        changed = changed.replace("^", "")
    path.write_bytes(changed.encode({"@latin-1": "latin-1", "@utf-16": "utf-16"}.get(command, "utf-8")))
    if command == "@swap":
        paths = paths[::-1]
    return (paths[:1] * 2 if command == "@same" else paths), place


def whole(command: str, argument: str, text: str) -> str:
    """Return a text after a change of all of it."""
    if command == "@deep":
        return text.replace("(opposite ?from ?to)", "(not " * 300 + "(opposite ?from ?to)" + ")" * 300, 1)
    if command in ("@wrap", "@prepend"):
        return argument + text + ("```\n" if command == "@wrap" else "")
    if command == "@append":
        return text + argument
    if command == "@cut":
        return text[: text.index(argument)]
    return text.replace("?from", argument) if command == "@latin-1" else text


def told(planted: Planted, folder: Path, capsys: Capsys) -> tuple[int, list[dict[str, Any]]]:
    """Return what lint says, with the names of files alone."""
    paths, _ = written(planted, folder)
    code, data = answer(capsys, "lint", *paths)
    return code, [fault | {"file": Path(fault["file"]).name} for fault in data["faults"]]


def test_the_collection_is_large() -> None:
    assert len(TABLE) >= 120
    assert {planted.task for planted in TABLE} == {"river", "logistics", "lights"}
    assert len(UNKNOWABLE) < 10


@pytest.mark.parametrize("task", ["river", "logistics", "lights"])
def test_the_correct_files_have_no_faults(task: str, capsys: Capsys) -> None:
    paths = [str(FOLDER / name) for name in (f"{task}.domain.pddl", f"{task}.problem.pddl", f"{task}.plan")]
    code, data = answer(capsys, "lint", *paths)
    assert (code, data["faults"]) == (0, [])


@pytest.mark.parametrize("planted", TABLE, ids=NAMES)
def test_a_fault_is_told_at_its_place(planted: Planted, tmp_path: Path, capsys: Capsys) -> None:
    paths, place = written(planted, tmp_path)
    code, faults = told(planted, tmp_path, capsys)
    shown = "\n".join(str(fault) for fault in faults)
    own = [fault for fault in faults if fault["code"] == planted.code and planted.words in fault["message"]]
    assert own, shown
    fault = own[0]
    if place is not None:
        assert (fault["line"], fault["column"]) == place, shown
    kind = codes()[planted.code].kind
    severities = {"syntax": {"error", "warning"}, "error": {"error"}, "warning": {"warning"}}
    assert fault["severity"] in severities[kind]
    assert len(faults) <= 3, shown  # one fault does not bring a dozen others
    errors = [each for each in faults if each["severity"] == "error"]
    assert errors in ([], [fault]), shown
    syntax = [each for each in errors if codes()[each["code"]].kind == "syntax"]
    assert code == (2 if syntax else 1 if errors else 0)
    assert paths


@pytest.mark.parametrize("planted", TABLE, ids=NAMES)
def test_files_with_errors_are_refused_in_the_words_of_lint(planted: Planted, tmp_path: Path, capsys: Capsys) -> None:
    paths, _ = written(planted, tmp_path)
    _, faults = told(planted, tmp_path, capsys)
    if planted.kind == "plan" or not any(fault["severity"] == "error" for fault in faults):
        return
    code, data = answer(capsys, "plan", *paths)
    assert code in (2, 4), data
    assert data["status"] in ("bad_input", "unsupported")
    if data["status"] == "bad_input":  # the reader refuses them in the words of lint
        first = next(fault for fault in faults if fault["severity"] == "error")
        told_by_plan = Path(data["file"]).name, data["line"], data["column"], data["message"]
        assert told_by_plan == (first["file"], first["line"], first["column"], first["message"])


@pytest.mark.parametrize("planted", TABLE, ids=NAMES)
def test_a_correction_never_makes_it_worse(planted: Planted, tmp_path: Path, capsys: Capsys) -> None:
    """And most corrections leave nothing of the fault."""
    paths, _ = written(planted, tmp_path)
    _, before = told(planted, tmp_path, capsys)
    paths, _ = written(planted, tmp_path)
    _, data = answer(capsys, "lint", "--fix", *dict.fromkeys(paths))
    own = [fault for fault in before if fault["code"] == planted.code]
    if own and own[0]["fix"] is not None:
        after = Counter(fault["code"] for fault in data["faults"])
        assert after[planted.code] < len(own), data["faults"]
    assert sum(f["severity"] == "error" for f in data["faults"]) <= sum(f["severity"] == "error" for f in before)


def corrections() -> set[tuple[str, int]]:
    """Return the places in the tolerant readers where a fault is noted with a correction for `--fix`."""
    found = set()
    for path in (ROOT / "pddl" / "reading").glob("*.py"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("self.note", "self.fail", "Note"):
                code, *others = [ast.unparse(argument) for argument in node.args]
                unsure = "sure=False" in [ast.unparse(word) for word in node.keywords]
                if len(others) > 3 and others[3] != "None" and code != "code" and not unsure:
                    found.add((path.name, node.lineno))
    return found


def test_every_correction_removes_a_fault_of_the_collection(
    tmp_path: Path, capsys: Capsys, monkeypatch: Monkeypatch
) -> None:
    made, proved, new = set[tuple[str, int]](), set[tuple[str, int]](), Note.__new__

    def noted(cls: type[Note], *values: Any, **named: Any) -> Note:
        frame = sys._getframe(1)
        while frame.f_code.co_name in ("_noted", "note", "fail"):
            frame = frame.f_back
        made.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
        return new(cls, *values, **named)

    monkeypatch.setattr(Note, "__new__", noted)
    wanted = corrections()
    for planted in TABLE:
        made.clear()
        own = [fault for fault in told(planted, tmp_path, capsys)[1] if fault["code"] == planted.code]
        here = made & wanted
        if own and own[0]["fix"] is not None and not here <= proved:
            _, data = answer(capsys, "lint", "--fix", *dict.fromkeys(written(planted, tmp_path)[0]))
            if own[0]["message"] not in [fault["message"] for fault in data["faults"]]:
                proved |= here
    assert wanted <= proved


def test_every_code_is_explained_and_produced() -> None:
    assert {planted.code for planted in TABLE} == set(codes())


def test_what_lint_says_of_the_collection(tmp_path: Path, capsys: Capsys) -> None:
    said = {name: told(planted, tmp_path, capsys)[1] for name, planted in zip(NAMES, TABLE, strict=True)}
    if os.environ.get("UNPUZZLE_RENEW_GOLDEN"):
        GOLDEN.write_text(json.dumps(said, indent=1, sort_keys=True) + "\n")
    assert said == json.loads(GOLDEN.read_text())


PIECES = [
    "(",
    ")",
    "-",
    "?x",
    ":init",
    "and",
    "not",
    ",",
    "[",
    "```\n",
    "=",
    "(define",
    "(:action",
    "\u00a0",
    "é",
    "\0",
]


def damaged(text: str, rng: random.Random) -> str:
    """Return a text after a few random changes of its words and brackets."""
    for _ in range(rng.choice([1, 1, 2, 5])):
        words = list(re.finditer(r"[()]|[^\s()]+", text))
        if not words:
            return text
        word = rng.choice(words)
        instead = rng.choice(["", rng.choice(PIECES), word[0] + rng.choice(PIECES), rng.choice(words)[0]])
        text = text[: word.start()] + instead + text[word.end() :]
    return text


@pytest.mark.parametrize("task", ["river", "logistics", "lights"])
@pytest.mark.parametrize("seed", range(60))
def test_no_damage_breaks_lint_and_it_agrees_with_the_reader(task: str, seed: int) -> None:
    rng = random.Random(seed)
    texts = [(FOLDER / f"{task}.{kind}.pddl").read_text() for kind in KINDS[:2]]
    number = rng.randrange(2)
    texts[number] = damaged(texts[number], rng)
    faults = lint(*texts, domain_name="d", problem_name="p")
    for fault in faults:
        assert fault.code in codes()
        assert (fault.line or 0, fault.column or 0) <= (fault.end_line or 0, fault.end_column or 0)
    try:
        parse_task(*texts)
    except (ParseError, UnsupportedFeature):
        assert any(fault.severity == "error" for fault in faults)
    else:
        assert not any(fault.severity == "error" for fault in faults)


@pytest.mark.parametrize("task", ["river", "logistics", "lights"])
def test_a_text_that_ends_with_an_opening_bracket_breaks_nothing(task: str) -> None:
    text = (FOLDER / f"{task}.domain.pddl").read_text()
    for match in list(re.finditer(r"\(", text))[::3]:
        assert lint(text[: match.end()])


@given(st.text())
def test_no_text_breaks_lint(text: str) -> None:
    assert lint(text)
    assert all(fault.code in codes() for fault in (*lint(text, text), *lint_plan(text)))
