"""Compare PuzzleScript here with the reference on all games of `$UNPUZZLE_DATA/puzzlescript`, and print differences.

python scripts/compare/compare_puzzlescript.py [compiled] [recorded] [random] [--engine NAME]
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.puzzlescript_data import compiled_games, difference, lines_of, plays, recorded_difference
from unpuzzle.puzzlescript.compiling.compiler import compile_game


def compare_compiled() -> int:
    """Return the number of games whose compiled numbers differ."""
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
    print(f"compiled: {different} games differ; the longest took {longest[0]:.2f} s: {longest[1]}")
    return different


def compare_plays(kind: str, engine: str) -> int:
    """Return the number of plays that differ."""
    file, judge = {"recorded": ("plays", recorded_difference), "random": ("random-plays", difference)}[kind]
    different, inputs, start = 0, 0, process_time()
    for play in plays(file):
        inputs += len(play["inputs"])
        if (found := judge(play, engine)) is not None:
            different += 1
            print(f"{play['name']}, level {play['level']}: {found}")
    seconds = process_time() - start
    print(f"{kind}: {different} of {len(plays(file))} plays differ; {inputs} inputs in {seconds:.1f} s")
    return different


def main(words: list[str]) -> int:
    """Return the number of all differences."""
    engine = words[words.index("--engine") + 1] if "--engine" in words else "python"
    kinds = [kind for kind in ("compiled", "recorded", "random") if kind in words] or ["compiled", "recorded", "random"]
    return sum(compare_compiled() if kind == "compiled" else compare_plays(kind, engine) for kind in kinds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
