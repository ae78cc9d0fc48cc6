"""unpuzzle trace GAME LEVEL INPUTS: boards of a game in PuzzleScript; facts of a PDDL domain."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from unpuzzle.cli.answer import BROKEN, FAULT, NO, YES, Answer, of_error
from unpuzzle.cli.drawing import changes_in_colours
from unpuzzle.cli.files import level_text, moves_text, read_game, save_beside, unplayable
from unpuzzle.cli.oddities import of_level
from unpuzzle.cli.parser import add_limits, flag, operand, option
from unpuzzle.errors import LimitReached, ParseError, UsageError
from unpuzzle.puzzle.capabilities import Traced, offered
from unpuzzle.rendering.saving import kind_of
from unpuzzle.rendering.svg import picture_svg
from unpuzzle.run import phase

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
    option(parser, "--seed S", "for PuzzleScript: seed of what is left to chance; default: 1", default="")
    flag(parser, "--through", "for PuzzleScript: go on in the next level, without messages")
    flag(parser, "--fired", "for PuzzleScript: show each rule that fires, with its line, where, and what it changes")
    option(parser, "--picture FILE.svg", "with --fired: draw the board after each step, small")
    flag(parser, "--states", "for PDDL: show all facts after each step")
    add_limits(parser)


def _require_svg(options: Namespace) -> None:
    """Raise UsageError, before any work, if there is no picture to make."""
    if not options.fired:
        raise UsageError("--picture shows the rules that fire: add --fired")
    if not options.picture.lower().endswith(".svg"):
        raise UsageError(f"{options.picture}: the name of this picture ends with .svg")
    kind_of(options.picture)


def execute(options: Namespace) -> Answer:
    """Play inputs, and show the result of each; if interrupted or out of time, answer with the part so far."""
    if options.picture is not None:
        _require_svg(options)
    game = read_game(options.puzzle, options)
    if (traced := offered(game, Traced)) is None:
        raise UsageError(f"{options.puzzle} cannot be traced: games in PuzzleScript and PDDL domains can")
    bundled = options.level in game.levels
    text, name = (game.levels[options.level], None) if bundled else level_text(game, options.puzzle, options.level)[:2]
    options.level_read = text, f"{options.puzzle} {options.level}" if bundled else options.level
    inputs, level = moves_text([options.inputs], options), options.level if bundled else text
    settings = {"engine": options.engine, "seed": options.seed, "through": options.through, "states": options.states}
    if options.fired:
        settings["rules"] = True
    tracing = traced.trace(level, inputs, **settings)
    code, complaint, ending = YES, "", {}
    try:
        with phase("playing the inputs"):
            tracing.run()
            code = NO if tracing.valid is False else YES
            if not tracing.ended:
                complaint = unplayable(game.parse(text))
    except ParseError as error:
        if error.file is None and error.line is not None:
            game.parse(text, name)  # its error names the file, if the fault is in the level
        raise
    except (LimitReached, KeyboardInterrupt) as error:
        code, status = of_error(error) or (BROKEN, FAULT)
        ending = {"status": status, "message": f"{str(error) or 'interrupted'}: {tracing.place()} did not end"}
        complaint = f"unpuzzle: {ending['message']}"
    lines = changes_in_colours(tracing.lines()) if game.level_ending == ".pddl" else tracing.lines()
    answer = Answer(code, tracing.to_dict() | ending, "\n".join(lines), complaint)
    if options.picture is not None and (ground := tracing.picture()) is not None:
        save_beside(answer, options.picture, lambda: picture_svg(ground, (), pixels=PIXELS))
    answer.warn(of_level(options, doubtful=tracing.valid is False))
    return answer
