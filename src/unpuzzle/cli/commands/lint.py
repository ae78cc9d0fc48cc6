"""unpuzzle lint FILE..., for PDDL, plans and games in files; --explain CODE, --fix."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Sequence

from unpuzzle.checking import linted_files
from unpuzzle.cli.answer import BAD_INPUT, NO, YES, Answer
from unpuzzle.cli.parser import add_limits, flag, option
from unpuzzle.editing.fault_formats import hidden, sarif, workflow_commands
from unpuzzle.errors import ParseError, UsageError
from unpuzzle.files import read_bytes, read_stream, save_file
from unpuzzle.found_files import found_files, is_of_people
from unpuzzle.pddl.judging.fault import Code, Fault, codes
from unpuzzle.pddl.judging.linting import lint
from unpuzzle.pddl.reading.texts import decoded_anyway
from unpuzzle.puzzle.game_formats import GameFormat
from unpuzzle.run import phase, within_limits
from unpuzzle.table import TABLE, load
from unpuzzle.translators import FILES, format_of
from unpuzzle.words import count, suggestion

EXAMPLE = """unpuzzle lint domain.pddl problem.pddl --fix
  unpuzzle lint students/ --json
  unpuzzle lint students/ --format sarif > faults.sarif
  unpuzzle lint --explain unclosed-bracket"""
FORMATS = ("text", "json", "sarif", "github")
LARGEST_PLAN = 1_000_000
"""A `.txt` file with more bytes counts as a game."""
LOST = "\ufffd"
"""The replacement character for bytes that are not text."""
ENDINGS = (".pddl", ".plan", ".soln")
"""Endings of the files that are searched for in folders; game files are added to these."""


def arguments(parser: ArgumentParser) -> None:
    about = "PDDL domains, problems and plans, .txt files with games, folders of them; - for standard input"
    parser.add_argument("files", metavar="FILE", nargs="*", help=about)
    option(parser, "--explain CODE", "explain a code of faults, with an example; `all` for every code")
    about = "text, json (as --json), sarif (a SARIF 2.1.0 log), or github (annotations of a workflow); default: text"
    option(parser, "--format NAME", about, choices=FORMATS, default="text")
    about = "also write the answer into this file: as JSON, or in the format sarif or github"
    option(parser, "-o --output FILE", about, dest="answer_file")
    flag(
        parser, "--fix", "write the corrections that cannot change the meaning into the files, and show them as a diff"
    )
    flag(parser, "--dry-run", "with --fix: only show the diff, and change no file")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    if options.explain is not None:
        return _explained(options.explain)
    if not options.files:
        raise ParseError("lint needs a file or a folder, or --explain CODE")
    if options.dry_run and not options.fix:
        raise UsageError("--dry-run belongs to --fix")
    if options.fix and "-" in options.files:
        raise UsageError("--fix writes into files: it cannot change standard input")
    with phase("looking for faults"):
        paths = list(_paths(options.files))
        games = [path for path in paths if format_of(path) is not None and not _is_plan(path)]
        files = [_listed(path) for path in paths if path not in games]
        ordered = len(files) == len(paths) == len(options.files) == 2
        alone = []
        for problem in linted_files.without_domain(files):
            beside = _beside(problem)
            files += [] if beside is None else [beside]
            alone += [problem] if beside is None else []

        def find(files: list[linted_files.ListedFile]) -> list[Fault]:
            if twice or (ordered and linted_files.are_swapped(files)):
                first, second = files[0], files[-1]
                return lint(first.text, second.text, domain_name=first.name, problem_name=second.name)
            return linted_files.lint_files(files)

        twice = options.files[0] in options.files[1:] and len(paths) == len(files) == 1
        fixes = _Fixes(options.dry_run)
        if options.fix:
            files = _fix(files, find, fixes)
        faults = find(files)
        texts = {file.name: _lines_of(file.text) for file in files}
        lines = [_shown(fault, texts.get(fault.file or "")) for fault in within_limits(faults, long=True)]
        numbers = Counter(fault.severity for fault in faults)
        for path in games:
            language = format_of(path)
            assert language is not None
            if options.fix:
                _fix_game(path, language, fixes)
            more, shown, counted = language.lint_file(path)
            faults, lines, numbers = [*faults, *more], [*lines, *shown], numbers + Counter(counted)
        answer = _answer(faults, lines, numbers, fixes, options)
        _reformat(answer, faults, options.format)
        answer.document = answer.text if options.format in ("sarif", "github") else None
        for problem in alone:
            named = repr(linted_files.domain_of(problem)) if linted_files.domain_of(problem) else "that it is of"
            answer.complain(f"{problem.name}: names in it are not checked: the domain {named} is not here")
        return answer


def _beside(problem: linted_files.ListedFile) -> linted_files.ListedFile | None:
    """Return the domain of a problem that is in the same folder."""
    folder = os.path.dirname(problem.name) or "."
    if problem.name == "<stdin>" or not os.path.isdir(folder):
        return None
    for path in found_files(os.path.dirname(problem.name), ".pddl"):
        if path != problem.name:
            try:
                file = _listed(path)
            except ParseError:
                continue
            if (
                file.kind == linted_files.DOMAIN
                and linted_files.domain_name(file) == linted_files.domain_of(problem) is not None
            ):
                return file
    return None


def _paths(names: list[str]) -> list[str]:
    """Return the named files and the files in named folders, each once."""
    paths: list[str] = []
    for name in names:
        if not os.path.isdir(name):
            paths.append(name)
            continue
        inside = list(found_files(name, (*ENDINGS, *FILES), enters=is_of_people))
        games = (path for path in inside if (language := format_of(path)) is not None and language.is_game(path))
        known = sorted({*(path for path in inside if path.endswith(ENDINGS)), *games})
        if not known:
            raise ParseError(
                f"the folder {name} has no files that end in {', '.join(dict.fromkeys((*ENDINGS, *FILES)))}"
            )
        paths += known
    return list(dict.fromkeys(paths))


def _read(path: str) -> bytes:
    if path != "-":
        return read_bytes(path)
    try:
        return read_stream(sys.stdin.buffer)
    except OSError as error:
        raise OSError(error.errno, "standard input is closed", "<stdin>") from None


def _listed(path: str) -> linted_files.ListedFile:
    """Read a file in whatever encoding. Raises ParseError for a binary file."""
    name = "<stdin>" if path == "-" else path
    try:
        text, notes = decoded_anyway(_read(path))
    except ValueError:
        raise ParseError("this is a binary file, not text", file=name, line=1, column=1) from None
    kind = linted_files.kind_of_file(name, text)
    if kind != linted_files.PLAN and not name.endswith(ENDINGS) and _is_foreign(text):  # --fix would destroy it
        raise ParseError("this is neither PDDL nor a plan nor a game", file=name)
    return linted_files.ListedFile(name, text, kind, tuple(notes))


def _is_foreign(text: str) -> bool:
    """Return whether a text with something else first, such as a program, has no definition anywhere."""
    lines = (line.strip() for line in text.splitlines())
    head = next((line for line in lines if line and not line.startswith(";")), "(")
    return not head.startswith("(") and "(define" not in text.lower()


def _is_plan(path: str) -> bool:
    """Return whether a file with a game's ending holds a plan; files that are too large do not."""
    if path == "-" or not os.path.isfile(path) or os.path.getsize(path) > LARGEST_PLAN:
        return False
    try:
        return _listed(path).kind == linted_files.PLAN
    except ParseError:
        return False


