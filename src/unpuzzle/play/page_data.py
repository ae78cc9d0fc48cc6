"""The data of a web page on one level: its states or its ground operators, packed, and the words that it shows.

So the page can play the level without rules. What it shows of a state are *placements* (pieces in their places), and in
a PDDL game its facts, goals and actions. Facts and goals are numbered after the placements, and stored with them. If
the game has a picture, it is the board, and the facts are below; otherwise the table of facts takes the board's place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, count, islice, pairwise
from random import Random
from re import split
from typing import Any

from unpuzzle.base.errors import DependencyMissing, LimitReached, UnsupportedFeature
from unpuzzle.base.run import Run, checkpoint, within_limits
from unpuzzle.drawing import Ground, Piece
from unpuzzle.model.capabilities import Pictured, offered
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import decoded_anywhere, looks_at_position, task_within
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Atom
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.families import CommonGround
from unpuzzle.planners.native.grounding import Fact, FDRTask, Operator
from unpuzzle.rendering.scenes import learn_signs, mark, picture_of
from unpuzzle.rendering.svg import common_ground
from unpuzzle.state_space.exploration import Exploration
from unpuzzle.state_space.space import Space

Edge = tuple[int, int]
"""A move's number, and the number of its target state."""
Placement = tuple[str, float, float, str, int]
"""Look, row, column, kind, and the counter among equal pieces."""
CostedMove = tuple[str, int]
Facts = frozenset[int]
Signs = Mapping[Placement, tuple[int, ...]]
Samples = dict[Facts, frozenset[Placement]]
"""The placements of positions, by their facts."""

STEPS, ROUNDS, QUIET_ROUNDS = 500, 80, 12
"""The positions of a round, the most rounds, and the number of rounds without anything new that ends the work."""
MOST_ACCESSES, ACCESSES_PER_CHECKPOINT, FEWEST_STEPS = 5_000_000, 5, 8
"""The most accesses, the number of accesses that a checkpoint counts for, and the fewest positions of a round."""
RIGHT_ROUNDS = 3
"""The rounds in a row that must be right if the number of accesses ends the work."""
WALK, CHOICES = 250, 6
"""The moves of the first walk, and the number of moves compared for each of its steps."""


# Placements, the numbered pieces of a page; and the encoding of numbers as bytes.
#
# A **placement** is a piece in its place, with a counter for several equal pieces there. Numbers are written in groups
# of seven bits, low ones first.


def distinct(pieces: Sequence[Piece]) -> list[Placement]:
    """Return pieces with a counter added, as placements, so that equal pieces become different."""
    if len(set(pieces)) == len(pieces):
        return [(*piece, 0) for piece in pieces]
    counters = {piece: count() for piece in pieces}
    return [(*piece, next(counters[piece])) for piece in pieces]


def numbered(ground: Ground, all_placements: Iterable[Placement]) -> dict[Placement, int]:
    """Return the number of each placement; placements are numbered in the order in which they are painted."""
    layers = ground.layers()
    ordered = sorted(set(all_placements), key=lambda placement: (layers[placement[0]], *placement[1:]))
    return {placement: number for number, placement in enumerate(ordered)}


