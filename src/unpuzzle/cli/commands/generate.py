"""unpuzzle generate PUZZLE."""

from __future__ import annotations

import os
from argparse import ArgumentError, ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping
from json import dumps
from math import inf
from time import perf_counter
from typing import Any, Self

from unpuzzle.cli.answer import BAD_INPUT, NO, OF_STATUS, YES, Answer, of_error
from unpuzzle.cli.commands.booklet import add_booklet_options, read_front, require_booklet, without_drawing, write_pages
from unpuzzle.cli.edge.delivery import ProgressLine
from unpuzzle.cli.files import level_text
from unpuzzle.cli.numbers import best_end, moves_between, seed, whole
from unpuzzle.cli.parser import Parser, add_limits, add_objective, flag, limits_of, operand, option
from unpuzzle.cli.requirements import requirements, things
from unpuzzle.cli.verdicts import limit_of
from unpuzzle.defaults import LEVELS as COUNT
from unpuzzle.errors import UsageError, WorkersFailed
from unpuzzle.files import Folders, save_all
from unpuzzle.found_files import require_places
from unpuzzle.levels.candidates import REASONS, GeneratedLevel
from unpuzzle.levels.generating import REPEATS, Generation, generate
from unpuzzle.limits import Limits
from unpuzzle.puzzle.amounts import cost_in_words, noun_of_pushes
from unpuzzle.puzzle.capabilities import options_of
from unpuzzle.puzzle.faults import require_attributes
from unpuzzle.puzzle.position import Game
from unpuzzle.rendering.booklet import BookletEntry, Front
from unpuzzle.result import GAVE_UP, MEMOUT, TIMEOUT
from unpuzzle.run import Run, current
from unpuzzle.spaces.space import COMPLETE
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
    with Run(limits_of(limits.parse_known_args(words)[0]), f"reading the game {name}"):
        puzzle = find(name)
    parser.set_defaults(chosen_game=puzzle)
    require_attributes(puzzle)
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
    left = current().limits
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


# The answer of `generate`: levels as text, as files and as JSON.
#
# As text, each level is a block: a heading that begins with `;`, then the level's own text; an empty line separates
# blocks. So they can be split again, whether the puzzle's text has comments or not. Levels of one line each are written
# without headings, one a line, like collections of sudokus.
#
# A folder that is filled at the end is claimed at the beginning, so that two runs never mix their files.

INDEX = "index.json"
CLAIM = '{"status": "running"}\n'


class Folder:
    """A new or empty folder to be filled at the end of a block; with `path` None, no folder at all.

    Entering the block claims the folder with an index that says that the run is in progress; leaving it gives up an
    unfilled claim. Raises UsageError for a folder that is not empty, OSError for one that cannot be made.
    """

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.folders: Folders = Folders(path or ".")
        self.claimed: bool = False

    def __enter__(self) -> Self:
        if self.path is not None:
            with self.folders:
                if os.listdir(self.path):
                    raise UsageError(f"the folder {self.path} is not empty; name a new one, or empty it")
                try:
                    save_all({self.file(INDEX): CLAIM}, new=True)
                except FileExistsError:
                    raise UsageError(f"another run has just begun to write into the folder {self.path}") from None
            self.claimed = True
        return self

    def file(self, name: str) -> str:
        assert self.path is not None
        return os.path.join(self.path, name)

    def fill(self, files: Mapping[str, str], index: str) -> None:
        """Write files by name, and the index last; all or none. Raises OSError."""
        texts = {self.file(name): text for name, text in files.items()} | {self.file(INDEX): index}
        require_places([*texts], self.path or os.curdir)  # which was empty once
        save_all(texts)
        self.claimed = False

    def __exit__(self, *raised: object) -> None:
        if self.claimed:
            try:
                os.unlink(self.file(INDEX))
            except OSError:
                return  # a claim that cannot be removed stays, marked as unfinished
            self.folders.remove()