class _Fixes:
    """The numbers of corrections by file, and the diff of all; in a dry run, files stay as they are."""

    def __init__(self, dry: bool) -> None:
        self.dry, self.numbers, self.diff = dry, dict[str, int](), list[str]()

    def add(self, name: str, number: int, before: str, after: str) -> None:
        from difflib import unified_diff

        if number:
            self.numbers[name] = number
            self.diff += unified_diff(before.splitlines(), after.splitlines(), name, name, lineterm="", n=1)

    def fields(self) -> dict[str, object]:
        return {"fixable" if self.dry else "fixed": self.numbers, "diff": "\n".join(self.diff)}

    def lines(self) -> list[str]:
        done = "can be fixed" if self.dry else "fixed"
        return [*[f"{name}: {count(number, 'fault')} {done}" for name, number in self.numbers.items()], *self.diff]


def _fix(files: list[linted_files.ListedFile], find: object, fixes: _Fixes) -> list[linted_files.ListedFile]:
    """Write corrections into files; return the new files."""
    after, numbers = linted_files.mended(files, find)  # type: ignore[arg-type]
    result = []
    for old, new in zip(files, after, strict=True):
        fixes.add(new.name, numbers[new.name] + len(old.notes), old.text, new.text)
        if (new.text != old.text or old.notes) and not fixes.dry:
            save_file(new.name, new.text)
        result.append(linted_files.ListedFile(new.name, new.text, linted_files.kind_of_file(new.name, new.text)))
    return files if fixes.dry else result


