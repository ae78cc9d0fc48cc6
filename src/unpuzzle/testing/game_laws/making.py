"""Laws about the levels that a game samples, generates or lists, the options for levels, and reproducibility.

Pickled objects come back equal, and equal seeds give equal levels everywhere.
"""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterable
from itertools import islice, product
from random import Random
from typing import Any

from unpuzzle.base.errors import ParseError, UnpuzzleError
from unpuzzle.base.text import words_of
from unpuzzle.model.capabilities import Generating, completed, generated, offered, options_of
from unpuzzle.model.position import Game, Position, wander
from unpuzzle.pddl.writer import write
from unpuzzle.testing.game_laws.subject import LawSubject, everywhere, needs, require, skip, where

LEVELS = 40
OF_EACH_KIND = 4
LISTED = 200
SEEDS = 20


@where(lambda game, _: options_of(game), "has no options")
def options_say_what_they_are(subject: LawSubject) -> None:
    """Require that each option has its name, a one-line description, and a default that can be written and read."""
    for name, option in options_of(subject.game).items():
        require(re.fullmatch("[a-z][a-z0-9_-]*", name), f"the option {name!r} cannot be written as --{name}")
        require(
            option.about.strip() and option.wanted.strip(), f"option {name!r} has no description (`about` or `wanted`)"
        )
        again = option.value(option.show(option.default))
        require(again == option.default, f"the default {option.default!r} of option {name!r} is read as {again!r}")
        for seed in range(10):
            small = option.small(Random(seed))
            require(option.fits(small), f"option {name!r} has {small!r} as a small value, which does not fit it")


@needs(Generating, "does not generate levels")
def generated_levels_are_levels(subject: LawSubject) -> None:
    """Require that generated levels belong to the game, can be written and read, and are equal for equal seeds."""
    default, options = completed(subject.game, {}), options_of(subject.game).items()
    seeds = range(subject.some(20) if options else 0)
    wishes = [default, *({name: option.small(Random(seed)) for name, option in options} for seed in seeds)]
    for values, seed in product(wishes, range(OF_EACH_KIND)):
        try:
            level = generated(subject.game, Random(seed), values)
        except ParseError as error:  # the values do not go together; the defaults must
            require(values != default, f"generate() refuses the defaults of its options: {error}")
            continue
        require(level.game == subject.game, f"generate() gave a position of another game, with {values}")
        _require_text(subject, level, "generated")
        again = generated(subject.game, Random(seed), values)
        require(again == level, f"generate(Random({seed}), {values}) gives different levels")


def _require_text(subject: LawSubject, level: Position, kind: str) -> None:
    again = subject.game.parse(str(level))
    require(again == level, f"parse(str(position)) is another position for the {kind} level\n{level}")


@needs(Generating, "does not generate levels")
def generated_levels_vary(subject: LawSubject) -> None:
    """Require that generated levels differ, unless only one level with these options exists."""
    values = completed(subject.game, {})
    first = generated(subject.game, Random(0), values)
    if any(generated(subject.game, Random(seed), values) != first for seed in range(1, LEVELS)):
        return
    listed = _every(subject.game)
    fine = listed is not None and len(set(islice(listed, 10))) == 1
    require(fine, f"{LEVELS} generated levels are all the same:\n{first}")


@where(lambda game, _: _every(game) is not None, "does not list its levels")
def every_level_of_a_shape_comes_in_a_fixed_order(subject: LawSubject) -> None:
    """Require that `every` lists each level once, in a fixed order, and that the levels can be written and read."""
    levels, again = (list(islice(_every(subject.game) or (), LISTED)) for _ in range(2))
    require(levels == again, "every() gives the levels in another order when it is called again")
    require(len(set(levels)) == len(levels), "every() gives a level twice")
    for level in levels:
        require(level.game == subject.game, "every() gave a position of another game")
        _require_text(subject, level, "listed")


def _every(game: Game) -> Iterable[Position] | None:
    """Return the levels that `every` lists for the default options; None if the game does not list its levels."""
    generating = offered(game, Generating)
    return generating.every(completed(game, {})) if generating else None


