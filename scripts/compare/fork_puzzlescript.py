"""Translate PuzzleScript levels to PDDL, and compare that with the game: a table, one line a level.

    scripts/compare/fork_puzzlescript.py [--time 10] [--check STATES] [--optimum SECONDS] [--jobs 2] [FILE ...]

By default the demos in $UNPUZZLE_DATA/puzzlescript/demos. Levels of games with chance or without a way to win are left
out. Times are seconds of the processor. With `--optimum` a level that can be translated is also solved, by `native` on
its PDDL and on its rules, each for so many seconds of wall clock: if both end, their costs must be equal.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from time import process_time

from unpuzzle.base.errors import LimitReached, UnpuzzleError
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.base.run import Limits, Run
from unpuzzle.puzzlescript.compiling.compiled import WIN
from unpuzzle.puzzlescript.game import ScriptGame, read_game
from unpuzzle.solving import solve
from unpuzzle.verification.side_by_side import check

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from unpuzzle.model.position import Position
    from unpuzzle.pddl.nodes import Task

Row = tuple[str, str]
"""A verdict and a line about it."""


def main() -> int:
    """Return the number of levels whose PDDL differs from the game, or has another optimum."""
    options = _options()
    levels = list(_levels(options.files or sorted((_data() / "demos").glob("*.txt"))))
    judge = partial(_fork, seconds=options.time, states=options.check, search=options.optimum)
    verdicts: Counter[str] = Counter()
    with multiprocessing.Pool(options.jobs) as pool:
        for verdict, line in pool.imap(judge, levels):
            verdicts[verdict] += 1
            print(line, flush=True)
    print(f"{verdicts['forked']} of {len(levels)} levels fork within {options.time:g} seconds")
    for verdict, count in verdicts.most_common():
        print(f"{count:6}  {verdict}")
    return verdicts["different"]


def _levels(files: list[str]) -> Iterator[tuple[str, str]]:
    """Return the files with the names of their levels."""
    for file in map(str, files):
        try:
            game = read_game(file)
        except UnpuzzleError as error:
            print(f"{file}: {str(error).splitlines()[0]}")
            continue
        if _counts(game):
            yield from [(file, name) for name in game.levels]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--time", type=float, default=10, help="seconds for one level (default: 10)")
    parser.add_argument("--jobs", type=int, default=2, help="levels at a time (default: 2)")
    parser.add_argument("--check", type=int, default=0, help="compare up to this many states with the rules, too")
    parser.add_argument("--optimum", type=float, default=0, help="solve by PDDL and by the rules: seconds for each")
    return parser.parse_args()


def _data() -> Path:
    default = Path(__file__).resolve().parents[3] / "shared" / "data"
    return Path(os.environ.get("UNPUZZLE_DATA", default)) / "puzzlescript"


def _counts(game: ScriptGame) -> bool:
    """Return whether a game is deterministic, has no clock, and can be won."""
    compiled = game.compiled
    wins = bool(compiled.wins) or any(rule.commands & WIN for rule in compiled.all_rules())
    return wins and not compiled.overlooked()[0]


def _fork(level: tuple[str, str], seconds: float, states: int, search: float) -> Row:
    """Return the result for a level."""
    file, name = level
    place = f"{Path(file).name:28} {name:>4}  "
    game = read_game(file)
    started = process_time()
    try:
        position = game.parse(game.levels[name])
        with Run(Limits(cpu=seconds), "translating"):
            position.translate()
            task = position.task()
    except LimitReached:
        return "late", f"{place}late: more than {seconds:g} seconds"
    except UnpuzzleError as error:
        told = str(error).splitlines()[0].removeprefix(file)
        return f"refused{told[told.find(' ') :]}", f"{place}{process_time() - started:5.1f} s refused{told}"
    actions = f"{len(position.fork().steps):6} actions in {len(task.domain.actions):4} schemas"
    told = f"{place}{process_time() - started:5.1f} s {actions}"
    same = True
    if states:
        found = check(position, max_states=states)
        same, told = found.same is not False, f"{told}  {str(found).splitlines()[0]}"
    if search:
        equal, how = _optima(position, task, search)
        same, told = same and equal, f"{told}  {how}"
    return "forked" if same else "different", told


def _optima(position: Position, task: Task, seconds: float) -> tuple[bool, str]:
    """Return whether the PDDL and the rules have the same optimum, as far as known, and a description."""
    spent = process_time()
    pddl = solve(task, "native", limits=Limits(seconds))
    between = process_time()
    rules = solve(position, "native", limits=Limits(seconds))
    times = f"{between - spent:.2f} s by PDDL, {process_time() - between:.2f} s by the rules"
    proved = (SOLVED_OPTIMALLY, UNSOLVABLE)
    if pddl.status not in proved or rules.status not in proved:
        return True, f"optimum not compared: {pddl.status} and {rules.status}, {times}"
    same = pddl.status == rules.status and pddl.cost == rules.cost
    return same, f"{'one optimum' if same else 'OPTIMA DIFFER'}: {pddl.cost} and {rules.cost}, {times}"


if __name__ == "__main__":
    sys.exit(main() > 0)