def _fix_game(path: str, language: GameFormat, fixes: _Fixes) -> None:
    """Write corrections into a game file."""

    def find(files: Sequence[linted_files.ListedFile]) -> list[Fault]:
        return language.lint_text(files[0].text, path)[0]

    before = linted_files.ListedFile(path, language.read_text(path))
    if LOST in before.text:  # bytes of another encoding would be lost
        return
    (after,), numbers = linted_files.mended([before], find)
    fixes.add(path, numbers[path], before.text, after.text)
    if after.text != before.text and not fixes.dry:
        ends = b"\r\n" in read_bytes(path)
        save_file(path, after.text.replace("\n", "\r\n") if ends else after.text)


def _lines_of(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _shown(fault: Fault, lines: list[str] | None) -> str:
    """Return a fault as lines: place and sentence, the line of the text, a caret."""
    line = None
    if lines is not None and fault.line is not None:
        line = lines[fault.line - 1] if fault.line <= len(lines) else None
    message = f"{fault.severity}: {fault.message} [{fault.code}]"
    return str(ParseError(message, file=fault.file, line=fault.line, column=fault.column, text=line))


def _answer(faults: list[Fault], lines: list[str], numbers: Counter[str], fixes: _Fixes, options: Namespace) -> Answer:
    """Return the answer with the listed faults, and the number of faults of each severity."""
    if not options.quiet:
        lines = [*fixes.lines(), *lines]
        listed = "" if len(faults) == sum(numbers.values()) else f", of which {len(faults):,} are listed"
        lines.append(f"{count(numbers['error'], 'error')}, {count(numbers['warning'], 'warning')}{listed}")
    fields: dict[str, object] = {"faults": [fault.to_dict() for fault in faults]}
    if options.fix:
        fields |= fixes.fields()
    known = codes()
    syntax = [f for f in faults if f.severity == "error" and f.code in known and known[f.code].kind == "syntax"]
    if syntax:  # for programs that only know the fields of a refusal
        first = syntax[0]
        refusal = {"message": first.message, "file": first.file, "line": first.line, "column": first.column}
        fields = {"status": "bad_input", **refusal, **fields}
    code = BAD_INPUT if syntax else NO if numbers["error"] else YES
    return Answer(code, fields, "\n".join(lines))


def _reformat(answer: Answer, faults: list[Fault], form: str) -> None:
    """Replace the text of an answer if another format was requested."""
    if form == "sarif":
        from json import dumps

        answer.text = dumps(sarif(faults, _all_codes()), indent=2) + "\n"
    elif form == "github":
        answer.text = "".join([f"{line}\n" for line in workflow_commands(faults)])
        if number := hidden(faults):
            answer.complain(f"GitHub shows 10 errors and 10 warnings of a step: {number:,} more in its log only")


def _all_codes() -> dict[str, Code]:
    table: dict[str, Code] = codes()
    for ending in TABLE["game formats"]:
        table = table | load("game formats", ending)().codes()
    return table


def _explained(name: str) -> Answer:
    table = _all_codes()
    if name not in table and name != "all":
        hint = suggestion(name, table) or f"; known are {', '.join(sorted(table))}"
        raise ParseError(f"unknown code '{name}'{hint}")
    chosen = list(table.values()) if name == "all" else [table[name]]
    return Answer(YES, {"codes": [code.to_dict() for code in chosen]}, "\n\n".join(map(str, chosen)))
