"""Which PuzzleScript levels become PDDL, and whether that is the game: a table, one line a level.

    scripts/fork_puzzlescript.py [--time 10] [--check STATES] [FILE ...]

By default the demos in $UNPUZZLE_DATA/puzzlescript/demos. Levels of games with chance or without a way to win are left
out. Each level is forked in a process of its own, which is ended after the given seconds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from unpuzzle.checking.side_by_side import check
from unpuzzle.errors import UnpuzzleError
from unpuzzle.translators._puzzlescript.compiled import WIN
from unpuzzle.translators._puzzlescript.engine import chance, rules_of
from unpuzzle.translators._puzzlescript.game import ScriptGame, read_game


def main() -> None:
    options = _options()
    forked = levels = 0
    reasons: Counter[str] = Counter()
    for file in options.files or sorted((_data() / "demos").glob("*.txt")):
        try:
            game = read_game(str(file))
        except UnpuzzleError as error:
            print(f"{file}: {str(error).splitlines()[0]}")
            continue
        if not _counts(game):
            continue
        for name in game.levels:
            levels += 1
            verdict, line = _within(str(file), name, options.time, options.check)
            forked += verdict == "forked"
            if verdict != "forked":
                reasons[line.split(":")[-1].strip()] += 1
            print(f"{Path(file).name:28} {name:>4}  {line}", flush=True)
    print(f"{forked} of {levels} levels fork within {options.time:g} seconds")
    for reason, count in reasons.most_common():
        print(f"{count:6}  {reason}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--time", type=float, default=10, help="seconds for one level (default: 10)")
    parser.add_argument("--check", type=int, default=0, help="compare so many states with the rules, too")
    return parser.parse_args()


def _data() -> Path:
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    return Path(os.environ.get("UNPUZZLE_DATA", default)) / "puzzlescript"


def _counts(game: ScriptGame) -> bool:
    """Whether a game is deterministic, without a clock of its own, and can be won."""
    compiled = game.compiled
    wins = bool(compiled.wins) or any(rule.commands & WIN for rule in rules_of(compiled))
    return wins and chance(compiled) is None and not compiled.options.realtime


def _within(file: str, level: str, seconds: float, states: int) -> tuple[str, str]:
    """The verdict on a level and a line about it."""
    results: multiprocessing.Queue[tuple[str, str]] = multiprocessing.Queue()
    worker = multiprocessing.Process(target=_fork, args=(file, level, states, results))
    worker.start()
    worker.join(seconds + (600 if states else 0.5))
    if worker.is_alive():
        worker.terminate()
        worker.join()
        return "late", f"late: more than {seconds:g} seconds"
    return results.get() if worker.exitcode == 0 else ("broken", f"broken: exit code {worker.exitcode}")


def _fork(file: str, level: str, states: int, results: multiprocessing.Queue[tuple[str, str]]) -> None:
    game = read_game(file)
    started = perf_counter()
    try:
        position = game.parse(game.levels[level])
        task = position.task()
    except UnpuzzleError as error:
        results.put(("refused", f"refused: {str(error).splitlines()[0]}"))
        return
    forked = position.forked()
    told = f"{perf_counter() - started:5.1f} s {len(forked.steps):6} actions in {len(task.domain.actions):4} schemas"
    if states:
        found = check(position, max_states=states)
        told += f"  {str(found).splitlines()[0]}"
    results.put(("forked", told))


if __name__ == "__main__":
    sys.exit(main())
