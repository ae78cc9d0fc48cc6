"""Traps: the first moves after which a level is unsolvable, each with a proof.

    traps = find_traps(explore(position))
    traps.total, [(trap.moves, trap.move, trap.kind) for trap in traps.traps]

A *trap* is a move from a solvable position to a dead end. Only the traps that players meet first are reported: from
positions on optimal ways, and positions that the walker can walk to from these (`optimal_ways`); or, if there are none,
the traps nearest to the start (`nearest`). Every trap is proved by an exhaustive search of everything that can follow.
The `kind` is its simplest visible reason, the simplest first:

    frozen     things that never move again, though no solved position of the level has one in their places
    confined   things that can still move, but only among places where no solved position of the level has one
    corral     an area that the walker can never enter again, though every solution from the position before the move
               needs it
    searched   none of these: only the search proves it

`goes_on` says how long a player may not notice: the most moves other than walks that can still follow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.limits import Limits
from unpuzzle.base.run import Run, checkpoint, within_limits
from unpuzzle.base.text import count, listing
from unpuzzle.base.values import Record, schema_name
from unpuzzle.puzzle.amounts import noun_of_pushes
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.space import COMPLETE

FROZEN, CONFINED, CORRAL, SEARCHED = "frozen", "confined", "corral", "searched"
OPTIMAL_WAYS, NEAREST, NOWHERE = "optimal_ways", "nearest", "nowhere"
MOST = 12
"""The default number of traps."""
MOST_NAMED = 3
"""The most stuck things that a sentence names."""
MOST_LOOKED_AT = 100_000
"""The most states of a level in which corrals are searched for."""
Place = tuple[float | str, ...]
"""Row and column of a cell, from 0, or the arguments of a fact."""
Thing = tuple[str, Place]
"""The kind of a piece and its cell in a position with a picture, otherwise a predicate and its arguments."""


class Trap(Record):
    """A move that makes a level unsolvable.

    Attributes:
        moves: fewest moves from the start to the position before it.
        move: the move.
        kind: `frozen`, `confined`, `corral` or `searched`.
        stuck: the things that can never move again or are confined, each with its kind and its place after the move.
        area: for a corral, the cells that can never be entered again; for confined things, their possible places.
        goes_on: the most moves other than walks that can follow; None if there is no end to them.
        states: the number of positions that can follow, all of which were searched.
        before, after: the numbers of the positions before and after the move, in the exploration.
    """

    moves: tuple[str, ...]
    move: str
    kind: str
    stuck: tuple[Thing, ...]
    area: tuple[Place, ...]
    goes_on: int | None
    states: int
    before: int
    after: int


class Traps(Record):
    """The first traps of a level.

    Attributes:
        origin: the places of the traps: `optimal_ways`, `nearest` (of any length), or `nowhere`, without traps.
        total: the number of positions that such traps lead to.
        traps: the first of them, by fewest moves from the start.
        walks: whether there is a walker, so that `goes_on` counts pushes.
        status: `complete`, or the limit that ended the work.
    """

    origin: str
    total: int | None
    traps: tuple[Trap, ...]
    walks: bool
    status: str = COMPLETE

    schema = "traps"

    def to_dict(self) -> dict[str, Any]:
        """Return the traps as data for JSON; rows and columns of cells are counted from 1."""
        rows = [
            trap.to_dict()
            | {
                "stuck": [{"thing": kind, "place": _counted(place)} for kind, place in trap.stuck],
                "area": [_counted(place) for place in trap.area],
            }
            for trap in self.traps
        ]
        data: dict[str, Any] = {"origin": self.origin, "total": self.total, "traps": rows, "walks": self.walks}
        return {"schema": schema_name(self.schema), **data, "status": self.status}


def _counted(place: Place) -> list[float | str]:
    """Return a place in which rows and columns are counted from 1."""
    return [part if isinstance(part, str) else part + 1 for part in place]


def find_traps(exploration: Exploration, *, most: int = MOST, limits: Limits | None = None) -> Traps:
    """Return the first moves that make a level unsolvable, from a complete exploration of a position.

    If a limit ends the work, `status` names it, and the traps are those found so far. Raises UsageError for an
    exploration that is not complete, or began in a task.
    """
    if not exploration.complete or not isinstance(exploration.subject, Position):
        raise UsageError("traps can be found only in a complete exploration of a position of a game")
    search: _Search | None = None
    try:
        with Run(limits, "looking for traps"):
            search = _Search(exploration)
            for trap in search.run(most):
                search.traps.append(trap)
    except LimitReached as reached:
        if search is None:
            return Traps(NOWHERE, None, (), False, reached.status)
        return Traps(search.origin, search.total, tuple(search.traps), search.walks, reached.status)
    return Traps(search.origin, search.total, tuple(search.traps), search.walks)


class _Search:
    """The search for the traps of one level; `traps` has the traps found so far."""

    def __init__(self, exploration: Exploration) -> None:
        self._exploration, self._space = exploration, exploration.space
        self._folding = exploration.folding
        self.walks: bool = self._folding.walks
        self._things = cache(self._things_in)
        self.origin = NOWHERE
        self.total: int | None = None
        self.traps: list[Trap] = []

    def run(self, most: int) -> Iterator[Trap]:
        """Yield the first traps of the level, up to `most` traps."""
        edges = self._traps_from(self._on_optimal_ways())
        self.origin = OPTIMAL_WAYS if edges else NEAREST
        edges = edges or self._traps_from(range(self._space.states))
        self.total = len(edges)
        self.origin = self.origin if edges else NOWHERE
        for state, edge in edges[:most]:
            yield self._trap(state, edge)

    def _on_optimal_ways(self) -> set[int]:
        """Return the states before the goal on optimal solutions, and the states that walks reach from these states."""
        space = self._space
        way = [] if space.is_dead_end(0) else [state for state in space.optimal_states() if not space.goals[state]]
        return set(distances(way, self._folding.walked))

    def _traps_from(self, states: Iterable[int]) -> list[tuple[int, int]]:
        """Return the traps from some states; for each resulting position, only the trap nearest to the start."""
        space = self._space
        first: dict[int, tuple[int, int]] = {}
        for state in within_limits(sorted(states)):  # states are numbered by their depth
            for edge in space.traps(state):
                first.setdefault(space.targets[edge], (state, edge))
        return sorted(first.values(), key=lambda pair: (space.depth[pair[0]], pair))

    def _trap(self, state: int, edge: int) -> Trap:
        exploration, after = self._exploration, self._space.targets[edge]
        following = list(distances([after], self._space.following))
        kind, stuck, area = self._proof(state, after, following)
        move, goes_on = exploration.moves[self._space.operators[edge]], self._goes_on(following)
        return Trap(exploration.way(state), move, kind, stuck, area, goes_on, len(following), state, after)

    def _things_in(self, state: int) -> frozenset[Thing]:
        """Return the objects of a state with their places: the pieces of the picture or, without one, the atoms."""
        position = self._exploration.position(state)
        pictured = offered(position, Pictured)
        if pictured is not None:
            return frozenset([(kind, (row, column)) for _, row, column, kind in pictured.pieces()])
        return frozenset([(atom.predicate, atom.arguments) for atom in position.atoms()])

    @cached_property
    def _walking_kind(self) -> str | None:
        """The kind of the walking piece, found at the first walk; None without a walking piece."""
        if offered(self._exploration.subject, Pictured) is None:
            return None
        for state in range(self._space.states if self.walks else 0):
            for target in self._folding.walked(state)[:1]:
                kinds = {kind for kind, _ in self._things(state) ^ self._things(target)}
                return kinds.pop() if len(kinds) == 1 else None
        return None

    def _walker_at(self, states: Iterable[int]) -> frozenset[Place]:
        """Return the cells of the walking piece in some states."""
        return frozenset(
            [place for state in states for kind, place in self._things(state) if kind == self._walking_kind]
        )

    def _proof(
        self, state: int, after: int, following: Sequence[int]
    ) -> tuple[str, tuple[Thing, ...], tuple[Place, ...]]:
        """Return the simplest proof that no goal is reachable: its kind, the stuck objects, and an area."""
        if stuck := self._frozen(following):
            return FROZEN, stuck, ()
        stuck, area = self._confined(after)
        if stuck:
            return CONFINED, stuck, area
        area = self._corral(state, following)
        return (CORRAL if area else SEARCHED), (), area

    @cached_property
    def _solved_things(self) -> frozenset[Thing]:
        """All objects, with their places, that occur in a solved position."""
        goals = [state for state, goal in enumerate(self._space.goals) if goal]
        return frozenset().union(*map(self._things, goals))

    def _confined(self, after: int) -> tuple[tuple[Thing, ...], tuple[Place, ...]]:
        """Return the objects that can never reach their place in a solved position, and the places they can reach."""
        things = self._things(after) - self._solved_things
        others = sorted([thing for thing in things if thing[0] != self._walking_kind], key=_in_order)
        stuck, area = [], set[Place]()
        for thing in others:
            places = self._places(after, thing)
            if places:
                stuck.append(thing)
                area |= places
        return tuple(stuck), tuple(sorted(area, key=str))

    def _places(self, after: int, thing: Thing) -> frozenset[Place]:
        """Return places that an object can reach from a state; empty if the object can reach a good place or vanish."""
        things, (kind, _) = self._things, thing
        pairs = [(after, thing)]
        known = set(pairs)
        for state, here in pairs:  # the list grows meanwhile
            checkpoint()
            for to in self._space.following(state):
                arrived = things(to)
                if here in arrived:
                    moved = frozenset([here])
                else:  # it is one of the new things; if there are several, any of them
                    moved = frozenset([each for each in arrived - things(state) if each[0] == kind])
                if not moved or not moved.isdisjoint(self._solved_things):
                    return frozenset()
                new = [(to, each) for each in moved if (to, each) not in known]
                known.update(new)
                pairs += new
        return frozenset([place for _, (_, place) in pairs])

    def _frozen(self, following: Iterable[int]) -> tuple[Thing, ...]:
        """Return the objects that are at the same place in all given states, but in no solved position."""
        rest: frozenset[Thing] | None = None
        for state in following:
            rest = self._things(state) if rest is None else rest & self._things(state)
            if not rest:
                return ()
        return tuple(sorted((rest or frozenset()) - self._solved_things, key=_in_order))

    def _corral(self, state: int, following: Iterable[int]) -> tuple[Place, ...]:
        """Return the cells that the walker can never enter again, if every path from `state` to a goal enters one."""
        space = self._space
        if space.states > MOST_LOOKED_AT or self._walking_kind is None:
            return ()
        area = self._walker_at(distances([state], space.following)) - self._walker_at(following)

        def outside(each: int) -> list[int]:
            """Return the successors of a state in which the walker is outside the area."""
            return [to for to in space.following(each) if area.isdisjoint(self._walker_at([to]))]

        if not area or any(space.goals[each] for each in distances([state], outside)):
            return ()
        return tuple(sorted(area, key=str))

    def _goes_on(self, following: Iterable[int]) -> int | None:
        """Return the most pushes that can follow the first of these states; None if pushes can be repeated forever."""
        import networkx

        space, graph, pushes = self._space, networkx.DiGraph(), set[tuple[int, int]]()
        graph.add_nodes_from(following)
        for state in following:
            for edge in space.edges(state):
                graph.add_edge(state, space.targets[edge])
                if self._folding.change(state, edge) is not None:
                    pushes.add((state, space.targets[edge]))
        walked = networkx.condensation(graph)  # its nodes are the states between which one can go to and fro
        part = walked.graph["mapping"]
        for state, to in graph.edges:
            push = (state, to) in pushes
            if part[state] != part[to]:
                known = walked.edges[part[state], part[to]]
                known["pushes"] = max(push, known.get("pushes", 0))
            elif push:
                return None
        return int(networkx.dag_longest_path_length(walked, weight="pushes"))  # which begins after the move


def _in_order(thing: Thing) -> tuple[str, str]:
    return thing[0], str(thing[1])


def cells_of(places: Iterable[Place]) -> list[tuple[float, float]]:
    """Return places on the board as (row, column), from 0; leave out other places."""
    numbers = [[part for part in place if not isinstance(part, str)] for place in places]
    return [(cell[0], cell[1]) for cell in numbers if len(cell) == 2]


def reason_of(trap: Trap, start: Position, walks: bool) -> str:
    """Return a sentence that says why a trap makes a level unsolvable, and how long a player can continue.

    The level begins at `start`; `walks` is whether it has a walker.
    """
    names = [_name(*thing) for thing in trap.stuck[:MOST_NAMED]]
    if len(trap.stuck) > MOST_NAMED:
        names.append(f"{len(trap.stuck) - MOST_NAMED} more")
    proof = {
        FROZEN: f"{listing(names)} can never move again, and no solved position has it there",
        CONFINED: f"{listing(names)} can never reach a place where a solved position has one",
        CORRAL: f"{count(len(trap.area), 'cell')} can never be entered again, and every solution goes there",
        SEARCHED: f"all {count(trap.states, 'position')} that can follow were searched"
        if trap.states > 1
        else "nothing can be moved any more",
    }[trap.kind]
    return f"{trap.kind}: {proof}; {_goes_on(trap.goes_on, *(noun_of_pushes(start) if walks else ('move', 'moves')))}"


def _name(kind: str, place: Place) -> str:
    if cells_of([place]):
        (row, column), *_ = cells_of([place])
        return f"the {kind.removeprefix('a ').removeprefix('an ')} in row {row + 1:g}, column {column + 1:g}"
    return f"({' '.join([kind, *map(str, place)])})"


def _goes_on(most: int | None, noun: str, nouns: str) -> str:
    if most is None:
        return f"{nouns} can go on without end"
    if most == 0:
        return f"no {noun} is possible after it"
    return f"at most {count(most, noun, nouns)} can follow"
