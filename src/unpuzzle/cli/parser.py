"""Arguments shared by the commands, with errors as exceptions instead of exits."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter

from unpuzzle.cli.answer import BAD_INPUT, YES, Answer
from unpuzzle.cli.commands import COMMANDS, FOLDERS, TO_TRY
from unpuzzle.cli.numbers import seconds, size
from unpuzzle.errors import ParseError
from unpuzzle.planning.planner import MOVES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from unpuzzle.limits import Deadline, Limits, ticking


PURPOSE = (
    "A puzzle's rules are written twice, in Python and in PDDL, and compared state by state. You get PDDL that every",
    "planner loads, an optimal plan, the moves, a picture, and evidence that all of them agree.",
)
A_PUZZLE = "a name from `unpuzzle list`, or a file: .py, .txt with a game, .pddl with a domain"
A_LEVEL = "a bundled level's name, a file, - for standard input, or FILE:12 of a file of several levels"


class HelpAsked(Exception):
    """A request for help, which ends the parsing; `str()` is the help."""


class Parser(ArgumentParser):
    """An argument parser that raises ParseError for wrong usage, and HelpAsked."""

    def print_help(self, file: object = None) -> NoReturn:
        # argparse would write the help itself, and hide errors of writing.
        from unpuzzle.cli.exits import lines_of

        codes = ["exit codes:", *lines_of(self.prog.removeprefix("unpuzzle "))]
        raise HelpAsked("\n".join([self.format_help(), *codes, ""]))

    def add_argument(self, *names: Any, **settings: Any) -> Any:
        """Add an argument; an optional one is never reported as required."""
        if settings.get("nargs") == "*" and not names[0].startswith("-"):
            settings.setdefault("default", [])
        return super().add_argument(*names, **settings)

    def error(self, message: str) -> NoReturn:
        _, _, unknown = message.partition("unrecognized arguments: ")
        if unknown.startswith("--"):
            from unpuzzle.words import suggestion

            message += suggestion(unknown.split()[0].partition("=")[0], self._option_string_actions)
        argument, bound, rest = message.removeprefix("argument ").partition(": must be ")
        if bound:  # the usage does not help with a number out of range
            raise ParseError(f"{argument} must be {rest}")
        raise ParseError(f"{message}\n{self.format_usage().strip()}")


def parse(command: str, words: list[str]) -> tuple[Any, Namespace]:
    """Return the command's module and its options."""
    for word in words[: words.index("--") if "--" in words else None]:
        if word.startswith("--") and word.endswith("=--"):  # argparse would take it for an empty list
            raise ParseError(f"{word[:-3]} needs a value, not --")
    module, parser = option_parser(command, words)
    return module, parser.parse_args(words)


def option_parser(command: str, words: list[str]) -> tuple[Any, Parser]:
    """Return the command's module and its parser; some of its options may depend on the words."""
    from importlib import import_module

    folder = next((folder for folder, names in FOLDERS.items() if command in names), "commands")
    module = import_module(f"unpuzzle.cli.{folder}.{command.replace('-', '_')}")
    parser = Parser(
        prog=f"unpuzzle {command}",
        description=COMMANDS[command],
        epilog=f"example:\n  {module.EXAMPLE}",
        # Asked for the terminal's width, argparse imports shutil and all compressors, even when it prints nothing.
        formatter_class=lambda prog: RawDescriptionHelpFormatter(prog, width=110),
        allow_abbrev=False,
    )
    module.arguments(parser)
    if hasattr(module, "own_arguments"):
        module.own_arguments(parser, words)
    flag(parser, "--json", "print JSON instead of text")
    flag(parser, "--quiet", "print the bare answer, without figures and progress")
    return module, parser


def overview(word: str) -> Answer:
    """Answer `unpuzzle`, `unpuzzle --help` and `unpuzzle --version`."""
    from unpuzzle.version import __version__

    if word == "--version":
        return named("version", YES, {"version": __version__}, f"unpuzzle {__version__}")
    if not word:
        tries = {f"unpuzzle {words}": what for words, what in TO_TRY.items()}
        last = "`unpuzzle --help` lists all commands, `unpuzzle doctor` tells what is installed."
        lines = [*PURPOSE, "", "five commands to try:", *_columns(tries), "", last]
        return named("help", BAD_INPUT, {"commands": COMMANDS, "to_try": tries}, "\n".join(lines))
    lines = ["usage: unpuzzle COMMAND ...", "", *PURPOSE, "", "commands:", *_columns(COMMANDS), ""]
    lines += [
        "`unpuzzle COMMAND --help` shows a command's arguments and an example, such as",
        "  unpuzzle solve boxup 1",
    ]
    return named("help", YES, {"commands": COMMANDS}, "\n".join(lines))


