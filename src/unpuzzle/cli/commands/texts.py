"""Commands for texts of PDDL and games: `lint` reports and fixes their faults, and `format` lays them out in place.

`lint` also writes the faults for other programs: as a SARIF log, and as workflow commands, which GitHub shows.
"""

from __future__ import annotations

import difflib
import os
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from json import dumps
from pathlib import PurePath
from urllib.parse import quote

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import read_bytes, read_input, save_file
from unpuzzle.base.outcomes import BAD_INPUT, NO, YES
from unpuzzle.base.run import phase, within_limits
from unpuzzle.base.text import count, suggestion
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import add_limits, flag, option
from unpuzzle.pddl.linting.fault import ERROR, WARNING, Code, Edit, Fault, codes
from unpuzzle.pddl.syntax import with_comments_in_utf8
from unpuzzle.table import TABLE, load
from unpuzzle.translators import format_of
from unpuzzle.version import __version__
from unpuzzle.workspace.documents import Document, formatted_text
from unpuzzle.workspace.inputs import Input, Show
from unpuzzle.workspace.linting import WORK, LintInput, LintOutcome, named_files

EXAMPLE_LINT = """unpuzzle lint domain.pddl problem.pddl --fix
  unpuzzle lint students/ --json
  unpuzzle lint students/ --format sarif > faults.sarif
  unpuzzle lint --explain unclosed-bracket"""
FORMATS = ("text", "json", "sarif", "github")
SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MOST_OF_A_KIND = 10
"""The number of errors that GitHub shows for one step, and of warnings; for a job it shows 50 annotations."""
_LEVELS = {"syntax": "error", "error": "error", "warning": "warning"}
EXAMPLE_FORMAT = """unpuzzle format domain.pddl problem.pddl
  unpuzzle format --check tasks/
  unpuzzle format - < domain.pddl"""
STDIN, FORMATTING, ENDINGS = "<stdin>", "formatting files", (".pddl",)


# The command `lint`.


def arguments_lint(parser: ArgumentParser) -> None:
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


class LintRequest(LintInput):
    """A request to check texts with lint, and the format of the answer."""

    format: str = FORMATS[0]


class ExplainCodes(Input):
    """A request to explain one code of `lint` or, with `all`, every code."""

    name: str

    def call(self, show: Show = None) -> list[Code]:
        table = _all_codes()
        if self.name not in table and self.name != "all":
            hint = suggestion(self.name, table) or f"; it must be one of {', '.join(sorted(table))}"
            raise ParseError(f"unknown code '{self.name}'{hint}")
        return [*table.values()] if self.name == "all" else [table[self.name]]


def read_lint(options: Namespace) -> Input:
    """Read the texts to be checked, or the code to be explained."""
    if options.explain is not None:
        return ExplainCodes(options.explain)
    if not options.files:
        raise ParseError("lint needs a file or a folder, or --explain CODE")
    if options.dry_run and not options.fix:
        raise UsageError("--dry-run works only with --fix: add --fix, or leave out --dry-run")
    if options.fix and "-" in options.files:
        raise UsageError("--fix writes into files: it cannot change standard input")
    return LintRequest.of_files(options.files, fix=options.fix, dry_run=options.dry_run, format=options.format)


def present_lint(request: Input, outcome: LintOutcome | list[Code], view: View) -> Answer:
    """Return the answer with the faults, and write corrections into the files unless this is a dry run."""
    if isinstance(outcome, list):
        return Answer(YES, {"codes": [code.to_dict() for code in outcome]}, "\n\n".join(map(str, outcome)))
    assert isinstance(request, LintRequest)
    if not request.dry_run:
        for each in outcome.corrections or ():
            if each.number:
                save_file(each.name, each.written)
    code = BAD_INPUT if outcome.syntax_errors else NO if outcome.numbers.get(ERROR) else YES
    with phase(WORK):
        answer = Answer(code, outcome, _text(request.format, outcome, view.quiet))
    if request.format in ("sarif", "github"):
        answer.document = answer.text
    if request.format == "github" and (number := hidden(outcome.faults)):
        answer.complain(f"GitHub shows 10 errors and 10 warnings of a step: {number:,} more in its log only")
    answer.warn(f"{name}: names in this file are not checked: {reason}" for name, reason in request.alone.items())
    return answer


