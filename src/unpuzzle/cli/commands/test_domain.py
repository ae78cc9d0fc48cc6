"""unpuzzle test-domain DOMAIN.pddl --game NAME."""

from __future__ import annotations

from unpuzzle.words import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.checking.domain_findings import DomainReport
    from unpuzzle.cli.answer import Answer
    from unpuzzle.limits import Deadline
    from unpuzzle.pddl.nodes import Domain, Problem
    from unpuzzle.puzzle.game import Game

SHOWN = 3
EXAMPLE = "unpuzzle test-domain my-sokoban.pddl --game sokoban"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.checking.domains import MAX_STATES, SAMPLES
    from unpuzzle.cli.numbers import seed, whole
    from unpuzzle.cli.parser import add_limits
    from unpuzzle.cli.verdicts import add_partial

    parser.add_argument("domain", metavar="DOMAIN", help="a PDDL domain file")
    parser.add_argument("--game", metavar="NAME", required=True, help="the puzzle: a name, or a file")
    parser.add_argument(
        "--problems",
        metavar="DIR",
        help="with a problem LEVEL.pddl for bundled levels; default: our own problems, which must fit the domain",
    )
    parser.add_argument("--levels", metavar="LEVEL", nargs="*", help="the bundled levels to compare on; default: all")
    parser.add_argument(
        "--samples", metavar="N", type=whole(0), default=SAMPLES, help=f"random levels as well; default: {SAMPLES}"
    )
    parser.add_argument("--seed", metavar="N", type=seed, default=0, help="of the random levels")
    parser.add_argument(
        "--max-states", metavar="N", type=whole(), default=MAX_STATES, help=f"of each level; default: {MAX_STATES:,}"
    )
    add_partial(parser)
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Compare a domain with a game."""
    from unpuzzle import translators
    from unpuzzle.checking.domains import try_domain
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.parser import deadline_of
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.cli.verdicts import code_of
    from unpuzzle.pddl.reading.reader import read_domain

    deadline = deadline_of(options, "reading the domain")
    game = translators.find(options.game, deadline)
    domain = read_domain(options.domain, limits=deadline)
    problems = None if options.problems is None else _problems(options, game, domain, deadline)
    with ProgressLine(options) as show:
        report = try_domain(
            domain, game, problems, levels=options.levels, samples=options.samples, seed=options.seed,
            max_states=options.max_states, limits=deadline, progress=show,
        )  # fmt: skip
    answer = Answer(code_of(report.same, options.partial and not report.stopped), report.fields, report.text)
    if report.stopped:
        _tell_end(answer, report)
    elif report.same is None and not options.partial:
        _tell_undecided(answer, report)
    return answer


def _tell_end(answer: Answer, report: DomainReport) -> None:
    """Add which limit was reached. A difference found by then is certain."""
    from unpuzzle.cli.verdicts import limit_of, tell_undecided

    rest = "there may be others" if report.findings else "what is left may differ"
    limit = limit_of(report.stopped or "")
    message = f"the {limit} was reached while level {len(report.score['levels'])} was compared: {rest}"
    tell_undecided(answer, message, report.stopped or "")


def _tell_undecided(answer: Answer, report: DomainReport) -> None:
    """Add which levels were not compared as a whole, and what to do about it."""
    from unpuzzle.cli.verdicts import CURE, tell_undecided

    rows = report.undecided
    told = "; ".join([f"{row['level']}: {row['message']}" for row in rows[:SHOWN]])
    more = f"; and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    tell_undecided(answer, f"undecided on {count(len(rows), 'level')} ({told}{more}); {CURE}")


def _problems(options: Namespace, game: Game, domain: Domain, deadline: Deadline) -> dict[str, Problem]:
    """The problems of a folder by the levels that they are named after. Raises ParseError for other names, or none."""
    import os

    from unpuzzle.errors import ParseError
    from unpuzzle.pddl.reading.reader import read_problem
    from unpuzzle.words import suggestion

    found = {}
    for file in sorted(os.listdir(options.problems)):
        path, (level, ending) = os.path.join(options.problems, file), os.path.splitext(file)
        if ending != ".pddl" or os.path.samefile(path, options.domain):
            continue
        if level not in game.levels:
            hint = suggestion(level, game.levels) or f"; there are {', '.join(game.levels)}"
            raise ParseError(f"'{level}' is no bundled level of {game.name}{hint}", file=path)
        found[level] = read_problem(path, domain, limits=deadline)
    if not found:
        raise ParseError(f"{options.problems} has no problem LEVEL.pddl of a bundled level: {', '.join(game.levels)}")
    return found
