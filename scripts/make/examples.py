"""Run the examples of pages as a reader would, in their order: `python scripts/make/examples.py README.md docs/index.md`.

Each page is run in a separate empty folder, with the `unpuzzle` of the Python that runs this script. Only Python itself
is needed, so that an installation can be tried. The language of a block says how it is run:

- `console`: each `$ command` is run by bash and must print the text below it, including errors. Seconds may differ, and
  a line `...` matches any number of lines. If a file first occurs in `$ cat FILE`, it gets the text shown there.
- `sh`: the commands are run and must succeed.
- `python`: a session with `>>>` must print the output shown; other code must run. The blocks of a page share their
  names.
- `{code-cell}`: the same, of pages that are notebooks.
- `{code-block}` with `:caption: FILE`: the reader has that file from then on.

HTML comments before a block say the rest:

- `<!-- file: NAME -->`: the block is a file;
- `<!-- file: NAME of PATH -->`: the block shows all or a part of the file at PATH, which the reader has;
- `<!-- into: NAME after TEXT -->`: it is inserted into a file, below the first line with that text;
- `<!-- files: FOLDER -->`: the folder contains the files of `docs/files/FOLDER`;
- `<!-- before: COMMAND -->`: this has been done;
- `<!-- installs: WHAT -->`: the block installs something, and is run only with `--install`;
- `<!-- reached: WHAT -->`: the block brings the reader this far; `--show` prints after how many blocks and commands;
- `<!-- not run: WHY -->`: the block is no example that can be run.

A block that is none of these is a fault.

A picture of `docs/pictures/pages/PAGE/` on a page must be the file of this name that its reader has made.

With `--renew` the outputs and pictures are replaced by the ones that commands print and draw now. Read the changes.
"""

from __future__ import annotations

