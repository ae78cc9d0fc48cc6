"""The command `unpuzzle replay PUZZLE LEVEL MOVES`: tell whether moves solve a level, or cost more than others."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from unpuzzle.base.errors import NO, NO_ANSWER, OF_STATUS, YES, UsageError
from unpuzzle.base.run import phase
from unpuzzle.checking.move_comparison import MovesComparison, compare_moves, positions_after, text_of
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.collections import judged_solutions
from unpuzzle.cli.drawing import PictureFile, picture_file, pictures, text_picture
from unpuzzle.cli.files import LevelFile, level_file, moves_text, read_game, read_level
from unpuzzle.cli.lint_warnings import of_level
from unpuzzle.cli.parser import add_level, add_limits, add_output, flag, operand, option
from unpuzzle.cli.refusals import PlayingGame
from unpuzzle.drawing.panels import beside
from unpuzzle.pddl.matching import no_plan
from unpuzzle.puzzle.replaying import Replay, as_moves, replay
from unpuzzle.rendering.analysis import comparison_panels
from unpuzzle.workspace.inputs import GameInput, Input, LevelInput, ReadLevel, Show

EXAMPLE = """unpuzzle replay boxup 1 ULDRR --draw
  unpuzzle replay sokoban levels.sok --solutions
  unpuzzle replay sokoban 1 ullRDR --against best
  unpuzzle replay boxup 1 ULDRR --against LURDRR -o apart.svg"""
SEE = "`trace` shows what each step changes, `validate` whether a plan is valid for PDDL files"
BEST = "best"


def arguments(parser: ArgumentParser) -> None:
    add_moves(parser)
    flag(parser, "--solutions", "play the solutions in a file of levels, of one level or all; without MOVES")
    flag(parser, "--draw", "draw the position after every move")
    about = f"compare with these moves, or a file with them, or with {BEST}, an optimal solution: where do they part?"
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


def read(options: Namespace) -> Input:
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
                "--solutions plays the moves in the file, and draws nothing: leave out MOVES, --draw, --output"
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


def present(asked: Input, outcome: Replay | MovesComparison | Answer, view: View) -> Answer:
    if isinstance(asked, ComparisonRequest):
        return _compared(asked, outcome, view)  # type: ignore[arg-type]
    return _played(asked, outcome, view) if isinstance(asked, ReplayRequest) else outcome  # type: ignore


def _played(asked: ReplayRequest, outcome: Replay, view: View) -> Answer:
    """Return the answer whether the moves are a solution, with drawings if requested."""
    legal = asked.legal(outcome)
    fields = {name: getattr(outcome, name) for name in ("legal", "solved", "cost", "step", "reason")}
    if asked.picture.path is not None:
        fields["file"] = asked.picture.draw(asked.position, legal)
    picture = pictures(asked.position, legal) if asked.draw else f"{text_picture(outcome.position)}\n"
    sentence = f"solved: cost {outcome.cost}" if outcome.solved else f"not solved: {outcome.reason}"
    answer = Answer(YES if outcome.solved else NO, fields, sentence if view.quiet else f"{picture}{sentence}")
    answer.remark(asked.position, view)
    answer.warn(of_level(asked.level, doubtful=not outcome.solved))
    return answer


def _compared(asked: ComparisonRequest, comparison: MovesComparison, view: View) -> Answer:
    """Return the answer on where two sequences differ: yes if the first costs at most as much as the second."""
    text = text_of(comparison, quiet=view.quiet)
    if not view.quiet and comparison.second is not None:
        text += f"\n\n{_side_by_side(comparison)}"
    verdict = comparison.as_good
    unknown = max(NO_ANSWER, OF_STATUS.get(comparison.status, NO_ANSWER))  # a planner may have broken
    answer = Answer(NO if verdict is False else YES if verdict else unknown, comparison, text)
    if asked.picture.path is not None:
        answer.fields["file"] = asked.picture.draw_panels(comparison_panels(comparison))
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


def add_moves(parser: ArgumentParser) -> None:
    add_level(parser)
    operand(parser, "MOVES", "separated by blanks or run together: ULDRR; or a file with them", nargs="*")
