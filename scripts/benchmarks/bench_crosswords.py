"""Accuracy for crosswords solved from their clues alone, by sources and by method of filling.

Figures for the weights in the package are for puzzles that they were not fitted on (`--part test`); see `fit_clues.py`.
Seconds are CPU time of a puzzle, from its text to its answers, with existing indexes.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from time import process_time
from typing import Any

from unpuzzle import solve, translators
from unpuzzle.planners.clues.settings import SOURCES, missing
from unpuzzle.planning.result import Result

sys.path.insert(0, str(Path(__file__).parents[1] / "make"))
from fit_clues import PARTS, part_of

DATA = Path(os.environ.get("UNPUZZLE_DATA", "../shared/data"))
GAME = translators.find("crossword-clues")
ALONE = tuple(SOURCES)
RUNS = (*[f"{name},words" for name in ("gcide", "wordnet")], "gcide", "wordnet", "words", "gcide,wordnet,words")
HEAD = "| sources | method | puzzles | letters | words | whole puzzles | answers ≥ 0.9 | of these right | CPU s |"


class Tally:
    """The counts of right answers so far."""

    def __init__(self) -> None:
        self.puzzles = self.whole = self.letters = self.cells = self.words = self.answers = self.sure = self.held = 0
        self.seconds = 0.0

    def add(self, result: Result, truth: str) -> None:
        """Count one puzzle; `truth` has its letters row by row, as many as the grid has cells."""
        filled = str(result.solution).replace("/", "")
        right = [mine == theirs for mine, theirs in zip(filled, truth, strict=True) if mine != "#"]
        self.puzzles += 1
        self.whole += all(right)
        self.letters += sum(right)
        self.cells += len(right)
        for name, cells, _ in result.start.clued_slots():  # type: ignore[union-attr]
            answer = result.details["answers"][name]
            hit = answer["answer"] == "".join(truth[cell] for cell in cells)
            self.answers += 1
            self.words += hit
            self.sure += answer["confidence"] >= 0.9
            self.held += hit and answer["confidence"] >= 0.9

    def row(self, sources: str, method: str) -> str:
        """A line of the table."""
        held = f"{self.held / self.sure:.0%}" if self.sure else "-"
        shares = [self.letters / self.cells, self.words / self.answers, self.whole / self.puzzles]
        shown = " | ".join(f"{share:.1%}" for share in shares)
        seconds = self.seconds / self.puzzles
        return f"| {sources} | {method} | {self.puzzles} | {shown} | {self.sure} | {held} | {seconds:.2f} |"


def tally(puzzles: list[dict[str, Any]], sources: str, method: str) -> Tally:
    """All puzzles with some sources and a method."""
    total = Tally()
    for puzzle in puzzles:
        told = {key: value for key, value in puzzle.items() if key != "letters"}
        text = json.dumps(told)
        began = process_time()
        result = solve(GAME.parse(text), f"clues:{sources},{method}")
        total.seconds += process_time() - began
        total.add(result, puzzle["letters"])
    return total


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", default="test", choices=[*PARTS, "all"])
    parser.add_argument("--file", default=str(DATA / "webster-minis.json"), help="a JSON list of puzzles with letters")
    parser.add_argument("--newspaper", action="store_true", help="ten minis of our own, with clues as in newspapers")
    options = parser.parse_args()
    if options.newspaper:
        chosen = [json.loads(text) for text in GAME.levels.values()]
    else:
        puzzles = json.loads(Path(options.file).read_text(encoding="utf-8"))
        chosen = [puzzle for puzzle in puzzles if options.part in ("all", part_of(puzzle))]
    if not chosen:
        print(f"there are no puzzles of part {options.part} in {options.file}", file=sys.stderr)
        return 2
    absent = [reason for name in ALONE if (reason := missing(name)) is not None]
    for reason in absent:
        print(reason, file=sys.stderr)
    print(f"{HEAD}\n|{'---|' * 9}", flush=True)
    for sources, method in [*((run, "belief") for run in RUNS), (RUNS[-1], "cp-sat")]:
        if not any(missing(name) for name in sources.split(",")):
            print(tally(chosen, sources, method).row(sources, method), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