def natural(move: CostedMove) -> list[tuple[int, str]]:
    """Return a sort key by which `r2c1` comes before `r10c1`."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in split(r"(\d+)", move[0])] + [(move[1], "")]


def write(out: bytearray, number: int) -> None:
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def write_gaps(out: bytearray, numbers: Sequence[int]) -> None:
    """Write how many ascending numbers there are, then the difference of each number from the previous one."""
    write(out, len(numbers))
    for before, number in pairwise([0, *numbers]):
        write(out, number - before)


Seen = Placement | Atom | int
"""A placement, a fact, or the number of a part of the goal that holds."""
BOARDLESS = Ground(1, 1, {})


def has_board(position: Position) -> bool:
    """Return whether a page shows a picture of the position; for PDDL games, this requires picture lines."""
    return not isinstance(position, PddlPosition) or offered(position, Pictured) is not None


def board_of(position: Position) -> tuple[Ground, Sequence[Piece]]:
    """Return the ground and the pieces of the picture that the page shows."""
    return picture_of(position) if has_board(position) else (BOARDLESS, ())


def placements(position: Position) -> list[Placement]:
    """Return the pieces of the picture that the page shows, as placements."""
    return distinct(board_of(position)[1])


def facts_of(position: Position) -> list[Atom | int]:
    """Return the facts of a PDDL game's state, and the numbers of the goal parts that hold; empty for other games."""
    if not isinstance(position, PddlPosition):
        return []
    return [*position.atoms(), *[number for number, (_, holds) in enumerate(position.goals()) if holds]]


def number_facts(numbers: dict[Any, int], facts: Iterable[Atom | int]) -> dict[Seen, int]:
    """Return a number for each fact: first for placements, then for atoms sorted by name, then for goal parts."""
    seen = set(facts)
    atoms = sorted([fact for fact in seen if isinstance(fact, Atom)], key=lambda atom: natural((str(atom), 0)))
    goals = sorted([fact for fact in seen if isinstance(fact, int)])
    return {**numbers, **{each: number for number, each in enumerate([*atoms, *goals], len(numbers))}}


def words_about(start: Position, numbers: Iterable[Seen]) -> dict[str, Any]:
    """Return data for the page's scripts: facts by predicate, goal parts, and which of these parts have numbers."""
    if not isinstance(start, PddlPosition):
        return {}
    known = list(numbers)
    return {
        "facts": [[each.predicate, " ".join(each.arguments)] for each in known if isinstance(each, Atom)],
        "parts": [text for text, _ in start.goals()],
        "reached": [each for each in known if isinstance(each, int)],
        **({} if has_board(start) else {"boardless": 1}),
    }


def in_groups(moves: Iterable[str]) -> bool:
    """Return whether some moves are actions with arguments, such as `unstack:a:b`, so that buttons need groups."""
    return any(":" in move for move in moves)


# The *signs* of a placement are the facts of a ground task that imply it. They are learned from some positions
# (`unpuzzle.rendering.scenes`), where they may hold by chance; so they are tested on new positions, round by round,
# until enough rounds have shown nothing new. Work is counted, not timed, so that equal levels have equal pages: an
# access reads a piece or a fact of one position, about a microsecond. After `MOST_ACCESSES` the work ends: signs that
# were right for the last rounds are accepted, otherwise the level is refused.


class AccessCounter(Run):
    """A run that limits work by counting accesses to pieces and facts; a checkpoint counts as several accesses."""

    __slots__ = ("left",)

    def __init__(self, most: int) -> None:
        super().__init__()
        self.limited, self.left = True, most

    def count(self, accesses: int = 1) -> None:
        """Count accesses to pieces and facts. Raises LimitReached."""
        super().check()
        self.left -= accesses

    def check(self) -> None:
        """Count a checkpoint as several accesses. Raises LimitReached."""
        self.count(ACCESSES_PER_CHECKPOINT)


