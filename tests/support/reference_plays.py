"""Plays on one level, as `scripts/compare/play_in_reference.js` writes what the reference engine makes of them, and our own.

A play has `text level inputs seed`, and what came of it: `errors` in the text, `start`, `boards` after each input,
`won`, the number of the input that won, `capped`, and `moved`, whether the level was won before the first input.
"""

import gzip
import json
from pathlib import Path
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.puzzlescript.debugging.recording import Tracer
from unpuzzle.puzzlescript.files import ScriptFormat
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.puzzlescript.rules import engine_of

FOLDER = Path(__file__).parents[1] / "golden" / "puzzlescript"
RECORDED, TEXTS = FOLDER / "reference.jsonl.gz", FOLDER / "texts.jsonl.gz"
NO_LEVEL = "the game has no level"
OUTCOME = ("moved", "capped", "start", "boards", "won")

Play = dict[str, Any]


def recorded_plays(file: Path = RECORDED) -> list[Play]:
    """What the reference engine made of small games of our own; `scripts/compare/fuzz_puzzlescript.py --record` renews it."""
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).decode().splitlines()]


def record(plays: list[Play], file: Path) -> None:
    """Keeps plays for `recorded_plays`, without the sentences of the reference."""
    kept = [{key: value for key, value in play.items() if key != "said"} for play in plays]
    lines = "".join(json.dumps(play) + "\n" for play in kept)
    file.write_bytes(gzip.compress(lines.encode(), mtime=0))


def our_play(game: ScriptGame, play: Play, engine: str) -> Play:
    """What our engine makes of a play; nothing more is played after a level that is won at its start."""
    runner = engine_of(engine, game.compiled)
    tracer = Tracer(game, runner, play["seed"], messages=False)
    tracer.begin(play["level"])
    start = tracer.session.outcome()
    ours: Play = {"start": tracer.board(), "boards": [], "won": None, "capped": start.capped, "moved": start.won}
    for number, key in enumerate(play["inputs"], 1):
        if ours["capped"] or ours["moved"]:
            break
        tracer.session.press(key)
        outcome = tracer.session.outcome()
        ours["capped"] = outcome.capped
        if outcome.won:
            ours["won"] = number
            break
        if not outcome.capped:
            ours["boards"].append(tracer.board())
    return ours


def outcome_differs(ours: Play, wanted: Play) -> str | None:
    """What differs first between two plays of the same inputs."""
    for key in OUTCOME:
        if ours[key] != wanted[key]:
            return f"{key}{_place(ours[key], wanted[key])}"
    return None


def _place(ours: Any, wanted: Any) -> str:
    if not isinstance(ours, list):
        return ""
    pairs = zip([*ours, None], [*wanted, None], strict=False)
    return f" after input {next((n for n, (one, two) in enumerate(pairs, 1) if one != two), 0)}"


def judge_text(text: str, wanted: Play) -> tuple[str, str]:
    """A word for what we make of a careless text beside the reference, and the difference, if any.

    Both refuse it, or both play it alike, even in spite of errors; lint reports a fault where the reference reports
    anything, and no error where it reports none.
    """
    faults = ScriptFormat().lint_text(text, "game.txt")[0]
    said = "; ".join(wanted.get("said", ())) or "the reference reports something"
    if wanted["errors"] + wanted["warnings"] and not faults:
        return "lint is silent", said
    errors = [fault.message for fault in faults if fault.severity == "error"]
    if errors and not wanted["errors"] and NO_LEVEL not in errors[0]:
        return "an error of ours only", errors[0]
    try:
        game = game_of(text, "game")
    except ParseError as error:
        return ("refused by both", "") if wanted["start"] is None else ("refused here only", str(error))
    if wanted["start"] is None:
        return "refused by the reference only", said
    levels = game.compiled.levels
    if wanted["level"] >= len(levels) or not levels[wanted["level"]].width:
        return "no such level", ""
    for engine in ("python", "native"):
        if (what := outcome_differs(our_play(game, wanted, engine), wanted)) is not None:
            return "played differently", f"{engine}: {what}"
    return "the same", ""
