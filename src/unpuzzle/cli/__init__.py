"""The command line: `unpuzzle COMMAND ...`.

`main` finds the command, lets it parse its own arguments, run, and answer; every error becomes one sentence (or one
JSON object) and an exit code of `exits`. A command is a module of this package with

    SUMMARY, EXAMPLE              for the help
    arguments(parser)             its arguments, beyond those that all commands have
    own_arguments(parser, words)  optional: those that depend on the words of the command line
    execute(options) -> Answer    the exit code, the JSON fields and the text

Only the chosen command's module is imported: a tiny task is planned in less time than most programs take to start.
"""

from __future__ import annotations

import sys
from time import perf_counter

from unpuzzle.cli import exits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence
    from typing import Any

    from unpuzzle.cli.answer import Answer

COMMANDS = {
    "list": "the puzzles, their bundled levels, and the planners",
    "solve": "solve a level of a puzzle and show the moves",
    "plan": "solve a PDDL task",
    "pddl": "write a level as PDDL files",
    "validate": "run a plan step by step and say where it fails",
    "replay": "play moves on the game's rules",
    "draw": "a picture of a level, or of moves: in the terminal or a file",
    "play": "play a level here, or make a page to play it on",
    "check": "is the PDDL the game? explore both side by side",
    "compare": "many ways to solve a level, in one table",
    "explore": "all that can happen in a level: positions, dead ends, the hardest start",
    "survey": "every level of a game in one table: solvable, least moves, states, dead ends, optimal ways",
    "explain": "why: the next step of a person, or what each part of a level is needed for",
    "generate": "make levels of known difficulty",
    "lint": "find all faults of PDDL files, or of a game in PuzzleScript",
    "test-components": "are successors and goal test that somebody wrote those of a game?",
    "repair": "let a language model write search components, test them, and tell it what is wrong",
    "same": "are two PDDL tasks the same game up to names?",
    "test-domain": "is a PDDL domain that somebody wrote the game, up to names?",
    "trace": "play inputs on a game in PuzzleScript and show the board after each",
    "new": "write a first puzzle of your own: rules, PDDL domain and test",
}


def run() -> None:
    """The console script."""
    import gc
    import signal

    signal.signal(signal.SIGTERM, _terminate)
    # Looking for garbage took a tenth of the time of a small task, half of it after the answer.
    gc.set_threshold(20_000)
    code = main(alone=True)
    gc.freeze()
    sys.exit(code)


def _terminate(number: int, frame: object) -> None:
    raise exits.TerminatedError


def main(arguments: Sequence[str] | None = None, *, alone: bool = False) -> int:
    """Run a command line (without the program's name); returns the exit code.

    `alone`: the process exists for this command, whose limits a timer may then hold; see `alarm`.
    """
    clock = perf_counter()
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json = "--json" in words
    try:
        answer = _dispatch(words, clock, alone)
    except SystemExit as done:  # argparse has printed its help
        return int(done.code or 0)
    except BaseException as error:
        known = exits.of_error(error)
        if known is None:
            raise
        answer = _refusal(error, *known)
    return _deliver(answer, as_json)


def _dispatch(words: list[str], clock: float, alone: bool) -> Answer:
    from unpuzzle.cli.parser import has_limits, overview, parse

    command = words[0] if words else ""
    if command in ("", "-h", "--help", "--version"):
        return overview(command)
    if command not in COMMANDS:
        from unpuzzle.errors import ParseError
        from unpuzzle.words import suggestion

        hint = suggestion(command, COMMANDS) or f"; commands are {', '.join(COMMANDS)}"
        raise ParseError(f"unknown command '{command}'{hint}")
    module, options = parse(command, words[1:])
    options.clock = clock
    if not alone or not has_limits(options):
        return _executed(module, options)
    from unpuzzle.cli.alarm import Alarm

    with Alarm(options):
        return _executed(module, options)


def _executed(module: Any, options: Namespace) -> Answer:
    """The command's answer. Raises what went wrong, as the fault of the puzzle where it is."""
    from unpuzzle.errors import IllegalMove

    try:
        answer: Answer = module.execute(options)
        return answer
    except (Exception, SystemExit) as error:
        if exits.of_error(error) is not None and not isinstance(error, IllegalMove):
            raise
        from unpuzzle.cli.faults import fault_of

        fault = fault_of(error, options)
        if fault is None:
            raise
        raise fault from error


def _refusal(error: BaseException, code: int, status: str) -> Answer:
    from unpuzzle.cli.answer import Answer

    if isinstance(error, KeyboardInterrupt):
        message = "interrupted"
    elif isinstance(error, MemoryError):
        message = "the memory ran out"
    elif isinstance(error, OSError) and error.strerror:
        message = f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    else:
        message = str(error)
    fields = {
        "status": status,
        "message": getattr(error, "message", message),
        "file": getattr(error, "file", getattr(error, "filename", None)),
        "line": getattr(error, "line", None),
        "column": getattr(error, "column", None),
    }
    return Answer(code, fields, complaint=f"unpuzzle: {message}")


def _deliver(answer: Answer, as_json: bool) -> int:
    """Write the answer; a reader that has gone away (`| head`) is no reason for a traceback."""
    try:
        if as_json:
            from json import dumps

            sys.stdout.write(dumps(answer.fields) + "\n")
        else:
            sys.stdout.write(_encodable(answer.text, sys.stdout.encoding))
        sys.stdout.flush()
    except BrokenPipeError:
        _silence_stdout()
        _complain("unpuzzle: the output was closed before all of it was written")
        return answer.code
    except OSError as error:
        _silence_stdout()
        _complain(f"unpuzzle: the output could not be written: {error.strerror}")
        return exits.BAD_INPUT
    if answer.complaint and not as_json:
        _complain(answer.complaint)
    return answer.code


def _complain(sentence: str) -> None:
    try:
        sys.stderr.write(_encodable(sentence + "\n", sys.stderr.encoding))
        sys.stderr.flush()
    except OSError:
        pass  # nobody is listening; the exit code still tells


def _encodable(text: str, encoding: str | None) -> str:
    """The text with `?` for what the terminal cannot show, and for stray surrogates of file names."""
    encoding = encoding or "utf-8"
    return text.encode(encoding, "replace").decode(encoding)


def _silence_stdout() -> None:
    """Let the interpreter's last flush go nowhere."""
    import os

    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        pass  # stdout is not a file (a test's buffer): there is nothing to silence