def signs_of(
    level: Position, facts_of: Callable[[Position], Facts], every: Facts, most_accesses: int = MOST_ACCESSES
) -> tuple[Signs, Facts]:
    """Return the facts that show each placement, and the facts that were never true, whose pieces are unknown.

    Most of those facts are unreachable. Raises UnsupportedFeature if facts do not determine the pieces, or if that is
    not settled before too many accesses.
    """
    accesses = AccessCounter(most_accesses)
    enough = most_accesses // QUIET_ROUNDS
    samples: Samples = {}
    signs: Signs = {}
    quiet = right = 0  # rounds in a row without anything new, and rounds in a row that the signs predicted
    positions = walk(level, accesses.count)
    for _ in range(ROUNDS):
        new = _round(positions, facts_of, accesses, enough)
        before = set().union(*samples)
        wrong = _are_wrong(signs, new)
        samples.update(new)
        news = set().union(*new) - before
        quiet = 0 if wrong or news else quiet + 1
        right = 0 if wrong else right + 1
        # One quiet round suffices once every fact was seen; rarely true facts need several such rounds.
        if (quiet and (quiet == QUIET_ROUNDS or every <= before)) or (accesses.left < 0 and right >= RIGHT_ROUNDS):
            return signs, every - before - news
        if accesses.left < 0:
            break
        if wrong:
            signs = _learn(samples)
            if _are_wrong(signs, samples):
                break
    if accesses.left >= 0 and not _are_wrong(signs, samples):
        return signs, every.difference(*samples)
    soon = "soon " if accesses.left < 0 else ""
    message = f"the pictures of {level.game.name} do not {soon}follow from the facts of its PDDL"
    raise UnsupportedFeature(message, feature="pieces that facts do not determine")


def _round(
    positions: Iterator[Position], facts_of: Callable[[Position], Facts], accesses: AccessCounter, enough: int
) -> Samples:
    """Return up to `STEPS` new positions; fewer if making these already required enough accesses."""
    new: Samples = {}
    end = accesses.left - enough
    for step in range(STEPS):
        if step >= FEWEST_STEPS and accesses.left < end:
            break
        with accesses:
            position = next(positions)
            pieces = frozenset(placements(position))
        facts = facts_of(position)  # whose making is no turn
        accesses.count(len(facts) + len(pieces))
        new[facts] = pieces
    return new


def _are_wrong(signs: Signs, samples: Samples) -> bool:
    """Return whether, for some sampled position, its facts give other placements than its picture has."""
    single: dict[int, list[Placement]] = {}
    others = []
    for placement, sign in signs.items():
        if len(sign) == 1:
            single.setdefault(sign[0], []).append(placement)
        else:
            others.append((placement, frozenset(sign)))
    for facts, pieces in samples.items():
        checkpoint()
        expected = {placement for fact in facts for placement in single.get(fact, ())}
        expected.update([placement for placement, sign in others if sign <= facts])
        if expected != pieces:
            return True
    return False


def _learn(samples: Samples) -> Signs:
    """Return the facts that show each placement, learned from sampled positions."""
    pieces: dict[Placement, int] = {}
    holds: dict[int, int] = {}
    for number, (facts, here) in enumerate(samples.items()):
        checkpoint()
        mark(holds, facts, number)
        mark(pieces, here, number)
    signs = learn_signs(pieces, dict(sorted(holds.items())), (1 << len(samples)) - 1)
    return {placement: tuple(sorted(sign)) for placement, sign in signs.items()}


def walk(level: Position, count: Callable[[int], None] = lambda accesses: None) -> Iterator[Position]:
    """Yield the positions of random walks that prefer rarely seen pieces; every run yields the same positions.

    All walks begin at the level, and each is longer than the last.
    """
    rng = Random(0)
    often: Counter[Piece] = Counter()
    length = WALK
    while True:
        position = level
        yield position
        for _ in range(length):
            moves = position.moves()
            if not moves:
                break
            following = [position.apply(move) for move in rng.sample(moves, min(CHOICES, len(moves)))]
            pieces = []
            for each in following:
                pieces.append(board_of(each)[1])
                count(len(pieces[-1]))
            rarest = [min([often[piece] for piece in each], default=0) for each in pieces]
            chosen = rarest.index(min(rarest))
            position = following[chosen]
            often.update(pieces[chosen])
            yield position
        length = length * 5 // 4


# The table of a level's whole state space. States are numbered breadth-first. The page's script (`player.js`) reads, in
# this order:
#
#     moves       by state, a bit mask of the level's moves
#     targets     for each of them 0 for the next new state; k for the k-th of the earlier states that lead here, which
#                 makes the way back cheap; above those, the distance from the newest state
#     distances   by state, to a goal, minus the distance of the state that it was first reached from; 0 is a dead end,
#                 after which nothing follows, since all states behind it are dead ends, too
#     goals       the gaps between their numbers
#     pictures    the placements (and facts) of the start, then all changes; and for each state its change
#
# All is deflated afterwards.


