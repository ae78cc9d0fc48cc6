"""Arguments that several commands share, errors as exceptions instead of exits, and the reading of numbers.

Each number has an allowed range, and a message for other values. The ranges exceed the power of any machine, and stay
below the limits of libraries and the core.
"""

from __future__ import annotations

import os
import re
from argparse import Action, ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable

from unpuzzle.base.errors import UsageError
from unpuzzle.base.platform_facts import usable_memory
from unpuzzle.base.run import Limits, Run, Usage
from unpuzzle.base.text import cut, suggestion
from unpuzzle.base.type_hints import Any, NoReturn, TypeVar
from unpuzzle.base.values import Record
from unpuzzle.cli.commands import COMMANDS, Command, lines_of
from unpuzzle.planning.planner import MOVES

T = TypeVar("T", bound=Record)
A_PUZZLE = "a name from `unpuzzle list`, or a file: .py, .txt with a game, .pddl with a domain"
OBSTACLES = "signs in the level that count as walls, such as G and 1 to 4 for the ghosts of Pacman: G1234"
A_LEVEL = "a bundled level's name, a file, - for standard input, or FILE:12 of a file of several levels"
LIMITS, OUTPUT = "limits", "output"
"""The groups of options at the end of each help."""
OF_OUTPUT = {
    "-o",
    "--plan-file",
    "--csv",
    "--plot",
    "--graph",
    "--theme",
    "--pixels",
    "--figures",
    "--properties",
    "--booklet",
}
"""The options of the last group, by the first of their names."""
MOST, SEEDS, PROCESSES, SECONDS, BYTES = 10**15, 2**63 - 1, 1024, 1e9, 2**60
"""The largest numbers allowed for counts, random seeds, processes, seconds and bytes."""
SHOWN = 40
"""The most characters of a wrong value that a message shows."""


class HelpAsked(Exception):
    """A request for help, raised to end the parsing; `str()` is the help text."""


class Help(RawDescriptionHelpFormatter):
    """The layout of help texts; an argument that may be repeated, such as `LEVEL [LEVEL ...]`, is described once."""

    described: frozenset[str] = frozenset()

    def add_argument(self, action: Action) -> None:
        name = "" if action.option_strings else str(action.metavar)
        if not name or name not in self.described:
            self.described |= {name}
            super().add_argument(action)


class Parser(ArgumentParser):
    """An argument parser that raises UsageError for wrong arguments, and HelpAsked.

    It accepts missing arguments without `-`, and gives None for them: `operands` fills them in, or refuses them.
    """

    def print_help(self, file: object = None) -> NoReturn:
        # argparse would write the help itself, and hide errors of writing.
        codes = ["exit codes:", *lines_of(self.prog.removeprefix("unpuzzle "))]
        raise HelpAsked("\n".join([self.format_help(), *codes, ""]))

    def add_argument(self, *names: Any, **settings: Any) -> Any:
        positional = not names[0].startswith("-")
        if positional and settings.get("nargs") == "*":
            settings.setdefault("default", [])
        action = super().add_argument(*names, **settings)
        action.required = action.required and not positional
        return action

    def error(self, message: str) -> NoReturn:
        _, _, unknown = message.partition("unrecognized arguments: ")
        if unknown.startswith("--"):
            message += suggestion(unknown.split()[0].partition("=")[0], self._option_string_actions)
        argument, bound, rest = message.removeprefix("argument ").partition(": the value must be ")
        raise UsageError(f"{argument} must be {rest}" if bound else message)


def parse(command: str, words: list[str]) -> tuple[Command, Namespace]:
    """Parse the words of a command; return the command and the options."""
    for word in words[: words.index("--") if "--" in words else None]:
        if word.startswith("--") and word.endswith("=--"):  # argparse would take it for an empty list
            raise UsageError(f"{word[:-3]} needs a value, not --")
    parts, parser = option_parser(command, words)
    options = parser.parse_args(words)
    operands = [action for action in parser._actions if not action.option_strings and action.nargs != "?"]
    values = [getattr(options, operand.dest) for operand in operands]
    if None in values or (values and isinstance(values[-1], list) and str(values[0]).lower().endswith(".pddl")):
        from unpuzzle.cli.operands import complete

        with Run(limits_of(options) if has_limits(options) else None):
            complete(options, operands)
    _require_inputs_kept(parser, options)
    return parts, options


def _require_inputs_kept(parser: Parser, options: Namespace) -> None:
    """Raise UsageError if an output file is also an input."""
    outputs = [action for action in group(parser, OUTPUT)._group_actions if action.metavar == "FILE"]
    dests = {action.dest for action in outputs}
    written = {action: path for action in outputs if isinstance(path := getattr(options, action.dest), str)}
    for action, path in written.items():
        if not os.path.isfile(path):
            continue
        others = [getattr(options, each.dest, None) for each in parser._actions if each.dest not in dests]
        named = [text for value in others for text in (value if isinstance(value, list | tuple) else [value])]
        for text in [text for text in named if isinstance(text, str)]:
            for name in (text, text.rpartition(":")[0]):  # or a level of a file, FILE:12
                if name and os.path.exists(name) and os.path.samefile(name, path):
                    raise UsageError(f"{action.option_strings[-1]} {path} would overwrite an input")


