"""unpuzzle repair --game NAME --endpoint URL --model NAME."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from unpuzzle.cli.answer import Answer
    from unpuzzle.components.repairing import Repair

EXAMPLE = "unpuzzle repair --game sokoban --endpoint http://localhost:8000/v1 --model qwen --log exchanges.jsonl"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.numbers import seconds, whole
    from unpuzzle.components.endpoint import SECONDS
    from unpuzzle.components.repairing import ROUNDS

    parser.add_argument("--game", dest="puzzle", metavar="NAME", required=True, help="the puzzle: a name, or a file")
    parser.add_argument(
        "--endpoint", metavar="URL", required=True, help="of any API like OpenAI's; key: OPENAI_API_KEY"
    )
    parser.add_argument("--model", metavar="NAME", required=True, help="the model's name there")
    parser.add_argument(
        "--rounds", metavar="N", type=whole(), default=ROUNDS, help=f"questions at most; default: {ROUNDS}"
    )
    parser.add_argument(
        "--unsafe", action="store_true", help="run code even where the system has no walls for a sandbox"
    )
    parser.add_argument("--log", metavar="FILE.jsonl", help="add every exchange to it, one a line")
    parser.add_argument(
        "--answer-limit", metavar="SECONDS", type=seconds, default=SECONDS, help=f"of an answer; default: {SECONDS:g}"
    )


def execute(options: Namespace) -> Answer:
    """Ask, test and tell, until the components are right; prints them."""
    from contextlib import nullcontext

    from unpuzzle import translators
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.components.endpoint import Endpoint
    from unpuzzle.components.repairing import repair

    game = translators.find(options.puzzle)
    endpoint = Endpoint(options.endpoint, options.model, seconds=options.answer_limit)
    with open(options.log, "ab", buffering=0) if options.log else nullcontext() as file:
        done = repair(game, endpoint.ask, rounds=options.rounds, log=_logger(file), unsafe=options.unsafe)
    code = exits.YES if done.right else exits.NO
    return Answer(code, _fields(done), done.code or "", "" if options.quiet and done.right else _summary(done))


def _logger(file: Any) -> Callable[[dict[str, Any]], None] | None:
    """Writes exchanges into a file, each as soon as it is over."""
    if file is None:
        return None

    def log(entry: dict[str, Any]) -> None:
        from json import dumps

        try:
            file.write(f"{dumps(entry)}\n".encode())
        except OSError as error:
            raise OSError(error.errno, error.strerror, file.name) from None

    return log


def _fields(done: Repair) -> dict[str, Any]:
    from unpuzzle.checking.findings import Report

    report = done.report or Report(None, None, (), {})
    return {**report.fields, "rounds": done.rounds, "code": done.code, "message": done.message}


def _summary(done: Repair) -> str:
    from unpuzzle.words import count

    rounds = count(done.rounds, "round")
    return f"right after {rounds}" if done.right else f"not right after {rounds}:\n\n{done.message}"