def _text(form: str, outcome: LintOutcome, quiet: bool) -> str:
    """Return the faults in a given format; the text format shows source lines, carets and all corrections."""
    if form == "sarif":
        return dumps(sarif(outcome.faults, _all_codes()), indent=2)
    if form == "github":
        return "\n".join(workflow_commands(outcome.faults))
    rows = {name: text.replace("\r\n", "\n").replace("\r", "\n").split("\n") for name, text in outcome.texts.items()}
    lines = [_shown(fault, rows.get(fault.file or "")) for fault in within_limits(outcome.faults, long=True)]
    if quiet:
        return "\n".join(lines)
    done = "can be fixed" if outcome.dry_run else "fixed"
    fixed = [f"{name}: {count(number, 'fault')} {done}" for name, number in outcome.fixed.items()]
    errors, warnings = (outcome.numbers.get(severity, 0) for severity in (ERROR, WARNING))
    listed = "" if len(lines) == sum(outcome.numbers.values()) else f", of which {len(lines):,} are listed"
    summary = f"{count(errors, 'error')}, {count(warnings, 'warning')}{listed}"
    return "\n".join([*fixed, *outcome.diff, *lines, summary])


def _shown(fault: Fault, lines: list[str] | None) -> str:
    """Return a fault as lines of text: position and message, the source line, and a caret."""
    line = None
    if lines is not None and fault.line is not None:
        line = lines[fault.line - 1] if fault.line <= len(lines) else None
    message = f"{fault.severity}: {fault.message} [{fault.code}]"
    return str(ParseError(message, file=fault.file, line=fault.line, column=fault.column, text=line))


def _all_codes() -> dict[str, Code]:
    table: dict[str, Code] = codes()
    for ending in TABLE["game formats"]:
        table = table | load("game formats", ending)().codes()
    return table


# Faults as a SARIF 2.1.0 log: a rule is a fault code with its explanation, a result is a fault with its range, and a
# fix is a correction; columns count code points, which `columnKind` says. (OASIS, Static Analysis Results Interchange
# Format Version 2.1.0, 2020.)


def sarif(faults: Iterable[Fault], codes: Mapping[str, Code]) -> dict[str, Any]:
    """Return a SARIF log of one run with these faults; `codes` has the explanations of the fault codes."""
    faults = list(faults)
    names = sorted({fault.code for fault in faults if fault.code})
    driver = {"name": "unpuzzle", "version": __version__, "rules": [_rule(name, codes.get(name)) for name in names]}
    results = [_result(fault, names) for fault in faults]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(name: str, code: Code | None) -> dict[str, Any]:
    if code is None:
        return {"id": name}
    help_ = {"text": f"wrong:\n{code.wrong}\nright:\n{code.right}"}
    level = {"level": _LEVELS[code.kind]}
    return {"id": name, "shortDescription": {"text": code.about}, "help": help_, "defaultConfiguration": level}


def _result(fault: Fault, names: list[str]) -> dict[str, Any]:
    """Return a fault as a result of a SARIF log."""
    result: dict[str, Any] = {"level": fault.severity, "message": {"text": fault.message}}
    if fault.code:
        result |= {"ruleId": fault.code, "ruleIndex": names.index(fault.code)}
    if fault.file is not None:
        place: dict[str, Any] = {"artifactLocation": _artifact(fault.file)}
        if fault.line is not None:
            place["region"] = _region(fault.line, fault.column, fault.end_line, fault.end_column)
        result["locations"] = [{"physicalLocation": place}]
        if fault.fix is not None:
            result["fixes"] = [_fix(fault.file, fault.fix)]
    return result


def _fix(file: str, edit: Edit) -> dict[str, Any]:
    region = _region(edit.line, edit.column, edit.end_line, edit.end_column)
    replacement = {"deletedRegion": region, "insertedContent": {"text": edit.text}}
    return {"artifactChanges": [{"artifactLocation": _artifact(file), "replacements": [replacement]}]}


def _region(line: int, column: int | None, end_line: int | None, end_column: int | None) -> dict[str, int]:
    places = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {name: place for name, place in places.items() if place is not None}


def _artifact(file: str) -> dict[str, str]:
    """Return the location of a file for a SARIF log; a relative path stays relative to the folder of the run."""
    if os.path.isabs(file):
        return {"uri": PurePath(file).as_uri()}
    return {"uri": quote(os.path.normpath(file).replace(os.sep, "/"))}


# Faults as workflow commands, lines such as `::error file=d.pddl,line=3,title=unknown-type::unknown type 'blok'`, which
# GitHub shows beside the lines of a change. Percent signs and ends of lines are escaped, in properties also colons and
# commas. GitHub shows a limited number of them: those beyond `MOST_OF_A_KIND` of each severity, counted by `hidden`,
# are only in the log of the step.


def workflow_commands(faults: Iterable[Fault]) -> Iterator[str]:
    """Yield for each fault one line: a GitHub workflow command that shows the fault."""
    for fault in faults:
        properties = {"file": fault.file, "line": fault.line, "endLine": fault.end_line, "title": fault.code or None}
        if fault.end_line in (None, fault.line):  # columns are for ranges within one line
            properties |= {"col": fault.column, "endColumn": fault.end_column}
        given = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value is not None)
        yield f"::{fault.severity}{' ' if given else ''}{given}::{_escaped(fault.message)}"