class StateTable:
    """A state space with numbered moves and states, for a web page.

    `moves` have their costs, in the order of their numbers. By state there are `positions`, `edges`, the least cost to
    a goal (`left`, -1 in a dead end) and the state that it was first reached from (`parents`, -1 for the start).
    `goals` are the solved states, `ground` is the ground of all positions, and `numbers` has all placements, and all
    facts of a PDDL game.
    """

    def __init__(self, exploration: Exploration) -> None:
        space = exploration.space
        of_operator: list[CostedMove] = list(zip(exploration.moves, space.costs, strict=True))
        made = {of_operator[number] for number in set(space.operators.tolist())}
        idle = {move for move in of_operator if move[0] == "x"} - made  # the page would name a key that does nothing
        self.moves: list[CostedMove] = sorted(set(of_operator) - idle, key=natural)
        self.positions: list[Position] = [exploration.position(0)]
        self.edges: list[list[Edge]] = []
        self.parents: list[int] = [-1]
        numbers = {move: number for number, move in enumerate(self.moves)}
        order = self._number_states(space, [numbers.get(move, -1) for move in of_operator])
        left, goals = space.goal_distance.tolist(), space.goals.tolist()
        self.left: list[int] = [left[state] for state in order]
        self.goals: list[int] = [number for number, state in enumerate(order) if goals[state]]
        pictures = [board_of(position) for position in within_limits(self.positions)]
        self.ground: Ground = common_ground([ground for ground, _ in pictures])
        pieces = [distinct(pieces) for _, pieces in pictures]
        facts = [facts_of(position) for position in within_limits(self.positions)]
        placed = numbered(self.ground, chain.from_iterable(pieces))
        self.numbers: dict[Seen, int] = number_facts(placed, chain.from_iterable(facts))
        self._seen = [[*row, *more] for row, more in zip(pieces, facts, strict=True)]

    def _number_states(self, space: Space[Any], moves: Sequence[int]) -> list[int]:
        """Fill in positions, edges and parents; return the states of the space in their new order."""
        offsets, operators, targets = space.offsets.tolist(), space.operators.tolist(), space.targets.tolist()
        order, numbers = [0], {0: 0}
        for number, state in enumerate(order):  # the list grows meanwhile
            checkpoint()
            arcs = [(moves[operators[arc]], targets[arc]) for arc in range(offsets[state], offsets[state + 1])]
            edges = []
            for move, target in sorted(arcs):
                if target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
                    self.positions.append(self.positions[number].apply(self.moves[move][0]))
                    self.parents.append(number)
                edges.append((move, numbers[target]))
            self.edges.append(edges)
        return order

    def packed(self) -> bytes:
        """Return the table as bytes, in the format that the module's docstring describes."""
        out = bytearray()
        for edges in self.edges:
            write(out, sum([1 << move for move, _ in edges]))
        self._pack_targets(out)
        write(out, self.left[0] + 1)
        for left, parent in zip(self.left[1:], self.parents[1:], strict=True):
            if self.left[parent] >= 0:
                change = left - self.left[parent]
                write(out, 0 if left < 0 else 1 + (2 * change if change >= 0 else -2 * change - 1))
        write_gaps(out, self.goals)
        self._pack_pictures(out)
        return bytes(out)

    def _pack_targets(self, out: bytearray) -> None:
        """Write the target state of each move; states are numbered in the order in which moves reach them."""
        newest = 1
        before: list[list[int]] = [[] for _ in self.edges]
        for state, (near, edges) in enumerate(zip(before, self.edges, strict=True)):
            for _, target in edges:
                if target > state:
                    before[target].append(state)
                if target == newest:
                    newest += 1
                    write(out, 0)
                else:
                    write(out, near.index(target) + 1 if target in near else len(near) + newest - target)

    def _pack_pictures(self, out: bytearray) -> None:
        """Write the picture of each state as a change of its parent's picture."""
        before: list[frozenset[int]] = []
        changes: dict[frozenset[int], int] = {}
        by_state = []
        for seen, parent in zip(self._seen, self.parents, strict=True):
            checkpoint()
            before.append(frozenset([self.numbers[each] for each in seen]))
            if parent >= 0:
                by_state.append(changes.setdefault(before[-1] ^ before[parent], len(changes)))
        write_gaps(out, sorted(before[0]))
        write(out, len(changes))
        for change in changes:
            write_gaps(out, sorted(change))
        for number in by_state:
            write(out, number)


