"""Partly known boards: where a rule depends on an unknown object, the translation plays on with and without it.

All work is measured by counts instead of time, so that refusals are the same on every machine: see `Effort`. The plays
for guessing assumptions count, too: the engine plays them on counting boards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from unpuzzle.base.errors import EffortSpent, UnsupportedFeature
from unpuzzle.base.run import current
from unpuzzle.puzzlescript.compiling.compiled import Compiled, bits, flip
from unpuzzle.puzzlescript.engine.board import CellFinder, Match, PlayBoard, RuleFinder, board_of
from unpuzzle.puzzlescript.engine.engine import Play, PythonEngine
from unpuzzle.puzzlescript.engine.states import Draws, State

Number = tuple[int, int | None]
Answer = tuple[int, int, bool]  # cell, object, whether it is there

PER_LOOK, PER_QUESTION, PER_COMBINATION = 8, 40, 24
"""The effort counted for a look, a question, and a combination of matches."""
NO_DRAWS = Draws("")
"""A source of chance that is never used: games with chance have no PDDL."""
PER_RULE, PER_MATCH = 20, 12
"""Steps of effort for a matching rule: turns continue only if one matches."""
MOST_STEPS = 24_000_000
STEPS_PER_TICK = 4_000


class CountedBoard(PlayBoard):
    """A board that counts how often rules are matched on it, which measures the work of a translation."""

    __slots__ = ("effort",)

    def __init__(self, cells: list[int], moves: list[int], where: list[int], moving: list[int], effort: Effort) -> None:
        super().__init__(cells, moves, where, moving)
        self.effort: Effort = effort

    def copy(self) -> CountedBoard:
        return CountedBoard(self.cells[:], self.moves[:], self.where[:], self.moving[:], self.effort)

    def settle(self, rule: RuleFinder, possible: list[list[Match]]) -> list[list[Match]] | None:
        self.effort.spend(PER_RULE + PER_MATCH * prod(map(len, possible)), rule.rule.line)
        return possible


class CountedEngine(PythonEngine):
    """An engine in Python that counts how often rules are matched on its boards."""

    def __init__(self, game: Compiled, effort: Effort) -> None:
        super().__init__(game)
        self.effort = effort
        self._last: PlayBoard | None = None

    def board(self, state: State) -> PlayBoard:
        board = self.plain(state.cells)
        return CountedBoard(board.cells, board.moves, board.where, board.moving, self.effort)

    def _play(self, state: State, board: PlayBoard, shows_messages: bool) -> Play:
        return Play(self.turner(state.width, state.height), board, NO_DRAWS, shows_messages, state.target)

    def plain(self, cells: Sequence[int]) -> PlayBoard:
        """Return a board that counts no work; it is made from the previous board, as few cells differ."""
        board = board_of(cells, self.game) if self._last is None else self._last.copy()
        for cell, (old, new) in enumerate(zip(board.cells, cells, strict=True)):
            if old != new:
                board.put(cell, new, 0)
        self._last = board.copy()
        return board


class Effort:
    """A counter of the work of one translation, which also checks the limits of time and memory.

    Work is counted in steps of about half a microsecond each, where it is done: looks at matches, questions, cells of
    boards that are copied, places that are tried for schemas. `MOST_STEPS` take about ten seconds. A caller may set a
    smaller limit, with its own error.
    """

    def __init__(self, file: str | None, most: int | None = None) -> None:
        self.file = file
        self.most = most
        """A limit of steps below `MOST_STEPS`; None for no such limit."""
        self.steps: int = 0
        self._next = 0
        self.by_line: dict[int, int] = {}
        """The steps for the questions of a rule, by its line."""

    def spend(self, steps: int, line: int = 0) -> None:
        """Add `steps` to the counted work, done for the rule in a line of the game's text.

        Raises UnsupportedFeature if they become too many, EffortSpent if they exceed the caller's limit.
        """
        self.steps += steps
        if line:
            self.by_line[line] = self.by_line.get(line, 0) + steps
        if self.steps >= self._next:
            self._next = self.steps + STEPS_PER_TICK
            current().look()
            if self.steps > MOST_STEPS:
                worst = max(self.by_line, key=self.by_line.__getitem__, default=None)
                cause = "this rule and others test so much of the board that there are too many cases"
                sentence = f"this level cannot be written as PDDL: {cause}"
                raise UnsupportedFeature(sentence, feature="PDDL", file=self.file, line=worst)
            require_affordable(self.steps, self.most)


def require_affordable(steps: int, most: int | None) -> None:
    """Raise EffortSpent if `steps` is more than `most`; a `most` of None means no limit."""
    if most is not None and steps > most:
        raise EffortSpent(f"this level could not be written as PDDL in {most:,} steps", feature="PDDL")


class Answers:
    """The assumptions of one course of a turn: the objects in `trail` are present or absent at its start.

    They are given ones, those that another path has asked, and answers to questions. The answer to all others is no.
    """

    def __init__(
        self,
        same_layer: Sequence[int],
        never_matching: Mapping[int, object],
        numbers: Sequence[Number],
        counted: int,
        effort: Effort,
    ) -> None:
        self.same_layer = same_layer
        """By object, the objects of its layer; only one of them is on a cell."""
        self.never_matching = never_matching
        """Rules, by identity, that match nowhere at the start."""
        self.numbers = numbers
        """By object, the least and the largest number of it."""
        self.counted = counted
        """The objects with at least one known bound."""
        self.trail: list[Answer] = []
        self.boards: list[UnknownBoard] = []
        self.effort = effort

    def ask(self, cell: int, objects: int) -> None:
        """Assume that the first of `objects` is absent from a cell; another course of the turn assumes the opposite."""
        self.tell(cell, (objects & -objects).bit_length() - 1, False)

    def tell(self, cell: int, number: int, there: bool) -> None:
        """Record, on all boards of this course of the turn, that an object is in a cell or is absent from it."""
        self.trail.append((cell, number, there))
        self._learn(cell, number, there)
        for mate in bits((self.same_layer[number] if there else 1 << number) & self.counted):
            self.count(mate)

    def _learn(self, cell: int, number: int, answer: bool) -> None:
        for board in self.boards:
            board.learn(cell, number, answer)

    def close(self) -> None:
        """Release the boards; their memory is then freed at once, in spite of circular references."""
        self.boards.clear()

    def count(self, number: int) -> None:
        """Decide which unknown cells have the object `number`, if all such objects are found or all cells need one."""
        start = self.boards[0]
        least, most = self.numbers[number]
        are_all_found = start.surely[number].bit_count() == most
        if are_all_found or start.where[number].bit_count() == least:
            for cell in bits(start.where[number] & ~start.surely[number]):
                self._learn(cell, number, not are_all_found)


class UnknownBoard(PlayBoard):
    """A board on which some objects are unknown; an object becomes known when a rule depends on it.

    A cell that was never overwritten is as at the start, so a question about it is one question about the start;
    changes by rules are known.

        cells[c]     objects that are surely on the cell          where[o]    cells that may have the object
        unknown[c]   objects of which that is not known           surely[o]   cells that have it

    Matches are first searched in `where`, which costs nothing; only possible matches lead to questions, cell by cell.
    """

    __slots__ = ("answers", "touched", "unknown")

    def __init__(self, plain: PlayBoard, surely: list[int], unknown: list[int], answers: Answers) -> None:
        """Create a board that shares the lists of the board `plain`."""
        super().__init__(plain.cells, plain.moves, plain.where, plain.moving)
        self.surely = surely
        self.unknown: list[int] = unknown
        self.answers: Answers = answers
        self.touched: int = 0
        """The set of cells with a change."""
        answers.boards.append(self)

    def copy(self) -> UnknownBoard:
        copied = self.start(self.answers)
        copied.touched = self.touched
        return copied

    def start(self, answers: Answers) -> UnknownBoard:
        """Return a copy of this board, on which another possible course of the turn is played."""
        return UnknownBoard(super().copy(), self.surely[:], self.unknown[:], answers)

    def place(self, cell: int, objects: int, same_layer: int) -> None:
        """Put objects into a cell at the start of a turn; their layers are otherwise empty in this cell."""
        for number in bits(self.unknown[cell] & same_layer):
            self.where[number] &= ~(1 << cell)
        self.unknown[cell] &= ~same_layer
        self.put(cell, self.cells[cell] | objects, 0)

    def learn(self, cell: int, number: int, there: bool) -> None:
        """Record that an object is in a cell or is absent from it; a layer of a cell has at most one object."""
        if not self.unknown[cell] >> number & 1:
            return
        at, gone = 1 << cell, 1 << number
        self.unknown[cell] &= ~gone
        if there:
            self.cells[cell] |= gone
            self.surely[number] |= at
            gone = self.unknown[cell] & self.answers.same_layer[number]
            self.unknown[cell] &= ~gone
        while gone:
            lowest = gone & -gone
            self.where[lowest.bit_length() - 1] &= ~at
            gone ^= lowest

    def put(self, cell: int, objects: int, moves: int) -> None:
        changed = self.cells[cell] ^ objects
        if changed:
            self.touched |= 1 << cell
            flip(self.surely, changed, 1 << cell)
        super().put(cell, objects, moves)

    def at(self, cell: int, objects: int) -> int:
        """Return the objects in a cell, after making an assumption about each unknown one in `objects`."""
        while unknown := self.unknown[cell] & objects:
            self.answers.ask(cell, unknown)
        return self.cells[cell]

    def fits(self, finder: CellFinder, cell: int) -> bool:
        """Return whether a cell matches a pattern, with assumptions about as few unknown objects as possible."""
        if not self._may_fit(finder, cell):
            return False
        if not all(self.at(cell, 1 << number) >> number & 1 for number in finder.present):
            return False
        if any(self.at(cell, 1 << number) >> number & 1 for number in finder.missing):
            return False
        for group in finder.pattern.any:
            while not self.cells[cell] & group:
                if not self.unknown[cell] & group:
                    return False
                self.answers.ask(cell, self.unknown[cell] & group)
        return True

    def _may_fit(self, finder: CellFinder, cell: int) -> bool:
        """Return whether a cell may match a pattern, without assuming anything about unknown objects."""
        pattern, here = finder.pattern, self.cells[cell]
        may = here | self.unknown[cell]
        return (
            pattern.present & ~may == 0
            and not pattern.missing & here
            and pattern.moves_present & ~self.moves[cell] == 0
            and not pattern.moves_missing & self.moves[cell]
            and all(group & may for group in pattern.any)
        )

    def _surely_fits(self, finder: CellFinder, cell: int) -> bool:
        pattern, here = finder.pattern, self.cells[cell]
        return finder.matches(here, self.moves[cell]) and not pattern.missing & self.unknown[cell]

    def settle(self, rule: RuleFinder, possible: list[list[Match]]) -> list[list[Match]] | None:
        """Return those of a rule's possible matches that are real, with as few assumptions as possible.

        A row that is only a condition is asked for only one match if the rule replaces nothing or replaces the cells of
        only one match: a repeated replacement changes nothing.
        """
        if id(rule) in self.answers.never_matching:
            self.answers.effort.spend(len(possible[0]))
            start, cells = self.answers.boards[0].cells, self.cells
            changed = {cell for cell in bits(self.touched) if start[cell] != cells[cell]}
            possible = [[match for match in possible[0] if not changed.isdisjoint(match)]] if changed else [[]]
            if not possible[0]:
                return None
        self.answers.effort.spend(PER_LOOK * sum([len(row) for row in possible]))
        rows, asked = RuleRows(self, rule, possible), len(self.answers.trail)
        if len(possible) == len(possible[0]) == 1:
            matches = rows.holds(0, possible[0][0])
        else:
            matches = rows.all_match()
            if matches:
                rows.settle_replacing()
                self.answers.effort.spend(PER_COMBINATION * prod(map(len, rows.matches)), rule.rule.line)
        self.answers.effort.spend((len(self.answers.trail) - asked) * PER_QUESTION, rule.rule.line)
        return rows.matches if matches else None


class RuleRows:
    """The rows of a rule on a partly known board, each with its possible matches."""

    def __init__(self, board: UnknownBoard, rule: RuleFinder, possible: list[list[Match]]) -> None:
        self.board = board
        self.rule = rule
        self.matches = possible

    def doubtful(self, row: int) -> int:
        """Return the number of possible matches of a row; 0 if one of its matches is certain."""
        finders = self.rule.rows[row].cells
        return 0 if any(self._sure(finders, match) for match in self.matches[row]) else len(self.matches[row])

    def _sure(self, finders: Sequence[CellFinder], match: Match) -> bool:
        return all(self.board._surely_fits(finder, cell) for finder, cell in zip(finders, match, strict=True))

    def all_match(self) -> bool:
        """Return whether each row has a real match; rows with the fewest possible matches are tested first."""
        doubts = {row: self.doubtful(row) for row in range(len(self.matches))}
        for row in sorted(doubts, key=doubts.__getitem__):
            if doubts[row] and not any(self.holds(row, match) for match in self.matches[row]):
                return False
        return True

    def holds(self, row: int, match: Match) -> bool:
        """Return whether a possible match is real; unknown objects are assumed present or absent only if needed."""
        board, pairs = self.board, list(zip(self.rule.rows[row].cells, match, strict=True))
        if not all(board._may_fit(finder, cell) for finder, cell in pairs):
            return False
        return all(board._surely_fits(finder, cell) or board.fits(finder, cell) for finder, cell in pairs)

    def settle_replacing(self) -> None:
        """Return all real matches of the rows that the rule changes, and one match of each other row."""
        replacing = [
            row
            for row, finder in enumerate(self.rule.rows)
            if self.rule.rule.has_right and any(cell.pattern.replacement is not None for cell in finder.cells)
        ]
        for row in replacing:
            self.matches[row] = [match for match in self.matches[row] if self.holds(row, match)]
        single = all(len(self.matches[row]) == 1 for row in replacing)
        for row in range(len(self.matches)):
            if single and row not in replacing:
                finders = self.rule.rows[row].cells
                sure_first = sorted(self.matches[row], key=lambda match: not self._sure(finders, match))
                self.matches[row] = [next(match for match in sure_first if self.holds(row, match))]
            elif row not in replacing:
                self.matches[row] = [match for match in self.matches[row] if self.holds(row, match)]
