"""Levels as text, as files and as JSON: what `generate` answers with.

As text each level is a block: a heading that begins with `;`, then the level's own text; blocks are separated by an
empty line. So they can be split again, whether the puzzle's text has comments or not. Levels of one line each are told
without headings, one a line, as collections of sudokus are.
"""

from __future__ import annotations

from unpuzzle.cli import exits
from unpuzzle.cli.answer import Answer
from unpuzzle.levels.candidates import REASONS
from unpuzzle.levels.generating import COMPLETE, COUNT
from unpuzzle.puzzle.capabilities import options_of
from unpuzzle.result import GAVE_UP, MEMOUT, TIMEOUT
from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from unpuzzle.cli.edge.folders import Folder
    from unpuzzle.levels.candidates import Level
    from unpuzzle.levels.generating import Generation


def answer_for(
    found: Generation, options: Namespace, folder: Folder, ended: tuple[int, str] | None = None, why: str = ""
) -> Answer:
    """The answer of `generate`; `ended` is the exit code and status where an error, `why`, ended the work."""
    code, status = (_code(found), found.status) if ended is None else ended
    fields = _fields(found, status)
    names = [_file_name(found, number) for number in range(1, len(found.levels) + 1)]
    complaint = _summary(found, options, status, why)
    if folder.path is not None:
        try:
            _fill(folder, found, fields, names)
            return Answer(code, fields, "" if options.quiet else _listing(found, folder, names), complaint)
        except OSError as error:  # the levels are not lost: they go to stdout
            code, complaint = exits.BAD_INPUT, f"unpuzzle: {error.filename or folder.path}: {error.strerror}"
    return Answer(code, fields, _blocks(found, options.quiet), complaint)


def _code(found: Generation) -> int:
    if found.status in exits.OF_STATUS:
        return exits.OF_STATUS[found.status]
    return exits.YES if found.levels else exits.NO  # all levels of a shape were judged, and none is of the wanted kind


def _fields(found: Generation, status: str) -> dict[str, Any]:
    """The JSON fields: nothing in them depends on time or on the number of workers."""
    return {
        "status": status,
        "puzzle": found.game.name,
        "options": {name: option.show(found.options[name]) for name, option in options_of(found.game).items()},
        "seed": found.seed,
        "levels": [_level(level) for level in found.levels],
        "candidates": found.candidates,
        "duplicates": found.duplicates,
        "rejected": {reason: found.rejected.get(reason, 0) for reason in REASONS},
    }


def _level(level: Level) -> dict[str, Any]:
    return {
        "level": level.text,
        "cost": level.cost,
        "moves": list(level.moves),
        "expanded": level.expanded,
        "optimal_plans": level.optimal_plans,
        "dead_ends": level.dead_ends,
        **({"grade": level.grade} if level.grade else {}),
    }


def _file_name(found: Generation, number: int) -> str:
    """Such as `boxup-001-14.txt`: the names are in order of difficulty, and tell it."""
    width = max(3, len(str(len(found.levels))))
    return f"{found.game.name}-{number:0{width}}-{found.levels[number - 1].cost}.txt"


def _fill(folder: Folder, found: Generation, fields: dict[str, Any], names: list[str]) -> None:
    from json import dumps

    for level, name in zip(fields["levels"], names, strict=True):
        level["file"] = name
    folder.fill(
        {name: level.text for name, level in zip(names, found.levels, strict=True)}, dumps(fields, indent=1) + "\n"
    )


def _listing(found: Generation, folder: Folder, names: list[str]) -> str:
    return "".join(
        f"{folder.file(name)}: {_difficulty(level)}\n" for name, level in zip(names, found.levels, strict=True)
    )


def _blocks(found: Generation, quiet: bool) -> str:
    if all(level.text.count("\n") == 1 for level in found.levels):
        return "".join(level.text for level in found.levels)
    blocks = []
    for number, level in enumerate(found.levels, 1):
        heading = "" if quiet else f"; {number}: {_difficulty(level)}\n"
        blocks.append(heading + level.text)
    return "\n".join(blocks)


def _difficulty(level: Level) -> str:
    parts = [*([level.grade] if level.grade else []), f"optimal {level.cost}", f"{level.expanded:,} expanded"]
    if level.optimal_plans is not None:
        parts.append(count(level.optimal_plans, "optimal solution"))
    if level.dead_ends is not None:
        parts.append(count(level.dead_ends, "dead end") if level.dead_ends else "no dead ends")
    return ", ".join(parts)


def _summary(found: Generation, options: Namespace, status: str, why: str) -> str:
    """What became of the candidates; with --quiet only where the levels are not all that was asked for."""
    if options.quiet and status == found.status and _code(found) == exits.YES:
        return ""
    known = {
        COMPLETE: "",
        GAVE_UP: "gave_up: no more candidates are tried (see --candidates); ",
        MEMOUT: "memout: the memory limit, which the workers share, was reached; ",
        TIMEOUT: "timeout: the time limit was reached; ",
    }
    reason = known.get(status, f"{status}: {why}; " if why else f"{status}: ")
    many = f"{len(found.levels):,}" if options.all else f"{len(found.levels):,} of {options.count or COUNT:,}"
    levels = "1 level" if many == "1" else f"{many} levels"
    others = {"duplicates": found.duplicates, **{REASONS[name]: found.rejected.get(name, 0) for name in REASONS}}
    rest = ", ".join(f"{number:,} {name}" for name, number in others.items() if number)
    rest = f" ({rest})" if rest else ""
    return f"unpuzzle: {reason}{levels} from {count(found.candidates, 'candidate')}{rest}{_hardest(found)}"


def _hardest(found: Generation) -> str:
    """How hard the levels are: how many of each grade, or, of games without grades, the moves of the hardest."""
    grades = dict.fromkeys((level.grade for level in found.levels), 0)
    for level in found.levels:
        grades[level.grade] += 1
    if not found.levels:
        return ""
    if any(grades):
        return "; hardest step: " + ", ".join(f"{grade} {number:,}" for grade, number in grades.items())
    return f"; the hardest needs {count(found.levels[-1].cost, 'move')}"
