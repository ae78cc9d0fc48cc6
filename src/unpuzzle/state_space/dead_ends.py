"""Explain dead ends: moves that make a level unsolvable, and goal parts that cannot be reached.

    find_traps(explore(position)).traps              the first moves after which it is unsolvable, each with a proof
    find_shortfall(explore(position)).nearest        of an unsolvable level, the position nearest to its goal

All reachable positions were searched, so each sentence is proved.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations
from typing import Any

from unpuzzle.base.distances import distances
from unpuzzle.base.errors import LimitReached, UsageError
from unpuzzle.base.run import Limits, Run, checkpoint, within_limits
from unpuzzle.base.text import count, listing
from unpuzzle.base.values import Record, schema_name
from unpuzzle.model.capabilities import Pictured, offered
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import noun_of_pushes
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Atom, Condition, Not
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import text
from unpuzzle.state_space.exploration import Exploration
from unpuzzle.state_space.space import COMPLETE

FROZEN, CONFINED, CORRAL, SEARCHED = "frozen", "confined", "corral", "searched"
OPTIMAL_WAYS, NEAREST, NOWHERE = "optimal_ways", "nearest", "nowhere"
MOST = 12
"""The default number of traps."""
MOST_STUCK_NAMED = 3
"""The most stuck things that a sentence names."""
MOST_LOOKED_AT = 100_000
"""The most states of a level in which corrals are searched for."""
Place = tuple[float | str, ...]
"""Row and column of a cell, from 0, or the arguments of a fact."""
Thing = tuple[str, Place]
"""The kind of a piece and its cell in a position with a picture, otherwise a predicate and its arguments."""
MOST_PAIRS = 10
"""The most pairs of exclusive parts that are reported."""
MOST_PARTS_NAMED = 6
"""The most parts that a sentence names."""


# A *trap* is a move from a solvable position to a dead end. Only the traps that players meet first are reported: from
# positions on optimal ways, and positions that the walker can walk to from these (`optimal_ways`); or, if there are
# none, the traps nearest to the start (`nearest`). Every trap is proved by an exhaustive search of everything that can
# follow. The `kind` is its simplest visible reason, the simplest first:
#
#     frozen     things that never move again, though no solved position of the level has one in their places; things
#                that never move at all, but vanish in a solution (holes), only if there is no reason but the search
#     confined   things that can still move, but only among places where no solved position of the level has one
#     corral     an area that the walker can never enter again, though every solution from the position before the move
#                needs it
#     searched   none of these: only the search proves it
#
# `goes_on` says how long a player may not notice: the most moves other than walks that can still follow.


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
    """The traps of a level that are nearest to its start.

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
    """Return a cell with its row and column counted from 1; any other place is returned unchanged."""
    return [part if isinstance(part, str) else part + 1 for part in place]


