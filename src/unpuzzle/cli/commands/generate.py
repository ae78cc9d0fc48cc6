"""unpuzzle generate PUZZLE."""

from __future__ import annotations

import re
from argparse import ArgumentError, ArgumentParser, Namespace
from math import inf
from time import perf_counter
from typing import Any

from unpuzzle.cli.answer import Answer, of_error
from unpuzzle.cli.commands.booklet import add_booklet_options, read_front, require_booklet, without_drawing
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import level_text
from unpuzzle.cli.level_list import Folder, add_booklet, answer_for, needs
from unpuzzle.cli.numbers import best_end, seed, whole
from unpuzzle.cli.parser import Parser, add_limits, add_objective, flag, limits_left, limits_of, operand, option
from unpuzzle.cli.requirements import requirements, things
from unpuzzle.defaults import LEVELS as COUNT
from unpuzzle.errors import UsageError, WorkersFailed
from unpuzzle.levels.generating import Generation, generate
from unpuzzle.limits import Deadline, Limits
from unpuzzle.puzzle.capabilities import options_of
from unpuzzle.puzzle.faults import broken_game
from unpuzzle.puzzle.position import Game
from unpuzzle.system import usable_processors
from unpuzzle.translators import FILES, find, installed, names
from unpuzzle.words import count

EXAMPLE = """unpuzzle generate boxup --size 3x4 --walls 2 --moves 15..30 --count 5 --seed 7 --unique
  unpuzzle generate sokoban --moves 6.. --objective pushes,moves --count 3
  unpuzzle generate sokoban --count 3 --require unique traps=2.. detours=1.."""
REQUIRE = """what else levels must be, as for `survey`: unique, no-dead-ends, or bounds on a figure, such as traps=2..
or lost=..0.5, separated by blanks or commas; `unpuzzle survey --help` explains the figures"""
MUST_USE = """what each solution has to use: only levels that are proved to be unsolvable without it; `rule 31` or
`object lever` of a game that is written as rules, `box r3c4` of Sokoban, `action unstack` or `object b` of PDDL"""
BAR = 20


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "PUZZLE", "`unpuzzle generate PUZZLE --help` shows its own options, too")
    option(parser, "--seed S", "equal seeds give equal levels; default: 0", seed, default=0)
    option(parser, "--count N", "how many; default: 10; with --all: the N hardest", whole())
    about = "cost of an optimal solution, or its pushes if --objective has these first; default: 1.."
    option(parser, "--moves MIN..MAX", about, default="1..")
    add_objective(parser)
    about = "only levels with one optimal line: walking and the order of independent changes do not count; in "
    flag(parser, "--unique", about + "puzzles of constraints: only levels with one solution")
    flag(parser, "--no-dead-ends", "only levels in which one cannot get stuck")
    option(parser, "--require WHAT", REQUIRE, nargs="+", action="extend", default=[])
    option(parser, "--must-use THING", MUST_USE, nargs="+", action="extend", default=[])
    flag(parser, "--all", "every level of this shape, instead of random ones")
    about = "the hardest levels found in a time, such as 60s or 5m, or among some candidates, such as 2000; --count "
    option(parser, "--best WHEN", about + "says how many levels, by default 1", best_end)
    option(
        parser, "--candidates N", "candidates to try before giving up; default: 10,000, and 100 for each level", whole()
    )
    option(parser, "--max-states N", "larger levels are passed over; default: 200,000 states", whole())
    add_limits(parser, workers="processes; default: one for each processor", processes=None)
    option(parser, "-o --output DIR", "a new or empty folder: a file for each level, and index.json")
    option(parser, "--booklet FILE", "a booklet to print, x.pdf: levels, and solutions at the back")
    add_booklet_options(parser)


def _is_value(parser: ArgumentParser, words: list[str], place: int) -> bool:
    """Return whether a word is the value of the option before it."""
    action = parser._option_string_actions.get(words[place - 1]) if place else None
    return action is not None and action.nargs is None


def own_arguments(parser: ArgumentParser, words: list[str]) -> None:
    """Add the arguments of the puzzle that the words name, and move its name to the front."""
    places = [
        place for place, word in enumerate(words) if not (word.startswith("-") or _is_value(parser, words, place))
    ]
    operands = [words[place] for place in places]
    others = tuple(FILES)
    candidates = [word for word in operands if word.endswith(".py")]
    candidates += [word for word in operands[:1] if word.endswith(others)]
    candidates += [word for word in operands if word in names()] or [word for word in operands if word in installed()]
    candidates += [*[word for word in operands if word.endswith(others)], *operands]
    if not candidates:
        return
    name = candidates[0]
    limits = Parser(add_help=False, allow_abbrev=False)
    add_limits(limits)
    puzzle = find(name, Deadline(limits_of(limits.parse_known_args(words)[0]), f"reading the game {name}"))
    parser.set_defaults(chosen_game=puzzle)
    if fault := broken_game(puzzle):
        raise fault
    group = parser.add_argument_group(f"options of {puzzle.name}")
    # To the front: `--from 0 GAME.txt` must not take the game for another level.
    del words[next(place for place in places if words[place] == name)]
    words.insert(0, name)
    for own in options_of(puzzle).values():
        about = f"{own.about}: {own.wanted}; default: {own.show(own.default)}".replace("%", "%%")
        how: dict[str, Any] = {"action": "extend", "nargs": "+"} if own.several else {}
        try:
            group.add_argument(f"--{own.name}", metavar=own.name.upper(), help=about, **how)
        except ArgumentError:
            raise UsageError(
                f"{puzzle.name} cannot have an option {own.name!r}: every puzzle has one of that name"
            ) from None


