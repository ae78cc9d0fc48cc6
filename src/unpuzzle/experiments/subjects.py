"""Subjects of experiments: PDDL tasks and levels of puzzles; each has a name within a group.

    subjects_of("ipc/")           every task in a folder of PDDL, and in the folders below it
    subjects_of("p01.pddl")       one task; of a domain file, all of its problems beside it
    subjects_of("boxup")          the levels of a puzzle: bundled, installed, or in a file

Texts are read when they are needed, since collections are large; subjects are distinguished by the digests of their
texts.

Folders of PDDL have the layouts that the planning competitions and their collections use:

    domain.pddl  problem.pddl             one task; the folder is its name, and the folder above its group
    domain.pddl  p01.pddl  p02.pddl       a task for each problem; the folder is their group
    domain-01.pddl  problem-01.pddl       a domain for each problem: their names have the same end
    p01-domain.pddl  p01.pddl             likewise
    domain.pddl  instances/i-1.pddl       the domain is one folder above (also `problems/`)

The text of a file says whether it is a domain or a problem.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import found_files, is_near
from unpuzzle.base.values import Record
from unpuzzle.generation.generating import generate
from unpuzzle.model.capabilities import Generating, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.linting.understanding import kind_of
from unpuzzle.pddl.matching import DOMAIN, PROBLEM, PddlText, is_named_for, task_part
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.syntax import read_text
from unpuzzle.pddl.writer import write
from unpuzzle.pddl_game.game import natural_key
from unpuzzle.state_space.surveying import require_levels
from unpuzzle.translators import find, names, reader_of

PDDL = ".pddl"
HEAD = 1 << 16
"""The number of bytes that are read to recognize a file."""
INNER = ("instances", "problems")


class Subject(Record):
    """A task or a level on which planners run; it has a name within a group.

    Attributes:
        domain, name: its group, and its name within that.
        game: the game whose level it is, or None for a task in PDDL.
        texts, files: the text of the level, or of domain and problem; if empty, the files with the texts.
    """

    domain: str
    name: str
    game: Game | None = None
    texts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def loaded(self) -> Subject:
        """Return the same subject with its texts included, for a machine that lacks the files. Raises OSError."""
        return self if self.texts else self.replace(texts=tuple([read_text(path)[0] for path in self.files]))

    def digest(self) -> str:
        """Return a digest of the texts and, for a level, the name of its game. Raises OSError, ParseError."""
        parts = [self.game.name if self.game is not None else "", *self.loaded().texts]
        digest = sha256()
        for part in parts:
            data = part.encode("utf-8", "surrogatepass")
            digest.update(b"%d\n" % len(data) + data)
        return digest.hexdigest()

    def about(self) -> tuple[tuple[str, ...], tuple[str, ...], Callable[[str], Game] | None]:
        """Return the arguments of `making_runs.read_subject`: the texts, their places, and a reader. Raises OSError."""
        if self.game is None:
            return self.loaded().texts, self.files, None
        return self.texts, (f"{self.domain} {self.name}",), partial(reader_of, self.game)


def subjects_of(
    what: object, *, levels: Iterable[str] | None = None, making: Mapping[str, Any] | None = None
) -> list[Subject]:
    """Return the subjects in a folder, a file, a puzzle, a position, a task or a list of them.

    Args:
        levels: only levels and tasks of these names.
        making: for puzzles: use levels that `generate` makes with these arguments, instead of their own.

    Raises UsageError if there are none, or for an unknown name; OSError, ParseError.
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
        return [
            subject.replace(name=name)
            for name, each in what.items()
            for subject in subjects_of(each, levels=levels, making=making)
        ]
    if isinstance(what, Game | type):
        return _levels(what, levels, making)  # type: ignore[arg-type]
    if isinstance(what, Iterable):
        return [subject for each in what for subject in subjects_of(each, levels=levels, making=making)]
    raise UsageError(f"an experiment takes folders, files, puzzles, positions and tasks, not a {type(what).__name__}")


def _named(what: str, may_name: bool, levels: Iterable[str] | None, making: Mapping[str, Any] | None) -> list[Subject]:
    """Return the subjects in a folder, a file or a puzzle of this name. Raises UsageError for an unknown name."""
    is_puzzle, is_file = may_name and what in names(), os.path.isfile(what)
    if not is_puzzle and os.path.isdir(what):
        return _of_names(tasks_in(what), levels, what)
    if what.lower().endswith(PDDL):
        return _of_names(tasks_of_file(what), levels, what)
    if not is_puzzle and not is_file:
        if os.sep in what:
            raise UsageError(f"there is no folder and no file '{what}'")
        try:
            find(what)
        except UsageError as error:
            raise UsageError(f"'{what}' is neither a folder, a file nor a puzzle: {error}") from None
    return _levels(find(what if may_name and not is_file else os.path.join(os.curdir, what)), levels, making)


