"""Measure turns per second of the native engine, on levels with recorded rates of the reference engine on node.

    scripts/bench puzzlescript [--time 3] [FILE ...]

Each level of `$UNPUZZLE_DATA/puzzlescript/demos/breadth-first.jsonl` (of some FILEs only, if any are given) is searched
breadth-first, `puzzlescript:bfs`, for so many seconds, as the reference was on node; its rate is `turns_per_second`.
A turn is a key pressed in a state that is expanded; seconds are those of the processor, for the search alone, in this
process. Levels whose search takes less than `--least` seconds are searched again until it has taken that long in all.
Node ran on another machine, so the ratio compares machines, too.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from math import exp, log
from pathlib import Path
from statistics import median
from time import process_time

from unpuzzle.base.outcomes import SOLVED_OPTIMALLY
from unpuzzle.base.run import Limits, Run
from unpuzzle.planning.registry import find
from unpuzzle.puzzlescript.game import ScriptPosition, read_game

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def main() -> int:
    """Return the number of levels with a different optimum."""
    options = _options()
    folder = _folder()
    ratios: list[float] = []
    rates: list[float] = []
    different = 0
    for record in _records(folder, options.files):
        position = _level(folder, record)
        rate, depth = _turns_a_second(position, options.time, options.least)
        differs = None not in (depth, record["solution"]) and depth != len(record["solution"])
        different += differs
        rates.append(rate)
        ratios.append(rate / record["turns_per_second"])
        told = f"{record['game']:26} {record['level']:>3} {rate:12,.0f} turns/s {ratios[-1]:7.1f} times node"
        print(told + ("  the optimum differs" if differs else ""), flush=True)
    print(f"{len(ratios)} levels: median {median(rates):,.0f} turns/s, {_mean(ratios):.1f} times node (geometric mean)")
    return different


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE", help="names of demos, such as microban.txt")
    parser.add_argument("--time", type=float, default=3, help="seconds for one search (default: 3)")
    parser.add_argument("--least", type=float, default=0.2, help="seconds to measure at least (default: 0.2)")
    return parser.parse_args()


def _folder() -> Path:
    default = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("UNPUZZLE_DATA", default)) / "puzzlescript" / "demos"


def _records(folder: Path, files: Iterable[str]) -> list[dict[str, Any]]:
    """Return the results of the reference, level by level."""
    wanted = {Path(file).name for file in files}
    with open(folder / "breadth-first.jsonl", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    return [record for record in records if not wanted or record["game"] in wanted]


def _level(folder: Path, record: dict[str, Any]) -> ScriptPosition:
    game = read_game(str(folder / record["game"]))
    return game.parse(game.levels[str(record["level"])])


def _turns_a_second(position: ScriptPosition, seconds: float, least: float) -> tuple[float, int | None]:
    """Return the turns a second (of processor time) of a search, and the length of its solution."""
    planner = find("puzzlescript:bfs")
    keys = len(position.game.keys)
    with Run(Limits(0.01)):
        planner.solve(position)  # the game goes to the core once
    turns, began = 0, process_time()
    while True:
        with Run(Limits(seconds)):
            result = planner.solve(position)
        turns += (result.expanded or 0) * keys
        spent = process_time() - began
        if spent >= least:
            break
    solved = result.status == SOLVED_OPTIMALLY and result.moves is not None
    return turns / spent, len(result.moves or ()) if solved else None


def _mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return exp(sum(map(log, ratios)) / len(ratios))


if __name__ == "__main__":
    sys.exit(main() > 0)
