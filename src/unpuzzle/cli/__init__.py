"""The command line interface: `unpuzzle COMMAND ...`.

`main` finds the command and lets it parse its arguments, run, and answer; every error becomes one sentence (or one
JSON object) and an exit code of `answer.py`. A command is a module of `commands` with

    EXAMPLE                                   for the help
    arguments(parser)                         its arguments, beyond those that all commands have
    own_arguments(parser, words)              optional: arguments that depend on the words of the command line
    read(options) -> Input                    the request: files are read, and impossible requests are refused
    present(request, outcome, view) -> Answer the exit code, the JSON fields and the text

Commands of one kind share a module, where these names end with the command's, as in `read_lsp`. Between the last two
functions, `request.call()` does the work: see `unpuzzle.workspace.inputs`.

parser.py  operands.py  requirements.py  completing.py      the words of the command line
files.py  drawing.py  answer.py                             levels read, pictures shown, answers written
collections.py  verdicts.py  lint_warnings.py               parts of answers that several commands share
refusals.py  signals.py  alarm.py                           errors as answers; interruptions; the last resort for limits

Only the chosen command's module is imported: a tiny task is planned in less time than most programs take to start.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import pairwise, takewhile
from time import perf_counter, process_time
from warnings import WarningMessage

from unpuzzle.base.outcomes import BROKEN, OF_ERROR, YES
from unpuzzle.base.run import detached, grace
from unpuzzle.base.type_hints import TYPE_CHECKING, Any
from unpuzzle.base.values import plain
from unpuzzle.cli.answer import Answer, ProgressLine, StdoutToStderr, View, complain, deliver, replace_closed
from unpuzzle.cli.commands import COMMANDS as COMMANDS
from unpuzzle.cli.commands import renamed
from unpuzzle.cli.refusals import PlayingGame, refusal
from unpuzzle.cli.signals import listen, settle, stop_listening

if TYPE_CHECKING:
    from argparse import Namespace

    from unpuzzle.cli.commands import Command


WRITING = ("play", "watch", "studio", "lsp", "mcp")
"""The commands that write to stdout while they work."""
JSON, QUIET = {"-j", "--json", "--format=json"}, {"-q", "--quiet"}
"""The options that ask for JSON, and for less output."""


def run() -> None:
    """Run the command line of this process, and end the process with the exit code."""
    import gc
    import os

    if "_ARGCOMPLETE" in os.environ:  # a shell asks for completions
        from unpuzzle.cli.completing import complete

        complete()
    try:
        listen()
        # Garbage collection took a tenth of the time of a small task, half of it after the answer.
        gc.set_threshold(20_000)
        code = main(alone=True)
        stop_listening()
    except (KeyboardInterrupt, Exception) as error:  # while an answer was written, or a second time
        stop_listening()
        code = OF_ERROR.get(type(error), (BROKEN, ""))[0]  # Python's own, 1, would say that there is no plan
        if isinstance(error, MemoryError):
            os.write(2, b"unpuzzle: the memory ran out\n")
        elif not isinstance(error, KeyboardInterrupt):
            sys.excepthook(type(error), error, error.__traceback__)
    gc.freeze()
    sys.exit(code)


def main(arguments: Sequence[str] | None = None, *, alone: bool = False) -> int:
    """Run the command line with the given arguments (without the program name); return the exit code.

    `alone`: the process exists for this command, whose limits a timer may then enforce; see `alarm`.
    """
    clocks = {"clock": perf_counter(), "cpu_clock": process_time()}
    if None in (sys.stdin, sys.stdout, sys.stderr):
        replace_closed()
    words = list(sys.argv[1:] if arguments is None else arguments)
    return _deliver(*_answer_to(words, clocks, alone), words)


def answer_as_written(words: Sequence[str]) -> tuple[int, Any, str]:
    """Run a command line; return the exit code, the JSON fields, and the output to stdout and stderr.

    The process must exist for this command, as with `alone`.
    """
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    words, text = list(words), StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        clocks = {"clock": perf_counter(), "cpu_clock": process_time()}
        answer, as_json, quiet = _answer_to(words, clocks, alone=True)
        code = _deliver(answer, as_json, quiet, words)
    return code, plain(answer.fields), text.getvalue()


def _answer_to(words: list[str], clocks: dict[str, float], alone: bool) -> tuple[Answer, bool, bool]:
    """Correct the words of a command line; return the answer to them, whether it is JSON, and whether it is short."""
    before_dashes = _words_before_dashes(words)
    as_json = not JSON.isdisjoint(before_dashes) or ("--format", "json") in pairwise(before_dashes)
    quiet = not QUIET.isdisjoint(before_dashes)
    try:
        answer = _dispatch(words, clocks, alone, quiet)
        settle()
    except (Exception, KeyboardInterrupt, SystemExit) as error:
        answer = refusal(error, words)
    return answer, as_json, quiet


def _deliver(answer: Answer, as_json: bool, quiet: bool, words: list[str]) -> int:
    """Write an answer, and return the exit code."""
    try:
        return deliver(answer, as_json, quiet=quiet)
    except Exception as error:  # an answer that cannot be written, such as one with a number of 5,000 digits
        return deliver(refusal(error, words), as_json)


def _words_before_dashes(words: list[str]) -> list[str]:
    """Return the options and words before `--`; short options joined as in `-jq` become separate words."""
    options = words[: words.index("--")] if "--" in words else words
    short = [word[1:] for word in options if word[:1] == "-" and word[:2] != "--"]
    long = [word for word in words if word[:1] != "-" or word[:2] == "--"]
    return [*long, *[f"-{letter}" for word in short for letter in takewhile("jqh".__contains__, word)]]


def _dispatch(words: list[str], clocks: dict[str, float], alone: bool, quiet: bool) -> Answer:
    """Translate old names in the words, parse the words, and return the answer of their command."""
    # Not at the top: signals are heard before this loads argparse, the longest part of a start.
    from unpuzzle.cli.parser import HelpAsked, has_limits, parse

    words[:], advice = renamed(words)
    if advice and not quiet:
        complain(advice)
    if not words or words[0] not in COMMANDS:
        from unpuzzle.cli.commands.help import command_for

        words[:] = command_for(words)
    command = words[0]
    from warnings import catch_warnings

    with catch_warnings(record=True) as early:  # a command whose arguments depend on the game reads it
        try:
            parts, options = parse(command, words[1:])
        except HelpAsked as request:
            answer = Answer(YES, {"help": str(request)}, str(request))
            answer.name_schema("help")
            return answer
    vars(options).update(clocks)
    if not alone or not has_limits(options):
        return _execute(command, parts, options, early)
    from unpuzzle.cli.alarm import Alarm

    with Alarm(options.memory_limit):
        return _execute(command, parts, options, early)


def _execute(command: str, parts: Command, options: Namespace, early: list[WarningMessage]) -> Answer:
    """Return the answer of a command, or raise its error; `early` are warnings from before the command began."""
    from warnings import catch_warnings

    with catch_warnings(record=True) as caught:
        try:
            with nullcontext() if command in WRITING else StdoutToStderr():
                answer = _answer(parts, options)
        except BaseException:
            for sentence in dict.fromkeys(map(_sentence, (*early, *caught))):  # there is no answer to take them
                complain(sentence)
            raise
    answer.name_schema(command)
    answer.warn(map(_sentence, (*early, *caught)))
    if getattr(options, "answer_file", None) is not None:
        _save(answer, options.answer_file)
    return answer


def _save(answer: Answer, path: str) -> None:
    """Write the answer of a command to the file of `-o`: as JSON, unless the answer contains a document of its own."""
    from json import dumps

    from unpuzzle.cli.files import save_beside

    text = dumps(answer.fields) + "\n" if answer.document is None else answer.document
    save_beside(answer, path, lambda: text)


def _sentence(warning: WarningMessage) -> str:
    place = f"{warning.filename}:{warning.lineno}" if warning.lineno else warning.filename
    return f"{place}: warning: {warning.message}"


def _answer(parts: Command, options: Namespace) -> Answer:
    """Read the input, do the work, and return the answer, all within the limits of the options."""
    from unpuzzle.cli.parser import run_of

    view = View(options.quiet, options.json)
    with run_of(options):
        request = parts.read(options)
        with detached() if request.limits_of_each else nullcontext(), PlayingGame(*request.played()):
            with ProgressLine(view, request.shows) as show:
                outcome = request.call(show)
            with grace():  # what was found before a limit is shown
                answer: Answer = parts.present(request, outcome, view)
                return answer
