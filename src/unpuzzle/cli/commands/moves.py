"""Commands that play moves: `replay` reports the result, and `trace` shows every step.

`replay` says whether they solve a level, or cost more than others; `trace` shows boards of a game, or PDDL facts.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence

from unpuzzle.base.errors import LimitReached, ParseError, UsageError
from unpuzzle.base.outcomes import BROKEN, FAULT, NO, NO_ANSWER, OF_STATUS, YES, of_error
from unpuzzle.base.run import phase
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.collections import judged_solutions
from unpuzzle.cli.drawing import PictureFile, changes_in_colours, picture_file, pictures, text_picture
from unpuzzle.cli.files import (
    LevelFile,
    level_file,
    level_text,
    moves_text,
    read_game,
    read_level,
    save_beside,
    unplayable,
)
from unpuzzle.cli.lint_warnings import of_level, of_texts
from unpuzzle.cli.parser import add_level, add_limits, add_output, flag, operand, option
from unpuzzle.cli.refusals import PlayingGame, ReadingPddl
from unpuzzle.drawing.panels import beside
from unpuzzle.model.capabilities import Traced, offered
from unpuzzle.model.replaying import Replay, as_moves, replay
from unpuzzle.pddl.matching import no_plan
from unpuzzle.rendering.analysis import comparison_panels
from unpuzzle.rendering.saving import kind_of
from unpuzzle.rendering.svg import picture_svg
from unpuzzle.verification.move_comparison import MovesComparison, compare_moves, positions_after, text_of
from unpuzzle.workspace.inputs import GameInput, Input, LevelInput, ReadLevel, Show

EXAMPLE_REPLAY = """unpuzzle replay boxup 1 ULDRR --draw
  unpuzzle replay sokoban levels.sok --solutions
  unpuzzle replay sokoban 1 ullRDR --against best
  unpuzzle replay boxup 1 ULDRR --against LURDRR -o apart.svg"""
SEE_REPLAY = "`trace` shows what each step changes, `validate` whether a plan is valid for PDDL files"
BEST = "best"
EXAMPLE_TRACE = """unpuzzle trace sokoban.txt 1 uuldr --json
  unpuzzle trace sokoban.txt 1 uuldr --fired --picture rules.svg      which rule did it?
  unpuzzle trace domain.pddl problem.pddl plan.txt"""
SEE_TRACE = "`replay` says whether moves are a solution, `validate` whether a plan is valid for PDDL files"
PIXELS = 24
"""The size of a cell on small boards."""


# The command `replay`.


def arguments_replay(parser: ArgumentParser) -> None:
    add_moves(parser)
    flag(parser, "--solutions", "play the solutions in a file of levels, of one level or all; without MOVES")
    flag(parser, "--draw", "draw the position after every move")
    about = f"compare with these moves, or a file with them, or with {BEST}, an optimal solution: where do they differ?"
    option(parser, "--against MOVES2", about)
    add_output(parser)
    add_limits(parser)


class ReplayRequest(LevelInput):
    """A request to play moves; `draw` shows every position, `picture` is a file for a drawing of the moves."""

    moves: tuple[str, ...]
    draw: bool = False
    picture: PictureFile = PictureFile()

    def call(self, show: Show = None) -> Replay:
        with phase("playing the moves"):
            return replay(self.position, self.moves)

    def legal(self, outcome: Replay) -> tuple[str, ...]:
        """Return the moves up to the first illegal move."""
        return self.moves if outcome.step is None else self.moves[: outcome.step - 1]


class ComparisonRequest(LevelInput):
    """A request to compare moves with `others` or, if `others` is None, with an optimal solution."""

    moves: tuple[str, ...]
    others: tuple[str, ...] | None
    picture: PictureFile = PictureFile()

    def call(self, show: Show = None) -> MovesComparison:
        return compare_moves(self.position, self.moves, self.others)


class SolutionsRequest(GameInput):
    """A request to play the solutions in a file of levels."""

    file: LevelFile

    def call(self, show: Show = None) -> Answer:
        return judged_solutions(self.file, self.game)


def read_replay(options: Namespace) -> Input:
    """Read the level and the moves, or the file with the solutions."""
    picture = picture_file(options, options.output)
    if options.against is not None:
        if options.solutions or options.draw:
            wrong = "draw" if options.draw else "solutions"
            raise UsageError(f"--against shows where two sequences of moves differ: leave out --{wrong}")
        picture.require_panels()
        level = read_level(options.puzzle, options.level, options.obstacles)
        others = None if options.against == BEST else read_moves(level, [options.against])
        return ComparisonRequest(level, read_moves(level, options.moves), others, picture)
    if options.solutions:
        if options.moves or options.draw or options.output is not None:
            raise UsageError(
                "--solutions plays the moves of the file, and draws nothing: leave out MOVES, --draw, --output"
            )
        game = read_game(options.puzzle)
        return SolutionsRequest(game, level_file(game, options.puzzle, options.level, options.obstacles))
    if options.output is not None:
        picture.require()
    level = read_level(options.puzzle, options.level, options.obstacles)
    return ReplayRequest(level, read_moves(level, options.moves), options.draw, picture)


def read_moves(level: ReadLevel, words: Sequence[str]) -> tuple[str, ...]:
    """Return the moves that are given as words or in a file. Raises ParseError for a file with a domain or problem."""
    text = moves_text(words)
    if (wrong := no_plan(text, words[0] if words else "", "a plan or moves")) is not None:
        raise wrong
    with PlayingGame(*level.played()):
        return tuple(as_moves(level.position, text))


def present_replay(request: Input, outcome: Replay | MovesComparison | Answer, view: View) -> Answer:
    if isinstance(request, ComparisonRequest):
        return _compared(request, outcome, view)  # type: ignore[arg-type]
    return _played(request, outcome, view) if isinstance(request, ReplayRequest) else outcome  # type: ignore


def _played(request: ReplayRequest, outcome: Replay, view: View) -> Answer:
    """Return the answer that says whether the moves are a solution, with drawings if requested."""
    legal = request.legal(outcome)
    fields = {name: getattr(outcome, name) for name in ("legal", "solved", "cost", "step", "reason")}
    if request.picture.path is not None:
        fields["file"] = request.picture.draw(request.position, legal)
    picture = pictures(request.position, legal) if request.draw else f"{text_picture(outcome.position)}\n"
    sentence = f"solved: cost {outcome.cost}" if outcome.solved else f"not solved: {outcome.reason}"
    answer = Answer(YES if outcome.solved else NO, fields, sentence if view.quiet else f"{picture}{sentence}")
    answer.remark(request.position, view)
    answer.warn(of_level(request.level, doubtful=not outcome.solved))
    return answer


def _compared(request: ComparisonRequest, comparison: MovesComparison, view: View) -> Answer:
    """Return the answer that says where two sequences of moves differ: yes if the first costs at most as much."""
    text = text_of(comparison, quiet=view.quiet)
    if not view.quiet and comparison.second is not None:
        text += f"\n\n{_side_by_side(comparison)}"
    verdict = comparison.as_good
    unknown = max(NO_ANSWER, OF_STATUS.get(comparison.status, NO_ANSWER))  # a planner may have broken
    answer = Answer(NO if verdict is False else YES if verdict else unknown, comparison, text)
    if request.picture.path is not None:
        answer.fields["file"] = request.picture.draw_panels(comparison_panels(comparison))
    if verdict is None:
        answer.complain(f"unpuzzle: {_unknown(comparison)}")
        answer.fields["message"] = _unknown(comparison)
    return answer


def _side_by_side(comparison: MovesComparison) -> str:
    """Return pictures side by side: the position before the difference, and the position after each next move."""
    shown = [("from here", comparison.parting.draw())]
    moves = comparison.next_moves()
    for name, move, after in zip(("first", "second"), moves, positions_after(comparison), strict=True):
        if after is not None:
            other = comparison.kind.replace("_", " ") if name == "second" and comparison.kind != "given" else name
            shown.append((f"{other}: {move}", after.draw()))
    return beside(shown)


def _unknown(comparison: MovesComparison) -> str:
    """Return the reason why it is unknown whether the first solution is optimal."""
    if comparison.second is None:
        return f"{comparison.status}: no solution to compare with was found"
    return f"{comparison.status}: the solution to compare with is not proved optimal"


# The command `trace`.


def add_moves(parser: ArgumentParser) -> None:
    add_level(parser)
    operand(parser, "MOVES", "moves, separated by blanks or run together, such as ULDRR; or a file of moves", nargs="*")


def arguments_trace(parser: ArgumentParser) -> None:
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
        """Play the inputs and return the trace; after an interruption or at a limit, return the trace so far."""
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


def read_trace(options: Namespace) -> TraceRequest:
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


def present_trace(request: TraceRequest, outcome: TraceOutcome, view: View) -> Answer:
    """Return the effects of each input, and draw the boards if requested."""
    tracing, ending = outcome.tracing, {}
    code, complaint = NO if tracing.valid is False else YES, outcome.complaint
    if outcome.ended_by is not None:
        code, status = of_error(outcome.ended_by) or (BROKEN, FAULT)
        message = f"{str(outcome.ended_by) or 'interrupted'}: {tracing.place()} did not end"
        ending, complaint = {"status": status, "message": message}, f"unpuzzle: {message}"
    lines = tracing.lines() if request.game.level_ending != ".pddl" else changes_in_colours(tracing.lines())
    answer = Answer(code, tracing.to_dict() | ending, "\n".join(lines), complaint)
    if request.picture is not None and (ground := tracing.picture()) is not None:
        save_beside(answer, request.picture, lambda: picture_svg(ground, (), pixels=PIXELS))
    answer.warn(of_texts(request.game, request.puzzle, request.text, request.source, doubtful=tracing.valid is False))
    return answer
