"""The command `unpuzzle trace GAME LEVEL INPUTS`: show every step, as boards of a game or as PDDL facts."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from unpuzzle.base.errors import BROKEN, FAULT, NO, YES, LimitReached, ParseError, UsageError, of_error
from unpuzzle.base.run import phase
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.drawing import changes_in_colours
from unpuzzle.cli.files import level_text, moves_text, read_game, save_beside, unplayable
from unpuzzle.cli.lint_warnings import of_texts
from unpuzzle.cli.parser import add_limits, flag, operand, option
from unpuzzle.cli.refusals import ReadingPddl
from unpuzzle.pddl.matching import no_plan
from unpuzzle.puzzle.capabilities import Traced, offered
from unpuzzle.rendering.saving import kind_of
from unpuzzle.rendering.svg import picture_svg
from unpuzzle.workspace.inputs import GameInput, Show

EXAMPLE = """unpuzzle trace sokoban.txt 1 uuldr --json
  unpuzzle trace sokoban.txt 1 uuldr --fired --picture rules.svg      which rule did it?
  unpuzzle trace domain.pddl problem.pddl plan.txt"""
SEE = "`replay` says whether moves are a solution, `validate` whether a plan is valid for PDDL files"
PIXELS = 24
"""The size of a cell on small boards."""


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("puzzle", metavar="GAME", help="a game in PuzzleScript (.txt), or a PDDL domain (.pddl)")
    operand(parser, "LEVEL", "a level's number or name, a file, or - for standard input")
    operand(
        parser,
        "INPUTS",
        "of PuzzleScript, u l d r, x action, t tick, z undo, ! restart, run together; of PDDL, a plan or its file",
    )
    option(parser, "--engine NAME", "for PuzzleScript: python or native; default: python", default="")
    option(parser, "--seed S", "for PuzzleScript: seed of random choices; default: 1", default="")
    flag(parser, "--through", "for PuzzleScript: go on in the next level, without messages")
    flag(parser, "--fired", "for PuzzleScript: show each rule that fires, with its line, where, and what it changes")
    option(parser, "--picture FILE.svg", "with --fired: draw the board after each step, small")
    flag(parser, "--states", "for PDDL: show all facts after each step")
    add_limits(parser)


class TraceRequest(GameInput):
    """A request to play inputs on a level and trace their effects; `bundled` is the name of a bundled level."""

    puzzle: str
    inputs: str
    bundled: str | None
    text: str
    source: str
    settings: Mapping[str, Any]
    picture: str | None

    def call(self, show: Show = None) -> TraceOutcome:
        """Play the inputs; after an interruption or at a limit, return the trace up to then."""
        traced = offered(self.game, Traced)
        assert traced is not None
        tracing = traced.trace(self.text if self.bundled is None else self.bundled, self.inputs, **self.settings)
        try:
            with phase("playing the inputs"):
                tracing.run()
                return TraceOutcome(tracing, "" if tracing.ended else unplayable(self.game.parse(self.text)))
        except ParseError as error:
            if error.file is None and error.line is not None:
                self.game.parse(
                    self.text, None if self.bundled else self.source
                )  # its error names the file, if the fault is in the level
            raise
        except (LimitReached, KeyboardInterrupt) as error:
            return TraceOutcome(tracing, ended_by=error)


class TraceOutcome(Record):
    """The trace, a message about a level without any move, and the reason if the trace ended early."""

    tracing: Any
    complaint: str = ""
    ended_by: LimitReached | KeyboardInterrupt | None = None


def read(options: Namespace) -> TraceRequest:
    """Read the game, the level and the inputs."""
    if options.picture is not None:
        _require_svg(options.picture, options.fired)
    with ReadingPddl(options.puzzle, options.level):
        game = read_game(options.puzzle)
        if offered(game, Traced) is None:
            raise UsageError(f"{options.puzzle} cannot be traced: only games in PuzzleScript and PDDL domains can")
        text, source, _ = level_text(game, options.puzzle, options.level)
        names = ("engine", "seed", "through", "states", *(["rules"] if options.fired else []))
        settings = {name: True if name == "rules" else getattr(options, name) for name in names}
        inputs = moves_text([options.inputs])
        if (wrong := no_plan(inputs, options.inputs, "a plan or moves")) is not None:
            raise wrong
        bundled = options.level if options.level in game.levels else None
        return TraceRequest.of(
            options, game=game, inputs=inputs, bundled=bundled, text=text, source=source, settings=settings
        )


def _require_svg(path: str, fired: bool) -> None:
    """Raise UsageError, before any work, if the options for the picture are invalid."""
    if not fired:
        raise UsageError("--picture shows the rules that fire: add --fired")
    if not path.lower().endswith(".svg"):
        raise UsageError(f"{path}: the name of this picture must end with .svg")
    kind_of(path)


def present(asked: TraceRequest, outcome: TraceOutcome, view: View) -> Answer:
    """Return the effects of each input, and draw the boards if requested."""
    tracing, ending = outcome.tracing, {}
    code, complaint = NO if tracing.valid is False else YES, outcome.complaint
    if outcome.ended_by is not None:
        code, status = of_error(outcome.ended_by) or (BROKEN, FAULT)
        message = f"{str(outcome.ended_by) or 'interrupted'}: {tracing.place()} did not end"
        ending, complaint = {"status": status, "message": message}, f"unpuzzle: {message}"
    lines = tracing.lines() if asked.game.level_ending != ".pddl" else changes_in_colours(tracing.lines())
    answer = Answer(code, tracing.to_dict() | ending, "\n".join(lines), complaint)
    if asked.picture is not None and (ground := tracing.picture()) is not None:
        save_beside(answer, asked.picture, lambda: picture_svg(ground, (), pixels=PIXELS))
    answer.warn(of_texts(asked.game, asked.puzzle, asked.text, asked.source, doubtful=tracing.valid is False))
    return answer
