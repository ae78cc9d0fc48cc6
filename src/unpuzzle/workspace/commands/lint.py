"""The command `lint`: find the faults of PDDL, plans and games in files, and correct the texts.

    LintInput.of_files(["domain.pddl", "tasks/"], fix=True).call()

A problem that is linted without a domain gets the one in its folder. The outcome has the corrections; the caller writes
them into the files.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from warnings import warn_explicit

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import FileLeftOut, found_files, is_of_people, read_bytes, read_input
from unpuzzle.base.run import phase
from unpuzzle.base.type_hints import Any, Self
from unpuzzle.base.values import Record
from unpuzzle.pddl.judging.fault import ERROR, Fault, codes
from unpuzzle.pddl.judging.linting import lint
from unpuzzle.pddl.matching import PLAN, STDIN, PddlText, domain_beside, kind_of_file, pddl_text
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.puzzle.game_formats import GameFormat
from unpuzzle.translators import FILES, format_of
from unpuzzle.workspace import linting
from unpuzzle.workspace.commands.input import Input, Show

LARGEST_PLAN = 1_000_000
"""A `.txt` file with more bytes counts as a game."""
LOST = "\ufffd"
"""The replacement character for bytes that are not text."""
ENDINGS = (".pddl", ".plan", ".soln")
"""Endings of the files that are searched for in folders; game files are added to these."""
WORK = "looking for faults"


class GameText(Record):
    """The text of a game's file, with the format of the file."""

    name: str
    text: str
    language: GameFormat

    def corrected(self) -> TextCorrection:
        """Return the text before and after corrections."""

        def find(files: Sequence[PddlText]) -> list[Fault]:
            return self.language.lint_text(files[0].text, self.name)[0]

        (after,), numbers = linting.mended([PddlText(self.name, self.text)], find)
        crlf = after.text != self.text and b"\r\n" in read_bytes(self.name)  # the reader makes all line ends alike
        written = after.text.replace("\n", "\r\n") if crlf else after.text
        return TextCorrection(self.name, self.text, after.text, written, numbers[self.name])


class LintInput(Input):
    """A request to find the faults of texts.

    Attributes:
        files: PDDL and plans, with the domains that were found beside problems.
        games: games in files.
        alone: the reason for each problem without a domain.
        twice: whether the only file is to be read both as a domain and as its problem.
        ordered: whether the two files are a domain and its problem, which may be swapped.
        fix: whether to correct the texts, and to lint them afterwards.
        dry_run: with `fix`, only report what can be corrected.
    """

    files: Sequence[PddlText] = ()
    games: Sequence[GameText] = ()
    alone: Mapping[str, str] = {}
    twice: bool = False
    ordered: bool = False
    fix: bool = False
    dry_run: bool = False

    @classmethod
    def of_files(cls, names: Sequence[str], **others: Any) -> Self:
        """Return the input for named files and for all files in named folders; `-` is standard input.

        Raises ParseError, OSError, LimitReached.
        """
        with phase(WORK):
            paths = named_files(names, ENDINGS, f"files that end in {', '.join(dict.fromkeys((*ENDINGS, *FILES)))}")
            languages = {path: its for path in paths if (its := format_of(path)) and not _is_plan(path)}
            files = [*_readable([path for path in paths if path not in languages], names)]
            ordered = len(files) == len(paths) == len(names) == 2
            alone: dict[str, str] = {}
            for problem in linting.without_domain(files):
                try:
                    beside = _file_beside(problem)
                except UsageError as error:
                    alone[problem.name] = str(error)
                else:
                    files += [] if beside in [file.name for file in files] else [_listed(beside)]
            twice = names[0] in names[1:] and len(paths) == len(files) == 1
            games = [GameText(path, language.read_text(path), language) for path, language in languages.items()]
            return cls(files, games, alone, twice, ordered, **others)

    def call(self, show: Show = None) -> LintOutcome:
        with phase(WORK):
            texts = {file.name: file.text for file in self.files} | {game.name: game.text for game in self.games}
            files, corrections = self.files, self._corrections() if self.fix else None
            if corrections is not None and not self.dry_run:
                texts |= {each.name: each.after for each in corrections}
                files = [_file(file.name, texts[file.name]) for file in files]
            faults = self._faults(files)
            numbers = Counter(fault.severity for fault in faults)
            for game in self.games:
                more, counted = game.language.lint_text(texts[game.name], game.name)
                faults, numbers = [*faults, *more], numbers + Counter(counted)
        return LintOutcome(tuple(faults), numbers, texts, corrections, self.dry_run)

    def _faults(self, files: Sequence[PddlText]) -> list[Fault]:
        if self.twice or (self.ordered and linting.are_swapped(files)):
            first, second = files[0], files[-1]
            return lint(first.text, second.text, domain_name=first.name, problem_name=second.name)
        return linting.lint_files(files)

    def _corrections(self) -> tuple[TextCorrection, ...]:
        after, numbers = linting.mended(self.files, self._faults)
        own = [
            TextCorrection(new.name, old.text, new.text, new.text, numbers[new.name] + len(old.notes))
            for old, new in zip(self.files, after, strict=True)
        ]
        return (*own, *[game.corrected() for game in self.games if LOST not in game.text])


