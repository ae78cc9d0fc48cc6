"""unpuzzle trace GAME LEVEL INPUTS."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from typing import Any

    from unpuzzle.cli.answer import Answer
    from unpuzzle.puzzlescript.playing.tracing import Trace

EXAMPLE = "unpuzzle trace sokoban.txt 1 uuldr --json"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.parser import add_limits

    parser.add_argument("puzzle", metavar="GAME", help="a game in PuzzleScript, a .txt file")
    parser.add_argument("level", metavar="LEVEL", help="a level's number or name, a file, or - for standard input")
    parser.add_argument("inputs", metavar="INPUTS", help="u l d r, x action, t tick, z undo, ! restart, run together")
    parser.add_argument("--engine", metavar="NAME", default="python", help="python or native; default: python")
    parser.add_argument("--seed", metavar="S", default="1", help="of what is left to chance; default: 1")
    parser.add_argument("--through", action="store_true", help="go on in the next level, without messages")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Play inputs, and show each board; interrupted or out of time, answer with the boards that there are."""
    from unpuzzle.cli.files import level_text, read_game, unplayable
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.errors import LimitReached, ParseError
    from unpuzzle.limits import Deadline
    from unpuzzle.planning.watch import Within
    from unpuzzle.puzzlescript.game import ScriptGame
    from unpuzzle.puzzlescript.playing.tracing import Trace, trace
    from unpuzzle.solving import engine_of

    game = read_game(options.puzzle, options)
    if not isinstance(game, ScriptGame):
        raise ParseError(f"{options.puzzle} is no game in PuzzleScript, whose boards after each input could be shown")
    known = options.level in game.levels
    text = game.levels[options.level] if known else level_text(game, options.puzzle, options.level)[0]
    inputs = "".join(options.inputs.split()).lower()
    engine, found, ended, complaint = engine_of(options.engine, game.compiled), Trace(), None, ""
    engine.tick = Deadline(limits_left(options), "playing the inputs")
    try:
        trace(game, options.level if known else text, inputs, engine, options.seed, options.through, found)
        if not (found.capped or found.won):
            with Within(game, engine.tick):
                complaint = unplayable(game.parse(text))
    except (LimitReached, KeyboardInterrupt) as error:
        ended = error
    return _answer(found, inputs, ended, complaint)


def _answer(found: Trace, inputs: str, ended: BaseException | None, complaint: str) -> Answer:
    """The boards, and what ended the play before its time, or else what is to be said of the level."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.puzzlescript.playing.applying import endless_message

    fields: dict[str, Any] = {
        "start": found.start,
        "boards": found.boards,
        "won": found.won,
        "capped": found.capped,
        "loops": [
            {"input": number, "line": line, "message": endless_message(loop)} for number, (line, loop) in found.endless
        ],
    }
    lines = [f"start  {found.start}"]
    lines += [
        f"{n}: {key}  {board or '='}" for n, (key, board) in enumerate(zip(inputs, found.boards, strict=False), 1)
    ]
    if found.won is not None:
        lines.append(f"input {found.won} wins")
    if found.capped:
        lines.append(f"input {len(found.boards) + 1} sets off turns of `again` that never end")
    for number, (line, loop) in found.endless:
        when = f"input {number}" if number else "the start"
        lines.append(f"in {when}, line {line}: {endless_message(loop)}")
    if ended is None:
        return Answer(exits.YES, fields, "\n".join(lines), complaint)
    known = exits.of_error(ended)
    assert known is not None
    turn = "the turns that the level begins with" if not found.start else f"input {len(found.boards) + 1}"
    fields |= {"status": known[1], "message": f"{str(ended) or 'interrupted'}: {turn} did not end"}
    return Answer(known[0], fields, "\n".join(lines) if found.start else "", f"unpuzzle: {fields['message']}")
