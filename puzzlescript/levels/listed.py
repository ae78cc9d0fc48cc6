"""The levels of a game by number, from 0, messages counted; a level can be asked for by the message before it, too."""

from __future__ import annotations

from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.playing.states import State


class Levels(dict[str, str]):
    """The texts of a game's levels by number; `states` has what the compiler made of each text."""

    def __init__(self, game: Compiled) -> None:
        super().__init__({str(n): f"{level.text}\n" for n, level in enumerate(game.levels) if level.width})
        self.states: dict[str, State] = {level.text: State(*level[:3]) for level in game.levels if level.width}
        self._numbers: dict[str, str] = {}
        for number, level in enumerate(game.levels[:-1]):
            if not level.width and str(number + 1) in self:
                self._numbers.setdefault(_simplified(level.text), str(number + 1))

    def number(self, name: str) -> int | None:
        """Return the number of the level that has a number or name; None where no level has it."""
        number = name if dict.__contains__(self, name) else self._numbers.get(_simplified(name))
        return None if number is None else int(number)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.number(name) is not None

    def __missing__(self, name: str) -> str:
        number = self.number(name)
        if number is None:
            raise KeyError(name)
        return self[str(number)]


def _simplified(message: str) -> str:
    """Return a message as the name of a level: in lower case, without full stops, which names of files have."""
    return message.lower().rstrip(" .!?")