def hidden(faults: Iterable[Fault]) -> int:
    """Return the number of faults that are too many for GitHub to show as annotations."""
    return sum(max(0, number - MOST_OF_A_KIND) for number in Counter(fault.severity for fault in faults).values())


def _property(value: object) -> str:
    return _escaped(str(value)).replace(":", "%3A").replace(",", "%2C")


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


# The command `format`.


def arguments_format(parser: ArgumentParser) -> None:
    about = (
        "PDDL domains and problems, .txt files with games, folders of them; - from standard input to standard output"
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help=about)
    flag(parser, "--check", "write nothing: say which files would change, and exit with 1 if one would")
    flag(parser, "--diff", "write nothing: show what would change")
    option(parser, "-o --output FILE", "write the formatted file here, and leave the original unchanged")
    add_limits(parser)


class FormatRequest(Input):
    """A request to format the texts of files; `documents` maps file names to texts."""

    documents: Mapping[str, Document]
    check: bool = False
    diff: bool = False
    output: str | None = None

    def call(self, show: Show = None) -> FormatOutcome:
        """Format all texts; if one of them cannot be read, format none."""
        with phase(FORMATTING):
            documents = within_limits(self.documents.items(), long=True)
            return FormatOutcome({name: (each.text, formatted_text(each)) for name, each in documents})


class FormatOutcome(Record):
    """The texts before and after formatting, by file name."""

    texts: Mapping[str, tuple[str, str]]

    @property
    def changed(self) -> dict[str, tuple[str, str]]:
        """The texts that formatting changes, before and after, by file name."""
        return {name: (before, after) for name, (before, after) in self.texts.items() if before != after}

    def to_dict(self) -> dict[str, Any]:
        stream = {"text": self.texts[STDIN][1]} if STDIN in self.texts else {}
        return {"files": [*self.texts], "changed": [*self.changed], **stream}


def read_format(options: Namespace) -> FormatRequest:
    """Read all texts to be formatted."""
    files = options.files
    if options.output is not None and (options.check or options.diff or len(files) > 1 or "-" in files):
        raise UsageError("-o writes one file: name one input file, and leave out --check and --diff")
    if "-" in files and files != ["-"]:
        raise UsageError("- cannot be combined with files: it reads standard input and writes standard output")
    with phase(FORMATTING):
        if "-" in files:
            text = _decoded(read_input("-"), STDIN)
            is_game = (language := format_of("-.txt")) and language.is_game_text(text)
            documents = {STDIN: Document(f"{STDIN}.txt" if is_game else f"{STDIN}.pddl", text)}
        else:
            for name in files:
                os.stat(name)  # a missing file is reported before any work
            paths = named_files(files, ENDINGS, "PDDL and no games", enters=bool)
            documents = {
                path: Document(path, _decoded(read_bytes(path), path)) for path in within_limits(paths, long=True)
            }
    return FormatRequest.of(options, documents=documents)


def present_format(request: FormatRequest, outcome: FormatOutcome, view: View) -> Answer:
    """Report the changes, and write the files."""
    changed = outcome.changed
    if not (request.check or request.diff or STDIN in outcome.texts):
        for path, (_, text) in (changed if request.output is None else outcome.texts).items():
            save_file(request.output or path, text.encode("utf-8"))
    return Answer(NO if request.check and changed else YES, outcome, _formatted(request, outcome, view.quiet))


def _formatted(request: FormatRequest, outcome: FormatOutcome, quiet: bool) -> str:
    """Return a text that names the formatted files or, if `request.diff` is true, shows their changes."""
    changed = outcome.changed
    if request.diff:
        return "".join(map(_difference, changed, changed.values()))
    if STDIN in outcome.texts:
        return "" if request.check else outcome.texts[STDIN][1]
    done = "would be formatted" if request.check else "formatted"
    lines = [f"{path}: {done}" for path in changed]
    return "\n".join(lines if quiet else [*lines, f"{len(changed):,} of {count(len(outcome.texts), 'file')} {done}"])


def _decoded(data: bytes, path: str) -> str:
    try:
        return (data if data.isascii() else with_comments_in_utf8(data)).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError(
            "this file is not UTF-8, so nothing is changed: save the file as UTF-8 first", file=path, line=line
        ) from None


def _difference(path: str, texts: tuple[str, str]) -> str:
    before, after = (text.splitlines(keepends=True) for text in texts)
    lines = difflib.unified_diff(before, after, path, path)
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines])
