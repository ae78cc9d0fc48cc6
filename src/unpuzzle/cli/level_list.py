"""The answer of `generate`: levels as text, as files and as JSON.

As text, each level is a block: a heading that begins with `;`, then the level's own text; an empty line separates
blocks. So they can be split again, whether the puzzle's text has comments or not. Levels of one line each are written
without headings, one a line, like collections of sudokus.

A folder that is filled at the end is claimed at the beginning, so that two runs never mix their files.
"""

from __future__ import annotations

import os
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping
from json import dumps
from typing import Self

from unpuzzle.cli.answer import BAD_INPUT, NO, OF_STATUS, YES, Answer
from unpuzzle.cli.commands.booklet import write_pages
from unpuzzle.cli.verdicts import limit_of
from unpuzzle.defaults import LEVELS as COUNT
from unpuzzle.errors import UsageError
from unpuzzle.files import Folders, save_all
from unpuzzle.found_files import require_places
from unpuzzle.levels.candidates import REASONS, GeneratedLevel
from unpuzzle.levels.generating import REPEATS, Generation
from unpuzzle.puzzle.amounts import cost_in_words, noun_of_pushes
from unpuzzle.puzzle.position import Game
from unpuzzle.rendering.booklet import BookletEntry, Front
from unpuzzle.result import GAVE_UP, MEMOUT, TIMEOUT
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.words import count

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