def _columns(rows: dict[str, str]) -> list[str]:
    width = max(map(len, rows))
    return [f"  {name.ljust(width)}  {about}" for name, about in rows.items()]


def named(schema: str, code: int, fields: dict[str, Any], text: str) -> Answer:
    """Return an answer whose JSON names its schema."""
    answer = Answer(code, fields, text)
    answer.name_schema(schema)
    return answer


def add_planner(parser: ArgumentParser) -> None:
    """Add --planner, --objective, the limits and --plan-file."""
    option(parser, "--planner NAME", "see `unpuzzle list`; default: native")
    add_objective(parser)
    add_limits(parser)
    flag(parser, "--anytime", "find a plan soon, then better ones, until one is proved optimal")
    option(
        parser, "--plan-file FILE", "write the plan into this file, one action a line; one of before is removed first"
    )


def add_objective(parser: ArgumentParser) -> None:
    """Add --objective; its value is checked when it is used."""
    about = "what to minimise: moves (their cost; the default), pushes (moves that do more than walk, such as pushing "
    about += "a box), pushes,moves (the fewest pushes, then the least cost) or moves,pushes"
    option(parser, "--objective NAME", about, default=MOVES)


def option(parser: Any, usage: str, about: str, read: Callable[[str], Any] | None = None, **settings: Any) -> None:
    """Add an option by its usage, such as `--seed N`; `read` converts its text, `settings` are argparse's."""
    *names, metavar = usage.split()
    parser.add_argument(*names, metavar=metavar, help=about, type=read, **settings)


def operand(parser: Any, name: str, about: str | None = None, **settings: Any) -> None:
    """Add a positional argument, such as `PUZZLE`; `settings` are argparse's."""
    parser.add_argument(name.lower(), metavar=name, help=about, **settings)


def flag(parser: Any, name: str, about: str) -> None:
    """Add an option without a value."""
    parser.add_argument(name, action="store_true", help=about)


def add_level(parser: ArgumentParser) -> None:
    operand(parser, "PUZZLE", A_PUZZLE)
    operand(parser, "LEVEL", A_LEVEL)


def add_limits(
    parser: ArgumentParser, about: str = "wall clock, from reading to the checked answer", time: float | None = None
) -> None:
    """Add --time-limit, with its default if it has one, --cpu-limit and --memory-limit."""
    option(parser, "--time-limit SECONDS", about, seconds, default=time)
    about = "processor time, of all threads and of a planner's own program; default: no limit"
    option(parser, "--cpu-limit SECONDS", about, seconds)
    option(parser, "--memory-limit SIZE", "such as 500M or 4G; default: three quarters of the machine's memory", size)


def add_limits_of_each(parser: ArgumentParser, what: str, time: float) -> None:
    """Add --time-limit, which has a default, and the other limits, for each of several runs or levels."""
    add_limits(parser, f"of each {what}, wall clock; default: {time:.0f}", time)
    parser.set_defaults(limits_of_each=True)


def limits_of(options: Namespace) -> Limits:
    """Return the limits in the options. The process is the run, so all its memory and time counts."""
    from unpuzzle.limits import Limits, Usage

    usage = None
    if options.cpu_limit is not None and hasattr(options, "cpu_clock") and not hasattr(options, "limits_of_each"):
        usage = Usage(held=0)
        usage.began = options.cpu_clock
    return Limits(options.time_limit, options.memory_limit or _most_memory(), options.cpu_limit, held=0, usage=usage)


def has_limits(options: Namespace) -> bool:
    return any(getattr(options, f"{name}_limit", None) is not None for name in ("time", "memory", "cpu"))


def deadline_of(options: Namespace, phase: str) -> Deadline:
    """Return the deadline of the whole command for one of its phases; a command without limit options has none."""
    from time import perf_counter

    from unpuzzle.limits import Deadline, Limits

    limits = limits_of(options) if hasattr(options, "memory_limit") else Limits(held=0)
    return Deadline(limits.after(perf_counter() - options.clock), phase)


def limits_left(options: Namespace) -> Limits:
    """Return the limits in the options, less the time since the command began."""
    return deadline_of(options, "working").limits


def within_limits(options: Namespace | None, phase: str) -> ticking:
    """Return a block that interrupts the game's own code at a limit in the options; `phase` is for the message."""
    from unpuzzle.limits import ticking

    return ticking(None if options is None else deadline_of(options, phase))


def _most_memory() -> int:
    """Return three quarters of the machine's memory, in bytes."""
    from unpuzzle.system import usable_memory

    return usable_memory() * 3 // 4
