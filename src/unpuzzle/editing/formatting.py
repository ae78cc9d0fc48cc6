"""Any file's text laid out anew, by what it is: PDDL, or a game in its own language; plans stay as they are."""

from __future__ import annotations

from unpuzzle.checking.linted_files import PLAN
from unpuzzle.editing.documents import Document
from unpuzzle.errors import UsageError
from unpuzzle.limits import Deadline
from unpuzzle.pddl.formatting import formatted


def formatted_text(document: Document, deadline: Deadline | None = None) -> str:
    """Return the text of a document laid out anew; a byte order mark at its beginning stays.

    Raises ParseError where brackets do not match, UsageError for a text that is neither PDDL nor a game.
    """
    if document.language is not None:
        return document.language.formatted(document.text, document.path, deadline)
    if not document.kind:
        raise UsageError(f"{document.path}: this is neither PDDL nor a game, so nothing is changed")
    if document.kind == PLAN:
        return document.text
    text = document.text.removeprefix("\ufeff")
    return document.text[: len(document.text) - len(text)] + formatted(text, document.path)
