"""The command `unpuzzle generate PUZZLE`: generate levels of known difficulty."""

from __future__ import annotations

import os
from argparse import ArgumentError, ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping
from json import dumps
from math import inf
from time import perf_counter
from typing import Any, Self

from unpuzzle.base.defaults import LEVELS as COUNT
from unpuzzle.base.errors import UsageError, WorkersFailed
from unpuzzle.base.files import Folders, require_places, save_all
from unpuzzle.base.outcomes import BAD_INPUT, GAVE_UP, MEMOUT, NO, OF_STATUS, TIMEOUT, YES, of_error
from unpuzzle.base.platform_facts import usable_processors
from unpuzzle.base.run import Limits, Run, current
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.commands.pictures import Booklet, add_booklet_options, booklet_asked, without_drawing, write_pages
from unpuzzle.cli.files import levels_of
from unpuzzle.cli.parser import (
    Parser,
    add_limits,
    add_objective,
    best_end,
    chosen,
    flag,
    limits_of,
    moves_between,
    operand,
    option,
    seed,
    whole,
)
from unpuzzle.cli.refusals import PlayingGame
from unpuzzle.cli.requirements import requirements, things
from unpuzzle.cli.verdicts import limit_of
from unpuzzle.generation.candidates import REASONS, GeneratedLevel
from unpuzzle.generation.generating import REPEATS, Generation, generate
from unpuzzle.model.capabilities import options_of
from unpuzzle.model.faults import require_attributes
from unpuzzle.model.position import Game
from unpuzzle.model.replaying import cost_in_words, noun_of_pushes
from unpuzzle.rendering.paper import BookletEntry
from unpuzzle.state_space.space import COMPLETE
from unpuzzle.translators import FILES, find, installed, names
from unpuzzle.workspace.inputs import GameInput, RowsSoFar, Show

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
    option(parser, "--count N", "number of levels; default: 10; with --all: the N hardest", whole())
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
    option(parser, "--max-states N", "larger levels are skipped; default: 200,000 states", whole())
    add_limits(parser, workers="processes; default: one for each processor", processes=None)
    option(parser, "-o --output DIR", "a new or empty folder: a file for each level, and index.json")
    option(parser, "--booklet FILE", "a booklet to print, x.pdf: levels, and solutions at the back")
    add_booklet_options(parser)


def _is_value(parser: ArgumentParser, words: list[str], place: int) -> bool:
    """Return whether the word at `place` in a command line is the value of the option before this word."""
    action = parser._option_string_actions.get(words[place - 1]) if place else None
    return action is not None and action.nargs is None


def own_arguments(parser: ArgumentParser, words: list[str]) -> None:
    """Add the arguments of the puzzle that the words name, and move the name of the puzzle to the front."""
    places = [
        place for place, word in enumerate(words) if not (word.startswith("-") or _is_value(parser, words, place))
    ]
    operands = [words[place] for place in places]
    others = tuple(FILES)
    # A level may have any name, so the surest kind of word comes first: Python files, a game file in the first place,
    # bundled puzzles, installed ones, and only then any other operand.
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
                f"{puzzle.name} cannot have an option {own.name!r}: every puzzle has an option of this name"
            ) from None