def find_traps(exploration: Exploration, *, most: int = MOST, limits: Limits | None = None) -> Traps:
    """Return the first moves that make a level unsolvable; the level must be completely explored.

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
    """The search for the traps of one level."""

    def __init__(self, exploration: Exploration) -> None:
        self._exploration, self._space = exploration, exploration.space
        self._folding = exploration.folding
        self.walks: bool = self._folding.walks
        self._things = cache(self._objects_in)
        self.origin = NOWHERE
        self.total: int | None = None
        self.traps: list[Trap] = []

    def run(self, most: int) -> Iterator[Trap]:
        """Yield up to `most` traps, those on optimal solutions or, without any, the nearest to the start."""
        edges = self._traps_from(self._on_optimal_ways())
        self.origin = OPTIMAL_WAYS if edges else NEAREST
        edges = edges or self._traps_from(range(self._space.states))
        self.total = len(edges)
        self.origin = self.origin if edges else NOWHERE
        for state, edge in edges[:most]:
            yield self._trap(state, edge)

    def _on_optimal_ways(self) -> set[int]:
        """Return the unsolved states on optimal solutions, and all states that can be reached from these by walks."""
        space = self._space
        way = [] if space.is_dead_end(0) else [state for state in space.optimal_states() if not space.goals[state]]
        return set(distances(way, self._folding.walked))

    def _traps_from(self, states: Iterable[int]) -> list[tuple[int, int]]:
        """Return the traps in `states` as (state, transition), only the first of those that lead to the same state."""
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

    def _objects_in(self, state: int) -> frozenset[Thing]:
        """Return the objects of a state with their places: pieces of the picture, or atoms if there is no picture."""
        position = self._exploration.position(state)
        pictured = offered(position, Pictured)
        if pictured is not None:
            return frozenset([(kind, (row, column)) for _, row, column, kind in pictured.pieces()])
        return frozenset([(atom.predicate, atom.arguments) for atom in position.atoms()])

    @cached_property
    def _walking_kind(self) -> str | None:
        """The kind of the walking piece; None without a walking piece."""
        if offered(self._exploration.subject, Pictured) is None:
            return None
        for state in range(self._space.states if self.walks else 0):
            for target in self._folding.walked(state)[:1]:
                kinds = {kind for kind, _ in self._things(state) ^ self._things(target)}
                return kinds.pop() if len(kinds) == 1 else None
        return None

    def _walker_at(self, states: Iterable[int]) -> frozenset[Place]:
        """Return all cells of the walking piece in `states`."""
        return frozenset(
            [place for state in states for kind, place in self._things(state) if kind == self._walking_kind]
        )

    def _proof(
        self, state: int, after: int, following: Sequence[int]
    ) -> tuple[str, tuple[Thing, ...], tuple[Place, ...]]:
        """Return a proof that the state after a trap is a dead end: its kind, the stuck objects, and their area.

        A piece that only vanishes, such as a hole that a crate should fill, stays because something else is stuck: it
        is named only if nothing that moves is stuck, and no area is closed.
        """
        frozen, mobile = self._frozen(following), self._mobile(after)
        if stuck := tuple([thing for thing in frozen if thing[0] in mobile]):
            return FROZEN, stuck, ()
        stuck, area = self._confined(after, mobile)
        if stuck:
            return CONFINED, stuck, area
        area = self._corral(state, following)
        if frozen and not area:
            return FROZEN, frozen, ()
        return (CORRAL if area else SEARCHED), (), area

    def _mobile(self, after: int) -> frozenset[str]:
        """Return the kinds of objects that move: some object is at a new place after the trap or when solved."""
        placed = self._things(after) | self._solved_things
        if offered(self._exploration.subject, Pictured) is not None:
            placed -= self._things(0)
        return frozenset([kind for kind, _ in placed])

    @cached_property
    def _solved_things(self) -> frozenset[Thing]:
        """The objects of all solved states, with their places."""
        goals = [state for state, goal in enumerate(self._space.goals) if goal]
        return frozenset().union(*map(self._things, goals))

    def _confined(self, after: int, mobile: frozenset[str]) -> tuple[tuple[Thing, ...], tuple[Place, ...]]:
        """Return the movable objects that can no longer reach a place of a solution, and the places they reach."""
        things = self._things(after) - self._solved_things
        kinds = mobile - {self._walking_kind}
        others = sorted([thing for thing in things if thing[0] in kinds], key=_in_order)
        stuck, area = [], set[Place]()
        for thing in others:
            places = self._places(after, thing)
            if places:
                stuck.append(thing)
                area |= places
        return tuple(stuck), tuple(sorted(area, key=str))

    def _places(self, after: int, thing: Thing) -> frozenset[Place]:
        """Return the places that an object can reach; empty if it can vanish or reach a place of a solved state."""
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
        """Return the objects that no longer move after a trap, at places that they have in no solved state."""
        rest: frozenset[Thing] | None = None
        for state in following:
            rest = self._things(state) if rest is None else rest & self._things(state)
            if not rest:
                return ()
        return tuple(sorted((rest or frozenset()) - self._solved_things, key=_in_order))

    def _corral(self, state: int, following: Iterable[int]) -> tuple[Place, ...]:
        """Return the cells that a trap closes to the walker, if every solution from `state` enters one of them."""
        space = self._space
        if space.states > MOST_LOOKED_AT or self._walking_kind is None:
            return ()
        area = self._walker_at(distances([state], space.following)) - self._walker_at(following)

        def outside(each: int) -> list[int]:
            """Return the states after one move in which the walker is not in `area`."""
            return [to for to in space.following(each) if area.isdisjoint(self._walker_at([to]))]

        if not area or any(space.goals[each] for each in distances([state], outside)):
            return ()
        return tuple(sorted(area, key=str))

    def _goes_on(self, following: Iterable[int]) -> int | None:
        """Return the largest number of pushes that are possible after a trap; None if there is no largest one."""
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
    """Return only the places that are cells (row, column), counted from 0."""
    numbers = [[part for part in place if not isinstance(part, str)] for place in places]
    return [(cell[0], cell[1]) for cell in numbers if len(cell) == 2]


def reason_of(trap: Trap, start: Position, walks: bool) -> str:
    """Return a sentence that says why a trap makes a level unsolvable, and how many pushes can still follow.

    The level begins at `start`; `walks` is whether it has a walker.
    """
    names = [_name(*thing) for thing in trap.stuck[:MOST_STUCK_NAMED]]
    if len(trap.stuck) > MOST_STUCK_NAMED:
        names.append(f"{len(trap.stuck) - MOST_STUCK_NAMED} more")
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


# Parts of the goal of an unsolvable level are the facts of its PDDL or, for games that name them
# (`Position.goal_parts`), their own: win conditions, one by one or cell by cell.


class GoalPart(Record):
    """A part of a goal, and the fewest moves to achieve it; None if it can never be achieved."""

    text: str
    moves: tuple[str, ...] | None

    @property
    def reachable(self) -> bool:
        """Whether this part of the goal is achieved in some reachable state."""
        return self.moves is not None


class NearestMiss(Record):
    """The first position in which the largest number of goal parts is achieved.

    Attributes:
        moves: fewest moves to it.
        missing: the parts that do not hold there.
        level: its text.
    """

    moves: tuple[str, ...]
    missing: tuple[str, ...]
    level: str


class Shortfall(Record):
    """Which goal parts of an unsolvable level can be achieved, and which cannot.

    Attributes:
        states: the number of reachable positions, all of which were searched.
        parts: the parts of the goal, each with whether it can be reached alone.
        apart: sets of parts that never hold together, though all but any one of each set do: pairs, or one larger set.
        nearest: the nearest miss.
    """

    states: int
    parts: tuple[GoalPart, ...]
    apart: tuple[tuple[str, ...], ...]
    nearest: NearestMiss

    def __str__(self) -> str:
        return "\n".join(self.sentences())

    def sentences(self, known: Iterable[Iterable[str]] = ()) -> list[str]:
        """Return sentences on goal parts that can never be achieved, or never together; the start is no miss."""
        told = [set(names) for names in known]
        lines = [searched(self.states)]
        if len(self.parts) == 1:
            return [] if told else lines
        lines += [
            f"{part.text}: can never be reached, regardless of the other parts of the goal"
            for part in self.parts
            if not part.reachable
        ]
        lines += [_together(names) for names in self.apart if set(names) not in told]
        return [*lines, *self._alone(), *([self._nearest()] if self.nearest.moves else [])]

    def _alone(self) -> list[str]:
        alone = [part.text for part in self.parts if part.reachable]
        if len(alone) > MOST_PARTS_NAMED:
            which = "each of its" if len(alone) == len(self.parts) else "each of the other"
            return [f"{which} {len(alone)} parts can be reached alone"]
        return [f"can be reached alone: {'; '.join(alone)}"] if alone else []

    def _nearest(self) -> str:
        moves, missing = self.nearest.moves, self.nearest.missing
        after = f"after {count(len(moves), 'move')} ({' '.join(moves)})"
        lacking = "; ".join(missing[:MOST_PARTS_NAMED]) + ("; ..." if len(missing) > MOST_PARTS_NAMED else "")
        verb = "is" if len(missing) == 1 else "are"
        return f"nearest miss, {after}: {len(missing)} of {count(len(self.parts), 'part')} {verb} missing: {lacking}"


def searched(states: int) -> str:
    """Return a sentence that says how many reachable states were searched without finding a solved one."""
    if states == 1:
        return "nothing can be moved at the start, and it is not solved"
    return f"all {count(states, 'position')} that can be reached were searched, and none is solved"


def _together(names: Sequence[str]) -> str:
    if len(names) == 2:
        return f"never both: {'; '.join(names)}"
    return f"never all {len(names)} together, though without any one of them the others: {'; '.join(names)}"


def find_shortfall(exploration: Exploration, *, limits: Limits | None = None) -> Shortfall:
    """Return which parts of an unsolvable level's goal can be achieved, separately and together.

    Raises UsageError if the exploration is not complete, has a solution, or began in a task; LimitReached.
    """
    if not exploration.complete or exploration.cost is not None or not isinstance(exploration.subject, Position):
        raise UsageError("find_shortfall() needs an unsolvable position that was explored completely")
    with Run(limits, "looking for the nearest miss"):
        return _Counting(exploration).shortfall()


class _Counting:
    """The achieved goal parts of each state of a level, as whole numbers with a bit for each part."""

    def __init__(self, exploration: Exploration) -> None:
        self._exploration = exploration
        assert isinstance(exploration.subject, Position)
        self._start = exploration.subject
        self._names, self._held = self._by_names() if self._start.goal_parts() else self._by_facts()

    @cached_property
    def _first(self) -> dict[int, int]:
        """The first state for each combination of achieved goal parts."""
        first: dict[int, int] = {}
        for state, held in enumerate(self._held):
            first.setdefault(held, state)
        return first

    def shortfall(self) -> Shortfall:
        """Return which goal parts can be achieved, separately and together, and the nearest miss."""
        parts = tuple([GoalPart(name, self._way(1 << bit)) for bit, name in enumerate(self._names)])
        held, state = min(self._first.items(), key=lambda item: (-item[0].bit_count(), item[1]))
        missing = tuple([name for bit, name in enumerate(self._names) if not held >> bit & 1])
        nearest = NearestMiss(self._exploration.way(state), missing, self._exploration.text(state))
        reachable = [bit for bit, part in enumerate(parts) if part.reachable]
        apart = [] if len(parts) == 1 else self._apart(reachable, all(part.reachable for part in parts))
        sets = tuple([tuple([self._names[bit] for bit in each]) for each in apart])
        return Shortfall(self._exploration.states, parts, sets, nearest)

    def _way(self, bits: int) -> tuple[str, ...] | None:
        """Return the fewest moves to a state in which a set of goal parts is achieved; None without such a state."""
        states = [state for held, state in self._first.items() if held & bits == bits]
        return self._exploration.way(min(states)) if states else None

    def _together(self, bits: Iterable[int]) -> bool:
        mask = sum(1 << bit for bit in bits)
        return any(held & mask == mask for held in self._first)

    def _apart(self, reachable: Sequence[int], all_are: bool) -> list[tuple[int, ...]]:
        """Return pairs of goal parts that are never achieved together; if there are none, one minimal larger set.

        Larger sets are searched for only if each part can be reached alone: otherwise the unreachable parts are the
        reason.
        """
        pairs = [pair for pair in combinations(reachable, 2) if not self._together(pair)]
        if pairs or not all_are:
            return list(pairs[:MOST_PAIRS])
        rest = list(reachable)
        for bit in reachable:
            checkpoint()
            others = [each for each in rest if each != bit]
            rest = rest if self._together(others) else others
        return [tuple(rest)]

    def _by_names(self) -> tuple[list[str], list[int]]:
        """Return the goal parts that `goal_parts()` gives, and for each state the parts that are achieved."""
        names = [list(division) for division in self._start.goal_parts()]
        held: list[list[int]] = [[] for _ in names]
        alive = [bool(each) for each in names]
        for state in range(self._exploration.states):
            for number, division in enumerate(self._exploration.position(state).goal_parts()):
                alive[number] = alive[number] and division.keys() == dict.fromkeys(names[number]).keys()
                if alive[number]:
                    held[number].append(_mask(division[name] for name in names[number]))
        best = alive.index(True) if any(alive) else None
        if best is None:
            return ["the goal"], [0] * self._exploration.states
        return names[best], held[best]

    def _by_facts(self) -> tuple[list[str], list[int]]:
        """Return the goal parts that the PDDL gives, and for each state the parts that are achieved."""
        semantics = Semantics(self._start.task())
        parts = list(conjuncts(semantics.task.problem.goal))
        tests = [_test(semantics, part) for part in parts]
        states = within_limits(range(self._exploration.states))
        held = [_mask(test(atoms) for test in tests) for atoms in map(self._exploration.atoms, states)]
        return [text(part, {}) for part in parts], held


def _test(semantics: Semantics, part: Condition) -> Callable[[frozenset[Atom]], bool]:
    """Return a function that tests whether a goal part is achieved in a state."""
    inner = part.operand if isinstance(part, Not) else part
    if isinstance(inner, Atom) and inner.predicate in semantics.fluent_predicates:
        positive = inner is part
        return lambda atoms: (inner in atoms) == positive
    return lambda atoms: semantics.holds(atoms, part)


def _mask(held: Iterable[bool]) -> int:
    """Return a number with a bit for each achieved goal part."""
    return sum(1 << bit for bit, holds in enumerate(held) if holds)
