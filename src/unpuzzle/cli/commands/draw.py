"""unpuzzle draw PUZZLE LEVEL [MOVES] [-o FILE] [--graph FILE]."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli import collections
from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.commands.replay import add_moves, play_moves
from unpuzzle.cli.drawing import draw_file, draw_graph, require_graph, require_output, require_picture, text_picture
from unpuzzle.cli.files import level_file, read_game, the_level
from unpuzzle.cli.parser import add_limits, add_output, flag, option

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


def execute(options: Namespace) -> Answer:
    """Draw a level, a level and moves, or all levels of a file."""
    game = read_game(options.puzzle, options)
    require_output(options, game)
    if options.graph is not None:
        require_graph(options)
    file = level_file(game, options.puzzle, options.level, options)
    if len(file.levels) > 1:
        collections.require_sheet(options)
        return collections.draw_all(file, game, options)
    level, outcome, legal = play_moves(the_level(file, game, options), options)
    require_picture(level)
    fields = {"picture": outcome.position.draw(), "legal": outcome.legal, "step": outcome.step}
    fields["reason"] = "" if outcome.legal else outcome.reason
    fields["file"] = draw_file(outcome.position, (), options) if options.still else draw_file(level, legal, options)
    if options.graph is not None:
        fields["graph"], note = draw_graph(outcome.position, options)
        if outcome.legal:
            files = [str(name) for name in (fields["file"], options.graph) if name]
            return Answer(YES, fields, "" if options.quiet else "\n".join(files), note)
    if not outcome.legal:
        before = f"; {options.output} shows what was legal" if options.output else ""
        text = "" if options.output else text_picture(outcome.position)
        return Answer(NO, fields, text, f"unpuzzle: {outcome.reason}{before}")
    text = "" if options.quiet and options.output else options.output or text_picture(outcome.position)
    answer = Answer(YES, fields, text)
    answer.remark(level, options)
    return answer
