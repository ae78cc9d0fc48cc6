"""The command `unpuzzle repair --game NAME --endpoint URL --model NAME`: let a model write and repair components.

With --domain, the model writes a PDDL domain instead.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from json import dumps

from unpuzzle.base.defaults import ANSWER_SECONDS, ROUNDS, SAMPLES
from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import NO, NO_ANSWER, YES
from unpuzzle.base.text import count
from unpuzzle.base.type_hints import Any
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import chosen, flag, option, seconds, whole
from unpuzzle.translators import find
from unpuzzle.untrusted.repairing import Endpoint, Repair, repair, repair_domain
from unpuzzle.workspace.inputs import GameInput, Show

EXAMPLE = """unpuzzle repair --game sokoban --endpoint http://localhost:8000/v1 --model qwen --log exchanges.jsonl
  unpuzzle repair --game hanoi --domain --levels 3 --endpoint http://localhost:8000/v1 --model qwen -o hanoi.pddl"""


def arguments(parser: ArgumentParser) -> None:
    option(parser, "--game NAME", "the puzzle: a name, or a file", dest="puzzle", required=True)
    option(
        parser, "--endpoint URL", "address of an API like OpenAI's; its key is taken from OPENAI_API_KEY", required=True
    )
    option(parser, "--model NAME", "the name of the model at the endpoint", required=True)
    option(parser, "--rounds N", f"the most questions to the model; default: {ROUNDS}", whole(), default=ROUNDS)
    flag(parser, "--domain", "ask for the game's PDDL domain instead, and compare it as `check --game` does")
    option(parser, "--levels LEVEL", "with --domain: the bundled levels to compare on; default: all", nargs="+")
    option(
        parser,
        "--samples N",
        f"with --domain: number of random levels to compare on, too; default: {SAMPLES}",
        whole(0),
    )
    flag(parser, "--unsafe", "run code even where the system cannot enclose it in a sandbox")
    option(parser, "-o --output FILE", "also write the last code into this file", dest="answer_file")
    option(parser, "--log FILE.jsonl", "add every exchange to this file, one a line")
    option(
        parser,
        "--answer-limit SECONDS",
        f"time limit of an answer; default: {ANSWER_SECONDS:g}",
        seconds,
        default=ANSWER_SECONDS,
    )


class RepairRequest(GameInput):
    """A request to let a language model write components, or a `domain`, for a game."""

    endpoint: Endpoint
    how: Mapping[str, Any]
    domain: bool = False
    log: str | None = None

    def call(self, show: Show = None) -> Repair:
        """Ask the model for code, test it, and send the faults back to the model, until the code is right."""
        with open(self.log, "ab", buffering=0) if self.log else nullcontext() as file:

            def log(exchange: dict[str, Any]) -> None:
                try:
                    if file is not None:
                        file.write(f"{dumps(exchange)}\n".encode())
                except OSError as error:
                    raise OSError(error.errno, error.strerror, self.log) from None

            ask_for: Callable[..., Repair] = repair_domain if self.domain else repair
            return ask_for(self.game, self.endpoint.ask, log=log, **self.how)


def read(options: Namespace) -> RepairRequest:
    """Read the game, and the settings of the language model."""
    if not options.domain and (options.levels is not None or options.samples is not None):
        raise UsageError("--levels and --samples work only with --domain: add --domain, or leave out both")
    game = find(options.puzzle)
    endpoint = Endpoint(options.endpoint, options.model, seconds=options.answer_limit)
    how = chosen(options, *(("levels", "samples") if options.domain else ("unsafe",)), "rounds")
    if how.get("samples", 0) is None:
        how["samples"] = SAMPLES
    return RepairRequest(game, endpoint, how, options.domain, options.log)


def present(request: RepairRequest, outcome: Repair, view: View) -> Answer:
    """Return the answer with the last code, which is also the content of the file of -o."""
    answer = _answer(outcome, view.quiet)
    answer.document = answer.text
    return answer


def _answer(outcome: Repair, quiet: bool) -> Answer:
    """Return the answer with the last code and, on stderr, the outcome: unknown if no difference was found."""
    rounds = count(outcome.rounds, "round")
    if outcome.right:
        return Answer(YES, outcome, outcome.code or "", "" if quiet else f"right after {rounds}")
    if outcome.message:
        return Answer(NO, outcome, outcome.code or "", f"not right after {rounds}:\n\n{outcome.message}")
    undecided = "no difference was found, but the answer is not proved right; `check --game` reports on each level"
    return Answer(NO_ANSWER, outcome, outcome.code or "", f"undecided after {rounds}: {undecided}")
