"""unpuzzle repair --game NAME --endpoint URL --model NAME."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from contextlib import nullcontext
from json import dumps
from typing import Any

from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.numbers import seconds, whole
from unpuzzle.cli.parser import flag, option
from unpuzzle.components.endpoint import SECONDS, Endpoint
from unpuzzle.components.repairing import ROUNDS, repair
from unpuzzle.translators import find
from unpuzzle.words import count

EXAMPLE = "unpuzzle repair --game sokoban --endpoint http://localhost:8000/v1 --model qwen --log exchanges.jsonl"


def arguments(parser: ArgumentParser) -> None:
    option(parser, "--game NAME", "the puzzle: a name, or a file", dest="puzzle", required=True)
    option(parser, "--endpoint URL", "of any API like OpenAI's; key: OPENAI_API_KEY", required=True)
    option(parser, "--model NAME", "the model's name there", required=True)
    option(parser, "--rounds N", f"questions at most; default: {ROUNDS}", whole(), default=ROUNDS)
    flag(parser, "--unsafe", "run code even where the system has no walls for a sandbox")
    option(parser, "--log FILE.jsonl", "add every exchange to it, one a line")
    option(parser, "--answer-limit SECONDS", f"of an answer; default: {SECONDS:g}", seconds, default=SECONDS)


def execute(options: Namespace) -> Answer:
    """Ask, test and tell, until the components are right."""
    game = find(options.puzzle)
    endpoint = Endpoint(options.endpoint, options.model, seconds=options.answer_limit)
    with open(options.log, "ab", buffering=0) if options.log else nullcontext() as file:

        def log(exchange: dict[str, Any]) -> None:
            try:
                if file is not None:
                    file.write(f"{dumps(exchange)}\n".encode())
            except OSError as error:
                raise OSError(error.errno, error.strerror, options.log) from None

        outcome = repair(game, endpoint.ask, rounds=options.rounds, log=log, unsafe=options.unsafe)
    rounds = count(outcome.rounds, "round")
    summary = f"right after {rounds}" if outcome.right else f"not right after {rounds}:\n\n{outcome.message}"
    complaint = "" if options.quiet and outcome.right else summary
    return Answer(YES if outcome.right else NO, outcome, outcome.code or "", complaint)
