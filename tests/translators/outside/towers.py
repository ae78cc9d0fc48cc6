"""Hanoi as in textbooks of PDDL: (move DISC FROM TO), where FROM and TO may be discs; `decode` looks for the pegs."""

from unpuzzle import IllegalMove, ParseError, Puzzle
from unpuzzle.puzzle.task import foreign

DOMAIN = """
(define (domain towers)
  (:requirements :strips)
  (:predicates (clear ?x) (on ?x ?y) (smaller ?big ?small))
  (:action move
    :parameters (?disc ?from ?to)
    :precondition (and (smaller ?to ?disc) (on ?disc ?from) (clear ?disc) (clear ?to))
    :effect (and (clear ?from) (on ?disc ?to) (not (on ?disc ?from)) (not (clear ?to)))))
"""


class Towers(Puzzle):
    """A position: the discs on three pegs, largest first. A move is two pegs, such as AC."""

    name = "towers"
    title = "Towers: the tower of Hanoi"
    levels = {"1": "1\n-\n-\n", "3": "321\n-\n-\n"}
    one_letter_moves = False
    pddl = DOMAIN

    def __init__(self, pegs):
        self.pegs = pegs

    @classmethod
    def parse(cls, text, source=None):
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").removesuffix("\n").split("\n")
        pegs = tuple(line.replace("-", "") for line in lines)
        discs = sorted("".join(pegs))
        if len(lines) != 3 or not discs or discs != list("123456789"[: len(discs)]):
            raise ParseError("a level has three lines with the discs from 1 on", file=source, line=1, column=1)
        for number, (line, peg) in enumerate(zip(lines, pegs, strict=True), 1):
            if (line if peg else "-") != (peg or line) or list(peg) != sorted(peg, reverse=True):
                raise ParseError("a peg is - or discs, largest first", file=source, line=number, column=1, text=line)
        return cls(pegs)

    def __str__(self):
        return "".join(f"{peg or '-'}\n" for peg in self.pegs)

    def _key(self):
        return self.pegs

    def moves(self):
        tops = [peg[-1:] or "9a" for peg in self.pegs]
        return tuple("ABC"[i] + "ABC"[j] for i in range(3) for j in range(3) if self.pegs[i] and tops[i] < tops[j])

    def apply(self, move):
        if move not in self.moves():
            raise IllegalMove(f"{move!r} is not legal: the moves are {', '.join(self.moves())}", move=move)
        start, end = map("ABC".index, move)
        pegs = list(self.pegs)
        pegs[end] += pegs[start][-1]
        pegs[start] = pegs[start][:-1]
        return Towers(tuple(pegs))

    def solved(self):
        return not self.pegs[0] and not self.pegs[1]

    def objects(self):
        return {"object": ["a", "b", "c", *sorted(f"d{disc}" for disc in "".join(self.pegs))]}

    def statics(self):
        discs = sorted("".join(self.pegs))
        smaller = [("smaller", f"d{big}", f"d{small}") for big in discs for small in discs if small < big]
        return [*smaller, *[("smaller", peg, f"d{disc}") for peg in "abc" for disc in discs]]

    def facts(self):
        found = []
        for name, peg in zip("abc", self.pegs, strict=True):
            stack = [name, *(f"d{disc}" for disc in peg)]
            found += [("on", upper, lower) for lower, upper in zip(stack, stack[1:], strict=False)]
            found.append(("clear", stack[-1]))
        return found

    def goal_condition(self):
        discs = sorted("".join(self.pegs), reverse=True)
        return [("on", f"d{disc}", f"d{below}") for below, disc in zip(discs, discs[1:], strict=False)] + [
            ("on", f"d{discs[0]}", "c")
        ]

    def decode(self, action):
        if action.name != "move" or len(action.arguments) != 3:
            raise foreign(action, "the only action is (move DISC FROM TO)")
        return "".join(self._peg_of(argument) for argument in (action.arguments[0], action.arguments[2]))

    def _peg_of(self, thing):
        return thing.upper() if thing in "abc" else next("ABC"[i] for i in range(3) if thing[1:] in self.pegs[i])
