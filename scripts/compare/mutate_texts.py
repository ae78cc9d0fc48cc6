"""Damage texts of every format that is read, and report every exception that is not one of our errors.

    python scripts/compare/mutate_texts.py [--texts 20000] [--first 0]

Formats and damages are those of `tests/support/mutated_texts.py`, by seed, so that each can be reproduced.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.mutated_texts import escapes, kinds


def main() -> int:
    """Damage and read texts; exit with 1 if a reader broke."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    formats, start = len(kinds()), perf_counter()
    seen: Counter[str] = Counter()
    rounds = -(-options.texts // formats)
    for seed in range(options.first, options.first + rounds):
        for kind, data, error in escapes(seed):
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{kind}: {type(error).__name__} in {Path(place.filename).name}:{place.lineno}"
            if not seen[where]:
                print(f"{where}: {str(error)[:200]}\n    seed {seed}: {data[:300]!r}", flush=True)
            seen[where] += 1
        if (seed - options.first) % 20 == 19:
            print(f"{(seed - options.first + 1) * formats:,} texts, {perf_counter() - start:.0f} s", flush=True)
    print(f"{rounds * formats:,} texts of {formats} formats, {sum(seen.values())} broke a reader")
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
