"""The command `unpuzzle format FILE...`: format PDDL files and game files in place."""

from __future__ import annotations

import difflib
import os
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.files import read_bytes, read_input, save_file
from unpuzzle.base.outcomes import NO, YES
from unpuzzle.base.run import phase, within_limits
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import add_limits, flag, option
from unpuzzle.pddl.syntax import with_comments_in_utf8
from unpuzzle.translators import format_of
from unpuzzle.workspace.documents import Document, formatted_text
from unpuzzle.workspace.inputs import Input, Show
from unpuzzle.workspace.linting import named_files

EXAMPLE = """unpuzzle format domain.pddl problem.pddl
  unpuzzle format --check tasks/
  unpuzzle format - < domain.pddl"""
STDIN, WORK, ENDINGS = "<stdin>", "formatting files", (".pddl",)


def arguments(parser: ArgumentParser) -> None:
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
        with phase(WORK):
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


def read(options: Namespace) -> FormatRequest:
    """Read all texts to be formatted."""
    files = options.files
    if options.output is not None and (options.check or options.diff or len(files) > 1 or "-" in files):
        raise UsageError("-o writes one file: name one, without --check and --diff")
    if "-" in files and files != ["-"]:
        raise UsageError("- cannot be combined with files: it reads standard input and writes standard output")
    with phase(WORK):
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


def present(asked: FormatRequest, outcome: FormatOutcome, view: View) -> Answer:
    """Report the changes, and write the files."""
    changed = outcome.changed
    if not (asked.check or asked.diff or STDIN in outcome.texts):
        for path, (_, text) in (changed if asked.output is None else outcome.texts).items():
            save_file(asked.output or path, text.encode("utf-8"))
    return Answer(NO if asked.check and changed else YES, outcome, _text(asked, outcome, view.quiet))


def _text(asked: FormatRequest, outcome: FormatOutcome, quiet: bool) -> str:
    changed = outcome.changed
    if asked.diff:
        return "".join(map(_difference, changed, changed.values()))
    if STDIN in outcome.texts:
        return "" if asked.check else outcome.texts[STDIN][1]
    done = "would be laid out anew" if asked.check else "laid out anew"
    lines = [f"{path}: {done}" for path in changed]
    return "\n".join(lines if quiet else [*lines, f"{len(changed):,} of {count(len(outcome.texts), 'file')} {done}"])


def _decoded(data: bytes, path: str) -> str:
    try:
        return (data if data.isascii() else with_comments_in_utf8(data)).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError("this file is not UTF-8, so nothing is changed", file=path, line=line) from None


def _difference(path: str, texts: tuple[str, str]) -> str:
    before, after = (text.splitlines(keepends=True) for text in texts)
    lines = difflib.unified_diff(before, after, path, path)
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines])
