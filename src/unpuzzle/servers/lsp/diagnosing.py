"""The faults of open documents: at once the faults of the text, after a pause also the faults that grounding finds.

    faults_at_once(documents, document)      in the text that has just changed
    faults_in_full(documents, document)      by path, in it and in open documents that share its names

In the end an editor shows what `unpuzzle lint` reports for the same texts: a domain with its open problems, a problem
with its domain, a plan with its task.
"""

from __future__ import annotations

from unpuzzle.base.errors import ParseError
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.pddl.linting.fault import ERROR, Edit, Fault
from unpuzzle.pddl.matching import DOMAIN, PLAN, PROBLEM
from unpuzzle.pddl.syntax import Text, read_form
from unpuzzle.servers.lsp.language_features import family
from unpuzzle.workspace.documents import Change, Document, Documents
from unpuzzle.workspace.linting import lint_files

SECONDS_AT_ONCE = 2.0
"""The longest time in seconds that an editor waits for the faults of a text that is hard to read."""
LONG = 10_000
"""In texts with more letters only the first unmatched bracket is reported at once: finding the missing ones takes
longer, the longer the text is."""
SUSPECTED = 30_000
"""Letters of the longest text whose suspicions are reported at once; they take longer than all other faults."""
SOURCE = "unpuzzle"


def faults_at_once(documents: Documents, document: Document) -> list[Fault]:
    """Return the faults of a text that can be found without grounding. Raises LimitReached."""
    with Run(Limits(time=SECONDS_AT_ONCE), "looking for faults"):
        if document.game_format is not None:
            return document.game_format.lint_text(document.text, document.path)[0]
        if document.kind not in (DOMAIN, PROBLEM):
            return _linted(documents, [document], texts_only=True)[document.path]
        domain = documents.domain_of(document)
        first = _first_of_syntax(document) if len(document.text) > LONG else None
        if first is not None:
            return [first]
        files = [document.listed]
        if domain is not None:
            files.append(domain.listed)
        found = lint_files(files, texts_only=True, suspicions=len(document.text) <= SUSPECTED)
        return [fault for fault in found if fault.file == document.path]


def _first_of_syntax(document: Document) -> Fault | None:
    """Return the first bracket fault, at which the strict reader stops; None if the brackets match."""
    if document.tree.matches and len(document.tree.root) == 1 and document.text.isascii():
        return None
    try:
        read_form(Text(document.text, document.path), "a definition")
    except ParseError as error:
        column = None if error.column is None else error.column + 1
        place = (error.file, error.line, error.column, ERROR, error.message, error.line, column)
        return Fault(*place, error.code or "unexpected")
    return None


def faults_in_full(documents: Documents, document: Document) -> dict[str, list[Fault]]:
    """Return, by path, the faults of a document and of related open documents. Raises LimitReached."""
    with phase("looking for faults"):
        if document.game_format is not None:
            return {document.path: document.game_format.lint_text(document.text, document.path)[0]}
        return _linted(documents, family(documents, document))


def _linted(documents: Documents, files: list[Document], *, texts_only: bool = False) -> dict[str, list[Fault]]:
    found: dict[str, list[Fault]] = {each.path: [] for each in files if each.path in documents.buffers}
    plans = [each for each in files if each.kind == PLAN]
    if plans:
        files = family(documents, plans[0])
    known = [each.listed for each in files if each.kind in (DOMAIN, PROBLEM, PLAN)]
    for fault in lint_files(known, texts_only=texts_only):
        found.setdefault(fault.file or "", []).append(fault)
    return {path: faults for path, faults in found.items() if path in documents.buffers}


def range_of(document: Document, fault: Fault) -> tuple[int, int]:
    """Return the offsets to underline for a fault; without a column the whole line, without a line the first line."""
    lines = document.lines
    if fault.line is None or fault.line > len(lines.starts):
        return lines.whole(0 if fault.line is None else len(lines.starts) - 1)
    if fault.column is None:
        return lines.whole(fault.line - 1)
    start = lines.of_fault(fault.line, fault.column)
    if fault.end_line is None or fault.end_column is None:
        return start, start + 1
    return start, max(start, lines.of_fault(fault.end_line, fault.end_column))


def change_of(document: Document, edit: Edit) -> Change:
    """Return the change to a text that a correction makes."""
    lines = document.lines
    start, end = lines.of_fault(edit.line, edit.column), lines.of_fault(edit.end_line, edit.end_column)
    return Change(start, max(start, end), edit.text)