class GenerateRequest(GameInput):
    """A request to generate levels."""

    own: Mapping[str, object]
    wishes: Mapping[str, Any]
    clock: float
    workers: int
    count: int | None = None
    every: bool = False
    best: float | None = None
    output: str | None = None
    booklet: Booklet | None = None

    def call(self, show: Show = None) -> GenerationOutcome:
        """Generate levels and write them to the folder; after an interruption, write the levels found so far."""
        with Folder(self.output) as folder:
            with RowsSoFar() as so_far:

                def report(part: Generation) -> None:
                    so_far.rows[:] = [part]
                    if show is not None:
                        show(_progress(part, self))

                limits = self._limits_of_a_worker()
                report(
                    generate(self.game, self.own, **self.wishes, limits=limits, workers=self.workers, progress=report)
                )
            outcome = GenerationOutcome(so_far.rows[0], self.output, so_far.ended_by)
            if isinstance(so_far.ended_by, WorkersFailed) and not outcome.generation.levels:
                raise so_far.ended_by
            return outcome if self.output is None else folder.filled(outcome)

    def _limits_of_a_worker(self) -> Limits:
        """Return the limits of each worker: an equal share of the memory and of the processor time."""
        left, share = current().limits, max(self.workers, 1)
        time = left.time if self.booklet is None else without_drawing(left.time)
        memory = None if left.memory is None else max(left.memory // share, 1)
        return Limits(time, memory, left.cpu and left.cpu / share)


class GenerationOutcome(Record):
    """The levels that were generated, and how the work ended.

    Attributes:
        folder: the folder for their files.
        ended_by: the error that ended the work early.
        unwritten: why the files could not be written.
    """

    generation: Generation
    folder: str | None = None
    ended_by: BaseException | None = None
    unwritten: str = ""

    @property
    def ending(self) -> tuple[int, str]:
        """The exit code and the status."""
        generation = self.generation
        if self.ended_by is not None and (ending := of_error(self.ended_by)):
            return ending
        # Complete without levels: all levels of a shape were judged, and none is as requested.
        return OF_STATUS.get(generation.status, YES if generation.levels else NO), generation.status

    @property
    def files(self) -> dict[str, GeneratedLevel]:
        """The levels by file name, such as `boxup-001-14.txt`, in the order of difficulty."""
        levels, game = self.generation.levels, self.generation.game
        width = max(3, len(str(len(levels))))
        return {
            f"{game.name}-{number:0{width}}-{level.cost}{game.level_ending}": level
            for number, level in enumerate(levels, 1)
        }

    def to_dict(self) -> dict[str, Any]:
        data = self.generation.to_dict() | {"status": self.ending[1]}
        for level, name in zip(data["levels"], self.files if self.folder is not None else (), strict=False):
            level["file"] = name
        return data


def read(options: Namespace) -> GenerateRequest:
    """Read the options for the levels to be generated."""
    booklet = booklet_asked(options)
    game: Game = options.chosen_game
    with PlayingGame(game):
        own = {name: vars(options)[name.replace("-", "_")] for name in options_of(game)}
        own = {name: _levels(game, value, options.puzzle) for name, value in own.items() if value is not None}
    wishes = chosen(options, "seed", "count", "objective", "unique", "no_dead_ends", "candidates", "scheduler")
    wishes |= _best(options)
    wishes |= {} if options.max_states is None else {"max_states": options.max_states}
    wishes |= {"require": requirements(options.require), "must_use": things(options.must_use)}
    wishes |= {"moves": moves_between(options.moves), "every": options.all}
    workers = usable_processors() if options.workers is None else options.workers
    return GenerateRequest.of(
        options, game=game, own=own, wishes=wishes, every=options.all, workers=workers, booklet=booklet
    )


def _levels(game: Game, value: object, puzzle: str) -> object:
    """Return the value of an option; in a list of levels, a bundled level becomes its name, any other level its text.

    Raises ParseError, with its place, for a level that cannot be read.
    """
    if not isinstance(value, list):
        return value
    named = levels_of(game, puzzle, value)
    for level in named:
        level.position(game)
    return tuple([level.name if game.levels.get(level.name) == level.text else level.text for level in named])


def _best(options: Namespace) -> dict[str, Any]:
    """Return the arguments for `--best`. Raises UsageError if another option already limits the search."""
    if options.best is None:
        return {}
    for name, given in (("all", options.all), ("candidates", options.candidates)):
        if given:
            raise UsageError(f"--best alone says how many candidates are tried, or for how long: leave out --{name}")
    return {"best": inf, "candidates": options.best} if isinstance(options.best, int) else {"best": options.best}


def present(request: GenerateRequest, outcome: GenerationOutcome, view: View) -> Answer:
    """Return the levels, and write the booklet if there are levels."""
    (code, _), made = outcome.ending, outcome.generation
    complaint = _summary(request, outcome, view.quiet)
    if outcome.unwritten:  # the levels are still written to stdout
        code, complaint = BAD_INPUT, f"unpuzzle: {outcome.unwritten}"
    answer = Answer(code, outcome, _text(outcome, view.quiet), complaint)
    if request.booklet is not None and made.levels:
        positions = [made.game.parse(level.text) for level in made.levels]
        entries = [
            BookletEntry(position, level.grade or cost_in_words(position, level.cost), level.moves)
            for position, level in zip(positions, made.levels, strict=True)
        ]
        write_pages(answer, entries, made.game.title, request.booklet)
    return answer


def _text(outcome: GenerationOutcome, quiet: bool) -> str:
    """Return the texts of the levels or, if they were written into a folder, the names of their files."""
    made = outcome.generation
    if outcome.folder is not None and not outcome.unwritten:
        files = {os.path.join(outcome.folder, name): level for name, level in outcome.files.items()}
        lines = [f"{path}: {_difficulty(made.game, level)}" for path, level in files.items()]
        return "" if quiet else "\n".join(lines)
    texts = [level.text for level in made.levels]
    if all(text.count("\n") == 1 for text in texts):
        return "".join(texts)
    if not quiet:
        heads = [f"; {number}: {_difficulty(made.game, level)}" for number, level in enumerate(made.levels, 1)]
        texts = [f"{head}\n{text}" for head, text in zip(heads, texts, strict=True)]
    return "\n".join(texts)


def _progress(generation: Generation, request: GenerateRequest) -> str:
    """Return a progress line: a bar (of wanted levels or, with --all, of candidates) and figures."""
    if request.best is not None:
        return _progress_of_best(generation, request.best, request.clock)
    number, tried, goal = len(generation.levels), generation.candidates, request.count or COUNT
    share = tried / max(generation.most, 1) if request.every else number / goal
    bar = ("#" * int(share * BAR)).ljust(BAR, ".")
    levels = count(number, "level") if request.every else f"{number:,} of {count(goal, 'level')}"
    level = max(generation.levels, key=lambda level: level.cost, default=None)
    hardest = "" if level is None else f", the hardest {needs(generation.game, level)}"
    return f"[{bar}] {levels}, {count(tried, 'candidate')}{hardest}"


def _progress_of_best(generation: Generation, best: float, clock: float) -> str:
    """Return a progress line: a bar (of time or of candidates), and the difficulty of the hardest level so far."""
    tried = generation.candidates
    if isinstance(best, int):
        share, whole_work = tried / best, ""
    else:
        past = min(perf_counter() - clock, best)
        share, whole_work = past / best, f"{past:.0f} of {best:g} s, "
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
    """A context manager for a new or empty folder that is filled at the end; without a `path` it does nothing.

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

    def filled(self, outcome: GenerationOutcome) -> GenerationOutcome:
        """Write all levels and then the index, or nothing; return the outcome, with the reason if this failed."""
        texts = {self.file(name): level.text for name, level in outcome.files.items()}
        texts[self.file(INDEX)] = dumps(outcome.to_dict(), indent=1) + "\n"
        try:
            require_places([*texts], self.path or os.curdir)  # which was empty once
            save_all(texts)
        except OSError as error:
            return outcome.replace(unwritten=f"{error.filename or self.path}: {error.strerror}")
        self.claimed = False
        return outcome

    def __exit__(self, *raised: object) -> None:
        if self.claimed:
            try:
                os.unlink(self.file(INDEX))
            except OSError:
                return  # a claim that cannot be removed stays, marked as unfinished
            self.folders.remove()


def needs(game: Game, level: GeneratedLevel) -> str:
    """Return the cost of the best solution of a level in words, such as `needs 12 moves`."""
    words = cost_in_words(game.parse(level.text), level.cost)
    return f"needs {words}" if words[0].isdigit() else words.replace("cost", "costs", 1)


def _difficulty(game: Game, level: GeneratedLevel) -> str:
    """Return the measures of a generated level in words."""
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


def _summary(request: GenerateRequest, outcome: GenerationOutcome, quiet: bool) -> str:
    """Return a summary of the candidates; with --quiet, it is empty if enough levels were found."""
    (code, status), generation = outcome.ending, outcome.generation
    if quiet and outcome.ended_by is None and code == YES:
        return ""
    why = "" if outcome.ended_by is None else str(outcome.ended_by)
    reasons = {
        COMPLETE: "",
        GAVE_UP: "gave_up: no more candidates are tried (see --candidates); ",
        MEMOUT: "memout: the memory limit, which the workers share, was reached; ",
        TIMEOUT: f"timeout: the {limit_of(TIMEOUT)} was reached; ",
    }
    reason = reasons.get(status, f"{status}: {why}; " if why else f"{status}: ")
    number = len(generation.levels)
    levels = f"{number:,} of {count(request.count or COUNT, 'level')}"
    if request.every or request.best is not None:
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
        hardest = f"; the hardest {needs(generation.game, generation.levels[-1])}"  # levels are sorted by difficulty
    known = ""
    if request.best is not None and generation.repeats >= REPEATS:
        known = f"; ended early: of the last {count(generation.repeats, 'candidate')} none was new"
    return f"unpuzzle: {reason}{levels} from {count(generation.candidates, 'candidate')}{rest}{hardest}{known}"
