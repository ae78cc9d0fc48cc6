"""Inputs played on a level, and the board after each: so that engines can be compared, here and elsewhere."""

from __future__ import annotations

from unpuzzle.errors import ParseError
from unpuzzle.puzzlescript.playing.states import State

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.puzzlescript.game import ScriptGame
    from unpuzzle.puzzlescript.playing.applying import Endless
    from unpuzzle.puzzlescript.playing.engine import Engine, Playing

INPUTS = "uldrxtz!"


class Trace:
    """What a play came to.

    Attributes: `start`, the board in which play begins; `boards` after each input, empty where it is as before, the
    first one always whole; `won`, the number of the input that won, or None; `capped`, whether an input was followed by
    turns of `again` without end; `endless`, the groups of rules and loops that were cut off, with the number of the
    input, which is 0 for the start. The input that wins or never ends is the last one, and its board is left out.
    """

    __slots__ = ("boards", "capped", "endless", "start", "won")

    def __init__(self) -> None:
        self.start = ""
        self.boards: list[str] = []
        self.won: int | None = None
        self.capped = False
        self.endless: list[tuple[int, Endless]] = []

    def note_endless(self, count: int, session: Playing) -> None:
        """Add the groups and loops that input number `count` cut off."""
        self.endless += [(count, each) for each in sorted(session.endless)]


class Tracer:
    """Plays on; `number` is that of the level, or None for one that is none of the game's."""

    def __init__(self, game: ScriptGame, engine: Engine, seed: str, messages: bool) -> None:
        self.game = game
        self.engine = engine
        self.seed = seed
        self.messages = messages
        self.drawn = 0
        self.number: int | None = None

    def begin(self, number: int) -> None:
        """Starts a level of the game's."""
        level = self.game.compiled.levels[number]
        self.number = number
        self.play(State(level.width, level.height, level.cells), fresh=True)

    def play(self, state: State, fresh: bool) -> None:
        """Goes on from a state."""
        self.state = state._replace(seed=self.seed, drawn=self.drawn)
        self.session: Playing = self.engine.play(self.state, self.messages)
        if fresh:
            self.session.start()

    def go_on(self) -> bool:
        """Starts the next level; whether there is one."""
        levels = self.game.compiled.levels
        following = (
            (n for n in range(self.number + 1, len(levels)) if levels[n].width) if self.number is not None else ()
        )
        number = next(iter(following), None)
        if number is not None:
            self.drawn = self.session.drawn
            self.begin(number)
        return number is not None

    def board(self) -> str:
        """The board as text."""
        return self.game.text.board(self.session.cells, self.state.width, self.state.height)


def trace(
    game: ScriptGame,
    level: str,
    inputs: str,
    engine: Engine,
    seed: str = "1",
    through: bool = False,
    found: Trace | None = None,
) -> Trace:
    """Plays inputs on a level, which is a number, a name, or the text of one.

    With `through` a level that is won is followed by the next one, without messages. `found` is filled in and returned,
    so that whoever gave it has the boards even where `engine.tick` ends the play. Raises ParseError for what is no
    level or no input.
    """
    found = Trace() if found is None else found
    _check(inputs)
    tracer = Tracer(game, engine, seed, messages=not through)
    number = game.levels.number(level)
    if number is not None:
        tracer.begin(number)
    else:
        tracer.play(*game.text.read(level, None))
    found.start = tracer.board()
    found.note_endless(0, tracer.session)
    if tracer.session.capped:  # the level never comes to rest
        found.capped = True
        return found
    before = None
    for count, key in enumerate(inputs, 1):
        tracer.session.press(key)
        found.note_endless(count, tracer.session)
        if tracer.session.capped:
            found.capped = True
            break
        if tracer.session.won and not (through and tracer.go_on()):
            found.won = count
            break
        board = tracer.board()
        found.boards.append("" if board == before else board)
        before = board
    return found


def _check(inputs: str) -> None:
    for column, key in enumerate(inputs, 1):
        if key not in INPUTS:
            message = f"{key!r} is no input; there are {' '.join(INPUTS)}"
            raise ParseError(message, file="input", column=column, text=inputs)
