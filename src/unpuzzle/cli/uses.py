"""What can be done with a file, a folder or a puzzle: command lines that work as they stand, each with its purpose."""

from __future__ import annotations

import os
import shlex

from unpuzzle.checking.linted_files import DOMAIN, PLAN, PROBLEM, kind_of_file
from unpuzzle.cli.files import level_file, read_text
from unpuzzle.errors import ParseError, UnpuzzleError, UsageError
from unpuzzle.found_files import found_files
from unpuzzle.puzzle.position import Game
from unpuzzle.studio.texts import CODE, GAME, kind_and_puzzle
from unpuzzle.testing.expectations import domain_beside, listed_file
from unpuzzle.translators import find, names

Uses = dict[str, str]
"""By command line, its purpose."""
PDDL, RUNS = ".pddl", ".jsonl"


def uses_of(subject: str) -> tuple[str, Uses]:
    """Return the kind of a subject, and what can be done with it. Raises UsageError for an unknown kind."""
    if not os.path.exists(subject):
        return "a puzzle", _of_game(subject, find(subject))
    named = subject if not subject.startswith("-") else os.path.join(os.curdir, subject)
    if os.path.isdir(subject):
        if not any(found_files(named, PDDL, enters=bool, quiet=True)):
            raise UsageError(f"there is no PDDL in the folder {subject}; name a file")
        lint = ("lint", named, "find all faults of its files")
        return "a folder", _lines(lint, ("format", named, "--diff", "show how they would be laid out"))
    if subject.endswith(RUNS):
        return "runs of an experiment", _lines(("report", named, "scores, what is wrong, what has changed"))
    text = read_text(subject, lenient=True)[0]
    kind, puzzle = kind_and_puzzle(named, text)
    if kind in (DOMAIN, GAME):
        return {DOMAIN: "a PDDL domain", GAME: "a game in PuzzleScript"}[kind], _of_text(named)
    if kind == PROBLEM:
        return "a PDDL problem", _of_problem(named)
    if kind == PLAN or kind_of_file(named, text) == PLAN:
        return "a plan", _of_plan(named)
    if kind == CODE:
        return _of_code(named, text)
    puzzle = puzzle or _puzzle_of(named)
    if not puzzle:
        raise UsageError(f"{subject} is neither PDDL, a game, a puzzle, runs of an experiment nor a level of a puzzle")
    return f"a level, or several, of {puzzle}", _of_level(puzzle, named)


def _lines(*rows: tuple[str, ...]) -> Uses:
    """Return command lines from rows: a command, its arguments, and at the end the purpose."""
    return {shlex.join(["unpuzzle", *words]): about for *words, about in rows}


def _of_level(puzzle: str, level: str) -> Uses:
    stem = os.path.splitext(os.path.basename(level))[0]
    page = f"{stem if os.path.exists(level) else f'{os.path.splitext(os.path.basename(puzzle))[0]}-{stem}'}.html"
    return _lines(
        ("solve", puzzle, level, "an optimal solution"),
        ("draw", puzzle, level, "how it looks"),
        ("survey", puzzle, level, "can it be solved, in how many moves, where can one get stuck?"),
        ("play", puzzle, level, "-o", page, "a page to play it on"),
    )


def _of_game(named: str, game: Game) -> Uses:
    """Return what can be done with a game, by its first level that can be played."""
    for level in game.levels:
        try:
            if not game.parse(game.levels[level]).moves():
                continue
        except UnpuzzleError:
            continue
        rules = not named.endswith((PDDL, ".txt"))
        return _of_level(named, level) | (_lines(("check", named, level, "is the PDDL the game?")) if rules else {})
    return {}


def _of_text(named: str) -> Uses:
    """Return what can be done with a domain or a game in PuzzleScript."""
    lint = _lines(("lint", named, "find all its faults"))
    try:
        return lint | _of_game(named, find(named))
    except UnpuzzleError:  # `lint` tells of its faults
        return lint


def _of_problem(problem: str) -> Uses:
    lint = _lines(("lint", problem, "find all its faults"))
    try:
        find(domain_beside(problem)).parse(read_text(problem)[0])
    except UnpuzzleError:  # `lint` tells of its faults, or that there is no domain
        return lint
    return lint | _lines(
        ("solve", problem, "an optimal plan"),
        ("plan", problem, "-o", "plan.txt", "the plan into a file"),
        ("draw", problem, "how it looks"),
        ("explore", problem, "all that can happen in it"),
        ("explain", problem, "why there is no plan, or what each step is for"),
    )


def _of_plan(plan: str) -> Uses:
    lint = _lines(("lint", plan, "find all its faults"))
    beside = found_files(os.path.dirname(plan), PDDL, quiet=True)
    problems = [path for path in beside if listed_file(path).kind == PROBLEM]
    stem = os.path.basename(plan).split(".")[0]
    own = [path for path in problems if os.path.basename(path).split(".")[0] == stem] or problems
    try:
        domain_beside(own[0])
    except (UnpuzzleError, IndexError):
        return lint
    return lint | _lines(("validate", own[0], plan, f"is it valid for {os.path.basename(own[0])}?"))


def _of_code(code: str, text: str) -> tuple[str, Uses]:
    """Return what can be done with Python: a puzzle, or components for a game that the file's name tells."""
    if "def successors" in text:
        stem = os.path.basename(code).replace("_", "-")
        game = next((name for name in names() if name in stem), None)
        test = () if game is None else (("check", code, "--game", game, "is it right?"),)
        return "search components", _lines(*test, ("help", "check", "how to test them: --game GAME"))
    try:
        return "a puzzle", _of_game(code, find(code))
    except ParseError as error:
        raise UsageError(f"{code} is no puzzle: {error.message}") from error


def _puzzle_of(level: str) -> str | None:
    """Return the only bundled puzzle that can read a level."""
    readers = []
    for name in names():
        try:
            game = find(name)
            readers += [name] if all(each.position(game) for each in level_file(game, name, level).levels) else []
        except (UnpuzzleError, OSError):
            continue
    return readers[0] if len(readers) == 1 else None
