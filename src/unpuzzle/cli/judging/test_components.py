"""unpuzzle test-components FILE.py --game NAME."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.checking.findings import Report
from unpuzzle.cli.answer import NO, NO_ANSWER, YES, Answer
from unpuzzle.cli.files import read_level, read_text
from unpuzzle.cli.numbers import seed
from unpuzzle.cli.parser import flag, option
from unpuzzle.components.instances import Instance
from unpuzzle.components.judging import SEARCH
from unpuzzle.components.sandbox import LACKING
from unpuzzle.components.trying import check_components
from unpuzzle.translators import find
from unpuzzle.words import count

WALLS = {
    "limits": "limits of processor time",
    "no_network": "no network",
    "no_processes": "no processes",
    "files_closed": "no files",
    "namespaces": "namespaces of its own",
}
"""Descriptions of the sandbox's working walls."""
LIMITS = {"time limit", "memory limit"}
"""Kinds of findings that only say that there was no answer."""
EXAMPLE = "unpuzzle test-components my-sokoban.py --game sokoban"


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="Python with successors(state, ...) and is_goal(state, ...)")
    option(parser, "--game NAME", "the puzzle: a name, or a file", dest="puzzle", required=True)
    about = "try it on these instead: bundled levels' names, files, or - for standard input"
    option(parser, "--levels LEVEL", about, nargs="+")
    flag(parser, "--unsafe", "run it even where the system has no walls for a sandbox")
    option(parser, "--seed N", "seed of random levels and walks", seed, default=0)


def execute(options: Namespace) -> Answer:
    game = find(options.puzzle)
    code, name = read_text(options.file)
    levels = None  # the usual suite
    if options.levels is not None:
        positions = [(each, read_level(options.puzzle, each, options)) for each in options.levels]
        levels = [Instance(f"level {each}", start, options.seed + i) for i, (each, start) in enumerate(positions)]
    report = check_components(code, game, name, levels=levels, seed=options.seed, unsafe=options.unsafe)
    return Answer(_code(report), report, _text(report, options.quiet))


def _code(report: Report) -> int:
    """Return yes or no; if the only findings are calls ended by a limit, the answer is unknown."""
    if report.right:
        return YES
    kinds = {finding.kind for finding in report.findings}
    open_to_doubt = kinds - LIMITS <= {SEARCH} and kinds & LIMITS  # a search fails after a call without an answer
    return NO_ANSWER if open_to_doubt and False not in (report.sound, report.complete) else NO


def _text(report: Report, quiet: bool) -> str:
    """Return the report with its score in lines for people, and the gaps of the sandbox."""
    if quiet:
        return report.text
    score = report.score
    tests, states, levels, games = (count(score[f"{noun}s"], noun) for noun in ("test", "state", "level", "game"))
    expanded = count(score["expanded"], "state")
    lines = [
        report.text,
        f"{score['passed']} of {tests} passed, on {states} of {levels} (all states of {score['exhaustive']} of them)",
        f"{score['solved']} of {games} solved: {expanded} expanded, {score['generated']} generated",
    ]
    standing = [words for name, words in WALLS.items() if score["sandbox"].get(name)]
    lines.append(f"the sandbox: {', '.join(standing) or 'none'}")
    lines += [f"note: this system {lack}" for name, lack in LACKING.items() if not score["sandbox"].get(name)]
    return "\n".join(lines)
