"""Which rules fire in plays of `$UNPUZZLE_DATA/puzzlescript`: the reference engine's verbose log, and our own.

A log has a list for the start and one for each input. `31 right` is a rule of line 31 that changed something, `31` one
of a line that stands for a single rule, `31 queues again` a command. Games are named, and recognised by a checksum.
"""

import gzip
import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from unpuzzle.puzzlescript.debugging.recording import COMMANDS, RULE, Recorder, RuleNames, Step, Tracer
from unpuzzle.puzzlescript.engine.engine import PythonEngine
from unpuzzle.puzzlescript.game import game_of

RECORDED = Path(__file__).parents[1] / "golden" / "puzzlescript" / "fired.jsonl.gz"
NUMBER = 200

Log = list[list[str]]


def recorded_logs() -> list[dict[str, Any]]:
    """Plays with the reference's log; `scripts/compare/record_fired_rules.py` renews them."""
    return [json.loads(line) for line in gzip.decompress(RECORDED.read_bytes()).decode().splitlines()]


def record(plays: list[dict[str, Any]]) -> None:
    """Keeps plays for `recorded_logs`."""
    lines = "".join(json.dumps(play) + "\n" for play in plays)
    RECORDED.write_bytes(gzip.compress(lines.encode(), mtime=0))


def checksum(text: str) -> str:
    """What a game is recognised by."""
    return sha256(text.encode()).hexdigest()[:16]


def our_log(play: dict[str, Any]) -> Log:
    """What our recorder notes in a play of `text level inputs seed`."""
    game = game_of(play["text"], play["name"])
    recorder = Recorder(RuleNames(game.compiled, game.source))
    tracer = Tracer(game, PythonEngine(game.compiled, recorder), play["seed"], messages=False)
    tracer.begin(play["level"])
    number = 0
    for number, key in enumerate(play["inputs"], 1):
        recorder.follow(number, key)
        tracer.session.press(key)
        if (outcome := tracer.session.outcome()).won or outcome.capped:
            break
    log: Log = [[] for _ in range(number + 1)]
    for turn in recorder.turns:
        log[turn.input] += [line for step in turn.steps for line in _logged(step)]
    return log


def _logged(step: Step) -> Iterator[str]:
    if step.kind == RULE:
        yield step.logged
    if step.kind == COMMANDS:
        for command in step.commands:
            yield f"{step.line} queues {command.partition(' ')[0]}"
