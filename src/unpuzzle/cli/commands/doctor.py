"""The command `unpuzzle doctor`: show what is installed and whether it works."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.base.availability import BASE, EXTRA, OTHER
from unpuzzle.base.outcomes import NO, NO_ANSWER, YES
from unpuzzle.base.text import count, listing
from unpuzzle.cli.answer import Answer, View
from unpuzzle.installation import Installation, Part, Trial, TrialRun, examine
from unpuzzle.workspace.inputs import Question

EXAMPLE = "unpuzzle doctor"
HEADS = {BASE: "base", EXTRA: "extras", OTHER: "others"}


def arguments(parser: ArgumentParser) -> None:
    """Add no arguments, because the command has none."""


def read(options: Namespace) -> Question:
    return Question(examine)


def present(request: Question, outcome: Installation, view: View) -> Answer:
    """Return the findings, with exit code 0 if the basic parts work, 1 if not, and 3 if the test was cut short."""
    code = {True: YES, False: NO, None: NO_ANSWER}[outcome.healthy]
    verdict = _verdict(outcome)
    if view.quiet:
        return Answer(code, outcome, verdict)
    lines = [f"unpuzzle {outcome.version}, Python {outcome.python}, {outcome.system}"]
    width = max(len(part.name) for part in outcome.parts)
    for kind, head in HEADS.items():
        lines += ["", f"{head}:", *(line for part in outcome.of(kind) for line in _lines(part, width))]
    return Answer(code, outcome, "\n".join([*lines, "", *_trial_line(outcome.trial), verdict]))


def _lines(part: Part, width: int) -> list[str]:
    """Return a line about a component and, if known, a second line with the command that installs it."""
    versions = part.kind == EXTRA and part.here  # too many for a line; JSON has them
    more = f" ({part.message})" if part.message and not versions else ""
    lines = [f"  {part.name.ljust(width)}  {part.status.ljust(9)}  {part.purpose}{more}"]
    return lines if part.command is None else [*lines, f"  {''.ljust(width)}  get it:    {part.command}"]


def _trial_line(trial: Trial) -> list[str]:
    verdict = {True: "they agree", False: "they should agree", None: "nothing to compare"}[trial.agree]
    return [f"{trial.puzzle} {trial.level}, solved by {listing(map(_run, trial.runs)) or 'no planner'}: {verdict}"]


def _run(run: TrialRun) -> str:
    if run.cost is None:
        return f"{run.planner} ({run.status}: {run.message})" if run.message else f"{run.planner} ({run.status})"
    return f"{run.planner} (cost {run.cost}, {run.seconds:.2f} s)"


def _verdict(found: Installation) -> str:
    """Return a sentence that says whether the installation works, and how many extras are missing."""
    lacking = [part for part in found.of(EXTRA) if not part.here]
    extras = f"; {count(len(lacking), 'extra')} not installed" if lacking else ""
    if found.healthy is None:
        return f"the base is installed, but it is not known whether it works: the trial did not end{extras}"
    if found.healthy:
        return f"the base works{extras}"
    wrong = [f"{part.name} is {part.status}" for part in found.of(BASE) if not part.here]
    return f"the base does not work: {listing(wrong) or 'the planners do not agree on a level'}{extras}"