def execute(options: Namespace) -> Answer:
    """Generate levels; those found before an interruption are kept."""
    require_booklet(options)
    front = None if options.booklet is None else read_front(options)
    puzzle: Game = options.chosen_game
    own = {name: getattr(options, name.replace("-", "_")) for name in options_of(puzzle)}
    own = {name: _levels(puzzle, value, options) for name, value in own.items() if value is not None}
    generation: Generation | None = None
    ending, why = None, ""
    with Folder(options.output) as folder:
        try:
            with ProgressLine(options) as show:

                def tell(part: Generation) -> None:
                    nonlocal generation
                    generation = part
                    if show is not None:
                        show(_progress(part, options))

                generation = generate(puzzle, own, **_wishes(options), progress=tell)
        except (KeyboardInterrupt, WorkersFailed) as error:
            ending, why = of_error(error), str(error)
            if generation is None or not (generation.levels or isinstance(error, KeyboardInterrupt)):
                raise
        return add_booklet(answer_for(generation, options, folder, ending, why), generation, options, front)


def _levels(puzzle: Game, value: object, options: Namespace) -> object:
    """Return the value of an option; a list of levels as names of bundled ones and texts of others."""
    if not isinstance(value, list):
        return value
    texts = {word: level_text(puzzle, options.puzzle, word)[0] for word in value}
    return tuple([word if puzzle.levels.get(word) == texts[word] else texts[word] for word in value])


def _wishes(options: Namespace) -> dict[str, Any]:
    """Return the arguments of `generate` that all puzzles have."""
    workers = options.workers
    if workers is None:
        workers = usable_processors()
    left = limits_left(options)
    share = max(workers, 1)  # workers have equal shares of memory and processor time
    own_memory = None if left.memory is None else max(left.memory // share, 1)
    time = left.time if options.booklet is None else without_drawing(left.time)
    names = ("seed", "count", "objective", "unique", "no_dead_ends", "candidates", "scheduler")
    wishes = {name: getattr(options, name) for name in names}
    wishes |= {} if options.max_states is None else {"max_states": options.max_states}
    limits = Limits(time, own_memory, left.cpu and left.cpu / share)
    wishes |= {"require": requirements(options.require), "must_use": things(options.must_use)}
    wishes |= _best(options)
    return {**wishes, "moves": moves_between(options.moves), "every": options.all, "limits": limits, "workers": workers}


def _best(options: Namespace) -> dict[str, Any]:
    """Return the arguments of `--best`. Raises UsageError if other options also set an end."""
    if options.best is None:
        return {}
    for name in ("all", "candidates"):
        if getattr(options, name):
            raise UsageError(f"--best says how many candidates are tried, or how long: leave out --{name}")
    if isinstance(options.best, int):
        return {"best": inf, "candidates": options.best}
    return {"best": options.best}


def moves_between(text: str) -> tuple[int | None, int | None]:
    """Return the bounds in `5..9`, `5..`, `..9` or `5`."""
    least, dots, most = text.partition("..")
    bounds = (least, most) if dots else (text, text)
    if not any(bounds) or not all(re.fullmatch("[0-9]{0,9}", bound) for bound in bounds):
        raise UsageError(f"--moves must be MIN..MAX, MIN.., ..MAX or a number, such as 10..20, not '{text[:40]}'")
    first, last = (int(bound) if bound else None for bound in bounds)
    return first, last


def _progress(generation: Generation, options: Namespace) -> str:
    """Return one line with a bar (of the levels wanted or, with --all, of the candidates) and figures."""
    if options.best is not None:
        return _progress_of_best(generation, options)
    number, tried, goal = len(generation.levels), generation.candidates, options.count or COUNT
    share = tried / max(generation.most, 1) if options.all else number / goal
    bar = ("#" * int(share * BAR)).ljust(BAR, ".")
    levels = count(number, "level") if options.all else f"{number:,} of {count(goal, 'level')}"
    level = max(generation.levels, key=lambda level: level.cost, default=None)
    hardest = "" if level is None else f", the hardest {needs(generation.game, level)}"
    return f"[{bar}] {levels}, {count(tried, 'candidate')}{hardest}"


def _progress_of_best(generation: Generation, options: Namespace) -> str:
    """Return one line with a bar (of the time or of the candidates) and the difficulty of the hardest level."""
    tried = generation.candidates
    if isinstance(options.best, int):
        share, whole_work = tried / options.best, ""
    else:
        past = min(perf_counter() - options.clock, options.best)
        share, whole_work = past / options.best, f"{past:.0f} of {options.best:g} s, "
    bar = ("#" * int(share * BAR)).ljust(BAR, ".")
    hardest = generation.levels[-1] if generation.levels else None
    figures = ""
    if hardest is not None:
        figures = f", the hardest {f'needs {hardest.grade}' if hardest.grade else needs(generation.game, hardest)}"
    return f"[{bar}] {whole_work}{count(tried, 'candidate')}{figures}"