def a_game_comes_back_from_a_pickle(subject: LawSubject) -> None:
    """Require that a game stays equal, or keeps its name, title and levels, when it is pickled."""
    game = subject.game
    again: Game = _pickled(game, f"the game {game.name}")
    if again == game:
        return
    same = (again.name, again.title, dict(again.levels)) == (game.name, game.title, dict(game.levels))
    require(same, "a pickled game has another name, title or other levels")
    for start in subject.starts[:10]:
        alike = again.parse(str(start)) == start
        require(alike, f"a pickled game reads this level differently:\n{start}")


@everywhere(examples=30)
def a_position_comes_back_from_a_pickle(_: LawSubject, position: Position) -> None:
    """Require that a position stays equal, and keeps its moves, when it is pickled."""
    again: Position = _pickled(position, "a position")
    require(again == position, "a pickled position differs from the original")
    require(hash(again) == hash(position), "a pickled position has another hash")
    require(again.moves() == position.moves(), "a pickled position has other moves")
    require(str(again) == str(position), "a pickled position has another text")


def _pickled(thing: object, what: str) -> Any:
    __tracebackhide__ = True
    try:
        return pickle.loads(pickle.dumps(thing))  # noqa: S301 - our own
    except Exception as error:
        raise AssertionError(f"{what} cannot be pickled: {words_of(error)}") from error


def levels_are_the_same_in_every_process(subject: LawSubject) -> None:
    """Require that levels, moves and tasks do not depend on the process: its hash seed, folder or language."""
    _pickled(subject.game, f"the game {subject.game.name}")
    seeds = range(subject.some(SEEDS))
    expected = _texts(subject.game, seeds)
    for hash_seed in "12"[: subject.some(2)]:
        for what, texts in _texts_elsewhere(subject.game, seeds, hash_seed).items():
            for here, there in zip(expected[what], texts, strict=True):
                require(here == there, f"{what} differ from process to process: here\n{here}\nthere\n{there}")


_CHILD = """
import os, pickle, sys
sys.path[:], folder = pickle.load(sys.stdin.buffer)
sys.path[:] = [os.path.join(folder, entry) for entry in sys.path]
game, seeds = pickle.load(sys.stdin.buffer)
from unpuzzle.testing.game_laws.making import _texts
sys.stdout.buffer.write(pickle.dumps(_texts(game, seeds)))
"""


def _texts_elsewhere(game: Game, seeds: range, hash_seed: str) -> dict[str, list[str]]:
    """Return the texts of a game made in another process with another hash seed, folder and language."""
    run = subprocess.run(  # noqa: S603 - this Python, our own program
        [sys.executable, "-c", _CHILD],
        input=pickle.dumps((sys.path, os.getcwd())) + pickle.dumps((game, seeds)),
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "LC_ALL": "C", "PYTHONPATH": ""},
        cwd=os.path.dirname(sys.executable),
        capture_output=True,
        check=False,
    )
    if run.returncode:
        last = run.stderr.decode(errors="replace").strip().splitlines()[-1:]
        if last and "ModuleNotFoundError" in last[0]:
            skip(f"other processes cannot import the module of {game.name}: {last[0]}")
        raise AssertionError(f"levels and moves could not be made in another process: {' '.join(last)}")
    texts: dict[str, list[str]] = pickle.loads(run.stdout)  # noqa: S301 - our own
    return texts


def _texts(game: Game, seeds: range) -> dict[str, list[str]]:
    """Return texts of a game (levels, moves and tasks) that must be equal in every process."""
    samples = [game.sample(Random(seed)) for seed in seeds]
    texts = {
        "samples": [str(sample) for sample in samples],
        "moves": [" ".join(p.moves()) for sample in samples for p in wander(sample, Random(1), 5)],
        "canonical positions": [str(sample.canonical()) for sample in samples[:5]],
    }
    if offered(game, Generating) is not None:
        values = completed(game, {})
        texts["generated levels"] = [str(generated(game, Random(seed), values)) for seed in seeds]
    try:
        texts["tasks"] = [text for sample in samples[::4] for text in write(sample.task())]
    except UnpuzzleError as error:
        texts["tasks"] = [str(error)]
    return texts
