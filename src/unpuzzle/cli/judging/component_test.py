"""The command `unpuzzle check FILE.py --game GAME`: test search components that somebody wrote for a game."""

from __future__ import annotations

from argparse import Namespace

from unpuzzle.base.errors import NO, NO_ANSWER, YES
from unpuzzle.base.text import count
from unpuzzle.checking.report import Report
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.files import read_level, read_text
from unpuzzle.components.instances import Instance
from unpuzzle.components.trying import SEARCH, check_components
from unpuzzle.processes.sandbox import LACKING
from unpuzzle.translators import find
from unpuzzle.workspace.commands.input import GameInput, Show

WALLS = {
    "limits": "limits of processor time",
    "no_network": "no network",
    "no_processes": "no processes",
    "files_closed": "no files",
    "namespaces": "its own namespaces",
}
"""Descriptions of the sandbox's working walls."""
LIMITS = {"time limit", "memory limit"}
"""Kinds of findings that only say that there was no answer."""


class CodeRequest(GameInput):
    """A request to test somebody's components for a game, on `levels` or, if None, on the default suite."""

    code: str
    name: str
    levels: list[Instance] | None
    seed: int
    unsafe: bool

    def call(self, show: Show = None) -> Report:
        return check_components(self.code, self.game, self.name, levels=self.levels, seed=self.seed, unsafe=self.unsafe)

    def answer(self, report: Report, view: View) -> Answer:
        return Answer(_code(report), report, _text(report, view.quiet))


def code_request(file: str, options: Namespace) -> CodeRequest:
    """Read components, and the levels for testing them."""
    game = find(options.game)
    code, name = read_text(file)
    levels = None
    if options.levels is not None:
        starts = [(each, read_level(options.game, each).position) for each in options.levels]
        levels = [Instance(f"level {each}", start, options.seed + i) for i, (each, start) in enumerate(starts)]
    return CodeRequest.of(options, game=game, code=code, name=name, levels=levels)


def _code(report: Report) -> int:
    """Return the exit code: yes, no, or unknown if the only findings are calls that reached a limit."""
    if report.right:
        return YES
    kinds = {finding.kind for finding in report.findings}
    open_to_doubt = kinds - LIMITS <= {SEARCH} and kinds & LIMITS  # a search fails after a call without an answer
    return NO_ANSWER if open_to_doubt and False not in (report.sound, report.complete) else NO


def _text(report: Report, quiet: bool) -> str:
    """Return the report and its score as text, and the protections that the sandbox lacks."""
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
