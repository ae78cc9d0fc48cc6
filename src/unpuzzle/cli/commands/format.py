"""unpuzzle format FILE...: PDDL and games in files laid out anew, in place."""

from __future__ import annotations

import difflib
import os
import sys
from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.parser import add_limits, flag, option
from unpuzzle.editing.documents import ENDINGS, Document, formatted_text
from unpuzzle.errors import ParseError, UsageError
from unpuzzle.files import read_bytes, read_stream, save_file
from unpuzzle.found_files import found_files
from unpuzzle.pddl.reading.complaints import with_comments_in_utf8
from unpuzzle.run import phase, within_limits
from unpuzzle.translators import FILES, format_of
from unpuzzle.words import count

EXAMPLE = """unpuzzle format domain.pddl problem.pddl
  unpuzzle format --check tasks/
  unpuzzle format - < domain.pddl"""


def arguments(parser: ArgumentParser) -> None:
    about = (
        "PDDL domains and problems, .txt files with games, folders of them; - from standard input to standard output"
    )
    parser.add_argument("files", metavar="FILE", nargs="+", help=about)
    flag(parser, "--check", "write nothing: say which files would change, and exit with 1 if one would")
    flag(parser, "--diff", "write nothing: show what would change")
    option(parser, "-o --output FILE", "write the one file here, and leave it as it is")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Format all files; if one cannot be read, write none."""
    with phase("laying out files"):
        if options.output is not None and (
            options.check or options.diff or len(options.files) > 1 or "-" in options.files
        ):
            raise UsageError("-o writes one file: name one, without --check and --diff")
        if "-" in options.files:
            return _stream(options)
        after = {path: _formatted(path) for path in within_limits(_paths(options.files), long=True)}
        changed = {path: texts for path, texts in after.items() if texts[0] != texts[1]}
        fields = {"files": list(after), "changed": list(changed)}
        if options.diff:
            return Answer(
                NO if options.check and changed else YES, fields, "".join(map(_difference, changed, changed.values()))
            )
        if not options.check:
            for path, (_, text) in (changed if options.output is None else after).items():
                save_file(options.output or path, text.encode("utf-8"))
        done = "would be laid out anew" if options.check else "laid out anew"
        lines = [f"{path}: {done}" for path in changed]
        if not options.quiet:
            lines.append(f"{len(changed):,} of {count(len(after), 'file')} {done}")
        return Answer(NO if options.check and changed else YES, fields, "\n".join(lines))


def _stream(options: Namespace) -> Answer:
    if options.files != ["-"]:
        raise UsageError("- cannot be combined with files: it reads standard input and writes standard output")
    text = _decoded(read_stream(sys.stdin.buffer), "<stdin>")
    name = "<stdin>.txt" if (language := format_of("-.txt")) and language.is_game_text(text) else "<stdin>.pddl"
    after = formatted_text(Document(name, text))
    fields = {"files": ["<stdin>"], "changed": ["<stdin>"] if after != text else [], "text": after}
    shown = _difference("<stdin>", (text, after)) if options.diff else "" if options.check else after
    return Answer(NO if options.check and after != text else YES, fields, shown)


def _formatted(path: str) -> tuple[str, str]:
    """Return the text of a file before and after formatting."""
    text = _decoded(read_bytes(path), path)
    return text, formatted_text(Document(path, text))


def _decoded(data: bytes, path: str) -> str:
    try:
        return (data if data.isascii() else with_comments_in_utf8(data)).decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ParseError("this file is not UTF-8, so nothing is changed", file=path, line=line) from None


def _paths(names: list[str]) -> list[str]:
    """Return the named files, and the PDDL and game files in named folders, each once."""
    paths: list[str] = []
    for name in names:
        if not os.path.isdir(name):
            os.stat(name)  # a missing file is reported before any work
            paths.append(name)
            continue
        inside = found_files(name, (*ENDINGS[:1], *FILES), enters=bool)
        known = sorted(path for path in inside if path.endswith(ENDINGS[:1]) or _is_game(path))
        if not known:
            raise ParseError(f"the folder {name} has no PDDL and no games")
        paths += known
    return list(dict.fromkeys(paths))


def _is_game(path: str) -> bool:
    language = format_of(path)
    return language is not None and language.is_game(path)


def _difference(path: str, texts: tuple[str, str]) -> str:
    before, after = (text.splitlines(keepends=True) for text in texts)
    lines = difflib.unified_diff(before, after, path, path)
    return "".join([line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines])
