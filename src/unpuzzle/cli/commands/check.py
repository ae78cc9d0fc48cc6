"""unpuzzle check PUZZLE LEVEL: the PDDL against the rules or, with --heuristic, a heuristic against what it claims."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from unpuzzle.checking.heuristic_reports import HeuristicCheck
    from unpuzzle.cli.answer import Answer
    from unpuzzle.pddl.nodes import Task
    from unpuzzle.puzzle.position import Position

EXAMPLE = "unpuzzle check boxup 1 --domain my-boxup.pddl\n  unpuzzle check sliding-tiles 2x3 --heuristic misplaced"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument("level", metavar="LEVEL", help="a bundled level's name, a file, or - for standard input")
    parser.add_argument("--domain", metavar="FILE", help="check this PDDL domain instead of ours")
    parser.add_argument("--problem", metavar="FILE", help="with --domain: this PDDL problem instead of the level's")
    parser.add_argument(
        "--heuristic", metavar="NAME", help="check a heuristic instead: is it admissible, consistent, as it claims?"
    )
    parser.add_argument("--max-states", metavar="N", type=int, default=20_000, help="default: 20,000")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the random walks beyond --max-states")


def execute(options: Namespace) -> Answer:
    """Compare rules and PDDL, or a heuristic and the true costs."""
    from unpuzzle.cli.files import read_level
    from unpuzzle.errors import ParseError

    if options.max_states < 1:
        raise ParseError(f"--max-states must be at least 1, not {options.max_states}")
    if options.domain is None and options.problem is not None:
        raise ParseError("--problem needs --domain")
    if options.domain is not None and options.heuristic is not None:
        raise ParseError("--heuristic is about the rules alone: --domain has nothing to do with it")
    puzzle = read_level(options.puzzle, options.level)
    return _check(puzzle, options) if options.heuristic is None else _check_heuristic(puzzle, options)


def _check(puzzle: Position, options: Namespace) -> Answer:
    from unpuzzle.checking.side_by_side import check
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.progress import ProgressLine

    with ProgressLine(options) as show:

        def told(states: int) -> None:
            if show is not None:
                show(f"{states:,} states compared")

        report = check(
            puzzle, task=_task(puzzle, options), max_states=options.max_states, seed=options.seed, progress=told
        )
    difference = report.difference
    fields = {
        "same": report.same,
        "exhaustive": report.exhaustive,
        "states": report.states,
        "transitions": report.transitions,
        "difference": None
        if difference is None
        else {"moves": list(difference.moves), "rules": difference.rules, "pddl": difference.pddl},
    }
    return Answer(exits.YES if report.same else exits.NO, fields, str(report))


def _task(puzzle: Position, options: Namespace) -> Task | None:
    """The task to check instead of the puzzle's own, or None."""
    from unpuzzle.checking.side_by_side import task_of

    return None if options.domain is None else task_of(puzzle, options.domain, options.problem)


def _check_heuristic(puzzle: Position, options: Namespace) -> Answer:
    from unpuzzle.checking.heuristics import check_heuristic
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.progress import ProgressLine

    with ProgressLine(options) as show:

        def told(states: int) -> None:
            if show is not None:
                show(f"{states:,} states found")

        report = check_heuristic(puzzle, options.heuristic, max_states=options.max_states, progress=told)
    return Answer(exits.YES if report.holds else exits.NO, _fields(report), str(report))


def _fields(report: HeuristicCheck) -> dict[str, Any]:
    """The JSON fields; `null` is unknown, except for estimates, where it is infinite."""
    wrong, edge = report.overestimate, report.inconsistency
    return {
        "heuristic": report.heuristic.name,
        "holds": report.holds,
        "claims": {"admissible": report.heuristic.admissible, "consistent": report.heuristic.consistent},
        "admissible": report.admissible,
        "consistent": report.consistent,
        "exhaustive": report.exhaustive,
        "states": report.states,
        "transitions": report.transitions,
        "overestimate": None
        if wrong is None
        else {
            "moves": list(wrong.way),
            "position": str(wrong.position),
            "estimate": _number(wrong.estimate),
            "cost": wrong.cost,
            "solution": list(wrong.solution),
        },
        "inconsistency": None
        if edge is None
        else {
            "moves": list(edge.way),
            "position": str(edge.position),
            "move": edge.move,
            "successor": str(edge.successor),
            "cost": edge.cost,
            "estimate": _number(edge.estimate),
            "estimate_after": _number(edge.estimate_after),
        },
    }


def _number(estimate: float) -> float | None:
    return estimate if abs(estimate) < float("inf") else None
