"""The files to watch together, and the commands to run when one of the files is saved.

A PDDL problem is planned, of a domain all its problems; of a game in a file, or a puzzle in Python, all levels are
solved, and of a puzzle in Python the smallest level is checked against its PDDL; a file of levels needs the name of its
puzzle. Files that belong together are watched together: the domain of a problem, the problems of a domain, the `.pddl`
file of a puzzle.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import found_files, is_found
from unpuzzle.base.values import Record
from unpuzzle.pddl.matching import DOMAIN, PROBLEM, domain_beside, read_text_of
from unpuzzle.pddl_game.game import ProblemFiles
from unpuzzle.translators import format_of

MOST_PROBLEMS = 20
"""The most problems of a domain that is watched alone."""


class Job(Record):
    """A command in a check: the `name` of the result, the words, and files that must be free of errors before the run.

    If something is missing for the command, there are no words, and `missing` says what.
    """

    name: str
    words: tuple[str, ...]
    files: tuple[str, ...] = ()
    missing: str = ""


class Subjects:
    """The watched files, as absolute paths, and the puzzle to which watched files of levels belong."""

    def __init__(self, names: Sequence[str], puzzle: str | None = None) -> None:
        self.files = [os.path.abspath(name) for name in names]
        self.puzzle = os.path.abspath(puzzle) if puzzle and os.path.isfile(puzzle) else puzzle
        for name, path in zip(names, self.files, strict=True):
            if os.path.isdir(path):
                raise UsageError(f"{name} is a folder: name files")
            if not os.path.isdir(os.path.dirname(path)):
                raise UsageError(f"{name}: there is no such folder")
            if puzzle is None and not path.lower().endswith((".pddl", ".py")) and format_of(path) is None:
                raise UsageError(f"{name} is neither PDDL nor a game; if it has levels, add --puzzle NAME")

    def present(self) -> list[str]:
        return [path for path in self.files if os.path.isfile(path)]

    def folders(self) -> list[str]:
        """Return the folders of the files; folders are watched because editors replace files to save them."""
        others = [self.puzzle] if self.puzzle and os.path.isabs(self.puzzle) else []
        return sorted({os.path.dirname(path) for path in [*self.files, *others, *self.linted()]})

    def linted(self) -> list[str]:
        """Return the files that `lint` checks, each file once, with domains first."""
        paths = []
        for path in self.present():
            if path.endswith(".py"):
                beside = f"{path.removesuffix('.py')}.pddl"
                paths += [beside] if is_found(beside, os.path.dirname(path)) else []
            elif self.puzzle is None:
                paths += [path, *self._belonging(path)]
        return sorted(dict.fromkeys(paths), key=lambda path: self._kind(path) != DOMAIN)

    def read(self) -> list[str]:
        """Return the files on which the results depend; for a puzzle in Python, all Python files in its folder."""
        folders = {os.path.dirname(path) for path in [*self.files, self.puzzle or ""] if path.endswith(".py")}
        code = sorted(path for folder in folders for path in found_files(folder, ".py", quiet=True))
        return list(dict.fromkeys([*self.files, *self.linted(), *([self.puzzle] if self.puzzle else []), *code]))

    def concerns(self, path: str) -> bool:
        """Return whether a change of a file may change the results of a check."""
        path = os.path.abspath(path)
        if path in self.files or path == self.puzzle:
            return True
        return path.lower().endswith((".pddl", ".py")) and any(
            each.lower().endswith((".pddl", ".py")) for each in self.files
        )

    def jobs(self) -> Iterator[Job]:
        """Yield the commands of a check, for the files that exist."""
        problems = [path for path in self.present() if self._kind(path) == PROBLEM]
        for path in self.present():
            name = os.path.basename(path)
            if self.puzzle is not None:
                yield Job(name, ("solve", self.puzzle, path))
            elif path in problems:
                yield from self._of_problem(path, name)
            elif path.lower().endswith(".pddl"):
                yield from () if problems else self._of_domain(path)
            else:
                beside = f"{path.removesuffix('.py')}.pddl"
                yield Job(name, ("survey", path), (path, beside))

    def _of_problem(self, path: str, name: str) -> Iterator[Job]:
        try:
            domain = self._domain_of(path)
        except (UsageError, ParseError, OSError) as error:
            yield Job(name, (), (path,), str(error))
        else:
            yield Job(name, ("plan", domain, path), (domain, path))

    def _of_domain(self, path: str) -> Iterator[Job]:
        for problem in self._problems_of(path):
            yield Job(os.path.basename(problem), ("plan", path, problem), (path, problem))

    def _belonging(self, path: str) -> list[str]:
        if self._kind(path) == PROBLEM:
            try:
                return [self._domain_of(path)]
            except (UsageError, ParseError, OSError):
                return []
        alone = not any(self._kind(each) == PROBLEM for each in self.present())
        return self._problems_of(path) if path.lower().endswith(".pddl") and alone else []

    def _domain_of(self, problem: str) -> str:
        given = [path for path in self.present() if self._kind(path) == DOMAIN]
        return given[0] if len(given) == 1 else os.path.abspath(domain_beside(problem))

    def _problems_of(self, domain: str) -> list[str]:
        try:
            name = read_text_of(domain).defines
        except (ParseError, OSError):
            return []
        return [] if name is None else ProblemFiles(name, domain).paths()[:MOST_PROBLEMS]

    def _kind(self, path: str) -> str:
        if not path.lower().endswith(".pddl"):
            return ""
        try:
            return read_text_of(path).kind
        except (ParseError, OSError):
            return ""
