"""Jobs that an editor starts (solve, validate, explain, check, explore), each in a separate process.

    lenses(documents, document, lengths)       the available commands, and the lines where they are offered
    work(documents, "solve", path, level)      the command line, and the texts that it needs
    report(work, reply)                        the answer of the command, as a document

A job is a command of `unpuzzle` on copies of the buffers, so unsaved changes count, and the command cannot harm the
server. `Lengths` caches the least numbers of moves of levels, by the text of their rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.text import count
from unpuzzle.model.game_formats import Part
from unpuzzle.pddl.matching import DOMAIN, PLAN, PROBLEM
from unpuzzle.translators import names as bundled
from unpuzzle.workspace.asking import MEANINGS, Reply
from unpuzzle.workspace.documents import Document, Documents

SOLVE, VALIDATE, EXPLAIN, CHECK, EXPLORE = "solve", "validate", "explain", "check", "explore"
COMMANDS = (SOLVE, VALIDATE, EXPLAIN, CHECK, EXPLORE)
PYTHON = ".py"
SECONDS, MEMORY = 30.0, 2 << 30
"""The limits of one job, unless the editor's settings say otherwise."""
LEVEL_SECONDS = 3.0
"""The limits for each level whose least number of moves is shown."""


class Lens(NamedTuple):
    """A command offered above a line (from 0), for the document or for one of its levels."""

    line: int
    title: str
    command: str
    level: str = ""


class Work(NamedTuple):
    """A command line of `unpuzzle`, with the texts of the files that it names."""

    title: str
    files: Mapping[str, str]
    words: tuple[str, ...]


class Lengths:
    """The known lengths of shortest solutions, stored by the text of a game and the name of a level."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], str] = {}

    def known(self, document: Document) -> dict[str, str | None]:
        """Return, for each level of a game, its known shortest solution in words, or None; in the order of the game."""
        return {level: self._known.get(key) for level, key in _keys(document).items()}

    def put(self, document: Document, level: str, data: Mapping[str, object] | None) -> None:
        """Store the answer of `solve` for a level."""
        answer = data or {}
        moves = count(int(str(answer.get("cost") or 0)), "move")
        words = {SOLVED_OPTIMALLY: moves, SOLVED: f"at most {moves}", UNSOLVABLE: "no solution"}
        self._known[_keys(document)[level]] = words.get(str(answer.get("status")), "not known in time")

    def unknown(self, document: Document) -> list[str]:
        """Return the levels of a game without a known answer, in the order of the game."""
        return [level for level, words in self.known(document).items() if words is None]


def _keys(document: Document) -> dict[str, tuple[int, str]]:
    """Return for each level a key made of all that determines it: the rules, the level's lines, and its name."""
    parts, lines = list(_levels(document)), document.text.split("\n")
    rules = lines[: parts[0].line - 1] if parts else []
    texts = {part.level: "\n".join([*rules, "", *lines[part.line - 1 : part.end_line]]) for part in reversed(parts)}
    return {part.level: (hash(texts[part.level]), part.level) for part in parts}


def _levels(document: Document) -> Iterator[Part]:
    if (found := document.game_format) is not None:
        yield from (part for section in found.outline(document.text) for part in section.inside if part.level)


def lenses(documents: Documents, document: Document, lengths: Lengths | None = None) -> list[Lens]:
    """Return the commands that an editor should offer in a document."""
    if document.game_format is not None:
        known = lengths.known(document) if lengths else {}
        return [lens for part in _levels(document) for lens in _of_level(part, known.get(part.level))]
    definition = document.tree.definition
    line = document.lines.position(definition.start).line if definition else 0
    if document.kind == PROBLEM and documents.domain_of(document) is not None:
        return [Lens(line, command, command) for command in (SOLVE, EXPLAIN, EXPLORE)]
    if document.kind == PLAN and documents.problem_of(document) is not None:
        return [Lens(line, VALIDATE, VALIDATE)]
    if document.kind == DOMAIN and _game_of(document) is not None:
        return [Lens(line, CHECK, CHECK)]
    return []


def _of_level(part: Part, known: str | None) -> Iterator[Lens]:
    yield Lens(part.line - 1, f"{SOLVE} · {known}" if known else SOLVE, SOLVE, part.level)
    yield from (Lens(part.line - 1, command, command, part.level) for command in (EXPLAIN, CHECK, EXPLORE))


def _game_of(domain: Document) -> str | None:
    """Return a domain's game: a Python file of the same name in the same folder, or a bundled puzzle; else None."""
    beside = os.path.splitext(domain.name)[0] + PYTHON
    if os.path.isfile(beside):
        return beside
    name = (domain.defines or "").replace("_", "-")
    return name if name in bundled() else None


def work(documents: Documents, command: str, path: str, level: str = "") -> Work:
    """Return the job that runs a command on a document. Raises UsageError if the command does not apply."""
    document = documents.get(path)
    if document is None or command not in COMMANDS:
        raise UsageError(f"unpuzzle cannot {command} {path}: the document is not open, or '{command}' is not a command")
    title = f"{command} {os.path.basename(path)}{f' {level}' if level else ''}"
    if document.game_format is not None:
        if not level:
            raise UsageError(f"{title}: name a level of the game")
        return Work(title, {"game.txt": document.text}, (command, "game.txt", level))
    if command == CHECK and document.kind == DOMAIN:
        if (game := _game_of(document)) is None:
            name = (document.defines or "").replace("_", "-")
            missing = f"there is no game '{name}', and no Python file for it in the folder of {os.path.basename(path)}"
            raise UsageError(f"{title}: {missing}")
        words = ("domain.pddl", "--game", game)
        if game.endswith(PYTHON):  # its PDDL comes from its rules, so comparing the two would find no difference
            words = (game, "--domain", "domain.pddl")
        return Work(title, {"domain.pddl": document.text}, (CHECK, *words))
    problem = documents.problem_of(document) if document.kind == PLAN else document
    if problem is None:
        raise UsageError(f"{title}: the problem of this plan is neither open nor in the folder of the plan")
    try:
        domain = documents.required_domain(problem)
    except UsageError as error:
        raise UsageError(f"{title}: {error}") from None
    files = {"domain.pddl": domain.text, "problem.pddl": problem.text}
    if command == VALIDATE and document.kind != PLAN:
        raise UsageError(f"{title}: only a plan can be validated, and this document is not a plan")
    if command == VALIDATE:
        return Work(title, files | {"plan.txt": document.text}, (VALIDATE, *files, "plan.txt"))
    if document.kind == PLAN or command == CHECK:
        raise UsageError(f"{title}: the command '{command}' does not work with a {document.kind}")
    return Work(title, files, ("plan" if command == SOLVE else command, *files))


def report(work: Work, reply: Reply) -> str:
    """Return the answer of a job's command, in Markdown."""
    fence = "```" if "```" not in reply.text else "~~~~"
    command = " ".join(("unpuzzle", *work.words))
    output = reply.text or reply.get("message", "")
    return f"# {work.title}: {MEANINGS[reply.verdict]}\n\n{fence}text\n{output.rstrip()}\n{fence}\n\n`{command}`\n"
