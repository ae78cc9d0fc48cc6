"""Traps and reasons found once more, by the rules alone: every position in a dictionary, every definition word by word.

It takes games in which a player walks, and a step that moves something else moves one piece by one cell.
"""

from collections import deque
from itertools import chain

from support.slow_space import SlowSpace


def pieces(position):
    return {(kind, (row, column)) for _, row, column, kind in position.pieces()}


def boxes(position):
    return {piece for piece in pieces(position) if not is_player(piece[0])}


def is_player(kind):
    return kind == "@" or "player" in kind


def players(position):
    return {place for kind, place in pieces(position) if is_player(kind)}


class Whole(SlowSpace):
    """All positions that can be reached from one, and what follows each by one move."""

    def __init__(self, start, most=3000):
        super().__init__(
            start,
            lambda position: [(move, 1, position.apply(move)) for move in position.moves()],
            lambda position: position.solved(),
            most,
        )
        self.after = {p: {move: following for move, _, following in steps} for p, steps in self.steps.items()}

    def reach(self, *starts):
        return fewest(starts, lambda position: self.after[position].values())

    def is_walk(self, position, following):
        back = position in self.after[following].values()
        return boxes(position) == boxes(following) and players(position) != players(following) and back

    def first_traps(self):
        """From where they are, and the positions that the first traps lead to, with the position before each."""
        rest, least = self.left, self.left.get(self.start)
        origin = "nowhere"
        if least is None:
            return origin, {}
        way = [p for p, depth in self.depth.items() if p in rest and depth + rest[p] == least and not p.solved()]
        near = fewest(way, lambda p: [q for q in self.after[p].values() if self.is_walk(p, q)])
        for origin, positions in (("optimal_ways", near), ("nearest", self.after)):
            traps = {}
            for position in sorted(positions, key=self.depth.__getitem__):
                if position in rest and not position.solved():
                    for following in self.after[position].values():
                        if following not in rest:
                            traps.setdefault(following, []).append(position)
            if traps:
                return origin, traps
        return "nowhere", {}

    def frozen(self, position):
        always = set.intersection(*[pieces(each) for each in self.reach(position)])
        return {piece for piece in always if not any(piece in pieces(goal) for goal in self.goals)}

    def confined(self, position):
        """The pieces that never come to where a goal has one of their kind, each followed through all moves."""
        good = set(chain.from_iterable(map(pieces, self.goals)))
        return {piece for piece in boxes(position) if self.places(position, piece).isdisjoint(good)}

    def places(self, position, piece):
        known = {(position, piece)}
        queue = [*known]
        for now, here in queue:
            for following in self.after[now].values():
                gone, come = boxes(now) - boxes(following), boxes(following) - boxes(now)
                assert len(gone) == len(come) <= 1
                there = come.copy().pop() if here in gone else here
                if (following, there) not in known:
                    known.add((following, there))
                    queue.append((following, there))
        return {there for _, there in known}

    def corral(self, before, position):
        """The cells that the player never enters again, if every way to a goal goes there; else none."""
        open_cells = set(chain.from_iterable(map(players, self.reach(position))))
        area = set(chain.from_iterable(map(players, self.reach(before)))) - open_cells
        around = fewest([before], lambda p: [q for q in self.after[p].values() if not players(q) & area])
        return set() if any(p.solved() for p in around) else area

    def goes_on(self, position):
        """Return the most pushes that can follow a position, or None where there is no end to them."""
        done, open_now = {}, set()

        def walks(p):
            return [q for q in self.after[p].values() if self.is_walk(p, q)]

        def longest(p):
            room = frozenset(fewest([p], walks))
            if room in open_now:
                raise RecursionError
            if room not in done:
                open_now.add(room)
                pushes = [q for each in room for q in self.after[each].values() if not self.is_walk(each, q)]
                done[room] = max([1 + longest(q) for q in pushes], default=0)
                open_now.remove(room)
            return done[room]

        try:
            return longest(position)
        except RecursionError:
            return None


def fewest(starts, successors):
    steps = dict.fromkeys(starts, 0)
    queue = deque(steps)
    while queue:
        node = queue.popleft()
        for following in successors(node):
            if following not in steps:
                steps[following] = steps[node] + 1
                queue.append(following)
    return steps