def answer_for(
    generation: Generation, options: Namespace, folder: Folder, ending: tuple[int, str] | None = None, why: str = ""
) -> Answer:
    """Return the answer of `generate`; `ending` is the exit code and status if an error, `why`, ended the work."""
    code, status = (_code(generation), generation.status) if ending is None else ending
    fields = generation.to_dict() | {"status": status}
    width, game = max(3, len(str(len(generation.levels)))), generation.game.name
    # such as `boxup-001-14.txt`: names sort by difficulty and contain it
    suffix = generation.game.level_ending
    names = [f"{game}-{number:0{width}}-{level.cost}{suffix}" for number, level in enumerate(generation.levels, 1)]
    complaint = _summary(generation, options, status, why)
    if folder.path is not None:
        files = dict(zip(names, generation.levels, strict=True))
        for level, name in zip(fields["levels"], names, strict=True):
            level["file"] = name
        try:
            folder.fill({name: level.text for name, level in files.items()}, dumps(fields, indent=1) + "\n")
            lines = [f"{folder.file(name)}: {_difficulty(generation.game, level)}" for name, level in files.items()]
            return Answer(code, fields, "" if options.quiet else "\n".join(lines), complaint)
        except OSError as error:  # the levels are still written to stdout
            code, complaint = BAD_INPUT, f"unpuzzle: {error.filename or folder.path}: {error.strerror}"
    texts = [level.text for level in generation.levels]
    if all(text.count("\n") == 1 for text in texts):
        return Answer(code, fields, "".join(texts), complaint)
    if not options.quiet:
        texts = [
            f"; {n}: {_difficulty(generation.game, level)}\n{level.text}"
            for n, level in enumerate(generation.levels, 1)
        ]
    return Answer(code, fields, "\n".join(texts), complaint)


def _code(generation: Generation) -> int:
    # Complete without levels: all levels of a shape were judged, and none is as requested.
    return OF_STATUS.get(generation.status, YES if generation.levels else NO)


def needs(game: Game, level: GeneratedLevel) -> str:
    """Return what the best solution of a level needs, in the words of its game."""
    words = cost_in_words(game.parse(level.text), level.cost)
    return f"needs {words}" if words[0].isdigit() else words.replace("cost", "costs", 1)


def _difficulty(game: Game, level: GeneratedLevel) -> str:
    pushes = [] if not level.pushes else [count(level.pushes, *noun_of_pushes(game))]
    parts = [*([level.grade] if level.grade else []), f"optimal {level.cost}", *pushes]
    parts.append(f"{level.expanded:,} expanded")
    if level.optimal_plans is not None:
        parts.append(count(level.optimal_plans, "optimal solution"))
        if level.optimal_lines is not None and level.optimal_lines != level.optimal_plans:
            parts[-1] += f" ({count(level.optimal_lines, 'line')})"
    if level.dead_ends is not None:
        parts.append(count(level.dead_ends, "dead end") if level.dead_ends else "no dead ends")
    parts += [f"unsolvable without {thing}" for thing, _ in level.unsolvable_without]
    return ", ".join(parts)


def _summary(generation: Generation, options: Namespace, status: str, why: str) -> str:
    """Return a summary of the candidates; with --quiet only if there are fewer levels than requested."""
    if options.quiet and status == generation.status and _code(generation) == YES:
        return ""
    reasons = {
        COMPLETE: "",
        GAVE_UP: "gave_up: no more candidates are tried (see --candidates); ",
        MEMOUT: "memout: the memory limit, which the workers share, was reached; ",
        TIMEOUT: f"timeout: the {limit_of(TIMEOUT, options)} was reached; ",
    }
    reason = reasons.get(status, f"{status}: {why}; " if why else f"{status}: ")
    number = len(generation.levels)
    levels = f"{number:,} of {count(options.count or COUNT, 'level')}"
    if options.all or options.best is not None:
        levels = count(number, "level")
    rejected = {words: generation.rejected.get(name, 0) for name, words in REASONS.items()}
    others = {"duplicates": generation.duplicates, **rejected}
    rest = ", ".join(
        count(number, "duplicate") if name == "duplicates" else f"{number:,} {name}"
        for name, number in others.items()
        if number
    )
    rest = f" ({rest})" if rest else ""
    grades, hardest = Counter(level.grade for level in generation.levels), ""
    if any(grades):
        hardest = "; hardest step: " + ", ".join(f"{grade} {number:,}" for grade, number in grades.items())
    elif grades:
        hardest = f"; the hardest {needs(generation.game, generation.levels[-1])}"
    known = ""
    if options.best is not None and generation.repeats >= REPEATS:
        known = f"; ended early: of the last {count(generation.repeats, 'candidate')} none was new"
    return f"unpuzzle: {reason}{levels} from {count(generation.candidates, 'candidate')}{rest}{hardest}{known}"


def add_booklet(answer: Answer, generation: Generation, options: Namespace, front: Front | None) -> Answer:
    """Write the booklet of generated levels, if requested and there are levels; return the answer."""
    if options.booklet is None or front is None or not generation.levels:
        return answer
    entries = [
        BookletEntry(position, level.grade or cost_in_words(position, level.cost), level.moves)
        for level in generation.levels
        for position in [generation.game.parse(level.text)]
    ]
    write_pages(answer, entries, generation.game.title, front, options)
    return answer
