"""Random edits of real files, sent one by one as an editor does: the server goes on, and says what a fresh lint says.

The text is kept here a second time, by another way of counting: as UTF-16, line by line.
"""

import asyncio
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lsprotocol import types as lsp

from support.counting import calls
from support.data import IPC, needs_ipc
from support.editor import Editor
from support.modules import ROOT
from support.puzzlescript_data import GAMES, needs_games
from support.thorough import THOROUGH
from support.waiting import wait_until
from unpuzzle.base.run import Limits
from unpuzzle.pddl import Fault
from unpuzzle.pddl.matching import PddlText, kind_of_file
from unpuzzle.puzzlescript.compiling.text import read_text
from unpuzzle.puzzlescript.files import ScriptFormat
from unpuzzle.servers.lsp import diagnosing
from unpuzzle.servers.lsp.server import FIX_ALL, Server, _actions
from unpuzzle.workspace.documents import Document, Documents, Lines
from unpuzzle.workspace.linting import lint_files

EDITS = 1_000 if THOROUGH else 60
"""Of each run, shared by its files."""
PIECES = ["(", ")", " ", "\n", "?x", ";", "and", ":init", "𝛼", "->", "[ ", "0", "\r\n", "\u2028", "(p ?y)", "=", "not"]


def replaced(text: str, rng: Random) -> tuple[str, dict[str, Any]]:
    """Return a text after a random edit, and the change that is sent."""
    lines = text.replace("\r\n", "\n\n").split("\n") if "\r\n" in text else text.split("\n")
    if "\r\n" in text:
        return _whole(text, rng)
    first = rng.randrange(len(lines))
    last = min(len(lines) - 1, first + (rng.random() < 0.1))
    start, end = rng.randrange(len(lines[first]) + 1), rng.randrange(len(lines[last]) + 1)
    if first == last:
        start, end = sorted((start, end))
        end = min(end, start + rng.randrange(4))
    new = rng.choice([*PIECES, "", "", rng.choice(lines)])
    before = "\n".join([*lines[:first], lines[first][:start]])
    after = "\n".join([lines[last][end:], *lines[last + 1 :]])
    units = [len(lines[line][:column].encode("utf-16-le")) // 2 for line, column in ((first, start), (last, end))]
    where = {"start": {"line": first, "character": units[0]}, "end": {"line": last, "character": units[1]}}
    return before + new + after, {"range": where, "text": new}


def _whole(text: str, rng: Random) -> tuple[str, dict[str, Any]]:
    """Return a text with one kind of line ends, sent as a whole."""
    new = text.replace("\r\n", "\n")
    return new, {"text": new}


def expected(faults: list[Fault], text: str) -> set[tuple[Any, ...]]:
    """Return what an editor should show of faults: where each begins, its code and its sentence."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    shown = set()
    for fault in faults:
        line = (fault.line or 1) - 1
        written = lines[line] if line < len(lines) else ""
        column = len(written[: (fault.column or 1) - 1].encode("utf-16-le")) // 2
        shown.add((line if line < len(lines) else None, column if fault.column else None, fault.code, fault.message))
    return shown


def told(editor: Editor, uri: str) -> set[tuple[Any, ...]]:
    shown = set()
    for each in editor.diagnostics[uri]["diagnostics"]:
        start = each["range"]["start"]
        shown.add((start["line"], start["character"], each.get("code", ""), each["message"]))
    return shown


def agree(left: set[tuple[Any, ...]], right: set[tuple[Any, ...]]) -> bool:
    """Return whether two sets of faults are the same; a place that is not known agrees with any."""
    bare = {each[2:] for each in left} == {each[2:] for each in right}
    known = {each for each in right if None not in each}
    return bare and known <= left


def run(editor: Editor, path: Path, text: str, lint: Any, edits: int, rng: Random) -> None:
    """Make edits, and compare what is told now and then, in the end for sure."""
    uri = editor.open(path, text)
    for number in range(edits):
        text, change = replaced(text, rng)
        editor.change(uri, change)
        if number % 20 == 19 or number == edits - 1:
            wanted = expected(lint(text), text)
            editor.faults(uri)
            wait_until(lambda wanted=wanted: agree(told(editor, uri), wanted), f"{path.name}: {wanted} after {number}")
            for question in ("documentSymbol", "foldingRange", "codeLens"):
                editor.ask(f"textDocument/{question}", textDocument={"uri": uri})
            place = {"line": rng.randrange(text.count("\n") + 1), "character": rng.randrange(40)}
            for question in ("hover", "completion", "definition"):
                editor.ask(f"textDocument/{question}", textDocument={"uri": uri}, position=place)
    assert editor.process.poll() is None
    assert not editor.broken
    editor.tell("textDocument/didClose", textDocument={"uri": uri})


@needs_ipc
@pytest.mark.parametrize("file", ["domain", "problem"])
def test_edits_of_tasks(file: str, tmp_path: Path) -> None:
    families = (
        ["blocks", "miconic-fulladl", "psr-middle"]
        if not THOROUGH
        else sorted(p.name for p in IPC.iterdir() if p.is_dir())
    )
    with Editor(tmp_path) as editor:
        for number, family in enumerate(families):
            folder = min((IPC / family).iterdir())
            home = tmp_path / family
            home.mkdir()
            texts = {name: (folder / f"{name}.pddl").read_text(errors="replace") for name in ("domain", "problem")}
            for name, text in texts.items():
                (home / f"{name}.pddl").write_text(text)

            def lint(text: str, home: Path = home, texts: dict[str, str] = texts) -> list[Fault]:
                path = str(home / f"{file}.pddl")
                files = [PddlText(path, text, kind_of_file(path, text))]
                if file == "problem" and files[0].kind == "problem":
                    domain = PddlText(str(home / "domain.pddl"), texts["domain"], "domain")

                    files += [domain] if files[0].wants == domain.defines else []
                return [fault for fault in lint_files(files) if fault.file == path]

            run(editor, home / f"{file}.pddl", texts[file], lint, max(1, EDITS // len(families)), Random(number))


@needs_games
def test_edits_of_games(tmp_path: Path) -> None:
    paths = [*sorted((ROOT / "puzzlescript" / "games").glob("*.txt")), *sorted((GAMES / "demos").glob("*.txt"))]
    paths = paths if THOROUGH else paths[::5]
    with Editor(tmp_path) as editor:
        for number, path in enumerate(paths):
            copy = tmp_path / path.name

            def lint(text: str, copy: Path = copy) -> list[Fault]:
                if not ScriptFormat().is_game_text(text):
                    return []
                return ScriptFormat().lint_text(text, str(copy))[0]

            run(editor, copy, read_text(str(path)), lint, max(1, EDITS // len(paths)), Random(number))


def test_a_whole_line_is_without_its_blanks_and_its_end() -> None:
    lines = Lines("  ab \r\n   \n c")
    assert [lines.whole(line) for line in range(3)] == [(2, 4), (10, 10), (12, 13)]


# ---- Faults of open documents: at once, and in full what a fresh lint says


DOMAIN = (
    "(define (domain d) (:predicates (p ?x)) (:action a :parameters (?x) :precondition (p ?x) :effect (not (p ?x))))"
)


def problem(number: int, extra: str = "") -> str:
    objects = " ".join(f"o{each}" for each in range(number))
    facts = "\n    ".join(f"(p o{each})" for each in range(number))
    return (
        f"(define (problem q) (:domain d)\n  (:objects {objects})\n  (:init {extra}{facts})\n  (:goal (not (p o1))))\n"
    )


def test_of_a_long_text_only_the_first_bracket_is_told_at_once() -> None:
    documents = Documents()
    documents.open("/w/d.pddl", DOMAIN)
    short = documents.open("/w/p.pddl", problem(20, "(p o1) (("))
    [first, *_] = diagnosing.faults_at_once(documents, short)
    assert "also in line 3" in first.message, "both brackets are looked for where that takes no time"
    long = documents.open("/w/p.pddl", problem(1_000, "(p o1) (("))
    assert len(long.text) > diagnosing.LONG
    [only] = diagnosing.faults_at_once(documents, long)
    assert (only.code, only.severity) == ("unclosed-bracket", "error")
    mended = documents.open("/w/p.pddl", problem(1_000))
    assert not [fault for fault in diagnosing.faults_at_once(documents, mended) if fault.severity == "error"]


def test_suspicions_of_a_long_text_come_after_the_pause() -> None:
    documents = Documents()
    documents.open("/w/d.pddl", DOMAIN)
    for number, at_once in ((20, True), (3_000, False)):
        document = documents.open("/w/p.pddl", problem(number).replace("(p o2)", ""))
        first = [fault.code for fault in diagnosing.faults_at_once(documents, document)]
        assert ("requirement-missing" in first, "unused-object" in first) == (True, at_once)
        found = diagnosing.faults_in_full(documents, document)[document.path]
        assert "unused-object" in [fault.code for fault in found]


def test_in_full_is_what_a_fresh_lint_says() -> None:
    documents = Documents()
    domain = documents.open("/w/d.pddl", DOMAIN)
    document = documents.open("/w/p.pddl", problem(5, "(p o9) (q)"))
    found = diagnosing.faults_in_full(documents, document)
    fresh = lint_files([domain.listed, document.listed])
    assert found == {path: [fault for fault in fresh if fault.file == path] for path in found}
    assert {fault.code for fault in found["/w/p.pddl"]} >= {"unknown-object", "unknown-predicate"}


@pytest.mark.parametrize(("only", "kinds"), [(None, {"quickfix"}), ([FIX_ALL], {"source.fixAll"})])
def test_all_is_mended_only_where_that_is_asked_for(only: list[str] | None, kinds: set[str]) -> None:
    server = Server()
    document = server.documents.open("/w/d.pddl", DOMAIN.replace(":effect", ":efect"))
    where = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    name, context = lsp.TextDocumentIdentifier(server.uri(document.path)), lsp.CodeActionContext([], only)
    actions = _actions(server, lsp.CodeActionParams(name, where, context))
    assert {action.kind for action in actions} == kinds


def test_faults_make_little_more_work_than_a_text_without_them() -> None:
    documents = Documents()
    documents.open("/w/d.pddl", DOMAIN)
    clean = problem(1_000)
    misspelt = re.sub(r"\(p o(\d+)5\)", r"(p \1o5)", clean)
    unreadable = misspelt.replace(":init", ":init (p (p o1))")
    work = {}
    for text in (clean, misspelt, unreadable):
        found = diagnosing.faults_at_once(documents, documents.open("/w/p.pddl", text))
        work[text] = calls(diagnosing.faults_at_once, documents, documents.open("/w/p.pddl", f"{text}\n"))
        assert sum(fault.places for fault in found if fault.severity == "error") >= (text != clean) * 99
    assert work[misspelt] < 3 * work[clean]
    assert work[unreadable] < 4 * work[clean]


def test_the_look_at_the_whole_task_ends_before_a_changed_text_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server()
    server.documents.open("/w/d.pddl", DOMAIN)
    seen = []

    def look(documents: Documents, document: Document) -> list[Fault]:
        seen.append([limits.cancelled for limits in begun])
        return []

    monkeypatch.setattr(diagnosing, "faults_at_once", look)
    begun: list[Limits] = []

    async def change() -> None:
        server.tell(server.documents.open("/w/p.pddl", problem(3)))
        begun.extend(limits for _, limits in server._pauses.values())
        server.tell(server.documents.open("/w/p.pddl", problem(4)))
        server.end()

    asyncio.run(change())
    assert seen == [[], [True]]
