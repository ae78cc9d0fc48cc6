"""Play random games and careless texts on our engines and in the reference engine, and print the differences.

python scripts/compare/fuzz_puzzlescript.py FOLDER [--games N] [--slips N] [--texts N] [--seed N] [--save FOLDER] [--record]

FOLDER contains the reference engine with its `trace.js`, which node runs. Slips are made in the games of
`$UNPUZZLE_DATA/puzzlescript` and in random ones. If the reference reports an error there, ours must only not break.
Texts are small games with a slip of a known kind: our engines refuse or play them as the reference does, and if it
reports an error or a warning, lint must report a fault. `--save` saves the games that differ, `--record` the results of
the reference for our own small games, for the tests.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.careless_texts import careless_text, slipped
from support.limited import Called
from support.puzzlescript_data import plays
from support.random_scripts import random_inputs, random_script
from support.reference_plays import RECORDED, TEXTS, judge_text, our_play, outcome_differs, record, recorded_plays
from unpuzzle.base.errors import ParseError
from unpuzzle.puzzlescript.files import faults_of
from unpuzzle.puzzlescript.game import game_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unpuzzle.puzzlescript.game import ScriptGame

DRIVER = Path(__file__).with_name("play_in_reference.js")
BATCH, INPUTS, TEXT_INPUTS = 50, 60, 24
RECORDED_GAMES, RECORDED_TEXTS, QUICK_TICKS = 40, 400, 4_000
MOST_TICKS = 300_000
"""The largest number of steps of a play here; the reference gives up after a time."""
MOST_TEXT, MOST_CELLS = 12_000, 150

Play = dict[str, Any]


class TooLongError(Exception):
    """A play takes too many steps."""


def random_games(seed: int, number: int) -> Iterator[Play]:
    """Random games, each with a level and inputs."""
    for index in range(number):
        rng = Random(f"{seed} game {index}")
        yield _game(f"game {index}", random_script(rng), None, rng)


def slipped_games(seed: int, number: int) -> Iterator[Play]:
    """Games of the data with slips."""
    texts = sorted({play["text"] for play in plays() if len(play["text"]) <= MOST_TEXT})
    for index in range(number):
        rng = Random(f"{seed} slip {index}")
        text = rng.choice(texts) if rng.random() < 0.8 else random_script(rng)
        level = _small_level(text, rng)
        yield _game(f"slip {index}", slipped(rng, text)[0], level, rng)


def careless_games(seed: int, number: int) -> Iterator[Play]:
    """Small games with slips, and the kinds of these."""
    for index in range(number):
        rng = Random(f"{seed} text {index}")
        text, kinds = careless_text(rng)
        game = _game(f"text {index} ({', '.join(kinds)})", text, None, rng)
        yield {**game, "inputs": game["inputs"][:TEXT_INPUTS]}


def _game(name: str, text: str, level: int | None, rng: Random) -> Play:
    first = int(text.rpartition("LEVELS")[2].lstrip().startswith("message"))
    number = first if level is None else level
    return {"name": name, "text": text, "level": number, "inputs": random_inputs(rng, INPUTS), "seed": "1"}


def _small_level(text: str, rng: Random) -> int | None:
    try:
        levels = game_of(text, "before").compiled.levels
    except ParseError:
        return None
    small = [number for number, level in enumerate(levels) if 0 < level.width * level.height <= MOST_CELLS]
    return rng.choice(small) if small else None


def answers(games: list[Play], folder: str) -> list[Play]:
    """Return the results of the reference for games."""
    lines = "".join(
        json.dumps({key: game[key] for key in ("text", "level", "inputs", "seed")}) + "\n" for game in games
    )
    node = subprocess.run(["node", str(DRIVER), folder], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in node.stdout.splitlines()]


def _counting(most: int = MOST_TICKS) -> Callable[[], None]:
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if ticks > most:
            raise TooLongError

    return tick


def judge(game: Play, wanted: Play) -> tuple[str, str]:
    """Return a word for the result of a game, and the difference, if any."""
    errors = wanted["errors"]
    try:
        ours = game_of(game["text"], game["name"])
    except ParseError as error:
        if wanted["failure"] is not None:
            return "too long or broken in the reference", ""
        if errors == 0:
            return "different", f"refused: {error}"
        return "refused by both" if wanted["start"] is None else "errors in the reference: refused here", ""
    if errors is None or wanted["failure"] is not None:
        return "too long or broken in the reference", ""
    if errors:
        word = "no game" if wanted["start"] is None else _judge_plays(ours, game, wanted)[0]
        return f"errors in the reference: {word}", ""
    told = [fault.message for fault in faults_of(game["text"]).errors()]
    if told and not (len(told) == 1 and "the game has no level" in told[0]):
        return "different", f"an error of ours: {told[0]}"
    return _judge_plays(ours, game, wanted)


def _judge_plays(ours: ScriptGame, game: Play, wanted: Play) -> tuple[str, str]:
    levels = ours.compiled.levels
    if game["level"] >= len(levels) or not levels[game["level"]].width:
        return "no such level", ""
    for engine in ("python", "native"):
        try:
            with Called(_counting()):
                found = our_play(ours, game, engine)
        except TooLongError:
            return "too long here", ""
        if (what := outcome_differs(found, wanted)) is not None:
            return "different", f"{engine}: {what}"
    return "the same", ""


def judge_careless(game: Play, wanted: Play) -> tuple[str, str]:
    """Return a word for the result of a text, and the difference, if any."""
    if wanted["failure"] is not None:
        return "too long or broken in the reference", ""
    try:
        with Called(_counting(2 * MOST_TICKS)):
            return judge_text(game["text"], {**game, **wanted})
    except TooLongError:
        return "too long here", ""


def record_some(folder: str) -> None:
    """Record the results of the reference for careless games, and for some random ones, for the tests."""
    slips = [play for play in recorded_plays() if not play["name"].startswith(("game ", "slip "))]
    kept = ("name", "text", "level", "inputs", "seed")
    games = [{key: play[key] for key in kept} for play in slips]
    for index in range(RECORDED_GAMES):
        rng = Random(f"recorded {index}")
        text = random_script(rng)
        games += [_game(f"game {index}", text, None, rng), _game(f"slip {index}", slipped(rng, text)[0], None, rng)]
    told = [{**game, **answer} for game, answer in zip(games, answers(games, folder), strict=True)]
    record([play for play in told if play["failure"] is None and (play["errors"] or _is_quick(play))], RECORDED)
    texts = list(careless_games(0, RECORDED_TEXTS))
    told = [{**text, **answer} for text, answer in zip(texts, answers(texts, folder), strict=True)]
    record([play for play in told if play["failure"] is None], TEXTS)


def _is_quick(play: Play) -> bool:
    """Return whether a play takes few steps, so that the tests are fast."""
    game = game_of(play["text"], play["name"])
    if play["level"] >= len(game.compiled.levels) or not game.compiled.levels[play["level"]].width:
        return True
    try:
        with Called(_counting(QUICK_TICKS)):
            return bool(our_play(game, play, "python"))
    except TooLongError:
        return False


def main(words: list[str]) -> int:
    """Return the number of differences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--slips", type=int, default=2000)
    parser.add_argument("--texts", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args(words)
    if options.record:
        record_some(options.folder)
    different = 0
    for kind, games, judged in (
        ("random games", random_games(options.seed, options.games), judge),
        ("games with slips", slipped_games(options.seed, options.slips), judge),
        ("careless texts", careless_games(options.seed, options.texts), judge_careless),
    ):
        counts: Counter[str] = Counter()
        queue = list(games)
        for first in range(0, len(queue), BATCH):
            batch = queue[first : first + BATCH]
            for game, wanted in zip(batch, answers(batch, options.folder), strict=True):
                word, told = judged(game, wanted)
                counts[word] += 1
                if told:
                    different += 1
                    print(f"{game['name']}: {told}", flush=True)
                    if options.save:
                        options.save.mkdir(parents=True, exist_ok=True)
                        (options.save / f"{game['name'].replace(' ', '-')}.txt").write_text(game["text"])
        print(f"{kind}: {dict(counts)}", flush=True)
    return different


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
