"""Record which rules fire in plays of the test data, by the reference engine's verbose log.

python scripts/compare/record_fired_rules.py FOLDER

FOLDER contains the reference engine with its `trace.js`, which node runs; the games are those of
`$UNPUZZLE_DATA/puzzlescript`, and plays with rules that fire and few steps are taken. Only a game's name, a checksum of
its text and the numbers of lines are recorded.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.fired_rules import NUMBER, checksum, our_log, record
from support.puzzlescript_data import plays, texts

if TYPE_CHECKING:
    from collections.abc import Iterator

DRIVER = Path(__file__).with_name("play_in_reference.js")
BATCH, SEED = 25, 28
MOST_TEXT, MOST_INPUTS, MOST_LOGGED = 60_000, 60, 5_000

Play = dict[str, Any]


def candidates() -> Iterator[Play]:
    """Yield recorded plays in a random order, then random ones."""
    known = texts()
    for name in ("plays", "random-plays"):
        order = list(plays(name))
        Random(SEED).shuffle(order)
        for play in order:
            text = play.get("text") or known[play["name"]][0]
            if len(text) <= MOST_TEXT and str(play["level"]).isdecimal():
                yield _cut(play, text)


def _cut(play: Play, text: str) -> Play:
    seed = "1" if play.get("seed") is None else str(play["seed"])
    inputs = "".join(play["inputs"])[:MOST_INPUTS]
    return {"name": play["name"], "text": text, "level": int(play["level"]), "inputs": inputs, "seed": seed}


def answers(games: list[Play], folder: str) -> list[Play]:
    """Return the results of the reference for games, with its log."""
    lines = "".join(json.dumps({**game, "log": True}) + "\n" for game in games)
    node = subprocess.run(["node", str(DRIVER), folder], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in node.stdout.splitlines()]


def main(words: list[str]) -> int:
    """The number of plays that differ."""
    (folder,) = words
    taken: list[Play] = []
    different = 0
    queue = list(candidates())
    for first in range(0, len(queue), BATCH):
        batch = queue[first : first + BATCH]
        for play, answer in zip(batch, answers(batch, folder), strict=True):
            if answer["failure"] is not None or answer["errors"] or answer["start"] is None or answer["capped"]:
                continue
            log = answer["log"]
            logged = sum(map(len, log))
            if not logged or logged > MOST_LOGGED or answer["moved"]:
                continue
            kept = {"name": play["name"], "text": checksum(play["text"]), "level": play["level"]}
            taken.append({**kept, "inputs": play["inputs"], "seed": play["seed"], "log": log})
            if our_log(play) != log:
                different += 1
                print(f"{play['name']}, level {play['level']}: our log differs", flush=True)
        print(f"{len(taken)} plays of {first + len(batch)}", flush=True)
        if len(taken) >= NUMBER:
            break
    record(taken[:NUMBER])
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
