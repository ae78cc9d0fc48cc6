"""The slow twin of `unpuzzle.state_space`: lines, choices and traps by listing every optimal solution of a small level.

It shares no code with the product but the rules of the puzzles: positions, their moves, costs and texts. The caller
says what there is besides the walker: `rest(position)` is a set; None where every move is a change.
"""

from fractions import Fraction

from support.slow_space import SlowSpace


class TooManyError(Exception):
    """A level has too many optimal solutions to list."""


class Enumeration(SlowSpace):
    """All positions of a level, and all its optimal solutions, up to `most`."""

    def __init__(self, level, rest=None, most=2000, most_positions=20_000):
        self.level, self.rest = level, rest
        super().__init__(
            level,
            lambda position: [(move, position.cost(move), position.apply(move)) for move in position.moves()],
            lambda position: position.solved(),
            most_positions,
        )
        if not self.complete:
            raise TooManyError
        self.folded = self._folded()
        self.solutions = self._solutions(most) if level in self.left else []

    def is_walk(self, before, after):
        return (
            self.rest is not None
            and before != after
            and self.rest(before) == self.rest(after)
            and any(back == before for _, _, back in self.steps[after])
        )

    def _folded(self):
        """A number by position, the same for those between which one can walk."""
        numbers = {}
        for first in self.steps:
            if first in numbers:
                continue
            numbers[first], stack = len(numbers), [first]
            while stack:
                position = stack.pop()
                for _, _, after in self.steps[position]:
                    if after not in numbers and self.is_walk(position, after):
                        numbers[after] = numbers[first]
                        stack.append(after)
        return numbers

    def _solutions(self, most):
        """Every optimal solution, as a list of (position, move, cost, position after it)."""
        solutions, stack = [], [(self.level, [])]
        while stack:
            position, way = stack.pop()
            if position.solved():
                solutions.append(way)
                if len(solutions) > most:
                    raise TooManyError
                continue
            for move, cost, after in self.steps[position]:
                if after in self.left and self.left[position] == cost + self.left[after]:
                    stack.append((after, [*way, (position, move, cost, after)]))
        return solutions

    def change(self, before, move, after):
        if self.rest is None:
            return move
        old, new = self.rest(before), self.rest(after)
        return old - new, new - old

    def changes(self, way):
        """The changes of a solution, each with the folded position that it leads to."""
        return tuple(
            [
                (self.change(before, move, after), self.folded[after])
                for before, move, _, after in way
                if not self.is_walk(before, after)
            ]
        )

    def lines(self):
        """The number of lines: words of changes, those united that differ by an exchange of neighbours."""
        words = list(dict.fromkeys([self.changes(way) for way in self.solutions]))
        parent = list(range(len(words)))

        def root(number):
            while parent[number] != number:
                number = parent[number]
            return number

        places = {}
        for number, word in enumerate(words):
            for place in range(len(word) - 1):
                (first, _), (second, there) = word[place : place + 2]
                context = word[:place], word[place + 2 :], there
                places.setdefault((context, first, second), []).append(number)
        for (context, first, second), numbers in places.items():
            for other in places.get((context, second, first), []) if first != second else []:
                for number in numbers:
                    parent[root(number)] = root(other)
        return len({root(number) for number in range(len(words))})

    def pushes(self):
        return min(len(self.changes(way)) for way in self.solutions)

    def detours(self, unmet):
        return min(sum(unmet(after) > unmet(before) for before, _, _, after in way) for way in self.solutions)

    def passed(self, way):
        """Return the folded positions of a solution in order, without those in which the level is won."""
        places = [self.level, *[after for *_, after in way]]
        return list(dict.fromkeys([self.folded[position] for position in places if not position.solved()]))

    def choices(self):
        """By folded position on a way, the kind of each change that is possible there."""
        members = {}
        for position, number in self.folded.items():
            members.setdefault(number, []).append(position)
        made = {(before, after) for way in self.solutions for before, _, _, after in way}
        kinds = {}
        for number in dict.fromkeys([place for way in self.solutions for place in self.passed(way)]):
            own = {}
            for position in members[number]:
                for move, _, after in () if position.solved() else self.steps[position]:
                    if position != after and not self.is_walk(position, after):
                        kind = "fatal" if after not in self.left else "longer"
                        kind = "optimal" if (position, after) in made else kind
                        own.setdefault((self.change(position, move, after), self.folded[after]), set()).add(kind)
            kinds[number] = {change: "optimal" if "optimal" in all_ else all_.pop() for change, all_ in own.items()}
        return kinds

    def mean(self, kind):
        kinds = self.choices()
        number = sum(list(own.values()).count(kind) for own in kinds.values())
        return Fraction(number, len(kinds)) if kinds else Fraction(0)

    def traps(self):
        kinds = self.choices()
        fatal = {place for place, own in kinds.items() if "fatal" in own.values()}
        return min(len(fatal.intersection(self.passed(way))) for way in self.solutions)

    def lasts(self):
        """The most changes to a position after a fatal change, over all those on optimal ways; None without one."""
        after = {}
        for position, steps in self.steps.items():
            for _, _, following in steps:
                if not self.is_walk(position, following):
                    after.setdefault(self.folded[position], set()).add(self.folded[following])
        targets = {place for own in self.choices().values() for (_, place), kind in own.items() if kind == "fatal"}
        longest = []
        for target in targets:
            layer, seen, steps = {target}, {target}, 0
            while layer := {place for before in layer for place in after.get(before, ())} - seen:
                seen |= layer
                steps += 1
            longest.append(steps)
        return max(longest, default=None)

    def shortest_trap(self):
        """The fewest moves to a position without a solution, not through a won one."""
        layer, seen, depth = [self.level], {self.level}, 0
        while layer:
            if any(position not in self.left for position in layer):
                return depth
            following = {
                after: None for position in layer if not position.solved() for *_, after in self.steps[position]
            }
            layer = [position for position in following if position not in seen]
            seen.update(layer)
            depth += 1
        return None

    def lost(self):
        return Fraction(len(self.steps) - len(self.left), len(self.steps))