class TextCorrection(Record):
    """A text before and after corrections, and the number of corrections, including notes about reading the text."""

    name: str
    before: str
    after: str
    written: str
    number: int


class LintOutcome(Record):
    """The faults that `lint` found.

    Attributes:
        faults: those that are listed.
        numbers: the numbers of all faults, by severity.
        texts: the linted texts, by the name of the file.
        corrections: the corrections of all texts, None if they were not requested.
        dry_run: whether the faults are from the texts before corrections.
    """

    faults: Sequence[Fault]
    numbers: Mapping[str, int]
    texts: Mapping[str, str]
    corrections: Sequence[TextCorrection] | None = None
    dry_run: bool = False

    @property
    def fixed(self) -> dict[str, int]:
        """The number of corrections by file, for files with at least one correction."""
        return {each.name: each.number for each in self.corrections or () if each.number}

    @property
    def diff(self) -> list[str]:
        """The lines of a diff of all corrections."""
        lines: list[str] = []
        for each in self.corrections or ():
            before, after = each.before.splitlines(), each.after.splitlines()
            lines += unified_diff(before, after, each.name, each.name, lineterm="", n=1) if each.number else ()
        return lines

    @property
    def syntax_errors(self) -> list[Fault]:
        """The errors that make a text unreadable."""
        kinds = {name: code.kind for name, code in codes().items()}
        return [fault for fault in self.faults if fault.severity == ERROR and kinds.get(fault.code) == "syntax"]

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"faults": [fault.to_dict() for fault in self.faults]}
        if self.corrections is not None:
            fields |= {"fixable" if self.dry_run else "fixed": self.fixed, "diff": "\n".join(self.diff)}
        for fault in self.syntax_errors[:1]:  # for programs that only know the fields of a refusal
            refusal = {"message": fault.message, "file": fault.file, "line": fault.line, "column": fault.column}
            fields = {"status": "bad_input", **refusal, **fields}
        return fields


def _file(name: str, text: str, notes: Sequence[Note] = ()) -> PddlText:
    return PddlText(name, text, kind_of_file(name, text), tuple(notes))


def named_files(
    names: Sequence[str], endings: tuple[str, ...], lacking: str, enters: Callable[[str], bool] = is_of_people
) -> list[str]:
    """Return the named files and, from named folders, games and files with certain endings, each file once.

    Raises ParseError, which says what is `lacking`, for a folder without any.
    """
    paths: list[str] = []
    for name in names:
        if not os.path.isdir(name):
            paths.append(name)
            continue
        inside = found_files(name, (*endings, *FILES), enters=enters)
        known = sorted([path for path in inside if path.endswith(endings) or _is_game(path)])
        if not known:
            raise ParseError(f"the folder {name} has no {lacking}")
        paths += known
    return list(dict.fromkeys(paths))


def _is_game(path: str) -> bool:
    language = format_of(path)
    return language is not None and language.is_game(path)


def _file_beside(problem: PddlText) -> str:
    """Return the file of the domain beside a problem. Raises UsageError."""
    if problem.name == STDIN:
        raise UsageError("standard input has no folder in which its domain could be")
    return domain_beside(problem.name, problem)


def _readable(paths: Iterable[str], names: Sequence[str]) -> Iterator[PddlText]:
    """Yield the texts of files; a binary file in a named folder is left out with a warning."""
    for path in paths:
        try:
            yield _listed(path)
        except ParseError as error:
            if path in names:
                raise
            warn_explicit(f"{error.message}: it is left out", FileLeftOut, path, 0)


def _listed(path: str) -> PddlText:
    """Read a file in any encoding. Raises ParseError for a binary file."""
    name = STDIN if path == "-" else path
    file = pddl_text(name, read_input(path))
    if file.kind != PLAN and not name.endswith(ENDINGS) and _is_foreign(file.text):  # --fix would destroy it
        raise ParseError("this is neither PDDL nor a plan nor a game", file=name)
    return file


def _is_foreign(text: str) -> bool:
    """Return whether a text begins with something other than PDDL, such as a program, and has no definition."""
    lines = (line.strip() for line in text.splitlines())
    head = next((line for line in lines if line and not line.startswith(";")), "(")
    return not head.startswith("(") and "(define" not in text.lower()


def _is_plan(path: str) -> bool:
    """Return whether a file with a game's ending contains a plan; False for a file that is too large."""
    if path == "-" or not os.path.isfile(path) or os.path.getsize(path) > LARGEST_PLAN:
        return False
    try:
        return _listed(path).kind == PLAN
    except ParseError:
        return False
