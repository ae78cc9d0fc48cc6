"""A game that is made at run time: `leaps.rules` names its moves, and what each of them adds to a number.

The game is an object, its positions know it; its domain is written from the rules.
"""

from pathlib import Path

from unpuzzle import Game, IllegalMove, ParseError, Position


class Leaps(Game):
    """The game of a file of rules."""

    def __init__(self, file):
        rules = dict(line.split(maxsplit=1) for line in Path(file).read_text().splitlines())
        self.name = Path(file).stem
        self.title = rules.pop("title")
        self.most = int(rules.pop("most"))
        self.leaps = {move: -int(by) if move == "back" else int(by) for move, by in rules.items()}
        self.levels = {str(number): f"{number}\n" for number in (0, 1, 5)}
        self.one_letter_moves = False
        self.actions = dict(zip(self.leaps, self.leaps, strict=True))
        predicates = " ".join(f"({move}-leads ?a ?b - place)" for move in self.leaps)
        actions = "\n".join(
            f"(:action {move} :parameters (?a ?b - place) :precondition (and (now ?a) ({move}-leads ?a ?b))"
            " :effect (and (not (now ?a)) (now ?b)))"
            for move in self.leaps
        )
        head = f"(define (domain {self.name}) (:requirements :strips :typing) (:types place)"
        self.pddl = f"{head}\n(:predicates (now ?n - place) {predicates})\n{actions})"

    def parse(self, text, source=None):
        line = text.removeprefix("\ufeff").rstrip("\r\n")
        if not (line.isascii() and line.isdigit() and len(line) < 4 and int(line) <= self.most):
            raise ParseError(f"a level is a number from 0 to {self.most}", file=source, line=1, column=1)
        return Number(self, int(line))


class Number(Position):
    """A number, and the game that says what may be added to it."""

    def __init__(self, game, number):
        self._game = game
        self.number = number

    @property
    def game(self):
        return self._game

    def __str__(self):
        return f"{self.number}\n"

    def moves(self):
        return tuple(move for move, by in self.game.leaps.items() if 0 <= self.number + by <= self.game.most)

    def apply(self, move):
        if move not in self.moves():
            raise IllegalMove(f"{move!r} does not lead from {self.number}", move=move)
        return Number(self.game, self.number + self.game.leaps[move])

    def solved(self):
        return self.number == self.game.most

    def objects(self):
        return {"place": [f"n{number}" for number in range(self.game.most + 1)]}

    def statics(self):
        numbers = range(self.game.most + 1)
        return [
            (f"{move}-leads", f"n{number}", f"n{number + by}")
            for move, by in self.game.leaps.items()
            for number in numbers
            if number + by in numbers
        ]

    def facts(self):
        return [("now", f"n{self.number}")]

    def goal_condition(self):
        return [("now", f"n{self.game.most}")]


LEAPS = Leaps(Path(__file__).with_name("leaps.rules"))
