"""unpuzzle check PUZZLE LEVEL: the PDDL against the rules or, with --heuristic, a heuristic against what it claims."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from unpuzzle.checking.heuristic_reports import HeuristicCheck
    from unpuzzle.checking.report import Check
    from unpuzzle.cli.answer import Answer
    from unpuzzle.pddl.nodes import Task
    from unpuzzle.puzzle.position import Position

EXAMPLE = "unpuzzle check boxup 1 --domain my-boxup.pddl\n  unpuzzle check sliding-tiles 2x3 --heuristic misplaced"


HEURISTIC_STATES = 20_000


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.checking.side_by_side import MAX_STATES
    from unpuzzle.cli.numbers import seed, whole
    from unpuzzle.cli.parser import add_limits
    from unpuzzle.cli.verdicts import add_partial

    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument("level", metavar="LEVEL", help="a bundled level's name, a file, or - for standard input")
    parser.add_argument("--domain", metavar="FILE", help="check this PDDL domain instead of ours")
    parser.add_argument("--problem", metavar="FILE", help="with --domain: this PDDL problem instead of the level's")
    parser.add_argument(
        "--heuristic", metavar="NAME", help="check a heuristic instead: is it admissible, consistent, as it claims?"
    )
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=whole(),
        help=f"default: {MAX_STATES:,}; with --heuristic {HEURISTIC_STATES:,}",
    )
    parser.add_argument("--seed", metavar="N", type=seed, default=0, help="of the random walks beyond --max-states")
    add_partial(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Compare rules and PDDL, or a heuristic and the true costs."""
    from unpuzzle.cli.files import read_level
    from unpuzzle.errors import ParseError

    if options.domain is None and options.problem is not None:
        raise ParseError("--problem needs --domain")
    if options.domain is not None and options.heuristic is not None:
        raise ParseError("--heuristic is about the rules alone: --domain has nothing to do with it")
    puzzle = read_level(options.puzzle, options.level, options)
    return _check(puzzle, options) if options.heuristic is None else _check_heuristic(puzzle, options)


def _check(puzzle: Position, options: Namespace) -> Answer:
    """Compare rules and PDDL; interrupted or out of time, answer with what was compared."""
    from unpuzzle.checking.report import INTERRUPTED
    from unpuzzle.checking.side_by_side import MAX_STATES, STEPS, WALKS, SideBySide
    from unpuzzle.cli import exits
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.cli.progress import ProgressLine

    with ProgressLine(options) as show:

        def told(states: int) -> None:
            if show is not None:
                show(f"{states:,} states compared")

        search = SideBySide(puzzle, _task(puzzle, options), limits_left(options), told)
        try:
            report = search.run(options.max_states or MAX_STATES, options.seed, WALKS, STEPS)
        except KeyboardInterrupt as error:
            report = search.result(stopped=INTERRUPTED)
            if not report.states:
                raise
            return _answer(report, puzzle, options, exits.of_error(error))
    return _answer(report, puzzle, options)


def _answer(report: Check, puzzle: Position, options: Namespace, interrupted: tuple[int, str] | None = None) -> Answer:
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import unplayable
    from unpuzzle.cli.verdicts import CURE, code_of, tell_undecided

    difference = report.difference
    fields = {
        "same": report.same,
        "exhaustive": report.exhaustive,
        "states": report.states,
        "transitions": report.transitions,
        **({} if report.solutions is None else {"solutions": report.solutions}),
        "difference": None
        if difference is None
        else {
            "moves": list(difference.moves),
            "rules": difference.rules,
            "pddl": difference.pddl or None,
            "constraints": difference.constraints or None,
            "other_moves": None if difference.other_moves is None else list(difference.other_moves),
        },
    }
    code = code_of(report.same, options.partial and not report.stopped)
    answer = Answer(code, fields, _text(report, puzzle, options), unplayable(puzzle))
    if report.stopped:
        _tell_end(answer, report, interrupted)
    elif report.same is None and not options.partial:
        tell_undecided(answer, f"undecided: not all states were compared; {CURE}")
    return answer


def _text(report: Check, puzzle: Position, options: Namespace) -> str:
    if report.difference is None or options.quiet:
        return str(report)
    from unpuzzle.cli.drawing import told_by_pddl

    return f"{report}\n\n{report.difference.picture(puzzle)}{told_by_pddl(report.difference, puzzle)}"


def _tell_end(answer: Answer, report: Check, interrupted: tuple[int, str] | None) -> None:
    """Add what ended the comparison. A difference found by then is certain, but there may be one after fewer moves."""
    from unpuzzle.cli.verdicts import limit_of

    why = "interrupted" if interrupted else f"the {limit_of(report.stopped)} was reached"
    rest = "there may be a shorter way to a difference" if report.difference else "what is left may differ"
    message = f"{why} after {report.states:,} states: {rest}"
    answer.fields |= {"status": report.stopped, "message": message}
    answer.complaint = f"unpuzzle: {message}"
    if interrupted:
        answer.code = interrupted[0]


def _task(puzzle: Position, options: Namespace) -> Task | None:
    """The task to check instead of the puzzle's own, or None."""
    from unpuzzle.checking.side_by_side import task_of

    return None if options.domain is None else task_of(puzzle, options.domain, options.problem)


def _check_heuristic(puzzle: Position, options: Namespace) -> Answer:
    from unpuzzle.checking.heuristics import check_heuristic
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.cli.verdicts import CURE, code_of, tell_undecided

    with ProgressLine(options) as show:

        def told(states: int) -> None:
            if show is not None:
                show(f"{states:,} states found")

        most = options.max_states or HEURISTIC_STATES
        report = check_heuristic(puzzle, options.heuristic, limits_left(options), max_states=most, progress=told)
    answer = Answer(code_of(report.holds, options.partial), _fields(report), str(report))
    if report.holds is None and not options.partial:
        tell_undecided(answer, f"undecided: there are more than {report.states:,} states; {CURE}")
    return answer


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
