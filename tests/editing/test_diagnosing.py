"""Faults of open documents: at once, and in full what a fresh lint says."""

from __future__ import annotations

import asyncio
import re

import pytest
from lsprotocol import types as lsp

from support.counting import calls
from unpuzzle.checking.linted_files import lint_files
from unpuzzle.editing import diagnosing
from unpuzzle.editing.documents import Document, Documents
from unpuzzle.editing.features import FIX_ALL, _actions
from unpuzzle.editing.server import Server
from unpuzzle.limits import Limits
from unpuzzle.pddl import Fault

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


def test_in_full_is_what_a_fresh_lint_says() -> None:
    documents = Documents()
    domain = documents.open("/w/d.pddl", DOMAIN)
    document = documents.open("/w/p.pddl", problem(5, "(p o9) (q)"))
    found = diagnosing.faults_in_full(documents, document, Limits(time=100))
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
