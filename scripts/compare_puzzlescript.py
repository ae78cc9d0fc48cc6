"""Compiles every game of the data and prints those whose numbers are not the reference's, with the seconds taken.

python scripts/compare_puzzlescript.py
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.puzzlescript_data import compiled_games, lines_of
from unpuzzle.translators._puzzlescript.compiling import compile_game


def main() -> int:
    """The number of games that differ."""
    different, longest = 0, (0.0, "")
    for name, text, wanted in compiled_games():
        start = process_time()
        game = compile_game(text)
        longest = max(longest, (process_time() - start, name))
        found = list(lines_of(game))
        if found != wanted:
            different += 1
            at = next((i for i, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]), 0)
            print(f"{name}: line {at} is {found[at]!r}, not {wanted[at]!r}")
    print(f"{different} games differ; the longest took {longest[0]:.2f} s: {longest[1]}")
    return different


if __name__ == "__main__":
    sys.exit(main() > 0)
