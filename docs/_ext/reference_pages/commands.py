"""The reference pages of commands, made from their parsers: usage, options with defaults, examples, exit codes.

pages()      the text of each page by its path below `docs/reference`, such as `commands/solve.md`
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import Any

from reference_pages.docstrings import prose
from reference_pages.schemas import escape_cell, schemas_of
from unpuzzle.cli.commands import COMMANDS, GROUPS, OPTIONS, RENAMED, exits_of
from unpuzzle.cli.parser import option_parser
from unpuzzle.model.capabilities import options_of
from unpuzzle.translators import find, names


def pages() -> dict[str, str]:
    """Return the text of each command's page and of the list of commands, by path."""
    index = ["# Commands", ""]
    for title, commands in GROUPS.items():
        rows = [f"| [`unpuzzle {name}`]({name}.md) | {_plain(about)} |" for name, about in commands.items()]
        index += [f"## {title.capitalize()}", "", "| command | purpose |", "|---|---|", *rows, ""]
    rows = [f"| `{name}` | {_plain(_main_file(name))} |" for name in COMMANDS]
    index += ["## Options of all commands", "", _COMMON, "", "| command | `-o` |", "|---|---|", *rows, ""]
    index += [
        "## Old names",
        "",
        _OLD,
        "",
        "| before | now |",
        "|---|---|",
        *_old_names(),
        "",
        "```{toctree}",
        ":hidden:",
    ]
    return {"commands/index.md": "\n".join([*index, *COMMANDS, "```", ""])} | {
        f"commands/{name}.md": _page(name) for name in COMMANDS
    }


_COMMON = """PUZZLE is the name of a bundled game, of an installed one, or a file: `.py` with a puzzle, `.txt` with a
game in PuzzleScript, `.pddl` with a domain. LEVEL is the name of a bundled level, a file, or `-` for standard input. It
can be left out for a game with only one level. If a PDDL problem stands alone, its domain is looked for beside it:
`unpuzzle solve p01.pddl`.

`-j`, `--json` prints JSON, and `-q`, `--quiet` the bare answer. `-w N` has work done by N processes, where it can be
shared. `-o` names the main file of a command:"""
_OLD = "These names work until 2.0. A line on standard error names the new one; the JSON is the same."


def _main_file(command: str) -> str:
    """Return the help of the option `-o` of a command."""
    actions = option_parser(command, [])[1]._actions
    return next(_about(action) for action in actions if "-o" in action.option_strings)


def _old_names() -> Iterator[str]:
    for old, (_, new) in RENAMED.items():
        yield f"| `{old}` | `{new.replace('|', ' or ')}` |"
    for command, options in OPTIONS.items():
        if command not in RENAMED:
            yield from (f"| `{command} {old}` | `{command} {new}` |" for old, new in options.items())


def _page(name: str) -> str:
    module, parser = option_parser(name, [])
    lines = [f"# unpuzzle {name}", "", f"{_sentence(COMMANDS[name])}", "", "```text", _usage(parser), "```", ""]
    lines += [f"```{{program}} unpuzzle {name}", "```", ""]
    operands = [action for action in parser._actions if not action.option_strings]
    if operands:
        rows = [f"| {_operand(action)} | {_plain(_about(action))} |" for action in operands]
        lines += ["| argument | meaning |", "|---|---|", *rows, ""]
    lines += [f"{_sentence(module.SEE)}", ""] if hasattr(module, "SEE") else []
    lines += ["## Options", "", *_options(parser), "## Examples", "", "```sh", *_examples(module.EXAMPLE), "```", ""]
    lines += ["## Exit codes", "", "| code | meaning |", "|---|---|"]
    lines += [f"| {code} | {_plain(meaning)} |" for code, meaning in exits_of(name).items()]
    shapes = ", ".join(f"[`unpuzzle/{schema}/1`](../schemas/{schema}.md)" for schema in schemas_of(name))
    lines += ["", f"With `--json` the answer is {shapes}; an error is [`unpuzzle/error/1`](../schemas/error.md)."]
    if name == "generate":
        lines += ["", *_own_options()]
    return "\n".join(lines) + "\n"


def _usage(parser: argparse.ArgumentParser) -> str:
    parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=WIDTH)
    return parser.format_usage().removeprefix("usage: ").strip()


def _examples(text: str) -> list[str]:
    return [line.strip() for line in text.split("\n")]


def _sentence(summary: str) -> str:
    text = _plain(summary)
    return text[0].upper() + text[1:] + ("" if text.endswith(("?", ".")) else ".")


def _plain(text: str) -> str:
    return escape_cell(prose(_with_options(text)))


def _with_options(text: str) -> str:
    """Return a text in which the names of options are marked as code, so that `--` does not become a dash."""
    return re.sub(r"(?<![\w`-])(--?[a-z][\w-]*)(?![\w`])", r"`\1`", text)


def _operand(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    shapes = {"*": f"[{name} ...]", "+": f"{name} ...", "?": f"[{name}]"}
    return f"`{shapes.get(str(action.nargs), name)}`"


WIDTH = 86
"""Of lines that fit into a page."""
NAMED = {"PUZZLE": "a game: its name, or a file", "LEVEL": "a level: its name, a file, or `-` for standard input"}
"""Arguments that the help of commands takes for known."""


def _about(action: argparse.Action) -> str:
    return (action.help or NAMED.get(str(action.metavar), "")).replace("%%", "%")


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if action.option_strings and not isinstance(action, argparse._HelpAction):
            yield "\n".join([*_option(action), ""])


def _option(action: argparse.Action) -> Iterator[str]:
    value = _value(action)
    forms = ", ".join(f"{name}{value}" for name in action.option_strings)
    yield f"```{{option}} {forms}"
    yield ""
    notes = [prose(_with_options(" ".join(_about(action).split())))]
    if action.required:
        notes.append("This option has to be given.")
    elif (default := default_of(action)) is not None:
        notes.append(f"Default: `{default}`.")
    text = notes[0] if notes[0].endswith((".", "?")) or len(notes) == 1 else f"{notes[0]}."
    yield " ".join([text, *notes[1:]])
    yield "```"


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    name = str(action.metavar or action.dest.upper())
    shapes: dict[Any, str] = {"+": f" {name} ...", "*": f" [{name} ...]", "?": f" [{name}]"}
    return shapes.get(action.nargs, f" {name}")


def default_of(action: argparse.Action) -> str | None:
    """Return the default of an option as text; empty if there is none or if the help names it."""
    named = re.search(r"\bdefault\b", action.help or "") is not None
    if named or action.default is None or action.default == "" or action.nargs == 0:
        return None
    return " ".join(map(str, action.default)) if isinstance(action.default, list) else str(action.default)


def _own_options() -> Iterator[str]:
    """Yield lines about the options with which each bundled game generates levels."""
    yield "## Options of each game"
    yield ""
    yield "Options for the levels of each game; `unpuzzle generate PUZZLE --help` shows those of your own puzzles."
    for name in names():
        own = options_of(find(name))
        if own:
            yield from ("", f"### {name}", "", "| option | meaning | value | default |", "|---|---|---|---|")
        for option in own.values():
            default = option.show(option.default)
            shown = f"`{default}`" if str(default).strip() else ""
            yield f"| `--{option.name}` | {_plain(option.about)} | {_plain(str(option.wanted))} | {shown} |"
