"""Completion of commands, options, puzzles, levels, planners and files in shells, with argcomplete.

A shell that is set up (`eval "$(register-python-argcomplete unpuzzle)"`) runs `unpuzzle` at every TAB, with the line so
far in its environment. Only the parser of the command on the line is made; a puzzle is loaded only to complete its
levels.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable
from contextlib import suppress

from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.cli.commands import COMMANDS
from unpuzzle.cli.parser import option_parser
from unpuzzle.planning import registry
from unpuzzle.translators import GROUP, bundled_files, find, names

if TYPE_CHECKING:
    Completer = Callable[..., Iterable[str]]

FILES_OF_GAMES = (".py", ".txt", ".pddl")
TEXTS = {"subject", "action", "moves", "options", "inputs", "name", "code", "explain"}
"""Arguments that are neither known names nor files."""


def complete() -> None:
    """Answer the shell's completion request and end the process; without argcomplete, end it without an answer."""
    try:
        import argcomplete
    except ImportError:  # any output would be taken for completions
        os._exit(1)

    line, point = os.environ.get("COMP_LINE", ""), _number("COMP_POINT")
    command, rest, place = _split(line, point)
    if command is None or command not in COMMANDS:
        argcomplete.autocomplete(_commands(), always_complete_options=False)
        return
    os.environ["COMP_LINE"], os.environ["COMP_POINT"] = rest, str(place)
    _, parser = option_parser(command, rest.split()[1:])
    for action in parser._actions:
        if not action.choices:
            action.completer = _completer(action)  # type: ignore[attr-defined]
    argcomplete.autocomplete(parser, always_complete_options=False)


def _number(name: str) -> int:
    text = os.environ.get(name, "")
    return int(text) if text.isdigit() else 0


def _split(line: str, point: int) -> tuple[str | None, str, int]:
    """Return the command before the cursor, the line without this command, and the new cursor position.

    The command is None if it is not yet complete.
    """
    head = line.encode()[:point].decode(errors="ignore")  # the shell counts bytes
    parts = head.split(maxsplit=2)
    if len(parts) < 2 or (len(parts) == 2 and not head[-1].isspace()):
        return None, line, point
    program, command = parts[:2]
    start = head.index(command, len(program))
    end = start + len(command)
    rest = line[end:].lstrip()
    return command, line[:start] + rest, point - (len(line) - start - len(rest))


def _commands() -> ArgumentParser:
    parser = ArgumentParser("unpuzzle")
    parser.add_argument("command", choices=list(COMMANDS))
    parser.add_argument("--version", action="store_true")
    return parser


def _completer(action: Any) -> Completer:
    """Return the function that completes the values of a command-line argument."""
    names: dict[str, Completer] = {
        "puzzle": _puzzles,
        "game": _puzzles,
        "level": _levels,
        "levels": _levels,
        "planner": _planners,
    }
    if action.dest in names:
        return names[action.dest]
    if action.dest in TEXTS or (action.metavar or "") in ("N", "SECONDS", "SIZE", "NAME"):
        return lambda **others: []
    return _files


def _files(prefix: str = "", endings: tuple[str, ...] = (), **others: object) -> list[str]:
    """Return the files and folders that begin with a prefix."""
    folder, _, start = prefix.rpartition("/")
    place = f"{folder}/" if "/" in prefix else ""
    found = []
    with suppress(OSError):
        for entry in os.scandir(place or "."):
            if entry.name.startswith(start) and (start or not entry.name.startswith(".")):
                if entry.is_dir():
                    found.append(f"{place}{entry.name}/")
                elif not endings or entry.name.endswith(endings):
                    found.append(place + entry.name)
    return found


def _puzzles(prefix: str = "", **others: object) -> list[str]:
    own = [] if "/" in prefix else [*names(), *bundled_files(), *_offered(GROUP)]
    return [*(name for name in own if name.startswith(prefix)), *_files(prefix, FILES_OF_GAMES)]


def _levels(prefix: str = "", parsed_args: Namespace | None = None, **others: object) -> list[str]:
    own: list[str] = []
    puzzle = getattr(parsed_args, "game", None) or getattr(parsed_args, "puzzle", None)
    if isinstance(puzzle, str) and "/" not in prefix and not puzzle.endswith(".py"):  # a TAB runs no puzzle code
        with suppress(Exception):
            own = list(find(puzzle).levels)
    return [*(name for name in own if name.startswith(prefix)), *_files(prefix)]


def _planners(prefix: str = "", **others: object) -> list[str]:
    return [name for name in (*registry.KINDS, *_offered(registry.GROUP)) if name.startswith(prefix)]


def _offered(group: str) -> list[str]:
    """Return the names of the entry points in a group, without `importlib.metadata`, which is slow."""
    names = []
    for folder in sys.path:
        for entry in os.scandir(folder) if os.path.isdir(folder) else ():
            if entry.name.endswith((".dist-info", ".egg-info")):
                path = os.path.join(entry.path, "entry_points.txt")
                if os.path.isfile(path):  # else a pipe in the user's folder would hold up the shell
                    with suppress(OSError), open(path, encoding="utf-8") as file:
                        names += _names_in(file.read(), group)
    return sorted(set(names))


def _names_in(text: str, group: str) -> list[str]:
    """Return the names of the entry points in a group, from the text in which a distribution lists its entry points."""
    _, heading, rest = text.partition(f"[{group}]\n")
    lines = rest.partition("\n[")[0].splitlines() if heading else []
    return [line.partition("=")[0].strip() for line in lines if "=" in line]
