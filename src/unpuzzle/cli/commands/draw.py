"""The command `unpuzzle draw PUZZLE LEVEL [MOVES]`: draw a level, or moves, in the terminal or into a file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import NO, YES
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.collections import SheetRequest
from unpuzzle.cli.commands.replay import ReplayRequest, add_moves, read_moves
from unpuzzle.cli.drawing import PictureFile, picture_file, require_picture, text_picture
from unpuzzle.cli.files import level_file, read_game, the_level
from unpuzzle.cli.parser import add_limits, add_output, flag, option
from unpuzzle.cli.refusals import PlayingGame, ReadingPddl
from unpuzzle.puzzle.replaying import Replay
from unpuzzle.workspace.inputs import Input

EXAMPLE = """unpuzzle draw boxup 1 ULDRR -o solution.svg
  unpuzzle draw sokoban levels.sok -o sheet.pdf        all levels of a file
  unpuzzle draw domain.pddl p1 --graph objects.svg"""


def arguments(parser: ArgumentParser) -> None:
    add_moves(parser)
    flag(parser, "--still", "draw only the position after the moves, not the way to it")
    about = "draw the PDDL objects of the position after the moves as a graph, into a file such as x.svg"
    add_output(parser)
    option(parser, "--graph FILE", about)
    add_limits(parser)


class DrawRequest(ReplayRequest):
    """A request to draw a level and moves: only the last position if `still`; `graph` is a file for an object graph."""

    still: bool = False
    graph: PictureFile = PictureFile()


def read(options: Namespace) -> Input:
    """Read a level and moves, or all levels of a file."""
    picture, graph = picture_file(options, options.output), picture_file(options, options.graph)
    with ReadingPddl(options.puzzle, options.level):
        game = read_game(options.puzzle)
        with PlayingGame(game):
            picture.require(game)
        graph.require_panels("a graph of objects")
        file = level_file(game, options.puzzle, options.level, options.obstacles)
        if len(file.levels) > 1:
            if options.moves or options.graph is not None:
                raise UsageError("MOVES and --graph are for one level: name it, such as FILE:1")
            return SheetRequest(game, file, picture, View(options.quiet))
        level = the_level(file, game, options.puzzle)
    moves = read_moves(level, options.moves)
    return DrawRequest(level, moves, False, picture, options.still, graph)


def present(asked: Input, outcome: Replay | Answer, view: View) -> Answer:
    """Return the drawing of a level, or of a level and moves."""
    if isinstance(outcome, Answer):
        return outcome
    assert isinstance(asked, DrawRequest)
    require_picture(asked.position)
    fields = {"picture": outcome.position.draw(), "legal": outcome.legal, "step": outcome.step}
    fields["reason"] = "" if outcome.legal else outcome.reason
    file, graph = asked.picture.path, asked.graph.path
    asked.picture.draw(outcome.position if asked.still else asked.position, () if asked.still else asked.legal(outcome))
    fields["file"] = file
    if graph is not None:
        fields["graph"], note = graph, asked.graph.draw_graph(outcome.position)
        if outcome.legal:
            files = [name for name in (file, graph) if name]
            return Answer(YES, fields, "" if view.quiet else "\n".join(files), note and f"unpuzzle: {note}")
    if not outcome.legal:
        before = f"; {file} shows what was legal" if file else ""
        text = "" if file else text_picture(outcome.position)
        return Answer(NO, fields, text, f"unpuzzle: {outcome.reason}{before}")
    answer = Answer(YES, fields, "" if view.quiet and file else file or text_picture(outcome.position))
    answer.remark(asked.position, view)
    return answer