import argparse
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import chdir, nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(\s*)(`{3,})\s*(.*?)\s*$")
NOTE = re.compile(r"^<!-- (file|into|files|before|installs|reached|not run): (.*?) -->$")
PICTURE = re.compile(r"!\[[^\]]*\]\((\S*/pictures/pages/[\w-]+/(\S+))\)")
"""A picture on a page that its reader makes: its path, and its name in the reader's folder."""
NO_EXAMPLE = {
    "figures",
    "frames",
    "toctree",
    "image",
    "figure",
    "raw",
    "note",
    "tip",
    "warning",
    "admonition",
    "include",
    "eval-rst",
}
"""Directives that show something other than code."""
SECONDS = re.compile(r"\d+\.\d+(?= s\b)|\d+\.\d{3}$", re.MULTILINE)
"""Told by commands in sentences, and in the last column of their tables."""


class Wrong(Exception):
    """An example that does not do what its page says."""


@dataclass(frozen=True)
class Block:
    """A block of code: where it is, its language or directive, its text, and the comments before it."""

    page: Path
    line: int
    kind: str
    argument: str
    options: dict[str, str]
    text: str
    notes: tuple[tuple[str, str], ...] = ()

    def note(self, name: str) -> str:
        return dict(self.notes).get(name, "")

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """Return the blocks of a page in their order."""
    notes: list[tuple[str, str]] = []
    lines = iter(list(enumerate(page.read_text().splitlines(), 1)))
    for number, line in lines:
        if told := NOTE.match(line):
            notes.append((told[1], told[2]))
        elif opened := FENCE.match(line):
            body = []
            for _, inside in lines:
                if inside.strip() == opened[2]:
                    break
                body.append(inside.removeprefix(opened[1]))
            yield _block(page, number, opened[3], body, tuple(notes))
            notes = []
        elif line.strip():
            yield from _notes_alone(page, number, notes)
            notes = []
    yield from _notes_alone(page, 0, notes)


def _notes_alone(page: Path, line: int, notes: list[tuple[str, str]]) -> Iterator[Block]:
    if notes:
        yield Block(page, line, "nothing", "", {}, "", tuple(notes))


def _block(page: Path, number: int, info: str, body: list[str], notes: tuple[tuple[str, str], ...]) -> Block:
    kind, _, argument = info.partition(" ")
    options = {}
    if kind.startswith("{"):
        while body and (option := re.match(r":([\w-]+):\s*(.*)$", body[0])):
            options[option[1]] = option[2]
            body.pop(0)
    return Block(page, number, kind.strip("{}"), argument.strip(), options, "\n".join(body).strip("\n") + "\n", notes)


class Reader:
    """A reader who follows a page: their folder is the current one, and their Python session spans all blocks."""

    def __init__(self, show: bool = False, renew: bool = False, install: bool = False) -> None:
        self.names: dict[str, object] = {"__name__": "__main__"}
        self.steps = self.commands = 0
        self.begun = time.perf_counter()
        self.show = show
        self.install = install
        self.renewed: list[tuple[str, str]] | None = [] if renew else None
        self.environment = os.environ | {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "PYTHONIOENCODING": "utf-8",
        }
        for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
            self.environment.pop(name, None)

    def follow(self, block: Block) -> None:
        """Carry out a block, and check the result."""
        for kind, value in block.notes:
            if kind == "files":
                shutil.copytree(ROOT / "docs" / "files" / value, ".", dirs_exist_ok=True)
            elif kind == "before":
                self.shell(block, value)
        if block.kind in NO_EXAMPLE or block.kind == "nothing":
            return
        if reason := block.note("not run"):
            self.say(f"not run: {reason} ({block.place})")
        elif block.note("installs") and not self.install:
            self.say(f"not run: installs {block.note('installs')} ({block.place})")
        else:
            self.steps += 1
            self.do(block)
        if goal := block.note("reached"):
            seconds = time.perf_counter() - self.begun
            self.say(f"reached: {goal}: {self.steps} blocks, {self.commands} commands, {seconds:.1f} s")

    def say(self, sentence: str) -> None:
        """Print a sentence about the progress, if requested."""
        if self.show:
            print(f"{'':10}{sentence}", flush=True)

    def do(self, block: Block) -> None:
        """Carry out a block that is an example."""
        caption = block.options.get("caption", "") if block.kind == "code-block" else ""
        if name := block.note("file") or caption:
            self.file(block, name)
        elif place := block.note("into"):
            self.insert(block, *place.split(" after ", 1))
        elif block.kind in ("console", "sh"):
            self.session(block)
        elif block.kind in ("python", "code-cell"):
            self.python(block)
        else:
            raise Wrong(f"{block.place}: a block {block.kind or 'without a language'!r} that nothing runs")

    def file(self, block: Block, name: str) -> None:
        """Write the file that a block shows, all or a part of it."""
        name, _, source = name.partition(" of ")
        text = (block.page.parent / source).read_text() if source else block.text
        if block.text not in text:
            raise Wrong(f"{block.place}: this is no part of {source}")
        path = Path(name.strip("`"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def insert(self, block: Block, name: str, text: str) -> None:
        """Put the lines of a block into a file."""
        lines = Path(name).read_text().splitlines(keepends=True)
        at = next((number for number, line in enumerate(lines, 1) if text in line), None)
        if at is None:
            raise Wrong(f"{block.place}: {name} has no line with {text!r}")
        Path(name).write_text("".join([*lines[:at], block.text, *lines[at:]]))

    def session(self, block: Block) -> None:
        """Run commands, and compare what they print."""
        if block.kind == "sh":
            self.commands += 1
            self.shell(block, block.text)
            return
        for command, expected in steps(block.text):
            if (shown := re.fullmatch(r"cat ([\w.-]+)", command)) and not Path(shown[1]).exists():
                Path(shown[1]).write_text(expected)
            printed = self.run(command)
            if self.renewed is not None:
                kept = expected if same(printed, expected) else printed.rstrip("\n") + "\n" if printed.strip() else ""
                self.renewed.append((f"$ {command}\n{expected}", f"$ {command}\n{kept}"))
            elif not same(printed, expected):
                raise Wrong(f"{block.place}: $ {command}\nthe page says:\n{expected}\nit prints:\n{printed}")

    def shell(self, block: Block, command: str) -> None:
        """Run commands that must succeed."""
        answer = self._bash(f"set -e\n{command}")
        if answer.returncode:
            raise Wrong(f"{block.place}: $ {command}\nexit code {answer.returncode}\n{answer.stdout}")

    def run(self, command: str) -> str:
        """Return what a command prints, both streams as they come."""
        begun = time.perf_counter()
        answer = self._bash(command)
        self.commands += 1
        if self.show:
            print(f"{time.perf_counter() - begun:6.1f} s  $ {command}", flush=True)
        return answer.stdout

    def _bash(self, command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", command],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )

    def python(self, block: Block) -> None:
        """Run a session with its output, or code."""
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(block.text, {}, block.place, str(block.page), block.line)
            test.globs = self.names
            said = io.StringIO()
            if doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=said.write, clear_globs=False).failed:
                raise Wrong(said.getvalue())
            return
        os.environ.setdefault("MPLBACKEND", "Agg")  # no window
        with redirect_stdout(io.StringIO()):
            exec(compile(block.text, block.place, "exec"), self.names)


def steps(session: str) -> list[tuple[str, str]]:
    """Return the commands of a session, each with its output. A command continues after a backslash at its end."""
    parts = re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]
    return [match.groups() for part in parts if (match := re.fullmatch(r"((?:.*\\\n)*.*)\n?((?s:.*))", part))]  # type: ignore[misc]


