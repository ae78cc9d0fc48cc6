"""unpuzzle check PUZZLE LEVEL."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.cli.answer import Answer
    from unpuzzle.pddl.nodes import Task
    from unpuzzle.puzzle import Puzzle

EXAMPLE = "unpuzzle check boxup 1 --domain my-boxup.pddl"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument("level", metavar="LEVEL", help="a bundled level's name, a file, or - for standard input")
    parser.add_argument("--domain", metavar="FILE", help="check this PDDL domain instead of ours")
    parser.add_argument("--problem", metavar="FILE", help="with --domain: this PDDL problem instead of the level's")
    parser.add_argument("--max-states", metavar="N", type=int, default=20_000, help="default: 20,000")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of the random walks beyond --max-states")


def execute(options: Namespace) -> Answer:
    """Compare rules and PDDL."""
    from unpuzzle.checking import check
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import read_level
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.errors import ParseError

    if options.max_states < 1:
        raise ParseError(f"--max-states must be at least 1, not {options.max_states}")
    puzzle = read_level(options.puzzle, options.level)
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


def _task(puzzle: Puzzle, options: Namespace) -> Task | None:
    """The task to check instead of the puzzle's own, or None."""
    from unpuzzle.checking import task_of
    from unpuzzle.errors import ParseError

    if options.domain is None:
        if options.problem is not None:
            raise ParseError("--problem needs --domain")
        return None
    return task_of(puzzle, options.domain, options.problem)
