"""Answers of `solve` about more than one solution: how many there are, or guessed words and their alternatives."""

from __future__ import annotations

from argparse import Namespace

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import OF_STATUS, UNSOLVABLE
from unpuzzle.base.text import count as numbered
from unpuzzle.base.text import listed
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.drawing import compare_pictures
from unpuzzle.counting import Count, count_solutions
from unpuzzle.planning.planner import MOVES
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import cost_in_words, joined_moves
from unpuzzle.workspace.inputs import Input, Show

REFUSED = ("anytime", "plan_file", "ties", "draw", "output")


class CountRequest(Input):
    """A request to count the solutions of a level, up to `most`."""

    subject: Position
    clock: float
    most: int = 2
    planner: str | None = None
    read: float = 0.0
    view: View = View()

    def call(self, show: Show = None) -> Count:
        count = count_solutions(self.subject, self.most, planner=self.planner)
        return count.replace(result=count.result.lasting(read=self.read))

    def answer(self, outcome: Count) -> Answer:
        line, other, *_ = [*(position.line() for position in outcome.positions[:2]), None, None]
        fields = {
            **outcome.result.to_dict(),
            "solutions": len(outcome.solutions),
            "unique": outcome.unique,
            "solution": line,
            "other_solution": other,
            "differences": {name: list(values) for name, values in outcome.differences().items()},
            "conflict": None if outcome.conflict is None else list(outcome.conflict),
        }
        text = _text(self.subject, outcome, self.view.quiet)
        return Answer(OF_STATUS[outcome.result.status], fields, text, _complaint(outcome))


def count_request(options: Namespace) -> CountRequest:
    """Return the request to count a level's solutions. Raises UsageError for options that --count excludes."""
    for name in REFUSED:
        if vars(options)[name]:
            raise UsageError(f"--count does not go together with --{name.replace('_', '-')}")
    if options.objective != MOVES:
        raise UsageError("--count counts all solutions: it does not go together with --objective")
    return CountRequest.of(options, subject=None, view=View(options.quiet), most=options.count)


def _text(position: Position, count: Count, quiet: bool) -> str:
    if quiet:  # a line for each solution, or their number
        lines = [line for position in count.positions if (line := position.line()) is not None]
        return "\n".join(lines or [str(len(count.solutions))])
    result = count.result
    figures = f"{result.seconds['total']:.3f} s, by {result.planner}"
    if len(count.solutions) > 1:
        differences = count.differences()
        some = "at least " if len(count.solutions) == count.most or not result.solved else ""
        cells = listed([f"{name} {one} or {other}" for name, (one, other) in differences.items()], 12)
        pictures = compare_pictures(*count.positions[:2])
        return f"{pictures}; two of {some}{len(count.solutions):,} solutions: {cells}; {figures}"
    if count.solutions:
        one = "one solution only" if count.unique else "a solution; there may be others"
        lines = [count.positions[0].draw().rstrip(), joined_moves(position.game, result.moves or ())]
        return "\n".join([*lines, f"; {one}, {cost_in_words(position, result.cost or 0)}, {figures}"])
    return ""


def _complaint(count: Count) -> str:
    result = count.result
    if result.solved:
        return ""
    more = f"{numbered(len(count.solutions), 'solution')} until then" if count.solutions else ""
    if result.status == UNSOLVABLE and count.conflict:
        more = f"these contradict each other: {', '.join(count.conflict)}"
    return ": ".join(filter(None, [f"unpuzzle: {result.status}", result.message, more]))