def same(printed: str, expected: str) -> bool:
    """Return whether a command prints the text of its page, except for seconds; a line `...` stands for any lines."""
    pattern = re.escape(SECONDS.sub("…", expected).strip())
    pattern = re.sub(r"(?:^|(?<=\n))\\\.\\\.\\\.(?:\\\n|\n|$)", lambda _: r"(?s:.*)", pattern)
    return re.fullmatch(pattern, SECONDS.sub("…", printed).strip()) is not None


def follow(page: Path, folder: Path, show: bool = False, renew: bool = False, install: bool = False) -> Reader:
    """Follow a page in a folder; raise `Wrong` at the first example that differs from the page."""
    reader = Reader(show, renew, install)
    with chdir(folder):
        for block in blocks(page):
            reader.follow(block)
        for path, name in PICTURE.findall(page.read_text()):
            _compare_picture(page, page.parent / path, Path(name), renew)
    if reader.renewed:
        _renew(page, reader.renewed)
    return reader


def _compare_picture(page: Path, kept: Path, drawn: Path, renew: bool) -> None:
    if renew:
        kept.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(drawn, kept)
    elif kept.read_text() != drawn.read_text():
        raise Wrong(f"{page.name} draws another {drawn} than {kept.name} of docs/pictures/pages; see --renew")


def _renew(page: Path, sessions: list[tuple[str, str]]) -> None:
    done, text = "", page.read_text()
    for old, new in sessions:
        before, _, text = text.partition(old)
        done += before + new
    page.write_text(done + text)


def main() -> int:
    """Follow the pages, and print which ones are right."""
    parser = argparse.ArgumentParser(description="Run the examples of pages, in order, as a reader would.")
    parser.add_argument("pages", nargs="+", type=Path, metavar="PAGE")
    parser.add_argument(
        "--show", action="store_true", help="show each command with its seconds, and the blocks that are not run"
    )
    parser.add_argument("--renew", action="store_true", help="write the new outputs of commands into the pages")
    parser.add_argument("--install", action="store_true", help="run the blocks that install something, too")
    parser.add_argument("--folder", type=Path, help="run them in this folder, and keep the files that they make")
    options = parser.parse_args()
    wrong = 0
    for page in options.pages:
        with nullcontext(options.folder) if options.folder else tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            try:
                reader = follow(page.resolve(), Path(folder), options.show, options.renew, options.install)
                print(f"{page}: {reader.steps} blocks, {reader.commands} commands, {time.perf_counter() - begun:.1f} s")
            except Wrong as error:
                wrong += 1
                print(f"{page}: wrong\n{error}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