def option_parser(command: str, words: list[str]) -> tuple[Command, Parser]:
    """Return a command and its parser; some options of the parser may depend on the words."""
    parts = Command(command)
    parser = Parser(
        prog=f"unpuzzle {command}",
        description="\n".join([COMMANDS[command], *([f"({parts.SEE})"] if hasattr(parts, "SEE") else [])]),
        epilog=f"example:\n  {parts.EXAMPLE}",
        # Asked for the terminal's width, argparse imports shutil and all compressors, even when it prints nothing.
        formatter_class=lambda prog: Help(prog, width=110),
        allow_abbrev=False,
    )
    parts.arguments(parser)
    if hasattr(parts, "own_arguments"):
        parts.own_arguments(parser, words)
    output = group(parser, OUTPUT)
    if "-o" not in parser._option_string_actions:
        option(parser, "-o --output FILE", "also write the answer into this file, as JSON", dest="answer_file")
    flag(output, "-j --json", "print JSON instead of text")
    flag(output, "-q --quiet", "print the bare answer, without figures and progress")
    parser._action_groups.sort(key=lambda each: (each.title == OUTPUT, each.title == LIMITS))
    return parts, parser


def group(parser: ArgumentParser, title: str) -> Any:
    """Return the option group of a parser with the given title; add a new group if there is none."""
    here = [each for each in parser._action_groups if each.title == title]
    return here[0] if here else parser.add_argument_group(title)


def add_planner(parser: ArgumentParser, plan_file: str = "--plan-file FILE") -> None:
    """Add --planner, --objective, the limits and the option that names a file for the plan."""
    option(parser, "--planner NAME", "see `unpuzzle list`; default: native")
    add_objective(parser)
    flag(parser, "--anytime", "find a plan soon, then better ones, until one is proved optimal")
    add_limits(parser)
    about = "write the plan into this file, one action a line; an older file is removed first"
    option(parser, plan_file, about, dest="plan_file")


def add_objective(parser: ArgumentParser) -> None:
    """Add --objective; the value is checked later, when it is used."""
    about = "what to minimise: moves (their cost; the default), pushes (moves that do more than walk, such as pushing "
    about += "a box), pushes,moves (the fewest pushes, then the least cost) or moves,pushes"
    option(parser, "--objective NAME", about, default=MOVES)


def option(parser: Any, usage: str, about: str, read: Callable[[str], Any] | None = None, **settings: Any) -> None:
    """Add an option given by its usage, such as `--seed N`; `read` converts the text, `settings` go to argparse."""
    *names, metavar = usage.split()
    place = group(parser, OUTPUT) if names[0] in OF_OUTPUT else parser
    place.add_argument(*names, metavar=metavar, help=about, type=read, **settings)


def operand(parser: Any, name: str, about: str | None = None, **settings: Any) -> None:
    """Add a positional argument, such as `PUZZLE`; `settings` are passed to argparse."""
    parser.add_argument(name.lower(), metavar=name, help=about, **settings)


def flag(parser: Any, name: str, about: str) -> None:
    """Add an option without a value; `name` may contain a short form, as in `-q --quiet`."""
    parser.add_argument(*name.split(), action="store_true", help=about)


def add_level(parser: ArgumentParser) -> None:
    operand(parser, "PUZZLE", A_PUZZLE)
    operand(parser, "LEVEL", A_LEVEL)
    option(parser, "--obstacles SIGNS", OBSTACLES)


def add_levels(parser: ArgumentParser) -> None:
    operand(parser, "PUZZLE", A_PUZZLE)
    parser.add_argument("levels", metavar="LEVEL", nargs="+", help=A_LEVEL)
    option(parser, "--obstacles SIGNS", OBSTACLES)


def add_output(parser: ArgumentParser) -> None:
    option(parser, "-o --output FILE", "draw into a file, such as x.svg; the ending determines the format")
    option(parser, "--theme NAME", "light, dark, print, or auto: as readers prefer", default="auto")
    option(parser, "--pixels N", "the width of a cell in pixels; default: 64, less on large boards", between(1, 1000))


def add_limits(
    parser: ArgumentParser,
    about: str = "wall clock, from reading to the checked answer",
    time: float | None = None,
    *,
    workers: str = "",
    processes: int | None = 1,
) -> None:
    """Add --cpu-limit, --memory-limit, and --time-limit with the default `time`.

    `workers` describes parallel work, in so many processes by default: it adds --workers and --scheduler, of which only
    one may be given.
    """
    limits = group(parser, LIMITS)
    option(limits, "--time-limit SECONDS", about, seconds, default=time)
    about = "processor time, of all threads and of a planner's own program; default: no limit"
    option(limits, "--cpu-limit SECONDS", about, seconds)
    option(limits, "--memory-limit SIZE", "such as 500M or 4G; default: three quarters of the machine's memory", size)
    if workers:
        who = limits.add_mutually_exclusive_group()
        option(who, "-w --workers N", workers, whole(1, PROCESSES), default=processes)
        option(who, "--scheduler ADDRESS", "work on this Dask cluster, such as tcp://127.0.0.1:8786")