def _of_names(tasks: list[Subject], wanted: Iterable[str] | None, what: str) -> list[Subject]:
    """Return the tasks with the wanted names, by default all tasks. Raises UsageError for an unknown name."""
    chosen = [task.name for task in tasks] if wanted is None else list(wanted)
    if unknown := sorted({*chosen} - {task.name for task in tasks}):
        raise UsageError(f"there is no task {unknown[0]} in {what}")
    return [task for task in tasks if task.name in chosen]


def _levels(game: Game, levels: Iterable[str] | None, making: Mapping[str, Any] | None) -> list[Subject]:
    """Return the named levels of a game, by default all, or generated levels if `making` has options."""
    if making is not None:
        return _made(game, making)
    chosen = list(game.levels if levels is None else levels)
    if not chosen:
        raise UsageError(game.no_level("") or f"{game.name} has no levels")
    require_levels(game, chosen)
    return [Subject(game.name, name, game, (game.levels[name],)) for name in chosen]


def _made(game: Game, making: Mapping[str, Any]) -> list[Subject]:
    """Return the levels that `generate` makes; equal arguments give equal levels."""
    if offered(game, Generating) is None:
        raise UsageError(f"{game.name} cannot make levels")
    generation = generate(game, **making)
    if not generation.levels:
        raise UsageError(f"no levels of {game.name} with these options were made: {generation.status}")
    width = len(str(len(generation.levels)))
    return [
        Subject(game.name, f"seed{generation.seed}-{number:0{width}}", game, (level.text,))
        for number, level in enumerate(generation.levels, 1)
    ]


def tasks_in(folder: str) -> list[Subject]:
    """Return the tasks in a folder and its subfolders, in natural order. Raises UsageError (no tasks), ParseError."""
    if not (tasks := list(_tasks(folder, [], folder))):
        raise UsageError(f"there is no task in the folder {folder}: no problem in PDDL with a domain")
    return tasks


def tasks_of_file(path: str) -> list[Subject]:
    """Return the task of a problem's file, or all tasks in and below the folder that use a domain's file.

    Raises OSError, ParseError, and UsageError if no task belongs to it.
    """
    folder = os.path.dirname(path) or os.curdir
    if os.path.exists(path) and not os.path.isfile(path):
        raise ParseError("an experiment reads its files several times: a pipe or a device cannot be used", file=path)
    if not _beginning(path).kind:
        raise ParseError("this is neither a domain nor a problem in PDDL", file=path)
    root = os.path.normpath(os.path.join(folder, os.pardir)) if _is_inner(folder) else folder
    above = _files(root, root)[0] if root != folder else []
    tasks = [task for task in _tasks(folder, above, root) if any(os.path.samefile(path, other) for other in task.files)]
    if not tasks:
        raise UsageError(
            f"no task belongs to {path}: there is no matching domain or problem in the folder of this file"
        )
    return tasks


def _is_inner(folder: str) -> bool:
    return os.path.basename(os.path.abspath(folder)) in INNER


def _tasks(folder: str, above: list[PddlText], root: str) -> Iterator[Subject]:
    """Yield the tasks of a folder, then of its subfolders; `above` contains the domains of the parent folder."""
    domains, problems = _files(folder, root)
    home = Path(os.path.abspath(folder))
    group = home.parent.name if _is_inner(folder) else home.name
    alone = len(problems) == 1 and not task_part(problems[0].name)
    for problem in problems:
        name = (home.parent.name, home.name) if alone else (group, Path(problem.name).stem)
        yield Subject(*name, files=(_domain_of(problem, domains or above), problem.name))
    entries = os.scandir(folder) if is_near(folder, root) else ()
    for inner in sorted([entry.name for entry in entries if entry.is_dir(follow_symlinks=False)], key=natural_key):
        yield from _tasks(os.path.join(folder, inner), domains if inner in INNER else [], root)


def _domain_of(problem: PddlText, domains: list[PddlText]) -> str:
    """Return the file of a problem's domain: the only domain, else the only one named alike, else the only match."""
    if len(domains) == 1:
        return domains[0].name
    part = task_part(problem.name)
    named = [each for each in domains if is_named_for(each.name, problem.name) and (task_part(each.name) or not part)]
    fitting = named or [each for each in domains if each.defines == problem.wants]
    if len(fitting) != 1:
        many = "several domains match this problem" if fitting else "no domain matches this problem"
        raise ParseError(
            f"{many}: give a domain and its problem similar names, such as domain-01.pddl and problem-01.pddl",
            file=problem.name,
        )
    return fitting[0].name


def _files(folder: str, root: str) -> tuple[list[PddlText], list[PddlText]]:
    """Return the beginnings of the domains and of the problems in a folder, in natural order."""
    paths = sorted(found_files(folder, (".pddl", ".PDDL"), root=root), key=natural_key)
    texts = [_beginning(path) for path in paths]
    return tuple([text for text in texts if text.kind == kind] for kind in (DOMAIN, PROBLEM))  # type: ignore[return-value]


def _beginning(path: str) -> PddlText:
    """Return the first characters of a file, with its kind, which is empty if they are not PDDL. Raises OSError."""
    with open(path, encoding="utf-8-sig", errors="replace") as file:
        text = file.read(HEAD)
    return PddlText(path, text, kind_of(text) or "")