# Levels with too many states for a table: a page plays by the ground operators of their PDDL, without hints.
#
# The operators come from the native core's grounding, in which a state gives every variable one of its values
# (`planners/native/grounding/__init__.py`). A **fact**, a variable with a value, has a number. For `player.js`:
#
#     variables    how many; of each how many values it has, and its value at the start
#     operators    how many; of each its move, its preconditions, and its effects: the conditions and the fact of each
#     axioms       how many; of each its layer, the fact that it derives and its body
#     goal         facts
#     pictures     by placement, fact and part of the goal the facts that are its sign; then the facts
#                  with unknown pieces

TRIED = 60
"""The number of positions in which the moves of actions are computed."""


class GroundOperators:
    """The ground task of a level with numbered moves and facts, for a web page.

    `moves` have their costs, in the order of their numbers; `ground` is the ground of the pictures, and `numbers` has
    all placements. Facts that held in no position are `unseen`: their pieces may be missing.

    Raises UnsupportedFeature for games without PDDL, for moves or pieces that do not follow from the PDDL alone, and
    DependencyMissing without the compiled core.
    """

    def __init__(self, level: Position) -> None:
        by_facts = isinstance(level, PddlPosition)
        if offered(level, Pictured) is None and not by_facts:
            message = f"{level.game.name} does not describe pictures"
            raise UnsupportedFeature(message, feature="pieces of a text")
        self.task: FDRTask
        self.task, parts, always = _ground(level)
        self._firsts = list(accumulate([len(variable.values) for variable in self.task.variables], initial=0))
        of_operator = _moves(level, self.task.operators)
        self.moves: list[CostedMove] = sorted(set(of_operator), key=natural)
        numbers = {move: number for number, move in enumerate(self.moves)}
        self._move_numbers = [numbers[move] for move in of_operator]
        basic = [number for number, variable in enumerate(self.task.variables) if variable.layer < 0]
        every = frozenset([fact for number in basic for fact in range(self._firsts[number], self._firsts[number + 1])])
        placed: Signs = {}
        self.unseen: Facts = frozenset()
        if has_board(level):
            placed, self.unseen = signs_of(level, self._facts_of(basic), every)
        self.ground: Ground = board_of(level)[0]
        self._signs: dict[Seen, tuple[int, ...]] = dict(placed.items())
        if by_facts:
            self._signs |= self._signs_of_facts(basic, parts, always)
        facts = [each for each in self._signs if not isinstance(each, tuple)]
        self.numbers: dict[Seen, int] = number_facts(numbered(self.ground, placed), facts)

    def _signs_of_facts(
        self, basic: list[int], parts: Sequence[Sequence[Fact]], always: Iterable[Atom]
    ) -> dict[Seen, tuple[int, ...]]:
        """Return, for each atom and each numbered goal part, the facts that together make it true."""
        signs: dict[Seen, tuple[int, ...]] = dict.fromkeys(always, ())
        for number in basic:
            for fact, atom in enumerate(self.task.variables[number].values, self._firsts[number]):
                if atom is not None:
                    signs[atom] = (fact,)
        return signs | {number: tuple(sorted(self._numbered(part))) for number, part in enumerate(parts)}

    def _numbered(self, facts: Iterable[Fact]) -> list[int]:
        return [self._firsts[variable] + value for variable, value in facts]

    def _facts_of(self, basic: list[int]) -> Callable[[Position], Facts]:
        """Return a function that describes a position by one fact per variable: the value that is true there."""
        none = [-1] * len(basic)
        of_atom = {}
        for place, number in enumerate(basic):
            for fact, atom in enumerate(self.task.variables[number].values, self._firsts[number]):
                if atom is None:
                    none[place] = fact
                else:
                    of_atom[atom] = place, fact

        def facts_of(position: Position) -> Facts:
            facts = none.copy()
            for atom in position.atoms():
                if atom in of_atom:
                    place, fact = of_atom[atom]
                    facts[place] = fact
            return frozenset(facts)

        return facts_of

    def packed(self) -> bytes:
        """Return the operators as bytes, in the format that the comment above this class describes."""
        out = bytearray()
        write(out, len(self.task.variables))
        for variable, value in zip(self.task.variables, self.task.initial, strict=True):
            write(out, len(variable.values))
            write(out, value)
        write(out, len(self.task.operators))
        for operator, move in zip(self.task.operators, self._move_numbers, strict=True):
            checkpoint()
            write(out, move)
            self._pack_facts(out, operator.precondition)
            write(out, len(operator.effects))
            for effect in operator.effects:
                self._pack_facts(out, effect.conditions)
                write(out, self._firsts[effect.variable] + effect.value)
        write(out, len(self.task.axioms))
        for rule in self.task.axioms:
            write(out, self.task.variables[rule.variable].layer)
            write(out, self._firsts[rule.variable] + 1)  # value 1 of a derived variable: the atom is true
            self._pack_facts(out, rule.body)
        self._pack_facts(out, self.task.goal)
        for seen in self.numbers:
            write_gaps(out, self._signs[seen])
        write_gaps(out, sorted(self.unseen))
        return bytes(out)

    def _pack_facts(self, out: bytearray, facts: Iterable[Fact]) -> None:
        write_gaps(out, sorted(self._numbered(facts)))


