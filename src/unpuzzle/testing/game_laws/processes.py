"""Laws about other processes: what is pickled comes back equal, and equal seeds give equal levels everywhere."""

from __future__ import annotations

import os
import pickle
import sys
from random import Random
from typing import Any

from unpuzzle.errors import UnpuzzleError
from unpuzzle.puzzle.capabilities import Generating, completed, generated, offered
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.testing.game_laws.subject import Subject, require, skip, wander

SEEDS = 20


def a_game_comes_back_from_a_pickle(subject: Subject) -> None:
    """As the same game, or as one that is the same in all one can see. Worker processes get it so."""
    game = subject.game
    again: Game = _pickled(game, f"the game {game.name}")
    if again == game:
        return
    same = (again.name, again.title, dict(again.levels)) == (game.name, game.title, dict(game.levels))
    require(same, "the game comes back from a pickle with another name, title or levels")
    for start in subject.starts[:10]:
        require(
            again.parse(str(start)) == start, f"the game that comes back from a pickle reads this otherwise:\n{start}"
        )


def a_position_comes_back_from_a_pickle(subject: Subject) -> None:
    """Equal, with the same moves."""

    def holds(position: Position) -> None:
        again: Position = _pickled(position, "a position")
        require(again == position, "a position comes back from a pickle as another one")
        require(hash(again) == hash(position), "a position comes back from a pickle with another hash")
        require(again.moves() == position.moves(), "a position comes back from a pickle with other moves")
        require(str(again) == str(position), "a position comes back from a pickle with another text")

    subject.everywhere(holds, examples=30)


def _pickled(thing: object, what: str) -> Any:
    __tracebackhide__ = True
    try:
        return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own
    except Exception as error:
        raise AssertionError(f"{what} cannot be pickled: {type(error).__name__}: {error}") from error


def levels_are_the_same_in_every_process(subject: Subject) -> None:
    """Whatever the seed of hashes, the folder and the language: samples, generated levels, moves, the domain."""
    import subprocess

    _pickled(subject.game, f"the game {subject.game.name}")
    seeds = range(subject.some(SEEDS))
    expected = seen(subject.game, seeds)
    for hash_seed in "12"[: subject.some(2)]:
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "LC_ALL": "C", "PYTHONPATH": ""}
        payload = pickle.dumps((sys.path, os.getcwd()))
        run = subprocess.run(  # noqa: S603 - this Python, our own program
            [sys.executable, "-c", _CHILD],
            input=payload + pickle.dumps((subject.game, seeds)),
            env=environment,
            cwd=os.path.dirname(sys.executable),
            capture_output=True,
            check=False,
        )
        if run.returncode:
            last = run.stderr.decode(errors="replace").strip().splitlines()[-1:]
            if last and "ModuleNotFoundError" in last[0]:
                skip(f"other processes cannot import the module of {subject.game.name}: {last[0]}")
            raise AssertionError(f"in another process: {' '.join(last)}")
        there = pickle.loads(run.stdout)  # noqa: S301 - our own
    for what, texts in expected.items():
        for here, other in zip(texts, there[what], strict=True):
            require(here == other, f"{what} differ from process to process: here\n{here}\nthere\n{other}")


_CHILD = """
import os, pickle, sys
sys.path[:], folder = pickle.load(sys.stdin.buffer)
sys.path[:] = [os.path.join(folder, entry) for entry in sys.path]
game, seeds = pickle.load(sys.stdin.buffer)
from unpuzzle.testing.game_laws.processes import seen
sys.stdout.buffer.write(pickle.dumps(seen(game, seeds)))
"""


def seen(game: Game, seeds: range) -> dict[str, list[str]]:
    """Return texts that must be the same in every process."""
    samples = [game.sample(Random(seed)) for seed in seeds]
    found = {
        "samples": [str(sample) for sample in samples],
        "moves": [" ".join(p.moves()) for sample in samples for p in wander(sample, Random(1), 5)],
        "canonical positions": [str(sample.canonical()) for sample in samples[:5]],
    }
    if offered(game, Generating) is not None:
        values = completed(game, {})
        found["generated levels"] = [str(generated(game, Random(seed), values)) for seed in seeds]
    try:
        from unpuzzle.pddl.writer import write

        found["tasks"] = [text for sample in samples[::4] for text in write(sample.task())]
    except UnpuzzleError as error:
        found["tasks"] = [str(error)]
    return found


LAWS = (a_game_comes_back_from_a_pickle, a_position_comes_back_from_a_pickle, levels_are_the_same_in_every_process)
