"""Subjects of experiments: tasks in PDDL, and levels of puzzles, each with a name within a group.

    subjects_of("ipc/")           every task in a folder of PDDL, and in the folders below it
    subjects_of("p01.pddl")       one task; of a domain file, all of its problems beside it
    subjects_of("boxup")          the levels of a puzzle: bundled, installed, or in a file

Texts are read when they are needed, since collections are large; the digest of a text is what tells subjects apart.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from unpuzzle.errors import UsageError
from unpuzzle.lab.pddl_folders import tasks_in, tasks_of_file
from unpuzzle.levels.generating import generate
from unpuzzle.limits import Deadline
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.complaints import read_text
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.writer import write
from unpuzzle.puzzle.capabilities import Generating, offered
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.record import Record
from unpuzzle.spaces.surveying import require_levels
from unpuzzle.translators import find, names, reader_of

PDDL = ".pddl"


class Subject(Record):
    """A task or a level on which planners run.

    Attributes:
        domain: its group.
        name: its name within that.
        game: the game whose level it is, or None for a task in PDDL.
        texts: the level's text, or those of domain and problem; empty where they are in `files`.
        files: the files that hold them.
    """

    domain: str
    name: str
    game: Game | None = None
    texts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def loaded(self) -> Subject:
        """Return the same subject with its texts, for a machine that may not have the files. Raises OSError."""
        if self.texts:
            return self
        texts = tuple([read_text(path, None)[0] for path in self.files])
        return Subject(self.domain, self.name, self.game, texts, self.files)

    def digest(self) -> str:
        """Return a digest of the texts and, of a level, the name of its game. Raises OSError, ParseError."""
        parts = [self.game.name if self.game is not None else "", *self.loaded().texts]
        digest = sha256()
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d\n" % len(data) + data)
        return digest.hexdigest()

    def read(self, deadline: Deadline) -> Task | Position:
        """Return the task or the position. Raises ParseError, LimitReached."""
        texts = self.loaded().texts
        if self.game is None:
            domain, problem = self.files or (None, None)
            return parse_task(*texts, domain_name=domain, problem_name=problem, limits=deadline)
        return reader_of(self.game, texts[0]).parse(texts[0], f"{self.domain} {self.name}")


def subjects_of(
    what: object, *, levels: Iterable[str] | None = None, making: Mapping[str, Any] | None = None
) -> list[Subject]:
    """Return the subjects in a folder, a file, a puzzle, a position, a task or a list of them.

    Args:
        levels: of puzzles only those of these names.
        making: of puzzles such levels as `generate` makes with these arguments, instead of their own.

    Raises UsageError where there are none, or where a name is not known; OSError, ParseError.
    """
    if isinstance(what, Subject):
        return [what]
    if isinstance(what, Task):
        return [Subject(what.domain.name, what.problem.name, texts=tuple(write(what)))]
    if isinstance(what, Position):
        return [Subject(what.game.name, f"level-{sha256(str(what).encode()).hexdigest()[:8]}", what.game, (str(what),))]
    if isinstance(what, str | os.PathLike):
        return _named(os.fspath(what), isinstance(what, str), levels, making)
    if isinstance(what, Mapping):
        return [_renamed(subject, name) for name, each in what.items() for subject in subjects_of(each)]
    if isinstance(what, Game | type):
        return _levels(what, levels, making)  # type: ignore[arg-type]
    if isinstance(what, Iterable):
        return [subject for each in what for subject in subjects_of(each, levels=levels, making=making)]
    raise UsageError(f"an experiment takes folders, files, puzzles, positions and tasks, not a {type(what).__name__}")


def _renamed(subject: Subject, name: str) -> Subject:
    return Subject(subject.domain, name, subject.game, subject.texts, subject.files)


def _named(what: str, may_name: bool, levels: Iterable[str] | None, making: Mapping[str, Any] | None) -> list[Subject]:
    is_puzzle = may_name and what in names()
    if not is_puzzle and os.path.isdir(what):
        return [Subject(*each.group_and_name, files=each.files) for each in tasks_in(what)]
    if what.endswith(PDDL):
        return [Subject(*each.group_and_name, files=each.files) for each in tasks_of_file(what)]
    if not is_puzzle and not os.path.isfile(what):
        if os.sep in what:
            raise UsageError(f"there is no folder and no file '{what}'")
        _require_puzzle(what)
    return _levels(
        find(what if may_name and not os.path.isfile(what) else os.path.join(os.curdir, what)), levels, making
    )


def _require_puzzle(what: str) -> None:
    """Raise UsageError for what is neither a folder, a file nor a puzzle, in one sentence."""
    try:
        find(what)
    except UsageError as error:
        raise UsageError(f"'{what}' is neither a folder, a file nor a puzzle: {error}") from None


def _levels(game: Game, levels: Iterable[str] | None, making: Mapping[str, Any] | None) -> list[Subject]:
    if making is not None:
        return _made(game, making)
    chosen = list(game.levels if levels is None else levels)
    if not chosen:
        raise UsageError(game.no_level("") or f"{game.name} has no levels")
    require_levels(game, chosen)
    return [Subject(game.name, name, game, (game.levels[name],)) for name in chosen]


def _made(game: Game, making: Mapping[str, Any]) -> list[Subject]:
    """Return levels that `generate` makes: the same ones for the same arguments."""
    if offered(game, Generating) is None:
        raise UsageError(f"{game.name} cannot make levels")
    generation = generate(game, **making)
    if not generation.levels:
        raise UsageError(f"no such levels of {game.name} were made: {generation.status}")
    width = len(str(len(generation.levels)))
    return [
        Subject(game.name, f"seed{generation.seed}-{number:0{width}}", game, (level.text,))
        for number, level in enumerate(generation.levels, 1)
    ]