def _ground(level: Position) -> tuple[FDRTask, Sequence[Sequence[Fact]], frozenset[Atom]]:
    """Return the ground task with all operators and facts, even those that are irrelevant to the goal.

    Also return the facts of each part of the goal, and the atoms that are true in all states.
    """
    absent = missing()
    if absent is not None:
        raise DependencyMissing(f"the task cannot be grounded: {absent}", dependency="native")
    task = task_within(level)
    goals = [task.problem.goal, *(conjuncts(task.problem.goal) if isinstance(level, PddlPosition) else ())]
    common = CommonGround(task, [frozenset(task.problem.init)], goals, faithful=True)
    never = [(0, 0), (0, 1)]  # a variable with two values at once
    goal, *parts = [never if facts is None else facts for _, facts in map(common.goal, goals)]
    whole = common.fdr()
    ground = FDRTask(whole.variables, common.initial(0), goal, whole.operators, whole.axioms)
    return ground, parts, common.certain()


def _moves(level: Position, operators: Sequence[Operator]) -> list[CostedMove]:
    """Return the move and the cost of each operator.

    A `decode` that depends on its position is called in some positions, and must give the same answers in all of them.
    """
    actions = [operator.action for operator in operators]
    names = decoded_anywhere(level, actions)
    if names is None:
        try:
            names = [level.decode(action) for action in actions]
            same = True
            for position in islice(walk(level), TRIED):
                checkpoint()
                same = same and [position.decode(action) for action in actions] == names
        except LimitReached:
            raise
        except Exception as error:  # a method may fail in any way for an action that is not applicable there
            raise looks_at_position(level, actions) from error
        if not same:
            raise looks_at_position(level, actions)
    return [(name, operator.cost) for name, operator in zip(names, operators, strict=True)]
