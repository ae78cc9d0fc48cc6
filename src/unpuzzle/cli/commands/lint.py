"""The command `unpuzzle lint FILE...`: report and fix faults in PDDL files, plans and games."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from json import dumps

from unpuzzle.base.errors import BAD_INPUT, NO, YES, ParseError, UsageError
from unpuzzle.base.files import save_file
from unpuzzle.base.run import phase, within_limits
from unpuzzle.base.text import count, suggestion
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import add_limits, flag, option
from unpuzzle.pddl.judging.fault import ERROR, WARNING, Code, Fault, codes
from unpuzzle.table import TABLE, load
from unpuzzle.workspace.commands.input import Input, Show
from unpuzzle.workspace.commands.lint import WORK, LintInput, LintOutcome
from unpuzzle.workspace.fault_formats import hidden, sarif, workflow_commands

EXAMPLE = """unpuzzle lint domain.pddl problem.pddl --fix
  unpuzzle lint students/ --json
  unpuzzle lint students/ --format sarif > faults.sarif
  unpuzzle lint --explain unclosed-bracket"""
FORMATS = ("text", "json", "sarif", "github")


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


class LintRequest(LintInput):
    """A request to check texts with lint, and the format of the answer."""

    format: str = FORMATS[0]


class ExplainCodes(Input):
    """A request to explain one lint code, or `all` codes."""

    name: str

    def call(self, show: Show = None) -> list[Code]:
        table = _all_codes()
        if self.name not in table and self.name != "all":
            hint = suggestion(self.name, table) or f"; it must be one of {', '.join(sorted(table))}"
            raise ParseError(f"unknown code '{self.name}'{hint}")
        return [*table.values()] if self.name == "all" else [table[self.name]]


def read(options: Namespace) -> Input:
    """Read the texts to be checked, or the code to be explained."""
    if options.explain is not None:
        return ExplainCodes(options.explain)
    if not options.files:
        raise ParseError("lint needs a file or a folder, or --explain CODE")
    if options.dry_run and not options.fix:
        raise UsageError("--dry-run belongs to --fix")
    if options.fix and "-" in options.files:
        raise UsageError("--fix writes into files: it cannot change standard input")
    return LintRequest.of_files(options.files, fix=options.fix, dry_run=options.dry_run, format=options.format)


def present(asked: Input, outcome: LintOutcome | list[Code], view: View) -> Answer:
    """Return the answer with the faults, and write corrections into the files unless this is a dry run."""
    if isinstance(outcome, list):
        return Answer(YES, {"codes": [code.to_dict() for code in outcome]}, "\n\n".join(map(str, outcome)))
    assert isinstance(asked, LintRequest)
    if not asked.dry_run:
        for each in outcome.corrections or ():
            if each.number:
                save_file(each.name, each.written)
    code = BAD_INPUT if outcome.syntax_errors else NO if outcome.numbers.get(ERROR) else YES
    with phase(WORK):
        answer = Answer(code, outcome, _text(asked.format, outcome, view.quiet))
    if asked.format in ("sarif", "github"):
        answer.document = answer.text
    if asked.format == "github" and (number := hidden(outcome.faults)):
        answer.complain(f"GitHub shows 10 errors and 10 warnings of a step: {number:,} more in its log only")
    answer.warn(f"{name}: names in it are not checked: {reason}" for name, reason in asked.alone.items())
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