def add_limits_of_each(parser: ArgumentParser, what: str, time: float, workers: str = "") -> None:
    """Add --time-limit, with a default, and the other limits; these limits apply to each of several runs or levels."""
    add_limits(parser, f"of each {what}, wall clock; default: {time:.0f}", time, workers=workers)


def limits_of(options: Namespace, *, each: bool = False) -> Limits:
    """Return the limits in the options; they apply to all memory and time of the process.

    If they are for `each` of several runs, time counts from the beginning of each.
    """
    usage = None
    if options.cpu_limit is not None and hasattr(options, "cpu_clock") and not each:
        usage = Usage(held=0)
        usage.began = options.cpu_clock
    memory = options.memory_limit or usable_memory() * 3 // 4
    return Limits(options.time_limit, memory, options.cpu_limit, held=0, usage=usage)


def chosen(options: Namespace, *names: str) -> dict[str, Any]:
    """Return the values of the named options, by name."""
    return {name: vars(options)[name] for name in names}


def has_limits(options: Namespace) -> bool:
    return any(getattr(options, f"{name}_limit", None) is not None for name in ("time", "memory", "cpu"))


def run_of(options: Namespace) -> Run:
    """Return a run with the limits in the options; its time counts from the start of the command."""
    from time import perf_counter

    limits = limits_of(options) if hasattr(options, "cpu_limit") else Limits(held=0)
    return Run(limits.after(perf_counter() - options.clock), "working")


def whole(least: int = 1, most: int = MOST) -> Callable[[str], int]:
    """Return a function that reads a whole number between two bounds from a text."""

    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:  # also of more digits than Python reads
            raise _wrong(f"the value must be a whole number from {least:,} to {most:,}", text) from None
        if not least <= number <= most:
            raise _wrong(f"the value must be at {f'least {least:,}' if number < least else f'most {most:,}'}", text)
        return number

    return read


seed: Callable[[str], int] = whole(-SEEDS, SEEDS)


def seconds(text: str) -> float:
    number = _decimal(text)
    if not 0 < number <= SECONDS:
        raise _wrong(f"the value must be a number of seconds, more than 0 and at most {SECONDS:,.0f}", text)
    return number


def best_end(text: str) -> int | float:
    """Read a time such as `60s`, `5m` or `1h` in seconds (as a float), or a number of candidates (as an int)."""
    units = {"s": 1, "m": 60, "h": 3600}
    if text and text[-1] in units:
        number = _decimal(text[:-1]) * units[text[-1]]
        if 0 < number <= SECONDS:
            return number
    elif text.isascii() and text.isdecimal() and 1 <= int(text[:16]) <= MOST:
        return int(text[:16])
    raise _wrong("the value must be a time such as 60s, 5m or 1h, or a number of candidates such as 2000", text)


def size(text: str) -> int:
    """Read a number of bytes, such as `500M`; K, M, G and T are powers of 1024."""
    digits, factor = text.strip().upper().removesuffix("B").removesuffix("I"), 1
    if digits and digits[-1] in "KMGT":
        factor = 1024 ** ("KMGT".index(digits[-1]) + 1)
        digits = digits[:-1]
    number = _decimal(digits) * factor
    if not 1 <= number <= BYTES:
        raise _wrong(f"the value must be a size such as 500M or 4G, at most {BYTES // 2**40:,}T", text)
    return int(number)


def between(least: float, most: float) -> Callable[[str], float]:
    """Return a function that reads a number between two bounds from a text."""

    def read(text: str) -> float:
        number = _decimal(text)
        if not least <= number <= most:
            raise _wrong(f"the value must be a number from {least:,} to {most:,}", text)
        return number

    return read


def _decimal(text: str) -> float:
    """Return the number in a text or, if there is no number, NaN, which is outside of all bounds."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _wrong(sentence: str, text: str) -> ArgumentTypeError:
    return ArgumentTypeError(f"{sentence}, not {cut(text, SHOWN)}")


def moves_between(text: str) -> tuple[int | None, int | None]:
    """Return the least and the greatest number of moves that a text allows, such as `5..9`, `5..`, `..9` or `5`."""
    least, dots, most = text.partition("..")
    bounds = (least, most) if dots else (text, text)
    if not any(bounds) or not all(re.fullmatch("[0-9]{0,9}", bound) for bound in bounds):
        raise UsageError(f"--moves must be MIN..MAX, MIN.., ..MAX or a number, such as 10..20, not '{text[:40]}'")
    first, last = (int(bound) if bound else None for bound in bounds)
    return first, last
